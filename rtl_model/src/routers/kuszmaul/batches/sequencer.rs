//! The sequencer of a pipeline of batches: two counters, and when each stage does what.
//!
//! ```text
//!   [period n] [phase p of it]        bit time = n * interval + p
//!       |           |
//!       |           +--> p in the window, modulo the interval
//!       +--------------> n is that of a batch: q <= n < q + batches
//! ```
//!
//! Batch `b` begins in period `b`, phase 0, and every stage does with it what it does with every other, an interval later. A window that
//! lies `A ..= Z` bit times from a batch's beginning begins in the phase `A mod interval` of the period `A / interval` later. So
//! comparisons of the phase and of the period with numbers that are wired in make all strobes; windows of a stage that reach beyond a
//! period overlap with those of the next batch, on other wires. In every second bit time of a window the phase is even, or it is odd: in
//! each period that the window reaches into it is known which, whether the interval is even or odd.

use std::sync::Arc;

use crate::language::bit::Strobe;
use crate::language::register::{Name, Registers, Visitor};
use crate::language::strobes::{Label, LineVisitor, Strobes};
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::Counter;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::inbox::InboxStrobes;
use crate::routers::kuszmaul::batches::outbox::OutboxStrobes;
use crate::routers::kuszmaul::batches::pipeline::Pipeline;
use crate::routers::kuszmaul::batches::stage::{InputStrobes, Pipelined};

/// Codes of a position's step.
pub(super) const STEPS: &[&str] = &["", "batch_begins", "pipeline_empties", "done"];

/// What the sequencer broadcasts.
#[derive(Clone, Debug)]
pub struct BatchStrobes<S: Strobe, T> {
    /// The processor's outbox.
    pub outbox: OutboxStrobes<S>,
    /// Each stage's input, but for the first's, which is the outbox; and the stage.
    pub stages: Vec<(InputStrobes<S>, T)>,
    /// The processor's inbox.
    pub inbox: InboxStrobes<S>,
}

/// Idle, it has no stages: the sequencer makes room for them when it broadcasts first.
impl<S: Strobe, T: Strobes<S>> Strobes<S> for BatchStrobes<S, T> {
    fn idle() -> Self {
        BatchStrobes {
            outbox: OutboxStrobes::idle(),
            stages: Vec::new(),
            inbox: InboxStrobes::idle(),
        }
    }

    fn visit_mut(&mut self, label: Label<'_>, visitor: &mut LineVisitor<'_, S>) {
        /// Hands out a part, called so.
        fn visit<S: Strobe>(
            part: &mut impl Strobes<S>,
            name: &str,
            visitor: &mut LineVisitor<'_, S>,
        ) {
            part.visit_mut(Label { name, note: "" }, visitor);
        }
        visit(&mut self.outbox, &label.inside("outbox"), visitor);
        for (number, (input, stage)) in self.stages.iter_mut().enumerate() {
            let name = label.inside(&format!("stage_{number}"));
            visit(input, &format!("{name}_input"), visitor);
            visit(stage, &name, visitor);
        }
        visit(&mut self.inbox, &label.inside("inbox"), visitor);
    }
}

/// Two counters and their decode.
#[derive(Clone, Debug)]
pub struct BatchSequencer<P, S: Strobe> {
    pipeline: Arc<Pipeline<P>>,
    phase: Counter<S>,
    period: Counter<S>,
    done: S,
}

/// The counters stand in the sequencer directly.
impl<P, S: Strobe> Registers<S> for BatchSequencer<P, S> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<S>) {
        visitor.enter(name, "BatchSequencer");
        visitor.note("bit times since a batch could begin");
        self.phase.visit(Name::Field("phase"), visitor);
        visitor.note("how many times a batch could have begun before");
        self.period.visit(Name::Field("period"), visitor);
        visitor.note("the last batch is delivered");
        self.done.visit(Name::Field("done"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut S)) {
        Registers::visit_mut(&mut self.phase, visitor);
        Registers::visit_mut(&mut self.period, visitor);
        Registers::visit_mut(&mut self.done, visitor);
    }
}

impl<P: Pipelined, S: Strobe> BatchSequencer<P, S> {
    /// About to begin the first batch.
    pub fn new(pipeline: Arc<Pipeline<P>>) -> Self {
        let last = pipeline.bit_times() - 1;
        BatchSequencer {
            phase: Counter::new(pipeline.interval as u32 - 1, 0).named("p"),
            period: Counter::new((last / pipeline.interval) as u32, 0).named("n"),
            done: S::ZERO,
            pipeline,
        }
    }

    /// This bit time, counted from the beginning of each batch at a stage that it reaches so much later.
    fn at(&self, (extent, begins): (Extent, usize)) -> At<'_, S> {
        At {
            extent,
            phase: &self.phase,
            period: &self.period,
            running: !self.done,
            begins: begins as i64,
            interval: self.pipeline.interval as i64,
            batches: self.pipeline.batches as i64,
        }
    }

    /// 1 in the last bit time of all.
    fn ends(&self) -> S {
        let last = self.pipeline.bit_times() - 1;
        let (period, phase) = (last / self.pipeline.interval, last % self.pipeline.interval);
        let ends = self.period.number().equals(period as i64)
            & self.phase.number().equals(phase as i64)
            & !self.done;
        ends.named("ends")
    }
}

impl<P: Pipelined, S: Strobe> Sequencer<S> for BatchSequencer<P, S> {
    type Broadcast = BatchStrobes<S, P::Strobes<S>>;

    fn broadcast(&self, strobes: &mut Self::Broadcast) {
        let pipeline = &*self.pipeline;
        if strobes.stages.is_empty() {
            let idle = || (InputStrobes::idle(), P::Strobes::idle());
            strobes.stages.resize_with(pipeline.stages.len(), idle);
        }
        let at = self.at(pipeline.stages[0]);
        strobes.outbox.next_message = at.is(pipeline.takes_last_at());
        strobes.outbox.next_bit = at.during_any(P::takes(at.extent));
        let stages = pipeline.stages.iter().zip(&mut strobes.stages);
        let mut before = None::<At<'_, S>>;
        for (&stage, (input, strobes)) in stages {
            if let Some(before) = before {
                input.arrival = before.is(P::delivers_at(before.extent) as i64);
                input.fill = before.during(P::delivers(before.extent));
            }
            let at = self.at(stage);
            P::drive(&at, strobes);
            before = Some(at);
        }
        let at = self.at(pipeline.last());
        strobes.inbox.arrival = at.is(P::delivers_at(at.extent) as i64);
        strobes.inbox.fill = at.during(P::delivers(at.extent));
    }

    fn clock(&mut self) {
        let ends = self.ends();
        let wraps = self
            .phase
            .number()
            .equals(self.pipeline.interval as i64 - 1);
        let stop = self.done | ends;
        let next_period = (wraps & !stop).named("next_period");
        self.phase.count_or_set(wraps | stop, 0);
        S::when(next_period, &mut self.period, Counter::count);
        S::when(ends, &mut self.done, |done| *done = S::ONE);
    }

    fn is_done(&self) -> S {
        self.done
    }
}

impl<P: Pipelined> BatchSequencer<P, bool> {
    /// Where the pipeline stands: the period as the iteration, the phase as the bit time.
    pub fn position(&self) -> Position {
        let period = self.period.number().value();
        let step = match (self.done, (period as usize) < self.pipeline.batches) {
            (true, _) => 3,
            (false, false) => 2,
            (false, true) => 1,
        };
        Position {
            iteration: period,
            step,
            bit_time: self.phase.number().value(),
        }
    }
}
