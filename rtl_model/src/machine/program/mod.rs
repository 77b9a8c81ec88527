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

mod across;
mod blocks;
mod clock_edge;
mod code;
mod fingerprint;
pub(crate) mod flat;
mod gather;
mod gauges;
mod held;
mod kernels;
mod layout;
mod logic;
mod making;
mod meters;
mod operation;
mod planes;
mod repeated;
mod roads;
mod routine;
mod scheduled;
mod stream;
mod streams;
#[cfg(test)]
mod tests;
mod touched;
mod translate;
pub(crate) mod work;

use std::any::Any;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use crate::error::Error;
use crate::language::bit::Bit;
use crate::language::lanes::Lanes;
use crate::machine::described::Description;
use crate::machine::router::{Machine, Position, Router, Sequencer, block_number_registers};
use crate::machine::share::Share;
use crate::machine::topology::Topology;

use clock_edge::{clock_edge, put};
use code::BitTime;
pub(crate) use code::Code;
pub(crate) use held::Held;
pub(crate) use layout::LARGEST;
pub use layout::{Layout, Shape};
use logic::{Logic, Schedulable};
use making::Making;
pub(crate) use meters::Meters;
pub use meters::Readings;
use meters::{Counters, Flags, Gauge, identity};
use operation::{Operand, OperandKind, Operation};
pub(crate) use planes::{Aligned, Planes, is_as_known};
use repeated::Fetched;
use roads::Roads;
pub(crate) use routine::Routine;
use scheduled::Scheduled;
pub(crate) use stream::Stream;
pub(crate) use touched::Pass;
pub use touched::Touched;
use translate::{Translation, Variables};

/// The most registers, all bit times together, that are looked at to make a program.
const MOST_REGISTERS: u64 = 1 << 23;

/// As many as a bit time is taken for at the least: it is written down, whatever is in it.
const FEWEST_REGISTERS: u64 = 32;

/// Bit times between two in which the sequencer is noted.
const STRIDE: usize = 64;

/// The program of a run.
pub struct Program<R: Machine> {
    /// In every [`STRIDE`]th bit time.
    sequencers: Vec<R::Sequencer<bool>>,
    /// After the last one.
    at_end: R::Sequencer<bool>,
    code: Code,
}

thread_local! {
    /// The program that a thread asked for last, as [`Kept`].
    static LAST: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// A program that is kept, and its router.
type Kept<R> = (R, Arc<Program<R>>);

impl<R: Router> Program<R> {
    /// Whether a router's program pays, and is soon enough made: each register is looked at in each bit time, but for those of a
    /// memory and numbers of its blocks. Very long messages take too long.
    pub fn can_be_made(router: &R) -> bool {
        if !router.program_pays() {
            return false;
        }
        let mut node = router.node::<bool>();
        let memory = router.memory(&mut node).map_or(0, |bits| bits.len());
        let apart = memory + block_number_registers(router, &mut node);
        let registers = router.storage_bits().value.saturating_sub(apart as u64);
        registers.max(FEWEST_REGISTERS) * router.bit_times().value <= MOST_REGISTERS
    }

    /// Runs the sequencer of a router to its end, and a node beside it. It is for so many lane groups. A program that
    /// `measures` has the router's meters in it.
    pub fn of<B: Lanes>(router: &R, groups: usize, measures: bool) -> Self {
        Self::of_share::<B>(router, (groups, Share::WHOLE), measures)
    }

    /// The same, for what a rank holds.
    pub(crate) fn of_share<B: Lanes>(
        router: &R,
        (groups, share): (usize, Share),
        measures: bool,
    ) -> Self {
        let topology = router.topology();
        let layout = Layout::of_share::<B>(groups, share);
        let roads = Roads::of::<B>(&topology, (groups, share), &layout);
        let first_node = topology.node_at::<B>(0, 0);
        Program::in_layout(router, (layout, roads), first_node, measures)
    }

    /// The same, whatever the lanes. A conflict of all nodes is said to be one of `first_node`.
    fn in_layout(
        router: &R,
        (layout, roads): (Layout, Roads),
        first_node: usize,
        measures: bool,
    ) -> Self {
        let mut description = Description::<R, Scheduled>::of(router);
        let mut making = Making::of(&mut description, first_node);
        let mut code = Code::empty((layout, roads), router.bit_times().value, measures);
        let mut sequencers = Vec::new();
        while code.extend(&mut description, &mut making) {
            if code.length().is_multiple_of(STRIDE) {
                sequencers.push(description.sequencer.clone());
            }
            description.sequencer.clock();
        }
        Program {
            sequencers,
            at_end: description.sequencer,
            code,
        }
    }

    /// The program of a router, made now or before: each thread keeps the one that it asked for last, so that runs of equal
    /// routers, one after the other, make it once. One that measures serves those who do not measure too.
    pub(crate) fn last_or_made<B: Lanes>(
        router: &R,
        share: (usize, Share),
        measures: bool,
    ) -> Arc<Self> {
        let made = || Self::keep(router, Program::of_share::<B>(router, share, measures));
        Self::last::<B>(router, share, measures).unwrap_or_else(made)
    }

    /// The one that this thread asked for last, if it will do.
    pub(crate) fn last<B: Lanes>(
        router: &R,
        (groups, share): (usize, Share),
        measures: bool,
    ) -> Option<Arc<Self>> {
        let layout = Layout::of_share::<B>(groups, share);
        let serves = |code: &Code| {
            code.layout == layout && code.roads.share() == share && (code.measures || !measures)
        };
        let kept = LAST.take();
        let last = kept.as_ref().and_then(|kept| kept.downcast_ref());
        let last = last.and_then(|(of, program): &Kept<R>| {
            (*of == *router && serves(&program.code)).then(|| Arc::clone(program))
        });
        LAST.set(kept);
        last
    }

    /// Keeps a program of a router as the one that this thread asked for last.
    pub(crate) fn keep(router: &R, program: Self) -> Arc<Self> {
        let program = Arc::new(program);
        let kept: Kept<R> = (router.clone(), Arc::clone(&program));
        LAST.set(Some(Box::new(kept)));
        program
    }

    /// What it says of the nodes.
    pub(crate) fn code(&self) -> &Code {
        &self.code
    }

    /// Bit times until the last step is over; up to a conflict, if there is one.
    pub fn length(&self) -> usize {
        self.code.length()
    }

    /// The conflict of all nodes with which it ends, if it does. What single nodes come to decide is seen in a run.
    pub fn conflict(&self) -> Option<&Error> {
        self.code.conflict.as_ref()
    }

    /// How the bits lie in memory.
    pub fn layout(&self) -> &Layout {
        &self.code.layout
    }

    /// The sequencer in a bit time, [`Program::length`] included.
    pub fn sequencer(&self, bit_time: usize) -> R::Sequencer<bool> {
        if bit_time == self.length() {
            return self.at_end.clone();
        }
        let mut sequencer = self.sequencers[bit_time / STRIDE].clone();
        for _ in 0..bit_time % STRIDE {
            sequencer.clock();
        }
        sequencer
    }

    /// Where the schedule stands.
    pub fn position(&self, bit_time: usize) -> Position {
        self.code.bit_times[bit_time].position
    }

    /// Whether a link is driven.
    pub fn drives(&self, bit_time: usize, link: usize) -> bool {
        self.code.drives(bit_time, link)
    }

    /// Wires of a node that are driven, those to its host among them, summed over bit times.
    pub fn driven_wire_bit_times(&self, bit_times: Range<usize>) -> u64 {
        bit_times
            .map(|bit_time| self.code.driven_wires(bit_time) as u64)
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
    /// Without a bit time; about so many are to come.
    fn empty((layout, roads): (Layout, Roads), bit_times: u64, measures: bool) -> Self {
        Code {
            layout,
            bit_times: Vec::with_capacity(bit_times as usize + 1),
            at_end: Box::default(),
            streams: Vec::new(),
            scratch_of_streams: 0,
            planes_of_streams: 0,
            operations: Vec::new(),
            in_one_slice: Vec::new(),
            scratch: 0,
            roads,
            driven: Vec::new(),
            is_plain: false,
            has_moves: false,
            measures,
            counters: 0,
            conflict: None,
        }
    }

    /// Appends the bit time in which the sequencer is. Gives whether there is another one after it.
    fn extend(&mut self, described: &mut dyn Schedulable, making: &mut Making) -> bool {
        making.repeated.hear(described);
        if !described.is_done()
            && let Some(repeated) = self.repeat(&mut making.repeated, described.position())
        {
            making.forget_counts();
            making.take(&repeated.moved);
            return true;
        }
        let before = self.bit_times.last().map(|bit_time| bit_time.position);
        let registers = making.repeated.registers(making.held.len());
        let held = registers
            .iter()
            .map(|&register| making.held[register as usize]);
        let held: Vec<Held> = held.collect();
        let touched = making.repeated.touched();
        let logic = Logic::of(described, (&held, touched), self.measures.then_some(before));
        self.conflict = (logic.conflict).map(|(wire, first, second)| Error::WireConflict {
            node: making.first_node,
            wire: described.topology().describe(wire),
            bit_time: self.bit_times.len() as u64,
            first,
            second,
        });
        let is_last = described.is_done() || self.conflict.is_some();
        if is_last {
            self.at_end = making.held.as_slice().into();
        }
        if touched.is_some() {
            making.forget_counts();
        }
        self.translate(&logic, making, (&registers, &held), described.position());
        if is_last {
            self.counters = making.bits.amount;
            self.finish();
        }
        !is_last
    }

    /// Appends a bit time; registers then are where they are after it.
    fn translate(
        &mut self,
        logic: &Logic,
        making: &mut Making,
        (registers, held): (&[u32], &[Held]),
        position: Position,
    ) {
        let slots: Vec<Option<u32>> = held
            .iter()
            .map(|held| match held {
                Held::In(slot) => Some(*slot),
                Held::Known(_) => None,
            })
            .collect();
        let variables = Variables {
            slots: &slots,
            fetched: logic.before.len() - slots.len(),
            addresses: &self.roads.address_places(),
            wires: &self.roads.wire_places(),
        };
        let begin = || Translation::new(&logic.graph, variables);
        let known = (&slots[..], &making.written[..]);
        let bits = self.gauge(&begin, &logic.bits, &mut making.bits, known);
        let mut messages = self.gauge(&begin, &logic.messages, &mut making.messages, known);
        // They are not counted: how many there are is known from the bits.
        (messages.flags, messages.counts) = (0..0, Vec::new());
        let mut sending = begin();
        for &(wire, expression) in &logic.sent {
            sending.work_out(expression, Operand::of(OperandKind::Wire(wire)));
        }
        let is_open = !logic.clash.is_known_zero();
        let clash = is_open.then(|| sending.operand(logic.clash));
        let mut edge = begin();
        let put = put(&mut edge, logic, slots.len());
        let next = clock_edge(&mut edge, logic, held, registers);
        for operation in &edge.operations {
            if let OperandKind::Slot(slot) = operation.to.place() {
                making.written[slot] += 1;
            }
        }
        let mut driven = vec![0; self.driven_words()];
        for (link, _) in &logic.sent {
            driven[link / 64] |= 1 << (link % 64);
        }
        self.driven.extend(driven);
        let (sending, edge) = (self.append(sending), self.append(edge));
        let planes = (variables.first_fetched(), variables.fetched);
        let is_fetched = |operand: Operand| match operand.place() {
            OperandKind::Scratch(plane) => (planes.0..planes.0 + planes.1).contains(&plane),
            _ => false,
        };
        let counted = bits.counts.iter().map(|count| count.plane);
        let mut measured = counted.chain(bits.planes.iter().copied()).chain(clash);
        debug_assert!(!measured.any(is_fetched), "see `Router::hear`");
        let fetched = Fetched {
            first: planes.0,
            read: [&sending, &edge].map(|range| self.read_of(range, planes)),
            put,
        };
        let bit_time = BitTime {
            position,
            driven_wires: logic.driven,
            moved: (held.iter().zip(&next).zip(registers))
                .filter(|((before, after), _)| before != after)
                .map(|((_, after), register)| (*register, *after))
                .collect(),
            moves: self.fetch(&fetched, &making.repeated),
            sending,
            clash,
            edge,
            measured: self.bit_times.len(),
            bits,
            messages,
        };
        making.take(&bit_time.moved);
        self.bit_times.push(bit_time);
        self.note(&mut making.repeated, &making.held, fetched);
    }

    fn append(&mut self, translation: Translation<'_>) -> Range<usize> {
        self.scratch = self.scratch.max(translation.scratch);
        self.append_all(translation.operations)
    }

    fn append_all(&mut self, operations: impl IntoIterator<Item = Operation>) -> Range<usize> {
        let from = self.operations.len();
        self.operations.extend(operations);
        from..self.operations.len()
    }

    /// How flags are measured.
    fn gauge<'a>(
        &mut self,
        begin: &impl Fn() -> Translation<'a>,
        flags: &Flags,
        counters: &mut Counters,
        (slots, written): (&[Option<u32>], &[u64]),
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
        let mut gauge = counters.gauge(
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
