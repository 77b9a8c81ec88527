//! How bits get across a dimension: shuffled as they are sent, and fetched from where the other nodes are.

use crate::language::lanes::{PLACE, words};
use crate::machine::program::kernels::Plane;
use crate::machine::program::layout::Way;

/// The way across a dimension.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    shuffle: Shuffle,
    /// What to turn over in the number of a vector, and in that of a tile.
    pub vector: usize,
    pub tile: usize,
}

/// To which places of a vector bits go.
#[derive(Clone, Copy, Debug)]
enum Shuffle {
    None,
    /// To those whose numbers differ in this bit.
    InWord(usize),
    /// To the word so many before or after.
    Words1,
    Words2,
    Words4,
}

impl Across {
    /// Nothing is shuffled: whoever receives it looks for it.
    pub(super) const NOWHERE: Across = Across {
        shuffle: Shuffle::None,
        vector: 0,
        tile: 0,
    };

    pub(super) fn of(way: Way) -> Self {
        let (shuffle, vector, tile) = match way {
            Way::InWord(bit) => (Shuffle::InWord(bit), 0, 0),
            Way::InVector(0) => (Shuffle::Words1, 0, 0),
            Way::InVector(1) => (Shuffle::Words2, 0, 0),
            Way::InVector(_) => (Shuffle::Words4, 0, 0),
            Way::InTile(bit) => (Shuffle::None, 1 << bit, 0),
            Way::Far(bit) => (Shuffle::None, 0, 1 << bit),
        };
        Across {
            shuffle,
            vector,
            tile,
        }
    }

    /// What is sent, to where it is read: in the same vector.
    #[inline(always)]
    pub(super) fn shuffle<const WORDS: usize, const VECTORS: usize>(
        &self,
        plane: &Plane<WORDS, VECTORS>,
    ) {
        // With each distance written out, its shuffle is known when it is translated.
        match self.shuffle {
            Shuffle::None => {}
            Shuffle::InWord(bit) => {
                each(plane, |before| words(|word| exchanged(before[word], bit)))
            }
            Shuffle::Words1 => each(plane, swapped::<WORDS, 1>),
            Shuffle::Words2 => each(plane, swapped::<WORDS, 2>),
            Shuffle::Words4 => each(plane, swapped::<WORDS, 4>),
        }
    }

    /// The reverse: what was sent in each of the words, of a plane that has been shuffled.
    pub(super) fn copy_sent(&self, plane: &[u64], words: &mut [u64]) {
        let distance = match self.shuffle {
            Shuffle::None => 0,
            Shuffle::InWord(bit) => {
                let words = words.iter_mut().zip(plane);
                return words.for_each(|(word, sent)| *word = exchanged(*sent, bit));
            }
            Shuffle::Words1 => 1,
            Shuffle::Words2 => 2,
            Shuffle::Words4 => 4,
        };
        for (number, word) in words.iter_mut().enumerate() {
            *word = plane[number ^ distance];
        }
    }

    /// The same, where it goes to another vector.
    #[inline(always)]
    pub(super) fn exchange_vectors<const WORDS: usize, const VECTORS: usize>(
        &self,
        plane: &Plane<WORDS, VECTORS>,
    ) {
        if self.vector == 0 {
            return;
        }
        for vector in 0..VECTORS {
            let other = (vector ^ self.vector) % VECTORS;
            if vector < other {
                plane[vector].swap(&plane[other]);
            }
        }
    }
}

/// The places of a word change whose numbers differ in a bit.
#[inline(always)]
fn exchanged(word: u64, bit: usize) -> u64 {
    let (distance, upper) = (1 << bit, PLACE[bit]);
    (word & upper) >> distance | (word << distance) & upper
}

#[inline(always)]
fn swapped<const WORDS: usize, const DISTANCE: usize>(before: [u64; WORDS]) -> [u64; WORDS] {
    words(|word| before[(word ^ DISTANCE) % WORDS])
}

/// Shuffles a plane, vector by vector. They are written out, so that each is shuffled as a whole: the compiler would make of a
/// loop one that shuffles the same word of several vectors at once, which takes longer.
#[inline(always)]
fn each<const WORDS: usize, const VECTORS: usize>(
    plane: &Plane<WORDS, VECTORS>,
    shuffled: impl Fn([u64; WORDS]) -> [u64; WORDS],
) {
    macro_rules! vectors {
        ($($vector:literal)+) => {
            $(if $vector < VECTORS {
                let vector = &plane[$vector % VECTORS];
                vector.set(shuffled(vector.get()));
            })+
        };
    }
    vectors!(0 1 2 3 4 5 6 7);
    const { assert!(VECTORS <= 8) };
}
