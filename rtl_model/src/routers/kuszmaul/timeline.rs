//! The counters of a sequencer whose steps overlap, of iterations and of the bit times of each.
//!
//! ```text
//!   [iteration i] [bit_time t of the iteration] [done]
//!         |                 |
//!         +--- t + c*i -----+--> compare with constants --> strobes
//! ```
//!
//! [`TimelineNow`] has the comparisons.

use crate::language::bit::{Bit, Strobe};
use crate::language::register::{Name, Registers, Visitor};
use crate::machine::router::Position;
use crate::parts::counter::{Counter, Number};
use crate::parts::windows::Iteration;
use crate::routers::kuszmaul::now::{CROSS, TimelineNow};
use crate::routers::permutation::Size;

/// The counters.
#[derive(Clone, Debug)]
pub struct Timeline<B: Bit> {
    size: Size,
    /// Of all iterations but the last, which is step 1 alone.
    table: &'static Iteration,
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

impl<S: Strobe> Timeline<S> {
    /// About to begin iteration 0.
    pub fn new(size: Size, table: &'static Iteration) -> Self {
        let last_bit_time = match size.dimensions {
            1 => size.payload_bits as i64,
            dimensions => table.length.value(dimensions - 1, size.payload_bits, 0) - 1,
        };
        Timeline {
            size,
            table,
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
    pub fn now(&self) -> TimelineNow<S> {
        let Iteration { order, length, .. } = *self.table;
        let schedule = (self.size, order, length);
        TimelineNow::new(
            schedule,
            *self.bit_time.number(),
            self.iteration(),
            !self.done,
        )
    }

    /// 1 once the last iteration is over.
    pub fn is_done(&self) -> S {
        self.done
    }

    /// 1 in the last bit time of an iteration.
    pub fn ends(&self, now: &TimelineNow<S>) -> S {
        let ends = S::choose(
            now.is_last,
            || now.is(CROSS.end()),
            || now.is(self.table.length + -1),
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
    /// Where the schedule stands: at the step that began last; `done` is the code of a machine that is done.
    pub fn position(&self, done: u32) -> Position {
        let iteration = self.iteration().value();
        let bit_time = self.bit_time.number().value();
        let m = self.size.free_dimensions(iteration);
        let steps = self.table.steps(m, self.size.payload_bits);
        let begun = steps.filter(|(_, begins)| *begins <= i64::from(bit_time));
        let begun = begun.last().map_or(0, |(step, _)| step.code);
        Position {
            iteration,
            step: if self.done { done } else { begun },
            bit_time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parts::dimensions::RowOrder;
    use crate::parts::windows::{moment, step};

    #[test]
    fn iterations_are_as_long_as_they_should_be_and_the_last_is_step_1_alone() {
        let size = Size {
            dimensions: 4,
            payload_bits: 3,
        };
        static TABLE: Iteration = Iteration {
            length: moment("2m+L+1"),
            order: RowOrder::Ascending,
            steps: &[step(1, "", "0"), step(2, "", "m+1")],
            wires: &[],
        };
        let mut timeline = Timeline::<bool>::new(size, &TABLE);
        let mut lengths = Vec::new();
        while !timeline.is_done() {
            let position = timeline.position(3);
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
        let done = timeline.position(3);
        timeline.clock();
        assert_eq!((done.step, timeline.position(3)), (3, done));
    }
}
