//! What could be done otherwise, and cannot.

use super::{Variant, cube, every_relation, holds, route};

/// What the first relation of four nodes breaks that a variant does not route.
fn caught(h: usize, variant: Variant) -> Option<String> {
    let mut first = None;
    every_relation(4, h, |messages| {
        if let Err(violation) = route(cube(2), h, messages, variant) {
            first.get_or_insert(violation.to_string());
        }
    });
    first
}

#[test]
fn each_mistake_is_caught() {
    let correct = Variant::CORRECT;
    assert_eq!(caught(2, correct), None);
    let from_0 = Variant {
        clears_nothing: false,
        ..correct
    };
    assert_eq!(caught(2, from_0), None);
    let cases = [
        (
            "subcubes of the first i bits only",
            Variant {
                further_fixed_bits: 0,
                ..correct
            },
            "iteration 1: a message for node 0 is at node 2",
        ),
        (
            "nodes numbered in place of messages",
            Variant {
                counts_messages: false,
                ..correct
            },
            "iteration 1, pass 0, after stage 0: numbers [2, 2] at node 0 are not 2^0 apart",
        ),
        (
            "each pass numbered from 0",
            Variant {
                goes_on: false,
                ..correct
            },
            "iteration 0, pass 1: more than 2 messages come to node 0",
        ),
        (
            "numbers that are not taken modulo the members",
            Variant {
                wraps: false,
                ..correct
            },
            "iteration 1, pass 0: node 0 is to send to node 4",
        ),
    ];
    for (mistake, variant, expected) in cases {
        let first = caught(2, variant);
        assert_eq!(first.as_deref(), Some(expected), "{mistake}");
    }
}

/// Where rows have two stages or more, their order matters.
#[test]
fn mistakes_in_the_order_of_dimensions_are_caught() {
    let correct = Variant::CORRECT;
    let cases = [
        (
            "packing from the most significant bit",
            Variant {
                packs_lsb_first: false,
                ..correct
            },
            3,
            &[(0, 0), (1, 2)][..],
            "iteration 0, pass 1, after stage 1: numbers [0, 1] at node 0 are not 2^1 apart",
        ),
        (
            "a descending scan",
            Variant {
                scan_follows_row: false,
                ..correct
            },
            4,
            &[(2, 5), (3, 3), (8, 7), (9, 13), (11, 9)],
            "iteration 0, pass 1, after stage 1: numbers [0, 4] at node 9 are not 2^1 apart",
        ),
    ];
    for (mistake, variant, k, pairs, expected) in cases {
        let named: Vec<_> = pairs.iter().map(|&(from, to)| (from, 1, to)).collect();
        let messages = super::listed(&named);
        holds(k, 2, &messages);
        let outcome = route(cube(k), 2, &messages, variant);
        assert_eq!(outcome.unwrap_err().to_string(), expected, "{mistake}");
    }
}
