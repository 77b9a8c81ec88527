//! The address of a destination at an input channel: it is read before the channel asks where to go on, and sent on ahead of all
//! other bits.
//!
//! ```text
//!   front --> [h-1] --> ... --> [1] --> [0] --+--> over the output channel     h flits, of as many bits as a link has wires
//!                ^                            |
//!                +----------------------------+    round, so that it is whole again when it has been sent
//!   count   1 1 .. 1 0 0    while it is read: flits that are there; then: flits that are still to be sent on
//! ```
//!
//! A header that is consumed link by link is shorter and sooner read; but it fixes the route. An address leaves it open, and costs
//! each hop as many bit times as it has bits.

use crate::language::bit::Bit;
use crate::parts::word::Word;
use crate::registers;

/// The register.
#[derive(Clone, Debug)]
pub struct Destination<B: Bit> {
    address: Word<B>,
    count: Word<B>,
    /// One flip-flop, a word so that channels without an address stay small.
    known: Word<B>,
    /// Bits of a flit.
    width: usize,
}

registers!(Destination {
    address: "of the destination, bit 0 first",
    count: "in unary: flits read, or once it is known, flits still to be sent on",
    known: "all of it has been read"
});

impl<B: Bit> Destination<B> {
    /// Of an address of so many flits of `width` bits.
    pub fn new(flits: usize, width: usize) -> Self {
        Destination {
            address: Word::new(flits * width, B::ZERO),
            count: Word::new(flits, B::ZERO),
            known: Word::new(1, B::ZERO),
            width,
        }
    }

    /// The address, and behind it what fills its last flit; not while it is read or sent on.
    #[inline]
    pub fn address(&self) -> &[B] {
        self.address.all()
    }

    /// Flits that have been read, or are still to be sent on, in unary.
    #[inline]
    pub fn count(&self) -> &[B] {
        self.count.all()
    }

    /// All of it has been read.
    #[inline]
    pub fn known(&self) -> B {
        self.known[0]
    }

    /// A flit is still to be sent on.
    #[inline]
    pub fn is_ahead(&self) -> B {
        self.known[0] & self.count[0]
    }

    /// A bit of that flit.
    #[inline]
    pub fn next(&self, wire: usize) -> B {
        self.address[wire]
    }

    /// The clock edge. `reads`: a flit of the address is read, of which `bit` are the bits by wire; `sends`: one is sent on; `keeps`:
    /// the worm is still here.
    #[inline]
    pub fn clock(&mut self, reads: B, bit: impl Fn(usize) -> B, sends: B, keeps: B) {
        let (flits, bits) = (self.count.width(), self.address.width());
        let moves = (reads | sends).named("address_moves");
        let is_last = match flits {
            1 => reads,
            _ => reads & self.count[flits - 2],
        };
        self.known[0] = keeps & (self.known[0] | is_last);
        let mut below = B::ONE;
        for place in 0..flits {
            let here = self.count[place];
            let less = self.count.or_zero(place + 1);
            let next = reads.mux(below, sends.mux(less, here));
            self.count[place] = keeps & next;
            below = here;
        }
        for wire in 0..self.width {
            let enters = sends.mux(self.address[wire], bit(wire));
            let enters = match self.width {
                1 => enters.named("address_enters"),
                _ => enters.named(format_args!("address_enters_{wire}")),
            };
            for place in (wire..bits).step_by(self.width) {
                let above = match place + self.width {
                    next if next < bits => self.address[next],
                    _ => enters,
                };
                self.address[place] = moves.mux(above, self.address[place]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_whole_when_read_and_whole_again_when_sent() {
        for (flits, width) in [
            (1, 1),
            (2, 1),
            (3, 1),
            (5, 1),
            (1, 3),
            (2, 2),
            (3, 2),
            (2, 4),
        ] {
            let bits = flits * width;
            for address in 0..1usize << bits {
                let spelled: Vec<bool> = (0..bits).map(|bit| address >> bit & 1 == 1).collect();
                let mut destination = Destination::<bool>::new(flits, width);
                for _ in 0..2 {
                    for flit in spelled.chunks(width) {
                        assert!(!destination.known() && !destination.is_ahead());
                        destination.clock(true, |wire| flit[wire], false, true);
                        destination.clock(false, |wire| !flit[wire], false, true);
                    }
                    assert!(destination.known());
                    assert_eq!(destination.address(), spelled);
                    let mut sent = Vec::new();
                    while destination.is_ahead() {
                        sent.extend((0..width).map(|wire| destination.next(wire)));
                        destination.clock(false, |_| false, true, true);
                        destination.clock(false, |_| true, false, true);
                    }
                    assert_eq!(sent, spelled);
                    assert_eq!(destination.address(), spelled);
                    assert!(destination.known());
                    destination.clock(false, |_| false, false, false);
                }
            }
        }
    }
}
