//! What wider wires would allow, and what counts tell that is known already.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{cube, random_pairs, route, split};
use crate::radix4::{self, Variant};
use crate::tests::messages;

const FOUR_LANES: Variant = Variant {
    lanes: 4,
    ..Variant::CORRECT
};

/// As many messages as can be: from all sources whose messages can be at node 0 by then, to as many
/// destinations beyond this dimension as there are.
fn crowding_the_wire(k: usize, dimension: usize) -> Vec<(usize, usize)> {
    (0..1 << dimension)
        .zip(0..1 << (k - 1 - dimension))
        .map(|(source, upper)| (source, (2 * upper + 1) << dimension))
        .collect()
}

/// min(2^a, 2^(last-1-a)) messages cross dimension `a` of an end.
#[test]
fn ends_of_up_to_six_dimensions_load_each_wire_with_its_bound() {
    let cases: [&[usize]; 6] = [
        &[1],
        &[1, 1],
        &[1, 2, 1],
        &[1, 2, 2, 1],
        &[1, 2, 4, 2, 1],
        &[1, 2, 4, 4, 2, 1],
    ];
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for (k, bounds) in (1..).zip(cases) {
        for (dimension, bound) in bounds.iter().enumerate() {
            let pairs = crowding_the_wire(k, dimension);
            let outcome = route(k, &pairs, &split(&[], k), FOUR_LANES).unwrap();
            assert_eq!(outcome.crossing[dimension], *bound);
        }
        for _ in 0..2000 {
            let pairs = random_pairs(k, &mut random);
            let outcome = route(k, &pairs, &split(&[], k), FOUR_LANES).unwrap();
            let within = outcome.crossing.iter().zip(bounds);
            assert!(within.clone().all(|(crossing, bound)| crossing <= bound));
        }
    }
}

/// Node 0 gets the messages of 8 nodes: 4 over the third wire. 4 of the 8 cross the next.
#[test]
fn groups_of_three_dimensions_need_four_lanes_and_room_for_eight() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for (groups, last) in [(&[3][..], 1), (&[3], 2), (&[3], 3), (&[3, 3], 2)] {
        let k = groups.iter().sum::<usize>() + last;
        for _ in 0..500 {
            let pairs = random_pairs(k, &mut random);
            route(k, &pairs, &split(groups, last), FOUR_LANES).unwrap();
        }
    }
    let crowded: Vec<_> = (0..8).map(|source| (source, 8 * source)).collect();
    let outcome = route(6, &crowded, &split(&[3], 3), FOUR_LANES).unwrap();
    assert_eq!((outcome.most_messages, outcome.packing), (8, 4));
    assert_eq!(outcome.crossing[..3], [1, 2, 4]);
}

/// How many messages of this residue class are among the first `ranks`, in classes of 2^`stage`.
fn of_class(ranks: isize, class: isize, stage: usize) -> isize {
    (ranks - class + (1 << stage) - 1) >> stage
}

/// After stage r, all counts and offsets in a block of 2^r nodes follow from two numbers that the scan of the
/// enumeration passes at its stage r: how many messages start in the block, and how many before it. So what
/// neighbours tell each other in a packing, they could work out from the enumeration.
#[test]
fn counts_and_offsets_follow_from_the_enumeration() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    for (k, groups, last) in [
        (5, &[2][..], 3),
        (6, &[2], 4),
        (7, &[2, 1], 4),
        (8, &[2, 2], 4),
    ] {
        for _ in 0..200 {
            let pairs = random_pairs(k, &mut random);
            let mut started = Vec::new();
            let mut seen = 0;
            radix4::route_observed(
                cube(k),
                &messages(&pairs),
                &split(groups, last),
                Variant::CORRECT,
                &mut |now| {
                    if now.stage == 0 {
                        started = now.n.to_vec();
                    }
                    for node in 0..1 << k {
                        let (subcube, place) = (node % (1 << now.fixed), node >> now.fixed);
                        let first = place >> now.stage << now.stage;
                        let count = |places: std::ops::Range<usize>| -> isize {
                            let nodes = places.map(|place| subcube + (place << now.fixed));
                            nodes.map(|node| started[node]).sum()
                        };
                        let before = count(0..first);
                        let block = count(first..first + (1 << now.stage));
                        let class = (place - first) as isize;
                        let q = of_class(before, class, now.stage);
                        let n = of_class(before + block, class, now.stage) - q;
                        assert_eq!((now.q[node], now.n[node]), (q, n));
                        assert!([0, 1].contains(&(n - (block >> now.stage))));
                    }
                    seen += 1;
                },
            )
            .unwrap();
            let mut free = k;
            let stages = groups.iter().map(|size| {
                free -= size;
                free + 1
            });
            assert_eq!(seen, stages.sum::<usize>());
        }
    }
}
