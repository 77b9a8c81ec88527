//! What a node sends over its links, and what comes over them and from its hosts.

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::language::wires::Transmit;
use crate::routers::wormhole::input_channel::Arrival;
use crate::routers::wormhole::levels::Levels;
use crate::routers::wormhole::node::{MAX_LINK_CHANNELS, WormholeNode};
use crate::routers::wormhole::plan::{End, LinkPlan, NodePlan};
use crate::routers::wormhole::switch::{Channels, MAX_CHANNELS, Offer};
use crate::routers::wormhole::switch_names::in_switch;

/// Who drives a data wire, by channel: what a conflict is reported with.
const CHANNELS: [&str; MAX_LINK_CHANNELS] = [
    "its channel 0",
    "its channel 1",
    "its channel 2",
    "its channel 3",
    "its channel 4",
    "its channel 5",
    "its channel 6",
    "its channel 7",
    "its channel 8",
    "its channel 9",
];

impl<B: Bit> WormholeNode<B> {
    /// By input channel of all switches, then by relay: what comes over links and from hosts.
    #[inline]
    pub(super) fn arrivals(
        &self,
        levels: &Levels<'_, B>,
        received: &[B],
    ) -> ArrayVec<Arrival<B>, MAX_CHANNELS> {
        let inputs = self.plan.switch.inputs.len();
        let nothing = Arrival {
            push: B::ZERO,
            bit: B::ZERO,
            tail: B::ZERO,
        };
        let mut arrivals: ArrayVec<Arrival<B>, MAX_CHANNELS> =
            (0..self.receivers()).map(|_| nothing).collect();
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
                    let arrival = &mut arrivals[self.plan.receiver(port.end)];
                    let here = || levels.holds(port) & comes;
                    let here = match port.end {
                        End::Switch { switch, channel } => {
                            let input = self.plan.switch.inputs[channel].name;
                            in_switch::<B, _>(&self.plan, switch, || {
                                here().named(format_args!("{input}_from_{name}"))
                            })
                        }
                        End::Relay(number) => {
                            let relay = self.plan.relays[number].name;
                            here().named(format_args!("{relay}_from_{name}"))
                        }
                    };
                    arrival.push = arrival.push | here;
                    arrival.bit = arrival.bit | here & received[wires.data.start];
                    arrival.tail = arrival.tail | here & received[wires.tail];
                }
            }
        }
        for (place, arrival) in arrivals.iter_mut().enumerate() {
            let named = |name| {
                B::within(name, || Arrival {
                    push: arrival.push.named("pushed"),
                    bit: arrival.bit.named("pushed_bit"),
                    tail: arrival.tail.named("pushed_tail"),
                })
            };
            *arrival = match place.checked_sub(self.switches.len() * inputs) {
                None => in_switch::<B, _>(&self.plan, place / inputs, || {
                    named(self.plan.switch.inputs[place % inputs].name)
                }),
                Some(relay) => named(self.plan.relays[relay].name),
            };
        }
        for switch in 0..self.switches.len() {
            let host = self.plan.host_wires();
            let wire = |wire| received[self.plan.link_wires() + switch * host.from_host() + wire];
            arrivals[switch * inputs] = Arrival {
                push: wire(host.inject_valid()),
                bit: wire(host.inject().start),
                tail: wire(host.inject_tail()),
            };
        }
        arrivals
    }

    /// By output channel of all switches, then by relay: a credit comes back.
    #[inline]
    pub(super) fn returned(&self, levels: &Levels<'_, B>, received: &[B]) -> Channels<B> {
        let mut returned: Channels<B> = (0..self.senders()).map(|_| B::ZERO).collect();
        for link in &self.plan.links {
            for (channel, credit) in link.channels.iter().zip(link.wires.credits.clone()) {
                for port in &channel.senders {
                    let place = self.plan.sender(port.end);
                    returned[place] = returned[place] | levels.holds(port) & received[credit];
                }
            }
        }
        for (place, returned) in returned.iter_mut().enumerate() {
            *returned = self.of_sender(place, |name| returned.named(format_args!("{name}_credit")));
        }
        returned
    }

    /// Bit `wire` of what stands at an output channel or relay.
    pub(super) fn offered(&self, end: End, levels: &Levels<'_, B>, wire: usize) -> B {
        match end {
            End::Switch { switch, channel } => in_switch::<B, _>(&self.plan, switch, || {
                self.switches[switch].offered(channel, levels.here(switch), wire)
            }),
            End::Relay(relay) => B::within(self.plan.relays[relay].name, || {
                self.relays[relay].front(wire)
            }),
        }
    }

    /// What a link's wires carry from here, by who has its data wires.
    #[inline]
    pub(super) fn drive_link(
        &self,
        link: &LinkPlan,
        levels: &Levels<'_, B>,
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
                offers[self.plan.sender(port.end)].bit
            });
            let bit = bit.named(format_args!("{}_bit_{number}", link.name));
            wires.drive_where(link.wires.data.start, CHANNELS[number], grant, bit);
            for (place, wire) in link.wires.data.clone().enumerate().skip(1) {
                let bit = levels.select(&channel.senders, |port| {
                    self.offered(port.end, levels, place)
                });
                wires.drive_where(wire, CHANNELS[number], grant, bit);
            }
            let last = levels.select(&channel.senders, |port| {
                offers[self.plan.sender(port.end)].tail
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

/// Bit `wire`, not 0, of the flit that comes to an input channel or relay, by its place ([`NodePlan::receiver`]); of no meaning where none
/// comes.
pub(super) fn arriving<B: Bit>(
    plan: &NodePlan,
    levels: &Levels<'_, B>,
    received: &[B],
    (place, wire): (usize, usize),
) -> B {
    let inputs = plan.switch.inputs.len();
    if place < plan.switches() * inputs && place.is_multiple_of(inputs) {
        let host = plan.host_wires();
        return received[plan.link_wires() + place / inputs * host.from_host() + wire];
    }
    let channels = plan.links.iter().flat_map(|link| {
        let ports = link.channels.iter().flat_map(|channel| &channel.receivers);
        ports.map(move |port| (link, port))
    });
    let mine = channels.filter(|(_, port)| plan.receiver(port.end) == place);
    any(mine.map(|(link, port)| levels.holds(port) & received[link.wires.data.start + wire]))
}
