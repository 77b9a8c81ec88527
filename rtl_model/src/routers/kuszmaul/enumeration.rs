//! Enumeration: every node learns its rank in a set and how many members there are
//! (Kuszmaul 1990, Theorem 2).
//!
//! ```text
//!   [member]--> enumerator over dimensions 0..k-1 --> rank (k bits), total (k+1 bits)
//! ```
//!
//! ```text
//!   bit time          0        d ..         2d        k-1 ..  2k-2   2k-1
//!   wire, dim d                |<- total so far ->|
//!   rank register                                     |<- rank ->|
//!   total register                                    |<- total  ----->|
//! ```
//!
//! 2k bit times; the ranks alone are there after 2k-1.

use crate::closed_form::ClosedForm;
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::language::wires::Transmit;
use crate::machine::device::Device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Node, Position, Router, Sequencer};
use crate::machine::shown::{Counted, Digits, Number, Shown};
use crate::machine::topology::hypercube::Dimensions;
use crate::parts::counter::Counter;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, EnumeratorStrobes, Results};
use crate::parts::shift_register::ShiftRegister;
use crate::parts::windows::{Now, SingleRow, Stretch, Window, window};
use crate::registers;

/// Totals on the wire of stage `r` (Theorem 2).
pub const COUNTS: Window = window("r-1 .. 2r-2");

/// The machine of Theorem 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumerationRouter {
    dimensions: Dimensions,
}

impl EnumerationRouter {
    /// For a cube of the given dimensions.
    pub fn new(dimensions: Dimensions) -> Self {
        EnumerationRouter { dimensions }
    }
}

/// A node: whether it is a member, and the enumerator.
#[derive(Clone, Debug)]
pub struct EnumerationNode<B: Bit> {
    member: B,
    enumeration: Enumerator<B>,
}
registers!(EnumerationNode {
    member: "the node is in the set",
    enumeration: "a scan stage for each dimension, and what comes out (Theorem 2)",
});

impl<B: Lanes> EnumerationNode<B> {
    /// The host puts the node into the set, or takes it out.
    pub fn set_member(&mut self, place: usize, member: bool) {
        self.member.set(place, member);
    }

    /// Members before this node.
    pub fn rank(&self, place: usize) -> u32 {
        number(self.enumeration.rank(), place)
    }

    /// Members of the set.
    pub fn total(&self, place: usize) -> u32 {
        number(self.enumeration.total(), place)
    }
}

fn number<B: Lanes>(register: &ShiftRegister<B>, place: usize) -> u32 {
    (0..register.width()).fold(0, |number, bit| {
        number | u32::from(register.bit(bit).get(place)) << bit
    })
}

impl<B: Bit> Node<B> for EnumerationNode<B> {
    type Broadcast = EnumeratorStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, broadcast: &Self::Broadcast, _address: &[B], wires: &mut Transmit<'_, B>) {
        self.enumeration.transmit(broadcast, self.member, wires);
    }

    #[inline]
    fn clock(&mut self, broadcast: &Self::Broadcast, address: &[B], received: &[B]) {
        self.enumeration
            .clock(broadcast, self.member, address, received);
    }
}

/// Counts bit times and decodes the windows.
#[derive(Clone, Debug)]
pub struct EnumerationSequencer<B: Bit> {
    dimensions: usize,
    bit_time: Counter<B>,
}
registers!(EnumerationSequencer {
    bit_time: "t, bit times since the run began",
});

impl<S: Strobe> Sequencer<S> for EnumerationSequencer<S> {
    type Broadcast = EnumeratorStrobes<S>;

    fn broadcast(&self, broadcast: &mut Self::Broadcast) {
        let (t, running) = (self.bit_time.number(), !self.is_done());
        let now = SingleRow {
            dimensions: self.dimensions,
            payload_bits: 0,
            during: |stretch: Stretch| running & stretch.has(t),
        };
        broadcast.decode(&now, [COUNTS], self.dimensions);
        broadcast.total_fill = now.within(COUNTS.of_last_stage().longer(1));
    }

    fn clock(&mut self) {
        let done = self.is_done();
        self.bit_time.count_or_set(done, 2 * self.dimensions as u32);
    }

    fn is_done(&self) -> S {
        self.bit_time.number().equals(2 * self.dimensions as i64)
    }
}

/// The machine, behind an object.
#[inline(never)]
pub fn device(dimensions: Dimensions) -> Box<dyn Device> {
    Box::new(EnumerationRouter::new(dimensions))
}

impl Machine for EnumerationRouter {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = EnumeratorStrobes<S>;
    type Node<B: Bit> = EnumerationNode<B>;
    type Sequencer<S: Strobe> = EnumerationSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> EnumerationNode<B> {
        EnumerationNode {
            member: B::ZERO,
            enumeration: Enumerator::new(
                0..self.dimensions.count(),
                RowOrder::Ascending,
                Results {
                    rank_bits: self.dimensions.count(),
                    total_bits: self.dimensions.count() + 1,
                },
            ),
        }
    }

    fn sequencer<S: Strobe>(&self) -> EnumerationSequencer<S> {
        let dimensions = self.dimensions.count();
        EnumerationSequencer {
            dimensions,
            bit_time: Counter::new(2 * dimensions as u32, 0).named("t"),
        }
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut EnumerationNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        port(Field::MEMBER, 0, &mut node.member);
    }

    fn host_reads<B: Bit>(&self, node: &EnumerationNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        let numbers = [
            (Field::RANK, node.enumeration.rank()),
            (Field::TOTAL, node.enumeration.total()),
        ];
        for (field, number) in numbers {
            for bit in 0..number.width() {
                port(field, bit, number.bit(bit));
            }
        }
    }
}

impl Router for EnumerationRouter {
    const STEPS: &'static [&'static str] = &["enumerate"];

    /// What a node has learned so far, and whether it is in the set.
    fn shown(&self) -> Shown {
        let k = self.dimensions.count();
        let number = |(name, width, digits): (&str, usize, Digits)| Number {
            name: name.to_owned(),
            width,
            digits,
        };
        Shown {
            numbers: [
                ("rank", k, Digits::Decimal),
                ("total", k + 1, Digits::Decimal),
                ("member", 1, Digits::Binary),
            ]
            .map(number)
            .to_vec(),
            occupancy: Counted::Nothing,
            ..Shown::default()
        }
    }

    /// Bits come into the top of a register, the least significant first.
    fn numbers<B: Lanes>(
        &self,
        sequencer: &EnumerationSequencer<bool>,
        node: &EnumerationNode<B>,
        _address: &[B],
        bit: &mut dyn FnMut(B),
    ) {
        let passed = sequencer.bit_time.number().value() as usize;
        let come = (passed + 1).saturating_sub(self.dimensions.count());
        for register in [node.enumeration.rank(), node.enumeration.total()] {
            let width = register.width();
            let come = come.min(width);
            for number in 0..width {
                bit(match number < come {
                    true => register.bit(width - come + number),
                    false => B::ZERO,
                });
            }
        }
        bit(node.member);
    }

    fn bit_times(&self) -> ClosedForm {
        ClosedForm::of("2k", &[("k", self.dimensions.count() as u64)])
    }

    fn driven_bit_times(&self, dimension: usize) -> Option<ClosedForm> {
        Some(ClosedForm::of("d+1", &[("d", dimension as u64)]))
    }

    fn storage_bits(&self) -> ClosedForm {
        ClosedForm::of("6k-1", &[("k", self.dimensions.count() as u64)])
    }

    fn position(&self, sequencer: &EnumerationSequencer<bool>) -> Position {
        Position {
            iteration: 0,
            step: 0,
            bit_time: sequencer.bit_time.number().value(),
        }
    }

    /// Nothing: no message takes part in an enumeration.
    fn occupancy<B: Bit>(
        &self,
        _node: &EnumerationNode<B>,
        _after: Option<Position>,
        _count: &mut dyn FnMut(B, u32),
    ) {
    }

    fn messages<B: Bit>(
        &self,
        _node: &EnumerationNode<B>,
        _after: Option<Position>,
        _count: &mut dyn FnMut(B),
    ) {
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::fabric::Fabric;

    /// Ranks and totals of every set of nodes of a small cube, all cubes side by side.
    fn every_set<B: Lanes>(dimensions: usize) {
        let cube = Dimensions::new(dimensions).unwrap();
        let nodes = cube.nodes();
        let sets = 1usize << nodes;
        let mut fabric = Fabric::<_, B>::new(EnumerationRouter::new(cube), sets).unwrap();
        for set in 0..sets {
            for node in (0..nodes).filter(|node| set >> node & 1 == 1) {
                let (group, place) = fabric.node_mut(set * nodes + node);
                group.set_member(place, true);
            }
        }
        while !fabric.is_done() {
            fabric.tick().unwrap();
        }
        assert_eq!(fabric.bit_time(), 2 * dimensions as u64);
        for set in 0..sets {
            for node in 0..nodes {
                let (group, place) = fabric.node(set * nodes + node);
                let before = set & ((1 << node) - 1);
                assert_eq!(group.rank(place), before.count_ones());
                assert_eq!(group.total(place), set.count_ones());
            }
        }
    }

    #[test]
    fn every_set_of_small_cubes_is_ranked_from_0() {
        for dimensions in 1..=3 {
            every_set::<bool>(dimensions);
            every_set::<u64>(dimensions);
        }
        every_set::<u64>(4);
    }
}
