//! A wormhole node: switches, and the wires that their output channels share.
//!
//! ```text
//!   host --> [switch 0] --straight, cross--+                 +--> data, valid, tail, channel
//!   host --> [switch 1] --straight, cross--+--> by address --+--> ...   one arbiter a link
//!    ...                                   |    and level    +--> ...
//!   credits of every input channel <-------+
//! ```
//!
//! [`relays`](crate::routers::wormhole::relay) stand beside the switches where an edge of a network is a path of several links: bits of
//! other nodes come in on one link and go out on another.
//!
//! A node of cube-connected cycles and one of a dimension-order router have one switch and nothing
//! to choose by address. A node of the `n` copies has a switch for each, and its address says at
//! which level each of them stands, and with that which dimension its straight and its cross link
//! have (Greenberg and Bhatt 1990, section 5.3). At most two of them have one in common, and share
//! its wire bit by bit. In `X(butterfly)` the address says at which level of its row's and of its
//! column's butterfly the node stands, and at which the nodes whose bits it relays do.
//!
//! There is no sequencer: worms set their own pace. What a node sends in a bit time, it decides
//! from its registers.

use std::sync::Arc;

use crate::language::bit::Bit;
use crate::language::register::{Name, Registers, Visitor};
use crate::routers::wormhole::plan::{Addressed, NodePlan};
use crate::routers::wormhole::relay::Relay;
use crate::routers::wormhole::round_robin::RoundRobin;
use crate::routers::wormhole::routing_table::RoutingTable;
use crate::routers::wormhole::switch::Switch;

mod bit_time;
mod links;
mod stalls;
#[cfg(test)]
mod tests;
mod traversal;

pub use stalls::{Seen, Stall};
pub use traversal::Traversal;

/// The most channels of a link: the paths of `X(butterfly)` that share a wire.
const MAX_LINK_CHANNELS: usize = 10;

/// The node.
#[derive(Clone, Debug)]
pub struct WormholeNode<B: Bit> {
    plan: Arc<NodePlan>,
    switches: Vec<Switch<B>>,
    relays: Vec<Relay<B>>,
    wire_arbiters: Vec<RoundRobin<B>>,
    setup_arbiter: Option<RoundRobin<B>>,
    table: Option<RoutingTable<B>>,
}

impl<B: Bit> WormholeNode<B> {
    /// An idle one.
    pub fn new(plan: &Arc<NodePlan>) -> Self {
        let switch = Arc::new(plan.switch.clone());
        let links = plan.links.iter();
        WormholeNode {
            switches: (0..plan.switches())
                .map(|_| Switch::new(&switch, (plan.buffer_bits, plan.wire_bits)))
                .collect(),
            relays: (plan.relays.iter())
                .map(|_| Relay::new(plan.buffer_bits, plan.wire_bits))
                .collect(),
            wire_arbiters: links
                .map(|link| RoundRobin::new(link.channels.len()))
                .collect(),
            setup_arbiter: plan
                .one_setup
                .then(|| RoundRobin::new(plan.switches() * plan.switch.outputs.len())),
            table: match plan.switch.addressed {
                Some(Addressed::LookedUp(size)) => Some(RoutingTable::new(size)),
                _ => None,
            },
            plan: Arc::clone(plan),
        }
    }

    /// The bits of its routing table, if it has one, entry by entry: to be given what they begin with.
    pub fn table_bits(&mut self) -> impl Iterator<Item = &mut B> {
        self.table.iter_mut().flat_map(RoutingTable::bits)
    }

    /// What it is built from.
    pub fn plan(&self) -> &NodePlan {
        &self.plan
    }

    /// Its switches.
    pub fn switches(&self) -> &[Switch<B>] {
        &self.switches
    }

    /// Its relays.
    pub fn relays(&self) -> &[Relay<B>] {
        &self.relays
    }

    /// Output channels of a switch.
    #[inline]
    fn outputs(&self) -> usize {
        self.plan.switch.outputs.len()
    }
}

/// A lone switch's channels are the node's own.
impl<B: Bit> Registers<B> for WormholeNode<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "WormholeNode");
        match &self.switches[..] {
            [switch] => switch.visit_channels(visitor),
            switches => {
                for (number, switch) in switches.iter().enumerate() {
                    switch.visit(Name::Numbered("switch", number), visitor);
                }
            }
        }
        for (plan, relay) in self.plan.relays.iter().zip(&self.relays) {
            relay.visit(plan.name, visitor);
        }
        visitor.note("whose turn comes next on each wire");
        visitor.enter(Name::Field("wire_arbiters"), "WireArbiters");
        for (link, arbiter) in self.plan.links.iter().zip(&self.wire_arbiters) {
            arbiter.visit(link.name, visitor);
        }
        visitor.leave();
        visitor.note("whose turn comes next to be connected");
        self.setup_arbiter
            .visit(Name::Field("setup_arbiter"), visitor);
        visitor.note("where worms go on from here, by destination");
        self.table.visit(Name::Field("table"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for switch in &mut self.switches {
            switch.visit_mut(visitor);
        }
        for relay in &mut self.relays {
            relay.visit_mut(visitor);
        }
        for arbiter in &mut self.wire_arbiters {
            arbiter.visit_mut(visitor);
        }
        self.setup_arbiter.visit_mut(visitor);
        self.table.visit_mut(visitor);
    }
}
