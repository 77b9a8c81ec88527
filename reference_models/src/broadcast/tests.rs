//! Tests of the schedules, of the trees and of the judge.

use super::*;

mod buffers;
mod found;
mod mistakes;
mod shapes;
mod steps;

/// All algorithms.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::HamiltonianPath,
    Algorithm::BinomialTree,
    Algorithm::TwoRootedTree,
    Algorithm::MultipleTrees,
    Algorithm::Broadcast1,
    Algorithm::Broadcast2,
    Algorithm::Broadcast3A,
    Algorithm::Broadcast3B,
    Algorithm::Broadcast4,
];

/// Every algorithm with each port model that it is for.
fn kinds() -> Vec<(Algorithm, Ports)> {
    let mut kinds = Vec::new();
    for algorithm in ALGORITHMS {
        kinds.push((algorithm, Ports::All));
        if !needs_all_ports(algorithm) {
            kinds.extend([(algorithm, Ports::OneWay), (algorithm, Ports::TwoWay)]);
        }
    }
    kinds
}

/// Whether nodes send on several ports at once.
fn needs_all_ports(algorithm: Algorithm) -> bool {
    matches!(
        algorithm,
        Algorithm::Broadcast2
            | Algorithm::Broadcast3A
            | Algorithm::Broadcast3B
            | Algorithm::Broadcast4
    )
}

/// The most packets to try.
fn most_packets(algorithm: Algorithm, dims: usize) -> usize {
    match algorithm {
        Algorithm::Broadcast1 => 1,
        Algorithm::Broadcast2 | Algorithm::Broadcast3A | Algorithm::Broadcast3B => dims,
        _ => 3 * dims,
    }
}

/// All broadcasts of a cube from a source.
fn broadcasts(dims: usize, source: usize) -> Vec<Broadcast> {
    let mut broadcasts = Vec::new();
    for (algorithm, ports) in kinds() {
        for packets in 1..=most_packets(algorithm, dims) {
            broadcasts.push(Broadcast {
                algorithm,
                ports,
                dims,
                source,
                packets,
            });
        }
    }
    broadcasts
}
