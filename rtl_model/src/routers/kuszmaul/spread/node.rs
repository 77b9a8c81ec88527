//! A node of schedule `spread`.
//!
//! ```text
//!                     rx, tx: one wire each way for each dimension
//!                              |||||||||||||||
//!   +--------------------------+++++++++++++++---------------------------------+
//!   | [first_message ]<--> [exchange]                            cross         |
//!   | [second_message]---+                                                     |
//!   |     0, 1 or 2 messages -->[enumeration]--> rank --+------+ enumerate     |
//!   |                                                   v   (+1, if there is   |
//!   |     first message -----------------> track 0 of [packing]   a first) |   |
//!   |     second message ----------------> track 1 of [packing]<-----------+   |
//!   | [first_message]<---------------------------------+                       |
//!   +--------------------------------------------------------------------------+
//! ```
//!
//! Messages are sent on from bit time `2m+1` of an iteration, while long ones are still being
//! exchanged. So the second buffer is a delay line: bits enter `2m` places above its head. And the
//! first message, if it stays, must not move before: it is not shifted out in step 1 but read where
//! it stands, by a position that moves on with the bit times, until bit time `2m` and from then on
//! with everything else.
//!
//! What the packing delivers begins to arrive before the messages that it takes are gone: `D`
//! places above the head is just behind the last of them. And it ends after the next iteration has
//! begun: these bits are written where they stand, one place higher each.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, Results};
use crate::parts::exchange::Exchange;
use crate::parts::message_buffer::{MessageBuffer, host_reads, host_writes};
use crate::registers;
use crate::routers::kuszmaul::spread::strobes::SpreadStrobes;
use crate::routers::kuszmaul::spread::track_packer::TrackPacker;
use crate::routers::kuszmaul::spread::track_switch::{PerTrack, TrackIncoming};
use crate::routers::permutation::{MessageNode, Size};

/// Positions of the first message's buffer that step 1 may read, from the head on: it is never farther than 2m places above
/// the head.
pub(super) fn positions_read(size: Size) -> usize {
    (2 * size.dimensions - 1).min(size.dimensions + size.payload_bits)
}

/// Registers of a node. Enumeration and packing never use dimension 0.
#[derive(Clone, Debug)]
pub struct SpreadNode<B: Bit> {
    size: Size,
    pub(super) first_message: MessageBuffer<B>,
    /// A cube of one dimension has none: every message is at home after step 1.
    pub(super) second_message: Option<MessageBuffer<B>>,
    pub(super) exchange: Exchange<B>,
    enumeration: Enumerator<B>,
    increment: Option<B>,
    pub(super) packing: TrackPacker<B>,
}
registers!(SpreadNode {
    first_message: "the message that stays in step 1; the one that the packing delivers",
    second_message: "the message that step 1 brings",
    exchange: "step 1: the message leaves or stays",
    enumeration: "numbers messages (Theorem 2, with 0, 1 or 2 members a node)",
    increment: "carry: the second message's rank is one more, where there is a first",
    packing: "packs all messages, on two tracks (Algorithm 1)",
});

impl<B: Bit> SpreadNode<B> {
    /// A node, all registers 0.
    pub fn new(size: Size) -> Self {
        let Size {
            dimensions,
            payload_bits,
        } = size;
        let subcube = 1..dimensions;
        let is_alone = subcube.is_empty();
        // No more of a message is waiting at any time than what comes in 2m bit times.
        let waiting = (dimensions - 1 + payload_bits).min(2 * subcube.len());
        SpreadNode {
            size,
            first_message: MessageBuffer::new(dimensions + payload_bits),
            second_message: (!is_alone).then(|| MessageBuffer::new(waiting)),
            exchange: Exchange::new(),
            enumeration: Enumerator::new(
                subcube.clone(),
                RowOrder::Ascending,
                Results {
                    rank_bits: usize::from(!is_alone),
                    total_bits: 0,
                },
            ),
            increment: (!is_alone).then_some(B::ZERO),
            packing: TrackPacker::new(subcube),
        }
    }

    /// The bit of the first message that step 1 is at.
    #[inline]
    fn read(&self, strobes: &SpreadStrobes<B::Strobe>) -> B {
        let bits = &self.first_message.bits;
        let read = strobes
            .read_at
            .index(positions_read(self.size), |position| bits.bit(position));
        read.named("read_bit")
    }

    /// The number of messages, lowest bit first.
    #[inline]
    fn count(&self, strobes: &SpreadStrobes<B::Strobe>) -> B {
        let (first, second) = (self.first_message.valid, self.has_second());
        B::choose(strobes.count_of_two, || first & second, || first ^ second).named("count_bit")
    }

    /// What is added to the rank for the second message: 1, where there is a first.
    #[inline]
    fn carry_in(&self, strobes: &SpreadStrobes<B::Strobe>) -> B {
        B::choose(
            strobes.header_begins,
            || self.first_message.valid,
            || self.increment.unwrap_or(B::ZERO),
        )
        .named("increment_in")
    }

    /// What the first stage of the packing receives: header bits, then the messages.
    #[inline]
    fn source(&self, strobes: &SpreadStrobes<B::Strobe>) -> TrackIncoming<B> {
        let rank = self.enumeration.rank().head();
        let second = || (self.second_message.as_ref()).map_or(B::ZERO, |second| second.bits.head());
        let (header, head) = (strobes.header, self.first_message.bits.head());
        let bit_0 = B::choose(header, || rank, || head);
        let bit_1 = B::choose(header, || rank ^ self.carry_in(strobes), second);
        TrackIncoming {
            valid: PerTrack {
                track_0: self.first_message.valid,
                track_1: self.has_second(),
            },
            bit: PerTrack {
                track_0: bit_0.named("source_bit_0"),
                track_1: bit_1.named("source_bit_1"),
            },
        }
    }

    /// 1 where there is a second message.
    #[inline]
    pub(super) fn has_second(&self) -> B {
        (self.second_message.as_ref()).map_or(B::ZERO, |second| second.valid)
    }
}

impl<B: Bit> Node<B> for SpreadNode<B> {
    type Broadcast = SpreadStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        self.exchange.transmit(
            &strobes.exchange,
            strobes.exchange_decide,
            (self.first_message.valid, self.read(strobes)),
            address,
            wires,
        );
        self.enumeration
            .transmit(&strobes.enumerator, self.count(strobes), wires);
        self.packing
            .transmit(&strobes.packer, self.source(strobes), address, wires);
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        // What the registers hold before this clock edge.
        let (valid, head) = (self.first_message.valid, self.first_message.bits.head());
        let (read, count) = (self.read(strobes), self.count(strobes));
        let source = self.source(strobes);
        let increment = self.enumeration.rank().head() & self.carry_in(strobes);
        let exchanged = strobes
            .exchange
            .select(|dimension| received[dimension])
            .named("exchanged");
        let delivered = self
            .packing
            .delivered(&strobes.packer, source, address, received)
            .named("delivered");
        let home = self.exchange.staying().mux(head, exchanged).named("home");
        let payload_bits = self.size.payload_bits;

        B::when(strobes.exchange_decide, self, |node| {
            let own = strobes
                .exchange
                .select(|dimension| address[dimension])
                .named("exchange_address_bit");
            node.exchange.decide(valid, read, own);
            let stays = Exchange::stays(valid, read, own);
            node.first_message.valid = stays | B::gated(strobes.is_last, || exchanged);
            if let Some(second) = &mut node.second_message {
                second.valid = B::gated(!strobes.is_last, || exchanged);
            }
        });
        B::when(strobes.first_arrival, self, |node| {
            node.first_message.valid = delivered;
            if let Some(second) = &mut node.second_message {
                second.valid = B::ZERO;
            }
        });
        B::when(strobes.first_shift, &mut self.first_message.bits, |bits| {
            bits.shift();
            B::when(strobes.first_fill, bits, |bits| {
                bits.insert(payload_bits, delivered);
            });
            B::when(strobes.first_home, bits, |bits| {
                bits.insert(payload_bits - 1, home);
            });
        });
        let above = |bit_time| payload_bits + 1 + bit_time;
        // These places take what comes or else what they hold after the shift: so they are read
        // here.
        for (bit_time, strobe) in strobes.first_tail.iter() {
            let place = above(bit_time);
            let shifted = self.first_message.bits.bit(place);
            let shifted = || shifted.named(format_args!("first_message_{place}_shifted"));
            let bit = B::choose(strobe, || delivered, shifted);
            self.first_message.bits.insert(place, bit);
        }
        if let Some(second) = &mut self.second_message {
            let size = self.size;
            let delay = |iteration: usize| {
                let waits = 2 * size.free_dimensions(iteration as u32);
                size.message_bits(iteration as u32).min(waits) - 1
            };
            B::when(strobes.second_shift, &mut second.bits, |bits| {
                bits.shift();
                bits.insert_at_tap(&strobes.second_fill, delay, exchanged);
            });
        }
        if let Some(carry) = &mut self.increment {
            B::when(strobes.header, carry, |carry| *carry = increment);
        }
        self.enumeration
            .clock(&strobes.enumerator, count, address, received);
        self.packing
            .clock(&strobes.packer, source, address, received);
    }
}

impl<B: Bit> MessageNode<B> for SpreadNode<B> {
    fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B)) {
        host_writes(&mut self.first_message, size.bits(), port);
    }

    fn host_reads(&self, size: Size, port: &mut dyn FnMut(Field, usize, B)) {
        let MessageBuffer { valid, bits } = &self.first_message;
        host_reads((*valid, bits), size.payload_bits, port);
    }
}
