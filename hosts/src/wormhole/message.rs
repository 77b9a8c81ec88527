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
    /// What it consists of, in whole flits: the header, then the body.
    pub bits: BitVec<u64>,
    /// Header bits.
    pub header: usize,
    /// Bits that fill the last flit.
    pub fill: usize,
}

impl Worm {
    /// What is to arrive, with what fills its last flit.
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
        let fill = bits.len().next_multiple_of(machine.plan().wire_bits) - bits.len();
        bits.resize(bits.len() + fill, false);
        end += length;
        Worm {
            message: number,
            switch,
            bits,
            header: header.len(),
            fill,
        }
    })
}

#[cfg(test)]
mod tests {
    use rtl_model::embedding::copies::Copies;
    use rtl_model::routers::wormhole::network::Network;
    use rtl_model::routers::wormhole::parameters::Parameters;
    use rtl_model::routers::wormhole::pieces::Pieces;

    use super::*;

    /// In the order of the copies, and each behind the header of its own way; those without bits are not there.
    #[test]
    fn pieces_put_together_are_the_message() {
        let parameters = Parameters {
            virtual_channels: 3,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch: false,
        };
        let copies = Copies::new(4).unwrap();
        let network = Network::Copies { copies, used: 4 };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        for pieces in [Pieces::ByWay, Pieces::Even] {
            let machine = machine.clone().with_pieces(pieces);
            for (source, length) in (0..64).flat_map(|node| [1, 3, 9, 70].map(|bits| (node, bits)))
            {
                let message = Message {
                    source,
                    destination: (7 * source + 5) % 64,
                    created: 0,
                    bits: (0..length)
                        .map(|bit| (bit * bit / 3 + bit / 7) % 2 == 0)
                        .collect(),
                };
                let trip = machine.network().trip(0, source, message.destination);
                let mut bits = BitVec::<u64>::new();
                let mut switches = Vec::new();
                for worm in worms(&machine, 0, &message) {
                    let header = machine.header(worm.switch, trip);
                    assert!(worm.bits[..worm.header].iter().by_vals().eq(header));
                    assert!(!worm.body().is_empty());
                    bits.extend_from_bitslice(worm.body());
                    switches.push(worm.switch);
                }
                assert_eq!(bits, message.bits);
                assert!(switches.is_sorted_by(|one, next| one < next));
            }
        }
    }
}
