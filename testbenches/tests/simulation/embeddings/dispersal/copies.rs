//! From any node to any other, a path in each copy of cube-connected cycles.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use crate::embeddings::dispersal::machine::{Machine, drawn, number};

const PATTERNS: [&str; 8] = [
    "randperm",
    "bitrev",
    "bitcomp",
    "transpose",
    "shuffle",
    "tornado",
    "neighbor",
    "uniform",
];

/// Wires that fail from the beginning take the shares that cross them; later ones those of them that they change.
fn check(machine: &Machine, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let messages = drawn(machine.embedding.edges(), machine.message_bits, &mut random);
    let wires = machine.embedding.host().wires();
    for count in [0, 1, 2, wires / 8] {
        let cuts = machine.cuts(count, 0..1, &mut random);
        let hit = machine.hit(&cuts);
        let left = machine.run(folder.path(), &messages, &cuts, "");
        assert_eq!(
            left.lost,
            machine.beyond(&hit),
            "{} {cuts:?}",
            machine.arguments
        );
        assert_eq!(
            number(&left.report, "damaged_shares"),
            hit.iter().sum::<usize>()
        );
        assert_eq!(
            number(&left.report, "bit_times") as u64,
            machine.bit_times()
        );
    }
    let cuts = machine.cuts(wires / 8, 0..machine.bit_times(), &mut random);
    let left = machine.run(folder.path(), &messages, &cuts, "");
    assert!(left.lost.is_subset(&machine.beyond(&machine.hit(&cuts))));
}

#[test]
fn in_the_smallest_host_whatever_the_traffic_and_however_many_are_needed() {
    let patterns = PATTERNS.into_par_iter();
    // An address of three bits has no halves.
    let patterns = patterns.filter(|name| *name != "transpose");
    patterns.for_each(|traffic| {
        for needed in 1..=2 {
            for seed in 1..4 {
                let machine = Machine::over_copies(2, traffic, [needed, 11, seed]);
                check(&machine, seed as u64);
            }
        }
    });
}

#[test]
fn in_a_larger_host_as_well() {
    PATTERNS.into_par_iter().for_each(|traffic| {
        for needed in 1..=4 {
            check(&Machine::over_copies(4, traffic, [needed, 24, 5]), 5);
        }
    });
}
