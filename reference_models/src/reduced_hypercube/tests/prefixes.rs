//! Prefixes.

use super::operator::Operator;
use super::prefix::{Variant, prefix};
use super::*;

/// A half-open range of addresses. Two ranges make a range only if the second begins where the first ends.
type Range = Option<(usize, usize)>;

fn ranges(nodes: usize) -> Vec<Range> {
    (0..nodes).map(|node| Some((node, node + 1))).collect()
}

/// Nothing is an empty range of any place, so that this is associative wherever the whole is a range.
fn joined(one: &Range, other: &Range) -> Range {
    match (*one, *other) {
        (None, range) | (range, None) => range,
        (Some((from, here)), Some((there, to))) if here == there => Some((from, to)),
        _ => Some((usize::MAX, 0)),
    }
}

/// Whether a variant makes all prefixes, and its steps.
fn run(network: Network, variant: Variant) -> (bool, u64) {
    let words = ranges(network.nodes());
    let prefixes = prefix(network, &words, &None, joined, variant).unwrap();
    let right =
        (prefixes.results.iter().enumerate()).all(|(node, range)| *range == Some((0, node + 1)));
    (right, prefixes.steps)
}

const RIGHT: [Variant; 3] = [Variant::Distribute, Variant::Exchange, Variant::InPlace];

const SHAPES: [(usize, usize); 8] = [
    (1, 1),
    (2, 1),
    (3, 1),
    (2, 2),
    (3, 2),
    (5, 2),
    (3, 3),
    (4, 3),
];

/// The closed forms.
fn steps(k: usize, n: usize, variant: Variant) -> usize {
    let subblocks = 1 << n;
    match variant {
        Variant::Distribute => 2 * k + subblocks * (n * subblocks + 2 * subblocks + n) / 2,
        Variant::Exchange => 2 * k + 3 * subblocks - 2,
        _ => k + 3 * subblocks - 2,
    }
}

#[test]
fn steps_and_order() {
    for (k, n) in SHAPES {
        for variant in RIGHT {
            let expected = steps(k, n, variant) as u64;
            let found = run(Network::Reduced(Shape { k, n }), variant);
            assert_eq!(found, (true, expected), "RH({k}, {n}): {variant:?}");
        }
    }
    for dims in 1..=10 {
        let found = run(Network::Full { dims }, Variant::Exchange);
        assert_eq!(found, (true, dims as u64));
    }
}

#[test]
fn the_closed_forms_in_numbers() {
    let all = |k, n| RIGHT.map(|variant| steps(k, n, variant));
    assert_eq!(all(3, 1), [13, 10, 7]);
    assert_eq!(all(2, 2), [40, 14, 12]);
    assert_eq!(all(3, 3), [178, 28, 25]);
}

#[test]
fn every_operator() {
    let network = Network::Reduced(Shape { k: 3, n: 2 });
    let words: Vec<u64> = (0..128_u64).map(|node| node * node * 37 % 251).collect();
    for operator in Operator::ALL {
        let apply = |one: &u64, other: &u64| operator.apply(8, *one, *other);
        let identity = operator.identity(8);
        let mut sum = identity;
        let mut expected = Vec::new();
        for word in &words {
            sum = apply(&sum, word);
            expected.push(sum);
        }
        for variant in RIGHT {
            let prefixes = prefix(network, &words, &identity, apply, variant).unwrap();
            assert_eq!(prefixes.results, expected, "{operator:?} {variant:?}");
        }
        // The printed order of operands is right for all operators but one.
        let printed = prefix(
            network,
            &words,
            &identity,
            apply,
            Variant::DistributePrinted,
        );
        let right = printed.unwrap().results == expected;
        assert_eq!(right, operator != Operator::Carry, "{operator:?}");
    }
}

#[test]
fn exchanged_operands_are_found() {
    let mistakes = [
        Variant::DistributePrinted,
        Variant::ExchangeSwapped,
        Variant::InPlaceSwapped,
    ];
    for (k, n) in SHAPES {
        for variant in mistakes {
            let (right, _) = run(Network::Reduced(Shape { k, n }), variant);
            assert!(!right, "RH({k}, {n}): {variant:?}");
        }
    }
    for dims in 1..=5 {
        let (right, _) = run(Network::Full { dims }, Variant::DistributePrinted);
        assert!(!right);
    }
}

#[test]
fn prefixes_that_there_are_not() {
    let found = prefix(
        Network::Full { dims: 3 },
        &ranges(9),
        &None,
        joined,
        Variant::InPlace,
    );
    let expected = Violation::Entries {
        entries: 9,
        nodes: 8,
    };
    assert_eq!(found, Err(expected));
}
