//! Hosts of memories: they put configuration and messages into the nodes, and read the messages that have arrived.
//!
//! ```text
//!   memories of 64 nodes       a word an address, with its bit of each of the nodes: a plane, as they lie in a machine
//!          | copied, a piece of a message after the other
//!   64 bits of their messages  a plane a bit, turned round: 64 bits a node
//!          |
//!   messages in a list         node by node
//! ```
//!
//! A message lies in its node in many short pieces, in as many parts as there are ways; of all nodes alike in the same places, as
//! a rule. So a plane at a time is moved, of 64 nodes.

use std::ops::Range;

use rtl_model::error::Error as ModelError;
use rtl_model::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads, transpose};
use rtl_model::routers::collectives::program::{Segment, TransferProgram};
use rtl_model::routers::collectives::{CollectiveMachine, MEMORY, VIOLATION};

use crate::collectives::ends::Ends;
use crate::collectives::places::Places;
use crate::words::Words;

/// Messages, and the machine in whose memories they lie.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// The machine.
    pub machine: &'a CollectiveMachine,
    /// Whose messages they are.
    pub ends: &'a Ends,
    /// Bits of a message as it lies in memory.
    pub word_bits: usize,
    /// By node: whether its own message never leaves it.
    pub stays: &'a [bool],
}

/// Bytes of the segments of a program, and of what a host has beside the messages while it loads or reads.
pub fn bytes(program: &TransferProgram) -> u64 {
    let segments = program.loads.len() + program.arrivals.len();
    // A segment has a piece for each limb that it begins or goes on in.
    let pieces = segments + program.memory_bits / 64;
    let of_piece = size_of::<(usize, usize, Piece)>() + size_of::<Limb>();
    let planes = size_of::<u64>() * program.memory_bits;
    (size_of::<Segment>() * segments + of_piece * pieces + planes) as u64
}

/// Bits of a message that lie behind one another in a memory, none of them in another limb than the first.
struct Piece {
    /// The first in its limb.
    bit: usize,
    bits: usize,
    address: usize,
}

/// What lies of a limb of a message at every node in the same places.
struct Limb {
    /// The other end of the message, as `node xor other end`.
    partner: usize,
    /// Which one of the message.
    number: usize,
    /// The bits that lie there.
    mask: u64,
    pieces: Range<usize>,
}

/// The memories of 64 nodes.
struct Memories<'a> {
    carried: Carried<'a>,
    places: Places<'a>,
    limbs: Vec<Limb>,
    /// Of all limbs.
    pieces: Vec<Piece>,
    seats: Seats,
    /// By address.
    planes: Vec<u64>,
    /// They are those of the nodes.
    are_filled: bool,
}

impl<'a> Memories<'a> {
    /// Of no nodes yet, in which bits of messages lie like this.
    fn new(carried: Carried<'a>, segments: &'a [Segment]) -> Self {
        let program = &carried.machine.plan().program;
        let common = segments.iter().filter(|segment| segment.at.is_none());
        let mut all: Vec<(usize, usize, Piece)> = common.flat_map(pieces).collect();
        all.sort_by_key(|(partner, number, piece)| (*partner, *number, piece.address));
        let mut limbs: Vec<Limb> = Vec::new();
        for (place, (partner, number, piece)) in all.iter().enumerate() {
            let mask = u64::MAX >> (64 - piece.bits) << piece.bit;
            match limbs.last_mut() {
                Some(last) if (last.partner, last.number) == (*partner, *number) => {
                    last.mask |= mask;
                    last.pieces.end = place + 1;
                }
                _ => limbs.push(Limb {
                    partner: *partner,
                    number: *number,
                    mask,
                    pieces: place..place + 1,
                }),
            }
        }
        Memories {
            carried,
            places: Places::new(segments, program.source),
            limbs,
            pieces: all.into_iter().map(|(.., piece)| piece).collect(),
            seats: [usize::MAX; NODES_AT_ONCE],
            planes: vec![0; program.memory_bits],
            are_filled: false,
        }
    }

    /// Turns to other nodes.
    fn turn_to(&mut self, seats: &Seats) {
        self.seats = *seats;
        self.are_filled = false;
    }

    /// The places that have nodes.
    fn nodes(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (seats, nodes) = (self.seats, self.carried.ends.nodes);
        let all = seats.into_iter().enumerate();
        all.filter(move |(_, node)| *node < nodes)
    }

    /// Fills them with the messages that nodes send.
    fn load(&mut self, messages: &Words) {
        self.planes.fill(0);
        let ends = self.carried.ends;
        for limb in &self.limbs {
            let mut square = [0; NODES_AT_ONCE];
            for (place, node) in self.nodes() {
                let message = ends.sent(node, node ^ limb.partner);
                square[place] = messages.word(message)[limb.number];
            }
            transpose(&mut square);
            for piece in &self.pieces[limb.pieces.clone()] {
                let planes = self.planes[piece.address..].iter_mut();
                let planes = planes.zip(&square[piece.bit..][..piece.bits]);
                planes.for_each(|(plane, bits)| *plane |= bits);
            }
        }
        for (place, node) in self.nodes() {
            for segment in self.places.own(node) {
                for (_, number, piece) in pieces(segment) {
                    let message = ends.sent(node, node ^ segment.partner);
                    let bits = messages.word(message)[number] >> piece.bit;
                    let planes = &mut self.planes[piece.address..][..piece.bits];
                    for (bit, plane) in planes.iter_mut().enumerate() {
                        *plane |= (bits >> bit & 1) << place;
                    }
                }
            }
        }
        self.are_filled = true;
    }

    /// Puts what they are filled with into the messages that arrive.
    fn unload(&mut self, messages: &mut Words) {
        if !std::mem::take(&mut self.are_filled) {
            return;
        }
        let ends = self.carried.ends;
        let mut put = |[other, node]: [usize; 2], number: usize, (mask, bits): (u64, u64)| {
            let limb = &mut messages.word_mut(ends.arrived(other, node))[number];
            *limb = *limb & !mask | bits & mask;
        };
        for limb in &self.limbs {
            let mut square = [0; NODES_AT_ONCE];
            for piece in &self.pieces[limb.pieces.clone()] {
                let planes = &self.planes[piece.address..][..piece.bits];
                square[piece.bit..][..piece.bits].copy_from_slice(planes);
            }
            transpose(&mut square);
            for (place, node) in self.nodes() {
                let ends = [node ^ limb.partner, node];
                put(ends, limb.number, (limb.mask, square[place]));
            }
        }
        for (place, node) in self.nodes() {
            for segment in self.places.own(node) {
                for (_, number, piece) in pieces(segment) {
                    let planes = self.planes[piece.address..][..piece.bits].iter().rev();
                    let bits = planes.fold(0, |bits, plane| bits << 1 | plane >> place & 1);
                    let mask = u64::MAX >> (64 - piece.bits) << piece.bit;
                    let ends = [node ^ segment.partner, node];
                    put(ends, number, (mask, bits << piece.bit));
                }
            }
        }
    }

    /// The planes from an address on.
    fn from(&mut self, address: usize) -> &mut [u64] {
        let end = self.planes.len().min(address + NODES_AT_ONCE);
        &mut self.planes[address..end]
    }
}

/// A segment limb by limb: with its partner, and the number of the limb.
fn pieces(segment: &Segment) -> impl Iterator<Item = (usize, usize, Piece)> + use<> {
    let (partner, address) = (segment.partner, segment.address);
    let (first, end) = (segment.bit, segment.bit + segment.bits);
    let limbs = first / 64..end.div_ceil(64);
    limbs.map(move |number| {
        let begin = first.max(64 * number);
        let piece = Piece {
            bit: begin % 64,
            bits: end.min(64 * (number + 1)) - begin,
            address: address + begin - first,
        };
        (partner, number, piece)
    })
}

/// The host that loads all nodes.
pub struct Loading<'a> {
    messages: &'a Words,
    memories: Memories<'a>,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
}

impl<'a> Loading<'a> {
    /// With these messages; `passed` is told how many nodes have been loaded.
    pub fn new(
        carried: Carried<'a>,
        messages: &'a Words,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        let loads = &carried.machine.plan().program.loads;
        Loading {
            messages,
            memories: Memories::new(carried, loads),
            passed,
            nodes: 0,
        }
    }
}

impl Loads for Loading<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.memories.turn_to(seats);
        let nodes = self.memories.nodes();
        Ok(nodes.fold(0, |places, (place, _)| places | 1 << place))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), ModelError> {
        if field == MEMORY {
            self.planes(field, from, values)?;
            transpose(values);
            return Ok(());
        }
        let machine = self.memories.carried.machine;
        self.memories.nodes().try_for_each(|(place, node)| {
            values[place] = (machine.word(field, node, from)).ok_or_else(|| field.unknown())?;
            Ok(())
        })
    }

    fn planes(&mut self, field: Field, from: usize, planes: &mut Square) -> Result<(), ModelError> {
        if field != MEMORY {
            self.values(field, from, planes)?;
            transpose(planes);
            return Ok(());
        }
        if !self.memories.are_filled {
            self.memories.load(self.messages);
        }
        let there = self.memories.from(from);
        planes[..there.len()].copy_from_slice(there);
        Ok(())
    }
}

/// What a host has read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The messages, by the numbers of what arrives.
    pub messages: Words,
    /// Nodes of which more ports were busy than may be: the first, and how many.
    pub violations: Option<(usize, usize)>,
}

/// The host that reads all nodes: the messages as they arrived.
pub struct Reading<'a> {
    memories: Memories<'a>,
    passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    nodes: usize,
    arrived: Arrived,
}

impl<'a> Reading<'a> {
    /// Nothing yet but what never left its node; `passed` is told how many nodes have been read.
    pub fn new(
        carried: Carried<'a>,
        sent: &Words,
        passed: &'a mut dyn FnMut(usize) -> Result<(), ModelError>,
    ) -> Self {
        let ends = carried.ends;
        let (nodes, each) = ends.arrived_shape();
        let mut messages = Words::zeros(nodes, each, carried.word_bits);
        for node in (0..ends.nodes).filter(|node| carried.stays[*node]) {
            let own = sent.word(ends.sent(node, node));
            (messages.word_mut(ends.arrived(node, node))).copy_from_slice(own);
        }
        Reading {
            memories: Memories::new(carried, &carried.machine.plan().program.arrivals),
            passed,
            nodes: 0,
            arrived: Arrived {
                messages,
                violations: None,
            },
        }
    }

    /// What has been read.
    pub fn arrived(mut self) -> Arrived {
        self.memories.unload(&mut self.arrived.messages);
        self.arrived
    }
}

impl Unloads for Reading<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.memories.unload(&mut self.arrived.messages);
        self.memories.turn_to(seats);
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), ModelError> {
        let mut planes = *values;
        transpose(&mut planes);
        self.planes(field, from, &mut planes)
    }

    fn planes(&mut self, field: Field, from: usize, planes: &mut Square) -> Result<(), ModelError> {
        match field {
            MEMORY => {
                let there = self.memories.from(from);
                there.copy_from_slice(&planes[..there.len()]);
                self.memories.are_filled = true;
            }
            VIOLATION => {
                let nodes = self.memories.nodes();
                for (_, node) in nodes.filter(|(place, _)| planes[0] >> place & 1 == 1) {
                    let (first, amount) = self.arrived.violations.unwrap_or((node, 0));
                    self.arrived.violations = Some((first.min(node), amount + 1));
                }
            }
            _ => return Err(field.unknown()),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
