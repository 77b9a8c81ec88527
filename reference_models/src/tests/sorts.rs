//! What a sort can do without, and what not.

use super::{assert_arrived, assert_caught, injections, radix_pairs, sort_pairs};
use crate::{radix, sorting};

#[test]
fn a_sort_alone_routes_full_permutations_and_nothing_else() {
    for k in 1..=2 {
        for routing in injections(1 << k) {
            let sorted = sort_pairs(k, &routing, sorting::Variant::SORT);
            // Ranks may be destinations by chance, where the lowest nodes are sent to.
            let lowest = (routing.iter()).all(|(_, destination)| *destination < routing.len());
            assert_eq!(sorted.is_ok(), lowest, "{routing:?}");
            if routing.len() == 1 << k {
                let sorted = radix_pairs(k, &routing, radix::Variant::SORT);
                assert_arrived(&sorted.unwrap(), &routing, k);
            }
        }
    }
}

#[test]
fn each_mistake_in_sorting_is_caught() {
    let correct = sorting::Variant::CORRECT;
    let turned_round = &[(0, 3), (1, 2), (2, 1), (3, 0)][..];
    let cases = [
        (
            "blocks all the same way round",
            sorting::Variant {
                alternates: false,
                ..correct
            },
            turned_round,
            "phase 1: what nodes 2 and 3 hold is not in order",
        ),
        (
            "phases from the lowest dimension",
            sorting::Variant {
                highest_dimension_first: false,
                ..correct
            },
            &[(0, 0), (1, 3), (2, 1), (3, 2)],
            "phase 2: what nodes 1 and 2 hold is not in order",
        ),
        (
            "empty nodes first",
            sorting::Variant {
                empties_last: false,
                ..correct
            },
            &[(0, 3)],
            "phase 1: what nodes 0 and 1 hold is not in order",
        ),
        (
            "no unpacking",
            sorting::Variant::SORT,
            &[(0, 3)],
            "iteration 1, sort: a message for node 3 ends at node 0",
        ),
        (
            "unpacking from the least significant bit",
            sorting::Variant {
                unpacks_msb_first: false,
                ..correct
            },
            &[(0, 1), (1, 3)],
            "iteration 1, unpacking, stage 1: two messages stored at node 1",
        ),
    ];
    for (mistake, variant, routing, caught) in cases {
        assert!(sort_pairs(2, routing, correct).is_ok(), "{mistake}");
        assert_caught(mistake, sort_pairs(2, routing, variant), caught);
    }
}

#[test]
fn each_mistake_in_a_radix_sort_is_caught() {
    let correct = radix::Variant::CORRECT;
    let cases = [
        (
            "destination bits as keys",
            radix::Variant {
                reflected: false,
                ..correct
            },
            &[(0, 2), (1, 3)][..],
            "pass 1: the message at node 3 is behind one for a higher node",
        ),
        (
            "ones behind zeros",
            radix::Variant {
                turns_round: false,
                ..correct
            },
            &[(0, 2), (1, 3)],
            "pass 1: the message at node 1 is behind one for a higher node",
        ),
        (
            "empty nodes left out",
            radix::Variant {
                counts_empties: false,
                ..correct
            },
            &[(0, 0), (1, 1), (2, 2)],
            "iteration 1, packing, stage 1: two messages stored at node 3",
        ),
        (
            "gaps left open",
            radix::Variant {
                compacts: false,
                ..correct
            },
            &[(0, 3), (2, 2)],
            "iteration 1, unpacking, stage 1: two messages stored at node 3",
        ),
        (
            "no unpacking",
            radix::Variant::SORT,
            &[(0, 1)],
            "iteration 1, sort: a message for node 1 ends at node 0",
        ),
        (
            "packing from the most significant bit",
            radix::Variant {
                packs_lsb_first: false,
                ..correct
            },
            &[(0, 0), (1, 2)],
            "iteration 2, unpacking, stage 1: two messages stored at node 0",
        ),
    ];
    for (mistake, variant, routing, caught) in cases {
        assert!(radix_pairs(2, routing, correct).is_ok(), "{mistake}");
        assert_caught(mistake, radix_pairs(2, routing, variant), caught);
    }
}
