//! What a node sees of itself, and the closed rules by which it finds out whether it is meant.
//!
//! ```text
//!   address --XOR--> c --+--> [bits]   c, or where its halves differ, or the node's place in a tree
//!   source  ---^         |      |
//!                        |      +--> ones in the low part, in the other part          --> which step it takes part in
//!                        |      +--> rank: ones (zeros) below a port                  --> which line a port is
//!                        |      +--> rotated to each port, compared with a pattern    --> which of its ports
//!                        +--> next one above a port                                   --> which tree (BROADCAST 3A)
//! ```

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::language::lines::Lines;
use crate::parts::counter::Number;
use crate::routers::collectives::configuration::Configuration;
use crate::routers::collectives::program::LineOrder;
use crate::routers::collectives::shape::Shape;
use crate::routers::collectives::strobes::WhoStrobes;

/// The most dimensions.
pub const MOST_DIMENSIONS: usize = 16;

/// A bit a port, a line or a dimension.
pub(super) type PerPort<B> = ArrayVec<B, MOST_DIMENSIONS>;

/// One of so many counts is the number of ones: a bit a count.
type Counts<B> = ArrayVec<B, { MOST_DIMENSIONS + 1 }>;

/// What a node sees.
pub(super) struct Seen<'a, B: Bit> {
    shape: &'a Shape,
    configuration: &'a Configuration<B>,
    relative: PerPort<B>,
    takes_part: B,
    bits: PerPort<B>,
    low: Counts<B>,
    high: Counts<B>,
}

/// For each count up to `most`, whether so many of the bits are 1.
fn counts<B: Bit>(bits: &[B]) -> Counts<B> {
    let ones = Number::ones(bits);
    (0..=bits.len())
        .map(|count| ones.equals(count as i64))
        .collect()
}

/// The value of a line; 0 if there is no such line.
fn of_line<B: Bit>(values: &[B], line: usize) -> B {
    values.get(line).copied().unwrap_or(B::ZERO)
}

impl<'a, B: Bit> Seen<'a, B> {
    /// Of a node.
    pub fn new(
        shape: &'a Shape,
        configuration: &'a Configuration<B>,
        address: &[B],
        source: &Lines<B::Strobe>,
    ) -> Self {
        let bits = address.iter().enumerate();
        let relative: PerPort<B> = bits
            .map(|(dimension, &bit)| bit ^ B::from_strobe(source.line(dimension)))
            .collect();
        let n = relative.len();
        let bits: PerPort<B> = match (shape.sees_differences, configuration.place()) {
            (true, _) => (0..n)
                .map(|port| relative[port] ^ relative[(port + n / 2) % n])
                .collect(),
            (_, Some(place)) => (0..place.width()).map(|bit| place[bit]).collect(),
            _ => relative.clone(),
        };
        let part = |is_low: bool| -> PerPort<B> {
            let bits = bits.iter().enumerate();
            bits.filter(|(place, _)| (shape.low_part >> place & 1 == 1) == is_low)
                .map(|(_, &bit)| bit)
                .collect()
        };
        let when = |counts_matter: bool, is_low| match counts_matter {
            true => counts(&part(is_low)),
            false => Counts::new(),
        };
        let unused = (0..n).filter(|place| shape.unused >> place & 1 == 1);
        Seen {
            takes_part: !any(unused.map(|place| relative[place])),
            low: when(shape.counts_low, true),
            high: when(shape.counts_high, false),
            shape,
            configuration,
            relative,
            bits,
        }
    }

    /// Ports.
    pub fn ports(&self) -> usize {
        self.relative.len()
    }

    /// 1 where a count is one of those whose lines are 1.
    fn is_one_of(counts: &[B], lines: &Lines<B::Strobe>, any_does: B::Strobe) -> B {
        let due = lines.iter().map(|(count, line)| {
            let is = counts.get(count).copied().unwrap_or(B::ZERO);
            B::gated(line, || is)
        });
        any(due) | B::from_strobe(any_does)
    }

    /// 1 where the node is meant, seen from a port.
    pub fn meets(&self, who: &WhoStrobes<B::Strobe>, port: usize) -> B {
        let turn = if self.configuration.place().is_some() {
            0
        } else {
            port
        };
        let wrong = any((who.care.iter()).filter_map(|(place, care)| {
            let bit = *self.bits.get((place + turn) % self.bits.len().max(1))?;
            Some(B::gated(care, || {
                bit ^ B::from_strobe(who.pattern.line(place))
            }))
        }));
        let counts = Self::is_one_of(&self.low, &who.low, who.any_low)
            & Self::is_one_of(&self.high, &who.high, who.any_high);
        self.takes_part & counts & !wrong
    }

    /// For each port whose bit is `of`, the value of the line whose number is that of such bits below it; 0 for the others.
    fn ranked(&self, of: bool, values: &[B]) -> PerPort<B> {
        let n = self.ports();
        let halves = if self.shape.sees_differences { 2 } else { 1 };
        // Bit `r` of what is carried on from port to port: so many have been passed.
        let mut rank: PerPort<B> = (0..n)
            .map(|rank| if rank == 0 { B::ONE } else { B::ZERO })
            .collect();
        let mut found: PerPort<B> = (0..n).map(|_| B::ZERO).collect();
        for place in (0..n).filter(|place| self.shape.low_part >> place & 1 == 1) {
            let is = if of {
                self.bits[place]
            } else {
                !self.bits[place]
            };
            for half in 0..halves {
                let lines = (0..n.div_ceil(halves))
                    .map(|number| rank[number] & of_line(values, halves * number + half));
                found[place + half * n / 2] = is & any(lines);
            }
            for number in (0..n).rev() {
                let before = match number.checked_sub(1) {
                    Some(before) => rank[before],
                    None => B::ZERO,
                };
                rank[number] = is.mux(before, rank[number]);
            }
        }
        found
    }

    /// For each port, the value at the next 1 circularly above it, the port itself being the last that is looked at.
    fn next_above(&self, values: &[B]) -> PerPort<B> {
        let (c, n) = (&self.relative, self.ports());
        let mut at = B::ZERO;
        let mut found: PerPort<B> = (0..n).map(|_| B::ZERO).collect();
        for place in (0..2 * n).rev() {
            found[place % n] = at;
            at = c[place % n].mux(of_line(values, place % n), at);
        }
        found
    }

    /// For each port, the value of the line that it is; 0 where it is none. `values` has one for each line.
    pub fn of_ports(&self, (order, sends): (LineOrder, bool), values: &[B]) -> PerPort<B> {
        let value = |line| of_line(values, line);
        let ports = 0..self.ports();
        let c = &self.relative;
        match order {
            LineOrder::Port => ports.map(value).collect(),
            LineOrder::Zeros => self.ranked(false, values),
            LineOrder::Ones => self.ranked(true, values),
            LineOrder::NextOne => {
                let above = self.next_above(values);
                let is_source = !any(c.iter().copied());
                ports
                    .map(|port| match sends {
                        true => (c[port] | is_source).mux(value(port), above[port]),
                        false => c[port].mux(above[port], value(port)),
                    })
                    .collect()
            }
            LineOrder::Children => {
                let [left, right] = [value(0), value(1)];
                ports
                    .map(|port| {
                        self.configuration.child(0, port) & left
                            | self.configuration.child(1, port) & right
                    })
                    .collect()
            }
            LineOrder::Parent => {
                let value = value(0);
                ports
                    .map(|port| self.configuration.parent(port) & value)
                    .collect()
            }
        }
    }
}
