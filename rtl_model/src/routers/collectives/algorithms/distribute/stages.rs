//! The stages of DISTRIBUTE 1: which sets of zeros are sent in which slot, and where they lie.
//!
//! ```text
//!   d = 4, stage 1     slot 0    slot 1    slot 2      sets of two, seen from port z, the bit just above z last
//!   from the source    011       101       110
//!   from distance 1    011                             where the two bits above z are clear
//!
//!   region of a node     | port 0: slot 0, 1, ... | port 1: slot 0, 1, ... | ... |
//! ```

use crate::routers::collectives::algorithms::algorithm::Ask;
use crate::routers::collectives::algorithms::counting::{binomial, rank, subsets};
use crate::routers::collectives::algorithms::scattering::Schedule;
use crate::routers::collectives::program::{Condition, Line, LineOrder, Transfer, View, side};

/// What stages look like.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub d: usize,
    pub m: usize,
    pub start_up: usize,
}

impl Shape {
    pub fn of(ask: &Ask) -> Self {
        Shape {
            d: ask.dims(),
            m: ask.message_bits,
            start_up: ask.start_up,
        }
    }

    /// Bits of a part that nodes at a distance send in a stage.
    pub fn part(self, stage: usize, distance: usize) -> usize {
        self.m.div_ceil(self.d + distance - stage)
    }

    /// Slots that they have for it.
    pub fn slots(self, stage: usize, distance: usize) -> usize {
        binomial(self.d - 1 - distance, self.d - 1 - stage)
    }

    fn stage_bits(self, stage: usize) -> usize {
        self.slots(stage, 0) * self.part(stage, 0)
    }

    /// Bits of a region of a node's memory.
    fn region(self) -> usize {
        let places = (1..self.d).flat_map(|stage| {
            (1..=stage).map(move |distance| {
                self.d * self.slots(stage, distance) * self.part(stage, distance)
            })
        });
        let whole = (1..=self.d).map(|parts| parts * self.m.div_ceil(parts));
        places.chain(whole).max().unwrap_or(0)
    }

    /// Where a node keeps what it sends across a port in a slot.
    fn address(self, (stage, distance): (usize, usize), port: usize, set: usize) -> usize {
        let place = port % self.d * self.slots(stage, distance) + rank(set);
        stage % 2 * self.region() + place * self.part(stage, distance)
    }

    /// Where the source keeps the messages, by relative address from 1 on, and how many bits they are.
    pub fn at_source(self) -> (Vec<usize>, usize) {
        let mut next = 0;
        let messages = (1..1usize << self.d).map(|node| {
            let parts = node.count_ones() as usize;
            next += parts * self.m.div_ceil(parts);
            next - parts * self.m.div_ceil(parts)
        });
        (messages.collect(), next)
    }

    /// The transfers of a stage, from bit time 0.
    pub fn stage(self, stage: usize, at_source: &[usize]) -> Vec<Transfer> {
        let d = self.d;
        let distances = (0..=stage).flat_map(|distance| {
            let sets = subsets(d - 1 - distance, d - 1 - stage);
            sets.map(move |set| (distance, set))
        });
        let transfers = distances.map(|(distance, set)| {
            let (part, slot) = (self.part(stage, distance), rank(set));
            let from = |port: usize| match distance {
                0 => {
                    let seen = 1 | set << 1;
                    let node = (seen << port | seen >> (d - port)) & ((1 << d) - 1);
                    let number = (node & ((1 << port) - 1)).count_ones() as usize;
                    at_source[node - 1] + number * part
                }
                _ => self.address((stage, distance), port, set),
            };
            let sent = (0..d).map(|port| Line {
                line: port,
                address: from(port),
                counted: distance > 0,
            });
            // What is left of the way: from the port of the lowest of the set on.
            let next = set.trailing_zeros() as usize + 1;
            let received = |line: usize| Line {
                line,
                address: match set {
                    // It has arrived, and began at the next 1 above the one that it came across.
                    0 => {
                        let number = (line + 1) % (distance + 1);
                        (stage + 1) % 2 * self.region() + number * part
                    }
                    _ => self.address((stage + 1, distance + 1), line + next, set >> next),
                },
                counted: set > 0,
            };
            let (order, lines) = match set {
                0 => (LineOrder::Ones, distance + 1),
                _ => (LineOrder::Port, d),
            };
            let reach = (usize::BITS - set.leading_zeros()) as usize;
            let who = |pattern: u32, ones: usize| Condition {
                care: (2 << reach) - 1,
                pattern,
                low: Some(ones),
                high: None,
            };
            let is_first = slot == 0;
            Transfer {
                begin: if is_first {
                    0
                } else {
                    self.start_up + slot * part
                },
                start_up: if is_first { self.start_up } else { 0 },
                bits: part,
                sends: side(who(0, distance), LineOrder::Port, sent),
                receives: side(who(1, distance + 1), order, (0..lines).map(received)),
                adds: None,
            }
        });
        transfers.collect()
    }

    pub fn schedule(self, stages: impl Iterator<Item = (usize, Vec<Transfer>)>) -> Schedule {
        let (at_source, own) = self.at_source();
        let (mut steps, mut transfers) = (Vec::new(), Vec::new());
        let mut begin = 0;
        for (stage, mut of_stage) in stages {
            for transfer in &mut of_stage {
                transfer.begin += begin;
            }
            steps.push(begin);
            transfers.extend(of_stage);
            begin += self.start_up + self.stage_bits(stage);
        }
        Schedule {
            view: View::Relative,
            memory_bits: own.max(2 * self.region()),
            bit_times: begin,
            steps,
            transfers,
            at_node: vec![self.d % 2 * self.region(); at_source.len()],
            at_source,
        }
    }

    pub fn divides(self) -> bool {
        (1..=self.d).all(|parts| self.m.is_multiple_of(parts))
    }
}
