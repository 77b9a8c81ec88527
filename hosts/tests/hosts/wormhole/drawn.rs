//! Machines and messages that proptest draws and shrinks.

use proptest::prelude::*;
use reference_models::wormhole::{Machine, Message, Network, Pieces, Routing, Switch};

use super::machines::{butterflies, ccc, copies, cube, mesh, nodes, torus};

fn network() -> impl Strategy<Value = Network> {
    prop_oneof![
        (2usize..=4).prop_map(ccc),
        (1usize..=2).prop_map(|used| copies(2, used)),
        (1usize..=4).prop_map(|used| copies(4, used)),
        (1usize..=6, routing()).prop_map(|(dimensions, routing)| cube(dimensions, routing)),
        (3usize..=6, 1usize..=2, routing())
            .prop_map(|(radix, n, routing)| torus(radix, n, routing)),
        (3usize..=6, 1usize..=2, routing()).prop_map(|(radix, n, routing)| mesh(radix, n, routing)),
        Just(torus(3, 3, Routing::Adaptive)),
        Just(butterflies(2)),
    ]
}

fn routing() -> impl Strategy<Value = Routing> {
    prop_oneof![
        Just(Routing::Order),
        Just(Routing::Valiant),
        Just(Routing::Adaptive)
    ]
}

fn machine() -> impl Strategy<Value = Machine> {
    let booleans = (any::<bool>(), any::<bool>());
    let wire_bits = prop_oneof![3 => Just(1usize), 2 => 2usize..=9, 1 => Just(64usize)];
    let buffers = (1usize..=6, wire_bits);
    (network(), 1usize..=8, buffers, booleans).prop_map(
        |(network, virtual_channels, (buffer_bits, wire_bits), (weak, even))| Machine {
            network,
            virtual_channels: match network {
                Network::Hypercube { .. } | Network::Grid { .. } => virtual_channels,
                _ => 1 + virtual_channels % 3,
            },
            buffer_bits,
            wire_bits,
            switch: match weak {
                true => Switch::Weak,
                false => Switch::Strong,
            },
            pieces: match even {
                true => Pieces::Even,
                false => Pieces::ByWay,
            },
        },
    )
}

/// A machine and up to 60 messages, in the order of their creation.
pub fn traffic() -> impl Strategy<Value = (Machine, Vec<Message>)> {
    machine().prop_flat_map(|machine| {
        let nodes = nodes(machine);
        let bits = prop::collection::vec(any::<bool>(), 1..=40);
        let message = (0..nodes, 0..nodes, 0u64..60, bits).prop_map(
            |(source, destination, created, bits)| Message {
                source,
                destination,
                intermediate: None,
                created,
                bits,
            },
        );
        let messages = prop::collection::vec(message, 0..60).prop_map(|mut messages| {
            messages.sort_by_key(|message| message.created);
            messages
        });
        (Just(machine), messages)
    })
}
