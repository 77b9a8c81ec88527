//! How much of a node's storage holds message bits, after each bit time of schedule `plain`.
//!
//! A bit of a message counts from the source's buffer to the destination's, wherever it stands; an
//! address bit counts until its iteration consumes it. So the bits of all nodes together are the
//! messages times `L` from the first bit time of iteration `i` on: nothing is lost, nothing
//! doubled. Ranks and rendezvous addresses are control and do not count.

use crate::language::bit::Bit;
use crate::machine::router::Position;
use crate::routers::kuszmaul::plain::node::PlainNode;
use crate::routers::permutation::{Metered, Size};

impl<B: Bit> Metered<B> for PlainNode<B> {
    fn messages(&self, _after: Option<Position>, count: &mut dyn FnMut(B)) {
        count(self.first_message.valid);
        count(self.has_second());
    }

    fn occupancy(&self, size: Size, after: Position, count: &mut dyn FnMut(B, u32)) {
        let k = size.dimensions as u32;
        let t = after.bit_time;
        let m = size.free_dimensions(after.iteration) as u32;
        let length = size.message_bits(after.iteration) as u32;
        let (first, second) = (self.first_message.valid, self.has_second());
        let staying = self.exchange.staying();

        match after.step {
            1 => {
                count(staying, length);
                count(self.exchange.leaving(), length - t);
                count(first & !staying, t);
                count(second, t);
            }
            2 | 4 | 5 => {
                count(first, length);
                count(second, length);
            }
            3 | 6 => {
                let back = after.step == 6;
                // Stage r of the row, from 1, and the register behind it.
                let dimension = |r: u32| if back { k - r } else { k - 1 - m + r } as usize;
                // Body bits enter stage 1 from bit time m on and leave stage m from 2m-1 on.
                let sent = (t + 1).saturating_sub(m).min(length);
                let arrived = (t + 1).saturating_sub(2 * m - 1).min(length);
                count(self.packing.stage(dimension(1)).engaged(), length - sent);
                for r in 1..m {
                    if (m + r - 1..m + r - 1 + length).contains(&t) {
                        count(self.packing.stage(dimension(r + 1)).valid(), 1);
                    }
                }
                if !back {
                    count(first, length);
                    count(second, arrived);
                } else if t < 2 * m - 2 {
                    count(first, length);
                } else {
                    count(first & staying, length);
                    count(first & !staying, arrived);
                }
            }
            _ => {
                count(first, length);
            }
        }
    }
}
