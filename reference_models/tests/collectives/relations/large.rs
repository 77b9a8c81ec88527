//! Random and structured relations of larger cubes.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::loads::relations;
use super::run::Beside;

#[test]
fn random_and_structured_relations_are_routed_as_the_model_says() {
    let cases: Vec<_> = (3..=7).flat_map(|k| (1..=4).map(move |h| (k, h))).collect();
    cases.into_par_iter().for_each(|(k, h)| {
        for (number, payload_bits) in [1, k + 2, 2 * k + 1].into_iter().enumerate() {
            let mut random = ChaCha8Rng::seed_from_u64((k * 100 + h * 10 + number) as u64);
            let mut beside = Beside::new(k, payload_bits, h);
            for (place, messages) in relations(k, h, &mut random).into_iter().enumerate() {
                beside.holds(messages, (place + number) % 4 == 0);
            }
        }
    });
}

#[test]
fn as_many_messages_as_nodes_can_have_are_routed_as_the_model_says() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for (k, h) in [(1, 16), (2, 16), (3, 16), (4, 11), (8, 2)] {
        let mut beside = Beside::new(k, 9, h);
        for messages in relations(k, h, &mut random) {
            beside.holds(messages, false);
        }
    }
}
