//! The address of a destination at an input channel: it is read before the channel asks where to go on, and sent on ahead of all
//! other bits.
//!
//! ```text
//!   front --> [A-1] --> ... --> [1] --> [0] --+--> over the output channel
//!                ^                            |
//!                +----------------------------+    round, so that it is whole again when it has been sent
//!   count   1 1 .. 1 0 0    while it is read: bits that are there; then: bits that are still to be sent on
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
}

registers!(Destination {
    address: "of the destination, bit 0 first",
    count: "in unary: bits read, or once it is known, bits still to be sent on",
    known: "all of it has been read"
});

impl<B: Bit> Destination<B> {
    /// Of an address of so many bits.
    pub fn new(bits: usize) -> Self {
        Destination {
            address: Word::new(bits, B::ZERO),
            count: Word::new(bits, B::ZERO),
            known: Word::new(1, B::ZERO),
        }
    }

    /// The address; not while it is read or sent on.
    #[inline]
    pub fn address(&self) -> &[B] {
        self.address.all()
    }

    /// Bits that have been read, or are still to be sent on, in unary.
    #[inline]
    pub fn count(&self) -> &[B] {
        self.count.all()
    }

    /// All of it has been read.
    #[inline]
    pub fn known(&self) -> B {
        self.known[0]
    }

    /// A bit is still to be sent on.
    #[inline]
    pub fn is_ahead(&self) -> B {
        self.known[0] & self.count[0]
    }

    /// That bit.
    #[inline]
    pub fn next(&self) -> B {
        self.address[0]
    }

    /// The clock edge. `reads`: this bit of the address is read; `sends`: one is sent on; `keeps`: the worm is still here.
    #[inline]
    pub fn clock(&mut self, reads: B, bit: B, sends: B, keeps: B) {
        let bits = self.address.width();
        let moves = (reads | sends).named("address_moves");
        let enters = sends.mux(self.address[0], bit).named("address_enters");
        let is_last = match bits {
            1 => reads,
            _ => reads & self.count[bits - 2],
        };
        self.known[0] = keeps & (self.known[0] | is_last);
        let mut below = B::ONE;
        for place in 0..bits {
            let here = self.count[place];
            let less = self.count.or_zero(place + 1);
            let next = reads.mux(below, sends.mux(less, here));
            self.count[place] = keeps & next;
            below = here;
            let above = match place + 1 {
                next if next < bits => self.address[next],
                _ => enters,
            };
            self.address[place] = moves.mux(above, self.address[place]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_whole_when_read_and_whole_again_when_sent() {
        for bits in 1..=5 {
            for address in 0..1usize << bits {
                let spelled: Vec<bool> = (0..bits).map(|bit| address >> bit & 1 == 1).collect();
                let mut destination = Destination::<bool>::new(bits);
                for _ in 0..2 {
                    for &bit in &spelled {
                        assert!(!destination.known() && !destination.is_ahead());
                        destination.clock(true, bit, false, true);
                        destination.clock(false, !bit, false, true);
                    }
                    assert!(destination.known());
                    assert_eq!(destination.address(), spelled);
                    let mut sent = Vec::new();
                    while destination.is_ahead() {
                        sent.push(destination.next());
                        destination.clock(false, false, true, true);
                        destination.clock(false, true, false, true);
                    }
                    assert_eq!(sent, spelled);
                    assert_eq!(destination.address(), spelled);
                    assert!(destination.known());
                    destination.clock(false, false, false, false);
                }
            }
        }
    }
}
