//! The sequencer of a broadcast: first the trees, then the message.
//!
//! ```text
//!   [set_up]       0 .. T-1        trees of building blocks and of the source's sub-block, then those in the blocks
//!   [steps]        0 .. S-1        store-and-forward: S hops, a step each; cut-through: one step for all
//!   [bit_of_step]  0 .. M          store-and-forward: a start bit and the message
//!                  0 .. S + M - 1  cut-through: a bit time a hop, and the message behind
//! ```

use crate::language::bit::{Bit, Strobe};
use crate::language::strobes::Strobes;
use crate::machine::router::{Position, Sequencer};
use crate::parts::counter::{Counter, Number};
use crate::parts::word::Word;
use crate::registers;
use crate::routers::reduced_hypercube::broadcast::node::BroadcastStrobes;
use crate::routers::reduced_hypercube::broadcast::operation::{Broadcast, Switching};
use crate::routers::reduced_hypercube::broadcast::times::Times;
use crate::routers::reduced_hypercube::broadcast::tree_program::{TreeStrobes, bit_times};

/// Its counters, and where the source is.
#[derive(Clone, Debug)]
pub struct BroadcastSequencer<B: Bit> {
    broadcast: Broadcast,
    times: Times,
    set_up: Option<Counter<B>>,
    bit_of_step: Counter<B>,
    steps: Counter<B>,
    source: Word<B>,
}
registers!(BroadcastSequencer {
    set_up: "bit times of the tree programs that are over",
    bit_of_step: "the bit of the step",
    steps: "steps that are over",
    source: "the address of the source",
});

/// What a tree program does in a bit time.
const TREE_PROGRAM: [&str; 4] = ["load", "prepare", "begin", "merge"];
/// Characters of the longest of these.
pub const LONGEST_TOLD: usize = TREE_PROGRAM[1].len();

/// Names of the steps.
pub const STEPS: [&str; 4] = [
    "1_trees_of_blocks",
    "2_trees_in_blocks",
    "3_broadcast",
    "done",
];

impl<S: Strobe> BroadcastSequencer<S> {
    /// About to begin.
    pub fn new(broadcast: &Broadcast) -> Self {
        let times = broadcast.times();
        let set_up = times.set_up();
        let mut source = Word::new(broadcast.network.bits(), S::ZERO);
        for bit in (0..source.width()).filter(|bit| broadcast.source >> bit & 1 == 1) {
            source[bit] = S::ONE;
        }
        BroadcastSequencer {
            source,
            broadcast: *broadcast,
            times,
            set_up: (set_up > 0).then(|| Counter::new(set_up as u32, 0).named("set_up")),
            bit_of_step: Counter::new(times.step_bits as u32 - 1, 0).named("bit_of_step"),
            steps: Counter::new(times.steps as u32, 0).named("steps"),
        }
    }

    fn trees_are_ready(&self) -> S {
        match &self.set_up {
            None => S::ONE,
            Some(set_up) => set_up.number().equals(self.times.set_up() as i64),
        }
    }

    fn running(&self) -> S {
        self.trees_are_ready() & !self.is_done()
    }
}

/// Strobes of a program of so many ports that begins after so many bit times.
fn program<S: Strobe>(
    strobes: &mut TreeStrobes<S>,
    set_up: &Number<S>,
    (ports, begins): (usize, usize),
) {
    let from = begins as i64;
    let length = bit_times(ports) as i64;
    if length == 0 {
        return;
    }
    let merges = (length - 2) / 2;
    let is_in = |first: i64, amount: i64| {
        set_up.at_least(from + first) & set_up.at_most(from + first + amount - 1)
    };
    if length == 1 {
        strobes.begin = set_up.equals(from);
        return;
    }
    strobes.load = set_up.equals(from);
    strobes.prepare = is_in(1, merges);
    strobes.begin = set_up.equals(from + 1 + merges);
    strobes.merge = is_in(2 + merges, merges);
}

impl<S: Strobe> Sequencer<S> for BroadcastSequencer<S> {
    type Broadcast = BroadcastStrobes<S>;

    fn broadcast(&self, strobes: &mut BroadcastStrobes<S>) {
        let Times { ports, first, .. } = self.times;
        if let Some(set_up) = &self.set_up {
            let number = set_up.number();
            program(&mut strobes.blocks, number, (ports.blocks, 0));
            program(&mut strobes.low, number, (ports.low, 0));
            program(&mut strobes.inner, number, (ports.inner, first));
        }
        (strobes.source).drive(S::ONE, 0..self.source.width(), |bit| self.source[bit]);
        let running = self.running();
        let begins = self.bit_of_step.number().equals(0);
        strobes.relay.run = running;
        strobes.relay.start = running & begins;
        match self.broadcast.switching {
            Switching::StoreAndForward => strobes.relay.frame = running,
            Switching::CutThrough => {
                let in_frame = self
                    .bit_of_step
                    .number()
                    .at_most(self.broadcast.message_bits as i64);
                strobes.relay.frame = running & in_frame;
                strobes.relay.cut_through = running;
            }
        }
    }

    fn clock(&mut self) {
        let running = self.running();
        let ends_step = running
            & self
                .bit_of_step
                .number()
                .equals(self.times.step_bits as i64 - 1);
        let sets_up = !self.trees_are_ready();
        if let Some(set_up) = &mut self.set_up {
            S::when(sets_up, set_up, Counter::count);
        }
        S::when(running, &mut self.bit_of_step, |bit| {
            bit.count_or_set(ends_step, 0);
        });
        S::when(ends_step, &mut self.steps, Counter::count);
    }

    fn is_done(&self) -> S {
        self.steps.number().equals(self.times.steps as i64)
    }
}

impl BroadcastSequencer<bool> {
    /// What the tree programs do in this bit time, such as `merge`: that of building blocks or of the nodes in them, or, where
    /// these are over, that of the source's sub-block.
    pub fn told(&self) -> &'static str {
        let mut strobes = BroadcastStrobes::idle();
        self.broadcast(&mut strobes);
        let trees = [&strobes.blocks, &strobes.inner, &strobes.low];
        let told = trees.into_iter().find_map(|strobes| {
            let does = [strobes.load, strobes.prepare, strobes.begin, strobes.merge];
            let mut program = TREE_PROGRAM.into_iter().zip(does);
            program.find_map(|(what, does)| does.then_some(what))
        });
        told.unwrap_or_default()
    }

    /// How many bits of the step are over.
    pub fn bits_over(&self) -> usize {
        self.bit_of_step.number().value() as usize
    }

    /// Where the schedule stands: an iteration is a step.
    pub fn position(&self) -> Position {
        let set_up = self
            .set_up
            .as_ref()
            .map_or(0, |count| count.number().value());
        let first = self.times.first as u32;
        let step = self.steps.number().value();
        let (step_name, bit_time) = match (self.trees_are_ready(), self.is_done()) {
            (_, true) => (3, 0),
            (true, _) => (2, self.bit_of_step.number().value()),
            (false, _) if set_up < first => (0, set_up),
            _ => (1, set_up - first),
        };
        Position {
            iteration: step,
            step: step_name,
            bit_time,
        }
    }
}
