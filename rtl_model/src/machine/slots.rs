//! Hosts of machines whose nodes hold several messages, in slots: what is written before a run, and what nodes hold at
//! the end.
//!
//! A field has the bits of slot 0, then those of slot 1, and so on, without a gap, and a host is asked for 64 of them at
//! once ([`host`](crate::machine::host)), wherever the slots begin. With 24 bits of payload in each of four slots:
//!
//! ```text
//!   bit        0        24        48      64     72        96
//!   PAYLOAD    |  slot 0  |  slot 1  |  slot 2    |  slot 3  |
//!   asked      |<----------- from 0 ---->|<---- from 64 ---->|
//!
//!   VALID          bit s          slot s holds a message
//!   DESTINATION    bit s*k + j    address bit j of it, of k
//!   PAYLOAD        bit s*D + j    payload bit j of it, of D
//! ```

use std::array;

use bitvec::slice::BitSlice;

use crate::error::Error;
use crate::machine::arrivals::{Arrivals, Passed, unwatched};
use crate::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square, Unloads};
use crate::machine::simulation::Lockstep;
use crate::traffic::{Nodes, Traffic};

/// Bits of a slot among 64 bits of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The slot.
    pub slot: usize,
    /// Its first bit in the slot.
    pub at: usize,
    /// Its first bit among the 64.
    place: usize,
    width: usize,
}

impl Piece {
    /// It alone, as the lowest bits.
    pub fn of(self, bits: u64) -> u64 {
        bits >> self.place & u64::MAX >> (NODES_AT_ONCE - self.width)
    }

    /// It alone, in its place, of bits of which it is the lowest.
    pub fn placed(self, bits: u64) -> u64 {
        (bits & u64::MAX >> (NODES_AT_ONCE - self.width)) << self.place
    }
}

/// What lies at the bits `from .. from + 64` of a field of so many slots, all of `width` bits, in ascending order; each
/// piece has a bit at least.
pub fn pieces(slots: usize, width: usize, from: usize) -> impl Iterator<Item = Piece> {
    let end = (from + 64).min(slots * width);
    let mut bit = from;
    std::iter::from_fn(move || {
        let left = end.checked_sub(bit).filter(|left| *left > 0)?;
        let at = bit % width;
        let piece = Piece {
            slot: bit / width,
            at,
            place: bit - from,
            width: left.min(width - at),
        };
        bit += piece.width;
        Some(piece)
    })
}

/// Writes traffic `s` into slot `s` of every node of the first machine. All of its nodes are written: slots without a
/// message become zeros, and so do those beyond the last traffic. All traffic has equally many payload bits.
///
/// # Errors
/// A machine that is none of messages.
pub fn load(machine: &mut dyn Lockstep, slots: &[Traffic]) -> Result<(), Error> {
    load_watched(machine, slots, &mut unwatched)
}

/// The same, watched.
///
/// # Errors
/// As [`load`]; whatever `passed` returns.
pub fn load_watched(
    machine: &mut dyn Lockstep,
    slots: &[Traffic],
    passed: Passed<'_>,
) -> Result<(), Error> {
    machine.load(&mut Sending {
        nodes: machine.topology().nodes(),
        address_bits: machine.topology().address_bits(),
        slots,
        found: vec![[None; NODES_AT_ONCE]; slots.len()],
        written: 0,
        passed,
    })
}

/// The host that sends.
struct Sending<'a> {
    /// Of the first machine.
    nodes: usize,
    address_bits: usize,
    slots: &'a [Traffic],
    /// By slot and place, the message there, if there is one.
    found: Vec<[Option<usize>; NODES_AT_ONCE]>,
    written: usize,
    passed: Passed<'a>,
}

impl Sending<'_> {
    /// Writes the pieces of a field of which each slot has so many bits: `bits` gives those of a message from one on.
    fn write(
        &self,
        (width, from): (usize, usize),
        values: &mut Square,
        bits: impl Fn(&Traffic, usize, usize) -> u64,
    ) {
        *values = [0; NODES_AT_ONCE];
        for piece in pieces(self.slots.len(), width, from) {
            let (traffic, found) = (&self.slots[piece.slot], &self.found[piece.slot]);
            for (value, index) in values.iter_mut().zip(found) {
                if let Some(index) = *index {
                    *value |= piece.placed(bits(traffic, index, piece.at));
                }
            }
        }
    }
}

impl Loads for Sending<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        (self.passed)(self.written)?;
        self.written += NODES_AT_ONCE;
        for (traffic, found) in self.slots.iter().zip(&mut self.found) {
            *found = array::from_fn(|place| traffic.index_from(seats[place]));
        }
        let is_here = |place| u64::from(seats[place] < self.nodes) << place;
        Ok((0..NODES_AT_ONCE).map(is_here).sum())
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        let address_bits = self.address_bits;
        let payload_bits = self.slots.first().map_or(1, Traffic::payload_bits);
        match field {
            Field::VALID => self.write((1, from), values, |_, _, _| 1),
            Field::DESTINATION => self.write((address_bits, from), values, |traffic, index, at| {
                traffic.destination(index) as u64 >> at
            }),
            Field::PAYLOAD => self.write((payload_bits, from), values, |traffic, index, at| {
                traffic.payloads().chunk(index, at)
            }),
            other => return Err(other.unknown()),
        }
        Ok(())
    }
}

/// What the nodes of one machine hold at the end of a run, slot by slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotArrivals(Vec<Arrivals>);

impl SlotArrivals {
    /// Of nodes that hold no messages.
    pub fn none(nodes: usize, slots: usize, payload_bits: usize) -> Self {
        SlotArrivals(vec![Arrivals::none(nodes, payload_bits); slots])
    }

    /// Puts a message into a slot of a node.
    pub fn set(&mut self, node: usize, slot: usize, payload: &BitSlice<u64>) {
        self.0[slot].set(node, payload);
    }

    /// Reads the nodes of the first machine, which have so many slots, for messages that carry so many bits.
    ///
    /// # Errors
    /// A machine that is none of messages.
    pub fn read(machine: &dyn Lockstep, slots: usize, payload_bits: usize) -> Result<Self, Error> {
        Self::read_watched(machine, slots, payload_bits, &mut unwatched)
    }

    /// The same, watched.
    ///
    /// # Errors
    /// As [`SlotArrivals::read`]; whatever `passed` returns.
    pub fn read_watched(
        machine: &dyn Lockstep,
        slots: usize,
        payload_bits: usize,
        passed: Passed<'_>,
    ) -> Result<Self, Error> {
        let nodes = machine.topology().nodes();
        let mut arrivals = Self::none(nodes, slots, payload_bits);
        machine.unload(&mut Receiving {
            nodes,
            payload_bits,
            arrivals: &mut arrivals,
            seats: [usize::MAX; NODES_AT_ONCE],
            read: 0,
            passed,
        })?;
        Ok(arrivals)
    }

    /// How many slots a node has.
    pub fn slots(&self) -> usize {
        self.0.len()
    }

    /// What the nodes hold in one slot.
    pub fn in_slot(&self, slot: usize) -> &Arrivals {
        &self.0[slot]
    }

    /// The payload that `node` holds in a slot, if it holds a message there.
    pub fn at(&self, node: usize, slot: usize) -> Option<&BitSlice<u64>> {
        self.0[slot].at(node)
    }

    /// Bytes that this takes of so many nodes with so many slots.
    pub fn bytes(nodes: impl Into<Nodes>, slots: usize, payload_bits: usize) -> u64 {
        slots as u64 * Arrivals::bytes(nodes, payload_bits)
    }
}

/// The host that receives.
struct Receiving<'a> {
    /// Of the first machine.
    nodes: usize,
    payload_bits: usize,
    arrivals: &'a mut SlotArrivals,
    seats: Seats,
    read: usize,
    passed: Passed<'a>,
}

impl Unloads for Receiving<'_> {
    fn seats(&mut self, seats: &Seats) -> Result<(), Error> {
        (self.passed)(self.read)?;
        self.read += NODES_AT_ONCE;
        self.seats = *seats;
        Ok(())
    }

    fn values(&mut self, field: Field, from: usize, values: &Square) -> Result<(), Error> {
        let width = match field {
            Field::VALID => 1,
            Field::PAYLOAD => self.payload_bits,
            other => return Err(other.unknown()),
        };
        for piece in pieces(self.arrivals.slots(), width, from) {
            let arrivals = &mut self.arrivals.0[piece.slot];
            let of_machine = self.seats.iter().zip(values);
            for (&node, &bits) in of_machine.filter(|(node, _)| **node < self.nodes) {
                match field {
                    Field::VALID => arrivals.set_holds(node, piece.of(bits) == 1),
                    _ => arrivals.set_payload_bits(node, (piece.at, piece.width), piece.of(bits)),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
