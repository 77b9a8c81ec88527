//! The clockwork of a sequencer whose steps overlap: it counts iterations and the bit times of each, and
//! compares with [`Moment`]s.
//!
//! ```text
//!   [iteration i] [bit_time t of the iteration] [done]
//!         |                 |
//!         +--- t + c*i -----+--> compare with constants --> strobes
//! ```
//!
//! `m = k-1-i`, so a bound that is linear in `m` becomes, for a given dimension, the comparison of
//! `t + c*i` with a number that is wired in. In an ascending row `r = d-i`. In a folded one `r` moves by
//! one when `i` moves by two: there `i` is taken as `2j+p`, `t + c*j` compared, with one number or
//! another as `p` says.

use std::cell::OnceCell;

use crate::bit::{Bit, Strobe};
use crate::kuszmaul::moment::{L, M, Moment, after};
use crate::kuszmaul::router::Size;
use crate::parts::counter::{Counter, Number};
use crate::parts::dimensions::RowOrder;
use crate::register::{Name, Registers, Visitor};
use crate::router::Position;

/// The counters.
#[derive(Clone, Debug)]
pub struct Timeline<B: Bit> {
    size: Size,
    order: RowOrder,
    /// How long an iteration takes, except the last, which is step 1 alone.
    length: Moment,
    /// A cube of one dimension has one iteration, and nothing to count.
    iteration: Option<Counter<B>>,
    bit_time: Counter<B>,
    done: B,
}

/// The counters stand in the sequencer directly.
impl<B: Bit> Registers<B> for Timeline<B> {
    fn visit(&self, _name: Name, visitor: &mut dyn Visitor<B>) {
        let Timeline {
            iteration,
            bit_time,
            done,
            ..
        } = self;
        visitor.note("i, the dimension that step 1 exchanges on");
        iteration.visit(Name::Field("iteration"), visitor);
        visitor.note("t, bit times since the iteration began");
        bit_time.visit(Name::Field("bit_time"), visitor);
        visitor.note("the last iteration is over");
        done.visit(Name::Field("done"), visitor);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.iteration.visit_mut(visitor);
        self.bit_time.visit_mut(visitor);
        self.done.visit_mut(visitor);
    }
}

/// Multiples of `i` that bounds have, up to `7m`.
const MULTIPLES: usize = 8;
/// Multiples of `j = i/2` that they have for a stage of a folded row.
const HALF_MULTIPLES: usize = 2 * MULTIPLES;

const SUMS: [&str; MULTIPLES] = [
    "t",
    "t_plus_i",
    "t_plus_2i",
    "t_plus_3i",
    "t_plus_4i",
    "t_plus_5i",
    "t_plus_6i",
    "t_plus_7i",
];
const HALF_SUMS: [&str; HALF_MULTIPLES] = [
    "t",
    "t_plus_j",
    "t_plus_2j",
    "t_plus_3j",
    "t_plus_4j",
    "t_plus_5j",
    "t_plus_6j",
    "t_plus_7j",
    "t_plus_8j",
    "t_plus_9j",
    "t_plus_10j",
    "t_plus_11j",
    "t_plus_12j",
    "t_plus_13j",
    "t_plus_14j",
    "t_plus_15j",
];

impl<S: Strobe> Timeline<S> {
    /// About to begin iteration 0. Iterations but the last take `length`.
    pub fn new(size: Size, order: RowOrder, length: Moment) -> Self {
        let last_bit_time = match size.dimensions {
            1 => size.payload_bits as i64,
            dimensions => length.value(dimensions - 1, size.payload_bits, 0) - 1,
        };
        Timeline {
            size,
            order,
            length,
            iteration: (size.dimensions > 1)
                .then(|| Counter::new(size.dimensions as u32 - 1, 0).named("i")),
            bit_time: Counter::new(last_bit_time as u32, 0).named("t"),
            done: S::ZERO,
        }
    }

    fn iteration(&self) -> Number<S> {
        (self.iteration.as_ref()).map_or(Number::constant(0), |counter| *counter.number())
    }

    /// The counters as they stand, to be compared with.
    pub fn now(&self) -> Now<'_, S> {
        let last_iteration = self.size.dimensions as i64 - 1;
        Now {
            timeline: self,
            running: !self.done,
            is_last: self.iteration().equals(last_iteration),
            sums: [const { OnceCell::new() }; MULTIPLES],
            half_sums: [const { OnceCell::new() }; HALF_MULTIPLES],
        }
    }

    /// 1 once the last iteration is over.
    pub fn is_done(&self) -> S {
        self.done
    }

    /// 1 in the last bit time of an iteration.
    pub fn ends(&self, now: &Now<'_, S>) -> S {
        let payload_bits = self.size.payload_bits as i64;
        let ends = S::choose(
            now.is_last,
            || self.bit_time.number().equals(payload_bits),
            || now.is(self.length - 1),
        );
        (now.running & ends).named("ends")
    }

    /// The clock edge.
    pub fn clock(&mut self) {
        let now = self.now();
        let ends = self.ends(&now);
        let over = (ends & now.is_last).named("over");
        let next = (ends & !now.is_last).named("next_iteration");
        let stop = ends | self.done;
        self.bit_time.count_or_set(stop, 0);
        if let Some(iteration) = &mut self.iteration {
            S::when(next, iteration, Counter::count);
        }
        S::when(over, &mut self.done, |done| *done = S::ONE);
    }
}

impl Timeline<bool> {
    /// Where the schedule stands. `steps` are the codes of an iteration's steps, each with its first bit
    /// time, in the order in which they begin; the last iteration has the first of them alone.
    pub fn position(&self, steps: &[(u32, Moment)], done: u32) -> Position {
        let iteration = self.iteration().value();
        let bit_time = self.bit_time.number().value();
        let m = self.size.free_dimensions(iteration);
        let begun = steps
            .iter()
            .rev()
            .find(|(_, begin)| begin.value(m, self.size.payload_bits, 0) <= i64::from(bit_time));
        let step = match begun {
            _ if self.done => done,
            Some((step, _)) if m > 0 => *step,
            _ => steps[0].0,
        };
        Position {
            iteration,
            step,
            bit_time,
        }
    }
}

/// A bit time of a [`Timeline`], and when it is.
pub struct Now<'a, S: Strobe> {
    timeline: &'a Timeline<S>,
    /// The machine is not done.
    pub running: S,
    /// The iteration is the last: step 1 alone.
    pub is_last: S,
    sums: [OnceCell<Number<S>>; MULTIPLES],
    half_sums: [OnceCell<Number<S>>; HALF_MULTIPLES],
}

/// How the bit time is compared with a moment.
#[derive(Clone, Copy)]
enum Comparison {
    AtLeast,
    AtMost,
    Equal,
}

impl Comparison {
    fn of<S: Strobe>(self, number: &Number<S>, bound: i64) -> S {
        match self {
            Comparison::AtLeast => number.at_least(bound),
            Comparison::AtMost => number.at_most(bound),
            Comparison::Equal => number.equals(bound),
        }
    }
}

impl<S: Strobe> Now<'_, S> {
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

    /// 1 in the first bit times of an iteration, up to `m-1`, but for the first: while the end of the one
    /// before it is still coming, where iterations overlap.
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
        comparison.of(self.plus(moment.m), bound)
    }

    /// The bound moves by `moment.r * dr + moment.m * dm` from one iteration (or two) to the next. It is
    /// worked out where `i` or `j` is 0, with the `r` that the stage would have there.
    fn compare_at(&self, dimension: usize, comparison: Comparison, moment: Moment) -> S {
        let Timeline { size, order, .. } = *self.timeline;
        let bound = |first: usize| {
            let r = order.stage(dimension, first + 1..size.dimensions);
            moment.value(size.dimensions - 1 - first, size.payload_bits, r)
        };
        match order {
            RowOrder::Ascending => comparison.of(self.plus(moment.m + moment.r), bound(0)),
            RowOrder::Folded => {
                let sum = self.plus_half(2 * moment.m + moment.r);
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

    /// `t + multiple * i`.
    fn plus(&self, multiple: i64) -> &Number<S> {
        let multiple = multiple as usize;
        self.sums[multiple].get_or_init(|| {
            let i = self.timeline.iteration();
            sum(self.bit_time(), &i, multiple, SUMS[multiple])
        })
    }

    /// `t + multiple * j`, where `j` is `i/2`.
    fn plus_half(&self, multiple: i64) -> &Number<S> {
        let multiple = multiple as usize;
        self.half_sums[multiple].get_or_init(|| {
            let j = self.timeline.iteration().halved();
            sum(self.bit_time(), &j, multiple, HALF_SUMS[multiple])
        })
    }
}

/// `t + multiple * i`, called `name`.
fn sum<S: Strobe>(t: &Number<S>, i: &Number<S>, multiple: usize, name: &'static str) -> Number<S> {
    match multiple {
        0 => *t,
        _ => t.add(&i.times(multiple), name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kuszmaul::moment::R;

    const MOMENTS: [fn() -> Moment; 6] = [
        || after(0),
        || 2 * R - 1,
        || M + R - 1,
        || 3 * M + R + L,
        || 5 * M + L + 1 - R,
        || 5 * M + 2 * L + 1 - R,
    ];

    /// In every bit time of every iteration, for every stage: against the integers.
    #[test]
    fn comparisons_are_those_of_the_moments_in_every_iteration() {
        for order in [RowOrder::Ascending, RowOrder::Folded] {
            for (dimensions, payload_bits) in [(2, 3), (5, 2), (6, 9), (7, 1)] {
                let size = Size {
                    dimensions,
                    payload_bits,
                };
                let mut timeline = Timeline::<bool>::new(size, order, 5 * M + 2 * L + 1);
                while !timeline.is_done() {
                    let Position {
                        iteration,
                        bit_time,
                        ..
                    } = timeline.position(&[(1, after(0))], 2);
                    let left = iteration as usize + 1..dimensions;
                    let now = timeline.now();
                    for d in left.clone() {
                        assert!(now.is_left(d));
                        let r = order.stage(d, left.clone());
                        assert_eq!(now.begins_row(d), r == 1, "{order:?}");
                        assert_eq!(now.ends_row(d), r == left.len(), "{order:?}");
                        for moment in MOMENTS {
                            let bound = moment().value(left.len(), payload_bits, r);
                            let t = i64::from(bit_time);
                            assert_eq!(now.is_at(d, moment()), t == bound);
                            assert_eq!(now.since_at(d, moment()), t >= bound);
                            assert_eq!(now.until_at(d, moment()), t <= bound);
                        }
                    }
                    assert!((0..=iteration as usize).all(|d| !now.is_left(d)));
                    timeline.clock();
                }
            }
        }
    }

    #[test]
    fn iterations_are_as_long_as_they_should_be_and_the_last_is_step_1_alone() {
        let size = Size {
            dimensions: 4,
            payload_bits: 3,
        };
        let steps = [(1, after(0)), (2, M + 1)];
        let mut timeline = Timeline::<bool>::new(size, RowOrder::Ascending, 2 * M + L + 1);
        let mut lengths = Vec::new();
        while !timeline.is_done() {
            let position = timeline.position(&steps, 3);
            if position.bit_time == 0 {
                lengths.push(0);
            }
            *lengths.last_mut().unwrap() += 1;
            let m = 3 - position.iteration;
            let second = m > 0 && position.bit_time > m;
            assert_eq!(position.step, if second { 2 } else { 1 });
            timeline.clock();
        }
        // 3m+D+1; then D+1.
        assert_eq!(lengths, [13, 10, 7, 4]);
        let done = timeline.position(&steps, 3);
        timeline.clock();
        assert_eq!((done.step, timeline.position(&steps, 3)), (3, done));
    }
}
