//! Where the channel dependency graph has no cycle there is no deadlock; where it has one, a random permutation
//! finds a deadlock, and its channels are on a cycle of the graph.

use std::collections::BTreeSet;

use reference_models::wormhole::Machine;
use rtl_model::machine::topology::cube_connected_cycles::{CubeConnectedCycles, Direction};
use rtl_model::routers::wormhole::networks::cycles::dependencies::{self, virtual_channel};
use rtl_model::routers::wormhole::route::ChannelId;

use crate::wormhole::machines::{
    LIMIT, ccc, copies, hardware, machine, nodes, permutation, plain_tick, run_hardware,
};

const SEEDS: u64 = 30;

/// The node that a link leaves, which link, which virtual channel.
type Channel = (usize, Direction, usize);

/// Every pair of channels that follow each other on a route.
fn edges(cycles: CubeConnectedCycles, virtual_channels: usize) -> BTreeSet<(Channel, Channel)> {
    let mut edges = BTreeSet::new();
    for source in 0..cycles.nodes() {
        for destination in 0..cycles.nodes() {
            let channels: Vec<Channel> = cycles
                .route(source, destination)
                .map(|hop| {
                    (
                        hop.from,
                        hop.direction,
                        virtual_channel(hop, virtual_channels),
                    )
                })
                .collect();
            edges.extend(channels.windows(2).map(|pair| (pair[0], pair[1])));
        }
    }
    edges
}

/// The channel at whose end an input channel is.
fn channel(cycles: CubeConnectedCycles, virtual_channels: usize, place: ChannelId) -> Channel {
    let number = place.input.checked_sub(1).unwrap();
    match number.checked_sub(virtual_channels) {
        None => (
            cycles.straight_from(place.node),
            Direction::Straight,
            number,
        ),
        Some(number) => (cycles.cross(place.node), Direction::Cross, number),
    }
}

/// The cycle of each permutation that ends in deadlock.
fn deadlocks(machine: Machine) -> Vec<Vec<ChannelId>> {
    let run = |seed| {
        let messages = permutation(nodes(machine), 64, seed);
        let engine = run_hardware::<u64>(machine, &messages, LIMIT, plain_tick);
        assert!(engine.fabric.bit_time() < LIMIT);
        let cycle = engine.wait_for_cycle();
        assert_eq!(cycle.is_some(), engine.in_flight() > 0);
        cycle
    };
    (0..SEEDS).filter_map(run).collect()
}

#[test]
fn deadlocks_are_cycles_of_dependencies_and_there_are_none_without() {
    for levels in 2..=5 {
        let cycles = CubeConnectedCycles::new(levels).unwrap();
        for virtual_channels in 1..=3 {
            let dependencies = dependencies::of(cycles, virtual_channels);
            let edges = edges(cycles, virtual_channels);
            assert_eq!(edges.len(), dependencies.dependencies << levels);
            let found = deadlocks(Machine {
                virtual_channels,
                ..machine(ccc(levels))
            });
            println!(
                "{levels} levels, {virtual_channels} virtual channels: {} deadlocks",
                found.len()
            );
            // Of so many permutations some find the cycle.
            assert_eq!(
                found.is_empty(),
                dependencies.cycle.is_none(),
                "{levels} levels"
            );
            for cycle in found {
                let shortest = dependencies.cycle.as_ref().unwrap().len();
                assert!(cycle.len() >= shortest);
                for (one, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                    let edge = [one, next].map(|place| channel(cycles, virtual_channels, *place));
                    assert!(edges.contains(&(edge[0], edge[1])), "{edge:?}");
                }
            }
        }
    }
}

#[test]
fn a_deadlock_of_copies_is_one_of_a_single_copy() {
    for levels in [2, 4] {
        let machine = Machine {
            virtual_channels: 1,
            ..machine(copies(levels, levels))
        };
        let hardware = hardware(machine);
        let rtl_model::routers::wormhole::network::Network::Copies { copies, .. } =
            hardware.network()
        else {
            unreachable!("copies");
        };
        let cycles = copies.network();
        let edges = edges(cycles, 1);
        let found = deadlocks(machine);
        assert!(!found.is_empty());
        for cycle in found {
            let copy = cycle[0].switch;
            assert!(cycle.iter().all(|place| place.switch == copy));
            let channel = |place: &ChannelId| {
                let (level, column) = copies.unmap(copy, place.node);
                let node = cycles.node(level, column);
                channel(cycles, 1, ChannelId { node, ..*place })
            };
            for (one, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                assert!(edges.contains(&(channel(one), channel(next))));
            }
        }
    }
}
