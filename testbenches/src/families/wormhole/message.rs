//! Messages, and the worms that carry them: a message goes whole, or in pieces on as many copies.

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rtl_model::routers::wormhole::machine::WormholeMachine;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The node that sends it.
    pub source: usize,
    /// The node that it is for.
    pub destination: usize,
    /// The bit time in which its host has it ready.
    pub created: u64,
    /// Its bits, the first to be sent first.
    pub bits: BitVec<u64>,
}

/// A worm, which carries a message or a piece of one.
#[derive(Clone, Debug)]
pub struct Worm {
    /// Number of the message.
    pub message: usize,
    /// The switch of its source and destination by which it goes: the number of the piece.
    pub switch: usize,
    /// What it consists of: the header, then the body.
    pub bits: BitVec<u64>,
    /// Header bits.
    pub header: usize,
}

impl Worm {
    /// What is to arrive.
    pub fn body(&self) -> &BitSlice<u64> {
        &self.bits[self.header..]
    }
}

/// The worms of a message: its pieces, by switch of its source. There is none without bits.
pub fn worms<'a>(
    machine: &'a WormholeMachine,
    number: usize,
    message: &'a Message,
) -> impl Iterator<Item = Worm> + 'a {
    let trip = (machine.network()).trip(number, message.source, message.destination);
    let pieces = machine.pieces(message.bits.len(), trip).into_iter();
    let mut end = 0;
    let pieces = pieces.enumerate().filter(|(_, length)| *length > 0);
    pieces.map(move |(switch, length)| {
        let header = machine.header(switch, trip);
        let mut bits: BitVec<u64> = header.iter().collect();
        bits.extend_from_bitslice(&message.bits[end..end + length]);
        end += length;
        Worm {
            message: number,
            switch,
            bits,
            header: header.len(),
        }
    })
}
