//! The logic of a bit time: a node run on bits that write gates down.

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::language::bit::Bit;
use crate::language::register::Registers;
use crate::language::strobes::Strobes;
use crate::language::wires::{Ledger, Transmit};
use crate::machine::program::Held;
use crate::machine::program::meters::Flags;
use crate::machine::program::scheduled::Scheduled;
use crate::machine::router::{Node, Position, Router, Sequencer};
use crate::machine::topology::Topology;

/// The logic of one bit time. Variables are numbered as [`Variables`] says.
pub(super) struct Logic {
    pub(super) graph: Graph,
    /// The variable, or the constant, that each register begins with.
    pub(super) before: Vec<Expression>,
    /// What each holds afterwards.
    pub(super) after: Vec<Expression>,
    /// The links that are driven, and with what.
    pub(super) sent: Vec<(usize, Expression)>,
    /// How many wires are driven, those to the host among them.
    pub(super) driven: usize,
    /// Two units drive one wire in all nodes.
    pub(super) conflict: Option<(usize, &'static str, &'static str)>,
    /// Two units drive one wire in the nodes in which this is 1.
    pub(super) clash: Expression,
    pub(super) bits: Flags,
    pub(super) messages: Flags,
}

impl Logic {
    pub(super) fn of<R: Router>(
        router: &R,
        sequencer: &R::Sequencer<bool>,
        node: &mut R::Node<Scheduled>,
        held: &[Held],
        measures_after: Option<Option<Position>>,
    ) -> Self {
        let topology = router.topology();
        let mut broadcast = R::Broadcast::idle();
        sequencer.broadcast(&mut broadcast);
        let (mut logic, graph) = Graph::record(|| {
            let mut before = Vec::with_capacity(held.len());
            let mut places = held.iter();
            let mut begin = |register: &mut Scheduled| {
                let variable = Expression::variable();
                register.0 = match places.next() {
                    Some(Held::Known(false)) => Expression::ZERO,
                    Some(Held::Known(true)) => Expression::ONE,
                    _ => variable,
                };
                before.push(register.0);
            };
            node.visit_mut(&mut begin);
            node.visit_witnesses(&mut begin);
            let variable = |_| Scheduled(Expression::variable());
            let address: Vec<Scheduled> = (0..topology.address_bits()).map(variable).collect();
            let mut received: Vec<Scheduled> = (0..topology.received()).map(variable).collect();
            let (mut bits, mut messages) = (Vec::new(), Vec::new());
            if let Some(after) = measures_after {
                router.occupancy(node, after, &mut |flag, weight| bits.push((flag.0, weight)));
                router.messages(node, after, &mut |flag| messages.push((flag.0, 1)));
            }
            let (bits, messages) = (Flags::summed(bits), Flags::summed(messages));
            let mut wires = vec![Scheduled(Expression::ZERO); topology.driven()];
            let mut ledger = Ledger::new(wires.len());
            let mut transmit = Transmit::new(&mut wires, &mut ledger);
            node.transmit(&broadcast, &address, &mut transmit);
            let links = topology.links();
            for (wire, received) in received[..links].iter_mut().enumerate() {
                if !ledger.is_driven(wire) {
                    received.0 = Expression::ZERO;
                }
            }
            node.clock(&broadcast, &address, &received);
            let mut after = Vec::with_capacity(held.len());
            let mut end = |register: &mut Scheduled| after.push(register.0);
            node.visit_mut(&mut end);
            node.visit_witnesses(&mut end);
            let sent: Vec<(usize, Expression)> = (ledger.driven())
                .take_while(|&wire| wire < links)
                .map(|wire| (wire, wires[wire].0))
                .collect();
            let in_all = ledger
                .conflict()
                .filter(|conflict| conflict.nodes.is_known_one());
            let conflict = in_all.map(|conflict| (conflict.wire, conflict.first, conflict.second));
            let clash = match conflict {
                Some(_) => Expression::ZERO,
                None => ledger.clash().0,
            };
            Logic {
                graph: Graph::empty(),
                before,
                after,
                sent,
                driven: ledger.driven().count(),
                conflict,
                clash,
                bits,
                messages,
            }
        });
        logic.graph = graph;
        logic
    }

    /// The register that begins with that variable.
    pub(super) fn register_before(&self, expression: Expression) -> Option<usize> {
        match self.graph.gate(expression) {
            Gate::Variable(number) => {
                Some(number as usize).filter(|number| *number < self.before.len())
            }
            _ => None,
        }
    }
}
