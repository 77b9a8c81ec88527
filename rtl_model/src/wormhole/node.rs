//! A wormhole node: switches, and the wires that their output channels share.
//!
//! ```text
//!   host --> [switch 0] --straight, cross--+                 +--> data, valid, tail, channel
//!   host --> [switch 1] --straight, cross--+--> by address --+--> ...   one arbiter a link
//!    ...                                   |    and level    +--> ...
//!   credits of every input channel <-------+
//! ```
//!
//! A node of cube-connected cycles and one of a dimension-order router have one switch and nothing to choose by address.
//! A node of the `n` copies has a switch for each, and its address says at which level each of them stands, and with
//! that which dimension its straight and its cross link have (Greenberg and Bhatt 1990, section 5.3). At most two of
//! them have one in common, and share its wire bit by bit.
//!
//! There is no sequencer: worms set their own pace. What a node sends in a bit time, it decides from its registers.

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::bit::{Bit, any};
use crate::parts::round_robin::RoundRobin;
use crate::register::{Name, Registers, Visitor};
use crate::router::Node;
use crate::wires::Transmit;
use crate::wormhole::input_channel::Arrival;
use crate::wormhole::machine::Silence;
use crate::wormhole::plan::{LinkPlan, Plan, Port, host_wires};
use crate::wormhole::switch::{Channels, MAX_CHANNELS, Offer, Switch};

#[cfg(test)]
mod tests;

/// The most levels of all switches of a node: 16 of 16.
const MAX_LEVELS: usize = 256;

/// The most channels of a link: two straight links of three.
const MAX_LINK_CHANNELS: usize = 6;

/// Who drives a data wire, by channel: what a conflict is reported with.
const CHANNELS: [&str; MAX_LINK_CHANNELS] = [
    "its channel 0",
    "its channel 1",
    "its channel 2",
    "its channel 3",
    "its channel 4",
    "its channel 5",
];

/// The node.
#[derive(Clone, Debug)]
pub struct WormholeNode<B: Bit> {
    plan: Arc<Plan>,
    switches: Vec<Switch<B>>,
    wire_arbiters: Vec<RoundRobin<B>>,
    setup_arbiter: Option<RoundRobin<B>>,
}

/// At which level each switch stands: one-hot for each switch, as far as its plan asks.
pub struct Levels<B> {
    /// `at[switch * levels + level]`.
    at: ArrayVec<B, MAX_LEVELS>,
    levels: usize,
}

impl<B: Bit> Levels<B> {
    /// Decodes a node's address.
    #[inline]
    pub fn of(plan: &Plan, address: &[B]) -> Self {
        let mut at = ArrayVec::new();
        for (switch, code) in plan.levels.iter().enumerate() {
            for (level, spelled) in code.codes.iter().enumerate() {
                let last = code.window.len();
                let bits = code.window.iter().enumerate().map(|(place, &bit)| {
                    match spelled >> (last - 1 - place) & 1 {
                        1 => address[bit],
                        _ => !address[bit],
                    }
                });
                let here = bits.fold(B::ONE, |all, bit| all & bit);
                at.push(in_switch::<B, _>(plan, switch, || {
                    here.named(format_args!("stands_at_level_{level}"))
                }));
            }
        }
        Levels {
            at,
            levels: plan.levels.first().map_or(0, |code| code.codes.len()),
        }
    }

    /// The switch stands at level 0.
    #[inline]
    pub fn at_level_0(&self, switch: usize) -> B {
        match self.levels {
            0 => B::ZERO,
            levels => self.at[switch * levels],
        }
    }

    /// The port's condition holds.
    #[inline]
    pub fn holds(&self, port: &Port) -> B {
        match port.level {
            None => B::ONE,
            Some(level) => self.at[port.switch * self.levels + level],
        }
    }

    /// ORs what `value` gives of the port that holds.
    #[inline]
    fn select(&self, ports: &[Port], value: impl Fn(&Port) -> B) -> B {
        any(ports.iter().map(|port| match port.level {
            None => value(port),
            Some(_) => self.holds(port) & value(port),
        }))
    }
}

/// Names that `logic` gives belong to a switch; a lone switch's names are the node's own.
#[inline(always)]
fn in_switch<B: Bit, T>(plan: &Plan, switch: usize, logic: impl FnOnce() -> T) -> T {
    match plan.switches() {
        1 => logic(),
        _ => B::within(format_args!("switch_{switch}"), logic),
    }
}

/// What moves in a bit time.
pub struct Traversal<B: Bit> {
    /// By output channel of all switches: what stands there.
    pub offers: ArrayVec<Offer<B>, MAX_CHANNELS>,
    /// It has a bit to send, and room for it.
    pub ready: Channels<B>,
    /// It sends.
    pub sent: Channels<B>,
    /// By channel of all links: it has the link's wire.
    pub granted: Channels<B>,
}

impl<B: Bit> WormholeNode<B> {
    /// An idle one.
    pub fn new(plan: &Arc<Plan>) -> Self {
        let switch = Arc::new(plan.switch.clone());
        let links = plan.links.iter();
        WormholeNode {
            switches: (0..plan.switches())
                .map(|_| Switch::new(&switch, plan.buffer_bits))
                .collect(),
            wire_arbiters: links
                .map(|link| RoundRobin::new(link.channels.len()))
                .collect(),
            setup_arbiter: plan
                .one_setup
                .then(|| RoundRobin::new(plan.switches() * plan.switch.outputs.len())),
            plan: Arc::clone(plan),
        }
    }

    /// What it is built from.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Its switches.
    pub fn switches(&self) -> &[Switch<B>] {
        &self.switches
    }

    /// Output channels of a switch.
    fn outputs(&self) -> usize {
        self.plan.switch.outputs.len()
    }

    /// What moves in this bit time.
    #[inline]
    pub fn traversal(&self, levels: &Levels<B>) -> Traversal<B> {
        let mut traversal = Traversal {
            offers: ArrayVec::new(),
            ready: Channels::new(),
            sent: Channels::new(),
            granted: Channels::new(),
        };
        let outputs = self.outputs();
        for (number, switch) in self.switches.iter().enumerate() {
            let at_level_0 = levels.at_level_0(number);
            for output in 0..outputs {
                let (offer, ready) = in_switch::<B, _>(&self.plan, number, || {
                    let offer = switch.offer(output, at_level_0);
                    let ready = offer.holds_bit & switch.has_credit(output);
                    let name = self.plan.switch.outputs[output].name;
                    (offer, ready.named(format_args!("{name}_ready")))
                });
                traversal.offers.push(offer);
                traversal.ready.push(ready);
                // The host takes every bit; links are given out below.
                let to_host = output == self.plan.switch.eject();
                traversal.sent.push(if to_host { ready } else { B::ZERO });
            }
        }
        for (link, arbiter) in self.plan.links.iter().zip(&self.wire_arbiters) {
            let grants = B::within(link.name, || {
                arbiter.grants::<MAX_LINK_CHANNELS>(B::ONE, |channel| {
                    levels.select(&link.channels[channel].senders, |port| {
                        traversal.ready[port.switch * outputs + port.channel]
                    })
                })
            });
            for (channel, &grant) in link.channels.iter().zip(&grants) {
                for port in &channel.senders {
                    let sent = &mut traversal.sent[port.switch * outputs + port.channel];
                    *sent = *sent | levels.holds(port) & grant;
                }
            }
            traversal.granted.extend(grants);
        }
        for (place, sent) in traversal.sent.iter_mut().enumerate() {
            let name = self.plan.switch.outputs[place % outputs].name;
            *sent = in_switch::<B, _>(&self.plan, place / outputs, || {
                sent.named(format_args!("{name}_sends"))
            });
        }
        traversal
    }

    /// By input channel of all switches: it gives up a bit in this bit time.
    #[inline]
    fn given_up(&self, levels: &Levels<B>, sent: &[B]) -> Channels<B> {
        let mut given_up = Channels::new();
        for (number, switch) in self.switches.iter().enumerate() {
            let sent = &sent[number * self.outputs()..][..self.outputs()];
            in_switch::<B, _>(&self.plan, number, || {
                let leaves = switch.leaves(levels.at_level_0(number), sent);
                let names = self.plan.switch.inputs.iter().map(|input| input.name);
                for ((input, leaves), name) in leaves.into_iter().enumerate().zip(names) {
                    given_up.push(B::within(name, || {
                        (leaves | switch.input(input).consumes()).named("gives_up")
                    }));
                }
            });
        }
        given_up
    }

    /// By output channel of all switches: nobody owns it, and the buffer ahead is empty.
    #[inline]
    fn free(&self, offers: &[Offer<B>]) -> Channels<B> {
        let outputs = self.outputs();
        let offers = offers.iter().enumerate();
        offers
            .map(|(place, offer)| {
                let (switch, output) = (place / outputs, place % outputs);
                in_switch::<B, _>(&self.plan, switch, || {
                    self.switches[switch].free(output, offer.owned)
                })
            })
            .collect()
    }

    /// By output channel of all switches: it is the one that may be granted in this bit time; none where any number may.
    #[inline]
    fn setup(&self, levels: &Levels<B>, free: &[B]) -> Option<Channels<B>> {
        let outputs = self.outputs();
        self.setup_arbiter.as_ref().map(|arbiter| {
            let requested = |place: usize| {
                let (switch, output) = (place / outputs, place % outputs);
                let at_level_0 = levels.at_level_0(switch);
                in_switch::<B, _>(&self.plan, switch, || {
                    self.switches[switch].requested(output, at_level_0)
                })
            };
            let requested: Channels<B> = (0..free.len()).map(requested).collect();
            let request = |place: usize| free[place] & requested[place];
            B::within("setup", || arbiter.grants(B::ONE, request))
        })
    }

    /// By input channel of all switches: what comes over links and from hosts.
    #[inline]
    fn arrivals(&self, levels: &Levels<B>, received: &[B]) -> ArrayVec<Arrival<B>, MAX_CHANNELS> {
        let inputs = self.plan.switch.inputs.len();
        let nothing = Arrival {
            push: B::ZERO,
            bit: B::ZERO,
            tail: B::ZERO,
        };
        let mut arrivals: ArrayVec<Arrival<B>, MAX_CHANNELS> =
            (0..self.switches.len() * inputs).map(|_| nothing).collect();
        for link in &self.plan.links {
            let wires = &link.wires;
            for (number, channel) in link.channels.iter().enumerate() {
                let comes = wires.channel.clone().enumerate().fold(
                    received[wires.valid],
                    |comes, (place, wire)| {
                        comes
                            & if number >> place & 1 == 1 {
                                received[wire]
                            } else {
                                !received[wire]
                            }
                    },
                );
                let name = link.name;
                let comes = comes.named(format_args!("{name}_brings_channel_{number}"));
                for port in &channel.receivers {
                    let arrival = &mut arrivals[port.switch * inputs + port.channel];
                    let input = self.plan.switch.inputs[port.channel].name;
                    let here = in_switch::<B, _>(&self.plan, port.switch, || {
                        (levels.holds(port) & comes).named(format_args!("{input}_from_{name}"))
                    });
                    arrival.push = arrival.push | here;
                    arrival.bit = arrival.bit | here & received[wires.data];
                    arrival.tail = arrival.tail | here & received[wires.tail];
                }
            }
        }
        for (place, arrival) in arrivals.iter_mut().enumerate() {
            let name = self.plan.switch.inputs[place % inputs].name;
            *arrival = in_switch::<B, _>(&self.plan, place / inputs, || {
                B::within(name, || Arrival {
                    push: arrival.push.named("pushed"),
                    bit: arrival.bit.named("pushed_bit"),
                    tail: arrival.tail.named("pushed_tail"),
                })
            });
        }
        for switch in 0..self.switches.len() {
            let wire =
                |wire| received[self.plan.link_wires() + switch * host_wires::FROM_HOST + wire];
            arrivals[switch * inputs] = Arrival {
                push: wire(host_wires::INJECT_VALID),
                bit: wire(host_wires::INJECT),
                tail: wire(host_wires::INJECT_TAIL),
            };
        }
        arrivals
    }

    /// By output channel of all switches: a credit comes back.
    #[inline]
    fn returned(&self, levels: &Levels<B>, received: &[B]) -> Channels<B> {
        let outputs = self.outputs();
        let mut returned: Channels<B> = (0..self.switches.len() * outputs)
            .map(|_| B::ZERO)
            .collect();
        for link in &self.plan.links {
            for (channel, credit) in link.channels.iter().zip(link.wires.credits.clone()) {
                for port in &channel.senders {
                    let place = port.switch * outputs + port.channel;
                    returned[place] = returned[place] | levels.holds(port) & received[credit];
                }
            }
        }
        for (place, returned) in returned.iter_mut().enumerate() {
            let name = self.plan.switch.outputs[place % outputs].name;
            *returned = in_switch::<B, _>(&self.plan, place / outputs, || {
                returned.named(format_args!("{name}_credit"))
            });
        }
        returned
    }

    /// What a link's wires carry from here, by who has its data wire.
    #[inline]
    fn drive_link(
        &self,
        link: &LinkPlan,
        levels: &Levels<B>,
        (grants, offers): (&[B], &[Offer<B>]),
        wires: &mut Transmit<'_, B>,
    ) {
        let strobe = <B::Strobe as Bit>::ONE;
        let chosen = |some: &dyn Fn(usize) -> bool| {
            let chosen = grants.iter().enumerate();
            let chosen = chosen.filter(|(number, _)| some(*number));
            any(chosen.map(|(_, grant)| *grant))
        };
        let mut tail = B::ZERO;
        for (number, (channel, &grant)) in link.channels.iter().zip(grants).enumerate() {
            let bit = levels.select(&channel.senders, |port| {
                offers[port.switch * self.outputs() + port.channel].bit
            });
            let bit = bit.named(format_args!("{}_bit_{number}", link.name));
            wires.drive_where(link.wires.data, CHANNELS[number], grant, bit);
            let last = levels.select(&channel.senders, |port| {
                offers[port.switch * self.outputs() + port.channel].tail
            });
            tail = tail | grant & last;
        }
        wires.drive(link.wires.valid, "valid", strobe, || chosen(&|_| true));
        wires.drive(link.wires.tail, "tail", strobe, || tail);
        for (place, wire) in link.wires.channel.clone().enumerate() {
            wires.drive(wire, "channel", strobe, || {
                chosen(&|number| number >> place & 1 == 1)
            });
        }
    }
}

impl<B: Bit> Node<B> for WormholeNode<B> {
    type Broadcast = Silence;

    fn transmit(&self, _silence: &Silence, address: &[B], wires: &mut Transmit<'_, B>) {
        let strobe = <B::Strobe as Bit>::ONE;
        let levels = Levels::of(&self.plan, address);
        let Traversal {
            offers,
            sent,
            granted,
            ..
        } = self.traversal(&levels);
        let mut granted = &granted[..];
        for link in &self.plan.links {
            let (grants, others) = granted.split_at(link.channels.len());
            self.drive_link(link, &levels, (grants, &offers), wires);
            granted = others;
        }
        let given_up = self.given_up(&levels, &sent);
        let inputs = self.plan.switch.inputs.len();
        for link in &self.plan.links {
            for (channel, wire) in link.channels.iter().zip(link.wires.credits.clone()) {
                wires.drive(wire, "credit", strobe, || {
                    levels.select(&channel.receivers, |port| {
                        given_up[port.switch * inputs + port.channel]
                    })
                });
            }
        }
        let eject = self.plan.switch.eject();
        for number in 0..self.switches.len() {
            let wire = |wire| self.plan.link_wires() + number * host_wires::TO_HOST + wire;
            let place = number * self.outputs() + eject;
            let (leaves, Offer { bit, tail, .. }) = (sent[place], offers[place]);
            wires.drive_where(wire(host_wires::EJECT), "eject", leaves, bit);
            wires.drive(wire(host_wires::EJECT_VALID), "eject", strobe, || leaves);
            wires.drive(wire(host_wires::EJECT_TAIL), "eject", strobe, || {
                leaves & tail
            });
            wires.drive(wire(host_wires::INJECT_CREDIT), "credit", strobe, || {
                given_up[number * inputs]
            });
        }
    }

    fn clock(&mut self, _silence: &Silence, address: &[B], received: &[B]) {
        let levels = Levels::of(&self.plan, address);
        let Traversal {
            offers,
            sent,
            granted,
            ..
        } = self.traversal(&levels);
        let free = self.free(&offers);
        let setup = self.setup(&levels, &free);
        let arrivals = self.arrivals(&levels, received);
        let returned = self.returned(&levels, received);
        let (inputs, outputs) = (self.plan.switch.inputs.len(), self.outputs());
        let may_be_granted = setup.as_ref().unwrap_or(&free);
        for (number, switch) in self.switches.iter_mut().enumerate() {
            let first = number * outputs;
            in_switch::<B, _>(&self.plan, number, || {
                switch.clock(
                    levels.at_level_0(number),
                    &sent[first..][..outputs],
                    &returned[first..][..outputs],
                    &may_be_granted[first..][..outputs],
                    &arrivals[number * inputs..][..inputs],
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
        visitor.note("whose turn comes next on each wire");
        visitor.enter(Name::Field("wire_arbiters"), "WireArbiters");
        for (link, arbiter) in self.plan.links.iter().zip(&self.wire_arbiters) {
            arbiter.visit(link.name, visitor);
        }
        visitor.leave();
        visitor.note("whose turn comes next to be connected");
        self.setup_arbiter
            .visit(Name::Field("setup_arbiter"), visitor);
        visitor.leave();
    }

    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for switch in &mut self.switches {
            switch.visit_mut(visitor);
        }
        for arbiter in &mut self.wire_arbiters {
            arbiter.visit_mut(visitor);
        }
        self.setup_arbiter.visit_mut(visitor);
    }
}
