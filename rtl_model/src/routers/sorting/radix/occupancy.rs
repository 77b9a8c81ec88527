//! How much of a node's storage holds message bits, after each bit time of a radix sort.
//!
//! A message bit counts from the source's buffer to the destination's, wherever it stands: in a
//! buffer, or in the register behind a stage on its way. Ranks, numbers and valid bits are control
//! and do not count. All of a message is needed until the unpacking consumes its destination.

use crate::language::bit::Bit;
use crate::machine::router::Position;
use crate::routers::permutation::{Metered, Size, passed};
use crate::routers::sorting::radix::node::RadixNode;
use crate::routers::sorting::radix::sequencer::pass_length;

impl<B: Bit> Metered<B> for RadixNode<B> {
    fn messages(&self, _after: Option<Position>, count: &mut dyn FnMut(B)) {
        count(self.held_message.valid);
    }

    fn occupancy(&self, size: Size, after: Position, count: &mut dyn FnMut(B, u32)) {
        let unpacks = self.unpacks;

        let (k, d) = (size.dimensions as u32, size.payload_bits as u32);
        let length = k + d;
        let valid = self.held_message.valid;
        let stage = |dimension: u32| self.packing.stage(dimension as usize);
        if let Some(u) = unpacking(size, after, unpacks) {
            count(stage(k - 1).engaged(), length.saturating_sub(u + 1));
            for passed in 0..k - 1 {
                if (2 * passed + 1..=k + passed + d - 1).contains(&u) {
                    count(stage(k - 2 - passed).valid(), 1);
                }
            }
            if u > 2 * k - 2 {
                count(valid, u - (2 * k - 2));
            }
            return;
        }
        let t = after.bit_time;
        let arrived = |t: u32| passed(t, 3 * k - 1, length);
        let mut on_their_way = |t: u32| {
            for dimension in 0..k - 1 {
                if (2 * k + dimension..2 * k + dimension + length).contains(&t) {
                    count(stage(dimension + 1).valid(), 1);
                }
            }
        };
        on_their_way(t);
        let here = match after.iteration {
            0 => length,
            _ => {
                // The end of the pass before, by that one's count.
                let before = t + pass_length(size) as u32;
                on_their_way(before);
                arrived(before)
            }
        };
        match t < k {
            true => count(valid, here),
            false => count(stage(0).engaged(), here - passed(t, 2 * k, length)),
        }
        if t + 1 >= 3 * k {
            count(valid, arrived(t));
        }
    }
}

/// Bit times since the unpacking began.
fn unpacking(size: Size, after: Position, unpacks: bool) -> Option<u32> {
    let (k, d) = (size.dimensions as u32, size.payload_bits as u32);
    let is_last = unpacks && after.iteration == k;
    (after.bit_time.checked_sub(4 * k + d - 1)).filter(|_| is_last)
}

/// Every other bit time of the unpacking another destination bit is consumed.
pub(super) fn live_bits(size: Size, after: Position, unpacks: bool) -> usize {
    let consumed = unpacking(size, after, unpacks).map_or(0, |u| u as usize / 2 + 1);
    size.dimensions + size.payload_bits - consumed.min(size.dimensions)
}
