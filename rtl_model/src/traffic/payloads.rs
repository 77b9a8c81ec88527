//! Bits of many messages, all equally many, without a gap between them.

use std::collections::HashSet;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;

/// So many bits for each of a number of messages, bit 0 the first to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payloads {
    bits: usize,
    count: usize,
    /// Bit `b` of message `n` is bit `n * bits + b` of these.
    words: Vec<u64>,
}

/// The lowest `width` of 64 bits.
#[inline]
fn mask(width: usize) -> u64 {
    match width {
        0 => 0,
        _ => u64::MAX >> (64 - width),
    }
}

impl Payloads {
    /// `count` times `bits` zeros.
    pub fn zeros(bits: usize, count: usize) -> Self {
        Payloads {
            bits,
            count,
            words: vec![0; (bits * count).div_ceil(64)],
        }
    }

    /// Bits of each.
    pub fn bits(&self) -> usize {
        self.bits
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// That of message `index`.
    pub fn at(&self, index: usize) -> &BitSlice<u64> {
        &BitSlice::from_slice(&self.words)[index * self.bits..][..self.bits]
    }

    /// That of message `index`, for replacing it.
    pub fn at_mut(&mut self, index: usize) -> &mut BitSlice<u64> {
        &mut BitSlice::from_slice_mut(&mut self.words)[index * self.bits..][..self.bits]
    }

    /// Bits `from ..` of message `index`, 64 of them or as many as there are.
    #[inline]
    pub fn chunk(&self, index: usize, from: usize) -> u64 {
        let width = (self.bits - from).min(64);
        let begin = index * self.bits + from;
        let (word, shift) = (begin / 64, begin % 64);
        let mut chunk = self.words[word] >> shift;
        if shift + width > 64 {
            chunk |= self.words[word + 1] << (64 - shift);
        }
        chunk & mask(width)
    }

    /// Replaces bits `from ..` of message `index`, 64 of them or as many as there are.
    #[inline]
    pub fn set_chunk(&mut self, index: usize, from: usize, chunk: u64) {
        let width = (self.bits - from).min(64);
        let begin = index * self.bits + from;
        let (word, shift) = (begin / 64, begin % 64);
        let (chunk, mask) = (chunk & mask(width), mask(width));
        self.words[word] = self.words[word] & !(mask << shift) | chunk << shift;
        if shift + width > 64 {
            let rest = 64 - shift;
            self.words[word + 1] = self.words[word + 1] & !(mask >> rest) | chunk >> rest;
        }
    }

    /// Whether message `index` has the same bits as message `other_index` of `other`.
    #[inline]
    pub fn is_like(&self, index: usize, other: &Payloads, other_index: usize) -> bool {
        self.bits == other.bits
            && (0..self.bits)
                .step_by(64)
                .all(|from| self.chunk(index, from) == other.chunk(other_index, from))
    }

    /// Whether no two are alike.
    pub fn are_distinct(&self) -> bool {
        /// Payloads of so many bits are marked off, longer ones looked up.
        const MARKED_OFF: usize = 28;
        let (bits, count) = (self.bits, self.count);
        if bits < 32 && count > 1 << bits {
            return false;
        }
        if bits <= MARKED_OFF {
            let mut seen = BitVec::<u64>::repeat(false, 1 << bits);
            return (0..count).all(|index| {
                let payload = self.chunk(index, 0) as usize;
                !seen.replace(payload, true)
            });
        }
        let mut seen = HashSet::with_capacity(count);
        (0..count).all(|index| seen.insert(self.at(index)))
    }

    /// Bytes that so many of so many bits take.
    pub fn bytes(bits: usize, count: usize) -> u64 {
        8 * (bits as u64 * count as u64).div_ceil(64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_the_bits_of_one_message_and_of_no_other() {
        for bits in [1, 7, 24, 63, 64, 65, 128, 200] {
            let count = 20;
            let mut payloads = Payloads::zeros(bits, count);
            let value = |index: usize, from: usize| {
                (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ from as u64
            };
            let mut expected = vec![BitVec::<u64>::repeat(false, bits); count];
            // Each is written twice, so that what was there has to go.
            for round in 0..2 {
                for index in (0..count).rev() {
                    for from in (0..bits).step_by(64) {
                        let chunk = value(index + round, from);
                        payloads.set_chunk(index, from, chunk);
                        for bit in from..bits.min(from + 64) {
                            expected[index].set(bit, chunk >> (bit - from) & 1 == 1);
                        }
                    }
                }
            }
            for (index, expected) in expected.iter().enumerate() {
                assert_eq!(payloads.at(index), expected);
                for from in (0..bits).step_by(64) {
                    let width = (bits - from).min(64);
                    assert_eq!(
                        payloads.chunk(index, from),
                        value(index + 1, from) & mask(width)
                    );
                }
            }
            assert_eq!(
                Payloads::bytes(bits, count),
                8 * payloads.words.len() as u64
            );
        }
    }

    #[test]
    fn two_are_alike_if_all_their_bits_are() {
        let mut payloads = Payloads::zeros(70, 3);
        let other = payloads.clone();
        assert!(payloads.is_like(0, &other, 2));
        for bit in [0, 63, 64, 69] {
            payloads.at_mut(1).set(bit, true);
            assert!(!payloads.is_like(1, &other, 1) && payloads.is_like(2, &other, 1));
            payloads.at_mut(1).set(bit, false);
        }
        assert!(!payloads.is_like(0, &Payloads::zeros(71, 3), 0));
    }
}
