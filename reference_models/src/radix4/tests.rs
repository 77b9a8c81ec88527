//! The correct reading routes everything.

mod further;
mod mistakes;

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Message, senders};

use crate::radix4::{self, Composition, Outcome, Variant};
use crate::tests::{injections, messages};
use crate::violation::Violation;

fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

fn split(groups: &[usize], last: usize) -> Composition {
    Composition {
        groups: groups.to_vec(),
        last,
    }
}

/// Ways to share out `k` dimensions among groups of one and two, and an end of at most four.
fn splits(k: usize) -> Vec<Composition> {
    let mut all: Vec<_> = (k <= 4).then(|| split(&[], k)).into_iter().collect();
    for size in 1..=2.min(k.saturating_sub(1)) {
        for mut shorter in splits(k - size) {
            shorter.groups.insert(0, size);
            all.push(shorter);
        }
    }
    all
}

fn random_pairs(k: usize, random: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let mut sources: Vec<usize> = (0..1 << k).collect();
    let mut destinations = sources.clone();
    sources.shuffle(random);
    destinations.shuffle(random);
    let amount = random.random_range(0..=1 << k);
    sources.into_iter().zip(destinations).take(amount).collect()
}

fn route(
    k: usize,
    pairs: &[(usize, usize)],
    composition: &Composition,
    variant: Variant,
) -> Result<Outcome, Violation> {
    radix4::route(cube(k), &messages(pairs), composition, variant)
}

/// Every message arrives, on wires and at nodes that have room for what they carry and hold.
fn assert_routed(k: usize, messages: &[Message], composition: &Composition) -> Outcome {
    let outcome = radix4::route(cube(k), messages, composition, Variant::CORRECT)
        .unwrap_or_else(|violation| panic!("{violation}: {composition:?}, {messages:?}"));
    assert_eq!(outcome.after_group.len(), composition.groups.len() + 1);
    assert_eq!(outcome.crossing.len(), k);
    assert!(outcome.most_messages <= 4 && outcome.most_crossing() <= 2);
    let end = outcome.after_group.last().unwrap();
    let arrived = end.iter().flatten().count();
    assert_eq!(arrived, messages.len());
    for (index, message) in messages.iter().enumerate() {
        assert_eq!(end[message.destination], Some(index));
    }
    outcome
}

#[test]
fn dimensions_are_shared_out_as_in_the_hardware() {
    let cases = [
        (1, 0, split(&[], 1)),
        (4, 9, split(&[], 4)),
        (5, 1, split(&[2], 3)),
        (5, 2, split(&[1], 4)),
        (6, 0, split(&[2], 4)),
        (9, 1, split(&[2, 2, 2], 3)),
        (9, 2, split(&[2, 2, 1], 4)),
        (12, 7, split(&[2, 2, 2, 2], 4)),
    ];
    for (k, payload_bits, composition) in cases {
        assert_eq!(radix4::composition(k, payload_bits), composition);
    }
    for k in 1..=20 {
        for payload_bits in 0..4 {
            let composition = radix4::composition(k, payload_bits);
            let covered = composition.groups.iter().sum::<usize>() + composition.last;
            assert_eq!(covered, k);
        }
    }
}

#[test]
fn every_partial_injection_of_2_and_4_nodes() {
    for (k, amount) in [(1, 7), (2, 209)] {
        let all = injections(1 << k);
        assert_eq!(all.len(), amount);
        for composition in splits(k) {
            for pairs in &all {
                assert_routed(k, &messages(pairs), &composition);
            }
        }
    }
}

/// Calls `routing` with every partial injection of 8 nodes that begins with `chosen`; returns how many.
fn each_partial_injection_of_8(
    source: usize,
    taken: u8,
    chosen: &mut Vec<Message>,
    routing: &mut dyn FnMut(&[Message]),
) -> usize {
    if source == 8 {
        routing(chosen);
        return 1;
    }
    let mut amount = each_partial_injection_of_8(source + 1, taken, chosen, routing);
    for destination in (0..8).filter(|destination| taken >> destination & 1 == 0) {
        chosen.push(Message {
            source,
            destination,
        });
        let taken = taken | 1 << destination;
        amount += each_partial_injection_of_8(source + 1, taken, chosen, routing);
        chosen.pop();
    }
    amount
}

fn every_partial_injection_of_8_nodes(composition: &Composition) {
    let amount = each_partial_injection_of_8(0, 0, &mut Vec::new(), &mut |messages| {
        assert_routed(3, messages, composition);
    });
    assert_eq!(amount, 1_441_729);
}

#[test]
#[ignore = "long: a million routings, of which permutations and drawn ones are a sample"]
fn every_partial_injection_of_8_nodes_without_groups() {
    every_partial_injection_of_8_nodes(&split(&[], 3));
}

#[test]
#[ignore = "long: a million routings, of which permutations and drawn ones are a sample"]
fn every_partial_injection_of_8_nodes_after_a_group_of_one() {
    every_partial_injection_of_8_nodes(&split(&[1], 2));
}

#[test]
fn every_permutation_of_8_nodes_on_every_composition() {
    let compositions = splits(3);
    assert_eq!(compositions.len(), 4);
    let mut permutations = 0;
    each_partial_injection_of_8(0, 0, &mut Vec::new(), &mut |messages| {
        if messages.len() == 8 {
            for composition in &compositions {
                assert_routed(3, messages, composition);
            }
            permutations += 1;
        }
    });
    assert_eq!(permutations, 40_320);
}

#[test]
#[ignore = "long: a million routings, of which permutations and drawn ones are a sample"]
fn every_partial_injection_of_8_nodes_after_a_group_of_two() {
    every_partial_injection_of_8_nodes(&split(&[2], 1));
}

#[test]
fn random_partial_routings_on_every_composition() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for (k, amount) in [(3, 20_000), (4, 4000), (5, 400), (6, 100), (7, 25)] {
        for composition in splits(k) {
            for _ in 0..amount {
                let pairs = random_pairs(k, &mut random);
                assert_routed(k, &messages(&pairs), &composition);
            }
        }
    }
}

#[test]
fn random_partial_routings_as_in_the_hardware() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for (k, amount) in [(5, 4000), (6, 2000), (7, 500), (8, 250), (9, 100), (10, 50)] {
        for payload_bits in [1, 2] {
            let composition = radix4::composition(k, payload_bits);
            for _ in 0..amount {
                let pairs = random_pairs(k, &mut random);
                assert_routed(k, &messages(&pairs), &composition);
            }
        }
    }
}

#[test]
fn every_pattern_at_every_load() {
    for k in 1..=10 {
        for (_, pattern, _) in Pattern::PERMUTATIONS {
            for load in [0.1, 0.5, 0.9, 1.0] {
                let senders = senders(cube(k), load, 5).unwrap();
                let Ok(messages) = pattern.messages(cube(k), &senders, 5) else {
                    continue; // transpose at odd k
                };
                for payload_bits in [1, 2] {
                    assert_routed(k, &messages, &radix4::composition(k, payload_bits));
                }
            }
        }
    }
}

/// A quarter of the cube sends to the multiples of 4, which crowds every fourth node in the first group.
/// The same with all addresses rotated crowds the other dimensions.
#[test]
fn routings_that_crowd_as_many_nodes_as_they_can() {
    for k in 5..=10 {
        let rotated =
            |address: usize, by: usize| (address << by | address >> (k - by)) & ((1 << k) - 1);
        for by in 0..k {
            let pairs: Vec<_> = (0..1 << (k - 2))
                .map(|source| (rotated(source, by), rotated(4 * source, by)))
                .collect();
            let composition = radix4::composition(k, 1);
            let outcome = assert_routed(k, &messages(&pairs), &composition);
            if by == 0 {
                assert_eq!((outcome.most_messages, outcome.packing), (4, 2));
            }
            assert_routed(k, &messages(&pairs), &radix4::composition(k, 2));
        }
    }
}
