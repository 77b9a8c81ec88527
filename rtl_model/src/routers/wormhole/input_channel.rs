//! An input channel: the buffer of one virtual channel at the end of a link, and where its worm
//! goes on from here.
//!
//! ```text
//!                      +-------------+
//!   push, flit, tail ->| bit buffer  |--front--+--> over the output channel, once connected
//!                      +-------------+         |
//!                                              v  while the route is not known: consumed
//!   candidates in order:  [cross] -0-> [eject] -0-> [straight]        1: this one
//! ```
//!
//! The header of a worm answers questions, one bit each, as many in a flit as it has bits: go out by this candidate (1), or ask about
//! the next (0)? The last candidate is taken when all others are declined. Then the channel *asks*
//! for its output channel until it is *connected*, and holds it until the tail has left. Where any of
//! several output channels will do, *lanes*, it remembers which it got. Where headers are addresses, the channel has the
//! [`Destination`] in the place of answers: it asks when all of it is there, and sends it on first; where the node has a
//! [`RoutingTable`], a bit time later, when it has read its route there. (Greenberg
//! and Bhatt 1990, section 7, leaves the switch open; this is a plain wormhole router after Dally
//! and Seitz 1987.)
//!
//! A channel never holds bits of two worms: whoever feeds it begins a worm only when all credits
//! are back.

use crate::language::bit::{Bit, any};
use crate::parts::word::Word;
use crate::registers;
use crate::routers::wormhole::bit_buffer::BitBuffer;
use crate::routers::wormhole::destination::Destination;
use crate::routers::wormhole::routing_table::{EJECT, RoutingTable, TableSize, spells};

/// The channel.
#[derive(Clone, Debug)]
pub struct InputChannel<B: Bit> {
    buffer: BitBuffer<B>,
    ended: B,
    declined: Word<B>,
    taken: Option<B>,
    destination: Option<Destination<B>>,
    route: Option<Word<B>>,
    connected: Word<B>,
}

registers!(InputChannel {
    buffer: "the bits that wait here",
    ended: "the tail is in the buffer",
    declined: "by candidate: the header has passed it over",
    taken: "the header has chosen the first candidate that it did not decline",
    destination: "where headers are addresses: that of the worm that is here",
    route: "the entry that it has in the routing table; 0 before it has been read",
    connected: "it owns the output channel that it asked for; by lane, where any of several will do"
});

/// What happens to a channel at a clock edge.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<B> {
    /// A flit comes in.
    pub push: B,
    /// Its bit 0.
    pub bit: B,
    /// It is the last one of its worm.
    pub tail: B,
}

impl<B: Bit> InputChannel<B> {
    /// An empty one, with room for `places` flits of `width` bits, with so many candidates, one at least, of each of which
    /// it takes any of so many lanes at the most.
    pub fn new((places, width): (usize, usize), candidates: usize, lanes: usize) -> Self {
        InputChannel {
            buffer: BitBuffer::new(places, width),
            ended: B::ZERO,
            declined: Word::new(candidates - 1, B::ZERO),
            taken: (candidates > 1).then_some(B::ZERO),
            destination: None,
            route: None,
            connected: Word::new(lanes, B::ZERO),
        }
    }

    /// The same for headers that are addresses of so many bits.
    #[must_use]
    pub fn addressed(self, bits: usize) -> Self {
        let width = self.buffer.width();
        InputChannel {
            destination: Some(Destination::new(bits.div_ceil(width), width)),
            ..self
        }
    }

    /// The same for addresses that are looked up in a table of this size.
    #[must_use]
    pub fn looked_up(self, size: TableSize) -> Self {
        InputChannel {
            route: Some(Word::new(size.entry_bits(), B::ZERO)),
            ..self.addressed(size.address_bits())
        }
    }

    /// The address of the worm that is here, where headers are such; it may not all have been read.
    #[inline]
    pub fn destination(&self) -> Option<&[B]> {
        self.destination.as_ref().map(Destination::address)
    }

    /// Flits of the address that are here and have not been sent on, in unary; none where headers are no addresses.
    #[inline]
    pub fn header(&self) -> &[B] {
        self.destination.as_ref().map_or(&[], Destination::count)
    }

    /// A flit of the address goes on ahead: the channel is connected to a link; without a table, all lanes but the last.
    #[inline]
    fn repeats(&self) -> Option<B> {
        let destination = self.destination.as_ref()?;
        let to_link = match &self.route {
            Some(route) => self.connected() & !spells(route.all(), EJECT),
            None => any((0..self.connected.width() - 1).map(|lane| self.connected[lane])),
        };
        Some((destination.is_ahead() & to_link).named("repeats"))
    }

    /// A bit of the flit that leaves next.
    #[inline]
    pub fn front(&self, wire: usize) -> B {
        let front = self.buffer.front(wire);
        match (&self.destination, self.repeats()) {
            (Some(destination), Some(repeats)) => repeats.mux(destination.next(wire), front),
            _ => front,
        }
    }

    /// There is one.
    #[inline]
    pub fn holds_bit(&self) -> B {
        let holds_bit = self.buffer.holds(0);
        match self.repeats() {
            None => holds_bit,
            Some(repeats) => holds_bit | repeats,
        }
    }

    /// The buffer.
    pub fn buffer(&self) -> &BitBuffer<B> {
        &self.buffer
    }

    /// It owns an output channel.
    #[inline]
    pub fn connected(&self) -> B {
        any((0..self.connected.width()).map(|lane| self.connected[lane]))
    }

    /// It owns the output channel that is this lane of what it asked for.
    #[inline]
    pub fn connected_to(&self, lane: usize) -> B {
        self.connected[lane]
    }

    /// The flit that leaves next is the last one of its worm.
    #[inline]
    pub fn front_is_tail(&self) -> B {
        let is_last = self.ended & self.buffer.holds_one();
        let is_last = self.repeats().map_or(is_last, |repeats| is_last & !repeats);
        is_last.named("front_is_tail")
    }

    /// Every candidate but the last is declined.
    #[inline]
    fn all_declined(&self) -> B {
        match self.declined.width() {
            0 => B::ONE,
            width => self.declined[width - 1],
        }
    }

    /// The route is known, or the destination.
    #[inline]
    pub fn asks(&self) -> B {
        if let Some(route) = &self.route {
            return any(route.all().iter().copied()).named("asks");
        }
        if let Some(destination) = &self.destination {
            return destination.known().named("asks");
        }
        (self.taken.unwrap_or(B::ZERO) | self.all_declined()).named("asks")
    }

    /// The route is candidate `candidate`.
    #[inline]
    pub fn asks_for(&self, candidate: usize) -> B {
        if candidate == self.declined.width() {
            return self.all_declined();
        }
        self.taken.unwrap_or(B::ZERO) & self.stands_at(candidate)
    }

    /// Candidate `candidate`, not the last, is the first one that is not declined.
    #[inline]
    fn stands_at(&self, candidate: usize) -> B {
        match candidate {
            0 => !self.declined[0],
            _ => self.declined[candidate - 1] & !self.declined[candidate],
        }
    }

    /// The front flit is one of the header, and is consumed in this bit time.
    #[inline]
    pub fn consumes(&self) -> B {
        let header_is_read = match &self.destination {
            Some(destination) => destination.known(),
            None => self.asks(),
        };
        (self.buffer.holds(0) & !header_is_read).named("consumes")
    }

    /// It reads the routing table in this bit time; none where there is no table.
    #[inline]
    pub fn looks_up(&self) -> Option<B> {
        let (destination, route) = (self.destination.as_ref()?, self.route.as_ref()?);
        let is_routed = any(route.all().iter().copied());
        Some((destination.known() & !is_routed).named("looks_up"))
    }

    /// Its entry in the routing table is this one.
    #[inline]
    pub fn is_routed_by(&self, entry: usize) -> B {
        (self.route.as_ref()).map_or(B::ZERO, |route| spells(route.all(), entry))
    }

    /// A flit leaves the buffer; `sent`: the flit that leaves next goes out.
    #[inline]
    pub fn gives_up(&self, sent: B) -> B {
        let leaves = self.repeats().map_or(sent, |repeats| sent & !repeats);
        (leaves | self.consumes()).named("gives_up")
    }

    /// It requests an output channel: a worm is here, its route known, and not yet connected.
    #[inline]
    pub fn requests(&self) -> B {
        (self.holds_bit() & self.asks() & !self.connected()).named("requests")
    }

    /// The clock edge. `sent`: the front flit goes out over the output channel; `granted`: by
    /// lane, the output channel is this one's from now on; what arrives, with its bits by wire; `table`: that of the node, if it has
    /// one.
    #[inline]
    pub fn clock(
        &mut self,
        sent: B,
        granted: &[B],
        (arrival, bit): (Arrival<B>, impl Fn(usize) -> B),
        table: Option<&RoutingTable<B>>,
    ) {
        let consumes = self.consumes();
        let keeps = !(sent & self.front_is_tail()).named("ends");
        let gives_up = self.gives_up(sent);
        let repeated = self.repeats().map(|repeats| sent & repeats);
        let looks_up = self.looks_up();
        if let (Some(table), Some(looks_up), Some(destination), Some(route)) =
            (table, looks_up, &self.destination, &mut self.route)
        {
            let entry = table.read(destination.address());
            for (bit, entry) in route.bits().iter_mut().zip(entry) {
                *bit = keeps & (*bit | looks_up & entry);
            }
        }
        if let (Some(destination), Some(repeated)) = (&mut self.destination, repeated) {
            let buffer = &self.buffer;
            destination.clock(consumes, |wire| buffer.front(wire), repeated, keeps);
        }

        for (lane, &granted) in granted.iter().enumerate() {
            self.connected[lane] = keeps & (self.connected[lane] | granted);
        }
        self.ended = keeps & self.ended | arrival.push & arrival.tail;
        if let Some(taken) = &mut self.taken {
            // A flit has as many answers as it has bits, about one candidate after the other.
            let answers = (0..self.buffer.width()).map(|wire| self.buffer.front(wire));
            let take = (consumes & any(answers)).named("takes");
            *taken = keeps & (*taken | take);
        }
        let width = self.buffer.width();
        let (mut before, mut asked, mut no) = (B::ONE, B::ONE, B::ONE);
        for candidate in 0..self.declined.width() {
            let wire = candidate % width;
            if wire == 0 {
                // All before it are declined: this flit is about it and the next ones.
                (asked, no) = (before, B::ONE);
            }
            no = no & !self.buffer.front(wire);
            let decline = match width {
                1 => (consumes & no).named("declines"),
                _ => (consumes & no).named(format_args!("declines_{candidate}")),
            };
            before = self.declined[candidate];
            self.declined[candidate] = keeps & (before | decline & asked);
        }
        self.buffer.clock(gives_up, arrival.push, bit);
    }
}
