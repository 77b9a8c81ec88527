//! A comparator: which of two words that stream past, most significant bit first, is the one that is wanted.
//!
//! ```text
//!   own   --+--(differ, not yet decided)--> [decided]
//!   other --+        own = wants higher  --> [mine]
//!           +--> mux by mine once decided --> out
//! ```
//!
//! Until a bit differs both are the same, so it does not matter which of them leaves. Equal words stay where they are.

use crate::language::bit::Bit;
use crate::registers;

/// Its two flip-flops.
#[derive(Clone, Debug)]
pub struct WordComparator<B: Bit> {
    /// A bit was different.
    decided: B,
    /// The own word is the one that is wanted.
    mine: B,
}
registers!(WordComparator { decided, mine });

/// How it stands once this bit time's bits are seen.
#[derive(Clone, Copy, Debug)]
pub struct Choice<B> {
    decided: B,
    mine: B,
}

impl<B: Bit> Choice<B> {
    /// The word that is wanted.
    #[inline(always)]
    pub fn wanted(self, own: B, other: B) -> B {
        (self.decided & !self.mine).mux(other, own).named("wanted")
    }

    /// The other one.
    #[inline(always)]
    pub fn unwanted(self, own: B, other: B) -> B {
        (self.decided & !self.mine)
            .mux(own, other)
            .named("unwanted")
    }
}

impl<B: Bit> WordComparator<B> {
    /// Undecided.
    pub fn new() -> Self {
        WordComparator {
            decided: B::ZERO,
            mine: B::ZERO,
        }
    }

    /// How it stands with these bits, the first of their words while `begins` is 1.
    #[inline(always)]
    pub fn choice(&self, begins: B::Strobe, own: B, other: B, wants_higher: B) -> Choice<B> {
        let before = self.decided & !B::from_strobe(begins);
        let differ = (own ^ other).named("differ");
        Choice {
            decided: (before | differ).named("decides"),
            mine: before.mux(self.mine, !(own ^ wants_higher)),
        }
    }

    /// Keeps it for the next bit time.
    #[inline(always)]
    pub fn clock(&mut self, choice: Choice<B>) {
        self.decided = choice.decided;
        self.mine = choice.mine;
    }
}

impl<B: Bit> Default for WordComparator<B> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_all_words_of_four_bits_each_end_keeps_the_one_it_wants() {
        // One comparator for all pairs: what the last word left in it must not matter.
        for wants_higher in [false, true] {
            let mut comparator = WordComparator::<bool>::new();
            for (one, two) in (0..16).flat_map(|one| (0..16).map(move |two| (one, two))) {
                let (mut wanted, mut unwanted) = (0, 0);
                for place in (0..4).rev() {
                    let (own, other) = (one >> place & 1 == 1, two >> place & 1 == 1);
                    let choice = comparator.choice(place == 3, own, other, wants_higher);
                    wanted |= u32::from(choice.wanted(own, other)) << place;
                    unwanted |= u32::from(choice.unwanted(own, other)) << place;
                    comparator.clock(choice);
                }
                let (low, high) = (one.min(two), one.max(two));
                let expected = if wants_higher {
                    (high, low)
                } else {
                    (low, high)
                };
                assert_eq!((wanted, unwanted), expected, "{one} {two}");
            }
        }
    }
}
