//! The machine of a phase: nodes on a hypercube, and a sequencer.

use std::sync::Arc;

use crate::closed_form::ClosedForm;
use crate::error::{Error, in_range, port_dimensions};
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::machine::device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Position, Router};
use crate::machine::shown::Shown;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::phase::codes::MOST_PORTS;
use crate::routers::phase::node::{PhaseNode, Sizes};
use crate::routers::phase::plan::PhasePlan;
use crate::routers::phase::sequencer::{PhaseSequencer, PhaseStrobes, STEPS};
use crate::routers::phase::shown;

/// The most bits of a packet, and the most bit times of a start-up.
pub const MOST_BITS: usize = 1 << 20;

/// The most bits of registers of a node.
pub const MOST_STORAGE_BITS: usize = 1 << 22;

/// The machine that runs a phase.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseMachine {
    plan: Arc<PhasePlan>,
    packet_bits: usize,
    start_up: usize,
}

impl PhaseMachine {
    /// It behind an object: compiled here, for whoever is above the hardware seam.
    #[inline(never)]
    pub fn as_device(&self) -> &dyn device::Device {
        self
    }

    /// For a plan, packets of so many bits and so many bit times of start-up.
    ///
    /// # Errors
    /// 0 or too many bits, too many bit times, a plan in which nothing moves, nodes that would need too many registers; too many
    /// dimensions.
    pub fn new(plan: Arc<PhasePlan>, packet_bits: usize, start_up: usize) -> Result<Self, Error> {
        let dimensions = plan.host().count();
        if dimensions > MOST_PORTS {
            return Err(port_dimensions(dimensions, MOST_PORTS));
        }
        in_range("bits of a packet", packet_bits, [1, MOST_BITS])?;
        in_range("bit times of a start-up", start_up, [0, MOST_BITS])?;
        in_range("steps of a phase", plan.steps(), [1, u32::MAX as usize])?;
        let machine = PhaseMachine {
            plan,
            packet_bits,
            start_up,
        };
        let bits = machine.form("CB + 2nSW").value as usize;
        let what = "bits of registers in a node, for its cells and what it is told,";
        in_range(what, bits, [1, MOST_STORAGE_BITS])?;
        Ok(machine)
    }

    /// What stands in the nodes' configuration.
    pub fn plan(&self) -> &PhasePlan {
        &self.plan
    }

    /// Bits of a packet, `B`.
    pub fn packet_bits(&self) -> usize {
        self.packet_bits
    }

    /// Bit times before the first bit of a packet, `T`.
    pub fn start_up(&self) -> usize {
        self.start_up
    }

    fn sizes(&self) -> Sizes {
        Sizes {
            ports: self.plan.host().count(),
            cells: self.plan.cells(),
            code_bits: self.plan.code_bits(),
            steps: self.plan.steps(),
            packet_bits: self.packet_bits,
        }
    }

    /// The value of a closed form in `n` ports, `C` cells, codes of `W` bits, `S` steps, `B` and `T`.
    fn form(&self, text: &'static str) -> ClosedForm {
        let sizes = self.sizes();
        let letters = [
            ("n", sizes.ports),
            ("C", sizes.cells),
            ("W", sizes.code_bits),
            ("S", sizes.steps),
            ("B", sizes.packet_bits),
            ("T", self.start_up),
        ];
        ClosedForm::of(text, &letters.map(|(letter, size)| (letter, size as u64)))
    }
}

impl Machine for PhaseMachine {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = PhaseStrobes<S>;
    type Node<B: Bit> = PhaseNode<B>;
    type Sequencer<S: Strobe> = PhaseSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.plan.host()
    }

    fn node<B: Bit>(&self) -> PhaseNode<B> {
        PhaseNode::new(self.sizes())
    }

    fn sequencer<S: Strobe>(&self) -> PhaseSequencer<S> {
        PhaseSequencer::new(self.plan.steps(), self.packet_bits, self.start_up)
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut PhaseNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(port);
    }

    fn host_reads<B: Bit>(&self, node: &PhaseNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        node.host_reads(port);
    }
}

impl Router for PhaseMachine {
    const STEPS: &'static [&'static str] = &STEPS;
    const FIRST_SCREEN: usize = shown::FIRST_SCREEN_STEPS;

    /// Of 1,024 nodes with 10 cells, a program takes some 3 ms to note down a bit time, in which all ports may send any cell; to
    /// tick through it takes 10 microseconds.
    fn program_pays(&self) -> bool {
        false
    }

    fn shown(&self) -> Shown {
        shown::shown(&self.plan, self.packet_bits)
    }

    fn text(&self, sequencer: &PhaseSequencer<bool>, _number: usize, text: &mut String) {
        if let Some((step, _)) = sequencer.under_way() {
            text.push_str(&shown::way(&self.plan, step));
        }
    }

    fn numbers<B: Lanes>(
        &self,
        sequencer: &PhaseSequencer<bool>,
        node: &PhaseNode<B>,
        _address: &[B],
        bit: &mut dyn FnMut(B),
    ) {
        shown::numbers(node, sequencer.shifted(), bit);
    }

    fn told(
        &self,
        sequencer: &PhaseSequencer<bool>,
        node: usize,
        number: usize,
        text: &mut String,
    ) {
        if let Some((step, _)) = sequencer.under_way() {
            shown::told(&self.plan, (node, number), step, text);
        }
    }

    /// Other packets go in every step, and none before it is over.
    fn told_anew(
        &self,
        sequencer: &PhaseSequencer<bool>,
        _anew: &mut dyn FnMut(usize, usize),
    ) -> bool {
        sequencer.under_way().is_some_and(|(_, bit)| bit > 0)
    }

    /// A start-up and a packet a step.
    fn bit_times(&self) -> ClosedForm {
        self.form("(T+B)S")
    }

    /// Cells, and two codes a port and step.
    fn storage_bits(&self) -> ClosedForm {
        self.form("CB + 2nSW")
    }

    fn position(&self, sequencer: &PhaseSequencer<bool>) -> Position {
        sequencer.position()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::paths::Embedding;
    use crate::embedding::phase::{Order, Phase};
    use crate::machine::device::Device;

    /// One edge across a dimension of a cube, of so many packets.
    fn plan(dimensions: usize, packets: usize) -> Arc<PhasePlan> {
        let mut embedding = Embedding::new(Dimensions::new(dimensions).unwrap(), vec![0, 1]);
        embedding.add_edge([0, 1], [[0]]);
        let embedding = embedding.with_packets(packets);
        Arc::new(PhasePlan::of(
            &embedding,
            &Phase::of(&embedding, Order::Greedy),
        ))
    }

    #[test]
    fn what_is_out_of_range_is_an_error() {
        let error = |plan: Arc<PhasePlan>, bits, start_up| {
            let machine = PhaseMachine::new(plan, bits, start_up);
            machine.unwrap_err().to_string()
        };
        assert_eq!(
            error(plan(2, 1), 0, 0),
            "0 bits of a packet are out of range: choose 1 to 1048576"
        );
        assert!(error(plan(2, 1), MOST_BITS + 1, 0).starts_with("1048577 bits of a packet are"));
        assert_eq!(
            error(plan(2, 1), 1, MOST_BITS + 1),
            "1048577 bit times of a start-up are out of range: choose 0 to 1048576"
        );
        assert!(error(plan(2, 0), 1, 0).starts_with("0 steps of a phase are out of range"));
        assert!(error(plan(2, 5), MOST_BITS, 0).contains("bits of registers in a node"));
        assert_eq!(
            error(plan(17, 1), 1, 0),
            "a machine of ports of 17 dimensions is out of range: choose 1 to 16"
        );
        assert!(PhaseMachine::new(plan(16, 1), MOST_BITS, MOST_BITS).is_ok());
    }

    #[test]
    fn a_node_stores_what_the_closed_form_says() {
        for (dimensions, packets, bits) in [(1, 1, 1), (2, 3, 4), (4, 8, 5), (3, 7, 70)] {
            let machine = PhaseMachine::new(plan(dimensions, packets), bits, 2).unwrap();
            let due = Router::storage_bits(&machine).value;
            assert_eq!(machine.storage().total as u64, due);
            assert_eq!(
                Router::bit_times(&machine).value as usize,
                (2 + bits) * packets
            );
        }
    }
}
