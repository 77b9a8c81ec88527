//! How much of a node's storage holds message bits, after each bit time of schedule `radix4`.
//!
//! A message bit counts from the source's buffer to the destination's, wherever it stands: in a
//! buffer, or in a list on its way. One that goes over a wire in the first of two bit times counts
//! where it was until the second is over. So the bits of all nodes together are the messages times
//! what is left of one.

use crate::language::bit::Bit;
use crate::machine::router::Position;
use crate::routers::kuszmaul::radix4::dimension_groups::{DimensionGroups, Kind};
use crate::routers::kuszmaul::radix4::node::Radix4Node;
use crate::routers::permutation::{Metered, Size};

impl<B: Bit> Metered<B> for Radix4Node<B> {
    fn messages(&self, after: Option<Position>, count: &mut dyn FnMut(B)) {
        let groups = self.groups;

        let together =
            |count: &mut dyn FnMut(B)| self.exchange.places().into_iter().for_each(count);
        let Some(after) = after else {
            return count(self.first_message.valid);
        };
        let (group, t) = (after.iteration as usize, after.bit_time as usize);
        let known = match groups.kind(group) {
            Kind::Four => 3 * groups.free_dimensions(group) + 2,
            Kind::Two => groups.two_times().packing + 7,
            Kind::Greedy => match groups.greedy {
                1 => 0,
                2 => 2,
                3 => 5,
                _ => 9,
            },
        };
        match groups.kind(group) {
            _ if t >= known => count(self.first_message.valid),
            Kind::Greedy if groups.greedy == 2 && t == 1 => {
                count(self.first_message.valid);
                count(self.exchange.received());
            }
            Kind::Greedy if t == 6 => {
                let last = groups.size.dimensions - 1;
                if let Some(packing) = &self.packing {
                    packing.stage(last).list().into_iter().for_each(count);
                }
            }
            Kind::Greedy if t > 6 => {
                if let Some(end) = &self.greedy_end {
                    end.at_last().into_iter().for_each(count);
                }
            }
            _ => together(count),
        }
    }

    fn occupancy(&self, _size: Size, after: Position, count: &mut dyn FnMut(B, u32)) {
        let groups = self.groups;

        let (group, t) = (after.iteration as usize, i64::from(after.bit_time));
        let mut bits = |flag: B, bits: i64| {
            if bits > 0 {
                count(flag, bits as u32);
            }
        };
        // What has come of the message that is here, the end of which may still be on its way.
        let arrived = match group.checked_sub(1) {
            None => (groups.size.dimensions + groups.size.payload_bits) as i64,
            Some(before) => {
                let since = t + groups.bit_times(before) as i64;
                on_their_way(groups, self, before, since, &mut bits);
                passed(groups, before, groups.free_dimensions(before), since)
            }
        };
        let here = arrived - taken(groups, group, t);
        let first = self.exchange.first();
        bits(first.leaving(), here);
        bits(first.staying(), here);
        match groups.kind(group) {
            Kind::Greedy => greedy(groups, self, t, &mut bits),
            _ => {
                on_their_way(groups, self, group, t, &mut bits);
                let delivered = passed(groups, group, groups.free_dimensions(group), t);
                bits(self.first_message.valid, delivered);
            }
        }
    }
}

/// Those of `amount` events that have happened by `t`: the first at `first`, then one `every` so
/// many bit times.
fn events(t: i64, first: i64, every: i64, amount: usize) -> i64 {
    match t < first {
        true => 0,
        false => ((t - first) / every + 1).min(amount as i64),
    }
}

/// The bits of a group that its stage `r` has passed on by bit time `t` from its beginning, which
/// may be in the next group; those that have entered the first list, for stage 0.
fn passed(groups: DimensionGroups, group: usize, stage: usize, t: i64) -> i64 {
    let (m, length) = (groups.free_dimensions(group), groups.message_bits(group));
    let r = stage as i64;
    match groups.kind(group) {
        Kind::Four => {
            let events = |t| events(t, m as i64 + 5 + 2 * r, 2, length);
            let next = groups.bit_times(group) as i64;
            // While the next group enumerates, the row pauses.
            let (pause, lasts) = match groups.kind(group + 1) {
                Kind::Four => (next + r, m as i64 - 2),
                Kind::Two => (next + r, 4),
                Kind::Greedy => return events(t),
            };
            match stage {
                0..=2 if groups.kind(group + 1) == Kind::Four => events(t),
                0 | 1 => events(t),
                _ => events(t.min(pause - 1)).max(events(t - lasts)),
            }
        }
        Kind::Two => {
            let first = groups.two_times().packing as i64 + 1 + r;
            // Stage r passes bit j on in s+2r+j.
            let first = if stage == 0 { first } else { first + r - 1 };
            events(t, first, 1, length)
        }
        Kind::Greedy => 0,
    }
}

/// The bits of a message that are no longer in its buffer, or no longer needed.
fn taken(groups: DimensionGroups, group: usize, t: i64) -> i64 {
    let payload_bits = groups.size.payload_bits;
    match groups.kind(group) {
        Kind::Four => events(t, 0, 1, 2) + passed(groups, group, 0, t),
        Kind::Two => 1 + passed(groups, group, 0, t),
        Kind::Greedy => match groups.greedy {
            1 => 1 + events(t, 1, 1, payload_bits),
            2 => events(t, 0, 1, 2) + events(t, 3, 1, payload_bits),
            greedy => events(t, 0, 1, 2) + events(t, 4, 2, greedy - 2 + payload_bits),
        },
    }
}

/// Those in the lists of a group, by its bit time.
fn on_their_way<B: Bit>(
    groups: DimensionGroups,
    node: &Radix4Node<B>,
    group: usize,
    t: i64,
    bits: &mut dyn FnMut(B, i64),
) {
    let Some(counting) = &node.counting else {
        return;
    };
    let m = groups.free_dimensions(group);
    let mut entered = passed(groups, group, 0, t);
    for stage in 1..=m {
        let left = passed(groups, group, stage, t);
        let messages = match stage {
            1 => node.exchange.count(),
            _ => counting.messages(groups.size.dimensions - m + stage - 1),
        };
        for (place, bit) in messages.into_iter().enumerate() {
            bits(bit, (entered - left) << place);
        }
        entered = left;
    }
}

/// Those in the lists of the greedy end, and those at home.
fn greedy<B: Bit>(
    groups: DimensionGroups,
    node: &Radix4Node<B>,
    t: i64,
    bits: &mut dyn FnMut(B, i64),
) {
    let payload_bits = groups.size.payload_bits;
    let end = 2 * payload_bits as i64;
    let even = t % 2 == 0;
    let (in_first_list, at_home) = match groups.greedy {
        1 => (false, events(t, 1, 1, payload_bits)),
        2 => (false, events(t, 3, 1, payload_bits)),
        3 => (
            even && (4..=4 + end).contains(&t),
            events(t, 7, 2, payload_bits),
        ),
        _ => (
            t == 4 || (6..=7 + end).contains(&t),
            events(t, 11, 2, payload_bits),
        ),
    };
    bits(node.first_message.valid, at_home);
    if in_first_list {
        for (place, bit) in node.exchange.count().into_iter().enumerate() {
            bits(bit, 1 << place);
        }
    }
    if let (4, Some(switches)) = (groups.greedy, &node.greedy_end)
        && even
        && (8..=8 + end).contains(&t)
    {
        for flag in switches.at_last() {
            bits(flag, 1);
        }
    }
}
