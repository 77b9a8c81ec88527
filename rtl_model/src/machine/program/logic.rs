//! The logic of a bit time: a node run on bits that write gates down.

use std::ops::Range;

use crate::circuit::expression::{Expression, Gate, Graph};
use crate::language::bit::Bit;
use crate::language::register::Registers;
use crate::language::wires::{Ledger, Transmit};
use crate::machine::described::{Described, Description};
use crate::machine::program::Held;
use crate::machine::program::meters::Flags;
use crate::machine::program::scheduled::Scheduled;
#[cfg(doc)]
use crate::machine::router::Machine;
use crate::machine::router::{
    Heard, Position, Router, Sequencer, block_number_registers, memory_registers,
};

/// A node beside its sequencer, and what its router says of them.
pub(super) trait Schedulable: Described<Scheduled> {
    /// Hands out the node's registers, and behind them what it remembers for measurement; of its memory, behind all others,
    /// those alone that are at some addresses, if such are given, and none then of those that are [numbers](Machine::block_numbers).
    fn registers(&mut self, at: Option<&[usize]>, visitor: &mut dyn FnMut(&mut Scheduled));

    /// The numbers of the registers of its memory, among all.
    fn memory(&mut self) -> Range<usize>;

    /// How many registers right before those are [numbers](Machine::block_numbers).
    fn block_numbers(&mut self) -> usize;

    /// The bit time is broadcast; notes what nodes hear: see [`Router::hear`].
    fn hear(&mut self, heard: &mut Heard) -> bool;

    /// As [`Router::position`].
    fn position(&self) -> Position;

    /// As [`Router::occupancy`].
    fn occupancy(&self, after: Option<Position>, count: &mut dyn FnMut(Scheduled, u32));

    /// As [`Router::messages`].
    fn messages(&self, after: Option<Position>, count: &mut dyn FnMut(Scheduled));
}

impl<R: Router> Schedulable for Description<'_, R, Scheduled> {
    fn registers(&mut self, at: Option<&[usize]>, visitor: &mut dyn FnMut(&mut Scheduled)) {
        let apart = at.and_then(|addresses| {
            let memory = std::mem::take(self.machine.memory(&mut self.node)?);
            let numbers = self.machine.block_numbers(&mut self.node);
            Some((addresses, memory, numbers.map(std::mem::take)))
        });
        self.node.visit_mut(visitor);
        self.node.visit_witnesses(visitor);
        let Some((addresses, mut bits, words)) = apart else {
            return;
        };
        for &address in addresses {
            visitor(&mut bits[address]);
        }
        if let Some(memory) = self.machine.memory(&mut self.node) {
            *memory = bits;
        }
        if let (Some(numbers), Some(words)) = (self.machine.block_numbers(&mut self.node), words) {
            *numbers = words;
        }
    }

    fn memory(&mut self) -> Range<usize> {
        memory_registers(self.machine, &mut self.node)
    }

    fn block_numbers(&mut self) -> usize {
        block_number_registers(self.machine, &mut self.node)
    }

    fn hear(&mut self, heard: &mut Heard) -> bool {
        self.sequencer.broadcast(&mut self.strobes);
        self.machine.hear(&mut self.strobes, heard)
    }

    fn position(&self) -> Position {
        self.machine.position(&self.sequencer)
    }

    fn occupancy(&self, after: Option<Position>, count: &mut dyn FnMut(Scheduled, u32)) {
        self.machine.occupancy(&self.node, after, count);
    }

    fn messages(&self, after: Option<Position>, count: &mut dyn FnMut(Scheduled)) {
        self.machine.messages(&self.node, after, count);
    }
}

/// The logic of one bit time, whose strobes the node hears. Variables are numbered as `Variables` says.
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
    /// Of registers that are `held` so: all, or the others and those of the memory that are [at](Schedulable::registers) some
    /// addresses.
    pub(super) fn of(
        described: &mut dyn Schedulable,
        (held, at): (&[Held], Option<&[usize]>),
        measures_after: Option<Option<Position>>,
    ) -> Self {
        let (mut logic, graph) = Graph::record(|| {
            let mut before = Vec::with_capacity(held.len());
            let mut places = held.iter();
            described.registers(at, &mut |register| {
                let variable = Expression::variable();
                register.0 = match places.next() {
                    Some(Held::Known(false)) => Expression::ZERO,
                    Some(Held::Known(true)) => Expression::ONE,
                    _ => variable,
                };
                before.push(register.0);
            });
            let topology = described.topology();
            let variable = |_| Scheduled(Expression::variable());
            let address: Vec<Scheduled> = (0..topology.address_bits()).map(variable).collect();
            let mut received: Vec<Scheduled> = (0..topology.received()).map(variable).collect();
            let mut wires = vec![Scheduled(Expression::ZERO); topology.driven()];
            let links = topology.links();
            let (mut bits, mut messages) = (Vec::new(), Vec::new());
            if let Some(after) = measures_after {
                described.occupancy(after, &mut |flag, weight| bits.push((flag.0, weight)));
                described.messages(after, &mut |flag| messages.push((flag.0, 1)));
            }
            let (bits, messages) = (Flags::summed(bits), Flags::summed(messages));
            let mut ledger = Ledger::new(wires.len());
            described.transmit(&address, &mut Transmit::new(&mut wires, &mut ledger));
            for (wire, received) in received[..links].iter_mut().enumerate() {
                if !ledger.is_driven(wire) {
                    received.0 = Expression::ZERO;
                }
            }
            described.clock_node(&address, &received);
            let mut after = Vec::with_capacity(held.len());
            described.registers(at, &mut |register| after.push(register.0));
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
