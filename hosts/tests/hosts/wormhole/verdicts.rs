//! What the dependency graph says before a run, against runs: on small networks and routings that are drawn at random.

use rand::Rng;
use reference_models::wormhole::{Machine, Message, Network, Pieces, Routing, Switch};

use crate::wormhole::machines::{
    LIMIT, cube, generator, hardware, mesh, messages, nodes, permutation, plain_tick, run_hardware,
    torus,
};

/// A machine of 64 nodes at the most.
fn drawn(seed: u64) -> Machine {
    let mut random = generator(seed);
    let routing = [Routing::Order, Routing::Valiant, Routing::Adaptive][random.random_range(0..3)];
    let dimensions = random.random_range(1..=2);
    let radix = random.random_range(3..=8);
    let network = match random.random_range(0..5) {
        0 => cube(random.random_range(1..=6), routing),
        1 | 2 => mesh(radix, dimensions, routing),
        _ => torus(radix, dimensions, routing),
    };
    Machine {
        network,
        virtual_channels: [1, 1, 1, 2, 2, 3, 4][random.random_range(0..7)],
        buffer_bits: random.random_range(1..=3),
        wire_bits: 1,
        switch: match random.random_bool(0.3) {
            true => Switch::Weak,
            false => Switch::Strong,
        },
        pieces: Pieces::ByWay,
    }
}

/// In every row of dimension 0 all the same way round, nearly as far as the shorter way goes.
fn tornado(machine: Machine) -> Option<(usize, Vec<Message>)> {
    let Network::Grid {
        radix, wraps: true, ..
    } = machine.network
    else {
        return None;
    };
    let distance = (radix - 1) / 2;
    let to = |node: usize| node - node % radix + (node % radix + distance) % radix;
    let pairs = (0..nodes(machine)).map(|node| (node, to(node)));
    Some((distance, messages(pairs, 64, &mut generator(3))))
}

/// Where nothing can deadlock nothing does; where something can, much does, and a ring of worms as far from each other as there are
/// channels in between always.
fn agree(machines: u64) {
    let (mut free, mut can, mut did) = (0, 0, 0);
    for seed in 0..machines {
        let machine = drawn(seed);
        let verdict = hardware(machine).dependencies().clone();
        let deadlocks = |traffic: &[Message]| {
            let engine = run_hardware::<u64>(machine, traffic, LIMIT, plain_tick);
            assert!(engine.strays.is_empty() && engine.tracker.shared().is_none());
            assert_eq!(engine.meters.not_conserved, None, "{machine:?}");
            engine.in_flight() > 0
        };
        let drawn = (0..3).any(|draw| deadlocks(&permutation(nodes(machine), 64, draw)));
        let ring = tornado(machine);
        let in_ring = ring.as_ref().is_some_and(|(_, ring)| deadlocks(ring));
        if verdict.deadlock().is_none() {
            assert!(!drawn && !in_ring, "{machine:?}");
            free += 1;
            continue;
        }
        can += 1;
        did += u32::from(drawn || in_ring);
        let is_valiant = matches!(
            machine.network,
            Network::Grid {
                routing: Routing::Valiant,
                ..
            }
        );
        if let (Some((distance, _)), false) = (ring, is_valiant) {
            let has_to = distance > machine.virtual_channels;
            assert!(in_ring || !has_to, "{machine:?}");
        }
    }
    println!("{machines} machines: {free} free of deadlock, {can} not, of which {did} deadlocked");
    assert!(free > 0 && 2 * did > can, "{did} of {can}");
}

#[test]
fn verdicts_of_500_random_machines_agree_with_runs() {
    agree(500);
}
