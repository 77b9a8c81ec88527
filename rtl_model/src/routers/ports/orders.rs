//! What a node does in a routing step: which of its ports are busy, and with which packets.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::parts::counter::Number;
use crate::routers::ports::broadcast::MOST_DIMENSIONS;
use crate::routers::ports::relative::PerPort;

/// Ports that are busy in a step.
#[derive(Clone, Debug)]
pub(super) struct Orders<B> {
    /// By port: it sends.
    pub send: PerPort<B>,
    /// By port: it receives.
    pub receive: PerPort<B>,
    /// By channel: what comes is for the host.
    pub take: PerPort<B>,
    /// By channel: what comes is to be sent on.
    pub keep: PerPort<B>,
}

/// Which packet comes on a channel.
#[derive(Clone, Debug)]
pub(super) struct Named<B> {
    /// The number of its group.
    pub group: Number<B>,
    /// The number of its tree.
    pub tree: Number<B>,
}

/// A packet a channel.
pub(super) type Names<B> = ArrayVec<Named<B>, MOST_DIMENSIONS>;

/// What a clock edge of the packets' buffers goes by.
#[derive(Clone, Copy)]
pub(super) struct Coming<'a, B> {
    /// The ports that are busy.
    pub orders: &'a Orders<B>,
    /// What comes across each port.
    pub received: &'a [B],
}

impl<B: Bit> Coming<'_, B> {
    /// What comes across the port that receives, and whether any does.
    pub fn one(&self) -> (B, B) {
        let ports = self.orders.receive.iter().zip(self.received);
        ports.fold((B::ZERO, B::ZERO), |(bit, any), (&port, &received)| {
            (bit | port & received, any | port)
        })
    }
}
