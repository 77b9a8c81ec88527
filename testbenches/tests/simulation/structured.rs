//! Routers of permutations (on each schedule) and packing on routings with structure, all meters on: what random traffic
//! hides.

use crate::common::metered::delivers_on;
use crate::common::structured::{Family, part_of, structured_set};
use crate::common::{cube, device, generator, on_each_schedule, served, traffic};
use rtl_model::machine::device::Device;
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
    #[ignore = "long: more of each family, mostly in large cubes"]
    more_drawn_from_each_family,
);

/// The named patterns, and with them `bitrev` at every odd number of dimensions.
fn every_pattern_full_and_in_part(schedule: Schedule) {
    let mut random = generator(3);
    for k in 1..=11 {
        let senders: Vec<usize> = (0..1 << k).collect();
        for payload_bits in payload_bits(k) {
            let router = device(schedule, k, payload_bits);
            let mut machine = router.build(1).unwrap();
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
                    let traffic = traffic(k, payload_bits, &pairs, 1);
                    delivers_on(&mut *machine, &*router, &traffic);
                }
            }
        }
    }
}

fn drawn_from_each_family_full_and_in_part(schedule: Schedule) {
    drawn_from_each_family(schedule, [4, 8, 16, 16, 16, 16, 12, 6, 3, 2, 1]);
}

fn more_drawn_from_each_family(schedule: Schedule) {
    drawn_from_each_family(schedule, [4, 8, 16, 16, 16, 24, 24, 12, 12, 8, 8]);
}

/// So many in cubes of one dimension, of two, and so on, with each payload.
fn drawn_from_each_family(schedule: Schedule, amounts: [usize; 11]) {
    let mut random = generator(4);
    for (k, amount) in (1..).zip(amounts) {
        for payload_bits in payload_bits(k) {
            let router = device(schedule, k, payload_bits);
            let mut machine = router.build(1).unwrap();
            for family in Family::ALL {
                for _ in 0..amount {
                    let pairs = family.drawn(k, &mut random);
                    for pairs in [part_of(k, &pairs, &mut random), pairs] {
                        let pairs = served(schedule, k, &pairs);
                        let traffic = traffic(k, payload_bits, &pairs, 1);
                        delivers_on(&mut *machine, &*router, &traffic);
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
            let mut machine = router.build(1).unwrap();
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
                    delivers_on(&mut *machine, &router, &traffic);
                }
            }
        }
    }
}
