//! Permutations with structure: on three virtual channels all of them arrive.

use hosts::wormhole::lanes::WormLanes;
use reference_models::wormhole::{Machine, Message, Network, Outcome};
use rtl_model::language::lanes::Words;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::traffic::Nodes;
use rtl_model::traffic::pattern::Pattern;

use crate::wormhole::compare::compare;
use crate::wormhole::machines::{
    LIMIT, butterflies, ccc, copies, generator, machine, messages, nodes, plain_tick, run_hardware,
};

/// The named patterns that the number of nodes allows, and as many more of levels and columns.
fn permutations(machine: Machine, bits: usize) -> Vec<(String, Vec<Message>)> {
    let count = nodes(machine);
    let senders: Vec<usize> = (0..count).collect();
    let mut routings: Vec<(String, Vec<usize>)> = Vec::new();
    for (name, pattern, _) in Pattern::PERMUTATIONS {
        if let Ok(messages) = pattern.messages(Nodes::new(count).unwrap(), &senders, 1) {
            let destinations = messages.iter().map(|one| one.destination);
            routings.push((name.to_owned(), destinations.collect()));
        }
    }
    if let Network::CubeConnectedCycles { levels } = machine.network {
        let cycles = CubeConnectedCycles::new(levels).unwrap();
        let reversed = |column: usize| column.reverse_bits() >> (usize::BITS as usize - levels);
        type Map<'a> = (&'a str, &'a dyn Fn(usize, usize) -> (usize, usize));
        let maps: [Map<'_>; 5] = [
            ("all columns inverted", &|level, column| (level, !column)),
            ("columns reversed", &|level, column| {
                (level, reversed(column))
            }),
            ("one level back, columns inverted", &|level, column| {
                (level + levels - 1, !column)
            }),
            ("levels turned round, columns inverted", &|level, column| {
                (levels - 1 - level, !column)
            }),
            ("one level back, columns shifted", &|level, column| {
                (level + levels - 1, column + 1)
            }),
        ];
        for (name, map) in maps {
            let destination = |node| {
                let (level, column) = map(cycles.level(node), cycles.column(node));
                cycles.node(level % levels, column & (cycles.columns() - 1))
            };
            routings.push((
                name.to_owned(),
                senders.iter().copied().map(destination).collect(),
            ));
        }
    }
    let mut random = generator(9);
    let permutation = |(name, destinations): (String, Vec<usize>)| {
        let mut sorted = destinations.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, senders, "{name}");
        let pairs = destinations.into_iter().enumerate();
        (name, messages(pairs, bits, &mut random))
    };
    routings.into_iter().map(permutation).collect()
}

/// How many there were.
fn all_arrive<B: WormLanes>(machine: Machine, bits: usize) -> usize {
    let permutations = permutations(machine, bits);
    for (name, messages) in &permutations {
        let engine = run_hardware::<B>(machine, messages, LIMIT, plain_tick);
        assert_eq!(engine.in_flight(), 0, "{machine:?}: {name}");
        assert!(engine.strays.is_empty() && engine.conflict.is_none());
        assert_eq!(engine.meters.not_conserved, None, "{machine:?}: {name}");
        assert_eq!(engine.tracker.shared(), None, "{machine:?}: {name}");
    }
    permutations.len()
}

#[test]
fn structured_permutations_fare_as_the_reference_says() {
    for network in [ccc(3), ccc(4), copies(4, 4), butterflies(2)] {
        for (name, messages) in permutations(machine(network), 20) {
            let (_, run) = compare::<u64>(machine(network), &messages);
            assert!(matches!(run.outcome, Outcome::Done { .. }), "{name}");
        }
    }
}

#[test]
fn structured_permutations_arrive_on_cube_connected_cycles() {
    // Patterns of address bits want a power of two.
    for (levels, count) in [(3, 10), (4, 14), (5, 10), (6, 10)] {
        assert_eq!(all_arrive::<u64>(machine(ccc(levels)), 64), count);
    }
}

#[test]
fn structured_permutations_arrive_on_copies() {
    // The hypercube of 4 levels has 6 dimensions, that of 8 has 11, too odd a number for `transpose`.
    assert_eq!(all_arrive::<u64>(machine(copies(4, 4)), 64), 9);
    assert_eq!(all_arrive::<Words<8>>(machine(copies(8, 8)), 8), 8);
}
