//! The relative address of a node, address xor source, and the rules of both papers on it.
//!
//! ```text
//!   address --XOR--> c --+--> ones        distance from the source
//!   source  ---^         +--> rank        place on the Gray code path
//!                        +--> next_above  of the next 1 above a port, circularly: the tree of what crosses that port
//!                        +--> nearest_below   of the nearest 1 below it: where that packet came from
//! ```
//!
//! The trees of Ho & Johnsson (3.2) and the packets of Stout & Wagar's BROADCAST 3 follow one rule: across port `b` a node with
//! `c_b = 1` sends what is of tree `b`, and one with `c_b = 0` what is of the next 1 of `c` circularly above `b`; the source, of
//! tree `b`. A circular scan over the bits, twice round, finds it: a priority encoder that begins at every place.

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::language::lines::Lines;
use crate::parts::counter::Number;
use crate::routers::ports::broadcast::MOST_DIMENSIONS;

/// A bit a port.
pub(super) type PerPort<B> = ArrayVec<B, MOST_DIMENSIONS>;

/// A relative address.
#[derive(Clone, Debug)]
pub(super) struct Relative<B> {
    bits: PerPort<B>,
}

impl<B: Bit> Relative<B> {
    /// Of a node, and the address of the source.
    pub fn new(address: &[B], source: &Lines<B::Strobe>) -> Self {
        let bits = address.iter().enumerate();
        Relative {
            bits: bits
                .map(|(dimension, &bit)| bit ^ B::from_strobe(source.line(dimension)))
                .collect(),
        }
    }

    /// Dimensions, `n`.
    pub fn dimensions(&self) -> usize {
        self.bits.len()
    }

    /// Bit `port`.
    pub fn bit(&self, port: usize) -> B {
        self.bits[port]
    }

    /// The node is the source.
    pub fn is_source(&self) -> B {
        !any(self.bits.iter().copied())
    }

    /// The only 1 is at `port`: across it lies the source.
    pub fn is_alone(&self, port: usize) -> B {
        let others = self.bits.iter().enumerate();
        let others = others.filter(|(other, _)| *other != port);
        self.bits[port] & !any(others.map(|(_, &bit)| bit))
    }

    /// There is no 1 at `port` or above.
    pub fn is_clear_from(&self, port: usize) -> B {
        !any(self.bits[port..].iter().copied())
    }

    /// There is no 1 among so many places from `port` on, circularly.
    pub fn is_clear_around(&self, port: usize, places: usize) -> B {
        let n = self.dimensions();
        !any((port..port + places).map(|place| self.bits[place % n]))
    }

    /// Distance from the source.
    pub fn ones(&self) -> Number<B> {
        Number::ones(&self.bits)
    }

    /// The node's place on the path along the binary reflected Gray code: each bit is the parity of those from there up.
    pub fn rank(&self) -> PerPort<B> {
        let mut parity = B::ZERO;
        let mut rank: PerPort<B> = (self.bits.iter().rev())
            .map(|&bit| {
                parity = parity ^ bit;
                parity
            })
            .collect();
        rank.reverse();
        rank
    }

    /// For each port, the value at the next 1 circularly above it, the port itself being the last that is looked at.
    pub fn next_above(&self, value: impl Fn(usize) -> B) -> PerPort<B> {
        let n = self.dimensions();
        let mut at = B::ZERO;
        for place in (0..n).rev() {
            at = self.bits[place].mux(value(place), at);
        }
        let mut found: PerPort<B> = (0..n)
            .rev()
            .map(|place| {
                let above = at;
                at = self.bits[place].mux(value(place), at);
                above
            })
            .collect();
        found.reverse();
        found
    }

    /// For each port, the value at the nearest 1 circularly below it.
    pub fn nearest_below(&self, value: impl Fn(usize) -> B) -> PerPort<B> {
        let n = self.dimensions();
        let mut at = B::ZERO;
        for place in 0..n {
            at = self.bits[place].mux(value(place), at);
        }
        (0..n)
            .map(|place| {
                let below = at;
                at = self.bits[place].mux(value(place), at);
                below
            })
            .collect()
    }

    /// For each port, the number of the next 1 circularly above it.
    pub fn next_ones(&self) -> ArrayVec<Number<B>, MOST_DIMENSIONS> {
        let n = self.dimensions();
        let width = crate::parts::counter::width_for(n as u32 - 1);
        let constant = |bit: bool| if bit { B::ONE } else { B::ZERO };
        let bits: ArrayVec<PerPort<B>, 8> = (0..width)
            .map(|bit| self.next_above(|place| constant(place >> bit & 1 == 1)))
            .collect();
        (0..n)
            .map(|port| Number::of_bits(bits.iter().map(|bits| bits[port])))
            .collect()
    }
}

/// Bits that stand on the lines of a bundle, as a number.
pub(super) fn number_on<B: Bit>(lines: &Lines<B::Strobe>, width: usize) -> Number<B> {
    Number::of_bits((0..width).map(|place| B::from_strobe(lines.line(place))))
}

/// The lowest bit that is `one`, as one of all.
pub(super) fn lowest<B: Bit>(bits: &[B], one: impl Fn(B) -> B) -> PerPort<B> {
    let mut before = B::ZERO;
    bits.iter()
        .map(|&bit| {
            let here = one(bit);
            let lowest = here & !before;
            before = before | here;
            lowest
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(address: usize, n: usize) -> Relative<bool> {
        Relative {
            bits: (0..n).map(|place| address >> place & 1 == 1).collect(),
        }
    }

    /// The next 1 above, looked for place by place.
    fn searched(address: usize, n: usize, port: usize, step: usize) -> Option<usize> {
        (1..=n)
            .map(|away| (port + away * step) % n)
            .find(|place| address >> place & 1 == 1)
    }

    #[test]
    fn rules_are_what_a_search_finds() {
        for n in 1..=7 {
            for address in 0..1 << n {
                let relative = of(address, n);
                assert_eq!(relative.is_source(), address == 0);
                assert_eq!(relative.ones().value(), address.count_ones());
                let rank = relative
                    .rank()
                    .iter()
                    .rev()
                    .fold(0, |rank, &bit| rank * 2 + usize::from(bit));
                assert_eq!(rank ^ rank >> 1, address);
                let above = relative.next_ones();
                for port in 0..n {
                    assert_eq!(relative.is_alone(port), address == 1 << port);
                    assert_eq!(relative.is_clear_from(port), address >> port == 0);
                    for places in 0..=n {
                        let clear = (port..port + places).all(|at| address >> (at % n) & 1 == 0);
                        assert_eq!(relative.is_clear_around(port, places), clear);
                    }
                    if address != 0 {
                        let next = searched(address, n, port, 1).unwrap();
                        assert_eq!(above[port].value() as usize, next);
                        let below = searched(address, n, port, n - 1).unwrap();
                        for place in 0..n {
                            let at = |found: usize| place == found;
                            assert_eq!(relative.next_above(at)[port], place == next);
                            assert_eq!(relative.nearest_below(at)[port], place == below);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_lowest_is_one_of_all() {
        assert_eq!(
            lowest(&[false, true, true], |bit| bit)[..],
            [false, true, false]
        );
        assert_eq!(
            lowest(&[true, true, false], |bit: bool| !bit)[..],
            [false, false, true]
        );
        assert_eq!(lowest(&[true, true], |bit: bool| !bit)[..], [false, false]);
    }
}
