//! A node of Algorithm 2 whose steps overlap, and whose switches hold the circuits of step 5 for
//! step 6.
//!
//! ```text
//!                     rx, tx: one wire each way for each dimension
//!                              |||||||||||||||
//!   +--------------------------+++++++++++++++-----------------------------+
//!   | [first_message ]<--> [exchange]                    step 1            |
//!   | [second_message]---+                                                 |
//!   |     valid bits -->[enumeration]--> rank --+        steps 4, 2        |
//!   |                                           v                          |
//!   |  nothing, or second message ---------->[packing]   steps 5, 3        |
//!   |  [second_message]<--------------------------+ : settings of step 5   |
//!   |        +------------------------------->[circuits] step 6            |
//!   | [first_message]<----------------------------+                        |
//!   +----------------------------------------------------------------------+
//! ```
//!
//! Step 5 sends headers without a body. The switches that a header passes keep where it came from,
//! so no address has to be sent or stored. A rank is used while it is being
//! counted, so no node stores one either: it passes through two flip-flops.
//!
//! The second buffer is a delay line for the messages of step 1. They enter it where they will be
//! at its head when step 3 begins to send, `3m` places above it or at the top of what is left,
//! whichever is lower. The messages of step 3 come in above them, at the top, from bit time `4m+1`
//! on, while a long message of step 1 may still come in below and go out at the head.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::host::Field;
use crate::machine::router::Node;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, Results};
use crate::parts::exchange::Exchange;
use crate::parts::message_buffer::{MessageBuffer, host_reads, host_writes};
use crate::parts::packer::{Directions, Packer, Source};
use crate::registers;
use crate::routers::kuszmaul::held::circuits::Circuits;
use crate::routers::kuszmaul::held::home_buffer::HomeBuffer;
use crate::routers::kuszmaul::held::strobes::HeldStrobes;
use crate::routers::permutation::{MessageNode, Size};

/// Flip-flops that a rank bit passes through: a packing begins two bit times after its rank's first
/// bit was counted, one later than it could, so that its wires are free.
const RANK_BITS: usize = 2;

/// Registers of a node. Steps 2 to 6 never use dimension 0.
#[derive(Clone, Debug)]
pub struct HeldNode<B: Bit> {
    size: Size,
    pub(super) order: RowOrder,
    pub(super) first_message: HomeBuffer<B>,
    /// A cube of one dimension has none: every message is at home after step 1.
    pub(super) second_message: Option<MessageBuffer<B>>,
    pub(super) exchange: Exchange<B>,
    enumeration: Enumerator<B>,
    pub(super) packing: Packer<B>,
    pub(super) circuits: Circuits<B>,
}
registers!(HeldNode {
    first_message: "the message that a node keeps; step 1 exchanges it, step 6 fills it",
    second_message: "a message too many: sent on in step 3; then the one held for an empty node, sent in step 6",
    exchange: "step 1: the message leaves or stays",
    enumeration: "step 4 numbers empty nodes, step 2 nodes with two messages (Theorem 2)",
    packing: "step 5 packs headers, step 3 messages (Algorithm 1)",
    circuits: "the switches as step 5 set them: the path back in step 6",
});

impl<B: Bit> HeldNode<B> {
    /// A node, all registers 0. Where the row is folded, step 6 ends while the next iteration
    /// begins, and the first message's buffer has a seam for that.
    pub fn new(size: Size, order: RowOrder) -> Self {
        let Size {
            dimensions,
            payload_bits,
        } = size;
        let subcube = 1..dimensions;
        let (width, is_alone) = (dimensions + payload_bits, subcube.is_empty());
        HeldNode {
            size,
            order,
            first_message: match order {
                RowOrder::Folded if !is_alone => HomeBuffer::in_two_parts(width, payload_bits + 1),
                _ => HomeBuffer::whole(width, !is_alone),
            },
            second_message: (!is_alone).then(|| MessageBuffer::new(width - 1)),
            exchange: Exchange::new(),
            enumeration: Enumerator::new(
                subcube.clone(),
                order,
                Results {
                    rank_bits: if is_alone { 0 } else { RANK_BITS },
                    total_bits: 0,
                },
            ),
            packing: Packer::new(subcube.clone(), order, Directions::ForwardAndReturning),
            circuits: Circuits::new(subcube, order),
        }
    }

    #[inline]
    fn second_bit(&self) -> B {
        (self.second_message.as_ref()).map_or(B::ZERO, |second| second.bits.head())
    }

    /// An empty node where `empties` is 1, otherwise one with two messages.
    #[inline]
    fn selected(&self, empties: B::Strobe) -> B {
        B::choose(empties, || !self.first_message.valid, || self.has_second())
    }

    #[inline]
    fn member(&self, strobes: &HeldStrobes<B::Strobe>) -> B {
        self.selected(strobes.enumerate_empties).named("member")
    }

    /// What the first stage of a packing receives: header bits, then the second message.
    #[inline]
    fn source(&self, strobes: &HeldStrobes<B::Strobe>) -> Source<B> {
        let rank = || self.enumeration.rank().head();
        let bit = B::choose(strobes.header, rank, || self.second_bit());
        Source {
            valid: self.selected(strobes.pack_empties).named("source_valid"),
            bit: bit.named("source_bit"),
        }
    }

    /// What the way back begins with: the valid bit, then the second message.
    #[inline]
    fn returning(&self, strobes: &HeldStrobes<B::Strobe>) -> B {
        let valid = || self.has_second();
        B::choose(strobes.returns, valid, || self.second_bit()).named("returning")
    }

    /// 1 where there is a second message.
    #[inline]
    pub(super) fn has_second(&self) -> B {
        (self.second_message.as_ref()).map_or(B::ZERO, |second| second.valid)
    }
}

impl<B: Bit> Node<B> for HeldNode<B> {
    type Broadcast = HeldStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        let message = &self.first_message;
        self.exchange.transmit(
            &strobes.exchange,
            strobes.exchange_decide,
            (message.valid, message.head()),
            address,
            wires,
        );
        self.enumeration
            .transmit(&strobes.enumerator, self.member(strobes), wires);
        self.packing
            .transmit(&strobes.packer, self.source(strobes), address, wires);
        self.circuits.transmit(
            &strobes.circuits,
            &self.packing,
            self.returning(strobes),
            wires,
        );
    }

    #[inline]
    fn clock(&mut self, strobes: &Self::Broadcast, address: &[B], received: &[B]) {
        // What the registers hold before this clock edge.
        let (valid, head) = (self.first_message.valid, self.first_message.head());
        let (member, source) = (self.member(strobes), self.source(strobes));
        let returning = self.returning(strobes);
        let exchanged = strobes
            .exchange
            .select(|dimension| received[dimension])
            .named("exchanged");
        let delivered = self
            .packing
            .delivered(&strobes.packer, source, address, received)
            .named("delivered");
        let returned = self
            .circuits
            .delivered(&strobes.circuits, &self.packing, returning, received)
            .named("returned");
        let crossing = self
            .exchange
            .staying()
            .mux(head, exchanged)
            .named("crossing");
        let size = self.size;
        let top = move |iteration: usize| size.message_bits(iteration as u32) - 1;

        B::when(strobes.exchange_decide, self, |node| {
            let own = strobes
                .exchange
                .select(|dimension| address[dimension])
                .named("exchange_address_bit");
            let stays = Exchange::stays(valid, head, own);
            node.exchange.decide(valid, head, own);
            node.first_message.valid = stays | exchanged;
            if let Some(second) = &mut node.second_message {
                second.valid = stays & exchanged;
            }
        });
        if let Some(second) = &mut self.second_message {
            B::when(strobes.second_arrival, &mut second.valid, |valid| {
                *valid = delivered;
            });
            let delay = |i: usize| top(i).min(3 * size.free_dimensions(i as u32));
            B::when(strobes.second_shift, &mut second.bits, |bits| {
                bits.shift();
                bits.insert_at_tap(&strobes.second_fill, delay, exchanged);
                bits.insert_at_tap(&strobes.second_refill, top, delivered);
            });
        }
        B::when(strobes.first.arrival, self, |node| {
            node.first_message.valid = valid | returned;
            if let Some(second) = &mut node.second_message {
                second.valid = B::ZERO;
            }
        });
        self.first_message
            .clock(&strobes.first, crossing, returned, top);
        self.enumeration
            .clock(&strobes.enumerator, member, address, received);
        self.circuits.clock(
            &mut self.packing,
            (&strobes.circuits, &strobes.packer),
            (returning, source),
            address,
            received,
        );
    }
}

impl<B: Bit> MessageNode<B> for HeldNode<B> {
    fn host_writes(&mut self, size: Size, port: &mut dyn FnMut(Field, usize, &mut B)) {
        host_writes(&mut self.first_message, size.bits(), port);
    }

    fn host_reads(&self, size: Size, port: &mut dyn FnMut(Field, usize, B)) {
        host_reads(
            (self.first_message.valid, &self.first_message.bits),
            size.payload_bits,
            port,
        );
    }
}
