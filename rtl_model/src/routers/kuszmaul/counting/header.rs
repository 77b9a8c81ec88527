//! From ranks in a pass to ranks in an iteration: the header bits of a node's two messages.
//!
//! ```text
//!   rank (enumerator) ------->[rank adder]----+--------------> header bit, track 0
//!                       base bit ^            |
//!   [ base ]---------------------+           (^)<--[increment] begins as: is there a first message?
//!      ^                         |            +--------------> header bit, track 1
//!      +----[base adder]<--------+
//!   total (enumerator) --^
//! ```
//!
//! All numbers come LSB first, `m` bits of them, in the same bit times. The base is the rank that the
//! messages of a pass begin with; the subcube's total is added to it while it is used, so it stands ready
//! for the next pass. Ranks count modulo 2^m: the message of rank `E` goes to member `E mod 2^m`.
//!
//! The base is never cleared. Messages may be numbered from anywhere, if all nodes of a subcube agree; and
//! the `m` low bits of what an iteration leaves are the same in all nodes of its subcubes, so in those of
//! their halves, where the next one works.

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::parts::serial_adder::SerialAdder;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::kuszmaul::spread::track_switch::PerTrack;
use crate::strobes;

strobes! {
    /// What it hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct HeaderStrobes<S> {
        /// Header bits are made.
        pub make: S,
        /// The first of them.
        pub begins: S,
        /// One-hot by iteration: where bits enter the base.
        pub base_tap: Lines<S>,
    }
}

/// What the enumerator finds, bit by bit.
#[derive(Clone, Copy, Debug)]
pub struct Found<B> {
    /// Messages of this pass at nodes before this one in the subcube.
    pub rank: B,
    /// Messages of this pass in the subcube.
    pub total: B,
}

/// The base and what adds to it.
#[derive(Clone, Debug)]
struct Base<B: Bit> {
    /// Its bits, the next one at position 0.
    base: ShiftRegister<B>,
    rank_adder: SerialAdder<B>,
    base_adder: SerialAdder<B>,
}
registers!(Base {
    base: "the rank that a pass begins with, modulo 2^m",
    rank_adder,
    base_adder,
});

/// The rank's increment, and the base.
#[derive(Clone, Debug)]
pub struct Header<B: Bit> {
    increment: B,
    /// Where an iteration has one pass, there is none.
    base: Option<Base<B>>,
}
registers!(Header {
    increment: "carry: the second message's rank is one more, where there is a first",
    base,
});

impl<B: Bit> Base<B> {
    /// The carry that comes in.
    #[inline]
    fn carry(strobes: &HeaderStrobes<B::Strobe>, adder: &SerialAdder<B>) -> B {
        B::gated(!strobes.begins, || adder.carry()).named("carry_in")
    }
}

impl<B: Bit> Header<B> {
    /// For subcubes of up to `dimensions`, at least one; with a base or without.
    pub fn new(dimensions: usize, has_base: bool) -> Self {
        Header {
            increment: B::ZERO,
            base: has_base.then(|| Base {
                base: ShiftRegister::new(dimensions),
                rank_adder: SerialAdder::new(),
                base_adder: SerialAdder::new(),
            }),
        }
    }

    /// The rank of the first message.
    #[inline]
    fn rank(&self, strobes: &HeaderStrobes<B::Strobe>, found: Found<B>) -> B {
        let Some(base) = &self.base else {
            return found.rank;
        };
        let carry = B::within("rank_adder", || Base::carry(strobes, &base.rank_adder));
        B::within("rank_adder", || {
            SerialAdder::sum_with(carry, found.rank, base.base.head())
        })
    }

    /// What is added to the rank for the second message: 1, where there is a first.
    #[inline]
    fn increment(&self, strobes: &HeaderStrobes<B::Strobe>, has_first: B) -> B {
        B::choose(strobes.begins, || has_first, || self.increment).named("increment_in")
    }

    /// The header bits of this bit time.
    #[inline]
    pub fn bits(
        &self,
        strobes: &HeaderStrobes<B::Strobe>,
        found: Found<B>,
        has_first: B,
    ) -> PerTrack<B> {
        let rank = self.rank(strobes, found);
        PerTrack {
            track_0: rank.named("header_0"),
            track_1: (rank ^ self.increment(strobes, has_first)).named("header_1"),
        }
    }

    /// The clock edge.
    #[inline]
    pub fn clock(&mut self, strobes: &HeaderStrobes<B::Strobe>, found: Found<B>, has_first: B) {
        let (rank, increment) = (
            self.rank(strobes, found),
            self.increment(strobes, has_first),
        );
        B::when(strobes.make, self, |header| {
            header.increment = rank & increment;
            if let Some(base) = &mut header.base {
                base.clock(strobes, found);
            }
        });
    }
}

impl<B: Bit> Base<B> {
    /// The clock edge, while headers are made.
    #[inline]
    fn clock(&mut self, strobes: &HeaderStrobes<B::Strobe>, found: Found<B>) {
        let bit = self.base.head();
        let rank_carry = B::within("rank_adder", || Self::carry(strobes, &self.rank_adder));
        let base_carry = B::within("base_adder", || Self::carry(strobes, &self.base_adder));
        let next = B::within("base_adder", || {
            SerialAdder::sum_with(base_carry, bit, found.total)
        });
        B::within("rank_adder", || {
            self.rank_adder.clock_with(rank_carry, found.rank, bit);
        });
        B::within("base_adder", || {
            self.base_adder.clock_with(base_carry, bit, found.total);
        });
        self.base.shift();
        // In iteration i the base has m bits, one less than the iteration before.
        let highest = self.base.width() - 1;
        self.base
            .insert_at_tap(&strobes.base_tap, |iteration| highest - iteration, next);
    }
}
