//! The slots that a row of a sort works with, word by word. A slot holds a key; keys lie in blocks of so many.

/// Which slots, word by word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slots {
    /// Those of some blocks; the other end of a wire, the other way round in each block.
    Of {
        /// The first block.
        first: usize,
        /// How many.
        blocks: usize,
    },
    /// Of each of the first blocks, all pairs.
    Within {
        /// How many blocks.
        blocks: usize,
    },
    /// Of blocks that differ in a bit, one from the bottom and the other from the top.
    Apart {
        /// The bit.
        bit: usize,
        /// How many blocks.
        blocks: usize,
    },
}

/// The slots of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The slot of the lower end, or of the key that moves.
    pub first: usize,
    /// The slot of the upper end.
    pub second: usize,
}

impl Slots {
    /// Words of a row, with so many keys a block.
    pub fn words(self, keys: usize) -> usize {
        match self {
            Slots::Of { blocks, .. } => blocks * keys,
            Slots::Within { blocks } => blocks * (keys * (keys - 1) / 2),
            Slots::Apart { blocks, .. } => blocks / 2 * keys,
        }
    }

    /// All are below this number.
    pub fn bound(self, keys: usize) -> usize {
        keys * match self {
            Slots::Of { first, blocks } => first + blocks,
            Slots::Within { blocks } | Slots::Apart { blocks, .. } => blocks,
        }
    }

    /// The slots of a word.
    pub fn pair(self, keys: usize, word: usize) -> Pair {
        match self {
            Slots::Of { first, .. } => {
                let (block, key) = (first + word / keys, word % keys);
                Pair {
                    first: block * keys + key,
                    second: block * keys + keys - 1 - key,
                }
            }
            Slots::Within { .. } => {
                let pairs = keys * (keys - 1) / 2;
                let (block, mut left) = (word / pairs, word % pairs);
                let mut lower = 0;
                while left >= keys - 1 - lower {
                    left -= keys - 1 - lower;
                    lower += 1;
                }
                Pair {
                    first: block * keys + lower,
                    second: block * keys + lower + 1 + left,
                }
            }
            Slots::Apart { bit, .. } => {
                let (pair, key) = (word / keys, word % keys);
                let low = pair & ((1 << bit) - 1);
                let lower = (pair >> bit) << (bit + 1) | low;
                Pair {
                    first: lower * keys + key,
                    second: (lower | 1 << bit) * keys + keys - 1 - key,
                }
            }
        }
    }
}
