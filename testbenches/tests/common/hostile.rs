//! A router made of names that are taken: keywords, ports, and what module `cube` is made of.

use rtl_model::closed_form::ClosedForm;
use rtl_model::language::bit::{Bit, Strobe};
use rtl_model::language::lines::Lines;
use rtl_model::language::wires::Transmit;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{Machine, Node, Position, Router, Sequencer};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::parts::counter::Counter;
use rtl_model::registers;
use rtl_model::strobes;

#[derive(Clone, Copy, PartialEq)]
pub struct HostileRouter {
    dimensions: Dimensions,
}

impl HostileRouter {
    pub fn new(dimensions: Dimensions) -> Self {
        HostileRouter { dimensions }
    }
}

/// Three registers that take turns; what they do does not matter.
#[derive(Clone)]
pub struct HostileNode<B: Bit> {
    posedge: B,
    tx: B,
    n1: B,
}
registers!(HostileNode { posedge, tx, n1 });

#[derive(Clone)]
pub struct HostileSequencer<B: Bit> {
    reset: Counter<B>,
}
registers!(HostileSequencer { reset });

strobes! {
    #[derive(Clone)]
    pub struct HostileStrobes<S> {
        /// A bundle without its line 1.
        received: Lines<S>,
        /// As a loop of the cube.
        n: S,
        /// As the module.
        node: S,
        /// A keyword.
        module: S,
        /// Always 1: no port.
        always: S,
    }
}

impl<B: Bit> Node<B> for HostileNode<B> {
    type Broadcast = HostileStrobes<B::Strobe>;

    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        for (dimension, own) in address.iter().enumerate() {
            wires.drive(dimension, "hostile", strobes.always, || {
                self.tx ^ *own ^ B::from_strobe(strobes.received.line(dimension))
            });
        }
    }

    fn clock(&mut self, strobes: &Self::Broadcast, _address: &[B], received: &[B]) {
        let heard = received.iter().fold(B::ZERO, |heard, bit| heard ^ *bit);
        let (posedge, tx, n1) = (self.posedge, self.tx, self.n1);
        B::when(strobes.n, &mut self.posedge, |posedge| {
            *posedge = n1 ^ heard
        });
        B::when(strobes.node, &mut self.tx, |tx| *tx = posedge & heard);
        B::when(strobes.module, &mut self.n1, |n1| *n1 = tx | heard);
    }
}

impl<S: Strobe> Sequencer<S> for HostileSequencer<S> {
    type Broadcast = HostileStrobes<S>;

    fn broadcast(&self, strobes: &mut HostileStrobes<S>) {
        let t = self.reset.number();
        strobes.received.drive(S::ONE, 0..3, |line| match line {
            1 => S::ZERO,
            line => t.equals(line as i64),
        });
        strobes.n = t.at_least(1);
        strobes.node = t.at_least(2);
        strobes.module = t.at_most(2);
        strobes.always = S::ONE;
    }

    fn clock(&mut self) {
        self.reset.count();
    }

    fn is_done(&self) -> S {
        self.reset.number().equals(3)
    }
}

impl Machine for HostileRouter {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = HostileStrobes<S>;
    type Node<B: Bit> = HostileNode<B>;
    type Sequencer<S: Strobe> = HostileSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> HostileNode<B> {
        HostileNode {
            posedge: B::ZERO,
            tx: B::ZERO,
            n1: B::ZERO,
        }
    }

    fn sequencer<S: Strobe>(&self) -> HostileSequencer<S> {
        HostileSequencer {
            reset: Counter::new(3, 0),
        }
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut HostileNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        port(Field::MEMBER, 0, &mut node.n1);
    }

    fn host_reads<B: Bit>(&self, node: &HostileNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        port(Field::RANK, 0, node.posedge);
    }
}

impl Router for HostileRouter {
    const STEPS: &'static [&'static str] = &["hostile"];

    fn bit_times(&self) -> ClosedForm {
        ClosedForm::of("3", &[])
    }

    fn storage_bits(&self) -> ClosedForm {
        ClosedForm::of("3", &[])
    }

    fn position(&self, sequencer: &HostileSequencer<bool>) -> Position {
        Position {
            iteration: 0,
            step: 0,
            bit_time: sequencer.reset.number().value(),
        }
    }

    fn occupancy<B: Bit>(
        &self,
        _node: &HostileNode<B>,
        _after: Option<Position>,
        _count: &mut dyn FnMut(B, u32),
    ) {
    }

    fn messages<B: Bit>(
        &self,
        _node: &HostileNode<B>,
        _after: Option<Position>,
        _count: &mut dyn FnMut(B),
    ) {
    }
}
