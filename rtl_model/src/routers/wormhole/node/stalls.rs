//! Why bits do not move: for measurement, and no part of the hardware.

use crate::language::bit::{Bit, any};
use crate::routers::wormhole::levels::{Here, Levels};
use crate::routers::wormhole::node::{Traversal, WormholeNode};
use crate::routers::wormhole::plan::{End, Port};

/// Why a bit that lies in front does not move on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stall {
    /// The output channel that it asks for is another worm's, or not empty yet.
    Channel,
    /// The buffer ahead is full.
    Credit,
    /// The wire was given to another channel.
    Wire,
}

impl Stall {
    /// All of them, with what each is.
    pub const ALL: [(Stall, &'static str); 3] = [
        (Stall::Channel, "output channel taken"),
        (Stall::Credit, "no credit: the buffer ahead is full"),
        (Stall::Wire, "wire given to another channel"),
    ];
}

/// What there is to see at a wire out of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A worm owns a channel of it, or lies in a relay that sends over it.
    Held,
    /// A channel of it stalls.
    Stalled(Stall),
}

impl<B: Bit> WormholeNode<B> {
    /// Calls `stalled(cause, flag)` for each channel and cause: where `flag` is 1, a bit stands
    /// still in this bit time. Of an output channel that is asked for, it is not known before the
    /// clock edge whether it will be granted.
    pub fn stalls(&self, address: &[B], stalled: &mut impl FnMut(Stall, B)) {
        let levels = Levels::of(&self.plan, address);
        let traversal = self.traversal(&levels);
        let outputs = self.outputs();
        for (number, switch) in self.switches.iter().enumerate() {
            for input in 0..self.plan.switch.inputs.len() {
                stalled(Stall::Channel, switch.input(input).requests());
            }
            for output in 0..outputs {
                let place = number * outputs + output;
                let waits = traversal.offers[place].holds_bit & !traversal.sent[place];
                let credit = switch.has_credit(output);
                stalled(Stall::Credit, waits & !credit);
                stalled(Stall::Wire, waits & credit);
            }
        }
        let first = self.switches.len() * outputs;
        for (number, relay) in self.relays.iter().enumerate() {
            let waits = relay.holds_bit() & !traversal.sent[first + number];
            stalled(Stall::Credit, waits & !relay.has_credit());
            stalled(Stall::Wire, waits & relay.has_credit());
        }
    }

    /// The same wire by wire: calls `seen(wire, what, flag)`, where wires are the links by number and,
    /// behind them, switch by switch those to the host. [`Seen::Held`] comes once for each wire. An
    /// input channel that asks for any of several lanes is seen at the wire of the first one.
    pub fn wires(&self, address: &[B], seen: &mut impl FnMut(usize, Seen, B)) {
        let levels = Levels::of(&self.plan, address);
        let traversal = self.traversal(&levels);
        for (wire, link) in self.plan.links.iter().enumerate() {
            let ports = link.channels.iter().flat_map(|channel| &channel.senders);
            let held = any(ports.map(|port| {
                self.at_sender(port, (&levels, &traversal), &mut |stall, flag| {
                    seen(wire, Seen::Stalled(stall), flag);
                })
            }));
            seen(wire, Seen::Held, held);
        }
        for switch in 0..self.switches.len() {
            let wire = self.plan.links.len() + switch;
            let channel = self.plan.switch.eject();
            let port = Port {
                end: End::Switch { switch, channel },
                at: None,
            };
            let held = self.at_sender(&port, (&levels, &traversal), &mut |stall, flag| {
                seen(wire, Seen::Stalled(stall), flag);
            });
            seen(wire, Seen::Held, held);
        }
    }

    /// What stalls where an output channel or a relay sends, and whether a worm has it; all of it 0 where
    /// the port does not hold.
    fn at_sender(
        &self,
        port: &Port,
        (levels, traversal): (&Levels<'_, B>, &Traversal<B>),
        stalled: &mut impl FnMut(Stall, B),
    ) -> B {
        let here = levels.holds(port);
        let place = self.plan.sender(port.end);
        let offer = &traversal.offers[place];
        let credit = match port.end {
            End::Switch { switch, channel } => {
                let standing = levels.here(switch);
                self.asked_first(switch, channel, standing, &mut |asks| {
                    stalled(Stall::Channel, here & asks);
                });
                self.switches[switch].has_credit(channel)
            }
            End::Relay(relay) => self.relays[relay].has_credit(),
        };
        let waits = here & offer.holds_bit & !traversal.sent[place];
        stalled(Stall::Credit, waits & !credit);
        stalled(Stall::Wire, waits & credit);
        here & offer.owned
    }

    /// By input channel of a switch: it requests this output channel, as the first that it would take.
    fn asked_first(
        &self,
        switch: usize,
        output: usize,
        here: Here<'_, B>,
        asked: &mut impl FnMut(B),
    ) {
        let switch = &self.switches[switch];
        for one in &switch.plan().outputs[output].requesters {
            if let Some(first) = switch.means_first(output, one, here) {
                asked(switch.input(one.input).requests() & first);
            }
        }
    }
}
