//! Routers of permutations (on each schedule) and packing in hardware on structured and random routings of cubes up to 4096 nodes.

use crate::common::beside::run_beside_reference;
use crate::common::{
    cube, generator, loaded, on_each_schedule, random_pairs_for, score, served, served_loads,
    traffic,
};
use reference_models::kuszmaul::{self as reference, Variant};
use rtl_model::routers::kuszmaul::packing;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Traffic, senders};
use testbenches::lockstep::Schedule;

on_each_schedule!(
    every_pattern_at_every_load_up_to_12_dimensions,
    routings_that_crowd_as_many_nodes_as_they_can,
    random_partial_routings_up_to_12_dimensions,
);

fn every_pattern_at_every_load_up_to_12_dimensions(schedule: Schedule) {
    for k in [1, 2, 3, 4, 5, 6, 7, 8, 10, 12] {
        for payload_bits in [1, 9] {
            let mut traffics = Vec::new();
            for (_, pattern, _) in Pattern::PERMUTATIONS {
                for load in served_loads(schedule, &[0.0, 0.1, 0.5, 0.9, 1.0]) {
                    let senders = senders(cube(k), load, 5).unwrap();
                    let Ok(messages) = pattern.messages(cube(k), &senders, 5) else {
                        continue; // transpose at odd k
                    };
                    traffics.push(Traffic::new(cube(k), payload_bits, messages, 5).unwrap());
                }
            }
            run_beside_reference(schedule, k, payload_bits, &traffics);
        }
    }
}

/// The lower half of the cube sends to the even nodes: in iteration 0 every even node of that half
/// keeps its message and receives another, as many as there can be. The same with all addresses
/// rotated crowds the other dimensions.
fn routings_that_crowd_as_many_nodes_as_they_can(schedule: Schedule) {
    for k in 2..=10 {
        let rotated =
            |address: usize, by: usize| (address << by | address >> (k - by)) & ((1 << k) - 1);
        let traffics: Vec<Traffic> = (0..k)
            .map(|by| {
                let pairs: Vec<_> = (0..1 << (k - 1))
                    .map(|source| (rotated(source, by), rotated(2 * source, by)))
                    .collect();
                if by == 0 {
                    let messages = traffic(k, k, &pairs, 2).messages().to_vec();
                    let crowded = reference::route(cube(k), &messages, Variant::CORRECT).unwrap();
                    assert_eq!(crowded.detours[0].len(), 1 << (k - 2));
                }
                traffic(k, k, &served(schedule, k, &pairs), 2)
            })
            .collect();
        run_beside_reference(schedule, k, k, &traffics);
        // A quarter of it sends to the multiples of four: after two dimensions four meet at each.
        let traffics: Vec<Traffic> = (0..k)
            .map(|by| {
                let pairs: Vec<_> = (0..(1 << k) / 4)
                    .map(|source| (rotated(source, by), rotated(4 * source, by)))
                    .collect();
                traffic(k, 2, &served(schedule, k, &pairs), 2)
            })
            .collect();
        run_beside_reference(schedule, k, 2, &traffics);
    }
}

fn random_partial_routings_up_to_12_dimensions(schedule: Schedule) {
    let mut random = generator(11);
    for (k, amount) in [
        (4, 400),
        (5, 200),
        (6, 100),
        (7, 50),
        (8, 30),
        (9, 20),
        (10, 10),
        (11, 5),
        (12, 3),
    ] {
        for payload_bits in [1, k, 3 * k + 1] {
            let traffics: Vec<Traffic> = (0..amount)
                .map(|seed| {
                    let pairs = random_pairs_for(schedule, k, &mut random);
                    traffic(k, payload_bits, &pairs, seed)
                })
                .collect();
            run_beside_reference(schedule, k, payload_bits, &traffics);
        }
    }
}

fn pack(k: usize, payload_bits: usize, traffic: &Traffic) {
    traffic.check_semi_contraction().unwrap();
    let device = packing::device(cube(k), payload_bits).unwrap();
    let mut machine = loaded(&*device, traffic);
    while !machine.is_done() {
        machine.tick().unwrap();
    }
    assert_eq!(machine.bit_time(), (2 * k + payload_bits - 1) as u64);
    assert_eq!(machine.bit_time(), device.bit_times().value);
    let score = score(&*machine, traffic);
    assert_eq!(score.first_fault, None);
    assert_eq!(score.delivered, traffic.messages().len());
}

/// Sets packed to either end, moved along, and turned round.
#[test]
fn semi_contractions_of_random_sets() {
    for k in 1..=12 {
        let nodes = 1usize << k;
        for load in [0.0, 0.1, 0.5, 0.9, 1.0] {
            let set = senders(cube(k), load, 7).unwrap();
            let last = set.len().saturating_sub(1);
            let to: [&dyn Fn(usize, usize) -> usize; 5] = [
                &|rank, _| rank,
                &|rank, _| nodes - 1 - rank,
                &|rank, _| rank + (nodes - 1 - last) / 2,
                &|_, source| source,
                &|_, source| nodes - 1 - source,
            ];
            for destination in to {
                let pairs: Vec<_> = set
                    .iter()
                    .enumerate()
                    .map(|(rank, &source)| (source, destination(rank, source)))
                    .collect();
                for payload_bits in [1, 6] {
                    pack(k, payload_bits, &traffic(k, payload_bits, &pairs, 1));
                }
            }
        }
    }
}
