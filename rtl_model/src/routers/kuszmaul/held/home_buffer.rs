//! The buffer of the message that a node keeps, where messages come back to empty nodes while the
//! others stay (Kuszmaul 1990, Algorithm 2, steps 1 and 6, overlapped).
//!
//! ```text
//!   whole:                                 in two parts:
//!
//!   [ .. | payload .. | address .. ]--+    [ rest, k-1 bits ]--+-->[ bits, D+1 bits ]--+
//!      ^ tap                          |       ^ tap            |  ^                    |
//!      +-- step 1 or 6, or its own ---+       +-- step 1,      |  +-- step 6, or its --+
//!                                             or its own <-----|------- own -----------+
//! ```
//!
//! All nodes shift alike, so a message that stays circulates. A whole buffer takes a message of
//! step 6 as it takes one of step 1: bits enter at the top of what is left, and every node shifts
//! until all have come.
//!
//! A buffer in two parts can send a message on before it is there. The first `D+1` bits of step 6
//! turn the lower part alone, once round where a message stays. Then every node has its next bits
//! in place, the next step 1 can begin, and while everything shifts the last bits still come, at
//! the seam. (`receiving` says whether to take the seam's bit from there or from above.)

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::strobes;
use std::ops::Range;

strobes! {
    /// What the buffer hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct HomeStrobes<S> {
        /// The bits move on: of the lower part, where there are two.
        pub shift: S,
        /// The upper part moves on.
        pub rest_shift: S,
        /// One-hot by iteration: a bit enters at the top of what is left of a message.
        pub fill: Lines<S>,
        /// What comes is a message of step 6.
        pub refill: S,
        /// What comes at the seam is the end of a message of step 6.
        pub tail: S,
        /// The valid bit of a message of step 6 comes.
        pub arrival: S,
    }
}

/// Room for one message.
#[derive(Clone, Debug)]
pub struct HomeBuffer<B: Bit> {
    /// 1 where the buffer holds a message.
    pub valid: B,
    /// The message bits that are left, or as many of them as are below the seam.
    pub bits: ShiftRegister<B>,
    rest: Option<ShiftRegister<B>>,
    receiving: Option<B>,
}
registers!(HomeBuffer {
    valid: "there is a message",
    bits: "the message bits that are left, next one at position 0",
    rest: "those above the seam",
    receiving: "the message comes, or came, by step 6",
});

impl<B: Bit> HomeBuffer<B> {
    /// A whole buffer for messages of up to `width` bits, to which messages come back or not.
    pub fn whole(width: usize, messages_come_back: bool) -> Self {
        HomeBuffer {
            valid: B::ZERO,
            bits: ShiftRegister::new(width),
            rest: None,
            receiving: messages_come_back.then_some(B::ZERO),
        }
    }

    /// A buffer with a seam above the lower `seam` bits.
    pub fn in_two_parts(width: usize, seam: usize) -> Self {
        HomeBuffer {
            rest: Some(ShiftRegister::new(width - seam)),
            ..Self::whole(seam, true)
        }
    }

    /// The next bit.
    #[inline]
    pub fn head(&self) -> B {
        self.bits.head()
    }

    /// 1 where the message came by step 6.
    #[inline]
    pub fn receiving(&self) -> B {
        self.receiving.unwrap_or(B::ZERO)
    }

    /// One bit time. `crossing` is what step 1 puts in, `returned` what comes by step 6; `position`
    /// gives the place of an iteration's tap.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &HomeStrobes<B::Strobe>,
        crossing: B,
        returned: B,
        position: impl Fn(usize) -> usize,
    ) {
        let receiving = self.receiving();
        let again = || receiving.mux(returned, self.head()).named("home_again");
        let seam = self.bits.width();
        match &self.rest {
            None => {
                let bit = B::choose(strobes.refill, again, || crossing).named("home_in");
                B::when(strobes.shift, &mut self.bits, |bits| {
                    bits.shift();
                    bits.insert_at_tap(&strobes.fill, position, bit);
                });
            }
            Some(rest) => {
                let above = rest.head();
                let tail = || receiving.mux(returned, above).named("home_tail");
                let at_seam = || B::choose(strobes.tail, tail, || above).named("home_at_seam");
                let bit = B::choose(strobes.refill, again, at_seam).named("home_in");
                B::when(strobes.shift, &mut self.bits, |bits| {
                    bits.shift_in(bit);
                    Self::enter(bits, strobes, 0..seam, &position, crossing);
                });
                if let Some(rest) = &mut self.rest {
                    let end = seam + rest.width();
                    B::when(strobes.rest_shift, rest, |rest| {
                        rest.shift();
                        Self::enter(rest, strobes, seam..end, &position, crossing);
                    });
                }
            }
        }
        if let Some(receiving) = &mut self.receiving {
            B::when(strobes.arrival, receiving, |receiving| {
                *receiving = returned
            });
        }
    }

    /// Puts `bit` in at the tap, if that is in the part that holds `positions`.
    #[inline]
    fn enter(
        part: &mut ShiftRegister<B>,
        strobes: &HomeStrobes<B::Strobe>,
        positions: Range<usize>,
        position: impl Fn(usize) -> usize,
        bit: B,
    ) {
        for (tap, strobe) in strobes.fill.iter() {
            let position = position(tap);
            if positions.contains(&position) {
                B::when(strobe, part, |part| {
                    part.insert(position - positions.start, bit);
                });
            }
        }
    }
}
