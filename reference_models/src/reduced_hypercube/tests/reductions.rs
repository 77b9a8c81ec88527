//! Reductions.

use super::operator::Operator;
use super::reduce::{Variant, reduce};
use super::*;

/// Says which words went into it, in which order.
type List = Vec<usize>;

/// One list for each node.
fn lists(nodes: usize) -> Vec<List> {
    (0..nodes).map(|node| vec![node]).collect()
}

fn joined(one: &List, other: &List) -> List {
    [one.as_slice(), other].concat()
}

#[test]
fn steps_and_order() {
    for (k, n) in [(1, 1), (2, 1), (3, 1), (2, 2), (3, 2), (5, 2), (3, 3)] {
        let shape = Shape { k, n };
        let words = lists(shape.nodes());
        let reduced = reduce(Network::Reduced(shape), &words, joined, Variant::Correct).unwrap();
        assert_eq!(reduced.steps, (k + (n + 1) * (1 << n)) as u64);
        assert!(reduced.result.into_iter().eq(0..shape.nodes()), "{shape:?}");
        // Every node but the lowest of its building block sends once, and then half of the building blocks
        // that are left send along each walk.
        let within = shape.nodes() - shape.blocks();
        let among = (0..1_usize << n).map(|bit| {
            let walk = 2 * bit.count_ones() as usize + 1;
            (shape.blocks() >> (bit + 1)) * walk
        });
        assert_eq!(reduced.sends, (within + among.sum::<usize>()) as u64);
    }
    for dims in 1..=10 {
        let full = Network::Full { dims };
        let reduced = reduce(full, &lists(1 << dims), joined, Variant::Correct).unwrap();
        assert_eq!(reduced.steps, dims as u64);
        assert_eq!(reduced.sends, (1 << dims) - 1);
        assert!(reduced.result.into_iter().eq(0..1 << dims));
    }
}

#[test]
fn every_operator() {
    let network = Network::Reduced(Shape { k: 3, n: 2 });
    let words: Vec<u64> = (0..128_u64).map(|node| node * node * 37 % 251).collect();
    for operator in Operator::ALL {
        let apply = |one: &u64, other: &u64| operator.apply(8, *one, *other);
        let expected = words
            .iter()
            .fold(operator.identity(8), |sum, it| apply(&sum, it));
        let reduced = reduce(network, &words, apply, Variant::Correct).unwrap();
        assert_eq!(reduced.result, expected, "{operator:?}");
    }
}

#[test]
fn the_bits_as_printed_leave_out_every_second_word() {
    let shape = |k, n| Network::Reduced(Shape { k, n });
    let full = Network::Full { dims: 4 };
    for network in [shape(1, 1), shape(3, 1), shape(2, 2), shape(3, 2), full] {
        let words = lists(network.nodes());
        let reduced = reduce(network, &words, joined, Variant::PrintedBits).unwrap();
        let even = (0..network.nodes()).step_by(2);
        assert!(reduced.result.into_iter().eq(even), "{network:?}");
    }
}

#[test]
fn the_other_order_serves_commutative_operators_only() {
    let network = Network::Reduced(Shape { k: 2, n: 1 });
    let words: Vec<u64> = (0..16_u64).map(|node| node * 5 % 16).collect();
    for operator in Operator::ALL {
        let apply = |one: &u64, other: &u64| operator.apply(4, *one, *other);
        let right = reduce(network, &words, apply, Variant::Correct).unwrap();
        let other = reduce(network, &words, apply, Variant::HigherFirst).unwrap();
        assert_eq!(right == other, operator != Operator::Carry, "{operator:?}");
    }
}

#[test]
fn reductions_that_there_are_not() {
    let network = Network::Reduced(Shape { k: 1, n: 1 });
    let found = reduce(network, &lists(7), joined, Variant::Correct);
    assert_eq!(
        found,
        Err(Violation::Entries {
            entries: 7,
            nodes: 8
        })
    );
    let network = Network::Reduced(Shape { k: 1, n: 2 });
    let found = reduce(network, &lists(64), joined, Variant::Correct);
    assert_eq!(found, Err(Violation::NoSuchShape { k: 1, n: 2 }));
}
