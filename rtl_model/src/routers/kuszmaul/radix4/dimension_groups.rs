//! Which dimensions go together, and when a group begins.

use crate::parts::windows::{Moment, moment};
use crate::routers::permutation::Size;

/// Bit times of a group of two dimensions; of one that a group of one follows, one fewer.
pub const FOUR: Moment = moment("m+2L+7");
/// Of a group of one dimension; behind a group of two, one more.
pub const TWO: Moment = moment("L+8");
/// Of the greedy end, by its dimensions from 1.
pub const GREEDY: [Moment; 4] = [
    moment("D+1"),
    moment("D+3"),
    moment("2D+6"),
    moment("2D+10"),
];

/// The groups that the dimensions of a cube make: first some of two dimensions, perhaps one of one
/// dimension, then those of the greedy end.
///
/// Four dimensions at the end are the most that do without packing where a wire has two bit times
/// for a bit of a message; an odd number before them leaves a group of one. With a payload of one
/// bit it is faster to leave three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimensionGroups {
    /// The machine and its messages.
    pub size: Size,
    /// Groups of two dimensions.
    pub fours: usize,
    /// There is a group of one dimension.
    pub has_two: bool,
    /// Dimensions of the greedy end: 1 to 4.
    pub greedy: usize,
}

/// What a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Of two dimensions: four messages a node, radix 4.
    Four,
    /// Of one dimension: two messages a node, radix 2.
    Two,
    /// The greedy end.
    Greedy,
}

/// Bit times of a group of one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TwoTimes {
    /// The enumeration begins.
    pub enumeration: usize,
    /// The packing begins.
    pub packing: usize,
}

impl DimensionGroups {
    /// For a machine and its messages.
    pub fn new(size: Size) -> Self {
        let k = size.dimensions;
        let (fours, has_two, greedy) = match k {
            0..=4 => (0, false, k),
            _ if k.is_multiple_of(2) => ((k - 4) / 2, false, 4),
            _ if size.payload_bits > 1 => ((k - 5) / 2, true, 4),
            _ => ((k - 3) / 2, false, 3),
        };
        DimensionGroups {
            size,
            fours,
            has_two,
            greedy,
        }
    }

    /// Groups, the greedy end included.
    pub fn count(&self) -> usize {
        self.fours + usize::from(self.has_two) + 1
    }

    /// What group `group` is.
    pub fn kind(&self, group: usize) -> Kind {
        match group {
            _ if group < self.fours => Kind::Four,
            _ if group + 1 < self.count() => Kind::Two,
            _ => Kind::Greedy,
        }
    }

    /// The first dimension of a group.
    pub fn first_dimension(&self, group: usize) -> usize {
        2 * group.min(self.fours) + group.saturating_sub(self.fours)
    }

    /// `m`: the dimensions that a group leaves.
    pub fn free_dimensions(&self, group: usize) -> usize {
        let taken = match self.kind(group) {
            Kind::Four => 2,
            Kind::Two => 1,
            Kind::Greedy => self.greedy,
        };
        self.size.dimensions - self.first_dimension(group) - taken
    }

    /// `L`: the bits of a message that a group leaves.
    pub fn message_bits(&self, group: usize) -> usize {
        self.free_dimensions(group) + self.size.payload_bits
    }

    /// The dimensions over which messages are counted and packed in some group, or pass the greedy
    /// end's switches: those that have a list of messages.
    pub fn listed(&self) -> std::ops::Range<usize> {
        let k = self.size.dimensions;
        match k {
            0..=2 => k..k,
            _ if self.fours == 0 && self.has_two => 1..k,
            _ => 2..k,
        }
    }

    /// Messages are packed at all.
    pub fn packs(&self) -> bool {
        self.count() > 1
    }

    /// When things happen in the group of one dimension: one bit time later behind a group of two,
    /// whose last bits are still on their way.
    pub fn two_times(&self) -> TwoTimes {
        let later = usize::from(self.fours > 0);
        TwoTimes {
            enumeration: 1 + later,
            packing: 5 + later,
        }
    }

    /// Bit times of a group, from its beginning to that of the next.
    pub fn bit_times(&self, group: usize) -> usize {
        let bit_times = match self.kind(group) {
            Kind::Four if self.kind(group + 1) == Kind::Two => FOUR + -1,
            Kind::Four => FOUR,
            Kind::Two => TWO + i32::from(self.fours > 0),
            Kind::Greedy => GREEDY[self.greedy - 1],
        };
        let m = self.free_dimensions(group);
        bit_times.value(m, self.size.payload_bits, 0) as usize
    }

    /// The positions of the buffer at which bits arrive.
    pub fn arrivals(&self) -> std::ops::RangeInclusive<usize> {
        let d = self.size.payload_bits;
        let lowest = match self.greedy {
            _ if self.has_two => d.saturating_sub(4),
            4 => d.saturating_sub(2),
            _ => d - 1,
        };
        let highest = match self.fours {
            0 if self.has_two => d,
            0 => d - 1,
            1 if !self.has_two => d,
            _ => d + self.free_dimensions(0).div_ceil(2).saturating_sub(2).max(1),
        };
        lowest..=highest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::strobes::Strobes;
    use crate::machine::router::Sequencer;
    use crate::routers::kuszmaul::radix4::{Radix4Sequencer, Radix4Strobes};

    /// Plans of cubes of all dimensions up to 14, with short payloads and long ones.
    fn all_groups() -> impl Iterator<Item = DimensionGroups> {
        (1..=14).flat_map(|dimensions| {
            [1, 2, 3, 4, 5, 17].map(|payload_bits| {
                DimensionGroups::new(Size {
                    dimensions,
                    payload_bits,
                })
            })
        })
    }

    #[test]
    fn bits_arrive_at_the_positions_of_arrivals_and_at_each_end_of_them() {
        for groups in all_groups() {
            let mut sequencer = Radix4Sequencer::<bool>::new(groups);
            let mut strobes = Radix4Strobes::<bool>::idle();
            let (lowest, highest) = groups.arrivals().into_inner();
            let mut level = groups.size.dimensions + groups.size.payload_bits;
            let mut arrivals = Vec::new();
            while !sequencer.is_done() {
                sequencer.broadcast(&mut strobes);
                level -= usize::from(strobes.shift);
                for (above, arrives) in strobes.arrive.iter() {
                    if arrives {
                        assert_eq!(lowest + above, level, "{groups:?}");
                        arrivals.push(level);
                        level += 1;
                    }
                }
                sequencer.clock();
            }
            let packed = (0..groups.count())
                .map(|group| groups.message_bits(group))
                .sum();
            assert_eq!(arrivals.len(), packed, "{groups:?}");
            let ends = (arrivals.iter().min(), arrivals.iter().max());
            assert_eq!(ends, (Some(&lowest), Some(&highest)), "{groups:?}");
        }
    }
}
