//! Tests of the schedules, of the trees and of the judge.

use super::*;

mod at_once;
mod buffers;
mod distribute_2;
mod errata;
mod every;
mod ho_johnsson;
mod mistakes;
mod padding;
mod stout_wagar;

/// Lengths that divide into whatever there is to be cut: multiples of all up to 6, of all powers of two up
/// to 64, and of 72.
const EVEN: [u64; 2] = [2880, 8640];

/// Start-ups to try.
const START_UPS: [u64; 3] = [0, 1, 100];

/// A collective with root 0 and all ports.
fn collective(algorithm: Algorithm, dims: usize, message_bits: u64, start_up: u64) -> Collective {
    Collective {
        algorithm,
        ports: Ports::All,
        dims,
        root: 0,
        message_bits,
        start_up,
    }
}

/// Its stages, bit times and peak.
fn ran(algorithm: &Algorithm, dims: usize, message_bits: u64, start_up: u64) -> (u64, u64, u64) {
    let outcome = collective(algorithm.clone(), dims, message_bits, start_up)
        .run()
        .unwrap();
    (
        outcome.stages as u64,
        outcome.judgement.bit_times,
        outcome.judgement.peak_forwarding_bits(),
    )
}

/// Every even length and start-up.
fn even() -> impl Iterator<Item = (u64, u64)> {
    EVEN.into_iter()
        .flat_map(|bits| START_UPS.map(|start_up| (bits, start_up)))
}

/// How many ways there are to choose `chosen` of `all`.
fn binomial(all: u64, chosen: u64) -> u64 {
    (0..chosen).fold(1, |ways, index| ways * (all - index) / (index + 1))
}

/// How many necklaces of two colours there are.
fn necklaces(beads: u64) -> u64 {
    let common = |shift: u64| {
        (1..=beads)
            .rev()
            .find(|it| beads.is_multiple_of(*it) && shift.is_multiple_of(*it))
    };
    let fixed = |shift| 1_u64 << common(shift).unwrap();
    (1..=beads).map(fixed).sum::<u64>() / beads
}

/// A permutation: every node to the next.
fn rotation(nodes: usize) -> Vec<usize> {
    (0..nodes).map(|node| (node + 1) % nodes).collect()
}
