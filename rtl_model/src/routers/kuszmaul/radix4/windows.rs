//! When each stage of schedule `radix4` does what: the windows of all groups, in bit times from the
//! beginning of a group.
//!
//! With `m` dimensions and `L = m+D` message bits left, stage `r` of a group of two dimensions
//! (radix 4):
//!
//! ```text
//!   wire of stage r              bit times
//!   enumerate                    r+2 .. r+1+min(r+2, m)
//!   exchange counts              m+2r+1 .. m+2r+3
//!   pack bit j, two lanes        m+2r+4+2j and the next, up to the pause
//! ```
//!
//! The packing goes on while the next group begins, and the next group's enumeration goes first.
//! With `m`, `r` and bit times of the next group: on the dimension of its stage `r` the packing
//! pauses from bit time `r+2` on, for `m` bit times:
//!
//! ```text
//!   pack, before the pause       0 .. r+1            (its second dimension: 0)
//!   pack, after the pause        m+r+2 .. m+2r
//! ```
//!
//! A group of one dimension (radix 2) has one lane, four dimensions are left, and all bounds are
//! constants: with its enumeration beginning at `e` and its packing at `s`
//!
//! ```text
//!   the group before it packs    0 .. r  and  r+5 .. 2r+3
//!   enumerate                    e+r-1 .. e+r-2+min(r+1, 4)
//!   exchange counts              s+2r-2, s+2r-1
//!   pack bit j                   s+2r+j
//! ```
//!
//! In the greedy end the group before it packs up to `2r-4`, where `r` counts the end's dimensions
//! from 1.

use crate::language::bit::Strobe;
use crate::routers::kuszmaul::moment::{L, M, Moment, R, after};
use crate::routers::kuszmaul::radix4::clock::GroupNow;
use crate::routers::kuszmaul::radix4::plan::{Kind, Plan};

/// The windows, at a bit time.
pub struct Windows<'a, S: Strobe> {
    plan: Plan,
    now: &'a GroupNow<S>,
}

impl<'a, S: Strobe> Windows<'a, S> {
    /// At this bit time.
    pub fn new(plan: Plan, now: &'a GroupNow<S>) -> Self {
        Windows { plan, now }
    }

    /// The stage's number in the group of one dimension; none, if it is not in it.
    fn stage_of_two(&self, dimension: usize) -> Option<usize> {
        let first = self.plan.first_dimension(self.plan.fours);
        dimension.checked_sub(first).filter(|stage| *stage > 0)
    }

    /// 1 between two moments of the stage of `dimension` in a group of two dimensions.
    fn four(&self, dimension: usize, from: Moment, until: Moment) -> S {
        let now = self.now;
        S::gated(self.is_free(dimension), || {
            now.since_at(dimension, from) & now.until_at(dimension, until)
        })
    }

    /// 1 at a moment of the stage of `dimension` in a group of two dimensions.
    fn four_at(&self, dimension: usize, at: Moment) -> S {
        S::gated(self.is_free(dimension), || self.now.is_at(dimension, at))
    }

    /// 1 in groups of two dimensions that leave `dimension`.
    fn is_free(&self, dimension: usize) -> S {
        let free = S::gated(self.now.four, || self.now.is_free(dimension));
        free.named(format_args!("is_free_{dimension}"))
    }

    /// 1 in bit times of stage `r` in the group of one dimension, given that and the beginnings of
    /// its enumeration and of its packing.
    fn two(&self, dimension: usize, window: impl Fn(usize, usize, usize) -> (usize, usize)) -> S {
        match self.stage_of_two(dimension) {
            Some(stage) => S::gated(self.now.two, || {
                let times = self.plan.two_times();
                let (from, until) = window(stage, times.enumeration, times.packing);
                self.now.between(from, until)
            }),
            None => S::ZERO,
        }
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
        let four = S::gated(self.is_free(dimension), || {
            let until =
                self.now.until_at(dimension, 2 * R + 3) & self.now.until_at(dimension, M + R + 1);
            self.now.since_at(dimension, R + 2) & until
        });
        four | self.two(dimension, |r, e, _| (e + r - 1, e + r - 2 + (r + 1).min(4)))
    }

    /// Its adders enumerate.
    pub fn enumerates(&self, dimension: usize) -> S {
        self.four(dimension, R + 2, M + R + 1)
            | self.two(dimension, |r, e, _| (e + r - 1, e + r + 2))
    }

    /// Counts that are exchanged are on its wire.
    pub fn exchange(&self, dimension: usize) -> S {
        self.four(dimension, M + 2 * R + 1, M + 2 * R + 3)
            | self.two(dimension, |r, _, s| (s + 2 * r - 2, s + 2 * r - 1))
    }

    /// Its adders control the packing: as long as counts come out, or places are passed on.
    pub fn controls(&self, dimension: usize) -> S {
        let from = M + 2 * R + 1;
        self.four(dimension, from, M + 2 * R + 4)
            | self.four(dimension, from, 2 * M + R + 1)
            | self.two(dimension, |r, _, s| {
                (s + 2 * r - 2, s + 2 * r - 2 + (4 - r).max(2))
            })
    }

    /// It begins to enumerate.
    pub fn begin_enumerating(&self, dimension: usize) -> S {
        self.four_at(dimension, R + 2) | self.two(dimension, |r, e, _| (e + r - 1, e + r - 1))
    }

    /// It begins to control the packing, `bit` bit times ago.
    pub fn controls_bit(&self, dimension: usize, bit: usize) -> S {
        let four = self.four_at(dimension, M + 2 * R + 1 + bit as i64);
        match bit {
            2 => four,
            _ => {
                let at = |r, s| s + 2 * r - 2 + bit;
                four | self.two(dimension, |r, _, s| (at(r, s), at(r, s)))
            }
        }
    }

    /// Bit `bit` of the number of messages enters the row.
    pub fn count_bit(&self, bit: usize) -> S {
        let (now, bit_time) = (self.now, bit as i64);
        let four = S::gated(now.four, || {
            now.is(after(3 + bit_time)) | now.is(M + 3 + bit_time)
        });
        let times = self.plan.two_times();
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
            1 if self.plan.kind(dimension / 2) == Kind::Four && dimension > 1 => {
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
            !self.plan.size.dimensions.is_multiple_of(2),
            self.is_free(dimension),
        );
        let (in_step, out_of_step) = match odd_cube {
            true => (parity, !parity),
            false => (!parity, parity),
        };
        let is_first_group = now.is_first();
        let own = S::gated(free & in_step, || {
            // All but the first stage are still busy when the next group begins.
            let ends = || !self.inject(dimension) | now.until(M + 2 * L + 5);
            now.since_at(dimension, M + 2 * R + 4) & ends()
        });
        let before_pause = S::gated((free & !is_first_group) & parity, || {
            now.until_at(dimension, R + 1)
        });
        let after_pause = S::gated((free & !is_first_group) & out_of_step, || {
            now.since_at(dimension, M + R + 2) & now.until_at(dimension, M + 2 * R)
        });
        // A group of one dimension begins one bit time earlier.
        let two = match self.plan.fours {
            0 => S::ZERO,
            _ => S::gated(!parity, || {
                self.two(dimension, |r, _, _| (0, r))
                    | self.two(dimension, |r, _, _| (r + 5, 2 * r + 3))
            }),
        };
        let end = match self.plan.has_two {
            false => S::gated(parity, || self.ending(dimension, 0)),
            true => S::ZERO,
        };
        ((own | before_pause) | after_pause) | (two | end)
    }

    /// In the greedy end: the packing before it is still at the stage of `dimension`, or was so
    /// much earlier.
    fn ending(&self, dimension: usize, earlier: usize) -> S {
        let first = self.plan.size.dimensions - self.plan.greedy;
        let until = (dimension + 1).checked_sub(first);
        match until.and_then(|stage| (2 * stage).checked_sub(4 + earlier)) {
            Some(until) if self.plan.packs() => {
                S::gated(self.now.greedy, || self.now.between(0, until))
            }
            _ => S::ZERO,
        }
    }

    /// The only lane is.
    pub fn only_lane(&self, dimension: usize) -> S {
        if !self.plan.has_two {
            return S::ZERO;
        }
        let length = self.plan.message_bits(self.plan.fours);
        self.two(dimension, |r, _, s| (s + 2 * r, s + 2 * r + length - 1))
            | self.ending(dimension, 0)
    }

    /// Messages that wait before the stage are next: one bit time before they are at it.
    pub fn advance(&self, dimension: usize) -> S {
        if !self.plan.has_two || self.stage_of_two(dimension) == Some(1) {
            return S::ZERO;
        }
        let length = self.plan.message_bits(self.plan.fours);
        let in_group = self.two(dimension, |r, _, s| (s + 2 * r - 1, s + 2 * r + length - 2));
        in_group | self.ending(dimension, 1)
    }
}
