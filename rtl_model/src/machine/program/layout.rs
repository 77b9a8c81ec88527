//! How the bits of all nodes lie in memory while a program runs.
//!
//! ```text
//!   plane of a register, one bit a node:   | word 0 | word 1 | ...                         as lane groups have them
//!                                          |<- vector ->|
//!                                          |<------- tile ------->|
//!   memory:   tile 0: plane 0, plane 1, ... | tile 1: plane 0, plane 1, ...
//! ```
//!
//! A tile is what an operation is performed on at once: as many words as pay for finding out which operation it is, but few
//! enough for all planes of a tile that are in use to stay in the first-level cache.

use std::ops::Range;

use crate::language::lanes::Lanes;
use crate::machine::share::Share;

/// Words of a vector and vectors of a tile, both powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Words.
    pub vector: usize,
    /// Vectors.
    pub tile: usize,
}

impl Shape {
    /// Words of a tile.
    pub fn words(self) -> usize {
        self.vector * self.tile
    }

    /// For so many words in all: one tile, if they are few.
    fn for_words(words: usize) -> Self {
        let vector = words.next_power_of_two().min(LARGEST.vector);
        let tile = words.div_ceil(vector).next_power_of_two().min(LARGEST.tile);
        Shape { vector, tile }
    }
}

/// A vector is a cache line, at the most.
pub(crate) const LARGEST: Shape = Shape { vector: 8, tile: 8 };

/// The way of a wire that crosses over in one bit of the seats' numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// To another place of the same word: the places change whose numbers differ in this bit.
    InWord(usize),
    /// To another word of the same vector.
    InVector(usize),
    /// To another vector of the same tile.
    InTile(usize),
    /// To another tile.
    Far(usize),
}

/// The layout of some lane groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// log2 of the nodes of a lane group that are in one word, and its words.
    in_word: usize,
    words_of_group: usize,
    /// The shape of its tiles.
    pub shape: Shape,
    /// Words in all.
    pub words: usize,
}

impl Layout {
    /// For so many, as they are.
    pub fn of<B: Lanes>(groups: usize) -> Self {
        let words = groups * B::WORDS;
        Layout {
            in_word: B::LOG2_NODES.min(6),
            words_of_group: B::WORDS,
            shape: Shape::for_words(words),
            words,
        }
    }

    /// For what a rank holds: of several ranks in large tiles, between which planes are exchanged.
    pub fn of_share<B: Lanes>(groups: usize, share: Share) -> Self {
        let layout = Self::of::<B>(groups);
        match share.ranks() {
            1 => layout,
            _ => Layout {
                shape: LARGEST,
                ..layout
            },
        }
    }

    /// Tiles, of which the last may be filled in part.
    pub fn tiles(&self) -> usize {
        self.words.div_ceil(self.shape.words())
    }

    /// log2 of the nodes that are in one word.
    pub(crate) fn in_word(&self) -> usize {
        self.in_word
    }

    /// The way to the seat whose number differs in a bit.
    pub(super) fn way(&self, seat_bit: usize) -> Way {
        let Some(word_bit) = seat_bit.checked_sub(self.in_word) else {
            return Way::InWord(seat_bit);
        };
        let (vector, tile) = (self.shape.vector.ilog2(), self.shape.words().ilog2());
        match word_bit {
            _ if word_bit >= tile as usize => Way::Far(word_bit - tile as usize),
            _ if word_bit >= vector as usize => Way::InTile(word_bit - vector as usize),
            _ => Way::InVector(word_bit),
        }
    }

    /// The tile of a lane group, and where in its planes the group's words begin.
    pub(crate) fn seat<B: Lanes>(&self, group: usize) -> (usize, usize) {
        let word = group * B::WORDS;
        (word / self.shape.words(), word % self.shape.words())
    }

    /// The places of a word that are there: none behind the last word.
    #[inline]
    pub(super) fn places(&self, word: usize) -> u64 {
        match word < self.words {
            true => !0 >> (64 - (1 << self.in_word)),
            false => 0,
        }
    }

    /// Whether there are nodes in all places of these words.
    #[inline]
    pub(super) fn are_full(&self, words: Range<usize>) -> bool {
        words.end <= self.words && self.in_word == 6
    }

    /// Nodes of a tile.
    pub(crate) fn nodes_of_tile(&self) -> usize {
        self.shape.words() << self.in_word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::lanes::Words;
    use crate::machine::topology::Topology;
    use crate::machine::topology::hypercube::{Dimensions, neighbour};

    /// Where the bit of a node is: tile, vector, word and bit of it.
    fn place<B: Lanes>(layout: &Layout, cube: Dimensions, node: usize) -> [usize; 4] {
        let (group, place) = cube.seat::<B>(node);
        let word = group * B::WORDS + place / 64;
        let Shape { vector, tile } = layout.shape;
        [
            word / vector / tile,
            word / vector % tile,
            word % vector,
            place % 64,
        ]
    }

    fn ways_lead_to_neighbours<B: Lanes>(k: usize, machines: usize) {
        let cube = Dimensions::new(k).unwrap();
        let groups = cube.groups::<B>(machines);
        let layout = Layout::of::<B>(groups);
        let way = |dimension| layout.way(cube.seat_bit(dimension, B::LOG2_NODES).unwrap());
        assert_eq!(layout.words, groups * B::WORDS);
        assert!(layout.tiles() * layout.shape.words() >= layout.words);
        assert!((layout.tiles() - 1) * layout.shape.words() < layout.words);
        assert!(layout.tiles() == 1 || layout.shape == LARGEST);
        for dimension in 0..k {
            let way = way(dimension);
            for node in 0..machines * cube.nodes() {
                let [tile, vector, word, bit] = place::<B>(&layout, cube, node);
                let expected = match way {
                    Way::InWord(place) => [tile, vector, word, bit ^ 1 << place],
                    Way::InVector(place) => [tile, vector, word ^ 1 << place, bit],
                    Way::InTile(place) => [tile, vector ^ 1 << place, word, bit],
                    Way::Far(place) => [tile ^ 1 << place, vector, word, bit],
                };
                let other = neighbour(node, dimension);
                assert_eq!(
                    place::<B>(&layout, cube, other),
                    expected,
                    "k={k}, {machines} machines, {} lanes, node {node}, dimension {dimension}: {way:?}",
                    B::NODES
                );
                // The bit of the place is that of the address.
                let bit = match way {
                    Way::InWord(place) => bit >> place,
                    Way::InVector(place) => word >> place,
                    Way::InTile(place) => vector >> place,
                    Way::Far(place) => tile >> place,
                };
                assert_eq!(bit & 1, node >> dimension & 1);
            }
        }
    }

    #[test]
    fn every_way_leads_to_the_neighbour() {
        for k in 1..=11 {
            for machines in [1, 2, 3, 5, 6, 7, 9, 40, 65] {
                if machines << k <= 1 << 13 {
                    ways_lead_to_neighbours::<bool>(k, machines);
                    ways_lead_to_neighbours::<u64>(k, machines);
                    ways_lead_to_neighbours::<Words<2>>(k, machines);
                    ways_lead_to_neighbours::<Words<8>>(k, machines);
                }
            }
        }
        ways_lead_to_neighbours::<u64>(14, 1);
        ways_lead_to_neighbours::<Words<8>>(15, 2);
    }
}
