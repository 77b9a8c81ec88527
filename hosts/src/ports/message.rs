//! The message, cut into packets.

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A message of `M` bits in packets of `B`; the last one may be shorter, and is filled up with zeros on the wires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    bits: BitVec<u64>,
    packet_bits: usize,
}

impl Message {
    /// These bits, bit 0 being the first one on a wire.
    pub fn new(bits: BitVec<u64>, packet_bits: usize) -> Self {
        Message { bits, packet_bits }
    }

    /// Bits drawn from a seed.
    pub fn drawn(message_bits: usize, packet_bits: usize, seed: u64) -> Self {
        let mut drawn = ChaCha8Rng::seed_from_u64(seed);
        let words = (0..message_bits.div_ceil(64)).map(|_| drawn.next_u64());
        let mut bits = BitVec::from_vec(words.collect());
        bits.truncate(message_bits);
        Message { bits, packet_bits }
    }

    /// All bits.
    pub fn bits(&self) -> &BitSlice<u64> {
        &self.bits
    }

    /// Bits of a packet.
    pub fn packet_bits(&self) -> usize {
        self.packet_bits
    }

    /// How many packets.
    pub fn packets(&self) -> usize {
        self.bits.len().div_ceil(self.packet_bits)
    }

    /// Bit `index` of a packet: 0 where there is no such bit.
    pub fn bit(&self, packet: usize, index: usize) -> bool {
        let bit = packet * self.packet_bits + index;
        self.bits.get(bit).is_some_and(|bit| *bit)
    }

    /// 64 bits of the whole message, from bit `from` on: 0 where it is over.
    pub fn word_from(&self, from: usize) -> u64 {
        let bits = self.bits.get(from..).unwrap_or_default();
        let bits = bits.iter().by_vals().take(64).enumerate();
        bits.fold(0, |word, (place, bit)| word | u64::from(bit) << place)
    }

    /// Words of 64 bits that a packet takes.
    pub fn words_a_packet(&self) -> usize {
        self.packet_bits.div_ceil(64)
    }

    /// Word `word` of a packet, the first bit lowest.
    pub fn word(&self, packet: usize, word: usize) -> u64 {
        let bits = (64 * word..self.packet_bits.min(64 * word + 64)).enumerate();
        bits.fold(0, |all, (place, index)| {
            all | u64::from(self.bit(packet, index)) << place
        })
    }
}
