//! Many nodes in one machine word: bit `n` of lane group `g` is node `g * NODES + n`.
//!
//! All routers of a machine are the same circuit, so one `&` on a [`u64`] is 64 and-gates, one in
//! each of 64 nodes. [`Words`] puts several words side by side: the registers of a group then fill
//! whole cache lines. A wire across dimension `d` leads to another group when `d` is at least
//! [`Lanes::LOG2_NODES`]; below that it leads to another place in the same group, which
//! [`Lanes::across`] reaches by shuffling.
//!
//! A cube smaller than a group leaves room for more cubes beside it: nobody wires them together, so
//! they run as independent machines.

use std::ops::{BitAnd, BitOr, BitXor, Not};

use crate::language::bit::Bit;

/// A [`Bit`] of several nodes at once.
pub trait Lanes: Bit<Strobe = bool> {
    /// log2 of the nodes in one group.
    const LOG2_NODES: usize;
    /// Nodes in one group.
    const NODES: usize = 1 << Self::LOG2_NODES;
    /// The 64-bit words that a group is reported in (see [`Lanes::word`]).
    const WORDS: usize;

    /// The bit of node `node` of this group.
    fn get(&self, node: usize) -> bool;

    /// Sets the bit of node `node` of this group.
    fn set(&mut self, node: usize, value: bool);

    /// Nodes `64 * index ..` of this group, least significant bit first; fewer than 64 nodes leave
    /// the upper bits 0.
    fn word(&self, index: usize) -> u64;

    /// Sets them.
    fn set_word(&mut self, index: usize, word: u64);

    /// How many nodes of this group have a 1.
    #[inline(always)]
    fn ones(&self) -> u64 {
        // A loop, since a sum is not always inlined.
        let mut ones = 0;
        for index in 0..Self::WORDS {
            ones += u64::from(self.word(index).count_ones());
        }
        ones
    }

    /// What each node of the group receives when every node of it sends `self` across `dimension`,
    /// for `dimension < LOG2_NODES`.
    fn across(self, dimension: usize) -> Self;

    /// Bit `dimension` of each node's place in the group, for `dimension < LOG2_NODES`.
    fn place_bit(dimension: usize) -> Self;
}

impl Lanes for bool {
    const LOG2_NODES: usize = 0;
    const WORDS: usize = 1;

    fn get(&self, _node: usize) -> bool {
        *self
    }

    fn set(&mut self, _node: usize, value: bool) {
        *self = value;
    }

    fn word(&self, _index: usize) -> u64 {
        u64::from(*self)
    }

    fn set_word(&mut self, _index: usize, word: u64) {
        *self = word & 1 == 1;
    }

    fn across(self, _dimension: usize) -> Self {
        self
    }

    fn place_bit(_dimension: usize) -> Self {
        false
    }
}

/// The places of a 64-bit word whose bit `dimension` is 1.
pub(crate) const PLACE: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

#[inline]
fn swap_within_word(word: u64, dimension: usize) -> u64 {
    let distance = 1 << dimension;
    ((word & PLACE[dimension]) >> distance) | ((word & !PLACE[dimension]) << distance)
}

/// 64 nodes.
impl Bit for u64 {
    type Strobe = bool;

    const ZERO: Self = 0;
    const ONE: Self = !0;

    #[inline]
    fn from_strobe(strobe: bool) -> Self {
        u64::from(strobe).wrapping_neg()
    }

    #[inline]
    fn is_known_zero(self) -> bool {
        self == 0
    }
}

impl Lanes for u64 {
    const LOG2_NODES: usize = 6;
    const WORDS: usize = 1;

    #[inline]
    fn get(&self, node: usize) -> bool {
        self >> node & 1 == 1
    }

    #[inline]
    fn set(&mut self, node: usize, value: bool) {
        *self = *self & !(1 << node) | u64::from(value) << node;
    }

    #[inline]
    fn word(&self, _index: usize) -> u64 {
        *self
    }

    #[inline]
    fn set_word(&mut self, _index: usize, word: u64) {
        *self = word;
    }

    #[inline]
    fn across(self, dimension: usize) -> Self {
        swap_within_word(self, dimension)
    }

    #[inline]
    fn place_bit(dimension: usize) -> Self {
        PLACE[dimension]
    }
}

/// As [`std::array::from_fn`], which is not always inlined.
#[inline(always)]
pub(crate) fn words<const W: usize>(word: impl Fn(usize) -> u64) -> [u64; W] {
    let mut words = [0; W];
    for (index, to) in words.iter_mut().enumerate() {
        *to = word(index);
    }
    words
}

/// `64 * W` nodes, `W` a power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub struct Words<const W: usize>([u64; W]);

impl<const W: usize> Words<W> {
    #[inline]
    const fn of(words: [u64; W]) -> Self {
        Words(words)
    }

    #[inline(always)]
    fn each(self, other: Self, gate: impl Fn(u64, u64) -> u64) -> Self {
        Self::of(words(|index| gate(self.0[index], other.0[index])))
    }
}

impl<const W: usize> BitAnd for Words<W> {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for Words<W> {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        self.each(other, |a, b| a | b)
    }
}

impl<const W: usize> BitXor for Words<W> {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        self.each(other, |a, b| a ^ b)
    }
}

impl<const W: usize> Not for Words<W> {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self::of(words(|index| !self.0[index]))
    }
}

impl<const W: usize> Bit for Words<W> {
    type Strobe = bool;

    const ZERO: Self = Self::of([0; W]);
    const ONE: Self = Self::of([!0; W]);

    #[inline]
    fn from_strobe(strobe: bool) -> Self {
        Self::of([u64::from_strobe(strobe); W])
    }

    #[inline]
    fn is_known_zero(self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }
}

impl<const W: usize> Lanes for Words<W> {
    const LOG2_NODES: usize = {
        assert!(W.is_power_of_two());
        6 + W.ilog2() as usize
    };
    const WORDS: usize = W;

    #[inline]
    fn get(&self, node: usize) -> bool {
        self.0[node / 64].get(node % 64)
    }

    #[inline]
    fn set(&mut self, node: usize, value: bool) {
        self.0[node / 64].set(node % 64, value);
    }

    #[inline]
    fn word(&self, index: usize) -> u64 {
        self.0[index]
    }

    #[inline]
    fn set_word(&mut self, index: usize, word: u64) {
        self.0[index] = word;
    }

    #[inline]
    fn across(self, dimension: usize) -> Self {
        let swapped = |distance| Self::of(words(|index| self.0[(index ^ distance) % W]));
        // With each distance written out, its shuffle is known when it is translated.
        match dimension {
            0..6 => Self::of(words(|index| swap_within_word(self.0[index], dimension))),
            6 => swapped(1),
            7 => swapped(2),
            8 => swapped(4),
            _ => swapped(1 << (dimension - 6)),
        }
    }

    #[inline]
    fn place_bit(dimension: usize) -> Self {
        if dimension < 6 {
            Self::of([PLACE[dimension]; W])
        } else {
            Self::of(words(|index| {
                u64::from_strobe(index >> (dimension - 6) & 1 == 1)
            }))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each_place_reaches_its_neighbour<B: Lanes>() {
        for dimension in 0..B::LOG2_NODES {
            for node in 0..B::NODES {
                let mut sent = B::ZERO;
                sent.set(node, true);
                let received = sent.across(dimension);
                for other in 0..B::NODES {
                    assert_eq!(received.get(other), other == node ^ 1 << dimension);
                }
                assert_eq!(
                    B::place_bit(dimension).get(node),
                    node >> dimension & 1 == 1
                );
            }
        }
    }

    #[test]
    fn wires_within_a_group_join_neighbours() {
        each_place_reaches_its_neighbour::<bool>();
        each_place_reaches_its_neighbour::<u64>();
        each_place_reaches_its_neighbour::<Words<2>>();
        each_place_reaches_its_neighbour::<Words<8>>();
    }

    #[test]
    fn words_list_the_nodes_in_order() {
        let mut bits = Words::<8>::ZERO;
        bits.set(0, true);
        bits.set(65, true);
        bits.set(511, true);
        assert_eq!(
            (0..8).map(|index| bits.word(index)).collect::<Vec<_>>(),
            [1, 2, 0, 0, 0, 0, 0, 1 << 63]
        );
        bits.set(65, false);
        assert_eq!(bits.word(1), 0);
    }
}
