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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::strobes::Strobes;

    const MESSAGE: [bool; 6] = [true, true, false, true, false, false];
    const OTHER: [bool; 6] = [false, true, true, true, false, true];

    fn holding(mut buffer: HomeBuffer<bool>, message: &[bool; 6]) -> HomeBuffer<bool> {
        let parts = std::iter::once(&mut buffer.bits).chain(&mut buffer.rest);
        let mut bits = message.iter();
        for part in parts {
            for position in 0..part.width() {
                *part.bit_mut(position) = *bits.next().unwrap();
            }
        }
        buffer.valid = true;
        buffer
    }

    /// The message, read off the head in as many bit times.
    fn read(mut buffer: HomeBuffer<bool>) -> [bool; 6] {
        std::array::from_fn(|_| {
            let bit = buffer.head();
            let mut strobes = HomeStrobes::<bool>::idle();
            (strobes.shift, strobes.rest_shift) = (true, true);
            buffer.clock(&strobes, false, false, |_| 5);
            bit
        })
    }

    fn arrive(buffer: &mut HomeBuffer<bool>, valid: bool) {
        let mut strobes = HomeStrobes::<bool>::idle();
        strobes.arrival = true;
        buffer.clock(&strobes, false, valid, |_| 5);
    }

    #[test]
    fn a_whole_buffer_takes_a_message_back_or_turns_its_own_round() {
        for comes in [false, true] {
            let mut buffer = holding(HomeBuffer::<bool>::whole(6, true), &MESSAGE);
            arrive(&mut buffer, comes);
            assert_eq!(buffer.receiving(), comes);
            for bit in OTHER {
                let mut strobes = HomeStrobes::<bool>::idle();
                (strobes.shift, strobes.refill) = (true, true);
                strobes.fill.drive(true, 0..1, |_| true);
                buffer.clock(&strobes, false, bit, |_| 5);
            }
            assert_eq!(read(buffer), if comes { OTHER } else { MESSAGE });
        }
    }

    /// The seam is above 4 bits: after 4 bit times a message can be sent on, and is while its last
    /// bits come. One that stayed is sent on in the same bit times.
    #[test]
    fn a_buffer_with_a_seam_sends_a_message_on_before_it_is_there() {
        for comes in [false, true] {
            let mut buffer = holding(HomeBuffer::<bool>::in_two_parts(6, 4), &MESSAGE);
            arrive(&mut buffer, comes);
            for &bit in &OTHER[..4] {
                let mut strobes = HomeStrobes::<bool>::idle();
                (strobes.shift, strobes.refill) = (true, true);
                buffer.clock(&strobes, false, bit, |_| 5);
            }
            let sent: [bool; 6] = std::array::from_fn(|t| {
                let head = buffer.head();
                let mut strobes = HomeStrobes::<bool>::idle();
                (strobes.shift, strobes.rest_shift) = (true, true);
                strobes.tail = t < 2;
                let last_bits = OTHER.get(4 + t).copied().unwrap_or(true);
                buffer.clock(&strobes, false, last_bits, |_| 5);
                head
            });
            assert_eq!(sent, if comes { OTHER } else { MESSAGE });
        }
    }

    /// Taps on either side of the seam.
    #[test]
    fn what_step_1_puts_in_enters_the_part_that_has_the_place() {
        for place in 0..6 {
            let mut buffer = HomeBuffer::<bool>::in_two_parts(6, 4);
            let mut strobes = HomeStrobes::<bool>::idle();
            (strobes.shift, strobes.rest_shift) = (true, true);
            strobes.fill.drive(true, 0..1, |_| true);
            buffer.clock(&strobes, true, false, |_| place);
            let expected: [bool; 6] = std::array::from_fn(|position| position == place);
            assert_eq!(read(buffer), expected);
        }
    }
}
