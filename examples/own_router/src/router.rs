//! Gossip: every node of a hypercube has a bit, and learns the parity of all.
//!
//! ```text
//!   bit time     0           1           2
//!   dimension    0           1           2
//!                +--------+
//!   parity --+-->|  XOR   |--> parity, at the clock edge
//!            |   +--------+
//!            |       ^
//!            v tx    | rx          the wires of the dimension whose turn it is
//! ```
//!
//! In bit time `d` all nodes send what they know across dimension `d`, and add up what comes: afterwards a node knows the
//! parity of the `2^(d+1)` nodes that differ from it in dimensions 0 to `d` alone. So `k` bit times do, with one register a
//! node.

use rtl_model::closed_form::ClosedForm;
use rtl_model::language::bit::{Bit, Strobe};
use rtl_model::language::lines::Lines;
use rtl_model::language::wires::Transmit;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{Machine, Node, Position, Router, Sequencer};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::parts::counter::Counter;
use rtl_model::{registers, strobes};

/// What the host gives a node.
pub const GIVEN: Field = Field("given");
/// What it reads from it.
pub const PARITY: Field = Field("parity");

/// The machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GossipRouter(pub Dimensions);

/// A node: its register is all that it has.
#[derive(Clone)]
pub struct GossipNode<B: Bit> {
    parity: B,
}
registers!(GossipNode {
    parity: "of the nodes heard of so far",
});

strobes! {
    /// What all nodes hear.
    #[derive(Clone)]
    pub struct GossipStrobes<S> {
        /// The dimension whose turn it is.
        pub turn: Lines<S>,
    }
}

impl<B: Bit> Node<B> for GossipNode<B> {
    type Broadcast = GossipStrobes<B::Strobe>;

    fn transmit(&self, strobes: &Self::Broadcast, _: &[B], wires: &mut Transmit<'_, B>) {
        for (dimension, turn) in strobes.turn.iter() {
            wires.drive(dimension, "gossip", turn, || self.parity);
        }
    }

    fn clock(&mut self, strobes: &Self::Broadcast, _: &[B], received: &[B]) {
        for (dimension, turn) in strobes.turn.iter() {
            let parity = self.parity ^ received[dimension];
            B::when(turn, &mut self.parity, |register| *register = parity);
        }
    }
}

/// The sequencer: it counts bit times.
#[derive(Clone)]
pub struct GossipSequencer<B: Bit> {
    dimensions: usize,
    bit_time: Counter<B>,
}
registers!(GossipSequencer { bit_time });

impl<S: Strobe> Sequencer<S> for GossipSequencer<S> {
    type Broadcast = GossipStrobes<S>;

    fn broadcast(&self, strobes: &mut GossipStrobes<S>) {
        let now = self.bit_time.number();
        let turn = |dimension| now.equals(dimension as i64);
        strobes.turn.drive(S::ONE, 0..self.dimensions, turn);
    }

    fn clock(&mut self) {
        let done = self.is_done();
        self.bit_time.count_or_set(done, self.dimensions as u32);
    }

    fn is_done(&self) -> S {
        self.bit_time.number().equals(self.dimensions as i64)
    }
}

impl Machine for GossipRouter {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = GossipStrobes<S>;
    type Node<B: Bit> = GossipNode<B>;
    type Sequencer<S: Strobe> = GossipSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.0
    }

    fn node<B: Bit>(&self) -> GossipNode<B> {
        GossipNode { parity: B::ZERO }
    }

    fn sequencer<S: Strobe>(&self) -> GossipSequencer<S> {
        let dimensions = self.0.count();
        GossipSequencer {
            dimensions,
            bit_time: Counter::new(dimensions as u32, 0),
        }
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut GossipNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        port(GIVEN, 0, &mut node.parity);
    }

    fn host_reads<B: Bit>(&self, node: &GossipNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        port(PARITY, 0, node.parity);
    }
}

impl Router for GossipRouter {
    const STEPS: &'static [&'static str] = &["gossip"];

    fn bit_times(&self) -> ClosedForm {
        ClosedForm::of("k", &[("k", self.0.count() as u64)])
    }

    fn storage_bits(&self) -> ClosedForm {
        ClosedForm::of("1", &[])
    }

    fn position(&self, sequencer: &GossipSequencer<bool>) -> Position {
        Position {
            iteration: 0,
            step: 0,
            bit_time: sequencer.bit_time.number().value(),
        }
    }
}
