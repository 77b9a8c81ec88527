//! When each stage of schedule `radix4` does what: the windows of all groups, in bit times from the
//! beginning of a group.
//!
//! The packing goes on while the next group begins, and the next group's enumeration goes first: on
//! the dimension of its stage `r` the packing pauses from bit time `r+2` of it on, for `m` bit times.
//! It goes on with what is left, a bit time later in all; its second dimension ends in bit time 0.
//!
//! In the greedy end the group before it packs up to `2r-4`, where `r` counts the end's dimensions
//! from 1.

use crate::language::bit::Strobe;
use crate::parts::windows::{Moment, Window, moment, window};
use crate::routers::kuszmaul::radix4::clock::GroupNow;
use crate::routers::kuszmaul::radix4::dimension_groups::{DimensionGroups, Kind};

/// A group of two dimensions (radix 4), or an end of two or more, tells who crosses the first, and the second.
pub const WHO: [Window; 2] = [window("0 .. 1"), window("1 .. 2")];
/// In a group of two dimensions, both halves of the bit times of a bit that is exchanged: over the first wire and over the second,
/// and over the second again.
pub const TURNS: [Window; 2] = [
    window("m+4 .. by 2 .. m+2L+2"),
    window("m+5 .. by 2 .. m+2L+3"),
];
/// The adders of stage `r` enumerate.
pub const ENUMERATES: Window = window("r+2 .. m+r+1");
/// Counts that are added up are on its wire: as many bits as the count there has.
pub const COUNTS: Window = window("r+2 .. min(2r+3, m+r+1)");
/// Counts are exchanged.
pub const EXCHANGES: Window = window("m+2r+1 .. m+2r+3");
/// Its adders control the packing: as long as counts come out, or places are passed on.
pub const CONTROLS: [Window; 2] = [window("m+2r+1 .. m+2r+4"), window("m+2r+1 .. 2m+r+1")];
/// Messages are packed, on two lanes, each bit in two bit times; but for the pause.
pub const LANES: [Window; 2] = [
    window("m+2r+4 .. by 2 .. m+2r+2L+2"),
    window("m+2r+5 .. by 2 .. m+2r+2L+3"),
];
/// The packing delivers its valid bit.
pub const DELIVERS: Moment = moment("3m+2");

/// In the next group of two dimensions, by its `m` and `r`: the packing before the pause.
pub const BEFORE_PAUSE: Window = window("0 .. r+1");
/// After it.
pub const AFTER_PAUSE: Window = window("m+r+2 .. m+2r");
/// The last bit time in which the first stage packs, where the next group begins with it.
pub const FIRST_ENDS: Moment = moment("m+2L+5");

/// In a group of one dimension (radix 2), which leaves four (`m = 4`), from where its enumeration begins: the adders of stage `r`
/// enumerate.
const TWO_ENUMERATES: Window = window("r-1 .. r+2");
/// Counts that are added up are on its wire.
pub const TWO_COUNTS: Window = window("r-1 .. min(2r-1, r+2)");
/// From where its packing begins: counts are exchanged.
pub const TWO_EXCHANGES: Window = window("2r-2 .. 2r-1");
/// Its adders control the packing.
pub const TWO_CONTROLS: [Window; 2] = [window("2r-2 .. r+2"), window("2r-2 .. 2r")];
/// Messages are packed, on one lane.
pub const TWO_LANE: Window = window("2r .. 2r+L-1");
/// They are next.
const TWO_ADVANCES: Window = window("2r-1 .. 2r+L-2");
/// From its beginning: the group before it packs, with a pause.
pub const BEFORE_TWO: [Window; 2] = [window("0 .. r"), window("r+5 .. 2r+3")];

/// In a greedy end of one dimension: who crosses, and bits of messages.
pub const END_OF_ONE: [Window; 2] = [window("0"), window("1 .. D")];
/// In one of two: bits of messages over the first and over the second.
pub const END_OF_TWO: [Window; 2] = [window("2 .. D+1"), window("3 .. D+2")];
/// In one of `r`, three or four: both halves, as in a group of two dimensions.
pub const END_TURNS: [Window; 2] = [
    window("3 .. by 2 .. 2D+2r-3"),
    window("4 .. by 2 .. 2D+2r-2"),
];
/// In one of four: who crosses the last dimension but one and bits of messages, on two lanes.
pub const END_LANES: [Window; 2] = [window("5 .. by 2 .. 2D+7"), window("6 .. by 2 .. 2D+8")];
/// In one of three and in one of four: who crosses the last dimension, and bits of messages.
pub const END_LAST: [Window; 2] = [window("5 .. by 2 .. 2D+5"), window("9 .. by 2 .. 2D+9")];

/// The windows, at a bit time.
pub struct Windows<'a, S: Strobe> {
    groups: DimensionGroups,
    now: &'a GroupNow<S>,
}

impl<'a, S: Strobe> Windows<'a, S> {
    /// At this bit time.
    pub fn new(groups: DimensionGroups, now: &'a GroupNow<S>) -> Self {
        Windows { groups, now }
    }

    /// The stage's number in the group of one dimension; none, if it is not in it.
    fn stage_of_two(&self, dimension: usize) -> Option<usize> {
        let first = self.groups.first_dimension(self.groups.fours);
        dimension.checked_sub(first).filter(|stage| *stage > 0)
    }

    /// 1 in a window of the stage of `dimension` in a group of two dimensions.
    fn four(&self, dimension: usize, window: Window) -> S {
        S::gated(self.is_free(dimension), || {
            self.now.within_at(dimension, window)
        })
    }

    /// 1 in groups of two dimensions that leave `dimension`.
    fn is_free(&self, dimension: usize) -> S {
        let free = S::gated(self.now.four, || self.now.is_free(dimension));
        free.named(format_args!("is_free_{dimension}"))
    }

    /// 1 in a window of the stage of `dimension` in the group of one dimension, counted from a bit time of the group.
    fn two(&self, dimension: usize, begins: usize, window: Window) -> S {
        match self.stage_of_two(dimension) {
            Some(stage) => S::gated(self.now.two, || {
                let m = self.groups.free_dimensions(self.groups.fours);
                let stretch = window.stretch(m, self.groups.size.payload_bits, stage);
                self.now.during(stretch.later(begins as i64))
            }),
            None => S::ZERO,
        }
    }

    /// The same from where its enumeration begins.
    fn two_counts(&self, dimension: usize, window: Window) -> S {
        self.two(dimension, self.groups.two_times().enumeration, window)
    }

    /// The same from where its packing begins.
    fn two_packs(&self, dimension: usize, window: Window) -> S {
        self.two(dimension, self.groups.two_times().packing, window)
    }

    /// The row of stages begins at `dimension`.
    pub fn inject(&self, dimension: usize) -> S {
        let four = match dimension % 2 {
            0 => self.now.four & self.now.is_group(dimension / 2 - 1),
            _ => S::ZERO,
        };
        match self.stage_of_two(dimension) {
            Some(1) => four | self.now.two,
            _ => four,
        }
    }

    /// Counts that are added up are on its wire.
    pub fn enumerate(&self, dimension: usize) -> S {
        self.four(dimension, COUNTS) | self.two_counts(dimension, TWO_COUNTS)
    }

    /// Its adders enumerate.
    pub fn enumerates(&self, dimension: usize) -> S {
        self.four(dimension, ENUMERATES) | self.two_counts(dimension, TWO_ENUMERATES)
    }

    /// Counts that are exchanged are on its wire.
    pub fn exchange(&self, dimension: usize) -> S {
        self.four(dimension, EXCHANGES) | self.two_packs(dimension, TWO_EXCHANGES)
    }

    /// Its adders control the packing.
    pub fn controls(&self, dimension: usize) -> S {
        let four = CONTROLS.map(|window| self.four(dimension, window));
        let two = TWO_CONTROLS.map(|window| self.two_packs(dimension, window));
        (four[0] | four[1]) | (two[0] | two[1])
    }

    /// It begins to enumerate.
    pub fn begin_enumerating(&self, dimension: usize) -> S {
        let two = self.two_counts(dimension, TWO_COUNTS.begins(0));
        self.four(dimension, COUNTS.begins(0)) | two
    }

    /// It begins to control the packing, `bit` bit times ago.
    pub fn controls_bit(&self, dimension: usize, bit: usize) -> S {
        let later = bit as i32;
        let four = self.four(dimension, EXCHANGES.begins(later));
        match bit {
            2 => four,
            _ => four | self.two_packs(dimension, TWO_EXCHANGES.begins(later)),
        }
    }

    /// Bit `bit` of the number of messages enters the row.
    pub fn count_bit(&self, bit: usize) -> S {
        let (now, bit_time) = (self.now, bit as i32);
        let four = S::gated(now.four, || {
            let enters = |window: Window| now.within(window.of_first_stage().begins(bit_time));
            enters(COUNTS) | enters(EXCHANGES)
        });
        let times = self.groups.two_times();
        let two = S::gated(now.two, || {
            now.at(times.enumeration + bit) | now.at(times.packing + bit)
        });
        match bit {
            2 => four,
            _ => four | two,
        }
    }

    /// The first lane of two is on its wire.
    pub fn first_lane(&self, dimension: usize) -> S {
        self.lane(dimension, self.now.is_odd())
    }

    /// The second lane is.
    pub fn second_lane(&self, dimension: usize) -> S {
        let ends = match dimension % 2 {
            // A group's second dimension is that of the second stage of the group before.
            1 if self.groups.kind(dimension / 2) == Kind::Four && dimension > 1 => {
                self.now.four & (self.now.is_group(dimension / 2) & self.now.at(0))
            }
            _ => S::ZERO,
        };
        self.lane(dimension, !self.now.is_odd()) | ends
    }

    /// The lane that is on its wire in the bit times of this parity, if the first lane were in odd
    /// ones. Of a group of two dimensions it is: before the pause in the group itself, or in the
    /// next; or after it.
    fn lane(&self, dimension: usize, parity: S) -> S {
        let now = self.now;
        let (odd_cube, free) = (
            !self.groups.size.dimensions.is_multiple_of(2),
            self.is_free(dimension),
        );
        let (in_step, out_of_step) = match odd_cube {
            true => (parity, !parity),
            false => (!parity, parity),
        };
        let is_first_group = now.is_first();
        let own = S::gated(free & in_step, || {
            // All but the first stage are still busy when the next group begins.
            let ends = || !self.inject(dimension) | now.until(FIRST_ENDS);
            now.since_at(dimension, LANES[0].from) & ends()
        });
        let before_pause = S::gated((free & !is_first_group) & parity, || {
            now.within_at(dimension, BEFORE_PAUSE)
        });
        let after_pause = S::gated((free & !is_first_group) & out_of_step, || {
            now.within_at(dimension, AFTER_PAUSE)
        });
        // A group of one dimension begins one bit time earlier.
        let two = match self.groups.fours {
            0 => S::ZERO,
            _ => S::gated(!parity, || {
                let [before, after] = BEFORE_TWO.map(|window| self.two(dimension, 0, window));
                before | after
            }),
        };
        let end = match self.groups.has_two {
            false => S::gated(parity, || self.ending(dimension, 0)),
            true => S::ZERO,
        };
        ((own | before_pause) | after_pause) | (two | end)
    }

    /// In the greedy end: the packing before it is still at the stage of `dimension`, or was so
    /// much earlier.
    fn ending(&self, dimension: usize, earlier: usize) -> S {
        let first = self.groups.size.dimensions - self.groups.greedy;
        let until = (dimension + 1).checked_sub(first);
        match until.and_then(|stage| (2 * stage).checked_sub(4 + earlier)) {
            Some(until) if self.groups.packs() => {
                S::gated(self.now.greedy, || self.now.between(0, until))
            }
            _ => S::ZERO,
        }
    }

    /// The only lane is.
    pub fn only_lane(&self, dimension: usize) -> S {
        if !self.groups.has_two {
            return S::ZERO;
        }
        self.two_packs(dimension, TWO_LANE) | self.ending(dimension, 0)
    }

    /// Messages that wait before the stage are next: one bit time before they are at it.
    pub fn advance(&self, dimension: usize) -> S {
        if !self.groups.has_two || self.stage_of_two(dimension) == Some(1) {
            return S::ZERO;
        }
        self.two_packs(dimension, TWO_ADVANCES) | self.ending(dimension, 1)
    }
}
