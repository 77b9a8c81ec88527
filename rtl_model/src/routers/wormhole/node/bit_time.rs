//! What a node does in a bit time: what it transmits, and the clock edge.

use crate::language::bit::Bit;
use crate::language::wires::Transmit;
use crate::machine::router::Node;
use crate::routers::wormhole::levels::Levels;
use crate::routers::wormhole::node::links::arriving;
use crate::routers::wormhole::node::{MAX_LINK_CHANNELS, Traversal, WormholeNode};
use crate::routers::wormhole::plan::End;
use crate::routers::wormhole::silence::Silence;
use crate::routers::wormhole::switch::{MAX_CHANNELS, Offer};
use crate::routers::wormhole::switch_names::in_switch;

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
            _ => arriving(plan, &levels, received, (place, wire)),
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
