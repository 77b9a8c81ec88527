//! Routers of permutations (on each schedule) and packing on routings with structure, all meters on: what random traffic
//! hides.

use crate::common::metered::delivers_with_meters_on;
use crate::common::structured::{Family, part_of, structured_set};
use crate::common::{cube, device, generator, on_each_schedule, served, traffic};
use rtl_model::routers::kuszmaul::packing::PackingRouter;
use rtl_model::traffic::pattern::Pattern;
use testbenches::lockstep::Schedule;

/// Payloads of one bit, of a few, of about an address, and of several.
fn payload_bits(k: usize) -> [usize; 4] {
    [1, 2, k, 3 * k + 1]
}

on_each_schedule!(
    every_pattern_full_and_in_part,
    drawn_from_each_family_full_and_in_part,
);

/// The named patterns, and with them `bitrev` at every odd number of dimensions.
fn every_pattern_full_and_in_part(schedule: Schedule) {
    let mut random = generator(3);
    for k in 1..=11 {
        let senders: Vec<usize> = (0..1 << k).collect();
        for payload_bits in payload_bits(k) {
            let router = device(schedule, k, payload_bits);
            for (_, pattern, _) in Pattern::PERMUTATIONS {
                let Ok(messages) = pattern.messages(cube(k), &senders, 5) else {
                    continue; // transpose at odd k
                };
                let pairs: Vec<_> = messages
                    .iter()
                    .map(|message| (message.source, message.destination))
                    .collect();
                for pairs in [part_of(k, &pairs, &mut random), pairs] {
                    let pairs = served(schedule, k, &pairs);
                    delivers_with_meters_on(&*router, &traffic(k, payload_bits, &pairs, 1));
                }
            }
        }
    }
}

fn drawn_from_each_family_full_and_in_part(schedule: Schedule) {
    let mut random = generator(4);
    for k in 1..=11 {
        let amount = [0, 4, 8, 16, 16, 16, 24, 24, 12, 12, 8, 8][k];
        for payload_bits in payload_bits(k) {
            let router = device(schedule, k, payload_bits);
            for family in Family::ALL {
                for _ in 0..amount {
                    let pairs = family.drawn(k, &mut random);
                    for pairs in [part_of(k, &pairs, &mut random), pairs] {
                        let pairs = served(schedule, k, &pairs);
                        delivers_with_meters_on(&*router, &traffic(k, payload_bits, &pairs, 1));
                    }
                }
            }
        }
    }
}

/// Sets packed to a place, moved along, and turned round.
#[test]
fn packing_of_structured_sets() {
    let mut random = generator(5);
    for k in 1..=11 {
        let nodes = 1usize << k;
        for payload_bits in payload_bits(k) {
            let router = PackingRouter::new(cube(k), payload_bits).unwrap();
            for _ in 0..12 {
                let set = structured_set(k, &mut random);
                let (room, last) = (nodes - set.len(), set.last().copied().unwrap_or_default());
                let shift = nodes - 1 - last;
                let to: [&dyn Fn(usize, usize) -> usize; 5] = [
                    &|rank, _| rank,
                    &|rank, _| rank + room,
                    &|_, source| source + shift,
                    &|rank, _| nodes - 1 - rank,
                    &|_, source| nodes - 1 - source,
                ];
                for destination in to {
                    let ranked = set.iter().enumerate();
                    let pairs: Vec<_> = ranked
                        .map(|(rank, &source)| (source, destination(rank, source)))
                        .collect();
                    let traffic = traffic(k, payload_bits, &pairs, 1);
                    traffic.check_semi_contraction().unwrap();
                    delivers_with_meters_on(&router, &traffic);
                }
            }
        }
    }
}
