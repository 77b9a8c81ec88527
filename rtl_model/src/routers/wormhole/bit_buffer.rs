//! A first-in first-out buffer of flits, the buffer of a virtual channel. A flit is what crosses a link in a bit time: a bit, or as
//! many bits as the link has data wires.
//!
//! ```text
//!   push, flit --> first free place       pop
//!                   |                      |
//!        [b-1] --> [ p ] --> ... --> [0] --+--> front
//! ```
//!
//! Each place has a flip-flop for each bit of its flit and one that says whether there is a flit (`held`). Flits
//! lie from place 0 up without a gap. A flit that is pushed in the bit time in which another leaves
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
    /// Bits of a flit.
    width: usize,
}

registers!(BitBuffer {
    bits: "place 0 leaves first",
    held: "whether there is a flit in each place"
});

impl<B: Bit> BitBuffer<B> {
    /// An empty one of `places` places for flits of `width` bits.
    pub fn new(places: usize, width: usize) -> Self {
        BitBuffer {
            bits: Word::new(places * width, B::ZERO),
            held: Word::new(places, B::ZERO),
            width,
        }
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.held.width()
    }

    /// Bits of a flit.
    pub fn width(&self) -> usize {
        self.width
    }

    /// A bit of the flit that leaves first.
    #[inline]
    pub fn front(&self, wire: usize) -> B {
        self.bits[wire]
    }

    /// Whether there is a flit in the place.
    #[inline]
    pub fn holds(&self, place: usize) -> B {
        self.held.or_zero(place)
    }

    /// Whether there is exactly one flit.
    #[inline]
    pub fn holds_one(&self) -> B {
        self.holds(0) & !self.holds(1)
    }

    /// The clock edge: the front flit leaves where `pop` is 1; one comes in where `push` is, of which `bit` are the bits by wire.
    #[inline]
    pub fn clock(&mut self, pop: B, push: B, bit: impl Fn(usize) -> B) {
        let places = self.places();
        // Whether the place below is taken, once the front flit has left.
        let mut below = B::ONE;
        for place in 0..places {
            let held = pop.mux(self.holds(place + 1), self.holds(place));
            let held = held.named(format_args!("place_{place}_is_held"));
            let reaches = (push & below).named(format_args!("push_reaches_{place}"));
            let takes = (reaches & !held).named(format_args!("place_{place}_takes"));
            for wire in 0..self.width {
                let here = place * self.width + wire;
                let stays = pop.mux(self.bits.or_zero(here + self.width), self.bits[here]);
                let stays = match self.width {
                    1 => stays.named(format_args!("place_{place}_stays")),
                    _ => stays.named(format_args!("place_{place}_wire_{wire}_stays")),
                };
                self.bits[here] = takes.mux(bit(wire), stays);
            }
            self.held[place] = held | takes;
            below = held;
        }
    }
}
