//! How O.C. SEND 3 (Stout & Wagar 1987, section 3) cuts a message in a cube of `n` dimensions.
//!
//! ```text
//!   n = 3        distance 0     1              2              3
//!                m bits   -->   p_0       -->  2 p_1     -->  3 p_2
//!                         p_0             p_1            p_2
//!                         on 3 ports      on 2           on 1
//!
//!   node 011     | from port 0 | from port 1 |      the arrivals by ascending dimension, one behind the other,
//!                | to port 2           |            are cut equally over the missing dimensions, ascending
//! ```
//!
//! All nodes at a distance `k` do the same, so packets are all as long as the longest: `p_k = ceil(k p_(k-1) / (n - k))`. If the
//! lowest common multiple of 1 to `n` divides the message, nothing is rounded. Otherwise no rule that is the same for all nodes
//! knows where the padding of earlier stages lies, and it is carried on: short messages grow.

use std::ops::Range;

/// A group of a message, and the packets that it is cut into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Bits of the group.
    pub(super) group: usize,
    /// By stage, the bits of a packet: from distance `k` to `k + 1`.
    pub(super) packets: Vec<usize>,
}

/// Bits of a group that lie together at the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Where they lie among what the destination has of the group.
    pub(super) place: usize,
    /// The first bit.
    pub(super) bit: usize,
    /// How many.
    pub(super) bits: usize,
}

impl Cut {
    /// Cuts a group in a cube of `n` dimensions.
    pub(super) fn new(n: usize, group: usize) -> Cut {
        let mut packets: Vec<usize> = Vec::new();
        for stage in 0..n {
            let held = packets.last().map_or(group, |packet| stage * packet);
            packets.push(held.div_ceil(n - stage));
        }
        Cut { group, packets }
    }

    /// Dimensions.
    pub(super) fn n(&self) -> usize {
        self.packets.len()
    }

    /// Bits that a node at a distance has.
    pub(super) fn held(&self, distance: usize) -> usize {
        match distance {
            0 => self.group,
            _ => distance * self.packets[distance - 1],
        }
    }

    /// Bits that the destination has in the end.
    pub(super) fn out(&self) -> usize {
        self.held(self.n())
    }

    /// Bits of the packets of a group's last stage, which are the longest.
    pub(super) fn last(&self) -> usize {
        self.packets[self.n() - 1]
    }

    /// Bits of memory that any node on the way or an end needs for a group, with the padding that it reads.
    pub(super) fn area(&self) -> usize {
        let (n, packets) = (self.n(), self.packets.iter().enumerate());
        let sent = packets.map(|(stage, packet)| (n - stage) * packet);
        sent.fold(self.out(), usize::max)
    }

    /// Where the bits of the group lie at the destination.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        let corner = (1 << self.n()) - 1;
        self.follow_back(&mut runs, (corner, self.n()), 0..self.out(), 0);
        runs
    }

    /// Follows bits back to the source that a node at a distance has, and that come to lie in a place of the destination and
    /// behind it.
    fn follow_back(
        &self,
        runs: &mut Vec<Run>,
        (node, distance): (usize, usize),
        bits: Range<usize>,
        mut place: usize,
    ) {
        // Behind what the node has there is padding.
        let (mut bit, end) = (bits.start, bits.end.min(self.held(distance)));
        if bit >= end {
            return;
        }
        let Some(stage) = distance.checked_sub(1) else {
            let bits = end - bit;
            match runs.last_mut() {
                Some(run) if run.place + run.bits == place && run.bit + run.bits == bit => {
                    run.bits += bits;
                }
                _ => runs.push(Run { place, bit, bits }),
            }
            return;
        };
        let packet = self.packets[stage];
        let ports = (0..self.n()).filter(|port| node >> port & 1 == 1);
        for (line, port) in ports.enumerate() {
            let behind = end.min((line + 1) * packet);
            if bit >= behind {
                continue;
            }
            let sender = node & !(1 << port);
            let rank = port - (sender & ((1 << port) - 1)).count_ones() as usize;
            let sent = rank * packet + bit - line * packet;
            let length = behind - bit;
            self.follow_back(runs, (sender, stage), sent..sent + length, place);
            (bit, place) = (behind, place + length);
        }
    }
}

/// The lowest common multiple of 1 to `n`, which divides a message that is cut without rounding.
pub(super) fn whole(n: usize) -> usize {
    fn common(a: usize, b: usize) -> usize {
        if b == 0 { a } else { common(b, a % b) }
    }
    (1..=n).fold(1, |multiple, number| {
        multiple / common(multiple, number) * number
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_divides_is_spread_evenly_over_all_links() {
        assert_eq!((whole(1), whole(4), whole(5)), (1, 12, 60));
        assert_eq!(Cut::new(4, 12).packets, [3, 1, 1, 3]);
        assert_eq!(Cut::new(5, 60).packets, [12, 3, 2, 3, 12]);
    }

    #[test]
    fn padding_is_carried_on() {
        assert_eq!(Cut::new(5, 61).packets, [13, 4, 3, 5, 20]);
        assert_eq!(Cut::new(5, 1).packets, [1, 1, 1, 2, 8]);
    }

    #[test]
    fn every_bit_lies_in_one_place_of_the_destination() {
        for (n, group) in [(1, 3), (3, 7), (4, 12), (4, 13), (5, 1), (5, 60), (5, 64)] {
            let cut = Cut::new(n, group);
            let runs = cut.runs();
            let mut bits: Vec<usize> = runs
                .iter()
                .flat_map(|run| run.bit..run.bit + run.bits)
                .collect();
            bits.sort_unstable();
            assert_eq!(bits, (0..group).collect::<Vec<_>>(), "{n} {group}");
            assert!(runs.iter().all(|run| run.place + run.bits <= cut.out()));
            assert_eq!(cut.last(), cut.packets.iter().copied().max().unwrap());
        }
    }
}
