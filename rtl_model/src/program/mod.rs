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
//! time is some tens of operations on the planes of all nodes. Bits that only move on are not moved: the
//! program remembers which slot holds which register.
//!
//! It is made from the same description as all else; nothing about a router is said again here.

mod code;
mod kernels;
mod layout;
mod measure;
mod operation;
mod planes;
mod scheduled;
#[cfg(test)]
mod tests;
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

use code::BitTime;
pub(crate) use code::Code;
use kernels::Kernel;
pub use layout::{Layout, Shape};
pub use measure::Readings;
use measure::{Flags, Gauge, Memory, identity};
use operation::{Operand, Operation, Place};
pub(crate) use planes::{Aligned, Planes, is_as_known};
use scheduled::Scheduled;
pub use touched::Touched;
use translate::{Translation, Variables};

/// Where a register is between two bit times: in a slot, or known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// In the plane of that slot.
    In(u32),
    /// It is 0 or 1 in all nodes.
    Known(bool),
}

/// The most places of registers, all bit times together, that a program notes.
const MOST_PLACES: u64 = 1 << 23;

/// The program of a run.
pub struct Program<R: Machine> {
    /// By bit time.
    sequencers: Vec<R::Sequencer<bool>>,
    code: Code,
}

/// What is remembered from bit time to bit time while a program is made.
struct Making {
    held: Vec<Held>,
    /// How often each slot was written.
    written: Vec<u64>,
    bits: Memory,
    messages: Memory,
}

impl<R: Router> Program<R> {
    /// Whether a router's program is small enough to be made: it notes where each register is in each bit time. Very long
    /// messages make it too large.
    pub fn can_be_made(router: &R) -> bool {
        router.storage_bits().value * router.bit_times().value <= MOST_PLACES
    }

    /// Runs the sequencer of a router to its end, and a node beside it. Who drives which wire is the same in all nodes.
    /// A program that `measures` has the router's meters in it.
    pub fn of(router: &R, layout: Layout, measures: bool) -> Self {
        let mut node = router.node::<Scheduled>();
        let mut slots = 0;
        node.visit_mut(&mut |_| slots += 1);
        node.visit_witnesses(&mut |_| slots += 1);
        let mut sequencers = Vec::new();
        let mut code = Code {
            layout,
            bit_times: Vec::with_capacity(router.bit_times().value as usize + 1),
            operations: Vec::new(),
            scratch: 0,
            ways: (0..router.dimensions().count())
                .map(|dimension| layout.way(dimension))
                .collect(),
            measures,
            counters: 0,
            conflict: None,
        };
        let mut sequencer = router.sequencer::<bool>();
        let mut making = Making {
            held: (0..slots).map(|slot| Held::In(slot as u32)).collect(),
            written: vec![0; slots],
            bits: Memory::default(),
            messages: Memory::default(),
        };
        loop {
            let before = code.bit_times.last().map(|bit_time| bit_time.position);
            let logic = Logic::of(
                router,
                &sequencer,
                &mut node,
                &making.held,
                measures.then_some(before),
            );
            let is_done = sequencer.is_done();
            code.conflict = logic
                .conflict
                .map(|(wire, first, second)| Error::WireConflict {
                    node: 0,
                    wire: router.dimensions().describe(wire),
                    bit_time: code.bit_times.len() as u64,
                    first,
                    second,
                });
            code.translate(&logic, &mut making, router.position(&sequencer));
            sequencers.push(sequencer.clone());
            if is_done || code.conflict.is_some() {
                code.counters = making.bits.amount;
                return Program { sequencers, code };
            }
            sequencer.clock();
        }
    }

    /// What it says of the nodes.
    pub(crate) fn code(&self) -> &Code {
        &self.code
    }

    /// Bit times until the last step is over; up to a conflict, if there is one.
    pub fn length(&self) -> usize {
        self.code.length()
    }

    /// The conflict with which it ends, if it does.
    pub fn conflict(&self) -> Option<&Error> {
        self.code.conflict.as_ref()
    }

    /// How the bits lie in memory.
    pub fn layout(&self) -> &Layout {
        &self.code.layout
    }

    /// The sequencer in a bit time, [`Program::length`] included.
    pub fn sequencer(&self, bit_time: usize) -> &R::Sequencer<bool> {
        &self.sequencers[bit_time]
    }

    /// Where the schedule stands.
    pub fn position(&self, bit_time: usize) -> Position {
        self.code.bit_times[bit_time].position
    }

    /// The dimensions whose wires are driven, one bit each.
    pub fn driven(&self, bit_time: usize) -> u32 {
        self.code.driven(bit_time)
    }

    /// Dimensions driven, summed over bit times.
    pub fn driven_wire_bit_times(&self, bit_times: Range<usize>) -> u64 {
        bit_times
            .map(|bit_time| u64::from(self.driven(bit_time).count_ones()))
            .sum()
    }

    /// Planes of registers that the operations of these bit times store, and wires: what there is to store at the least.
    pub fn stores(&self, bit_times: Range<usize>) -> u64 {
        self.code.stores(bit_times)
    }

    /// What passes between memory and a cache that keeps nothing from one bit time to the next; what is measured does not
    /// count.
    pub fn touched(&self, bit_times: Range<usize>) -> Touched {
        self.code.touched(bit_times)
    }

    /// Readings of a run, before it.
    pub fn readings(&self) -> Readings {
        Readings::new(self.length(), R::STEPS.len())
    }
}

impl Code {
    /// Appends a bit time; registers then are where they are after it.
    fn translate(&mut self, logic: &Logic, making: &mut Making, position: Position) {
        let dimensions = self.ways.len();
        let slots: Vec<Option<u32>> = making
            .held
            .iter()
            .map(|held| match held {
                Held::In(slot) => Some(*slot),
                Held::Known(_) => None,
            })
            .collect();
        let layout = self.layout;
        let begin = || {
            let variables = Variables {
                slots: &slots,
                dimensions,
            };
            Translation::new(&logic.graph, variables, &layout)
        };
        let bits = self.gauge(
            &begin,
            &logic.bits,
            &mut making.bits,
            &slots,
            &making.written,
        );
        let messages = self.gauge(
            &begin,
            &logic.messages,
            &mut making.messages,
            &slots,
            &making.written,
        );
        let mut sending = begin();
        for &(wire, expression) in &logic.sent {
            sending.work_out(expression, Operand::of(Place::Wire(wire)));
        }
        let mut edge = begin();
        let next = clock_edge(&mut edge, logic, &making.held);
        for operation in &edge.operations {
            if let Place::Slot(slot) = operation.to.place() {
                making.written[slot] += 1;
            }
        }
        let driven = logic
            .sent
            .iter()
            .fold(0, |driven, (wire, _)| driven | 1 << wire);
        let bit_time = BitTime {
            position,
            driven,
            held: std::mem::replace(&mut making.held, next).into(),
            sending: self.append(sending),
            edge: self.append(edge),
            bits,
            messages,
        };
        self.bit_times.push(bit_time);
    }

    fn append(&mut self, translation: Translation<'_>) -> Range<usize> {
        self.scratch = self.scratch.max(translation.scratch);
        let from = self.operations.len();
        self.operations.extend(translation.operations);
        from..self.operations.len()
    }

    /// How flags are measured.
    fn gauge<'a>(
        &mut self,
        begin: &impl Fn() -> Translation<'a>,
        flags: &Flags,
        memory: &mut Memory,
        slots: &[Option<u32>],
        written: &[u64],
    ) -> Gauge {
        if !self.measures {
            return Gauge::default();
        }
        let mut planes = begin();
        let graph = planes.graph();
        let variable = |number: u32| match slots.get(number as usize) {
            Some(Some(slot)) => u64::from(*slot) << 32 | written[*slot as usize],
            _ => u64::MAX >> 8,
        };
        let mut gauge = memory.gauge(
            &flags.flags,
            |flag| identity(graph, flag, &variable),
            |flag| planes.operand(flag),
        );
        gauge.flags = self.append(planes);
        let mut sums = begin();
        gauge.planes = flags.sums.iter().map(|&sum| sums.operand(sum)).collect();
        gauge.sums = self.append(sums);
        gauge
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
    bits: Flags,
    messages: Flags,
}

impl Logic {
    fn of<R: Router>(
        router: &R,
        sequencer: &R::Sequencer<bool>,
        node: &mut R::Node<Scheduled>,
        held: &[Held],
        measures_after: Option<Option<Position>>,
    ) -> Self {
        let k = router.dimensions().count();
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
            let variables = || (0..k).map(|_| Scheduled(Expression::variable()));
            let address: Vec<Scheduled> = variables().collect();
            let mut received: Vec<Scheduled> = variables().collect();
            let (mut bits, mut messages) = (Vec::new(), Vec::new());
            if let Some(after) = measures_after {
                router.occupancy(node, after, &mut |flag, weight| bits.push((flag.0, weight)));
                router.messages(node, after, &mut |flag| messages.push((flag.0, 1)));
            }
            let (bits, messages) = (Flags::summed(bits), Flags::summed(messages));
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
            let mut end = |register: &mut Scheduled| after.push(register.0);
            node.visit_mut(&mut end);
            node.visit_witnesses(&mut end);
            let sent: Vec<(usize, Expression)> =
                ledger.driven().map(|wire| (wire, wires[wire].0)).collect();
            let conflict = ledger.conflict();
            let conflict =
                conflict.map(|conflict| (conflict.wire, conflict.first, conflict.second));
            Logic {
                graph: Graph::empty(),
                before,
                after,
                sent,
                conflict,
                bits,
                messages,
            }
        });
        logic.graph = graph;
        logic
    }
}

/// The operations of a clock edge, in an order in which none reads what another has overwritten; and where the registers
/// are then.
fn clock_edge(edge: &mut Translation<'_>, logic: &Logic, held: &[Held]) -> Vec<Held> {
    let registers = held.len();
    let mut next: Vec<Option<Held>> = vec![None; registers];
    let mut taken = vec![false; registers];
    let mut take = |slot: u32| !std::mem::replace(&mut taken[slot as usize], true);
    // Registers that hold still keep their slots; then those that move on take theirs along.
    for (register, &after) in logic.after.iter().enumerate() {
        if after == logic.before[register] {
            if let Held::In(slot) = held[register] {
                take(slot);
            }
            next[register] = Some(held[register]);
        }
    }
    for (next, &after) in next.iter_mut().zip(&logic.after) {
        if next.is_some() {
            continue;
        }
        *next = match after {
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
    for ((next, &held), &after) in next.iter_mut().zip(held).zip(&logic.after) {
        if next.is_none()
            && let Held::In(slot) = held
            && take(slot)
        {
            *next = Some(Held::In(slot));
            results.push(Result::new(edge, after, slot));
        }
    }
    let mut free = (0..registers as u32).filter(|slot| !taken[*slot as usize]);
    for (next, &after) in next.iter_mut().zip(&logic.after) {
        if next.is_none() {
            // As many slots as registers: there is one.
            let slot = free.next().unwrap_or(0);
            *next = Some(Held::In(slot));
            results.push(Result::new(edge, after, slot));
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
    slot: u32,
    reads: std::collections::HashSet<u32>,
}

impl Result {
    fn new(edge: &Translation<'_>, expression: Expression, slot: u32) -> Self {
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
        let slot = Operand::of(Place::Slot(result.slot as usize));
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
