//! The cross product of butterflies, where lanes are given to worms at run time: pairs of nodes, permutations of many
//! kinds and streams, each event in the bit time in which the reference has it.

use hosts::wormhole::engine::Engine;
use rayon::prelude::*;
use reference_models::wormhole::{
    self as reference, Machine, Message, Outcome, Pieces, Switch, Variant,
};
use rtl_model::language::lanes::Words;

use crate::wormhole::compare::compare;
use crate::wormhole::machines::{
    LIMIT, butterflies, for_hardware, generator, hardware, messages, nodes, permutation, shuffled,
};

const NODES: usize = 64;

/// Of two levels, with two classes of lanes.
fn machine(buffer_bits: usize, switch: Switch) -> Machine {
    Machine {
        network: butterflies(2),
        virtual_channels: 2,
        buffer_bits,
        wire_bits: 1,
        switch,
        pieces: Pieces::ByWay,
    }
}

fn machines() -> impl Iterator<Item = Machine> {
    [1, 2, 5].into_iter().flat_map(|buffer_bits| {
        [Switch::Strong, Switch::Weak].map(|switch| machine(buffer_bits, switch))
    })
}

/// Worms alone on a machine each, 512 of them side by side: of one pair of nodes in five, each node and itself among them.
#[test]
fn every_fifth_pair_of_64_nodes_alone() {
    pairs_each_alone(machine(1, Switch::Weak), 5);
}

/// From every node to every other one and to itself.
#[test]
#[ignore = "long: all pairs, other buffers and switches"]
fn every_pair_of_64_nodes_alone_on_all_machines() {
    machines().for_each(|machine| pairs_each_alone(machine, 1));
}

/// Of all pairs, by source and then by destination, one in `every`.
fn pairs_each_alone(machine: Machine, every: usize) {
    let mut random = generator(3);
    let pairs = (0..NODES * NODES).step_by(every);
    let pairs = pairs.map(|pair| (pair / NODES, pair % NODES));
    let all = messages(pairs, 5, &mut random);
    all.chunks(512).for_each(|some| pairs_alone(machine, some));
}

fn pairs_alone(machine: Machine, some: &[Message]) {
    let mut engine = Engine::<Words<8>>::new(hardware(machine), some.len()).unwrap();
    for (on, message) in some.iter().enumerate() {
        engine.send(on, for_hardware(message));
    }
    while engine.in_flight() > 0 {
        engine.tick(|_| Ok::<(), ()>(())).unwrap();
    }
    let traffics: Vec<Vec<Message>> = some.iter().map(|one| vec![one.clone()]).collect();
    let runs: Vec<reference::Run> = traffics
        .par_chunks(128)
        .flat_map(|traffics| reference::run_each(machine, traffics, LIMIT).unwrap())
        .collect();
    let mut last = 0;
    for (number, (run, message)) in runs.iter().zip(some).enumerate() {
        let Outcome::Done { bit_times } = run.outcome else {
            panic!("{machine:?}: {message:?}: {:?}", run.outcome);
        };
        last = last.max(bit_times);
        let (ours, theirs) = (engine.delivery(number), &run.arrivals[0]);
        assert_eq!(
            (ours.injected, ours.head_arrived, ours.tail_arrived),
            (theirs.injected, theirs.head_arrived, theirs.tail_arrived),
            "{machine:?}: {message:?}"
        );
        // The tracker numbers nodes over all machines.
        let path = engine.tracker.path(number).iter().map(|node| node % NODES);
        assert!(path.eq(theirs.pieces[0].path.iter().copied()));
    }
    assert_eq!(last, engine.fabric.bit_time());
}

#[test]
fn random_permutations_whole_and_in_part() {
    for machine in machines() {
        for (seed, bits) in [(0, 1), (1, 24), (2, 24), (3, 60)] {
            let (_, run) = compare::<u64>(machine, &permutation(NODES, bits, seed));
            assert!(matches!(run.outcome, Outcome::Done { .. }));
        }
        let mut random = generator(50);
        for step in [2, 5] {
            let pairs = shuffled(NODES, &mut random).into_iter().enumerate();
            let traffic = messages(pairs.step_by(step), 40, &mut random);
            compare::<u64>(machine, &traffic);
        }
    }
}

#[test]
fn complement_reversal_and_shifts() {
    let reversed = |node: usize| node.reverse_bits() >> (usize::BITS - NODES.ilog2());
    for machine in machines() {
        let mut random = generator(4);
        let mut compared = |to: &dyn Fn(usize) -> usize| {
            let pairs = (0..NODES).map(|node| (node, to(node) % NODES));
            compare::<u64>(machine, &messages(pairs, 24, &mut random));
        };
        compared(&|node| !node);
        compared(&reversed);
        compared(&|node| !reversed(node));
        for by in [1, 7, 8, 9, 31, 32, 63] {
            compared(&|node| node + by);
        }
    }
}

/// A mistake in the model: either one of its own checks finds it, or its worms do not arrive when those of the hardware do.
#[test]
fn planted_mistakes_are_seen() {
    for (variant, buffer_bits) in [
        (Variant::LastLaneFirst, 2),
        (Variant::RelaysOneBitShort, 2),
        (Variant::RelaysOneBitShort, 5),
        (Variant::KeepsHeaderBits, 2),
        (Variant::NeverRaisesVirtualChannel, 2),
        (Variant::GrantsWithoutAllCredits, 2),
    ] {
        let machine = machine(buffer_bits, Switch::Strong);
        let traffic = permutation(NODES, 60, 1);
        // The same as in the hardware.
        let (_, run) = compare::<u64>(machine, &traffic);
        let mistaken = reference::run_variant(machine, &traffic, LIMIT, variant);
        assert!(
            mistaken.is_err() || mistaken.is_ok_and(|other| other.arrivals != run.arrivals),
            "{variant:?}"
        );
    }
}

#[test]
#[ignore = "long: what must hold is looked at in all registers of 4096 nodes in every bit time"]
fn a_permutation_of_4096_nodes() {
    let machine = Machine {
        network: butterflies(4),
        virtual_channels: 3,
        buffer_bits: 2,
        wire_bits: 1,
        switch: Switch::Strong,
        pieces: Pieces::ByWay,
    };
    compare::<Words<8>>(machine, &permutation(nodes(machine), 16, 1));
}
