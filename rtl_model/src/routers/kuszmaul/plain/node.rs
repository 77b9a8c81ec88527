//! A node of Algorithm 2.
//!
//! ```text
//!                     rx, tx: one wire each way for each dimension
//!                              |||||||||||||||
//!   +--------------------------+++++++++++++++-------------------------------+
//!   | [first_message ]<--> [exchange]                  step 1                |
//!   | [second_message]---+                                                   |
//!   |     valid bits -->[enumeration]--> rank --+      steps 2, 4            |
//!   |                    |                      v                            |
//!   |      second message or own address -->[packing]  steps 3, 5, 6         |
//!   |                                        |   ^                           |
//!   |        [second_message], [rendezvous]<-+   +-- rendezvous: header of 6 |
//!   +------------------------------------------------------------------------+
//! ```
//!
//! What a node holds of a message is shifted in every node alike; whether it is worth anything is
//! up to the valid bits. A message that stays while others stream circulates in its own buffer.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, Results};
use crate::parts::exchange::Exchange;
use crate::parts::message_buffer::{MessageBuffer, host_reads, host_writes};
use crate::parts::packer::{Directions, Packer, Source};
use crate::parts::shift_register::ShiftRegister;
use crate::registers;
use crate::routers::kuszmaul::plain::strobes::PlainStrobes;
use crate::routers::permutation::{MessageNode, Size};

/// Registers of a node. Steps 2 to 6 never use dimension 0, so scan and switch begin at dimension
/// 1.
#[derive(Clone, Debug)]
pub struct PlainNode<B: Bit> {
    size: Size,
    /// The message that a node keeps.
    pub(super) first_message: MessageBuffer<B>,
    /// The message that a node with two sends on, and the one it then holds for somebody else.
    /// A cube of one dimension has none: every message is at home after step 1.
    pub(super) second_message: Option<MessageBuffer<B>>,
    pub(super) exchange: Exchange<B>,
    pub(super) enumeration: Enumerator<B>,
    pub(super) packing: Packer<B>,
    /// The address of an empty node, as it came in step 5; a stack, because step 6 consumes it from
    /// its most significant bit.
    pub(super) rendezvous: ShiftRegister<B>,
}
registers!(PlainNode {
    first_message: "the message that a node keeps; step 1 exchanges it, step 6 fills it",
    second_message: "a message too many: sent on in step 3; then the one held for an empty node, sent in step 6",
    exchange: "step 1: the message leaves or stays; step 6: nothing arrives, so it stays",
    enumeration: "step 2 numbers nodes with two messages, step 4 empty ones (Theorem 2)",
    packing: "step 3 packs messages, step 5 addresses, step 6 runs backwards (Algorithm 1)",
    rendezvous: "the address of an empty node: comes in step 5, header of step 6, last bit first",
});

impl<B: Bit> PlainNode<B> {
    /// A node, all registers 0.
    pub fn new(size: Size) -> Self {
        let Size {
            dimensions,
            payload_bits,
        } = size;
        let subcube = 1..dimensions;
        PlainNode {
            size,
            first_message: MessageBuffer::new(dimensions + payload_bits),
            second_message: (!subcube.is_empty())
                .then(|| MessageBuffer::new(subcube.len() + payload_bits)),
            exchange: Exchange::new(),
            enumeration: Enumerator::new(
                subcube.clone(),
                RowOrder::Ascending,
                Results {
                    rank_bits: subcube.len(),
                    total_bits: 0,
                },
            ),
            packing: Packer::new(subcube.clone(), RowOrder::Ascending, Directions::Either),
            rendezvous: ShiftRegister::new(subcube.len()),
        }
    }

    /// The position at which the last of the `L` message bits of iteration `i` enters.
    fn message_tap(&self) -> impl Fn(usize) -> usize + use<B> {
        let size = self.size;
        move |iteration| size.message_bits(iteration as u32) - 1
    }

    /// The set that is enumerated and packed: empty nodes in steps 4 and 5, nodes with two messages
    /// (in step 6: with a message for somebody else) otherwise.
    #[inline]
    fn selected(&self, strobes: &PlainStrobes<B::Strobe>) -> B {
        B::choose(
            strobes.empties,
            || !self.first_message.valid,
            || self.has_second(),
        )
        .named("selected")
    }

    /// What the first stage of a packing receives: header bits, then the body.
    #[inline]
    fn source(&self, strobes: &PlainStrobes<B::Strobe>, address: &[B]) -> Source<B> {
        let rank = || self.enumeration.rank().head();
        let second = || {
            self.second_message
                .as_ref()
                .map_or(B::ZERO, |second| second.bits.head())
        };
        let bit = B::gated(strobes.enumerator.rank_drain, rank)
            | B::gated(strobes.rendezvous_pop, || self.rendezvous.head())
            | B::gated(strobes.send_second, second)
            | strobes.send_address.select(|dimension| address[dimension]);
        Source {
            valid: self.selected(strobes),
            bit: bit.named("source_bit"),
        }
    }

    /// 1 where there is a second message.
    #[inline]
    pub(super) fn has_second(&self) -> B {
        (self.second_message.as_ref()).map_or(B::ZERO, |second| second.valid)
    }
}

impl<B: Bit> Node<B> for PlainNode<B> {
    type Broadcast = PlainStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let message = &self.first_message;
        self.exchange.transmit(
            &strobes.exchange,
            strobes.exchange_decide,
            (message.valid, message.bits.head()),
            address,
            wires,
        );
        self.enumeration
            .transmit(&strobes.enumerator, self.selected(strobes), wires);
        self.packing.transmit(
            &strobes.packer,
            self.source(strobes, address),
            address,
            wires,
        );
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        // What the registers hold before this clock edge.
        let head = self.first_message.bits.head();
        let selected = self.selected(strobes);
        let source = self.source(strobes, address);
        let exchanged = strobes
            .exchange
            .select(|dimension| received[dimension])
            .named("exchanged");
        let delivered = self
            .packing
            .delivered(&strobes.packer, source, address, received)
            .named("delivered");
        let arriving = (exchanged | delivered).named("arriving");
        let valid = self.first_message.valid;
        let staying = self.exchange.staying();
        let tap = self.message_tap();

        B::when(strobes.exchange_decide, self, |node| {
            let own = strobes
                .exchange
                .select(|dimension| address[dimension])
                .named("exchange_address_bit");
            let stays = Exchange::stays(valid, head, own);
            node.exchange.decide(valid, head, own);
            node.first_message.valid = stays | arriving;
            if let Some(second) = &mut node.second_message {
                second.valid = stays & arriving;
            }
        });
        B::when(strobes.first_arrival, self, |node| {
            node.exchange.make_way_for(arriving);
            node.first_message.valid = valid | arriving;
            if let Some(second) = &mut node.second_message {
                second.valid = B::ZERO;
            }
        });
        B::when(strobes.first_shift, &mut self.first_message.bits, |bits| {
            bits.shift();
            B::when(strobes.first_fill, bits, |bits| {
                let bit = staying.mux(head, arriving).named("first_message_in");
                bits.insert_at_tap(&strobes.message_tap, &tap, bit);
            });
        });
        if let Some(second) = &mut self.second_message {
            B::when(strobes.second_arrival, &mut second.valid, |valid| {
                *valid = arriving;
            });
            B::when(strobes.second_shift, &mut second.bits, |bits| {
                bits.shift();
                B::when(strobes.second_fill, bits, |bits| {
                    bits.insert_at_tap(&strobes.message_tap, &tap, arriving);
                });
            });
        }
        let (push, pop) = (strobes.rendezvous_push, strobes.rendezvous_pop);
        B::when(push, &mut self.rendezvous, |stack| stack.push(arriving));
        let shift = (pop & !push).named("rendezvous_shift");
        B::when(shift, &mut self.rendezvous, ShiftRegister::shift);

        self.enumeration
            .clock(&strobes.enumerator, selected, address, received);
        self.packing
            .clock(&strobes.packer, source, address, received);
    }
}

impl<B: Bit> MessageNode<B> for PlainNode<B> {
    fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B)) {
        host_writes(&mut self.first_message, size.bits(), port);
    }

    fn host_reads(&self, size: Size, port: &mut dyn FnMut(Field, usize, B)) {
        let MessageBuffer { valid, bits } = &self.first_message;
        host_reads((*valid, bits), size.payload_bits, port);
    }
}
