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

/// The bits of piece `piece` of a message of `bits` bits in so many pieces: the first pieces are one bit longer
/// where it does not come out even.
pub fn piece(bits: usize, pieces: usize, piece: usize) -> std::ops::Range<usize> {
    let (length, longer) = (bits / pieces, bits % pieces);
    let start = piece * length + piece.min(longer);
    start..start + length + usize::from(piece < longer)
}

/// The worms of a message, a piece for each switch of its source.
pub fn worms<'a>(
    machine: &'a WormholeMachine,
    number: usize,
    message: &'a Message,
) -> impl Iterator<Item = Worm> + 'a {
    let pieces = machine.network().switches();
    let trip = (machine.network()).trip(number, message.source, message.destination);
    (0..pieces).map(move |switch| {
        let header = machine.header(switch, trip);
        let mut bits: BitVec<u64> = header.iter().collect();
        bits.extend_from_bitslice(&message.bits[piece(message.bits.len(), pieces, switch)]);
        Worm {
            message: number,
            switch,
            bits,
            header: header.len(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_consecutive_and_as_even_as_can_be() {
        for pieces in 1..=8 {
            for bits in pieces..30 {
                let mut end = 0;
                for number in 0..pieces {
                    let range = piece(bits, pieces, number);
                    assert_eq!(range.start, end);
                    assert!(range.len() == bits / pieces || range.len() == bits.div_ceil(pieces));
                    end = range.end;
                }
                assert_eq!(end, bits);
            }
        }
    }
}
