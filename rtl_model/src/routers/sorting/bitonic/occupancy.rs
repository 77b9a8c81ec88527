//! How much of a node's storage holds message bits, after each bit time of a bitonic sort.
//!
//! A message bit counts from the source's ring to the destination's, until the unpacking consumes
//! it; valid bits do not count. While the sort runs, a comparator knows whether what leaves it is a
//! message. What has not come to a comparator of its phase yet is a message where comparator 0 says
//! so, if its last round left it, and where the node's valid bit says so, if the round before did.
//! Once the unpacking has begun, the stages of its row know.

use crate::language::bit::Bit;
use crate::machine::router::Position;
use crate::routers::permutation::{Metered, Size};
use crate::routers::sorting::bitonic::comparators::record_bits;
use crate::routers::sorting::bitonic::node::BitonicNode;

impl<B: Bit> Metered<B> for BitonicNode<B> {
    fn messages(&self, _after: Option<Position>, count: &mut dyn FnMut(B)) {
        count(self.held_message.valid);
    }

    fn occupancy(&self, size: Size, after: Position, count: &mut dyn FnMut(B, u32)) {
        let unpacks = self.unpacks;

        let (k, width) = (size.dimensions, record_bits(size));
        let (t, unpacking) = times(size, after, unpacks);
        let engaged = |d: usize| self.sorting.stage(d).switch.engaged();
        let valid = self.held_message.valid;
        // What has left a comparator for the next one. Position i now holds bit t+1+i of the stream.
        for position in 0..k - 1 {
            let (phase, bit) = ((t + 1 + position) / width, (t + 1 + position) % width);
            // The last round's record is the unpacking's, once that has begun.
            let counts_here = phase < k || unpacking.is_none();
            if bit != 0 && counts_here {
                let is_message = match phase {
                    _ if phase < k && phase > position => engaged(position + 1),
                    _ if phase == t / width => valid,
                    _ => engaged(0),
                };
                count(is_message, 1);
            }
        }
        let Some(u) = unpacking else {
            // The rest of the ring: of the round that is under way, and of what it leaves.
            let next = (t / width + 1) * width;
            let under_way = next.saturating_sub(t + k);
            let begins = usize::from(next >= t + k);
            count(valid, under_way as u32);
            count(engaged(0), (width - k + 1 - under_way - begins) as u32);
            return;
        };
        let end = (k + 1) * width;
        let waiting = (end.min(t + width + 1)).saturating_sub(t + 1 + k);
        count(engaged(k - 1), waiting as u32);
        for d in 1..k {
            // Stage d is the r-th of the row.
            let r = k - d;
            let ring = &self.held_message.bits;
            if u + 1 == 2 * r {
                count(ring.bit(d.checked_sub(2).unwrap_or(width - 1)), 1);
            } else if (2 * r..=2 * (r - 1) + d + size.payload_bits).contains(&u) {
                count(engaged(d - 1), 1);
            }
        }
        let arrived = (u + 2).saturating_sub(2 * k).min(size.payload_bits);
        count(valid, arrived as u32);
    }
}

/// Bit times since the sort began, and since the unpacking did.
fn times(size: Size, after: Position, unpacks: bool) -> (usize, Option<usize>) {
    let width = record_bits(size);
    let t = after.iteration as usize * width + after.bit_time as usize;
    let begins = size.dimensions * (width - 1) + 1;
    (t, t.checked_sub(begins).filter(|_| unpacks))
}

/// Every other bit time of the unpacking another destination bit is consumed.
pub(super) fn live_bits(size: Size, after: Position, unpacks: bool) -> usize {
    let (_, unpacking) = times(size, after, unpacks);
    let consumed = unpacking.map_or(0, |u| (u / 2 + 1).min(size.dimensions));
    size.dimensions + size.payload_bits - consumed
}
