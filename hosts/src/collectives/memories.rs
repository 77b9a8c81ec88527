//! Hosts of memories: they put configuration and messages into the nodes, and read the messages that have arrived.
//!
//! ```text
//!   memories of some nodes     a plane an address, with its bit of each of the nodes, as they lie in a machine
//!          | copied, a piece of a message after the other
//!   64 bits of their messages  a plane a bit, turned round, 64 nodes after 64 nodes: 64 bits a node
//!          |
//!   messages in a list         node by node
//! ```
//!
//! A message lies in its node in many short pieces, in as many parts as there are ways; of all nodes alike in the same places, as
//! a rule. So a plane at a time is moved, of as many nodes as the machine hands over together.

use rtl_model::error::Error as ModelError;
use rtl_model::machine::host::{
    Field, Loads, Memories, MemoriesMut, NODES_AT_ONCE, Seats, Square, Unloads, transpose,
};
use rtl_model::routers::collectives::program::{Segment, TransferProgram};
use rtl_model::routers::collectives::{MEMORY, VIOLATION};

use crate::collectives::memories::layout::{Layout, Limb, Piece};
use crate::words::Words;

mod layout;

pub use layout::Carried;

/// Bytes of the segments of a program, and of what a host has beside the messages while it loads or reads.
pub fn bytes(program: &TransferProgram) -> u64 {
    let segments = program.loads.len() + program.arrivals.len();
    // A segment has a piece for each limb that it begins or goes on in.
    let pieces = segments + program.memory_bits / 64;
    let of_piece = size_of::<(usize, usize, Piece)>() + size_of::<Limb>();
    let planes = size_of::<u64>() * program.memory_bits;
    (size_of::<Segment>() * segments + of_piece * pieces + planes) as u64
}

/// The memories of 64 nodes, of a machine that hands them over as a field.
struct AsField {
    seats: Seats,
    /// By address; none unless they are those of the nodes.
    planes: Vec<u64>,
}

impl AsField {
    /// Of no nodes yet.
    fn new() -> Self {
        AsField {
            seats: [usize::MAX; NODES_AT_ONCE],
            planes: Vec::new(),
        }
    }

    /// Turns to other nodes.
    fn turn_to(&mut self, seats: &Seats) {
        self.seats = *seats;
        self.planes.clear();
    }

    /// The planes from an address on.
    fn from(&mut self, address: usize) -> &mut [u64] {
        let end = self.planes.len().min(address + NODES_AT_ONCE);
        &mut self.planes[address..end]
    }
}

impl Memories for AsField {
    fn bits(&self) -> usize {
        self.planes.len()
    }

    fn plane(&self, address: usize) -> &[u64] {
        &self.planes[address..=address]
    }
}

impl MemoriesMut for AsField {
    fn clear(&mut self) {
        self.planes.fill(0);
    }

    fn plane_mut(&mut self, address: usize) -> &mut [u64] {
        &mut self.planes[address..=address]
    }
}

/// The host that loads all nodes.
pub struct Loading<'a> {
    messages: &'a Words,
    layout: Layout<'a>,
    as_field: AsField,
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
            layout: Layout::new(carried, loads),
            as_field: AsField::new(),
            passed,
            nodes: 0,
        }
    }
}

impl Loads for Loading<'_> {
    fn memories(
        &mut self,
        seats: &[Seats],
        memories: &mut dyn MemoriesMut,
    ) -> Result<bool, ModelError> {
        self.layout.load(self.messages, seats, memories);
        Ok(true)
    }

    fn places(&mut self, seats: &Seats) -> Result<u64, ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.as_field.turn_to(seats);
        let nodes = self.layout.nodes(seats);
        Ok(nodes.fold(0, |places, (place, _)| places | 1 << place))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), ModelError> {
        if field == MEMORY {
            self.planes(field, from, values)?;
            transpose(values);
            return Ok(());
        }
        let machine = self.layout.carried.machine;
        let mut nodes = self.layout.nodes(&self.as_field.seats);
        nodes.try_for_each(|(place, node)| {
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
        let (layout, here) = (&self.layout, &mut self.as_field);
        if here.planes.is_empty() {
            let program = &layout.carried.machine.plan().program;
            here.planes.resize(program.memory_bits, 0);
            layout.load(self.messages, &[here.seats], here);
        }
        let there = here.from(from);
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
    layout: Layout<'a>,
    as_field: AsField,
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
            layout: Layout::new(carried, &carried.machine.plan().program.arrivals),
            as_field: AsField::new(),
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
        self.unload_field();
        self.arrived
    }

    /// Puts what has been handed over as a field into the messages.
    fn unload_field(&mut self) {
        let here = &self.as_field;
        if !here.planes.is_empty() {
            let messages = &mut self.arrived.messages;
            self.layout.unload(messages, &[here.seats], here);
        }
    }
}

impl Unloads for Reading<'_> {
    fn memories(&mut self, seats: &[Seats], memories: &dyn Memories) -> Result<bool, ModelError> {
        let messages = &mut self.arrived.messages;
        self.layout.unload(messages, seats, memories);
        Ok(true)
    }

    fn seats(&mut self, seats: &Seats) -> Result<(), ModelError> {
        (self.passed)(self.nodes)?;
        self.nodes += NODES_AT_ONCE;
        self.unload_field();
        self.as_field.turn_to(seats);
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
                let (program, here) = (
                    &self.layout.carried.machine.plan().program,
                    &mut self.as_field,
                );
                here.planes.resize(program.memory_bits, 0);
                let there = here.from(from);
                there.copy_from_slice(&planes[..there.len()]);
            }
            VIOLATION => {
                let nodes = self.layout.nodes(&self.as_field.seats);
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
