//! Where the messages of a pass wait between step 1 and the packing.
//!
//! ```text
//!   the node's own, if it stays --(tap)-->[ own      ]--> track 0 of the packing
//!   what comes over the wire -----(tap)-->[ received ]--> track 1 of the packing
//! ```
//!
//! A bit waits `2m` bit times, while ranks are found and headers sent. Of a message of `L` bits no more
//! than `min(L, 2m)` wait at any time: so high above the head they enter. Short messages stand still
//! between the two windows in which bits come and go.

use crate::language::bit::Bit;
use crate::language::lines::Lines;
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::kuszmaul::spread::track_switch::PerTrack;
use crate::routers::permutation::Size;
use crate::strobes;

strobes! {
    /// What it hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct WaitingStrobes<S> {
        /// Bits come or go.
        pub shift: S,
        /// One-hot by iteration: bits come, at the place for it.
        pub fill: Lines<S>,
    }
}

/// Two delay lines.
#[derive(Clone, Debug)]
pub struct Waiting<B: Bit> {
    size: Size,
    own: ShiftRegister<B>,
    received: ShiftRegister<B>,
    received_valid: B,
}
registers!(Waiting {
    own: "bits of the message that stays in step 1",
    received: "bits of the message that step 1 brings",
    received_valid: "step 1 brings one",
});

impl<B: Bit> Waiting<B> {
    /// Both empty.
    pub fn new(size: Size) -> Self {
        let bits = Self::bits(size, 0);
        Waiting {
            size,
            own: ShiftRegister::new(bits),
            received: ShiftRegister::new(bits),
            received_valid: B::ZERO,
        }
    }

    /// Bits of a message that wait in an iteration, at the most.
    fn bits(size: Size, iteration: usize) -> usize {
        let waits = 2 * size.free_dimensions(iteration as u32);
        size.message_bits(iteration as u32).min(waits)
    }

    /// The bits that have waited.
    #[inline]
    pub fn heads(&self) -> PerTrack<B> {
        PerTrack {
            track_0: self.own.head(),
            track_1: self.received.head(),
        }
    }

    /// 1 where step 1 has brought a message.
    #[inline]
    pub fn received_valid(&self) -> B {
        self.received_valid
    }

    /// The valid bit of what step 1 brings.
    #[inline]
    pub fn decide(&mut self, valid: B) {
        self.received_valid = valid;
    }

    /// The clock edge: `bit` comes in.
    #[inline]
    pub fn clock(&mut self, strobes: &WaitingStrobes<B::Strobe>, bit: PerTrack<B>) {
        let size = self.size;
        let place = |iteration| Self::bits(size, iteration) - 1;
        for (line, bit) in [
            (&mut self.own, bit.track_0),
            (&mut self.received, bit.track_1),
        ] {
            B::when(strobes.shift, line, |line| {
                line.shift();
                line.insert_at_tap(&strobes.fill, place, bit);
            });
        }
    }
}
