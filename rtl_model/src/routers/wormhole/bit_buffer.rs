//! A first-in first-out buffer of bits, the buffer of a virtual channel.
//!
//! ```text
//!   push, bit --> first free place        pop
//!                   |                      |
//!        [b-1] --> [ p ] --> ... --> [0] --+--> front
//! ```
//!
//! Each place has a flip-flop for its bit and one that says whether there is a bit (`held`). Bits
//! lie from place 0 up without a gap. A bit that is pushed in the bit time in which another leaves
//! takes the place that gets free. Nothing here holds a push back when all places are taken:
//! whoever pushes has counted ([`super::credits`]).

use crate::language::bit::Bit;
use crate::parts::word::Word;
use crate::registers;

/// The buffer.
#[derive(Clone, Debug)]
pub struct BitBuffer<B: Bit> {
    bits: Word<B>,
    held: Word<B>,
}

registers!(BitBuffer {
    bits: "place 0 leaves first",
    held: "whether there is a bit in each place"
});

impl<B: Bit> BitBuffer<B> {
    /// An empty one of `places` places.
    pub fn new(places: usize) -> Self {
        BitBuffer {
            bits: Word::new(places, B::ZERO),
            held: Word::new(places, B::ZERO),
        }
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.held.width()
    }

    /// The bit that leaves first.
    #[inline]
    pub fn front(&self) -> B {
        self.bits[0]
    }

    /// Whether there is a bit in the place.
    #[inline]
    pub fn holds(&self, place: usize) -> B {
        self.held.or_zero(place)
    }

    /// Whether there is exactly one bit.
    #[inline]
    pub fn holds_one(&self) -> B {
        self.holds(0) & !self.holds(1)
    }

    /// The clock edge: the front bit leaves where `pop` is 1, `bit` comes in where `push` is.
    #[inline]
    pub fn clock(&mut self, pop: B, push: B, bit: B) {
        let places = self.places();
        // Whether the place below is taken, once the front bit has left.
        let mut below = B::ONE;
        for place in 0..places {
            let held = pop.mux(self.holds(place + 1), self.holds(place));
            let held = held.named(format_args!("place_{place}_is_held"));
            let stays = pop.mux(self.bits.or_zero(place + 1), self.bits[place]);
            let reaches = (push & below).named(format_args!("push_reaches_{place}"));
            let takes = (reaches & !held).named(format_args!("place_{place}_takes"));
            let stays = stays.named(format_args!("place_{place}_stays"));
            self.bits[place] = takes.mux(bit, stays);
            self.held[place] = held | takes;
            below = held;
        }
    }
}
