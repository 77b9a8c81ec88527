//! Broadcasts reach every node once, in the steps of closed forms.

use rayon::prelude::*;

use super::broadcast::{Inner, Seen, Variant, arrival_steps, broadcast, broadcast_full};
use super::tree::Program;
use super::*;

const INNER: [Inner; 2] = [Inner::TwoRooted, Inner::Binomial];

/// The steps from one node of each subblock number, without those over the low bits: by `n`, from 1.
fn steps(inner: Inner) -> [u32; 4] {
    match inner {
        Inner::TwoRooted => [5, 12, 32, 76],
        Inner::Binomial => [5, 12, 28, 63],
    }
}

#[test]
fn steps_from_node_0() {
    let shapes = [
        (1, 1),
        (2, 1),
        (3, 1),
        (7, 1),
        (2, 2),
        (3, 2),
        (6, 2),
        (3, 3),
        (5, 3),
        (4, 4),
    ];
    shapes.into_par_iter().for_each(|(k, n)| {
        let shape = Shape { k, n };
        for inner in INNER {
            let arrivals = broadcast(shape, 0, Variant::correct(inner)).unwrap();
            let expected = (k - n) as u32 + steps(inner)[n - 1];
            assert_eq!(arrivals.last(), expected, "{shape:?} {inner:?}");
            assert_eq!(arrivals.sends, shape.nodes() as u64 - 1);
            assert_eq!(arrival_steps(k, n, 0, inner).unwrap(), arrivals.steps);
        }
    });
}

#[test]
fn every_source_sees_the_same() {
    for (k, n) in [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2)] {
        let shape = Shape { k, n };
        for inner in INNER {
            let from_0 = broadcast(shape, 0, Variant::correct(inner)).unwrap();
            (0..shape.nodes()).into_par_iter().for_each(|source| {
                let seen = Seen::from(shape, source);
                let arrivals = broadcast(shape, source, Variant::correct(inner)).unwrap();
                assert_eq!(arrivals.sends, shape.nodes() as u64 - 1);
                for node in 0..shape.nodes() {
                    assert_eq!(arrivals.steps[node], from_0.steps[seen.seen(node)]);
                }
            });
        }
    }
}

#[test]
fn what_a_source_sees_is_a_symmetry() {
    for (k, n) in [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2)] {
        let shape = Shape { k, n };
        let network = Network::Reduced(shape);
        (0..shape.nodes()).into_par_iter().for_each(|source| {
            let seen = Seen::from(shape, source);
            assert_eq!(seen.physical(0), source);
            for node in 0..shape.nodes() {
                assert_eq!(seen.seen(seen.physical(node)), node);
                for wire in 0..network.wires() {
                    let neighbour = network.neighbour(node, wire);
                    let physical = network.neighbour(seen.physical(node), wire);
                    assert_eq!(seen.physical(neighbour), physical);
                }
            }
        });
    }
}

#[test]
fn a_few_sources_of_larger_networks() {
    for (k, n, source) in [
        (3, 3, 0x5a5),
        (4, 3, 0xabc),
        (6, 2, 0x3ff),
        (4, 4, 0xf_1234),
    ] {
        let shape = Shape { k, n };
        for inner in INNER {
            let arrivals = broadcast(shape, source, Variant::correct(inner)).unwrap();
            assert_eq!(arrivals.last(), (k - n) as u32 + steps(inner)[n - 1]);
            assert_eq!(arrivals.steps[source], 0);
        }
    }
}

#[test]
fn the_full_hypercube_takes_a_step_for_each_dimension() {
    for dims in 1..=8 {
        for source in 0..1 << dims {
            let arrivals = broadcast_full(dims, source).unwrap();
            assert_eq!(arrivals.last(), dims as u32);
            assert_eq!(arrivals.sends, (1 << dims) - 1);
            for (node, step) in arrivals.steps.iter().enumerate() {
                assert_eq!(*step, (node ^ source).count_ones());
            }
        }
    }
}

#[test]
fn the_printed_tree_does_not_do() {
    for inner in INNER {
        let half = Variant {
            program: Program {
                moves_ports: true,
                ..Program::PRINTED
            },
            ..Variant::correct(inner)
        };
        let printed = Variant {
            program: Program::PRINTED,
            ..half
        };
        // Two dimensions are looked up.
        assert!(broadcast(Shape { k: 2, n: 1 }, 0, printed).is_ok());
        for (k, n) in [(2, 2), (3, 2), (3, 3)] {
            for variant in [printed, half] {
                assert!(
                    broadcast(Shape { k, n }, 0, variant).is_err(),
                    "RH({k}, {n})"
                );
            }
        }
    }
}

#[test]
fn what_a_wrong_tree_leads_to() {
    let found = |starts_from_virtual, moves_ports| {
        let program = Program {
            starts_from_virtual,
            moves_ports,
        };
        let variant = Variant {
            program,
            ..Variant::correct(Inner::TwoRooted)
        };
        broadcast(Shape { k: 2, n: 2 }, 0, variant).map(|it| it.last())
    };
    assert_eq!(found(true, true), Ok(12));
    assert_eq!(found(false, false), Err(Violation::Missing { node: 2 }));
    assert_eq!(found(true, false), Err(Violation::Missing { node: 4 }));
    let again = Violation::Again {
        step: 3,
        node: 2,
        from: 18,
    };
    assert_eq!(found(false, true), Err(again));
}

#[test]
fn the_dimensions_that_a_source_sees_must_be_exchanged() {
    let shape = Shape { k: 3, n: 2 };
    for source in 0..shape.nodes() {
        let variant = Variant {
            exchanges_dimensions: false,
            ..Variant::correct(Inner::TwoRooted)
        };
        let in_subblock_0 = shape.subblock(source) == 0;
        assert_eq!(broadcast(shape, source, variant).is_ok(), in_subblock_0);
    }
}

#[test]
fn broadcasts_that_there_are_not() {
    for (k, n) in [(1, 0), (1, 2), (5, 5), (9, 4), (25, 1)] {
        let found = arrival_steps(k, n, 0, Inner::TwoRooted);
        assert_eq!(found, Err(Violation::NoSuchShape { k, n }));
    }
    let found = arrival_steps(1, 1, 8, Inner::TwoRooted);
    assert_eq!(found, Err(Violation::NoSuchNode { node: 8, nodes: 8 }));
    for dims in [0, 25] {
        assert_eq!(broadcast_full(dims, 0), Err(Violation::Dims { dims }));
    }
}
