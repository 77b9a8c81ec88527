//! Blocks of a memory that change places at a clock edge, in each node in an order of its own: see [`Blocks`].
//!
//! ```text
//!   a square for 64 nodes            turned round: a word a node
//!   [ bit 0 of the number of block 0 ]      node 0   [ numbers of blocks 0, 1, .. ]
//!   [ bit 1                          ]      node 1   [                            ]
//!   [ ...                            ]  ->  ...
//!   [ bit 0 of the number of block 1 ]
//! ```
//!
//! Operations on planes would have to look at each place for each block. Here each node's blocks go to their places one by one.

use std::cell::Cell;
use std::ops::Range;

use crate::machine::host::transpose;
use crate::machine::program::kernels::Plane;
#[cfg(doc)]
use crate::machine::router::Blocks;

/// The blocks, by the slots of a tile.
#[derive(Clone, Debug)]
pub(super) struct MovedBlocks {
    /// The first bit of the number that the first gets; the others follow.
    pub numbers: usize,
    /// Bits of a number.
    pub width: usize,
    /// The first bit of the first block, and of the first place.
    pub from: usize,
    pub to: usize,
    /// Bits of a block.
    pub bits: usize,
    pub count: usize,
}

impl MovedBlocks {
    /// The slots that are written.
    pub fn places(&self) -> Range<usize> {
        self.to..self.to + self.count * self.bits
    }

    /// The slots that are read.
    pub fn read(&self) -> impl Iterator<Item = usize> {
        let numbers = self.numbers..self.numbers + self.count * self.width;
        numbers.chain(self.from..self.from + self.count * self.bits)
    }

    /// They change places, in all nodes of a tile.
    #[cold]
    #[inline(never)]
    pub fn change_places<const WORDS: usize, const VECTORS: usize>(
        &self,
        slots: &[Plane<WORDS, VECTORS>],
    ) {
        let mut places = vec![0; self.count * self.bits];
        for vector in 0..VECTORS {
            for word in 0..WORDS {
                places.fill(0);
                self.in_nodes_of_word(|slot| slots[slot][vector].get()[word], &mut places);
                for (plane, &bits) in slots[self.places()].iter().zip(&places) {
                    with_word(&plane[vector], word, bits);
                }
            }
        }
    }

    /// Adds to words, one for each bit of the places, what 64 nodes put there, of which `word` has the registers.
    fn in_nodes_of_word(&self, word: impl Fn(usize) -> u64, places: &mut [u64]) {
        let at_once = (64 / self.width.max(1)).min(self.count);
        for first in (0..self.count).step_by(at_once) {
            let blocks = first..self.count.min(first + at_once);
            let mut numbers = [0; 64];
            let begin = self.numbers + first * self.width;
            for (place, row) in numbers[..blocks.len() * self.width].iter_mut().enumerate() {
                *row = word(begin + place);
            }
            transpose(&mut numbers);
            for (number, block) in blocks.enumerate() {
                for bit in 0..self.bits {
                    let bits = word(self.from + block * self.bits + bit);
                    for (node, numbers) in numbers.iter().enumerate() {
                        let place = numbers >> (number * self.width) & ((1 << self.width) - 1);
                        places[place as usize * self.bits + bit] |= bits & 1 << node;
                    }
                }
            }
        }
    }
}

fn with_word<const WORDS: usize>(vector: &Cell<[u64; WORDS]>, word: usize, bits: u64) {
    let mut words = vector.get();
    words[word] = bits;
    vector.set(words);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::program::planes::planes_of;

    /// Planes of four words: 70 numbers of 7 bits each, and blocks of 3 bits that move by a part of their length or not at all. No
    /// two nodes have the same order, and in some of them several blocks go to one place.
    #[test]
    fn blocks_go_to_where_the_numbers_of_their_node_say() {
        let (width, bits, count) = (7, 3, 70);
        let from = count * width;
        for to in [from, from + 4, from + count * bits] {
            let places = MovedBlocks {
                numbers: 0,
                width,
                from,
                to,
                bits,
                count,
            };
            let slots = to + count * bits;
            let mut words: Vec<u64> = (0..4 * slots as u64)
                .map(|one| one.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
                .collect();
            let number = |node: usize, block: usize| {
                let places = if node.is_multiple_of(5) { 41 } else { count };
                (block * (2 * node + 1) + node / 9) % places
            };
            let at = |slot: usize, node: usize| 4 * slot + node / 64;
            for node in 0..256 {
                for slot in 0..from {
                    let bit = number(node, slot / width) >> (slot % width) & 1;
                    let word = &mut words[at(slot, node)];
                    *word = *word & !(1 << (node % 64)) | (bit as u64) << (node % 64);
                }
            }
            let mut due = words.clone();
            due[4 * to..].fill(0);
            for node in 0..256 {
                for (block, bit) in
                    (0..count).flat_map(|block| (0..bits).map(move |bit| (block, bit)))
                {
                    let place = to + number(node, block) * bits + bit;
                    due[at(place, node)] |=
                        words[at(from + block * bits + bit, node)] & 1 << (node % 64);
                }
            }
            places.change_places::<2, 2>(planes_of(&mut words));
            assert!(words == due, "{to}");
        }
    }
}
