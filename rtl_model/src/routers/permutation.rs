//! A router of partial permutations, whatever its schedule: what all of them have in common,
//! written once.
//!
//! A schedule is a node, a sequencer, what passes between them, and the closed forms that they are
//! held against. Those of Algorithm 2 are in [`crate::routers::kuszmaul`], those that sort in
//! [`crate::routers::sorting`].

use std::marker::PhantomData;

use crate::closed_form::{ClosedForm, Letter};
use crate::error::Error;
use crate::language::bit::{Bit, Strobe};
use crate::language::strobes::Strobes;
use crate::machine::device::Device;
use crate::machine::host::Field;
use crate::machine::router::{
    BufferBounds, Machine, MessageRouter, Node, Position, Promise, Router, Sequencer,
};
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::check_payload_bits;

#[cfg(test)]
mod tests;

/// The size of a machine and of its messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// `k`.
    pub dimensions: usize,
    /// `D`.
    pub payload_bits: usize,
}

impl Size {
    /// Address bits and payload bits of a message.
    pub(crate) fn bits(self) -> (usize, usize) {
        (self.dimensions, self.payload_bits)
    }

    /// `m`: the dimensions that iteration `i` leaves.
    pub fn free_dimensions(self, iteration: u32) -> usize {
        self.dimensions - 1 - iteration as usize
    }

    /// `L`: the message bits that are left once iteration `i` has consumed its own.
    pub fn message_bits(self, iteration: u32) -> usize {
        self.free_dimensions(iteration) + self.payload_bits
    }

    /// The value of a closed form in `k` and `D`.
    ///
    /// # Panics
    /// As [`ClosedForm::of`].
    pub fn form(self, text: &'static str) -> ClosedForm {
        ClosedForm::of(text, &self.letters())
    }

    /// What closed forms are in.
    pub(crate) fn letters(self) -> [Letter<'static>; 2] {
        [
            ("k", self.dimensions as u64),
            ("D", self.payload_bits as u64),
        ]
    }
}

/// The closed forms of a schedule, in `k` and `D`.
#[derive(Clone, Copy, Debug)]
pub struct Forms {
    /// Bit times that a run takes.
    pub bit_times: &'static str,
    /// Bit times in which the wires of a dimension `d` are driven: what ranks exchange. None where nobody has written one down.
    pub driven_bit_times: Option<&'static str>,
    /// Storage of a node, in bits.
    pub storage_bits: &'static str,
    /// Storage that the design allows a node, in bits: linear in `k` and `D`.
    pub storage_bound: &'static str,
    /// Messages that a node holds at the most, whatever the traffic.
    pub messages: &'static str,
    /// Message bits that a node holds at the most, whatever the traffic.
    pub occupied_bits: &'static str,
    /// Serial adders of a node.
    pub serial_adders: &'static str,
}

/// Bits of a stream of `length` that have passed after bit time `t`, if the first passes in `from`.
pub(crate) fn passed(t: u32, from: u32, length: u32) -> u32 {
    (t + 1).saturating_sub(from).min(length)
}

/// What the router needs of a node beyond its wires: for the host.
pub trait MessageNode<B: Bit> {
    /// As [`Machine::host_writes`].
    fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B));
    /// As [`Machine::host_reads`].
    fn host_reads(&self, size: Size, port: &mut dyn FnMut(Field, usize, B));
}

/// What the meters read in a node: registers, of which they change none.
pub trait Metered<B: Bit> {
    /// As [`Router::messages`].
    fn messages(&self, after: Option<Position>, count: &mut dyn FnMut(B));
    /// The live message bits after that bit time, as [`Router::occupancy`].
    fn occupancy(&self, size: Size, after: Position, count: &mut dyn FnMut(B, u32));
}

/// A way to route: which steps happen when, and the hardware that this takes.
pub trait Schedule: Copy + Default + PartialEq + Send + Sync + 'static {
    /// Strobes, over the bit that the sequencer runs on.
    type Broadcast<S: Strobe>: Strobes<S> + Clone + Send + Sync;
    /// The node, over any bit.
    type Node<B: Bit>: Node<B, Broadcast = Self::Broadcast<B::Strobe>>
        + MessageNode<B>
        + Metered<B>
        + Send;
    /// The sequencer, over any bit.
    type Sequencer<S: Strobe>: Sequencer<S, Broadcast = Self::Broadcast<S>> + Clone + Send + Sync;

    /// As [`Router::STEPS`].
    const STEPS: &'static [&'static str];
    /// As [`Router::STEPS_OVERLAP`].
    const STEPS_OVERLAP: bool;
    /// As [`Router::UNITS`].
    const UNITS: &'static [&'static str];
    /// What it is held against.
    const FORMS: Forms;
    /// Whether it carries full permutations only: from every node a message.
    const FULL_ONLY: bool = false;

    /// A node whose registers are all 0.
    fn node<B: Bit>(size: Size) -> Self::Node<B>;

    /// A sequencer about to begin.
    fn sequencer<S: Strobe>(size: Size) -> Self::Sequencer<S>;

    /// Where the schedule stands.
    fn position(sequencer: &Self::Sequencer<bool>) -> Position;

    /// The bits of each message that are live after that bit time. Most schedules are iterations,
    /// of which the `i`-th consumes address bit `i` in its first bit time.
    fn live_bits_per_message(size: Size, after: Position) -> usize {
        size.message_bits(after.iteration)
    }
}

/// The machine of some schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PermutationRouter<S> {
    dimensions: Dimensions,
    size: Size,
    schedule: PhantomData<S>,
}

impl<S: Schedule> PermutationRouter<S> {
    /// For a cube of the given dimensions and messages of `payload_bits`.
    ///
    /// # Errors
    /// [`Error::PayloadBits`] out of range.
    pub fn new(dimensions: Dimensions, payload_bits: usize) -> Result<Self, Error> {
        Ok(PermutationRouter {
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
        self.size.form(S::FORMS.storage_bound)
    }

    /// The closed form of the serial adders of a node.
    pub fn serial_adders(&self) -> ClosedForm {
        self.size.form(S::FORMS.serial_adders)
    }

    /// Those of each message.
    fn live_bits(&self, after: Option<Position>) -> u32 {
        let live = match after {
            None => self.size.dimensions + self.size.payload_bits,
            Some(after) => S::live_bits_per_message(self.size, after),
        };
        live as u32
    }
}

/// A schedule behind an object: what is asked of it by those who have it from a list.
pub trait AnySchedule: Sync {
    /// The machine of this schedule.
    ///
    /// # Errors
    /// [`Error::PayloadBits`] out of range.
    fn device(&self, dimensions: Dimensions, payload_bits: usize)
    -> Result<Box<dyn Device>, Error>;

    /// Whether it carries full permutations only: from every node a message.
    fn is_full_only(&self) -> bool;

    /// As [`Schedule::FORMS`].
    fn forms(&self) -> Forms;
}

impl<S: Schedule> AnySchedule for S {
    fn device(
        &self,
        dimensions: Dimensions,
        payload_bits: usize,
    ) -> Result<Box<dyn Device>, Error> {
        let router = PermutationRouter::<S>::new(dimensions, payload_bits)?;
        Ok(Box::new(router))
    }

    fn is_full_only(&self) -> bool {
        S::FULL_ONLY
    }

    fn forms(&self) -> Forms {
        S::FORMS
    }
}

impl<T: Schedule> Machine for PermutationRouter<T> {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = T::Broadcast<S>;
    type Node<B: Bit> = T::Node<B>;
    type Sequencer<S: Strobe> = T::Sequencer<S>;

    fn topology(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> T::Node<B> {
        T::node(self.size)
    }

    fn sequencer<S: Strobe>(&self) -> T::Sequencer<S> {
        T::sequencer(self.size)
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut T::Node<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        node.host_writes(self.size, port);
    }

    fn host_reads<B: Bit>(&self, node: &T::Node<B>, port: &mut dyn FnMut(Field, usize, B)) {
        node.host_reads(self.size, port);
    }
}

impl<T: Schedule> Router for PermutationRouter<T> {
    const STEPS: &'static [&'static str] = T::STEPS;
    const STEPS_OVERLAP: bool = T::STEPS_OVERLAP;
    const UNITS: &'static [&'static str] = T::UNITS;

    fn bit_times(&self) -> ClosedForm {
        self.size.form(T::FORMS.bit_times)
    }

    fn driven_bit_times(&self, dimension: usize) -> Option<ClosedForm> {
        let [k, payload] = self.size.letters();
        let letters = [k, payload, ("d", dimension as u64)];
        Some(ClosedForm::of(T::FORMS.driven_bit_times?, &letters))
    }

    fn storage_bits(&self) -> ClosedForm {
        self.size.form(T::FORMS.storage_bits)
    }

    fn buffer_bounds(&self) -> Option<BufferBounds> {
        Some(BufferBounds {
            messages: self.size.form(T::FORMS.messages),
            occupied_bits: self.size.form(T::FORMS.occupied_bits),
        })
    }

    fn position(&self, sequencer: &T::Sequencer<bool>) -> Position {
        T::position(sequencer)
    }

    fn occupancy<B: Bit>(
        &self,
        node: &T::Node<B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        match after {
            None => node.messages(None, &mut |flag| {
                count(flag, self.live_bits(None));
            }),
            Some(after) => node.occupancy(self.size, after, count),
        }
    }

    fn promise(&self) -> Option<Promise> {
        Some(Promise {
            most_messages: Some(self.size.form(T::FORMS.messages).value as u32),
            full_only: T::FULL_ONLY,
            in_order: true,
        })
    }

    fn live_bits_per_message(&self, after: Option<Position>) -> Option<u32> {
        Some(self.live_bits(after))
    }

    fn messages<B: Bit>(
        &self,
        node: &T::Node<B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        node.messages(after, count);
    }
}

impl<S: Schedule> MessageRouter for PermutationRouter<S> {
    fn payload_bits(&self) -> usize {
        self.size.payload_bits
    }
}
