//! Demands of all small shapes, and of those that are hard to colour.

use std::collections::HashSet;

use proptest::prelude::*;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::*;

fn message(source: usize, destination: usize) -> Message {
    Message {
        source,
        destination,
    }
}

/// The most messages that an end has.
fn degree(messages: &[Message]) -> usize {
    let mut counts = FxHashMap::<End, usize>::default();
    for end in messages.iter().flat_map(ends) {
        *counts.entry(end).or_default() += 1;
    }
    counts.into_values().max().unwrap_or(0)
}

/// No two messages of one colour have an end in common, and the colours are those below the degree, all of them.
fn assert_proper(messages: &[Message]) {
    let colours = colours(messages);
    assert_eq!(colours.len(), messages.len());
    let mut seen = HashSet::new();
    for (message, &colour) in messages.iter().zip(&colours) {
        for end in ends(message) {
            assert!(seen.insert((end, colour)), "{messages:?}: {colours:?}");
        }
    }
    let used: HashSet<usize> = colours.into_iter().collect();
    assert_eq!(used, (0..degree(messages)).collect(), "{messages:?}");
}

/// The demand in which `(source, destination)` is there so many times.
fn demand(nodes: usize, times: impl Fn(usize, usize) -> usize) -> Vec<Message> {
    let pairs = (0..nodes).flat_map(|source| (0..nodes).map(move |end| message(source, end)));
    let messages = pairs.flat_map(|one| vec![one; times(one.source, one.destination)]);
    messages.collect()
}

fn shuffled(mut messages: Vec<Message>, seed: u64) -> Vec<Message> {
    messages.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    messages
}

/// The path of the schematic, without `s'` and beyond: the last message finds 1 free at its source and 0 at its
/// destination, and exchanges both messages of source 0.
#[test]
fn colours_are_exchanged_along_a_path() {
    let before = [message(0, 0), message(0, 1), message(1, 2)];
    assert_eq!(colours(&before), [0, 1, 0]);
    let after = [before[0], before[1], before[2], message(1, 1)];
    assert_eq!(colours(&after), [1, 0, 0, 1]);
    assert!(colours(&[]).is_empty());
}

#[test]
fn every_demand_of_two_and_three_nodes_with_up_to_three_messages_a_pair() {
    for nodes in [2_usize, 3] {
        for number in 0..4_usize.pow((nodes * nodes) as u32) {
            let times = |source, end| number >> (2 * (source * nodes + end)) & 3;
            let mut messages = demand(nodes, times);
            assert_proper(&messages);
            // By destination: another order, in which other paths are taken.
            messages.sort_by_key(|one| (one.destination, one.source));
            assert_proper(&messages);
        }
    }
}

#[test]
fn complete_demands_in_any_order() {
    for nodes in [1, 2, 5, 8, 16, 17] {
        for times in 1..=3 {
            let complete = demand(nodes, |_, _| times);
            assert_proper(&complete);
            for seed in 0..4 {
                assert_proper(&shuffled(complete.clone(), seed));
            }
        }
    }
}

#[test]
fn lopsided_demands() {
    let nodes = 24;
    for seed in 0..10 {
        for messages in [
            // All from one node, all to one node, both at once.
            demand(nodes, |source, _| usize::from(source == 3)),
            demand(nodes, |_, end| 2 * usize::from(end == 3)),
            demand(nodes, |source, end| usize::from(source == 3 || end == 3)),
            // A triangle, and multiplicities that grow.
            demand(nodes, |source, end| usize::from(source <= end)),
            demand(nodes, |source, end| source * end / 40),
            // Bands along the diagonal: paths as long as the machine.
            demand(nodes, |source, end| {
                usize::from((end + nodes - source) % nodes < 2)
            }),
            demand(nodes, |source, end| {
                3 * usize::from((end + nodes - source) % nodes < 3)
            }),
        ] {
            assert_proper(&shuffled(messages, seed));
        }
    }
}

/// As large as it is needed, and with paths: in order of source, and mixed.
#[test]
fn the_sixteen_permutations_of_4096_nodes_are_coloured() {
    let (nodes, h) = (1 << 12, 16);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut messages = Vec::new();
    for _ in 0..h {
        let mut ends: Vec<usize> = (0..nodes).collect();
        ends.shuffle(&mut random);
        messages.extend(
            ends.into_iter()
                .enumerate()
                .map(|(from, to)| message(from, to)),
        );
    }
    assert_proper(&shuffled(messages.clone(), 2));
    messages.sort_by_key(|one| one.source);
    assert_proper(&messages);
    let band = |source| (0..h).map(move |by| message(source, (source + by) % nodes));
    assert_proper(&shuffled((0..nodes).flat_map(band).collect(), 3));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_demand_in_any_order(
        pairs in (1_usize..12, 1_usize..12).prop_flat_map(|(sources, destinations)| {
            proptest::collection::vec((0..sources, 0..destinations), 0..120)
        }),
    ) {
        let messages = pairs.into_iter().map(|(from, to)| message(from, to));
        assert_proper(&messages.collect::<Vec<_>>());
    }
}
