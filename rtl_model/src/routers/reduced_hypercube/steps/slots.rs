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

#[cfg(test)]
mod tests {
    use super::*;

    /// All pairs of a row.
    fn pairs(slots: Slots, keys: usize) -> Vec<(usize, usize)> {
        let words = 0..slots.words(keys);
        words
            .map(|word| slots.pair(keys, word))
            .map(|pair| (pair.first, pair.second))
            .collect()
    }

    #[test]
    fn blocks_meet_one_in_order_and_the_other_against_it() {
        let of = Slots::Of {
            first: 1,
            blocks: 2,
        };
        assert_eq!(
            pairs(of, 3),
            [(3, 5), (4, 4), (5, 3), (6, 8), (7, 7), (8, 6)]
        );
        let apart = Slots::Apart { bit: 1, blocks: 4 };
        assert_eq!(pairs(apart, 1), [(0, 2), (1, 3)]);
        assert_eq!(pairs(apart, 2), [(0, 5), (1, 4), (2, 7), (3, 6)]);
    }

    #[test]
    fn within_a_block_all_pairs_meet_the_lower_slot_first() {
        let within = Slots::Within { blocks: 2 };
        assert_eq!(
            pairs(within, 3),
            [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)]
        );
        assert!(pairs(within, 1).is_empty());
    }

    #[test]
    fn no_slot_is_beyond_the_bound() {
        for keys in 1..5 {
            for slots in [
                Slots::Of {
                    first: 2,
                    blocks: 2,
                },
                Slots::Within { blocks: 4 },
                Slots::Apart { bit: 0, blocks: 4 },
            ] {
                let largest = pairs(slots, keys)
                    .into_iter()
                    .map(|(one, other)| one.max(other));
                assert!(largest.max() < Some(slots.bound(keys)));
            }
        }
    }
}
