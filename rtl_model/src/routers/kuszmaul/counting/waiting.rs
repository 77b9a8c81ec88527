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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::strobes::Strobes;

    /// Two passes of an iteration, the second right behind the first.
    #[test]
    fn every_bit_waits_just_so_long_in_every_iteration_and_passes_do_not_mix() {
        for (dimensions, payload_bits) in [(2, 1), (2, 5), (4, 1), (4, 3), (5, 4), (5, 20)] {
            let size = Size {
                dimensions,
                payload_bits,
            };
            for i in 0..dimensions - 1 {
                let mut waiting = Waiting::<bool>::new(size);
                let (m, l) = (size.free_dimensions(i as u32), size.message_bits(i as u32));
                let bit = |pass: usize, at: usize| (pass * 37 + at * 11 + 5) >> (at % 4) & 1 == 1;
                for t in 0..2 * (2 * m + l) + 1 {
                    let (pass, at) = (t / (2 * m + l), t % (2 * m + l));
                    // Bit `b` is due 2m bit times after it came; the last one as the next pass begins.
                    let due = (t - pass * (2 * m + l))
                        .checked_sub(2 * m)
                        .filter(|&b| b > 0);
                    let last = (at == 0 && pass > 0).then(|| (pass - 1, l));
                    if let Some((pass, b)) = due.map(|b| (pass, b)).or(last) {
                        assert_eq!(waiting.heads().track_0, bit(pass, b), "{size:?} {i} {t}");
                        assert_eq!(waiting.heads().track_1, !bit(pass, b));
                    }
                    let mut strobes = WaitingStrobes::<bool>::idle();
                    let comes = (1..=l).contains(&at);
                    strobes.shift = comes || at > 2 * m;
                    strobes.fill.drive(comes, 0..dimensions - 1, |tap| tap == i);
                    let coming = PerTrack {
                        track_0: bit(pass, at),
                        track_1: !bit(pass, at),
                    };
                    waiting.clock(&strobes, coming);
                }
            }
        }
    }
}
