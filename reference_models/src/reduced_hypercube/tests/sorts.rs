//! Sorts.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::sort::{Variant, sort};
use super::*;

/// The closed forms, for one key at each node.
fn steps(k: usize, n: usize, variant: Variant) -> usize {
    let subblocks = 1 << n;
    let within = k * (k + 1) / 2 + subblocks + subblocks * subblocks * (subblocks - 1);
    let compared = match variant {
        Variant::OneSort => subblocks * (subblocks + 1) / 2 + subblocks * (k - n),
        _ => subblocks * (subblocks + 1) / 2 * (1 + (k - n) * (k + n + 3) / 2),
    };
    within + subblocks * compared
}

/// Whether a variant sorts, and its steps.
fn run(network: Network, keys: &[u64], variant: Variant) -> (bool, u64) {
    let sorted = sort(network, keys, variant).unwrap();
    let mut expected = keys.to_vec();
    expected.sort_unstable();
    (sorted.keys == expected, sorted.steps)
}

/// All lists of zeros and ones.
fn zeros_and_ones(nodes: usize) -> impl ParallelIterator<Item = Vec<u64>> {
    (0..1_u64 << nodes)
        .into_par_iter()
        .map(move |number| (0..nodes).map(|bit| number >> bit & 1).collect())
}

#[test]
fn all_zeros_and_ones_and_so_all_keys() {
    for (k, n) in [(1, 1), (2, 1)] {
        let network = Network::Reduced(Shape { k, n });
        for variant in [Variant::OneSort, Variant::PairSorts] {
            let expected = (true, steps(k, n, variant) as u64);
            zeros_and_ones(network.nodes()).for_each(|keys| {
                assert_eq!(run(network, &keys, variant), expected, "{keys:?}");
            });
        }
    }
    for dims in 1..=4 {
        let network = Network::Full { dims };
        zeros_and_ones(1 << dims).for_each(|keys| {
            let expected = (true, (dims * (dims + 1) / 2) as u64);
            assert_eq!(run(network, &keys, Variant::OneSort), expected);
        });
    }
}

/// Keys, few of them different if `most` is small.
fn random_keys(random: &mut ChaCha8Rng, count: usize, most: u64) -> Vec<u64> {
    (0..count).map(|_| random.random_range(0..=most)).collect()
}

#[test]
fn several_keys_at_a_node() {
    let shapes = [(1, 1), (3, 1), (4, 1), (2, 2), (3, 2), (5, 2), (3, 3)];
    shapes.into_par_iter().for_each(|(k, n)| {
        let shape = Shape { k, n };
        let network = Network::Reduced(shape);
        let mut random = ChaCha8Rng::seed_from_u64(k as u64 + 10 * n as u64);
        for variant in [Variant::OneSort, Variant::PairSorts] {
            for size in 1..=3 {
                let expected = (true, (size * steps(k, n, variant)) as u64);
                for most in [1, 9, u64::MAX] {
                    let keys = random_keys(&mut random, size * shape.nodes(), most);
                    assert_eq!(run(network, &keys, variant), expected, "{shape:?}");
                }
                let down: Vec<u64> = (0..(size * shape.nodes()) as u64).rev().collect();
                assert_eq!(run(network, &down, variant), expected, "{shape:?}");
            }
        }
    });
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for dims in 1..=9 {
        for size in 1..=3 {
            let keys = random_keys(&mut random, size << dims, 99);
            let expected = (true, (size * dims * (dims + 1) / 2) as u64);
            assert_eq!(
                run(Network::Full { dims }, &keys, Variant::OneSort),
                expected
            );
        }
    }
}

#[test]
fn the_closed_forms_in_numbers() {
    let both = |k, n| [Variant::OneSort, Variant::PairSorts].map(|it| steps(k, n, it));
    assert_eq!(both(1, 1), [13, 13]);
    assert_eq!(both(3, 1), [26, 60]);
    assert_eq!(both(2, 2), [95, 95]);
    assert_eq!(both(3, 2), [114, 258]);
}

#[test]
fn pairs_sorted_upwards_do_not_sort() {
    let network = Network::Reduced(Shape { k: 1, n: 1 });
    let keys = [1, 1, 0, 0, 1, 0, 0, 0];
    for (variant, sorts) in [
        (Variant::OneSort, true),
        (Variant::PairSorts, true),
        (Variant::PairSortsUpwards, false),
    ] {
        assert_eq!(run(network, &keys, variant).0, sorts, "{variant:?}");
    }
}

/// How many of the lists of zeros and ones a variant does not sort.
fn unsorted(k: usize, n: usize, variant: Variant) -> usize {
    let network = Network::Reduced(Shape { k, n });
    let lists = zeros_and_ones(network.nodes());
    lists.filter(|keys| !run(network, keys, variant).0).count()
}

#[test]
fn one_sort_upwards_does_not_sort() {
    assert_ne!(unsorted(1, 1, Variant::OneSortUpwards), 0);
    for dims in 2..=4 {
        let network = Network::Full { dims };
        let lists = zeros_and_ones(1 << dims);
        let unsorted = lists.filter(|keys| !run(network, keys, Variant::OneSortUpwards).0);
        assert_ne!(unsorted.count(), 0);
    }
}

#[test]
fn the_printed_virtual_cubes_do_not_sort() {
    // Where k is n they are the right ones.
    assert_eq!(unsorted(1, 1, Variant::PairSortsPrinted), 0);
    for (k, n) in [(2, 1), (3, 1), (3, 2)] {
        let network = Network::Reduced(Shape { k, n });
        let keys: Vec<u64> = (0..network.nodes() as u64).rev().collect();
        assert!(!run(network, &keys, Variant::PairSortsPrinted).0);
    }
}

#[test]
fn blocks_must_gather_in_order() {
    let variant = Variant::OneSortGatheredBackwards;
    assert_eq!(unsorted(1, 1, variant), 0);
    let found = sort(Network::Reduced(Shape { k: 2, n: 2 }), &[0; 64], variant);
    let expected = Violation::NotHeld {
        step: 4,
        node: 2,
        block: 3,
    };
    assert_eq!(found, Err(expected));
}

#[test]
fn sorts_that_there_are_not() {
    let network = Network::Reduced(Shape { k: 1, n: 1 });
    for entries in [0, 7, 9] {
        let found = sort(network, &vec![0; entries], Variant::OneSort);
        assert_eq!(found, Err(Violation::Entries { entries, nodes: 8 }));
    }
}
