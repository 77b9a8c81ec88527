//! The counters of a sequencer whose steps overlap, of iterations and of the bit times of each, and
//! their comparison with [`Moment`]s.
//!
//! ```text
//!   [iteration i] [bit_time t of the iteration] [done]
//!         |                 |
//!         +--- t + c*i -----+--> compare with constants --> strobes
//! ```
//!
//! [`Now`] has the comparisons.

use crate::language::bit::{Bit, Strobe};
use crate::language::register::{Name, Registers, Visitor};
use crate::machine::router::Position;
use crate::parts::counter::{Counter, Number};
use crate::parts::dimensions::RowOrder;
use crate::routers::kuszmaul::moment::Moment;
use crate::routers::kuszmaul::now::Now;
use crate::routers::permutation::Size;

/// The counters.
#[derive(Clone, Debug)]
pub struct Timeline<B: Bit> {
    pub(super) size: Size,
    pub(super) order: RowOrder,
    /// How long an iteration takes, except the last, which is step 1 alone.
    length: Moment,
    /// A cube of one dimension has one iteration, and nothing to count.
    iteration: Option<Counter<B>>,
    pub(super) bit_time: Counter<B>,
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

    pub(super) fn iteration(&self) -> Number<S> {
        (self.iteration.as_ref()).map_or(Number::constant(0), |counter| *counter.number())
    }

    /// The counters as they stand, to be compared with.
    pub fn now(&self) -> Now<'_, S> {
        let last_iteration = self.size.dimensions as i64 - 1;
        let is_last = self.iteration().equals(last_iteration);
        Now::new(self, !self.done, is_last)
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
        let (ends, is_last) = (self.ends(&now), now.is_last);
        self.advance(ends, ends, is_last);
    }

    /// The clock edge of an iteration of several passes, each counted from 0: `pass_ends` where one is
    /// over, `ends` where the iteration is with it, `is_last` in the last iteration.
    pub fn advance(&mut self, pass_ends: S, ends: S, is_last: S) {
        let over = (ends & is_last).named("over");
        let next = (ends & !is_last).named("next_iteration");
        let stop = pass_ends | self.done;
        self.bit_time.count_or_set(stop, 0);
        if let Some(iteration) = &mut self.iteration {
            S::when(next, iteration, Counter::count);
        }
        S::when(over, &mut self.done, |done| *done = S::ONE);
    }
}

impl Timeline<bool> {
    /// Where the schedule stands. `steps` are the codes of an iteration's steps, each with its
    /// first bit time, in the order in which they begin; the last iteration has the first of them
    /// alone.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::kuszmaul::moment::{L, M, after};

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
