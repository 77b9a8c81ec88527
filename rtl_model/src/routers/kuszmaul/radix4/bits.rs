//! When bits of messages leave the buffers of schedule `radix4`.

use crate::language::bit::Strobe;
use crate::parts::windows::{Window, window};
use crate::routers::kuszmaul::radix4::clock::GroupNow;
use crate::routers::kuszmaul::radix4::dimension_groups::DimensionGroups;

/// Bits of messages are exchanged in a group of two dimensions, each for two bit times.
pub const EXCHANGE: Window = window("m+4 .. m+2L+3");

/// At a bit time. Two wires and four messages take two bit times for a bit.
pub struct MessageBits<S> {
    /// The first of the two: the bit goes over the first wire, and what was kept over the second.
    pub first_half: S,
    /// The second: what was received goes over the second wire, and the bit leaves the buffer.
    pub second_half: S,
    /// A group of one dimension, or a cube of one: a bit is on its way in one bit time.
    pub only: S,
    /// A cube of two dimensions: the bit is on the first wire.
    pub ahead: S,
    /// There: a bit is on the second wire.
    pub behind: S,
}

impl<S: Strobe> MessageBits<S> {
    /// At this bit time.
    pub fn new(groups: DimensionGroups, now: &GroupNow<S>) -> Self {
        let payload_bits = groups.size.payload_bits;
        let odd = now.is_odd();
        let four = S::gated(now.four, || now.within(EXCHANGE));
        let in_greedy = |greedy: bool, from, until| match greedy {
            true => S::gated(now.greedy, || now.between(from, until)),
            false => S::ZERO,
        };
        let until = 2 * (groups.greedy + payload_bits).saturating_sub(1);
        let greedy = in_greedy(groups.greedy > 2, 3, until);
        let is_first = match groups.size.dimensions % 2 {
            1 => odd,
            _ => !odd,
        };
        let two = S::gated(now.two, || {
            let begins = groups.two_times().packing + 1;
            now.between(begins, begins + groups.message_bits(groups.fours) - 1)
        });
        MessageBits {
            first_half: ((four & is_first) | (greedy & odd)).named("first_half"),
            second_half: ((four & !is_first) | (greedy & !odd)).named("second_half"),
            only: two | in_greedy(groups.greedy == 1, 1, payload_bits),
            ahead: in_greedy(groups.greedy == 2, 2, payload_bits + 1),
            behind: in_greedy(groups.greedy == 2, 3, payload_bits + 2),
        }
    }
}
