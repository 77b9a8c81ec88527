//! How much of a node's storage holds message bits, after each bit time of schedule `spread`.
//!
//! A message bit counts from the source's buffer to the destination's, wherever it stands: in a
//! buffer, or in the register behind a stage on its way. So the bits of all nodes together are the
//! messages times `L` from the first bit time of an iteration on: nothing is lost, nothing doubled.
//! Ranks are control and do not count.

use crate::language::bit::Bit;
use crate::machine::router::Position;
use crate::routers::kuszmaul::spread::node::SpreadNode;
use crate::routers::permutation::{Metered, Size, passed};

impl<B: Bit> Metered<B> for SpreadNode<B> {
    fn messages(&self, _after: Option<Position>, count: &mut dyn FnMut(B)) {
        count(self.first_message.valid);
        count(self.has_second());
    }

    fn occupancy(&self, size: Size, after: Position, count: &mut dyn FnMut(B, u32)) {
        let Position {
            iteration,
            bit_time: t,
            ..
        } = after;
        let m = size.free_dimensions(iteration) as u32;
        let length = size.message_bits(iteration) as u32;
        let (leaving, staying) = (self.exchange.leaving(), self.exchange.staying());
        let exchanged = t.min(length);
        // After the first iteration, the end of what the packing delivers is still coming.
        let here = match iteration {
            0 => length,
            _ => (size.payload_bits as u32 + 1 + t).min(length),
        };
        count(leaving, here - exchanged);
        if m == 0 {
            count(staying, here);
            count(self.first_message.valid & !staying, exchanged);
        } else {
            // The two messages, until the packing has taken them.
            let taken = passed(t, 2 * m + 1, length);
            count(staying, here - taken);
            let second = match t > m {
                true => self.packing.stage(iteration as usize + 1).engaged().track_1,
                false => self.has_second(),
            };
            count(second, exchanged - taken.min(exchanged));
            if t + 1 >= 3 * m {
                count(self.first_message.valid, passed(t, 3 * m, length));
            }
        }
        on_their_way(size, self, (iteration, t), count);
        if iteration > 0 {
            // The end of the packing of the iteration before, by that one's count.
            let before = 2 * (m + 1) + (length + 1) + 1;
            on_their_way(size, self, (iteration - 1, t + before), count);
        }
    }
}

/// In the registers behind the stages of the packing.
fn on_their_way<B: Bit>(
    size: Size,
    node: &SpreadNode<B>,
    (iteration, t): (u32, u32),
    count: &mut dyn FnMut(B, u32),
) {
    let m = size.free_dimensions(iteration) as u32;
    let length = size.message_bits(iteration) as u32;
    for r in 1..m {
        if (2 * m + r..2 * m + r + length).contains(&t) {
            let coming = node.packing.stage((iteration + r + 1) as usize).valid();
            count(coming.track_0, 1);
            count(coming.track_1, 1);
        }
    }
}
