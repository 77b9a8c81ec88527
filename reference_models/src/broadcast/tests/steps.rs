//! Every broadcast passes, in the steps of the papers.

use rayon::prelude::*;

use super::*;

/// The closed forms.
fn steps(broadcast: &Broadcast) -> usize {
    let (n, p) = (broadcast.dims, broadcast.packets);
    let nodes = 1 << n;
    match (broadcast.algorithm, broadcast.ports) {
        (Algorithm::Broadcast1 | Algorithm::Broadcast2 | Algorithm::Broadcast3B, _) => n,
        (Algorithm::Broadcast4, _) => n + p.div_ceil(n) - 1,
        _ if n == 1 => p,
        (Algorithm::Broadcast3A, _) => n + 1,
        (Algorithm::HamiltonianPath, Ports::OneWay) => 2 * p + nodes - 3,
        (Algorithm::HamiltonianPath, _) => p + nodes - 2,
        (Algorithm::BinomialTree | Algorithm::TwoRootedTree, Ports::All) => p + n - 1,
        (Algorithm::BinomialTree, _) => n * p,
        (Algorithm::TwoRootedTree, Ports::OneWay) if n > 2 => 3 * p + 2 * n - 5,
        (Algorithm::TwoRootedTree, _) => 2 * (p + n - 2),
        (Algorithm::MultipleTrees, Ports::OneWay) => 2 * p + n - 1,
        (Algorithm::MultipleTrees, Ports::TwoWay) => p + n,
        (Algorithm::MultipleTrees, Ports::All) => p.div_ceil(n) + n,
    }
}

/// What the second wave brings again. A packet crosses `nodes - 1` links in a whole wave: one of them in
/// the last stage, which the first wave leaves out, and `dims` in the one before it, which the second
/// leaves out too. Up to two dimensions the two waves together just cross every link once.
fn redundant(broadcast: &Broadcast) -> usize {
    let (n, p) = (broadcast.dims, broadcast.packets);
    let last = p - (p.div_ceil(n) - 1) * n;
    if n < 3 || !broadcast.repeats_packets() {
        return 0;
    }
    let links = (1 << n) - 1;
    let (first, second) = (links - 1, links - 1 - n);
    last * (first + second - links)
}

/// Runs all broadcasts of a cube.
fn run_all(dims: usize) {
    (0..1 << dims).into_par_iter().for_each(|source| {
        for broadcast in broadcasts(dims, source) {
            let outcome = match broadcast.run() {
                Ok(outcome) => outcome,
                Err(violation) => panic!("{broadcast:?}: {violation}"),
            };
            assert_eq!(outcome.steps, steps(&broadcast), "{broadcast:?}");
            let needed = broadcast.packets * (broadcast.nodes() - 1);
            assert_eq!(outcome.redundant, redundant(&broadcast), "{broadcast:?}");
            assert_eq!(outcome.sends, needed + outcome.redundant, "{broadcast:?}");
            assert!(broadcast.sends().is_sorted_by_key(|send| send.step));
        }
    });
}

#[test]
fn one_dimension() {
    run_all(1);
}

#[test]
fn two_dimensions() {
    run_all(2);
}

#[test]
fn three_dimensions() {
    run_all(3);
}

#[test]
fn four_dimensions() {
    run_all(4);
}

#[test]
fn five_dimensions() {
    run_all(5);
}

#[test]
fn broadcast_2_needs_all_ports() {
    let broadcast = Broadcast {
        algorithm: Algorithm::Broadcast2,
        ports: Ports::TwoWay,
        dims: 3,
        source: 5,
        packets: 3,
    };
    let violation = broadcast.run().unwrap_err();
    assert_eq!(
        violation,
        Violation::TooManyPorts {
            step: 0,
            node: 5,
            ports: Ports::TwoWay,
            sends_on: vec![0, 1, 2],
            receives_on: vec![],
        }
    );
}
