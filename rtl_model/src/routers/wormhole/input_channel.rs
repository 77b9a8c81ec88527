//! An input channel: the buffer of one virtual channel at the end of a link, and where its worm
//! goes on from here.
//!
//! ```text
//!                      +-------------+
//!   push, bit, tail -->| bit buffer  |--front--+--> over the output channel, once connected
//!                      +-------------+         |
//!                                              v  while the route is not known: consumed
//!   candidates in order:  [cross] -0-> [eject] -0-> [straight]        1: this one
//! ```
//!
//! The header of a worm answers questions, one bit each: go out by this candidate (1), or ask about
//! the next (0)? The last candidate is taken when all others are declined. Then the channel *asks*
//! for its output channel until it is *connected*, and holds it until the tail has left. Where any of
//! several output channels will do, *lanes*, it remembers which it got. (Greenberg
//! and Bhatt 1990, section 7, leaves the switch open; this is a plain wormhole router after Dally
//! and Seitz 1987.)
//!
//! A channel never holds bits of two worms: whoever feeds it begins a worm only when all credits
//! are back.

use crate::language::bit::{Bit, any};
use crate::parts::word::Word;
use crate::registers;
use crate::routers::wormhole::bit_buffer::BitBuffer;

/// The channel.
#[derive(Clone, Debug)]
pub struct InputChannel<B: Bit> {
    buffer: BitBuffer<B>,
    ended: B,
    declined: Word<B>,
    taken: Option<B>,
    connected: Word<B>,
}

registers!(InputChannel {
    buffer: "the bits that wait here",
    ended: "the tail is in the buffer",
    declined: "by candidate: the header has passed it over",
    taken: "the header has chosen the first candidate that it did not decline",
    connected: "it owns the output channel that it asked for; by lane, where any of several will do"
});

/// What happens to a channel at a clock edge.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<B> {
    /// A bit comes in.
    pub push: B,
    /// It.
    pub bit: B,
    /// It is the last one of its worm.
    pub tail: B,
}

impl<B: Bit> InputChannel<B> {
    /// An empty one, with room for `places` bits, with so many candidates, one at least, of each of which
    /// it takes any of so many lanes at the most.
    pub fn new(places: usize, candidates: usize, lanes: usize) -> Self {
        InputChannel {
            buffer: BitBuffer::new(places),
            ended: B::ZERO,
            declined: Word::new(candidates - 1, B::ZERO),
            taken: (candidates > 1).then_some(B::ZERO),
            connected: Word::new(lanes, B::ZERO),
        }
    }

    /// The bit that leaves next.
    #[inline]
    pub fn front(&self) -> B {
        self.buffer.front()
    }

    /// There is one.
    #[inline]
    pub fn holds_bit(&self) -> B {
        self.buffer.holds(0)
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

    /// The bit that leaves next is the last one of its worm.
    #[inline]
    pub fn front_is_tail(&self) -> B {
        (self.ended & self.buffer.holds_one()).named("front_is_tail")
    }

    /// Every candidate but the last is declined.
    #[inline]
    fn all_declined(&self) -> B {
        match self.declined.width() {
            0 => B::ONE,
            width => self.declined[width - 1],
        }
    }

    /// The route is known.
    #[inline]
    pub fn asks(&self) -> B {
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

    /// The front bit is a header bit, and is consumed in this bit time.
    #[inline]
    pub fn consumes(&self) -> B {
        (self.holds_bit() & !self.asks()).named("consumes")
    }

    /// It requests an output channel: a worm is here, its route known, and not yet connected.
    #[inline]
    pub fn requests(&self) -> B {
        (self.holds_bit() & self.asks() & !self.connected()).named("requests")
    }

    /// The clock edge. `sent`: the front bit goes out over the output channel; `granted`: by
    /// lane, the output channel is this one's from now on.
    #[inline]
    pub fn clock(&mut self, sent: B, granted: &[B], arrival: Arrival<B>) {
        let consumes = self.consumes();
        let take = (consumes & self.front()).named("takes");
        let decline = (consumes & !self.front()).named("declines");
        let keeps = !(sent & self.front_is_tail()).named("ends");

        for (lane, &granted) in granted.iter().enumerate() {
            self.connected[lane] = keeps & (self.connected[lane] | granted);
        }
        self.ended = keeps & self.ended | arrival.push & arrival.tail;
        if let Some(taken) = &mut self.taken {
            *taken = keeps & (*taken | take);
        }
        let mut passed = B::ONE;
        for candidate in 0..self.declined.width() {
            let here = self.declined[candidate];
            self.declined[candidate] = keeps & (here | decline & passed);
            passed = here;
        }
        self.buffer.clock(
            (sent | consumes).named("gives_up"),
            arrival.push,
            arrival.bit,
        );
    }
}
