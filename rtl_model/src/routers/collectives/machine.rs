//! The machine of collectives: nodes on a hypercube, and a sequencer.

use std::sync::Arc;

use crate::closed_form::ClosedForm;
use crate::error::{Error, in_range, port_dimensions};
use crate::language::bit::{Bit, Strobe};
use crate::machine::device;
use crate::machine::host::Field;
use crate::machine::router::{Heard, Machine, Position, Router};
use crate::machine::shown::Shown;
use crate::machine::topology::hypercube::Dimensions;
use crate::parts::word::Word;
use crate::routers::collectives::algorithms::OperationPlan;
use crate::routers::collectives::configuration;
use crate::routers::collectives::node::CollectiveNode;
use crate::routers::collectives::score::Score;
use crate::routers::collectives::seen::MOST_DIMENSIONS;
use crate::routers::collectives::sequencer::{CollectiveSequencer, STEPS};
use crate::routers::collectives::shape::Shape;
use crate::routers::collectives::shown::{self, Followed};
use crate::routers::collectives::strobes::CollectiveStrobes;

/// The most bits of a node's memory.
pub const MOST_MEMORY_BITS: usize = 1 << 24;

/// The machine that runs a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveMachine {
    plan: Arc<OperationPlan>,
    score: Arc<Score>,
    shape: Arc<Shape>,
    start_up: usize,
    followed: Followed,
}

impl CollectiveMachine {
    /// It behind an object: compiled here, for whoever is above the hardware seam.
    #[inline(never)]
    pub fn as_device(&self) -> &dyn device::Device {
        self
    }

    /// For a plan.
    ///
    /// # Errors
    /// Too many dimensions; a memory or a run that is too large, or of more lines than ports.
    pub fn new(plan: Arc<OperationPlan>) -> Result<Self, Error> {
        let program = &plan.program;
        let dimensions = program.cube.count();
        if dimensions > MOST_DIMENSIONS {
            return Err(port_dimensions(dimensions, MOST_DIMENSIONS));
        }
        in_range(
            "bits of a node's memory",
            program.memory_bits,
            [1, MOST_MEMORY_BITS],
        )?;
        in_range(
            "bit times of a run",
            program.bit_times,
            [1, i32::MAX as usize],
        )?;
        let score = Arc::new(Score::new(program.clone()));
        in_range("lines of a channel", score.lines(), [0, MOST_DIMENSIONS])?;
        let first = program.transfers.first();
        Ok(CollectiveMachine {
            start_up: first.map_or(0, |transfer| transfer.start_up),
            shape: Arc::new(Shape::of(&score)),
            score,
            plan,
            followed: Followed::default(),
        })
    }

    /// What it runs.
    pub fn plan(&self) -> &OperationPlan {
        &self.plan
    }

    /// 64 bits, or as many as there are, of a field of configuration of a node, from bit `from` on; none of other fields.
    pub fn word(&self, field: Field, node: usize, from: usize) -> Option<u64> {
        configuration::word(self.score.program(), field, node, from)
    }

    /// How large its logic is when it is written down, roughly in gates: the sequencer's memory, and what reaches a node's, any of its
    /// blocks where they change places.
    pub fn logic_size(&self) -> usize {
        let program = self.score.program();
        let lines = self.score.channels().len() * self.score.lines();
        let places = self.shape.blocks.map_or(0, |_| program.cube.nodes());
        (program.bit_times + program.memory_bits).saturating_mul(lines.max(1))
            + program.memory_bits.saturating_mul(places)
    }

    /// Lines that the sequencer broadcasts of its program: with a bit each in every bit time they are its read-only memory.
    pub fn program_lines(&self) -> usize {
        let (score, n) = (&*self.score, self.topology().count());
        let who = 2 * n + 2 * (n + 2);
        let line = 2 + 2 * score.address_bits();
        score.channels().len() * (1 + 2 * who + score.lines() * line)
    }

    /// Bit times of START, of the first step.
    pub fn start_up(&self) -> usize {
        self.start_up
    }
}

impl Machine for CollectiveMachine {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = CollectiveStrobes<S>;
    type Node<B: Bit> = CollectiveNode<B>;
    type Sequencer<S: Strobe> = CollectiveSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.score.program().cube
    }

    fn node<B: Bit>(&self) -> CollectiveNode<B> {
        CollectiveNode::new(Arc::clone(&self.shape))
    }

    fn sequencer<S: Strobe>(&self) -> CollectiveSequencer<S> {
        CollectiveSequencer::new(Arc::clone(&self.score))
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut CollectiveNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(port);
    }

    fn memory<'n, B: Bit>(&self, node: &'n mut CollectiveNode<B>) -> Option<&'n mut Box<[B]>> {
        Some(node.memory_bits())
    }

    fn block_numbers<'n, B: Bit>(
        &self,
        node: &'n mut CollectiveNode<B>,
    ) -> Option<&'n mut Vec<Word<B>>> {
        self.shape.blocks.map(|_| node.block_numbers())
    }

    fn host_reads<B: Bit>(&self, node: &CollectiveNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        node.host_reads(port);
    }
}

impl Router for CollectiveMachine {
    const STEPS: &'static [&'static str] = &STEPS;
    const FIRST_SCREEN: usize = shown::FIRST_SCREEN_STEPS;

    fn hear(&self, strobes: &mut CollectiveStrobes<bool>, heard: &mut Heard) -> bool {
        strobes.hear(self.shape.blocks, heard);
        true
    }

    fn shown(&self) -> Shown {
        shown::shown(self.score.program())
    }

    fn text(&self, sequencer: &CollectiveSequencer<bool>, number: usize, text: &mut String) {
        if let Some((step, _)) = sequencer.step() {
            text.push_str(&shown::TEXTS[number](self.score.program(), step));
        }
    }

    fn told(
        &self,
        sequencer: &CollectiveSequencer<bool>,
        node: usize,
        number: usize,
        text: &mut String,
    ) {
        if let Some(now) = sequencer.now() {
            self.followed
                .tell(self.score.program(), (node, number), now, text);
        }
    }

    fn told_anew(
        &self,
        sequencer: &CollectiveSequencer<bool>,
        anew: &mut dyn FnMut(usize, usize),
    ) -> bool {
        if let Some(now) = sequencer.now() {
            self.followed.tell_anew(self.score.program(), now, anew);
        }
        sequencer.now().is_some()
    }

    fn bit_times(&self) -> ClosedForm {
        self.plan.bit_times.clone()
    }

    /// Memory, and what a program needs beside it; a bit that notes a violation where not all ports may be busy.
    fn storage_bits(&self) -> ClosedForm {
        let shape = &self.shape;
        let text = match (
            shape.adds,
            shape.place_bits,
            shape.blocks,
            shape.has_arbiter(),
        ) {
            (true, ..) => "memory + d",
            (_, Some(_), _, true) => "memory + place + 3d + 1",
            (_, Some(_), ..) => "memory + place + 3d",
            (_, _, Some(_), _) => "memory + dN",
            (.., true) => "memory + 1",
            _ => "memory",
        };
        let place = shape.place_bits.unwrap_or(0);
        let letters = [
            ("memory", shape.memory_bits as u64),
            ("place", place as u64),
            ("d", shape.ports as u64),
            ("N", 1 << shape.ports),
        ];
        ClosedForm::of(text, &letters)
    }

    fn position(&self, sequencer: &CollectiveSequencer<bool>) -> Position {
        sequencer.position(self.start_up)
    }

    fn occupancy<B: Bit>(
        &self,
        node: &CollectiveNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        for (place, &bit) in node.held().iter().enumerate() {
            count(bit, 1 << place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routers::collectives::algorithms::{ALGORITHMS, Ask};

    #[test]
    fn a_plan_of_more_lines_than_there_can_be_ports_is_refused() {
        let ask = Ask::of(Dimensions::new(3).unwrap(), 6);
        let plans = ALGORITHMS.iter().filter_map(|of| of.plan(&ask).ok());
        let plans: Vec<OperationPlan> = plans.collect();
        assert!(plans.len() > 5);
        for mut plan in plans {
            assert!(CollectiveMachine::new(Arc::new(plan.clone())).is_ok());
            plan.program.transfers[0].receives.lines[0].line = MOST_DIMENSIONS;
            let refused = CollectiveMachine::new(Arc::new(plan)).unwrap_err();
            let said = "17 lines of a channel are out of range: choose 0 to 16";
            assert_eq!(refused.to_string(), said);
        }
    }
}
