//! Payloads as they are drawn: one after the other, or from any message on.

use bitvec::vec::BitVec;
use rand::RngCore;
use rand_chacha::ChaCha8Rng;

use crate::traffic::{Payloads, Purpose, generator};

/// Random bits for messages, each of which has a number of `k` bits that no other has. If there are enough bits, the low `k`
/// tell these numbers apart (multiplied by an odd number, and shifted, modulo 2^k), so that no two payloads are alike.
pub(super) struct Drawing {
    random: ChaCha8Rng,
    /// Where in the random bits those of the first message begin, in words of 32.
    begins: u128,
    factor: u64,
    offset: u64,
    label_bits: usize,
    payload_bits: usize,
}

impl Drawing {
    /// Of payloads of so many bits.
    pub fn new(payload_bits: usize, k: usize, seed: u64) -> Self {
        let mut random = generator(seed, Purpose::Payloads);
        let (factor, offset) = (random.next_u64() | 1, random.next_u64());
        Drawing {
            begins: random.get_word_pos(),
            random,
            factor,
            offset,
            label_bits: if payload_bits >= k { k } else { 0 },
            payload_bits,
        }
    }

    /// Goes to the message that so many are before.
    pub fn go_to(&mut self, before: usize) {
        let random_bits = self.payload_bits - self.label_bits;
        if random_bits > 0 {
            let words = 2 * random_bits.div_ceil(64) as u128;
            self.random
                .set_word_pos(self.begins + words * before as u128);
        }
    }

    /// Draws for the next message, which has this number, and puts what it carries at a place of `payloads`.
    pub fn draw(&mut self, number: usize, payloads: &mut Payloads, index: usize) {
        if self.label_bits > 0 {
            // Beyond its `k` bits random ones are written over it.
            let label = (number as u64).wrapping_mul(self.factor);
            payloads.set_chunk(index, 0, label.wrapping_add(self.offset));
        }
        for from in (self.label_bits..self.payload_bits).step_by(64) {
            payloads.set_chunk(index, from, self.random.next_u64());
        }
    }
}

/// Random bits for `count` messages, which have these [numbers](Drawing).
pub(super) fn random_payloads(
    payload_bits: usize,
    k: usize,
    count: usize,
    numbers: impl Iterator<Item = usize>,
    seed: u64,
) -> Payloads {
    let mut drawing = Drawing::new(payload_bits, k, seed);
    let mut payloads = Payloads::zeros(payload_bits, count);
    for (index, number) in numbers.enumerate() {
        drawing.draw(number, &mut payloads, index);
    }
    payloads
}

/// So many random bits, of whatever generator.
pub(super) fn drawn_bits(random: &mut ChaCha8Rng, bits: usize) -> BitVec<u64> {
    let words = bits.div_ceil(64);
    let mut drawn = BitVec::from_vec((0..words).map(|_| random.next_u64()).collect());
    drawn.truncate(bits);
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_any_message_on_it_is_as_from_the_first() {
        for (payload_bits, k) in [(3, 5), (5, 5), (6, 5), (69, 5), (70, 5), (133, 5), (64, 65)] {
            let mut all = Payloads::zeros(payload_bits, 40);
            let mut drawing = Drawing::new(payload_bits, k, 8);
            (0..40).for_each(|index| drawing.draw(2 * index + 1, &mut all, index));
            let mut one = Payloads::zeros(payload_bits, 1);
            for index in (0..40).rev().chain([7, 7, 0, 39]) {
                drawing.go_to(index);
                drawing.draw(2 * index + 1, &mut one, 0);
                assert!(one.is_like(0, &all, index), "{payload_bits} bits, {index}");
            }
            drawing.go_to(20);
            for index in 20..25 {
                drawing.draw(2 * index + 1, &mut one, 0);
                assert!(one.is_like(0, &all, index), "{payload_bits} bits, {index}");
            }
        }
    }
}
