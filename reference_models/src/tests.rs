//! The correct reading routes everything, and each mistake is caught.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use crate::kuszmaul::{self, Variant};
use crate::violation::Violation;
use crate::{enumeration, radix, sorting, spread};

mod sorts;

type After = Vec<Vec<Option<usize>>>;

pub(super) fn messages(pairs: &[(usize, usize)]) -> Vec<Message> {
    pairs
        .iter()
        .map(|&(source, destination)| Message {
            source,
            destination,
        })
        .collect()
}

fn route_pairs(k: usize, pairs: &[(usize, usize)], variant: Variant) -> Result<After, Violation> {
    let outcome = kuszmaul::route(Dimensions::new(k).unwrap(), &messages(pairs), variant)?;
    assert!(outcome.most_messages <= 2);
    Ok(outcome.after_iteration)
}

fn spread_pairs(
    k: usize,
    pairs: &[(usize, usize)],
    variant: spread::Variant,
) -> Result<After, Violation> {
    let outcome = spread::route(Dimensions::new(k).unwrap(), &messages(pairs), variant)?;
    assert!(outcome.most_messages <= 2);
    Ok(outcome.after_iteration)
}

fn sort_pairs(
    k: usize,
    pairs: &[(usize, usize)],
    variant: sorting::Variant,
) -> Result<After, Violation> {
    sorting::route(Dimensions::new(k).unwrap(), &messages(pairs), variant)
}

fn radix_pairs(
    k: usize,
    pairs: &[(usize, usize)],
    variant: radix::Variant,
) -> Result<After, Violation> {
    radix::route(Dimensions::new(k).unwrap(), &messages(pairs), variant)
}

/// Every partial injection of `nodes` nodes, as lists of (source, destination).
pub(super) fn injections(nodes: usize) -> Vec<Vec<(usize, usize)>> {
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for source in 0..nodes {
        for routing in all.clone() {
            for destination in 0..nodes {
                if routing.iter().all(|(_, taken)| *taken != destination) {
                    let mut extended = routing.clone();
                    extended.push((source, destination));
                    all.push(extended);
                }
            }
        }
    }
    all
}

#[test]
fn the_correct_readings_route_every_partial_injection() {
    for (k, amount) in [(1, 7), (2, 209)] {
        let all = injections(1 << k);
        assert_eq!(all.len(), amount);
        for routing in all {
            for after in [
                route_pairs(k, &routing, Variant::CORRECT),
                route_pairs(k, &routing, Variant::FOLDED),
                spread_pairs(k, &routing, spread::Variant::CORRECT),
                sort_pairs(k, &routing, sorting::Variant::CORRECT),
            ] {
                assert_arrived(&after.unwrap(), &routing, k);
            }
            // The radix sort closes the gaps in one pass more.
            let after = radix_pairs(k, &routing, radix::Variant::CORRECT);
            assert_arrived(&after.unwrap(), &routing, k + 1);
        }
    }
}

fn assert_arrived(after: &After, routing: &[(usize, usize)], iterations: usize) {
    assert_eq!(after.len(), iterations);
    for (index, (_, destination)) in routing.iter().enumerate() {
        assert_eq!(after[iterations - 1][*destination], Some(index));
    }
}

#[test]
fn each_mistake_of_the_text_is_caught() {
    let correct = Variant::CORRECT;
    // Odd nodes keep their messages; in the subcube of the even ones, places 0, 1, 2 (or 0, 2)
    // of four are empty.
    let places_0_1_2 = &[(6, 6), (1, 1), (3, 3), (5, 5), (7, 7)][..];
    let places_0_2 = &[(2, 2), (6, 6), (1, 1), (3, 3), (5, 5), (7, 7)][..];
    let cases = [
        (
            "subcubes of the first i bits only",
            Variant {
                further_fixed_bits: 0,
                ..correct
            },
            2,
            &[(0, 0), (1, 2)][..],
            "iteration 0: the message for node 2 is at node 1",
        ),
        (
            "a descending scan",
            Variant {
                scan_follows_row: false,
                ..correct
            },
            3,
            places_0_1_2,
            "iteration 0, step 5, stage 1: two messages stored at node 0",
        ),
        (
            "ranks from 1",
            Variant {
                first_rank: 1,
                ..correct
            },
            2,
            &[],
            "iteration 0, step 5: node 2 is to send to node 4",
        ),
        (
            "no stride",
            Variant {
                strided: false,
                ..correct
            },
            2,
            &[],
            "iteration 0, step 5, stage 1: two messages stored at node 0",
        ),
        (
            "packing from the most significant bit",
            Variant {
                packs_lsb_first: false,
                ..correct
            },
            3,
            places_0_2,
            "iteration 0, step 5, stage 1: two messages stored at node 0",
        ),
    ];
    for (mistake, variant, k, routing, caught) in cases {
        assert!(route_pairs(k, routing, correct).is_ok(), "{mistake}");
        assert_caught(mistake, route_pairs(k, routing, variant), caught);
    }
}

fn assert_caught(mistake: &str, routed: Result<After, Violation>, caught: &str) {
    match routed {
        Err(violation) => assert_eq!(violation.to_string(), caught, "{mistake}"),
        Ok(_) => panic!("{mistake} was not caught"),
    }
}

/// The order in which ranks are given has to be that in which a packing consumes them, whatever it is.
#[test]
fn mistakes_are_caught_on_folded_rows_too() {
    let folded = Variant::FOLDED;
    let cases = [
        (
            "a scan in another order",
            Variant {
                scan_follows_row: false,
                ..folded
            },
            &[][..],
            "iteration 0, step 5, stage 1: two messages stored at node 0",
        ),
        (
            "packing from the other end of the row",
            Variant {
                packs_lsb_first: false,
                ..folded
            },
            &[(4, 4)],
            "iteration 0, step 5, stage 1: two messages stored at node 0",
        ),
    ];
    for (mistake, variant, routing, caught) in cases {
        assert!(route_pairs(3, routing, folded).is_ok(), "{mistake}");
        assert_caught(mistake, route_pairs(3, routing, variant), caught);
    }
}

#[test]
fn each_mistake_in_spreading_is_caught() {
    let correct = spread::Variant::CORRECT;
    let cases = [
        (
            "subcubes of the first i bits only",
            spread::Variant {
                further_fixed_bits: 0,
                ..correct
            },
            2,
            &[(0, 1)][..],
            "iteration 0: the message for node 1 is at node 0",
        ),
        (
            "nodes numbered in place of messages",
            spread::Variant {
                counts_messages: false,
                ..correct
            },
            3,
            &[(0, 7), (1, 3), (6, 1)],
            "iteration 0, after stage 2: ranks [1, 1] at node 3 are not 2^2 apart",
        ),
        (
            "ranks from 1",
            spread::Variant {
                first_rank: 1,
                ..correct
            },
            2,
            &[(0, 0), (1, 2)],
            "iteration 0, packing: node 0 is to send to node 4",
        ),
        (
            "a descending scan",
            spread::Variant {
                scan_follows_row: false,
                ..correct
            },
            4,
            &[(2, 5), (3, 3), (8, 7), (9, 13), (11, 9)],
            "iteration 0, after stage 1: ranks [0, 4] at node 9 are not 2^1 apart",
        ),
        (
            "packing from the most significant bit",
            spread::Variant {
                packs_lsb_first: false,
                ..correct
            },
            3,
            &[(0, 0), (1, 2)],
            "iteration 0, stage 1: two messages at node 0 are to stay",
        ),
    ];
    for (mistake, variant, k, routing, caught) in cases {
        assert!(spread_pairs(k, routing, correct).is_ok(), "{mistake}");
        assert_caught(mistake, spread_pairs(k, routing, variant), caught);
    }
}

/// The recursion of Theorem 2 pairs neighbours, and its last rank needs the highest dimension there is.
#[test]
fn the_recursion_as_printed_leaves_the_cube() {
    for k in 1..=3usize {
        let nodes = 1 << k;
        for set in 0usize..1 << nodes {
            let members: Vec<bool> = (0..nodes).map(|node| set >> node & 1 == 1).collect();
            let before = |node: usize| members[..node].iter().filter(|member| **member).count();
            let expected: Vec<_> = (0..nodes)
                .map(|node| (before(node), before(nodes)))
                .collect();
            let cube = Dimensions::new(k).unwrap();
            assert_eq!(
                enumeration::ranks(cube, &members, enumeration::Partner::Below),
                Ok(expected)
            );
        }
    }
    let cube = Dimensions::new(2).unwrap();
    let printed = enumeration::ranks(cube, &[true; 4], enumeration::Partner::AsPrinted);
    assert_eq!(
        printed.unwrap_err().to_string(),
        "rank 2: node 0 is to add up its total with that of node 4"
    );
}
