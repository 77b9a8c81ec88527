//! Faults that are put into the hardware must be caught: a wire that is stuck, a register that flips.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{cube, generator, loaded, random_pairs, traffic};
use rtl_model::fabric::Fabric;
use rtl_model::kuszmaul::plain::PlainRouter;
use rtl_model::lanes::Lanes;
use rtl_model::meter::Storage;
use rtl_model::register::Registers;
use rtl_model::router::Router;
use rtl_model::topology::hypercube::neighbour;
use rtl_model::traffic::Traffic;
use testbenches::scoreboard::{Arrivals, Score};
use testbenches::simulation;

const K: usize = 3;
const PAYLOAD_BITS: usize = 3;

fn router() -> PlainRouter {
    PlainRouter::new(cube(K), PAYLOAD_BITS).unwrap()
}

/// Random routings of any load: enough of them that every node at some time holds two messages, waits
/// with somebody else's, and is empty.
fn traffics() -> Vec<Traffic> {
    let mut random = generator(17);
    (0..60)
        .map(|seed| traffic(K, PAYLOAD_BITS, &random_pairs(K, &mut random), seed))
        .collect()
}

/// Whether the scoreboard objects.
fn is_caught<B: Lanes>(fabric: &Fabric<PlainRouter, B>, traffic: &Traffic) -> bool {
    let score = Score::new(traffic, &Arrivals::read(fabric, 0));
    score.first_fault.is_some()
}

/// Runs with the wire that `node` drives across `dimension` stuck at `value` for the whole run.
fn stuck_wire_is_caught(traffic: &Traffic, node: usize, dimension: usize, value: bool) -> bool {
    let mut fabric = loaded::<_, u64>(router(), traffic);
    while !fabric.is_done() {
        fabric.transmit().unwrap();
        fabric.force_wire(node, dimension, value);
        fabric.clock();
    }
    is_caught(&fabric, traffic)
}

#[test]
fn every_stuck_wire_is_caught_by_some_traffic() {
    let traffics = traffics();
    for node in 0..1 << K {
        for dimension in 0..K {
            for value in [false, true] {
                assert!(
                    traffics
                        .iter()
                        .any(|traffic| stuck_wire_is_caught(traffic, node, dimension, value)),
                    "the wire from node {node} to node {} stuck at {value}",
                    neighbour(node, dimension)
                );
            }
        }
    }
}

/// Flips register bit `number` of `node` at the start of bit time `when`.
fn flip_is_caught(traffic: &Traffic, node: usize, number: usize, when: u64) -> bool {
    let mut fabric = loaded::<_, u64>(router(), traffic);
    while !fabric.is_done() {
        if fabric.bit_time() == when {
            let (group, place) = fabric.node_mut(node);
            let mut index = 0;
            Registers::<u64>::visit_mut(group, &mut |lanes| {
                if index == number {
                    lanes.set(place, !lanes.get(place));
                }
                index += 1;
            });
        }
        fabric.tick().unwrap();
    }
    is_caught(&fabric, traffic)
}

/// Also: no register is counted as storage that the router could do without.
#[test]
fn every_register_matters_at_some_time_and_its_flip_is_caught_then() {
    let traffics = traffics();
    let registers = Storage::of(&router().node::<bool>()).total;
    let bit_times = router().bit_times().value;
    for number in 0..registers {
        // Node 0 is where messages wait first; what node 7, of the upper half, tells the lower half of
        // its totals is not used, but its offset is.
        let is_caught = [0, 7].into_iter().any(|node| {
            (0..bit_times).any(|when| {
                traffics
                    .iter()
                    .any(|traffic| flip_is_caught(traffic, node, number, when))
            })
        });
        assert!(is_caught, "no flip of register bit {number} was caught");
    }
}

#[test]
fn a_lost_message_is_noticed_in_the_bit_time_in_which_it_is_lost() {
    let traffic = traffic(K, PAYLOAD_BITS, &[(0, 7), (5, 5), (6, 1)], 1);
    let mut fabric = loaded::<_, u64>(router(), &traffic);
    // Node 5 forgets its message before the run begins.
    let (group, place) = fabric.node_mut(5);
    let mut is_first = true;
    Registers::<u64>::visit_mut(group, &mut |valid| {
        if std::mem::take(&mut is_first) {
            valid.set(place, false);
        }
    });
    let measurement = simulation::run(&mut fabric, 3, |_| Ok::<(), ()>(())).unwrap();
    assert_eq!(
        measurement.not_conserved.as_deref(),
        Some("after bit time 0 12 message bits are live in place of 18")
    );
    assert!(is_caught(&fabric, &traffic));
}
