//! Messages: drawn, and structured ones.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rtl_model::embedding::phase::Order;

use crate::embeddings::case::{Case, Hardware, all};
use crate::embeddings::phase::carries;

pub type Messages = Vec<Vec<bool>>;

pub fn drawn(edges: usize, bits: usize, seed: u64) -> Messages {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..edges)
        .map(|_| (0..bits).map(|_| random.random()).collect())
        .collect()
}

/// All ones, all zeros, one bit alone or missing, numbers in order and against it.
pub fn structured(edges: usize, bits: usize) -> Vec<Messages> {
    let messages = |of: &dyn Fn(usize, usize) -> bool| -> Messages {
        (0..edges)
            .map(|edge| (0..bits).map(|bit| of(edge, bit)).collect())
            .collect()
    };
    vec![
        messages(&|_, _| true),
        messages(&|_, _| false),
        messages(&|edge, bit| edge % bits == bit),
        messages(&|edge, bit| edge % bits != bit),
        messages(&|edge, bit| bit < 64 && edge >> bit & 1 == 1),
        messages(&|edge, bit| bit < 64 && (edges - 1 - edge) >> bit & 1 == 1),
        messages(&|edge, _| edge == 0),
        messages(&|edge, _| edge != edges / 2),
    ]
}

#[test]
fn structured_messages_come_as_they_were_sent() {
    for mut case in all(4, 7).into_iter().chain([Case::new("tree", 6, 5)]) {
        for order in Order::EACH {
            case.order = order;
            let hardware = Hardware::of(&case);
            for messages in structured(hardware.embedding.edges(), case.bits) {
                carries(&hardware, &messages);
            }
        }
    }
}
