//! A run as a program: what the nodes come to, bit time by bit time, once the strobes are known.
//!
//! ```text
//!   sequencer --> strobes of bit time t --+
//!                                         v
//!   node, over gates: transmit, clock --> logic of bit time t --> operations on planes
//!   registers: plane 0, plane 1, ... <----------- clock edge: where each register's bit is next
//! ```
//!
//! A sequencer of routers in lockstep sees no message, so it does the same in every run, and in a bit time most of a node is
//! at rest. Here the sequencer is run once, and beside it one node whose bits write down logic: what is left of a bit
//! time is some tens of [operations](operation) on the planes of all nodes. Bits that only move on are not moved: the
//! program remembers which slot holds which register.
//!
//! It is made from the same description as all else; nothing about a router is said again here.

mod kernels;
mod layout;
mod operation;
mod planes;
mod scheduled;
mod touched;
mod translate;
pub(crate) mod work;

use std::ops::Range;

use crate::bit::Bit;
use crate::error::Error;
use crate::expression::{Expression, Gate, Graph};
use crate::register::Registers;
use crate::router::{Machine, Node, Position, Router, Sequencer};
use crate::strobes::Strobes;
use crate::topology::Topology;
use crate::wires::{Ledger, Transmit};

use kernels::Kernel;
use layout::Way;
pub use layout::{Layout, Shape};
use operation::{Operand, Operation, Place};
pub(crate) use planes::Planes;
use scheduled::Scheduled;
pub use touched::Touched;
use translate::{Translation, Variables};

/// Where a register is between two bit times: in a slot, or known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// In the plane of that slot.
    In(u16),
    /// It is 0 or 1 in all nodes.
    Known(bool),
}

/// The program of a run.
pub struct Program<R: Machine> {
    layout: Layout,
    bit_times: Vec<BitTime<R>>,
    operations: Vec<Operation>,
    /// Planes that a worker keeps beside a tile.
    scratch: usize,
    ways: Vec<Way>,
    /// Two units drive one wire; in the bit time at which the program ends.
    conflict: Option<Error>,
}

struct BitTime<R: Machine> {
    sequencer: R::Sequencer<bool>,
    position: Position,
    /// The dimensions whose wires are driven, one bit each.
    driven: u32,
    /// Where the registers are, in the order in which they are visited.
    held: Box<[Held]>,
    /// What puts bits onto the wires.
    sending: Range<usize>,
    /// The clock edge at its end.
    edge: Range<usize>,
}

impl<R: Router> Program<R> {
    /// Runs the sequencer of a router to its end, and a node beside it. Who drives which wire is the same in all nodes.
    pub fn of(router: &R, layout: Layout) -> Self {
        let mut node = router.node::<Scheduled>();
        let mut registers = 0;
        node.visit_mut(&mut |_| registers += 1);
        let mut program = Program {
            layout,
            bit_times: Vec::with_capacity(router.bit_times().value as usize + 1),
            operations: Vec::new(),
            scratch: 0,
            ways: (0..router.dimensions().count())
                .map(|d| layout.way(d))
                .collect(),
            conflict: None,
        };
        let mut sequencer = router.sequencer::<bool>();
        let mut held: Vec<Held> = (0..registers).map(|slot| Held::In(slot as u16)).collect();
        loop {
            let bit_time = program.bit_times.len();
            let logic = Logic::of(router, &sequencer, &mut node, &held);
            let is_done = sequencer.is_done();
            let (sending, edge, next) =
                program.translate(&logic, &held, router.dimensions().count());
            program.conflict = logic
                .conflict
                .map(|(wire, first, second)| Error::WireConflict {
                    node: 0,
                    wire: router.dimensions().describe(wire),
                    bit_time: bit_time as u64,
                    first,
                    second,
                });
            program.bit_times.push(BitTime {
                position: router.position(&sequencer),
                sequencer: sequencer.clone(),
                driven: logic
                    .sent
                    .iter()
                    .fold(0, |driven, (wire, _)| driven | 1 << wire),
                held: held.into(),
                sending,
                edge,
            });
            if is_done || program.conflict.is_some() {
                return program;
            }
            held = next;
            sequencer.clock();
        }
    }

    /// The operations of a bit time, and where the registers are after it.
    fn translate(
        &mut self,
        logic: &Logic,
        held: &[Held],
        dimensions: usize,
    ) -> (Range<usize>, Range<usize>, Vec<Held>) {
        let slots: Vec<Option<u16>> = held
            .iter()
            .map(|held| match held {
                Held::In(slot) => Some(*slot),
                Held::Known(_) => None,
            })
            .collect();
        let variables = || Variables {
            slots: &slots,
            dimensions,
        };
        let mut sending = Translation::new(&logic.graph, variables(), &self.layout);
        for &(wire, expression) in &logic.sent {
            sending.work_out(expression, Operand::of(Place::Wire(wire)));
        }
        let mut edge = Translation::new(&logic.graph, variables(), &self.layout);
        let next = clock_edge(&mut edge, logic, held);
        self.scratch = self.scratch.max(sending.scratch).max(edge.scratch);
        let mut append = |operations: Vec<Operation>| {
            let from = self.operations.len();
            self.operations.extend(operations);
            from..self.operations.len()
        };
        (append(sending.operations), append(edge.operations), next)
    }
}

/// The logic of one bit time. Variables are numbered as [`Variables`] says.
struct Logic {
    graph: Graph,
    /// The variable, or the constant, that each register begins with.
    before: Vec<Expression>,
    /// What each holds afterwards.
    after: Vec<Expression>,
    /// The dimensions that are driven, and with what.
    sent: Vec<(usize, Expression)>,
    conflict: Option<(usize, &'static str, &'static str)>,
}

impl Logic {
    fn of<R: Router>(
        router: &R,
        sequencer: &R::Sequencer<bool>,
        node: &mut R::Node<Scheduled>,
        held: &[Held],
    ) -> Self {
        let k = router.dimensions().count();
        let mut broadcast = R::Broadcast::idle();
        sequencer.broadcast(&mut broadcast);
        let ((before, after, sent, conflict), graph) = Graph::record(|| {
            let mut before = Vec::with_capacity(held.len());
            let mut places = held.iter();
            node.visit_mut(&mut |register| {
                let variable = Expression::variable();
                register.0 = match places.next() {
                    Some(Held::Known(false)) => Expression::ZERO,
                    Some(Held::Known(true)) => Expression::ONE,
                    _ => variable,
                };
                before.push(register.0);
            });
            let variables = || (0..k).map(|_| Scheduled(Expression::variable()));
            let address: Vec<Scheduled> = variables().collect();
            let mut received: Vec<Scheduled> = variables().collect();
            let mut wires = vec![Scheduled(Expression::ZERO); k];
            let mut ledger = Ledger::new(k);
            let mut transmit = Transmit::new(&mut wires, &mut ledger);
            node.transmit(&broadcast, &address, &mut transmit);
            for (wire, received) in received.iter_mut().enumerate() {
                if !ledger.is_driven(wire) {
                    received.0 = Expression::ZERO;
                }
            }
            node.clock(&broadcast, &address, &received);
            let mut after = Vec::with_capacity(held.len());
            node.visit_mut(&mut |register| after.push(register.0));
            let sent: Vec<(usize, Expression)> =
                ledger.driven().map(|wire| (wire, wires[wire].0)).collect();
            let conflict = ledger.conflict();
            let conflict =
                conflict.map(|conflict| (conflict.wire, conflict.first, conflict.second));
            (before, after, sent, conflict)
        });
        Logic {
            graph,
            before,
            after,
            sent,
            conflict,
        }
    }
}

/// The operations of a clock edge, in an order in which none reads what another has overwritten; and where the registers
/// are then.
fn clock_edge(edge: &mut Translation<'_>, logic: &Logic, held: &[Held]) -> Vec<Held> {
    let registers = held.len();
    let mut next: Vec<Option<Held>> = vec![None; registers];
    let mut taken = vec![false; registers];
    let mut take = |slot: u16| !std::mem::replace(&mut taken[usize::from(slot)], true);
    // Registers that hold still keep their slots; then those that move on take theirs along.
    for (register, &after) in logic.after.iter().enumerate() {
        if after == logic.before[register] {
            if let Held::In(slot) = held[register] {
                take(slot);
            }
            next[register] = Some(held[register]);
        }
    }
    for register in 0..registers {
        let after = logic.after[register];
        if next[register].is_some() {
            continue;
        }
        next[register] = match after {
            Expression::ZERO => Some(Held::Known(false)),
            Expression::ONE => Some(Held::Known(true)),
            _ => logic
                .register_before(after)
                .and_then(|from| match held[from] {
                    Held::In(slot) => take(slot).then_some(Held::In(slot)),
                    Held::Known(_) => None,
                }),
        };
    }
    // The others are worked out: into their own slots, where these are free, or any.
    let mut results: Vec<Result> = Vec::new();
    for register in 0..registers {
        if next[register].is_none()
            && let Held::In(slot) = held[register]
            && take(slot)
        {
            next[register] = Some(Held::In(slot));
            results.push(Result::new(edge, logic.after[register], slot));
        }
    }
    let mut free = (0..registers as u16).filter(|slot| !taken[usize::from(*slot)]);
    for register in 0..registers {
        if next[register].is_none() {
            // As many slots as registers: there is one.
            let slot = free.next().unwrap_or(0);
            next[register] = Some(Held::In(slot));
            results.push(Result::new(edge, logic.after[register], slot));
        }
    }
    in_order(edge, results);
    next.into_iter()
        .map(|held| held.unwrap_or(Held::Known(false)))
        .collect()
}

impl Logic {
    /// The register that begins with that variable.
    fn register_before(&self, expression: Expression) -> Option<usize> {
        match self.graph.gate(expression) {
            Gate::Variable(number) => {
                Some(number as usize).filter(|number| *number < self.before.len())
            }
            _ => None,
        }
    }
}

/// A register's next bit, to be worked out into a slot.
struct Result {
    expression: Expression,
    slot: u16,
    reads: std::collections::HashSet<u16>,
}

impl Result {
    fn new(edge: &Translation<'_>, expression: Expression, slot: u16) -> Self {
        Result {
            expression,
            slot,
            reads: edge.slots_read(expression),
        }
    }
}

/// Works results out: each when no other is left that reads what its slot holds. Where they wait for each other in a circle,
/// one is kept beside the tile until the end.
fn in_order(edge: &mut Translation<'_>, mut results: Vec<Result>) {
    let mut kept = Vec::new();
    while !results.is_empty() {
        let is_free = |result: &Result| {
            let reads =
                |other: &&Result| other.slot != result.slot && other.reads.contains(&result.slot);
            results.iter().filter(reads).count() == 0
        };
        let free = results.iter().position(is_free);
        let result = results.remove(free.unwrap_or(0));
        let slot = Operand::of(Place::Slot(result.slot.into()));
        if free.is_some() {
            edge.work_out(result.expression, slot);
        } else {
            let beside = edge.beside();
            edge.work_out(result.expression, beside);
            kept.push((slot, beside));
        }
    }
    for (to, from) in kept {
        edge.operations.push(Operation {
            kernel: Kernel::Copy,
            to,
            operands: [from; 3],
        });
    }
}

impl<R: Machine> Program<R> {
    /// Bit times until the last step is over; up to a conflict, if there is one.
    pub fn length(&self) -> usize {
        self.bit_times.len() - 1
    }

    /// The conflict with which it ends, if it does.
    pub fn conflict(&self) -> Option<&Error> {
        self.conflict.as_ref()
    }

    /// How the bits lie in memory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The sequencer in a bit time, [`Program::length`] included.
    pub fn sequencer(&self, bit_time: usize) -> &R::Sequencer<bool> {
        &self.bit_times[bit_time].sequencer
    }

    /// Registers of a node.
    pub fn registers(&self) -> usize {
        self.bit_times[0].held.len()
    }

    pub(crate) fn held(&self, bit_time: usize) -> &[Held] {
        &self.bit_times[bit_time].held
    }

    #[inline]
    fn sending(&self, bit_time: usize) -> &[Operation] {
        &self.operations[self.bit_times[bit_time].sending.clone()]
    }

    #[inline]
    fn edge(&self, bit_time: usize) -> &[Operation] {
        &self.operations[self.bit_times[bit_time].edge.clone()]
    }

    /// Where the schedule stands.
    pub fn position(&self, bit_time: usize) -> Position {
        self.bit_times[bit_time].position
    }

    /// The dimensions whose wires are driven, one bit each.
    pub fn driven(&self, bit_time: usize) -> u32 {
        self.bit_times[bit_time].driven
    }

    /// Dimensions driven, summed over bit times.
    pub fn driven_wire_bit_times(&self, bit_times: Range<usize>) -> u64 {
        let driven = |bit_time: &BitTime<R>| u64::from(bit_time.driven.count_ones());
        self.bit_times[bit_times].iter().map(driven).sum()
    }

    /// Planes of registers that the operations of these bit times store, and wires: what there is to store at the least.
    pub fn stores(&self, bit_times: Range<usize>) -> u64 {
        let is_kept = |operation: &&Operation| !matches!(operation.to.place(), Place::Scratch(_));
        self.bit_times[bit_times]
            .iter()
            .flat_map(|bit_time| [&bit_time.sending, &bit_time.edge])
            .map(|range| {
                self.operations[range.clone()]
                    .iter()
                    .filter(is_kept)
                    .count() as u64
            })
            .sum()
    }

    /// From `start` on: bit times in which a dimension is idle; then those in which it is not, shorter pauses than
    /// `shortest` included. Either ends with `end` at the latest.
    pub(crate) fn idle_then_busy(
        &self,
        dimension: usize,
        Range { start, end }: Range<usize>,
        shortest: usize,
    ) -> (usize, usize) {
        let is_busy = |bit_time: usize| self.driven(bit_time) >> dimension & 1 == 1;
        let next = |from: usize, busy: bool| {
            (from..end)
                .find(|&bit_time| is_busy(bit_time) == busy)
                .unwrap_or(end)
        };
        let mut idle_until = next(start, true);
        if idle_until - start < shortest && idle_until < end {
            idle_until = start;
        }
        let mut busy_until = idle_until;
        loop {
            busy_until = next(next(busy_until, true), false);
            let pause = next(busy_until, true) - busy_until;
            if busy_until == end || pause >= shortest || busy_until + pause == end {
                return (idle_until, busy_until);
            }
        }
    }
}
