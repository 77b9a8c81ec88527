//! A node of a radix sort.
//!
//! ```text
//!                   rx, tx: one wire each way for each dimension
//!                            |||||||||||||||
//!   +------------------------+++++++++++++++-------------------------------+
//!   |            (zero?)-->[enumeration]--> rank r --+---------+           |
//!   |               ^                    x-r <--[subtraction]  |           |
//!   |   [key] ------+                     |  own address x     | zero      |
//!   |     ^         |                     +---(not)---(other)--(mux)       |
//!   |     |    [held_message]--> valid, bits ----------------> [packing]   |
//!   |     +--------- ^                                             |       |
//!   |                +---------------------------------------------+       |
//!   +----------------------------------------------------------------------+
//! ```
//!
//! The message stands with its destination's most significant bit first. The next key is taken from
//! what the packing brings; the first from where the host has written it.
//!
//! A difference is a sum: `x-r = x + (not r) + 1`, from a carry that stands at 1.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, Results};
use crate::parts::message_buffer::MessageBuffer;
use crate::parts::packer::{Directions, Packer, Source};
use crate::parts::serial_adder::SerialAdder;
use crate::registers;
use crate::routers::permutation::{MessageNode, Size};
use crate::routers::sorting::radix::strobes::RadixStrobes;

/// Registers of a node.
#[derive(Clone, Debug)]
pub struct RadixNode<B: Bit> {
    dimensions: usize,
    pub(super) unpacks: bool,
    pub(super) held_message: MessageBuffer<B>,
    /// A cube of one dimension has no second key.
    key: Option<B>,
    enumeration: Enumerator<B>,
    /// There, nothing is carried.
    subtraction: Option<SerialAdder<B>>,
    pub(super) packing: Packer<B>,
}
registers!(RadixNode {
    held_message: "the message that the node holds; the one that a packing brings",
    key: "the key bit of the pass: two destination bits, added",
    enumeration: "numbers the messages whose key bit is 0 (Theorem 2)",
    subtraction: "the others' numbers: the node's less those before it",
    packing: "packs all messages (Algorithm 1); unpacks them backwards",
});

impl<B: Bit> RadixNode<B> {
    /// A node, all registers 0; the sort may be followed by an unpacking.
    pub fn new(size: Size, unpacks: bool) -> Self {
        let k = size.dimensions;
        let several = k > 1;
        let directions = match unpacks {
            true => Directions::Either,
            false => Directions::Forward,
        };
        let results = Results {
            rank_bits: 1,
            total_bits: 0,
        };
        RadixNode {
            dimensions: k,
            unpacks,
            held_message: MessageBuffer::new(k + size.payload_bits),
            key: several.then_some(B::ZERO),
            enumeration: Enumerator::new(0..k, RowOrder::Ascending, results),
            subtraction: several.then(SerialAdder::new),
            packing: Packer::new(0..k, RowOrder::Ascending, directions),
        }
    }

    /// There is a message, and its key bit is 0; in the last pass, there is one.
    #[inline(always)]
    fn is_zero(&self, strobes: &RadixStrobes<B::Strobe>) -> B {
        let MessageBuffer { valid, bits } = &self.held_message;
        let loaded = || {
            let place = self.dimensions - 1;
            let higher = |place: usize| bits.bit(place - 1);
            let above = if place > 0 { higher(place) } else { B::ZERO };
            (bits.bit(place) ^ above).named("key_loaded")
        };
        let held = || self.key.unwrap_or(B::ZERO);
        let key = B::choose(strobes.first, loaded, held).named("key_now");
        let by_key = || *valid & !key;
        B::choose(strobes.compacts, || *valid, by_key).named("is_zero")
    }

    /// What is added up to the number of others below this node: its address, and what is not a
    /// rank bit.
    #[inline(always)]
    fn addends(&self, strobes: &RadixStrobes<B::Strobe>, address: &[B]) -> (B, B) {
        let rank = self.enumeration.rank().head();
        let own = strobes.header_bit.select(|bit| address[bit]);
        let own = own.named("own_number_bit");
        (
            B::choose(strobes.header_prepares, || B::ONE, || own).named("minuend"),
            B::choose(strobes.header_prepares, || B::ONE, || !rank).named("subtrahend_not"),
        )
    }

    /// This bit of the node that the message is sent to.
    #[inline(always)]
    fn header(&self, strobes: &RadixStrobes<B::Strobe>, address: &[B]) -> B {
        let rank = self.enumeration.rank().head();
        let (own, not_rank) = self.addends(strobes, address);
        let others = match &self.subtraction {
            Some(adder) => B::within("subtraction", || adder.sum(own, not_rank)),
            None => !(own ^ not_rank),
        };
        let is_zero = self.is_zero(strobes);
        is_zero.mux(rank, !others).named("header_bit_out")
    }

    /// What the row's first stage receives: header bits, then the message.
    #[inline(always)]
    fn source(&self, strobes: &RadixStrobes<B::Strobe>, address: &[B]) -> Source<B> {
        let MessageBuffer { valid, bits } = &self.held_message;
        let header = || self.header(strobes, address);
        let bit = B::choose(strobes.header, header, || bits.head());
        Source {
            valid: *valid,
            bit: bit.named("source_bit"),
        }
    }

    /// Of the zeros, where they are being counted.
    #[inline(always)]
    fn member(&self, strobes: &RadixStrobes<B::Strobe>) -> B {
        let counts = strobes.enumerator.drive.line(0);
        B::gated(counts, || self.is_zero(strobes))
    }
}

impl<B: Bit> Node<B> for RadixNode<B> {
    type Broadcast = RadixStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let member = self.member(strobes);
        (self.enumeration).transmit(&strobes.enumerator, member, wires);
        let source = self.source(strobes, address);
        (self.packing).transmit(&strobes.packer, source, address, wires);
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        let member = self.member(strobes);
        let source = self.source(strobes, address);
        let addends = self.addends(strobes, address);
        let delivered = (self.packing)
            .delivered(&strobes.packer, source, address, received)
            .named("delivered");

        B::when(strobes.arrival, &mut self.held_message.valid, |valid| {
            *valid = delivered;
        });
        B::when(strobes.shift, &mut self.held_message.bits, |bits| {
            bits.shift_in(delivered);
        });
        if let Some(key) = &mut self.key {
            let (before, has_higher) = (*key, strobes.key_has_higher);
            B::when(strobes.key_begins, key, |key| {
                *key = B::gated(has_higher, || delivered);
            });
            B::when(strobes.key_ends, key, |key| *key = before ^ delivered);
        }
        if let Some(adder) = &mut self.subtraction {
            let adds = strobes.header | strobes.header_prepares;
            B::when(adds, adder, |adder| {
                B::within("subtraction", || adder.clock(addends.0, addends.1));
            });
        }
        (self.enumeration).clock(&strobes.enumerator, member, address, received);
        (self.packing).clock(&strobes.packer, source, address, received);
    }
}

impl<B: Bit> MessageNode<B> for RadixNode<B> {
    fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B)) {
        let MessageBuffer { valid, bits } = &mut self.held_message;
        port(Field::VALID, 0, valid);
        for bit in 0..size.dimensions {
            let place = size.dimensions - 1 - bit;
            port(Field::DESTINATION, bit, bits.bit_mut(place));
        }
        for bit in 0..size.payload_bits {
            port(Field::PAYLOAD, bit, bits.bit_mut(size.dimensions + bit));
        }
    }

    fn host_reads(&self, size: Size, port: &mut dyn FnMut(Field, usize, B)) {
        port(Field::VALID, 0, self.held_message.valid);
        for bit in 0..size.payload_bits {
            let place = size.dimensions + bit;
            port(Field::PAYLOAD, bit, self.held_message.bits.bit(place));
        }
    }
}
