//! A node of the router of h-relations.
//!
//! ```text
//!                     rx, tx: one wire each way for each dimension
//!                              |||||||||||||||
//!   +--------------------------+++++++++++++++-----------------------------------+
//!   | [even_list]--(slot h)--> [exchange]                              cross     |
//!   | [odd_list ]                |     |                                         |
//!   |                 own, stays |     | received                                |
//!   |                      [     waiting     ]-- 0, 1 or 2 --> [enumeration]     |
//!   |                            |     |           rank, total --+  enumerate    |
//!   |                            v     v                         v               |
//!   |                 tracks 0 and 1 of [packing] <---------- [header]    pack   |
//!   | [odd_list ]<--(next free slots)--+-----+  0, 1 or 2 messages               |
//!   | [even_list]                                                                |
//!   +----------------------------------------------------------------------------+
//! ```
//!
//! Iterations read one list and fill the other, in turn. In the last iteration what stays and what is
//! received in step 1 is at home, and goes into the list at once.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::router::Node;
use crate::parts::dimensions::RowOrder;
use crate::parts::enumerator::{Enumerator, Results};
use crate::parts::exchange::Exchange;
use crate::registers;
use crate::routers::kuszmaul::counting::header::{Found, Header};
use crate::routers::kuszmaul::counting::message_list::MessageList;
use crate::routers::kuszmaul::counting::strobes::CountingStrobes;
use crate::routers::kuszmaul::counting::waiting::Waiting;
use crate::routers::kuszmaul::spread::track_packer::TrackPacker;
use crate::routers::kuszmaul::spread::track_switch::{PerTrack, TrackIncoming};
use crate::routers::permutation::Size;

/// Registers of a node. Enumeration and packing never use dimension 0, and a cube of one dimension has
/// nothing of them.
#[derive(Clone, Debug)]
pub struct CountingNode<B: Bit> {
    pub(super) even_list: MessageList<B>,
    pub(super) odd_list: MessageList<B>,
    pub(super) exchange: Exchange<B>,
    pub(super) waiting: Option<Waiting<B>>,
    enumeration: Enumerator<B>,
    header: Option<Header<B>>,
    pub(super) packing: TrackPacker<B>,
    pub(super) arrived: PerTrack<B>,
}
registers!(CountingNode {
    even_list: "read by even iterations, filled by odd ones",
    odd_list: "read by odd iterations, filled by even ones",
    exchange: "step 1: the message leaves or stays",
    waiting: "the messages at the node after step 1",
    enumeration: "numbers messages (Theorem 2, with 0, 1 or 2 members a node)",
    header: "ranks, continued from pass to pass",
    packing: "packs all messages of a pass, on two tracks (Algorithm 1)",
    arrived: "what the last pass has brought",
});

impl<B: Bit> CountingNode<B> {
    /// A node of `messages` slots a list, all registers 0.
    pub fn new(size: Size, messages: usize) -> Self {
        let Size {
            dimensions,
            payload_bits,
        } = size;
        let subcube = 1..dimensions;
        let is_alone = subcube.is_empty();
        let has_passes = messages > 1;
        CountingNode {
            even_list: MessageList::new(messages, payload_bits, dimensions),
            odd_list: MessageList::new(messages, payload_bits, subcube.len()),
            exchange: Exchange::new(),
            waiting: (!is_alone).then(|| Waiting::new(size)),
            enumeration: Enumerator::new(
                subcube.clone(),
                RowOrder::Ascending,
                Results {
                    rank_bits: usize::from(!is_alone),
                    total_bits: usize::from(!is_alone && has_passes),
                },
            ),
            header: (!is_alone).then(|| Header::new(subcube.len(), has_passes)),
            packing: TrackPacker::new(subcube),
            arrived: PerTrack::NONE,
        }
    }

    /// The message that is read: whether there is one, and its next bit.
    #[inline]
    fn read(&self, strobes: &CountingStrobes<B::Strobe>) -> (B, B) {
        let even = B::within("even_list", || self.even_list.sent(&strobes.even_list));
        let odd = B::within("odd_list", || self.odd_list.sent(&strobes.odd_list));
        let (valid, bit) = (even.0 | odd.0, even.1 | odd.1);
        (valid.named("read_valid"), bit.named("read_bit"))
    }

    /// 1 where step 1 has brought a message.
    #[inline]
    pub(super) fn has_received(&self) -> B {
        (self.waiting.as_ref()).map_or(B::ZERO, Waiting::received_valid)
    }

    /// The number of messages, lowest bit first.
    #[inline]
    fn count(&self, strobes: &CountingStrobes<B::Strobe>) -> B {
        let (own, received) = (self.exchange.staying(), self.has_received());
        B::choose(strobes.count_of_two, || own & received, || own ^ received).named("count_bit")
    }

    /// What the enumerator has found, in this bit time's bits.
    #[inline]
    fn found(&self) -> Found<B> {
        Found {
            rank: self.enumeration.rank().head(),
            total: self.enumeration.total().head(),
        }
    }

    /// What the first stage of the packing receives: header bits, then the messages.
    #[inline]
    fn source(&self, strobes: &CountingStrobes<B::Strobe>) -> TrackIncoming<B> {
        let own = self.exchange.staying();
        let bit = match (&self.header, &self.waiting) {
            (Some(header), Some(waiting)) => {
                let headers = || header.bits(&strobes.header, self.found(), own);
                let heads = waiting.heads();
                PerTrack {
                    track_0: B::choose(strobes.header.make, || headers().track_0, || heads.track_0),
                    track_1: B::choose(strobes.header.make, || headers().track_1, || heads.track_1),
                }
            }
            _ => PerTrack::NONE,
        };
        TrackIncoming {
            valid: PerTrack {
                track_0: own,
                track_1: self.has_received(),
            },
            bit: PerTrack {
                track_0: bit.track_0.named("source_bit_0"),
                track_1: bit.track_1.named("source_bit_1"),
            },
        }
    }
}

impl<B: Bit> Node<B> for CountingNode<B> {
    type Broadcast = CountingStrobes<B::Strobe>;

    #[inline]
    fn transmit(&self, strobes: &Self::Broadcast, address: &[B], wires: &mut Transmit<'_, B>) {
        self.exchange.transmit(
            &strobes.exchange,
            strobes.exchange_decide,
            self.read(strobes),
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
        let (valid, read) = self.read(strobes);
        let (count, found, staying) = (self.count(strobes), self.found(), self.exchange.staying());
        let (source, arrived) = (self.source(strobes), self.arrived);
        let exchange = &strobes.exchange;
        let exchanged = exchange.select(|d| received[d]).named("exchanged");
        let own = exchange
            .select(|d| address[d])
            .named("exchange_address_bit");
        let packed = self
            .packing
            .delivered_apart(&strobes.packer, source, address, received);
        let decide = strobes.exchange_decide;
        let stays = || Exchange::stays(valid, read, own);
        let kept_home = B::gated(strobes.is_last, || B::choose(decide, stays, || read));
        let brought_home = B::gated(strobes.is_last, || exchanged);
        let delivered = PerTrack {
            track_0: (packed.track_0 | kept_home).named("delivered_0"),
            track_1: (packed.track_1 | brought_home).named("delivered_1"),
        };

        B::when(decide, self, |node| {
            node.exchange.decide(valid, read, own);
            if let Some(waiting) = &mut node.waiting {
                waiting.decide(exchanged);
            }
        });
        let arrive = strobes.even_list.arrive | strobes.odd_list.arrive;
        B::when(arrive, &mut self.arrived, |arrived| *arrived = delivered);
        B::within("even_list", || {
            self.even_list.clock(&strobes.even_list, delivered, arrived);
        });
        B::within("odd_list", || {
            self.odd_list.clock(&strobes.odd_list, delivered, arrived);
        });
        if let Some(waiting) = &mut self.waiting {
            let coming = PerTrack {
                track_0: read,
                track_1: exchanged,
            };
            waiting.clock(&strobes.waiting, coming);
        }
        if let Some(header) = &mut self.header {
            header.clock(&strobes.header, found, staying);
        }
        self.enumeration
            .clock(&strobes.enumerator, count, address, received);
        self.packing
            .clock(&strobes.packer, source, address, received);
    }
}
