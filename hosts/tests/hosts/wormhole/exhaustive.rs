//! All permutations of the 8 nodes of the smallest cube-connected cycles, a machine each, side by side.

use hosts::wormhole::engine::Engine;
use rayon::prelude::*;
use reference_models::wormhole::{self as reference, Machine, Message, Outcome, Routing, Switch};
use rtl_model::language::lanes::Words;

use crate::wormhole::machines::{
    ccc, cube, for_hardware, generator, hardware, machine, messages, with_intermediates,
};

const NODES: usize = 8;
const BITS: usize = 5;

/// All ways to send from the first of `sources` to any node, from the second to any other, and so on.
fn injections(sources: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let Some((source, others)) = sources.split_first() else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for rest in injections(others) {
        for destination in 0..NODES {
            if rest.iter().all(|&(_, taken)| taken != destination) {
                all.push([&[(*source, destination)], &rest[..]].concat());
            }
        }
    }
    all
}

/// Every traffic on a machine of its own: no deadlock, everything arrives, and when the reference says.
fn all_arrive(machine: Machine, routings: &[Vec<(usize, usize)>]) {
    let mut random = generator(5);
    let all = routings
        .iter()
        .flat_map(|pairs| messages(pairs.iter().copied(), BITS, &mut random));
    // Numbered as the engine numbers them, over all machines.
    let mut all = with_intermediates(machine, &Vec::from_iter(all)).into_iter();
    let traffics: Vec<Vec<Message>> = (routings.iter())
        .map(|pairs| all.by_ref().take(pairs.len()).collect())
        .collect();
    let mut engine = Engine::<Words<8>>::new(hardware(machine), traffics.len()).unwrap();
    for (on, messages) in traffics.iter().enumerate() {
        for message in messages {
            engine.send(on, for_hardware(message));
        }
    }
    while engine.in_flight() > 0 {
        engine.tick(|_| Ok::<(), ()>(())).unwrap();
        assert_eq!(engine.quiet(), 0, "{machine:?}");
    }
    assert_eq!(engine.strays, []);
    assert_eq!(engine.meters.not_conserved, None);
    assert_eq!(engine.tracker.shared(), None);
    assert!(engine.conflict.is_none());
    assert_eq!(engine.wait_for_cycle(), None);

    let runs: Vec<reference::Run> = traffics
        .par_iter()
        .map(|messages| reference::run(machine, messages, 10_000).unwrap())
        .collect();
    let mut number = 0;
    let mut last = 0;
    for (run, messages) in runs.iter().zip(&traffics) {
        let Outcome::Done { bit_times } = run.outcome else {
            panic!("{machine:?}: {:?}", run.outcome);
        };
        last = last.max(bit_times);
        for (arrival, message) in run.arrivals.iter().zip(messages) {
            let ours = engine.delivery(number);
            assert_eq!(
                (ours.injected, ours.head_arrived, ours.tail_arrived),
                (arrival.injected, arrival.head_arrived, arrival.tail_arrived),
                "{machine:?}: {message:?} of {messages:?}"
            );
            // The tracker numbers nodes over all machines.
            let path = engine.tracker.path(number).iter().map(|node| node % NODES);
            assert!(path.eq(arrival.pieces[0].path.iter().copied()));
            number += 1;
        }
    }
    assert_eq!(number, engine.messages.len());
    assert_eq!(last, engine.fabric.bit_time());
}

/// One in so many of all permutations.
fn one_in(every: usize, machine: Machine) {
    let permutations = injections(&Vec::from_iter(0..NODES));
    assert_eq!(permutations.len(), 40_320);
    let some = permutations.into_iter().step_by(every);
    all_arrive(machine, &Vec::from_iter(some));
}

fn weakest() -> Machine {
    Machine {
        switch: Switch::Weak,
        buffer_bits: 1,
        ..machine(ccc(2))
    }
}

/// By way of random nodes, two channels a wire.
fn in_two_phases(switch: Switch, buffer_bits: usize) -> Machine {
    Machine {
        switch,
        buffer_bits,
        virtual_channels: 2,
        ..machine(cube(3, Routing::Valiant))
    }
}

#[test]
fn all_permutations_of_8_nodes_arrive() {
    one_in(1, machine(ccc(2)));
}

/// Eleven has no factor in common with 8!, so that no destination is left out at any source.
#[test]
fn one_in_eleven_permutations_of_8_nodes_arrive_on_weaker_machines() {
    one_in(11, weakest());
    one_in(11, in_two_phases(Switch::Strong, 2));
}

#[test]
#[ignore = "long: all permutations"]
fn all_permutations_of_8_nodes_arrive_on_weaker_machines() {
    one_in(1, weakest());
    one_in(1, in_two_phases(Switch::Strong, 2));
}

#[test]
#[ignore = "long: all permutations, a weak switch"]
fn all_permutations_of_8_nodes_arrive_in_two_phases_on_the_weakest_machine() {
    one_in(1, in_two_phases(Switch::Weak, 1));
}

#[test]
fn all_partial_permutations_of_up_to_three_messages_arrive() {
    let mut routings = Vec::new();
    for set in 0usize..1 << NODES {
        if set.count_ones() <= 3 {
            let sources: Vec<usize> = (0..NODES).filter(|node| set >> node & 1 == 1).collect();
            routings.extend(injections(&sources));
        }
    }
    assert_eq!(routings.len(), 1 + 8 * 8 + 28 * 56 + 56 * 336);
    all_arrive(machine(ccc(2)), &routings);
}
