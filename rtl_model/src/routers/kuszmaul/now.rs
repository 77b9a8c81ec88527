//! A bit time of a [`Timeline`], and when it is: its comparisons with [`Moment`]s.
//!
//! `m = k-1-i`, so a bound that is linear in `m` becomes, for a given dimension, the comparison of
//! `t + c*i` with a number that is wired in. In an ascending row `r = d-i`. In a folded one `r`
//! moves by one when `i` moves by two: there `i` is taken as `2j+p`, `t + c*j` compared, with one
//! number or another as `p` says.

use crate::language::bit::Strobe;
use crate::parts::counter::Number;
use crate::parts::dimensions::RowOrder;
use crate::routers::kuszmaul::moment::{L, M, Moment, after};
use crate::routers::kuszmaul::sums::{Comparison, Sums};
use crate::routers::kuszmaul::timeline::Timeline;

/// A bit time of a [`Timeline`], and when it is.
pub struct Now<'a, S: Strobe> {
    timeline: &'a Timeline<S>,
    /// The machine is not done.
    pub running: S,
    /// The iteration is the last: step 1 alone.
    pub is_last: S,
    /// `t + c*i`.
    sums: Sums<S>,
    /// `t + c*j`, where `j` is `i/2`.
    half_sums: Sums<S>,
}

impl<'a, S: Strobe> Now<'a, S> {
    /// The counters as they stand.
    pub(super) fn new(timeline: &'a Timeline<S>, running: S, is_last: S) -> Self {
        let (bit_time, iteration) = (*timeline.bit_time.number(), timeline.iteration());
        Now {
            timeline,
            running,
            is_last,
            sums: Sums::of(bit_time, iteration, 'i'),
            half_sums: Sums::of(bit_time, iteration.halved(), 'j'),
        }
    }

    /// The bit time since the iteration began.
    pub fn bit_time(&self) -> &Number<S> {
        self.timeline.bit_time.number()
    }

    /// 1 in iteration `i`.
    pub fn is_iteration(&self, i: usize) -> S {
        self.timeline.iteration().equals(i as i64)
    }

    /// 1 in the first iteration.
    pub fn is_first(&self) -> S {
        self.is_iteration(0)
    }

    /// 1 in the first bit times of an iteration, up to `m-1`, but for the first: while the end of
    /// the one before it is still coming, where iterations overlap.
    pub fn tail(&self) -> S {
        let tail = self.running & !self.is_first() & self.until(M - 1);
        tail.named("tail")
    }

    /// Step 1: while it lasts, and all of it but its first bit time, in which it decides.
    pub fn cross_and_stream(&self) -> (S, S) {
        let cross = (self.running & self.until(after(0) + L)).named("cross");
        let stream = cross & !self.decide();
        (cross, stream.named("stream"))
    }

    /// The first bit time of step 1.
    pub fn decide(&self) -> S {
        (self.running & self.is(after(0))).named("decide")
    }

    /// 1 while another iteration is to come.
    pub fn another_follows(&self) -> S {
        (self.running & !self.is_last).named("another_follows")
    }

    /// 1 where the number of the iteration is odd.
    pub fn is_odd(&self) -> S {
        self.timeline.iteration().bit(0)
    }

    /// 1 while dimension `d` is left: `d > i`.
    pub fn is_left(&self, dimension: usize) -> S {
        self.timeline.iteration().at_most(dimension as i64 - 1)
    }

    /// 1 while dimension `d` is the lowest that is left: `d = i+1`.
    pub fn is_lowest(&self, dimension: usize) -> S {
        self.timeline.iteration().equals(dimension as i64 - 1)
    }

    /// 1 while the row that is left begins with dimension `d`.
    pub fn begins_row(&self, dimension: usize) -> S {
        let k = self.timeline.size.dimensions;
        match self.timeline.order {
            RowOrder::Ascending => self.is_lowest(dimension),
            // i+2, or i+1 where nothing else is left.
            RowOrder::Folded => {
                let alone = dimension + 1 == k;
                let second_lowest = match dimension.checked_sub(2) {
                    Some(i) => self.is_iteration(i),
                    None => S::ZERO,
                };
                match alone {
                    true => second_lowest | self.is_lowest(dimension),
                    false => second_lowest,
                }
            }
        }
    }

    /// 1 while the row that is left ends with dimension `d`.
    pub fn ends_row(&self, dimension: usize) -> S {
        match self.timeline.order {
            RowOrder::Ascending if dimension + 1 == self.timeline.size.dimensions => S::ONE,
            RowOrder::Ascending => S::ZERO,
            RowOrder::Folded => self.is_lowest(dimension),
        }
    }

    /// 1 in that bit time.
    pub fn is(&self, moment: Moment) -> S {
        self.compare(Comparison::Equal, moment)
    }

    /// 1 from that bit time on.
    pub fn since(&self, moment: Moment) -> S {
        self.compare(Comparison::AtLeast, moment)
    }

    /// 1 up to that bit time, itself included.
    pub fn until(&self, moment: Moment) -> S {
        self.compare(Comparison::AtMost, moment)
    }

    /// 1 in that bit time of the stage of `dimension`.
    pub fn is_at(&self, dimension: usize, moment: Moment) -> S {
        self.compare_at(dimension, Comparison::Equal, moment)
    }

    /// 1 from that bit time of the stage of `dimension` on.
    pub fn since_at(&self, dimension: usize, moment: Moment) -> S {
        self.compare_at(dimension, Comparison::AtLeast, moment)
    }

    /// 1 up to that bit time of the stage of `dimension`.
    pub fn until_at(&self, dimension: usize, moment: Moment) -> S {
        self.compare_at(dimension, Comparison::AtMost, moment)
    }

    /// `bound(m, r)` for iteration 0: with `m = k-1`.
    fn compare(&self, comparison: Comparison, moment: Moment) -> S {
        debug_assert_eq!(moment.r, 0);
        let size = self.timeline.size;
        let bound = moment.value(size.dimensions - 1, size.payload_bits, 0);
        comparison.of(self.sums.plus(moment.m), bound)
    }

    /// The bound moves by `moment.r * dr + moment.m * dm` from one iteration (or two) to the next.
    /// It is worked out where `i` or `j` is 0, with the `r` that the stage would have there.
    fn compare_at(&self, dimension: usize, comparison: Comparison, moment: Moment) -> S {
        let Timeline { size, order, .. } = *self.timeline;
        let bound = |first: usize| {
            let r = order.stage(dimension, first + 1..size.dimensions);
            moment.value(size.dimensions - 1 - first, size.payload_bits, r)
        };
        match order {
            RowOrder::Ascending => comparison.of(self.sums.plus(moment.m + moment.r), bound(0)),
            RowOrder::Folded => {
                let sum = self.half_sums.plus(2 * moment.m + moment.r);
                match dimension {
                    // Left in iteration 0 alone.
                    0 | 1 => comparison.of(sum, bound(0)),
                    _ => S::choose(
                        self.is_odd(),
                        || comparison.of(sum, bound(1)),
                        || comparison.of(sum, bound(0)),
                    ),
                }
            }
        }
    }
}
