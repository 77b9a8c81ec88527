//! Streams of random numbers, one for each purpose: what is drawn for one does not depend on whether another is.

use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What random numbers are drawn for: each purpose has its own stream, so that asking for another
/// load does not change the permutation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Purpose {
    /// A stream for each part of a relation: with the part's number above the lowest 8 bits.
    Pattern = 1,
    /// As those of [`Purpose::Pattern`].
    Senders = 2,
    Payloads = 3,
    /// A stream for each node: with the node's number above the lowest 8 bits.
    Injection = 4,
    /// Structured routings.
    Structure = 5,
    /// A stream for each message: with its number above the lowest 8 bits.
    Intermediate = 16,
    /// A stream for each node that asks, as those of [`Purpose::Injection`].
    Replies = 6,
}

/// The node, one of `nodes`, that message `number` draws from `seed` to go via.
pub(crate) fn intermediate(nodes: usize, number: usize, seed: u64) -> usize {
    let drawn = numbered_generator(seed, Purpose::Intermediate, number).next_u64();
    // Nodes differ in probability by less than 2^-64.
    ((u128::from(drawn) * nodes as u128) >> 64) as usize
}

pub(super) fn generator(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    numbered_generator(seed, purpose, 0)
}

/// The stream of that number for a purpose of which several are drawn; number 0 is that of [`generator`].
pub(super) fn numbered_generator(seed: u64, purpose: Purpose, number: usize) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream((number as u64) << 8 | purpose as u64);
    generator
}
