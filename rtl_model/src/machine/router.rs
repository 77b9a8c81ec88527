//! What every router is: a node, the sequencer that all nodes hear, and what passes between them.

use std::ops::Range;

use bitvec::slice::BitSlice;

use crate::closed_form::ClosedForm;
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::language::strobes::Strobes;
use crate::language::wires::Transmit;
use crate::machine::field::Field;
use crate::machine::shown::Shown;
use crate::machine::topology::Topology;
use crate::machine::topology::hypercube::Dimensions;
use crate::parts::word::Word;

/// One node. It sees its registers, its own address, the bits it receives and the sequencer's
/// broadcast: nothing else is ever passed in.
pub trait Node<B: Bit>: Registers<B> {
    /// What the sequencer broadcasts.
    type Broadcast;

    /// Combinational: the bits that go onto the wires in this bit time. `address[d]` is bit `d` of
    /// the node's own address (see [`Topology`]).
    fn transmit(&self, broadcast: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>);

    /// The clock edge at the end of the bit time. `received[w]` is the bit that came on wire `w` in it (on a
    /// hypercube: across dimension `w`), 0 from a wire that nobody drives.
    fn clock(&mut self, broadcast: &Self::Broadcast, address: &[B], received: &[B]);
}

/// The sequencer: counters and decode. It sees no message and no node.
pub trait Sequencer<S: Strobe>: Registers<S> {
    /// What it broadcasts.
    type Broadcast;

    /// Combinational: the strobes of this bit time.
    fn broadcast(&self, broadcast: &mut Self::Broadcast);

    /// The clock edge at the end of the bit time.
    fn clock(&mut self);

    /// 1 once the last step is over.
    fn is_done(&self) -> S;
}

/// What a node holds of messages at the most, whatever the traffic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferBounds {
    /// The closed form of messages.
    pub messages: ClosedForm,
    /// The closed form of message bits.
    pub occupied_bits: ClosedForm,
}

/// Where a schedule stands, read off the sequencer's registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Number of the iteration, from 0.
    pub iteration: u32,
    /// Number of the step as the sequencer codes it: an index into [`Router::STEPS`].
    pub step: u32,
    /// Bit times since the step began; where steps overlap, since the iteration began.
    pub bit_time: u32,
}

/// The steps of a schedule, and what drives wires in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    /// Their names, by the sequencer's code; empty where a code is not used.
    pub names: &'static [&'static str],
    /// Whether one may begin before the one before it is over.
    pub overlap: bool,
    /// Then, the units that drive wires.
    pub units: &'static [&'static str],
    /// How many iterations a view opens on.
    pub first_screen: usize,
    /// Whether iterations differ in their steps.
    pub differ: bool,
}

/// A machine: nodes that are all the same circuit, the wires that join them, and what all of them hear.
pub trait Machine {
    /// What the wires join.
    type Topology: Topology + Clone + Send + Sync;
    /// Strobes, over the bit that the sequencer runs on.
    type Broadcast<S: Strobe>: Strobes<S> + Clone + Send + Sync;
    /// The node, over any bit.
    type Node<B: Bit>: Node<B, Broadcast = Self::Broadcast<B::Strobe>> + Send;
    /// The sequencer, over any bit.
    type Sequencer<S: Strobe>: Sequencer<S, Broadcast = Self::Broadcast<S>> + Clone + Send + Sync;

    /// The network it is built for.
    fn topology(&self) -> Self::Topology;

    /// A node whose registers hold what they begin with.
    fn node<B: Bit>(&self) -> Self::Node<B>;

    /// A sequencer about to begin.
    fn sequencer<S: Strobe>(&self) -> Self::Sequencer<S>;

    /// The registers that the host writes before bit time 0: calls `port(field, bit, register)` for
    /// each of them, fields one after the other, their bits ascending. None where the host talks over wires.
    fn host_writes<B: Bit>(
        &self,
        node: &mut Self::Node<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        let _ = (node, port);
    }

    /// The memory of a node, if it has one: registers by address, which begin with 0 and which [`Registers::visit_mut`] hands out one
    /// behind the other. In bit times in which it is noted [what nodes hear](Router::hear), they touch no others than those at the
    /// addresses among that. The memory may have been taken out of a node that is visited, or that the host writes or reads: as a
    /// field of its port it is [`Field::MEMORY`].
    fn memory<'n, B: Bit>(&self, node: &'n mut Self::Node<B>) -> Option<&'n mut Box<[B]>> {
        let _ = node;
        None
    }

    /// The numbers that [blocks](Blocks) of a node's memory get, if they change places: words as wide as the number of the last block,
    /// which [`Registers::visit_mut`] hands out right before the memory. In bit times in which it is noted [what nodes
    /// hear](Router::hear), these alone read them in which blocks are among that, and none writes them.
    fn block_numbers<'n, B: Bit>(
        &self,
        node: &'n mut Self::Node<B>,
    ) -> Option<&'n mut Vec<Word<B>>> {
        let _ = node;
        None
    }

    /// What the host reads after the last bit time, in the same way.
    fn host_reads<B: Bit>(&self, node: &Self::Node<B>, port: &mut dyn FnMut(Field, usize, B)) {
        let _ = (node, port);
    }
}

/// Which registers of a node its [memory](Machine::memory) is, by number; none if it has none.
pub fn memory_registers<M: Machine, B: Bit>(machine: &M, node: &mut M::Node<B>) -> Range<usize> {
    let Some(memory) = machine.memory(node) else {
        return 0..0;
    };
    let (first, width) = (memory.as_ptr(), memory.len());
    let (mut begin, mut number) = (0, 0);
    node.visit_mut(&mut |register| {
        if std::ptr::eq(register, first) {
            begin = number;
        }
        number += 1;
    });
    begin..begin + width
}

/// How many registers of a node are [numbers of blocks](Machine::block_numbers).
pub fn block_number_registers<M: Machine, B: Bit>(machine: &M, node: &mut M::Node<B>) -> usize {
    let numbers = machine.block_numbers(node);
    numbers.map_or(0, |words| words.iter().map(Word::width).sum())
}

/// A machine whose nodes decide for themselves: nothing but idle strobes is broadcast, and every bit time is like every other.
pub trait Unsequenced: Machine {
    /// How many things are counted in each bit time.
    const TALLIES: usize;

    /// Calls `count(number, flag)`, before the clock edge: in the nodes where `flag` is 1, there is one more of that number,
    /// less than [`Unsequenced::TALLIES`], in this bit time. For measurement only; it reads registers and changes none.
    fn tallies<B: Bit>(
        &self,
        node: &Self::Node<B>,
        address: &[B],
        count: &mut impl FnMut(usize, B),
    );
}

/// A router in lockstep, of any network: all nodes follow one schedule, which fixes the bit times of a run.
///
/// Equal routers are the same circuit on the same schedule: what has been made of one (its program, its logic depth) serves
/// the other. So all that the circuit depends on takes part in the comparison.
pub trait Router: Machine + Clone + PartialEq + Send + Sync + 'static {
    /// Names of the steps, by the sequencer's code; empty where a code is not used.
    const STEPS: &'static [&'static str];

    /// Whether a step may begin before the one before it is over. A bit time then counts for the step that
    /// began last.
    const STEPS_OVERLAP: bool = false;

    /// How many iterations, from the first that is recorded, the view of a waveform opens on.
    const FIRST_SCREEN: usize = 1;

    /// Whether iterations differ in their steps, as the rows of a table do. Else one is over where the step that it began with
    /// begins again.
    const ITERATIONS_DIFFER: bool = false;

    /// Where steps overlap, the units that drive wires, as they are called in [`Transmit::drive`]: a waveform tells them,
    /// and has to know the longest name beforehand.
    const UNITS: &'static [&'static str] = &[];

    /// Whether a run that nobody watches goes as a compiled program. It does not pay where a bit time has so much logic in it that
    /// noting it down takes longer than all nodes take to go through it.
    fn program_pays(&self) -> bool {
        true
    }

    /// Notes what nodes hear in a bit time. Bit times in which they hear the same but for addresses of their
    /// [memory](Machine::memory) have one logic, which is written down once; what is measured does not depend on the memory. Gives
    /// whether it has noted it: nothing is taken for alike else. Where blocks of the memory change places, that is noted and taken
    /// out of the strobes: it is more logic than all the rest, since any block may go to any place.
    fn hear(&self, strobes: &mut Self::Broadcast<bool>, heard: &mut Heard) -> bool {
        let _ = (strobes, heard);
        false
    }

    /// As [`Router::FIRST_SCREEN`], where it depends on what the router is built for.
    fn first_screen(&self) -> usize {
        Self::FIRST_SCREEN
    }

    /// What a waveform shows beside wires and registers.
    fn shown(&self) -> Shown {
        Shown::default()
    }

    /// Appends what the text of that number says in this bit time, in visible ASCII; it may be nothing.
    fn text(&self, sequencer: &Self::Sequencer<bool>, number: usize, text: &mut String) {
        let _ = (sequencer, number, text);
    }

    /// Calls `bit` for the bits of all [numbers](Shown::numbers) of a node in this bit time, the least significant first. It
    /// reads registers and changes none.
    fn numbers<B: Lanes>(
        &self,
        sequencer: &Self::Sequencer<bool>,
        node: &Self::Node<B>,
        address: &[B],
        bit: &mut dyn FnMut(B),
    ) {
        let _ = (sequencer, node, address, bit);
    }

    /// Appends what the [told](Shown::told) text of that number says of a node in this bit time, in visible ASCII; it may be
    /// nothing. It knows more than the node does, and steers nothing.
    fn told(
        &self,
        sequencer: &Self::Sequencer<bool>,
        node: usize,
        number: usize,
        text: &mut String,
    ) {
        let _ = (sequencer, node, number, text);
    }

    /// Which told texts of what is [sent over](crate::machine::shown::Told::sent_over) a link may say something else in this bit
    /// time than in the one before, as node and number; false where nobody knows, and all of them may.
    fn told_anew(
        &self,
        sequencer: &Self::Sequencer<bool>,
        anew: &mut dyn FnMut(usize, usize),
    ) -> bool {
        let _ = (sequencer, anew);
        false
    }

    /// The cube it is built for, if its network is the hypercube.
    fn dimensions(&self) -> Dimensions
    where
        Self: Machine<Topology = Dimensions>,
    {
        self.topology()
    }

    /// The closed form of the bit times that a run takes.
    fn bit_times(&self) -> ClosedForm;

    /// The closed form of the bit times in which the wires of a dimension `d` are driven: what ranks exchange. None where
    /// nobody has written one down.
    fn driven_bit_times(&self, dimension: usize) -> Option<ClosedForm> {
        let _ = dimension;
        None
    }

    /// The closed form of the storage of a node, in bits.
    fn storage_bits(&self) -> ClosedForm;

    /// What a node holds of messages at the most, whatever the traffic. None where nobody has written it down.
    fn buffer_bounds(&self) -> Option<BufferBounds> {
        None
    }

    /// Where the schedule stands.
    fn position(&self, sequencer: &Self::Sequencer<bool>) -> Position;

    /// How many message bits are live at a node once the bit time `after` is over (`None`: as loaded,
    /// before the first): calls `count(flag, bits)` for parts of the node that hold `bits` message
    /// bits where `flag` is 1. For measurement only; it reads registers and changes none.
    fn occupancy<B: Bit>(
        &self,
        node: &Self::Node<B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        let _ = (node, after, count);
    }

    /// The message bits of each message that are live at that time: what [`Router::occupancy`] adds up to over all nodes,
    /// message by message, if no bit is lost or doubled. `None` where messages are no constant number of bits, or there
    /// are none.
    fn live_bits_per_message(&self, after: Option<Position>) -> Option<u32> {
        let _ = after;
        None
    }

    /// The same, where nodes begin with several messages, of each that began in that slot.
    fn live_bits_of_slot(&self, after: Option<Position>, slot: usize) -> Option<u32> {
        let _ = slot;
        self.live_bits_per_message(after)
    }

    /// What it promises of messages; none where nobody has said.
    fn promise(&self) -> Option<Promise> {
        None
    }

    /// Calls `count(flag)` for each message that a node may hold once the bit time `after` is over, as
    /// [`Router::occupancy`]: there is one where `flag` is 1.
    fn messages<B: Bit>(
        &self,
        node: &Self::Node<B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        let _ = (node, after, count);
    }
}

/// What a router promises of messages that nodes are loaded with by [`Field::VALID`], [`Field::DESTINATION`] and [`Field::PAYLOAD`],
/// slot by slot: each is at its destination, and valid there, when the run is over. Of each slot there is at most one from each
/// node and at most one for each; in any order, as many for each node as there are slots. Properties that formal tools prove
/// follow from that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promise {
    /// [Messages](Router::messages) that a node holds at the most; none where nobody has written it down.
    pub most_messages: Option<u32>,
    /// Whether it holds only where each node sends one.
    pub full_only: bool,
    /// Whether a message ends in the slot that it began in. Else those of a node stand in its lowest slots, in any order.
    pub in_order: bool,
}

/// What nodes hear in a bit time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// All of it but for addresses.
    pub words: Vec<u64>,
    /// The addresses at which nodes read or write their memory, in a fixed order.
    pub addresses: Vec<usize>,
    /// What changes places in the memory at the clock edge, once all else has been written.
    pub blocks: Option<Blocks>,
}

/// Blocks of a node's memory that change places: each of those that lie side by side from an address on goes to where the
/// [number](Machine::block_numbers) that it gets says, counted in blocks from another address on. A place that no block goes to is 0 then, and
/// one that several go to has all their ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// The address of the first.
    pub from: usize,
    /// The address of the first place.
    pub to: usize,
    /// Bits of each.
    pub bits: usize,
    /// How many.
    pub count: usize,
}

/// A router that carries one message from each source to its destination.
pub trait MessageRouter: Router {
    /// Payload bits of every message, `D`.
    fn payload_bits(&self) -> usize;

    /// The host puts a message into a node before bit time 0. `place` is the node's in its lanes.
    #[inline]
    fn load<B: Lanes>(
        &self,
        node: &mut Self::Node<B>,
        place: usize,
        destination: usize,
        payload: &BitSlice<u64>,
    ) {
        self.host_writes(node, &mut |field, bit, register| {
            let value = match field {
                Field::DESTINATION => destination >> bit & 1 == 1,
                Field::PAYLOAD => payload[bit],
                _ => true,
            };
            register.set(place, value);
        });
    }

    /// The host reads the message that the node holds after the last bit time, if there is one.
    #[inline]
    fn unload<B: Lanes>(
        &self,
        node: &Self::Node<B>,
        place: usize,
        payload: &mut BitSlice<u64>,
    ) -> bool {
        let mut valid = false;
        self.host_reads(node, &mut |field, bit, register| match field {
            Field::PAYLOAD => payload.set(bit, register.get(place)),
            _ => valid = register.get(place),
        });
        valid
    }
}
