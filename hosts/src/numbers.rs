//! Numbers that are drawn from a seed, as their bits.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// So many doubles: thousandths between -1000 and 1000.
pub fn doubles(amount: usize, seed: u64) -> Vec<u64> {
    drawn(amount, seed, |drawn| {
        (thousandths(drawn) as f64 / 1000.0).to_bits()
    })
}

/// So many numbers of single precision: thousandths between -1000 and 1000.
pub fn singles(amount: usize, seed: u64) -> Vec<u64> {
    drawn(amount, seed, |drawn| {
        (thousandths(drawn) as f32 / 1000.0).to_bits().into()
    })
}

/// So many whole numbers of some bits, 1 to 64.
pub fn whole(amount: usize, bits: usize, seed: u64) -> Vec<u64> {
    drawn(amount, seed, |drawn| drawn >> (64 - bits))
}

fn thousandths(drawn: u64) -> i64 {
    (drawn % 2_000_001) as i64 - 1_000_000
}

fn drawn(amount: usize, seed: u64, number: impl Fn(u64) -> u64) -> Vec<u64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..amount).map(|_| number(random.next_u64())).collect()
}
