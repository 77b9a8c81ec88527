//! A bit time of an iteration, or of a step of schedule `plain`, held against windows.
//!
//! `m = k-1-i`, so a bound that is linear in `m` becomes, for a given dimension, the comparison of
//! `t + c*i` with a number that is wired in. In an ascending row `r = d-i`. In a folded one `r`
//! moves by one when `i` moves by two: there `i` is taken as `2j+p`, `t + c*j` compared, with one
//! number or another as `p` says.
//!
//! A window that ends behind its iteration goes on in the next, by that one's `m` and `r`.

use std::ops::Range;

use crate::language::bit::Strobe;
use crate::parts::counter::Number;
use crate::parts::dimensions::RowOrder;
use crate::parts::windows::{Comparison, Moment, Now, Window, window};
use crate::routers::kuszmaul::sums::Sums;
use crate::routers::permutation::Size;

/// Step 1: messages cross.
pub const CROSS: Window = window("0 .. L");
/// Their bits come in, behind the valid bit.
pub const COMES: Window = window("1 .. L");

/// A bit time of a timeline.
pub struct TimelineNow<S: Strobe> {
    size: Size,
    order: RowOrder,
    /// Of an iteration, but for the last.
    length: Moment,
    iteration: Number<S>,
    /// The machine is not done.
    pub running: S,
    /// The iteration is the last: step 1 alone.
    pub is_last: S,
    /// An iteration or a pass came before: its windows may go on.
    follows: S,
    /// A pass of the same iteration came before.
    repeats: S,
    /// `t + c*i`.
    sums: Sums<S>,
    /// `t + c*j`, where `j` is `i/2`; of folded rows.
    half_sums: Option<Sums<S>>,
}

impl<S: Strobe> TimelineNow<S> {
    /// In this bit time of this iteration.
    pub(super) fn new(
        (size, order, length): (Size, RowOrder, Moment),
        bit_time: Number<S>,
        iteration: Number<S>,
        running: S,
    ) -> Self {
        TimelineNow {
            size,
            order,
            length,
            iteration,
            running,
            is_last: iteration.equals(size.dimensions as i64 - 1),
            follows: !iteration.equals(0),
            repeats: S::ZERO,
            sums: Sums::of(bit_time, iteration, 'i'),
            half_sums: (order == RowOrder::Folded)
                .then(|| Sums::of(bit_time, iteration.halved(), 'j')),
        }
    }

    /// The same bit time, of a pass: in all passes but the first of an iteration, one of that iteration came before. Such a pass is
    /// a bit time shorter than the last of an iteration, so that what it carries over ends as if an iteration had gone by.
    pub(super) fn of_pass(self, is_first_pass: S) -> Self {
        TimelineNow {
            follows: !(is_first_pass & self.is_first()),
            repeats: !is_first_pass,
            ..self
        }
    }

    /// 1 in iteration `i`.
    pub fn is_iteration(&self, i: usize) -> S {
        self.iteration.equals(i as i64)
    }

    /// 1 in the first iteration.
    pub fn is_first(&self) -> S {
        self.is_iteration(0)
    }

    /// Step 1: while it lasts, and all of it but its first bit time, in which it decides.
    pub fn cross_and_stream(&self) -> (S, S) {
        let cross = (self.running & self.until(CROSS.end())).named("cross");
        let stream = cross & !self.decide();
        (cross, stream.named("stream"))
    }

    /// The first bit time of step 1.
    pub fn decide(&self) -> S {
        (self.running & self.is(CROSS.from)).named("decide")
    }

    /// 1 while another iteration is to come.
    pub fn another_follows(&self) -> S {
        (self.running & !self.is_last).named("another_follows")
    }

    /// 1 while dimension `d` is left: `d > i`.
    fn is_left(&self, dimension: usize) -> S {
        self.iteration.at_most(dimension as i64 - 1)
    }

    /// 1 while dimension `d` is the lowest that is left: `d = i+1`.
    fn is_lowest(&self, dimension: usize) -> S {
        self.iteration.equals(dimension as i64 - 1)
    }

    /// 1 where the number of the iteration is odd.
    pub fn is_odd(&self) -> S {
        self.iteration.bit(0)
    }

    /// 1 in that bit time.
    pub fn is(&self, moment: Moment) -> S {
        self.compare(Comparison::Equal, moment, None)
    }

    /// 1 from that bit time on.
    pub fn since(&self, moment: Moment) -> S {
        self.compare(Comparison::AtLeast, moment, None)
    }

    /// 1 up to that bit time, itself included.
    pub fn until(&self, moment: Moment) -> S {
        self.compare(Comparison::AtMost, moment, None)
    }

    /// The value of a moment in iteration `i`, at the stage of a dimension or without `r`.
    fn value(&self, moment: Moment, dimension: Option<usize>, i: usize) -> i64 {
        let (k, left) = (self.size.dimensions, i + 1..self.size.dimensions);
        let r = dimension.map_or(0, |dimension| self.order.stage(dimension, left));
        moment.value(k - 1 - i, self.size.payload_bits, r)
    }

    /// By how much a bound moves from one iteration to the next, or from one of a folded row's to the next but one.
    fn multiple(&self, moment: Moment, dimension: Option<usize>) -> i32 {
        let (of_m, of_r) = moment.multiples();
        match (self.order, dimension) {
            (RowOrder::Folded, Some(_)) => 2 * of_m + of_r,
            _ => of_m + of_r,
        }
    }

    /// A moment of the stage of a dimension, compared with the bit time. The bound is worked out where `i` or `j` is 0, with the `r`
    /// that the stage would have there.
    fn compare(&self, comparison: Comparison, moment: Moment, dimension: Option<usize>) -> S {
        debug_assert!(dimension.is_some() || moment.multiples().1 == 0);
        let multiple = self.multiple(moment, dimension);
        let bound = |i| self.value(moment, dimension, i);
        match (&self.half_sums, dimension) {
            (Some(half_sums), Some(dimension)) => {
                let sum = half_sums.plus(multiple);
                let even = || comparison.of(sum, bound(0));
                match dimension {
                    // Left in iteration 0 alone.
                    0 | 1 => even(),
                    _ => S::choose(self.is_odd(), || comparison.of(sum, bound(1)), even),
                }
            }
            _ => comparison.of(self.sums.plus(multiple), bound(0)),
        }
    }

    /// 1 in the bit times of a window in its own iteration; of the whole row, if no dimension is given.
    fn during(&self, dimension: Option<usize>, window: Window) -> S {
        window.compared(|comparison, moment| self.compare(comparison, moment, dimension))
    }

    /// 1 in the bit times of a window of the iteration before that are left in this one.
    fn carried_at(&self, dimension: Option<usize>, window: Window) -> S {
        S::gated(self.follows, || {
            window.until_end(S::ONE, |end| self.until_carried(end, dimension))
        })
    }

    /// 1 up to a bit time of the iteration before.
    fn until_carried(&self, end: Moment, dimension: Option<usize>) -> S {
        let left = end - self.length;
        let left = match self.order {
            RowOrder::Ascending => left.one_before(),
            // Its row ran the other way round.
            RowOrder::Folded => left.turned().one_before(),
        };
        // Such a bound falls below 0 and stays there, as far as tables go: a test compares all iterations of all of them.
        match self.multiple(left, dimension) < 0 || self.value(left, dimension, 0) < 0 {
            true => S::ZERO,
            false => self.compare(Comparison::AtMost, left, dimension),
        }
    }
}

impl<S: Strobe> Now<S> for TimelineNow<S> {
    fn row(&self) -> Range<usize> {
        1..self.size.dimensions
    }

    fn is_backward(&self) -> S {
        match self.order {
            RowOrder::Ascending => S::ZERO,
            RowOrder::Folded => self.is_odd(),
        }
    }

    fn begins_row(&self, dimension: usize) -> S {
        match self.order {
            RowOrder::Ascending => self.is_lowest(dimension),
            // i+2, or i+1 where nothing else is left.
            RowOrder::Folded => {
                let alone = dimension + 1 == self.size.dimensions;
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

    fn ends_row(&self, dimension: usize) -> S {
        match self.order {
            RowOrder::Ascending if dimension + 1 == self.size.dimensions => S::ONE,
            RowOrder::Ascending => S::ZERO,
            RowOrder::Folded => self.is_lowest(dimension),
        }
    }

    fn within(&self, window: Window) -> S {
        let during = S::gated(self.another_follows(), || self.during(None, window));
        during | self.carried_at(None, window)
    }

    fn carried(&self, window: Window) -> S {
        self.carried_at(None, window)
    }

    fn within_at(&self, dimension: usize, window: Window) -> S {
        S::gated(self.is_left(dimension), || {
            let dimension = Some(dimension);
            self.during(dimension, window) | self.carried_at(dimension, window)
        })
    }

    fn within_first(&self, dimension: usize, window: Window) -> S {
        let first = window.of_first_stage();
        let begins = self.begins_row(dimension);
        let carried = match self.order {
            // The row of the iteration before began with a dimension that is not left.
            RowOrder::Ascending => S::gated(self.repeats & begins, || {
                self.carried_at(Some(dimension), window)
            }),
            // It began where this one ends.
            RowOrder::Folded => self.ends_row(dimension) & self.carried(first),
        };
        S::gated(begins, || self.during(None, first)) | carried
    }
}
