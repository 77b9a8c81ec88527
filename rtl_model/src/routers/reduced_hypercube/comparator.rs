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
