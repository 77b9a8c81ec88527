//! A node of a bitonic sort.
//!
//! ```text
//!                   rx, tx: one wire each way for each dimension
//!                                   |||||||||||||||
//!   +-------------------------------+++++++++++++++------------+
//!   | [held_message: valid]---+     [ comparators ]   settle,  |
//!   |       ^   (first bit)   |      ^ |  ^ |  ^ |    arrival  |
//!   |       |                 v      | v  | v  | v       |     |
//!   |       |         [held_message: a ring of W bits ]  |     |
//!   |       +--------------------------------------------+     |
//!   +----------------------------------------------------------+
//! ```
//!
//! The record stands in the ring from bit 1 on: the destination from its most significant bit, then
//! the payload. The valid bit enters it on the way through comparator 0, so the host has a register
//! of its own for it. Once the last round is over, or the unpacking, the payload is where it was.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::message_buffer::MessageBuffer;
use crate::registers;
use crate::routers::permutation::{MessageNode, Size};
use crate::routers::sorting::bitonic::comparators::{Comparators, Record, record_bits};
use crate::routers::sorting::bitonic::strobes::BitonicStrobes;

/// Registers of a node.
#[derive(Clone, Debug)]
pub struct BitonicNode<B: Bit> {
    pub(super) unpacks: bool,
    pub(super) held_message: MessageBuffer<B>,
    pub(super) sorting: Comparators<B>,
}
registers!(BitonicNode {
    held_message: "the message that the node holds, a ring past all comparators",
    sorting: "a comparator for each dimension; the unpacking's switches",
});

impl<B: Bit> BitonicNode<B> {
    /// A node, all registers 0; the sort may be followed by an unpacking.
    pub fn new(size: Size, unpacks: bool) -> Self {
        BitonicNode {
            unpacks,
            held_message: MessageBuffer::new(record_bits(size)),
            sorting: Comparators::new(size.dimensions),
        }
    }

    #[inline(always)]
    fn record(&self) -> Record<'_, B> {
        Record {
            valid: self.held_message.valid,
            ring: &self.held_message.bits,
        }
    }
}

impl<B: Bit> Node<B> for BitonicNode<B> {
    type Broadcast = BitonicStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        (self.sorting).transmit(&strobes.comparators, self.record(), address, wires);
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        let comparators = &strobes.comparators;
        let head = self.held_message.bits.head();
        let is_message = self.sorting.stage(0).switch.engaged().named("is_message");
        let record = Record {
            valid: self.held_message.valid,
            ring: &self.held_message.bits,
        };
        let outputs = (self.sorting).clock(comparators, record, address, received);
        let at_work = comparators.is_at_work(0);
        let top = B::choose(at_work, || outputs[0], || head).named("ring_in");

        B::when(strobes.shift, &mut self.held_message.bits, |ring| {
            ring.shift_in(top);
            for dimension in comparators.active() {
                let Some(below) = dimension.checked_sub(1) else {
                    continue;
                };
                let at_work = comparators.is_at_work(dimension);
                B::when(at_work, ring, |ring| ring.insert(below, outputs[dimension]));
            }
        });
        B::when(strobes.settle, &mut self.held_message.valid, |valid| {
            *valid = is_message;
        });
        B::when(strobes.arrival, &mut self.held_message.valid, |valid| {
            *valid = outputs[0];
        });
    }
}

impl<B: Bit> MessageNode<B> for BitonicNode<B> {
    fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B)) {
        let MessageBuffer { valid, bits } = &mut self.held_message;
        port(Field::VALID, 0, valid);
        for bit in 0..size.dimensions {
            port(Field::DESTINATION, bit, bits.bit_mut(size.dimensions - bit));
        }
        for bit in 0..size.payload_bits {
            port(Field::PAYLOAD, bit, bits.bit_mut(1 + size.dimensions + bit));
        }
    }

    fn host_reads(&self, size: Size, port: &mut dyn FnMut(Field, usize, B)) {
        port(Field::VALID, 0, self.held_message.valid);
        for bit in 0..size.payload_bits {
            let place = 1 + size.dimensions + bit;
            port(Field::PAYLOAD, bit, self.held_message.bits.bit(place));
        }
    }
}
