//! What a trip takes of a machine, for hosts: the header of a worm, the nodes to which it comes, and the pieces of a message. No node
//! looks at it.

use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::trip::Trip;

impl WormholeMachine {
    /// The header of a worm via a switch, in whole flits, the first one first and in each the bit of wire 0. What each channel reads of
    /// it begins with a flit: its answers, or the address; 0 fill the last one.
    pub fn header(&self, switch: usize, trip: Trip) -> Vec<bool> {
        let virtual_channels = self.parameters().virtual_channels;
        let bits =
            (self.network()).with(|structure| structure.header(switch, trip, virtual_channels));
        match (self.plan().wire_bits, self.plan().switch.addressed) {
            (1, _) => bits,
            (wire_bits, Some(_)) => {
                let mut bits = bits;
                bits.resize(bits.len().next_multiple_of(wire_bits), false);
                bits
            }
            (_, None) => self.in_flits(trip.source, switch, &bits),
        }
    }

    /// Answers of a header in whole flits, channel by channel.
    fn in_flits(&self, source: usize, switch: usize, bits: &[bool]) -> Vec<bool> {
        let wire_bits = self.plan().wire_bits;
        let mut flits = Vec::new();
        let mut read = 0;
        for answers in self.answers(source, switch, bits) {
            flits.extend_from_slice(&bits[read..read + answers]);
            flits.resize(flits.len().next_multiple_of(wire_bits), false);
            read += answers;
        }
        flits
    }

    /// The nodes to whose switches a worm comes via a switch of its source, source and
    /// destination among them.
    pub fn path(&self, switch: usize, trip: Trip) -> Vec<usize> {
        let mut bits = self.header(switch, trip);
        bits.push(true);
        let way = self.way(trip.source, switch, &bits);
        let places = way.iter().filter_map(|crossing| crossing.input);
        let nodes = places.map(|place| place.node);
        [trip.source].into_iter().chain(nodes).collect()
    }

    /// Bits of each piece of a message of so many bits, by switch. They follow each other in the message in
    /// this order; a piece without bits is not sent.
    pub fn pieces(&self, bits: usize, trip: Trip) -> Vec<usize> {
        let (switches, wire_bits) = (self.network().switches(), self.parameters().wire_bits);
        let of_way = |switch| {
            let hops = self.path(switch, trip).len() - 1;
            // With one place a buffer a bit goes every other bit time, and the way alone takes no more.
            let of_hop = if self.parameters().buffer_bits == 1 {
                1
            } else {
                2
            };
            self.header(switch, trip).len() / wire_bits + of_hop * hops
        };
        self.cut().lengths(bits, (switches, wire_bits), of_way)
    }
}
