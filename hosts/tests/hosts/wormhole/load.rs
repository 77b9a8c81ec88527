//! What a wire must carry, and what several copies gain.

use std::collections::BTreeMap;

use hosts::wormhole::engine::Engine;
use hosts::wormhole::lanes::WormLanes;
use reference_models::wormhole::{Machine, Message, Network, Routing};
use rtl_model::language::lanes::Words;

use crate::wormhole::machines::{
    LIMIT, ccc, copies, cube, ecube, machine, nodes, permutation, plain_tick, run_hardware,
};

/// By node and link, the bits that the ways of all worms put on it, headers as far as they cross.
fn due<B: WormLanes>(engine: &Engine<B>) -> BTreeMap<(usize, usize), u64> {
    let mut due = BTreeMap::new();
    for worm in &engine.worms {
        let bits: Vec<bool> = worm.bits.iter().by_vals().collect();
        let source = engine.messages[worm.message].source;
        for crossing in engine.fabric.router().way(source, worm.switch, &bits) {
            *due.entry((crossing.node, crossing.link)).or_default() += crossing.bits as u64;
        }
    }
    due
}

/// Runs it, and holds what every wire carried against what it had to.
fn run<B: WormLanes>(machine: Machine, messages: &[Message]) -> Engine<B> {
    let engine = run_hardware::<B>(machine, messages, LIMIT, plain_tick);
    assert_eq!(engine.in_flight(), 0, "{machine:?}");
    let due = due(&engine);
    for link in 0..engine.fabric.router().plan().links.len() {
        let loads = engine.meters.loads(&engine.fabric, link);
        assert_eq!(loads.len(), nodes(machine));
        for (node, load) in loads.into_iter().enumerate() {
            let expected = due.get(&(node, link)).copied().unwrap_or(0);
            assert_eq!(u64::from(load), expected, "node {node}, link {link}");
        }
    }
    let largest = due.values().max().copied().unwrap_or(0);
    assert_eq!(u64::from(engine.meters.largest_load()), largest);
    // The first bit crosses a link after bit time 0 at the earliest, and the last one has still to come out.
    assert!(engine.fabric.bit_time() > largest, "{machine:?}");
    engine
}

#[test]
fn every_wire_carries_what_the_ways_of_the_worms_put_on_it() {
    for network in [
        ccc(2),
        ccc(4),
        ccc(5),
        copies(2, 2),
        copies(4, 3),
        copies(4, 4),
        ecube(4),
        cube(6, Routing::Valiant),
    ] {
        for seed in 0..3 {
            let machine = machine(network);
            run::<u64>(machine, &permutation(nodes(machine), 40, seed));
        }
    }
}

fn bit_times(network: Network, bits: usize, seed: u64) -> u64 {
    let machine = machine(network);
    let messages = permutation(nodes(machine), bits, seed);
    let engine = run_hardware::<Words<8>>(machine, &messages, LIMIT, plain_tick);
    assert_eq!(engine.in_flight(), 0, "{machine:?}");
    assert!(engine.fabric.bit_time() > u64::from(engine.meters.largest_load()));
    engine.fabric.bit_time()
}

/// How many times as long one copy takes for the same messages as all of them: the average over seeds from 0.
fn speed_up(levels: usize, bits: usize, seeds: u64) -> f64 {
    let ratio = |seed| {
        let [one, all] = [1, levels].map(|used| bit_times(copies(levels, used), bits, seed));
        one as f64 / all as f64
    };
    (0..seeds).map(ratio).sum::<f64>() / seeds as f64
}

/// A piece has a header of up to 4n-2 bits of its own, so short messages gain less.
#[test]
fn four_copies_are_more_than_twice_as_fast_as_one() {
    for bits in [128, 1024] {
        let speed_up = speed_up(4, bits, 5);
        println!("4 copies, {bits} bits: {speed_up:.2}");
        assert!(speed_up > 2.0, "{bits} bits: {speed_up}");
    }
}

#[test]
fn eight_copies_are_more_than_four_times_as_fast_as_one() {
    let speed_up = speed_up(8, 256, 1);
    println!("8 copies, 256 bits: {speed_up:.2}");
    assert!(speed_up > 4.0, "{speed_up}");
}
