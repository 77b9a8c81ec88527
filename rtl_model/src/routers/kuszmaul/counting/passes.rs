//! The counters of a sequencer whose iterations make several passes.
//!
//! ```text
//!   [iteration i] [pass h of the iteration] [bit_time t of the pass] [done]
//! ```
//!
//! With `m` dimensions left, a pass that another of its iteration follows takes `3m+D` bit times, the last
//! of an iteration `3m+D+1`; in the last iteration (`m = 0`) each takes `D+1`.

use crate::language::bit::{Bit, Strobe};
use crate::language::register::{Name, Registers, Visitor};
use crate::machine::router::Position;
use crate::parts::counter::Counter;
use crate::routers::kuszmaul::now::{CROSS, TimelineNow};
use crate::routers::kuszmaul::spread::sequencer::ITERATION;
use crate::routers::kuszmaul::timeline::Timeline;
use crate::routers::permutation::Size;

/// The counters.
#[derive(Clone, Debug)]
pub struct Passes<B: Bit> {
    size: Size,
    passes: usize,
    timeline: Timeline<B>,
    /// Where iterations have one pass, there is nothing to count.
    pass: Option<Counter<B>>,
}

/// The counters stand in the sequencer directly.
impl<B: Bit> Registers<B> for Passes<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        self.timeline.visit(name, visitor);
        visitor.note("h, passes of the iteration that are over");
        self.pass.visit(Name::Field("pass"), visitor);
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        self.timeline.visit_mut(visitor);
        self.pass.visit_mut(visitor);
    }
}

/// From one pass to the next of an iteration, by its `m`, bit times.
pub fn interval(size: Size, free_dimensions: usize) -> usize {
    3 * free_dimensions + size.payload_bits + usize::from(free_dimensions == 0)
}

impl<S: Strobe> Passes<S> {
    /// About to begin the first pass of iteration 0.
    pub fn new(size: Size, passes: usize) -> Self {
        Passes {
            size,
            passes,
            timeline: Timeline::new(size, &ITERATION),
            pass: (passes > 1).then(|| Counter::new(passes as u32 - 1, 0).named("h")),
        }
    }

    /// The counters of iterations and bit times as they stand, to be compared with.
    pub fn now(&self) -> TimelineNow<S> {
        self.timeline.now().of_pass(self.is_pass(0))
    }

    /// 1 in that pass of an iteration, from 0.
    pub fn is_pass(&self, pass: usize) -> S {
        match &self.pass {
            Some(counter) => counter.number().equals(pass as i64),
            None if pass == 0 => S::ONE,
            None => S::ZERO,
        }
    }

    /// 1 in the last bit time of a pass, and 1 in that of an iteration.
    pub fn ends(&self, now: &TimelineNow<S>) -> (S, S) {
        let is_last_pass = self.is_pass(self.passes - 1);
        let pass_ends = S::choose(
            now.is_last,
            || now.is(CROSS.end()),
            || {
                let last = ITERATION.length + -1;
                S::choose(is_last_pass, || now.is(last), || now.is(last + -1))
            },
        );
        let pass_ends = (now.running & pass_ends).named("pass_ends");
        (pass_ends, (pass_ends & is_last_pass).named("ends"))
    }

    /// 1 once the last iteration is over.
    pub fn is_done(&self) -> S {
        self.timeline.is_done()
    }

    /// The clock edge.
    pub fn clock(&mut self) {
        let now = self.now();
        let ((pass_ends, ends), is_last) = (self.ends(&now), now.is_last);
        if let Some(pass) = &mut self.pass {
            S::when(pass_ends, pass, |pass| pass.count_or_set(ends, 0));
        }
        self.timeline.advance(pass_ends, ends, is_last);
    }
}

impl Passes<bool> {
    /// Where the schedule stands, as [`Timeline::position`]: the step is the pass's, the bit time counts
    /// since the iteration began.
    pub fn position(&self, done: u32) -> Position {
        let position = self.timeline.position(done);
        let pass = (self.pass.as_ref()).map_or(0, |pass| pass.number().value());
        let m = self.size.free_dimensions(position.iteration);
        Position {
            bit_time: pass * interval(self.size, m) as u32 + position.bit_time,
            ..position
        }
    }
}
