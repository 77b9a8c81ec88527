//! The hosts: they stand outside the machine, on wires. That of the source supplies the bits that it is asked for; all others take
//! what arrives.
//!
//! ```text
//!   bit time            | u            | u+1 ...                 | u'           |
//!   packets are named   | *            |                         | *            |
//!   bits arrive         |              | 0  1  2  ...            | B-1          |
//! ```
//!
//! Where a list is run the source has the message in its memory, and nothing is supplied. A host sees the wires to it, and when a
//! step begins. What it knows besides is the size of a packet, and of the message.

use bitvec::vec::BitVec;
use rtl_model::machine::host::{NODES_AT_ONCE, Square, transpose};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::ports::wires::HostWires;

use crate::ports::arriving::Arriving;
use crate::ports::links::Links;
use crate::ports::message::Message;
use crate::ports::seated::{Seated, places};

/// What is wrong with what came, at first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The node that it came to.
    pub node: usize,
    /// What it was.
    pub what: String,
}

/// All hosts of a machine.
pub struct Hosts {
    wires: HostWires,
    message: Message,
    packet_bits: usize,
    packets: usize,
    source: usize,
    /// Word and place of the source.
    source_seat: (usize, usize),
    seats: Vec<Seated>,
    nodes: usize,
    /// By word, then by channel.
    arriving: Vec<Arriving>,
    /// The bit that is supplied next.
    index: usize,
    /// By node, packet and word.
    received: Vec<u64>,
    /// How often each packet has come, by node and packet.
    times: Vec<u8>,
    wrong: Option<Wrong>,
    /// By node and packet: it has been there whole, for the host or on its way through.
    was_there: Vec<bool>,
    /// By node, how many bit times had passed when the last packet was there for the first time.
    complete_at: Vec<u64>,
    /// By node, its word and place.
    seat_of: Vec<(u32, u8)>,
    /// The words of all packets, as they are sent.
    sent: Vec<u64>,
    /// Where trees are to be edge-disjoint.
    links: Option<Links>,
    /// Room for the packets of 64 nodes.
    squares: Vec<Square>,
}

impl Hosts {
    /// Of a machine that has the wires; the message is the source's. Where trees are to be edge-disjoint, they look at that.
    pub fn new(
        machine: &dyn Lockstep,
        wires: HostWires,
        (source, message): (usize, Message),
        is_disjoint: bool,
    ) -> Self {
        let words = machine.words();
        let seats = Seated::of(machine);
        let mut seat_of = vec![(0, 0); machine.nodes()];
        for (word, seated) in seats.iter().enumerate() {
            for (place, &node) in seated.seats.iter().enumerate() {
                if let Some(seat) = seat_of.get_mut(node) {
                    *seat = (word as u32, place as u8);
                }
            }
        }
        let (word, place) = seat_of[source];
        let (nodes, packets) = (machine.nodes(), message.packets());
        Hosts {
            wires,
            packet_bits: message.packet_bits(),
            packets,
            source,
            source_seat: (word as usize, place.into()),
            arriving: vec![Arriving::default(); words * wires.channels],
            seats,
            nodes,
            index: 0,
            received: vec![0; nodes * packets * message.words_a_packet()],
            times: vec![0; nodes * packets],
            wrong: None,
            was_there: vec![false; nodes * packets],
            complete_at: vec![0; nodes],
            seat_of,
            sent: (0..packets * message.words_a_packet())
                .map(|number| {
                    let words = message.words_a_packet();
                    message.word(number / words, number % words)
                })
                .collect(),
            links: is_disjoint
                .then(|| Links::new(&message, wires.trees, (nodes, wires.dimensions))),
            squares: Vec::new(),
            message,
        }
    }

    /// The packet that a node's host has been told to expect on a port; nothing where there is no such packet.
    pub fn coming_packet(&self, node: usize, port: usize) -> Option<usize> {
        let (word, place) = self.seat_of[node];
        let channel = port % self.wires.channels;
        let coming = &self.arriving[word as usize * self.wires.channels + channel];
        let packet = coming.packet(place.into(), self.wires.trees);
        (packet < self.packets).then_some(packet)
    }

    /// How many bit times had passed when a node first had the whole message. Its host may be given a packet later: of two copies
    /// that come, a node may send the first one on, and hand over the second.
    pub fn complete_at(&self, node: usize) -> u64 {
        self.complete_at[node]
    }

    /// Between the two halves of a bit time: hosts take what has arrived, are told what is going to, and supply.
    pub fn exchange(&mut self, machine: &mut dyn Lockstep) {
        self.take(machine);
        if machine.driver(self.wires.sending(0)).is_some() || machine.is_done() {
            self.end_packets(machine.bit_time());
            self.begin_packets(machine);
        }
        self.supply(machine);
    }

    fn take(&mut self, machine: &dyn Lockstep) {
        for word in 0..self.seats.len() {
            for channel in 0..self.wires.channels {
                let valid = self.seats[word].driven(machine, word, self.wires.take(channel));
                if valid != 0 {
                    let bits = machine.driven_word(word, self.wires.bit(channel));
                    let arriving = &mut self.arriving[word * self.wires.channels + channel];
                    arriving.bits.push((valid, bits));
                }
            }
        }
    }

    fn begin_packets(&mut self, machine: &dyn Lockstep) {
        let wires = self.wires;
        for word in 0..self.seats.len() {
            for channel in 0..wires.channels {
                let arriving = &mut self.arriving[word * wires.channels + channel];
                let read = |from: usize, bits: usize, into: &mut Vec<u64>| {
                    into.clear();
                    into.extend((from..from + bits).map(|wire| machine.driven_word(word, wire)));
                };
                read(wires.group(channel), wires.group_bits, &mut arriving.group);
                read(wires.tree(channel), wires.tree_bits, &mut arriving.tree);
                // Each port of several has a channel of its own.
                let ports = wires.dimensions / wires.channels;
                read(wires.receiving(channel), ports, &mut arriving.ports);
            }
        }
    }

    /// The packets of the step that is over are complete.
    fn end_packets(&mut self, bit_time: u64) {
        for word in 0..self.seats.len() {
            for channel in 0..self.wires.channels {
                let number = word * self.wires.channels + channel;
                self.note_first((word, number), bit_time);
                if self.arriving[number].bits.is_empty() {
                    continue;
                }
                let mut arrived = std::mem::take(&mut self.arriving[number]);
                self.end_packet((word, channel), &arrived);
                arrived.bits.clear();
                self.arriving[number] = arrived;
            }
        }
    }

    /// Packets that have come on a channel, whether the host was given them or not.
    fn note_first(&mut self, (word, number): (usize, usize), bit_time: u64) {
        let arrived = &self.arriving[number];
        for place in places(arrived.ports.iter().fold(0, |all, port| all | port)) {
            let (node, packet) = (
                self.seats[word].seats[place],
                arrived.packet(place, self.wires.trees),
            );
            if node < self.nodes
                && packet < self.packets
                && !std::mem::replace(&mut self.was_there[node * self.packets + packet], true)
            {
                self.complete_at[node] = bit_time;
            }
        }
    }

    fn end_packet(&mut self, (word, channel): (usize, usize), arrived: &Arriving) {
        let all = arrived.bits.iter().fold(0, |all, (valid, _)| all | valid);
        let always = arrived
            .bits
            .iter()
            .fold(!0, |always, (valid, _)| always & valid);
        let is_whole = arrived.bits.len() == self.packet_bits && all == always;
        let seats = self.seats[word].seats;
        if !is_whole {
            let place = match arrived.bits.len() == self.packet_bits {
                true => (all ^ always).trailing_zeros(),
                false => all.trailing_zeros(),
            };
            self.object(
                seats[place as usize % NODES_AT_ONCE],
                format!("not all of a packet's {} bits", self.packet_bits),
            );
            return;
        }
        let words_a_packet = self.message.words_a_packet();
        let mut squares = std::mem::take(&mut self.squares);
        squares.clear();
        squares.extend(arrived.bits.chunks(NODES_AT_ONCE).map(|bits| {
            let mut square: Square = [0; NODES_AT_ONCE];
            for (row, (_, bits)) in square.iter_mut().zip(bits) {
                *row = *bits;
            }
            transpose(&mut square);
            square
        }));
        for place in 0..NODES_AT_ONCE {
            if all >> place & 1 == 0 {
                continue;
            }
            let (node, packet) = (seats[place], arrived.packet(place, self.wires.trees));
            if node >= self.nodes {
                continue;
            }
            if packet >= self.packets {
                self.object(node, format!("packet {packet}, which there is not"));
                continue;
            }
            if node == self.source {
                self.object(node, format!("packet {packet} of its own message"));
            }
            let times = &mut self.times[node * self.packets + packet];
            *times = times.saturating_add(1);
            if *times > 1 {
                self.object(node, format!("packet {packet} for the second time"));
            }
            let first = (node * self.packets + packet) * words_a_packet;
            for (index, square) in squares.iter().enumerate() {
                self.received[first + index] = square[place];
            }
            let came = &self.received[first..first + words_a_packet];
            let port = match self.wires.channels {
                1 => arrived.port(place),
                _ => Some(channel),
            };
            if let (Some(links), Some(port)) = (&mut self.links, port) {
                links.came(node, port, came);
            }
            if *came != self.sent[packet * words_a_packet..][..words_a_packet] {
                self.object(
                    node,
                    format!("packet {packet} with bits that were not sent"),
                );
            }
        }
        self.squares = squares;
    }

    fn object(&mut self, node: usize, what: String) {
        self.wrong.get_or_insert(Wrong { node, what });
    }

    /// What the source asks for.
    fn supply(&mut self, machine: &mut dyn Lockstep) {
        let wires = self.wires;
        if !wires.is_supplied {
            return;
        }
        let (word, place) = self.source_seat;
        let is_one =
            |machine: &dyn Lockstep, wire: usize| machine.driven_word(word, wire) >> place & 1 == 1;
        let number = |machine: &dyn Lockstep, from: usize, bits: usize| {
            (0..bits).fold(0, |number, bit| {
                number | usize::from(is_one(machine, from + bit)) << bit
            })
        };
        if !is_one(machine, wires.ask()) {
            return;
        }
        self.index = match is_one(machine, wires.ask_first()) {
            true => 0,
            false => self.index + 1,
        };
        let group = number(machine, wires.ask_group(), wires.group_bits);
        let rotation = number(machine, wires.ask_rotation(), wires.tree_bits);
        for channel in 0..wires.channels {
            let packet = group * wires.trees + (channel + rotation) % wires.trees;
            let bit = u64::from(self.message.bit(packet, self.index));
            machine.drive_from_host(word, channel, bit << place);
        }
    }

    /// The bits that are supplied before bit time 0: the first of each channel's first packet.
    pub fn first_bits(&self) -> u64 {
        (0..self.wires.channels).fold(0, |bits, channel| {
            bits | u64::from(self.message.bit(channel % self.wires.trees, 0)) << channel
        })
    }

    /// Whether a node has the whole message as it was sent; that of the source has it anyway.
    pub fn is_complete(&self, node: usize) -> bool {
        let words = self.message.words_a_packet();
        let has = |packet: usize| {
            let number = node * self.packets + packet;
            self.times[number] == 1
                && self.received[number * words..][..words] == self.sent[packet * words..][..words]
        };
        match node == self.source {
            true => (0..self.packets).all(|packet| self.times[node * self.packets + packet] == 0),
            false => (0..self.packets).all(has),
        }
    }

    /// The bits that a node ends up with.
    pub fn message_at(&self, node: usize) -> BitVec<u64> {
        let words = self.message.words_a_packet();
        let bit = |bit: usize| {
            let (packet, index) = (bit / self.packet_bits, bit % self.packet_bits);
            let word = (node * self.packets + packet) * words + index / 64;
            self.received[word] >> (index % 64) & 1 == 1
        };
        match node == self.source {
            true => self.message.bits().to_bitvec(),
            false => (0..self.message.bits().len()).map(bit).collect(),
        }
    }

    /// Whether a node has all packets, right or wrong.
    pub fn has_all(&self, node: usize) -> bool {
        let times = &self.times[node * self.packets..][..self.packets];
        node == self.source || times.iter().all(|times| *times > 0)
    }

    /// Whether they look at which tree uses which link.
    pub fn looks_at_trees(&self) -> bool {
        self.links.is_some()
    }

    /// The first link, into a node across a port, that two trees shared.
    pub fn shared(&self) -> Option<(usize, usize)> {
        self.links.as_ref()?.shared()
    }

    /// What was wrong at first.
    pub fn wrong(&self) -> Option<&Wrong> {
        self.wrong.as_ref()
    }

    /// The message.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Bytes that the hosts of so many nodes take: what has come, and what is on its way.
    pub fn bytes(nodes: usize, wires: &HostWires, (packets, packet_bits): (usize, usize)) -> u64 {
        let words = packet_bits.div_ceil(64) as u64;
        let a_node = packets as u64 * (2 + 8 * words) + 16 + wires.dimensions as u64;
        // A bit and whether it is there, of 64 nodes in two words, in a list that may be half empty.
        let on_its_way = wires.channels as u64 * packet_bits as u64 / 2;
        nodes as u64 * (a_node + on_its_way)
    }
}
