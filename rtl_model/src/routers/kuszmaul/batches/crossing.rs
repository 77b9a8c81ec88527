//! Step 1 in a stage of its own: every message whose next address bit is not the node's crosses the stage's lowest dimension.
//!
//! ```text
//!                       wire of the lowest dimension
//!                          tx ^         | rx
//!   incoming --+--(leaving)---+         v
//!              +--(staying)----------->(mux)--> at home: the message that stays, or else the one that comes
//!
//!   bit time    0                        1 .. L
//!   incoming    valid, address bit       the message that is left
//!   wire        whether it crosses       the message, if it crosses
//!   at home     whether there is one     the message
//! ```
//!
//! Where one stays and another comes, a node has two messages. In the last stage nobody does, and what is at home is delivered.

use crate::language::bit::{Bit, Strobe};
use crate::language::lines::Lines;
use crate::language::wires::Transmit;
use crate::parts::exchange::Exchange;
use crate::parts::windows::Now;
use crate::registers;
use crate::routers::kuszmaul::batches::at::At;
use crate::routers::kuszmaul::batches::extent::Extent;
use crate::routers::kuszmaul::batches::stage::Incoming;
use crate::routers::kuszmaul::now::CROSS;
use crate::strobes;

strobes! {
    /// What it hears from the sequencer.
    #[derive(Clone, Debug)]
    pub struct CrossingStrobes<S> {
        /// The stage's lowest dimension, on which messages are exchanged.
        pub exchange: Lines<S>,
        /// The first bit time of the exchange.
        pub decide: S,
    }
}

/// The strobes of this bit time.
pub(super) fn drive<S: Strobe>(at: &At<'_, S>, strobes: &mut CrossingStrobes<S>) {
    at.line(&mut strobes.exchange, at.extent.lowest, at.within(CROSS));
    strobes.decide = at.is(0);
}

/// Registers of it.
#[derive(Clone, Debug)]
pub struct Crossing<B: Bit> {
    lowest: usize,
    exchange: Exchange<B>,
}
registers!(Crossing {
    exchange: "step 1: the message leaves or stays",
});

impl<B: Bit> Crossing<B> {
    /// All registers 0.
    pub fn new(extent: Extent) -> Self {
        Crossing {
            lowest: extent.lowest,
            exchange: Exchange::new(),
        }
    }

    /// 1 where the message stays, from the bit time on that follows the decision.
    #[inline]
    pub fn staying(&self) -> B {
        self.exchange.staying()
    }

    /// 1 where the message stays, in the bit time that decides.
    #[inline]
    pub fn stays(&self, incoming: Incoming<B>, address: &[B]) -> B {
        let own = address[self.lowest];
        Exchange::stays(incoming.valid, incoming.bit, own)
    }

    /// What comes over the wire.
    #[inline]
    pub fn exchanged(&self, strobes: &CrossingStrobes<B::Strobe>, received: &[B]) -> B {
        let exchanged = strobes.exchange.select(|dimension| received[dimension]);
        exchanged.named("exchanged")
    }

    /// What is here afterwards: whether there is a message, in the bit time that decides, then the one that stays, or else the one that
    /// comes.
    #[inline]
    pub fn at_home(
        &self,
        strobes: &CrossingStrobes<B::Strobe>,
        incoming: Incoming<B>,
        address: &[B],
        received: &[B],
    ) -> B {
        let exchanged = self.exchanged(strobes, received);
        B::choose(
            strobes.decide,
            || self.stays(incoming, address) | exchanged,
            || self.staying().mux(incoming.bit, exchanged),
        )
        .named("at_home")
    }

    /// Messages that leave.
    #[inline]
    pub fn transmit(
        &self,
        strobes: &CrossingStrobes<B::Strobe>,
        incoming: Incoming<B>,
        address: &[B],
        wires: &mut Transmit<'_, B>,
    ) {
        self.exchange.transmit(
            &strobes.exchange,
            strobes.decide,
            (incoming.valid, incoming.bit),
            address,
            wires,
        );
    }

    /// The clock edge.
    #[inline]
    pub fn clock(
        &mut self,
        strobes: &CrossingStrobes<B::Strobe>,
        incoming: Incoming<B>,
        address: &[B],
    ) {
        let own = address[self.lowest];
        B::when(strobes.decide, &mut self.exchange, |exchange| {
            exchange.decide(incoming.valid, incoming.bit, own);
        });
    }
}
