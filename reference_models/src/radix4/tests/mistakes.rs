//! Each mistake is caught, and by what it is.

use super::{route, split};
use crate::radix4::Variant;

#[test]
fn each_mistake_in_packing_is_caught() {
    let correct = Variant::CORRECT;
    let cases = [
        (
            "ranks from 1",
            Variant {
                first_rank: 1,
                ..correct
            },
            &[][..],
            "group 0, after stage 0: the offset of node 0 is 1, with 0 messages of its class before it",
        ),
        (
            "packing from the most significant bit",
            Variant {
                packs_lsb_first: false,
                ..correct
            },
            &[(6, 4)],
            "group 0, after stage 1: item 0 at node 4 has rank 0, not 1",
        ),
        (
            "offsets stand still at empty nodes",
            Variant {
                runs_empty_nodes: false,
                ..correct
            },
            &[(6, 4)],
            "group 0, after stage 1: the offset of node 12 is 1, with 0 messages of its class before it",
        ),
        (
            "both neighbours go by the low one's offset, stage 1",
            Variant {
                crosses_by_own_offset: false,
                ..correct
            },
            &[(11, 10), (14, 14)],
            "group 0, after stage 1: node 10 counts 1 messages and holds 2",
        ),
        (
            "both neighbours go by the low one's offset, last stage",
            Variant {
                crosses_by_own_offset: false,
                ..correct
            },
            &[(5, 7), (6, 11), (12, 3)],
            "group 0: the message of rank 2 ends at node 3",
        ),
        (
            "counts halved without a carry",
            Variant {
                carries_into_count: false,
                ..correct
            },
            &[(6, 4)],
            "group 0, after stage 1: node 0 counts 0 messages and holds 1",
        ),
        (
            "the low part halved without a carry",
            Variant {
                carries_into_part: false,
                ..correct
            },
            &[(6, 4)],
            "group 0, stage 2: node 0 counts 0 messages of the low node and has 1",
        ),
        (
            "the high part first",
            Variant {
                low_part_first: false,
                ..correct
            },
            &[(10, 1), (13, 5), (14, 13)],
            "group 0, after stage 1: item 0 at node 9 has rank 2, not 0",
        ),
        (
            "lanes exchanged on the way",
            Variant {
                lanes_in_order: false,
                ..correct
            },
            &[(4, 14), (5, 2), (7, 6)],
            "group 0, after stage 1: item 0 at node 2 has rank 2, not 0",
        ),
    ];
    let composition = split(&[2], 2);
    for (mistake, variant, pairs, caught) in cases {
        assert!(route(4, pairs, &composition, correct).is_ok(), "{mistake}");
        match route(4, pairs, &composition, variant) {
            Err(violation) => assert_eq!(violation.to_string(), caught, "{mistake}"),
            Ok(_) => panic!("{mistake} was not caught"),
        }
    }
}

#[test]
fn each_mistake_in_sharing_out_dimensions_is_caught() {
    let cases = [
        (
            "five dimensions at the end",
            5,
            split(&[], 5),
            &[(0, 3), (5, 17), (6, 9), (7, 25), (28, 8)][..],
            "group 0, dimension 2: 3 messages cross from node 5, 2 at most can",
        ),
        (
            "a group of three: wires",
            6,
            split(&[3], 3),
            &[(0, 4), (1, 12), (2, 20)],
            "group 0, dimension 2: 3 messages cross from node 0, 2 at most can",
        ),
        (
            "a group of three: nodes",
            6,
            split(&[3], 3),
            &[(0, 0), (1, 8), (2, 16), (3, 24), (4, 32)],
            "group 0, dimension 2: 5 messages stored at node 0, room for 4",
        ),
        (
            "a dimension left out",
            4,
            split(&[2], 1),
            &[(0, 8)],
            "the message for node 8 ends at node 0",
        ),
        (
            "a dimension too many",
            4,
            split(&[2, 1], 2),
            &[],
            "5 dimensions are crossed, of 4",
        ),
    ];
    for (mistake, k, composition, pairs, caught) in cases {
        match route(k, pairs, &composition, Variant::CORRECT) {
            Err(violation) => assert_eq!(violation.to_string(), caught, "{mistake}"),
            Ok(_) => panic!("{mistake} was not caught"),
        }
    }
}
