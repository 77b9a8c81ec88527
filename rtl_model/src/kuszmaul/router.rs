//! Algorithm 2 as a router, whatever its schedule: what all schedules have in common, written once.
//!
//! A schedule is a node, a sequencer, what passes between them, and the closed forms that they are held
//! against. Everything else (the host's side, what is left of a message in each iteration) is the same.

use std::marker::PhantomData;

use crate::bit::{Bit, Strobe};
use crate::error::Error;
use crate::host::Field;
use crate::parts::message_buffer::{host_reads, host_writes};
use crate::parts::shift_register::ShiftRegister;
use crate::register::Registers;
use crate::router::{ClosedForm, MessageRouter, Node, Position, Router, Sequencer};
use crate::strobes::Strobes;
use crate::topology::hypercube::Dimensions;
use crate::traffic::check_payload_bits;

/// The size of a machine and of its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// `k`.
    pub dimensions: usize,
    /// `D`.
    pub payload_bits: usize,
}

impl Size {
    /// `m`: the dimensions that iteration `i` leaves.
    pub fn free_dimensions(self, iteration: u32) -> usize {
        self.dimensions - 1 - iteration as usize
    }

    /// `L`: the message bits that are left once iteration `i` has consumed its own.
    pub fn message_bits(self, iteration: u32) -> usize {
        self.free_dimensions(iteration) + self.payload_bits
    }

    /// A formula in `k` and `D`, given both.
    pub(super) fn form(
        self,
        text: &'static str,
        value: impl FnOnce(u64, u64) -> u64,
    ) -> ClosedForm {
        ClosedForm {
            text,
            value: value(self.dimensions as u64, self.payload_bits as u64),
        }
    }
}

/// Bits of a stream of `length` that have passed after bit time `t`, if the first passes in `from`.
pub(super) fn passed(t: u32, from: u32, length: u32) -> u32 {
    (t + 1).saturating_sub(from).min(length)
}

/// What the router needs of a node beyond its wires: for the host and the meters.
pub trait MessageNode<B: Bit> {
    /// The buffer that the host writes and reads, as registers: a valid bit, then the message bits.
    fn first_message_mut(&mut self) -> &mut impl Registers<B>;
    /// Its valid bit and its message bits.
    fn first_message(&self) -> (B, &ShiftRegister<B>);
    /// 1 where there is a second message.
    fn has_second(&self) -> B;
    /// The live message bits after that bit time, as [`Router::occupancy`].
    fn occupancy(&self, size: Size, after: Position, count: &mut impl FnMut(B, u32));
}

/// A way to run Algorithm 2: which steps happen when, and the hardware that this takes.
pub trait Schedule: Copy + Default + 'static {
    /// Strobes, over the bit that the sequencer runs on.
    type Broadcast<S: Strobe>: Strobes<S>;
    /// The node, over any bit.
    type Node<B: Bit>: Node<B, Broadcast = Self::Broadcast<B::Strobe>> + MessageNode<B>;
    /// The sequencer, over any bit.
    type Sequencer<S: Strobe>: Sequencer<S, Broadcast = Self::Broadcast<S>>;

    /// As [`Router::STEPS`].
    const STEPS: &'static [&'static str];
    /// As [`Router::STEPS_OVERLAP`].
    const STEPS_OVERLAP: bool;

    /// A node whose registers are all 0.
    fn node<B: Bit>(size: Size) -> Self::Node<B>;

    /// A sequencer about to begin.
    fn sequencer<S: Strobe>(size: Size) -> Self::Sequencer<S>;

    /// The closed form of the bit times that a run takes.
    fn bit_times(size: Size) -> ClosedForm;

    /// The closed form of the storage of a node, in bits.
    fn storage_bits(size: Size) -> ClosedForm;

    /// The storage that the design allows a node, in bits: linear in `k` and `D`.
    fn storage_bound(size: Size) -> ClosedForm;

    /// The closed form of the serial adders of a node.
    fn serial_adders(size: Size) -> ClosedForm;

    /// Where the schedule stands.
    fn position(sequencer: &Self::Sequencer<bool>) -> Position;
}

/// The machine of Algorithm 2 on some schedule.
#[derive(Clone, Copy, Debug)]
pub struct KuszmaulRouter<S> {
    dimensions: Dimensions,
    size: Size,
    schedule: PhantomData<S>,
}

impl<S: Schedule> KuszmaulRouter<S> {
    /// For a cube of the given dimensions and messages of `payload_bits`.
    ///
    /// # Errors
    /// [`Error::PayloadBits`] out of range.
    pub fn new(dimensions: Dimensions, payload_bits: usize) -> Result<Self, Error> {
        Ok(KuszmaulRouter {
            dimensions,
            size: Size {
                dimensions: dimensions.count(),
                payload_bits: check_payload_bits(payload_bits)?,
            },
            schedule: PhantomData,
        })
    }

    /// The bound on storage that the design allows, in bits a node.
    pub fn storage_bound(&self) -> ClosedForm {
        S::storage_bound(self.size)
    }

    /// The closed form of the serial adders of a node.
    pub fn serial_adders(&self) -> ClosedForm {
        S::serial_adders(self.size)
    }
}

impl<T: Schedule> Router for KuszmaulRouter<T> {
    type Broadcast<S: Strobe> = T::Broadcast<S>;
    type Node<B: Bit> = T::Node<B>;
    type Sequencer<S: Strobe> = T::Sequencer<S>;

    const STEPS: &'static [&'static str] = T::STEPS;
    const STEPS_OVERLAP: bool = T::STEPS_OVERLAP;

    fn dimensions(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> T::Node<B> {
        T::node(self.size)
    }

    fn sequencer<S: Strobe>(&self) -> T::Sequencer<S> {
        T::sequencer(self.size)
    }

    fn bit_times(&self) -> ClosedForm {
        T::bit_times(self.size)
    }

    fn storage_bits(&self) -> ClosedForm {
        T::storage_bits(self.size)
    }

    fn position(&self, sequencer: &T::Sequencer<bool>) -> Position {
        T::position(sequencer)
    }

    fn occupancy<B: Bit>(
        &self,
        node: &T::Node<B>,
        after: Option<Position>,
        count: &mut impl FnMut(B, u32),
    ) {
        match after {
            None => count(node.first_message().0, self.live_bits_per_message(None)),
            Some(after) => node.occupancy(self.size, after, count),
        }
    }

    /// Iteration `i` consumes address bit `i` in its first bit time.
    fn live_bits_per_message(&self, after: Option<Position>) -> u32 {
        let Size {
            dimensions,
            payload_bits,
        } = self.size;
        match after {
            None => (dimensions + payload_bits) as u32,
            Some(after) => self.size.message_bits(after.iteration) as u32,
        }
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut T::Node<B>,
        port: &mut impl FnMut(Field, usize, &mut B),
    ) {
        let bits = (self.size.dimensions, self.size.payload_bits);
        host_writes(node.first_message_mut(), bits, port);
    }

    fn host_reads<B: Bit>(&self, node: &T::Node<B>, port: &mut impl FnMut(Field, usize, B)) {
        host_reads(node.first_message(), self.size.payload_bits, port);
    }

    fn messages<B: Bit>(&self, node: &T::Node<B>, count: &mut impl FnMut(B)) {
        count(node.first_message().0);
        count(node.has_second());
    }
}

impl<S: Schedule> MessageRouter for KuszmaulRouter<S> {
    fn payload_bits(&self) -> usize {
        self.size.payload_bits
    }
}
