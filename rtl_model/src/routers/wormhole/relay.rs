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
    /// An empty one, with room for `places` bits, as many as there is room for ahead.
    pub fn new(places: usize) -> Self {
        Relay {
            buffer: BitBuffer::new(places),
            ended: B::ZERO,
            credits: Credits::new(places),
            owes: B::ZERO,
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

    /// The clock edge. `sent`: the front bit goes out; `returned`: a credit comes back.
    #[inline]
    pub fn clock(&mut self, sent: B, returned: B, arrival: Arrival<B>) {
        let ends = (sent & self.front_is_tail()).named("ends");
        self.owes = ends | self.owes & !self.credits.all();
        self.ended = self.ended & !ends | arrival.push & arrival.tail;
        self.credits.clock(sent, returned);
        self.buffer.clock(sent, arrival.push, arrival.bit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Arrival<bool> = Arrival {
        push: false,
        bit: false,
        tail: false,
    };

    fn bit(bit: bool, tail: bool) -> Arrival<bool> {
        Arrival {
            push: true,
            bit,
            tail,
        }
    }

    #[test]
    fn a_credit_goes_back_with_every_bit_but_for_the_tail_when_the_buffer_ahead_is_empty() {
        for places in 1..=3 {
            let mut relay = Relay::<bool>::new(places);
            assert!(!relay.holds_bit() && relay.has_credit() && !relay.gives_back(false));
            relay.clock(false, false, bit(true, false));
            assert!(relay.holds_bit() && relay.front() && !relay.front_is_tail());
            assert!(relay.gives_back(true) && !relay.gives_back(false));
            relay.clock(true, false, NOTHING);
            assert_eq!(relay.has_credit(), places > 1);
            relay.clock(false, true, bit(false, true));
            assert!(relay.front_is_tail() && !relay.front());
            assert!(!relay.gives_back(true), "owed from now on");
            relay.clock(true, false, NOTHING);
            for _ in 0..3 {
                assert!(!relay.gives_back(false) && !relay.holds_bit());
                relay.clock(false, false, NOTHING);
            }
            relay.clock(false, true, NOTHING);
            assert!(relay.gives_back(false));
            relay.clock(false, false, NOTHING);
            assert!(!relay.gives_back(false), "once");
        }
    }

    /// The tail leaves in the bit time in which the credit for the bit before it comes back: what is
    /// owed is still for the tail.
    #[test]
    fn a_credit_for_another_bit_settles_nothing() {
        let mut relay = Relay::<bool>::new(2);
        relay.clock(false, false, bit(true, false));
        relay.clock(true, false, bit(true, true));
        relay.clock(true, true, NOTHING);
        assert!(!relay.gives_back(false));
        relay.clock(false, true, NOTHING);
        assert!(relay.gives_back(false));
    }
}
