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
use crate::language::wires::Transmit;
use crate::machine::router::Node;
use crate::routers::wormhole::levels::Levels;
use crate::routers::wormhole::machine::Silence;
use crate::routers::wormhole::plan::{Addressed, End, NodePlan};
use crate::routers::wormhole::relay::Relay;
use crate::routers::wormhole::round_robin::RoundRobin;
use crate::routers::wormhole::routing_table::RoutingTable;
use crate::routers::wormhole::switch::{MAX_CHANNELS, Offer, Switch};

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

/// Names that `logic` gives belong to a switch; a lone switch's names are the node's own.
#[inline(always)]
pub(super) fn in_switch<B: Bit, T>(plan: &NodePlan, switch: usize, logic: impl FnOnce() -> T) -> T {
    match plan.switches() {
        1 => logic(),
        _ => B::within(format_args!("switch_{switch}"), logic),
    }
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
    fn outputs(&self) -> usize {
        self.plan.switch.outputs.len()
    }
}

impl<B: Bit> Node<B> for WormholeNode<B> {
    type Broadcast = Silence;

    fn transmit(&self, _silence: &Silence, address: &[B], wires: &mut Transmit<'_, B>) {
        let strobe = <B::Strobe as Bit>::ONE;
        let levels = Levels::of(&self.plan, address);
        // By reference: each is large, and would be moved.
        let Traversal {
            offers,
            sent,
            granted,
            ..
        } = &self.traversal(&levels);
        let mut granted = &granted[..];
        for link in &self.plan.links {
            let (grants, others) = granted.split_at(link.channels.len());
            self.drive_link(link, &levels, (grants, offers), wires);
            granted = others;
        }
        let given_up = self.given_up(&levels, sent);
        let inputs = self.plan.switch.inputs.len();
        let host = self.plan.host_wires();
        for link in &self.plan.links {
            for (channel, wire) in link.channels.iter().zip(link.wires.credits.clone()) {
                wires.drive(wire, "credit", strobe, || {
                    levels.select(&channel.receivers, |port| {
                        given_up[self.plan.receiver(port.end)]
                    })
                });
            }
        }
        let eject = self.plan.switch.eject();
        for number in 0..self.switches.len() {
            let wire = |wire| self.plan.link_wires() + number * host.to_host() + wire;
            let place = number * self.outputs() + eject;
            let (leaves, Offer { bit, tail, .. }) = (sent[place], offers[place]);
            for place in host.eject() {
                let end = End::Switch {
                    switch: number,
                    channel: eject,
                };
                let bit = match place {
                    0 => bit,
                    _ => self.offered(end, &levels, place),
                };
                wires.drive_where(wire(place), "eject", leaves, bit);
            }
            wires.drive(wire(host.eject_valid()), "eject", strobe, || leaves);
            wires.drive(wire(host.eject_tail()), "eject", strobe, || leaves & tail);
            wires.drive(wire(host.inject_credit()), "credit", strobe, || {
                given_up[number * inputs]
            });
        }
    }

    fn clock(&mut self, _silence: &Silence, address: &[B], received: &[B]) {
        let levels = Levels::of(&self.plan, address);
        // By reference: each is large, and would be moved.
        let Traversal {
            offers,
            sent,
            granted,
            ..
        } = &self.traversal(&levels);
        let free = self.free(offers);
        let setup = self.setup(&levels, &free);
        let arrivals = self.arrivals(&levels, received);
        let returned = self.returned(&levels, received);
        let (inputs, outputs) = (self.plan.switch.inputs.len(), self.outputs());
        let may_be_granted = setup.as_ref().unwrap_or(&free);
        let plan = &self.plan;
        let bit = |place: usize, wire: usize| match wire {
            0 => arrivals[place].bit,
            _ => links::arriving(plan, &levels, received, (place, wire)),
        };
        for (number, switch) in self.switches.iter_mut().enumerate() {
            let first = number * outputs;
            in_switch::<B, _>(plan, number, || {
                let mine = first..first + outputs;
                switch.clock(
                    levels.here(number),
                    (&sent[mine.clone()], &returned[mine.clone()]),
                    (&free[mine.clone()], &may_be_granted[mine]),
                    (&arrivals[number * inputs..][..inputs], |input, wire| {
                        bit(number * inputs + input, wire)
                    }),
                    self.table.as_ref(),
                );
            });
        }
        let (first_sender, first_receiver) =
            (self.switches.len() * outputs, self.switches.len() * inputs);
        for (number, relay) in self.relays.iter_mut().enumerate() {
            B::within(plan.relays[number].name, || {
                relay.clock(
                    sent[first_sender + number],
                    returned[first_sender + number],
                    arrivals[first_receiver + number],
                    |wire| bit(first_receiver + number, wire),
                );
            });
        }
        let mut granted = &granted[..];
        for (link, arbiter) in self.plan.links.iter().zip(&mut self.wire_arbiters) {
            let (grants, others) = granted.split_at(link.channels.len());
            B::within(link.name, || arbiter.clock::<MAX_LINK_CHANNELS>(grants));
            granted = others;
        }
        if let (Some(arbiter), Some(setup)) = (&mut self.setup_arbiter, setup) {
            B::within("setup", || arbiter.clock::<MAX_CHANNELS>(&setup));
        }
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
