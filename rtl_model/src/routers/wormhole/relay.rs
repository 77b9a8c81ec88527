//! A relay: it passes the bits of one lane on from link to link, on the inner nodes of a path that an
//! edge of another network takes through the hypercube (Greenberg and Bhatt 1990, section 6). It has
//! nothing to choose and asks for nothing.
//!
//! ```text
//!                      +-------------+
//!   push, bit, tail -->| bit buffer  |--front--> over its link, where there is a credit
//!                      +-------------+
//!   credit <-- for every bit that left, but for the tail:
//!              for the tail when [credits] are all back
//! ```
//!
//! A lane belongs to one worm from its output channel to the input channel at its far end, with all
//! relays between. So that the output channel knows when the lane is empty, a relay *owes* the credit for
//! a tail until the buffer ahead of it has given up all bits: the last credit goes back from the far end,
//! relay by relay. Until then the output channel, which is given out only with all its credits, is not
//! free, and no relay ever holds bits of two worms.

use crate::language::bit::Bit;
use crate::registers;
use crate::routers::wormhole::bit_buffer::BitBuffer;
use crate::routers::wormhole::credits::Credits;
use crate::routers::wormhole::input_channel::Arrival;

/// The relay.
#[derive(Clone, Debug)]
pub struct Relay<B: Bit> {
    buffer: BitBuffer<B>,
    ended: B,
    credits: Credits<B>,
    owes: B,
}

registers!(Relay {
    buffer: "the bits that wait here",
    ended: "the tail is in the buffer",
    credits: "free places in the buffer that it feeds, in unary",
    owes: "the tail has left, and its credit has not gone back"
});

impl<B: Bit> Relay<B> {
    /// An empty one, with room for `places` flits of `width` bits, as many as there is room for ahead.
    pub fn new(places: usize, width: usize) -> Self {
        Relay {
            buffer: BitBuffer::new(places, width),
            ended: B::ZERO,
            credits: Credits::new(places),
            owes: B::ZERO,
        }
    }

    /// A bit of the flit that leaves next.
    #[inline]
    pub fn front(&self, wire: usize) -> B {
        self.buffer.front(wire)
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

    /// The bit that leaves next is the last one of its worm.
    #[inline]
    pub fn front_is_tail(&self) -> B {
        (self.ended & self.buffer.holds_one()).named("front_is_tail")
    }

    /// It has a credit.
    #[inline]
    pub fn has_credit(&self) -> B {
        self.credits.any()
    }

    /// A credit goes back; `sent`: the front bit goes out in this bit time.
    #[inline]
    pub fn gives_back(&self, sent: B) -> B {
        let settles = (self.owes & self.credits.all()).named("settles");
        (sent & !self.front_is_tail() | settles).named("gives_back")
    }

    /// The clock edge. `sent`: the front flit goes out; `returned`: a credit comes back; what arrives, with its bits by wire.
    #[inline]
    pub fn clock(&mut self, sent: B, returned: B, arrival: Arrival<B>, bit: impl Fn(usize) -> B) {
        let ends = (sent & self.front_is_tail()).named("ends");
        self.owes = ends | self.owes & !self.credits.all();
        self.ended = self.ended & !ends | arrival.push & arrival.tail;
        self.credits.clock(sent, returned);
        self.buffer.clock(sent, arrival.push, bit);
    }
}
