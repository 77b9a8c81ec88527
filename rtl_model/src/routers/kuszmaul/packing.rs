//! Packing: any semi-contraction, routed in one pass (Kuszmaul 1990, Theorem 1 and Algorithm 1).
//!
//! ```text
//!   [message]--head--> stage 0 --> stage 1 --> ... --> stage k-1 --+
//!       ^                                                          |
//!       +------------------------ tap D-1 -------------------------+
//! ```
//!
//! A message is its valid bit, its destination (LSB first) and its payload. Every stage consumes
//! one destination bit.
//!
//! ```text
//!   bit time         0      d*2-1   d*2     .. k+d-1+D          2k-1 .. 2k+D-2
//!   stage d                 arm     decide, stream
//!   message arrives                                              |<- payload ->|
//! ```
//!
//! 2k+D-1 bit times.

use crate::closed_form::ClosedForm;
use crate::error::Error;
use crate::language::bit::{Bit, Strobe};
use crate::language::wires::Transmit;
use crate::machine::device::Device;
use crate::machine::host::Field;
use crate::machine::router::{Machine, MessageRouter, Node, Position, Router, Sequencer};
use crate::machine::topology::hypercube::Dimensions;
use crate::parts::counter::Counter;
use crate::parts::dimensions::RowOrder;
use crate::parts::message_buffer::{MessageBuffer, host_reads, host_writes};
use crate::parts::packer::{Directions, Packer, PackerStrobes, Run, Source};
use crate::parts::windows::{Now, SingleRow, Stretch, Window, window};
use crate::registers;
use crate::routers::permutation::Size;
use crate::strobes;
use crate::traffic::check_payload_bits;

/// Messages on the wire of stage `r`, which consumes a header bit in the first bit time (Algorithm 1).
pub const PACKS: Window = window("2r-2 .. m+r-2+D");

/// The machine of Algorithm 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackingRouter {
    dimensions: Dimensions,
    payload_bits: usize,
}

impl PackingRouter {
    /// For a cube of the given dimensions and messages of `payload_bits`.
    ///
    /// # Errors
    /// [`Error::PayloadBits`] out of range.
    pub fn new(dimensions: Dimensions, payload_bits: usize) -> Result<Self, Error> {
        Ok(PackingRouter {
            dimensions,
            payload_bits: check_payload_bits(payload_bits)?,
        })
    }

    fn size(&self) -> Size {
        Size {
            dimensions: self.dimensions.count(),
            payload_bits: self.payload_bits,
        }
    }

    fn last_bit_time(&self) -> usize {
        2 * self.dimensions.count() + self.payload_bits - 1
    }
}

/// A node: one message buffer and a switch stage for each dimension.
#[derive(Clone, Debug)]
pub struct PackingNode<B: Bit> {
    payload_bits: usize,
    message: MessageBuffer<B>,
    packing: Packer<B>,
}
registers!(PackingNode {
    message: "the message: leaves from bit 0, what arrives takes its place",
    packing: "a switch for each dimension, each consumes one destination bit (Algorithm 1)",
});

strobes! {
    /// What the sequencer broadcasts.
    #[derive(Clone, Debug)]
    pub struct PackingStrobes<S> {
        /// The packer's.
        packer: PackerStrobes<S>,
        /// Message bits leave.
        shift: S,
        /// Message bits arrive.
        fill: S,
        /// The valid bit of what arrives.
        arrival: S,
    }
}

impl<B: Bit> PackingNode<B> {
    #[inline]
    fn source(&self) -> Source<B> {
        Source {
            valid: self.message.valid,
            bit: self.message.bits.head(),
        }
    }
}

impl<B: Bit> Node<B> for PackingNode<B> {
    type Broadcast = PackingStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, broadcast: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        self.packing
            .transmit(&broadcast.packer, self.source(), address, wires);
    }

    #[inline]
    fn clock(&mut self, broadcast: &Self::Broadcast, address: &[B], received: &[B]) {
        let source = self.source();
        let delivered = self
            .packing
            .delivered(&broadcast.packer, source, address, received)
            .named("delivered");
        let tap = self.payload_bits - 1;
        B::when(broadcast.shift, &mut self.message.bits, |bits| {
            bits.shift();
            B::when(broadcast.fill, bits, |bits| bits.insert(tap, delivered));
        });
        B::when(broadcast.arrival, &mut self.message.valid, |valid| {
            *valid = delivered;
        });
        self.packing
            .clock(&broadcast.packer, source, address, received);
    }
}

/// Counts bit times and decodes the windows.
#[derive(Clone, Debug)]
pub struct PackingSequencer<B: Bit> {
    router: PackingRouter,
    bit_time: Counter<B>,
}
registers!(PackingSequencer {
    bit_time: "t, bit times since the run began",
});

impl<S: Strobe> Sequencer<S> for PackingSequencer<S> {
    type Broadcast = PackingStrobes<S>;

    fn broadcast(&self, broadcast: &mut Self::Broadcast) {
        let (t, running) = (self.bit_time.number(), !self.is_done());
        let now = SingleRow {
            dimensions: self.router.dimensions.count(),
            payload_bits: self.router.payload_bits,
            during: |stretch: Stretch| running & stretch.has(t),
        };
        broadcast.packer.decode(&[Run::delivering(&now, PACKS)]);
        broadcast.shift = running;
        broadcast.arrival = now.within(PACKS.of_last_stage().begins(0));
        broadcast.fill = now.within(PACKS.of_last_stage().behind_first());
    }

    fn clock(&mut self) {
        let done = self.is_done();
        self.bit_time
            .count_or_set(done, self.router.last_bit_time() as u32);
    }

    fn is_done(&self) -> S {
        self.bit_time
            .number()
            .equals(self.router.last_bit_time() as i64)
    }
}

/// The machine, behind an object.
///
/// # Errors
/// [`Error::PayloadBits`] out of range.
#[inline(never)]
pub fn device(dimensions: Dimensions, payload_bits: usize) -> Result<Box<dyn Device>, Error> {
    Ok(Box::new(PackingRouter::new(dimensions, payload_bits)?))
}

impl Machine for PackingRouter {
    type Topology = Dimensions;
    type Broadcast<S: Strobe> = PackingStrobes<S>;
    type Node<B: Bit> = PackingNode<B>;
    type Sequencer<S: Strobe> = PackingSequencer<S>;

    fn topology(&self) -> Dimensions {
        self.dimensions
    }

    fn node<B: Bit>(&self) -> PackingNode<B> {
        let k = self.dimensions.count();
        PackingNode {
            payload_bits: self.payload_bits,
            message: MessageBuffer::new(k + self.payload_bits),
            packing: Packer::new(0..k, RowOrder::Ascending, Directions::Forward),
        }
    }

    fn sequencer<S: Strobe>(&self) -> PackingSequencer<S> {
        PackingSequencer {
            router: *self,
            bit_time: Counter::new(self.last_bit_time() as u32, 0).named("t"),
        }
    }

    fn host_writes<B: Bit>(
        &self,
        node: &mut PackingNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        let bits = (self.dimensions.count(), self.payload_bits);
        host_writes(&mut node.message, bits, port);
    }

    fn host_reads<B: Bit>(&self, node: &PackingNode<B>, port: &mut dyn FnMut(Field, usize, B)) {
        let message = &node.message;
        host_reads((message.valid, &message.bits), self.payload_bits, port);
    }
}

impl Router for PackingRouter {
    const STEPS: &'static [&'static str] = &["pack"];

    fn bit_times(&self) -> ClosedForm {
        self.size().form("2k+D-1")
    }

    fn driven_bit_times(&self, dimension: usize) -> Option<ClosedForm> {
        let [k, payload] = self.size().letters();
        Some(ClosedForm::of(
            "D+k-d",
            &[k, payload, ("d", dimension as u64)],
        ))
    }

    fn storage_bits(&self) -> ClosedForm {
        self.size().form("5k+D-1")
    }

    fn position(&self, sequencer: &PackingSequencer<bool>) -> Position {
        Position {
            iteration: 0,
            step: 0,
            bit_time: sequencer.bit_time.number().value(),
        }
    }

    /// Destination bits count until a stage consumes them.
    fn occupancy<B: Bit>(
        &self,
        node: &PackingNode<B>,
        after: Option<Position>,
        count: &mut dyn FnMut(B, u32),
    ) {
        let (k, payload) = (self.dimensions.count() as u32, self.payload_bits as u32);
        let packing = &node.packing;
        let Some(Position { bit_time: t, .. }) = after else {
            count(node.message.valid, k + payload);
            return;
        };
        count(
            packing.stage(0).engaged(),
            (k + payload).saturating_sub(t + 1),
        );
        for dimension in 0..k - 1 {
            let (from, to) = (2 * dimension + 1, k + dimension + payload - 1);
            if (from..=to).contains(&t) {
                count(packing.stage(dimension as usize + 1).valid(), 1);
            }
        }
        if t > 2 * k - 2 {
            count(node.message.valid, t - (2 * k - 2));
        }
    }

    /// Every other bit time another destination bit is consumed.
    fn live_bits_per_message(&self, after: Option<Position>) -> Option<u32> {
        let (k, payload) = (self.dimensions.count() as u32, self.payload_bits as u32);
        let consumed = after.map_or(0, |after| after.bit_time / 2 + 1);
        Some(payload + k.saturating_sub(consumed))
    }

    fn messages<B: Bit>(
        &self,
        node: &PackingNode<B>,
        _after: Option<Position>,
        count: &mut dyn FnMut(B),
    ) {
        count(node.message.valid);
    }
}

impl MessageRouter for PackingRouter {
    fn payload_bits(&self) -> usize {
        self.payload_bits
    }
}
