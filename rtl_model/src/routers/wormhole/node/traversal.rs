//! What moves in a bit time: which output channels and relays send, which input channels and relays give
//! a bit up, and which output channels may be granted.

use arrayvec::ArrayVec;

use crate::language::bit::Bit;
use crate::language::register::Name;
use crate::routers::wormhole::levels::Levels;
use crate::routers::wormhole::node::{MAX_LINK_CHANNELS, WormholeNode};
use crate::routers::wormhole::switch::{Channels, MAX_CHANNELS, Offer};
use crate::routers::wormhole::switch_names::in_switch;

/// What moves in a bit time.
pub struct Traversal<B: Bit> {
    /// By output channel of all switches, then by relay: what stands there.
    pub offers: ArrayVec<Offer<B>, MAX_CHANNELS>,
    /// It has a bit to send, and room for it.
    pub ready: Channels<B>,
    /// It sends.
    pub sent: Channels<B>,
    /// By channel of all links: it has the link's wire.
    pub granted: Channels<B>,
}

impl<B: Bit> WormholeNode<B> {
    /// So many output channels and relays.
    pub(super) fn senders(&self) -> usize {
        self.switches.len() * self.outputs() + self.relays.len()
    }

    /// So many input channels and relays.
    pub(super) fn receivers(&self) -> usize {
        self.switches.len() * self.plan.switch.inputs.len() + self.relays.len()
    }

    /// Does something with the name of an output channel or relay, in its switch.
    #[inline]
    pub(super) fn of_sender<T>(&self, place: usize, logic: impl FnOnce(Name) -> T) -> T {
        let outputs = self.outputs();
        match place.checked_sub(self.switches.len() * outputs) {
            None => in_switch::<B, _>(&self.plan, place / outputs, || {
                logic(self.plan.switch.outputs[place % outputs].name)
            }),
            Some(relay) => logic(self.plan.relays[relay].name),
        }
    }

    /// What moves in this bit time.
    #[inline]
    pub fn traversal(&self, levels: &Levels<'_, B>) -> Traversal<B> {
        let mut traversal = Traversal {
            offers: ArrayVec::new(),
            ready: Channels::new(),
            sent: Channels::new(),
            granted: Channels::new(),
        };
        let outputs = self.outputs();
        for (number, switch) in self.switches.iter().enumerate() {
            let here = levels.here(number);
            for output in 0..outputs {
                let (offer, ready) = in_switch::<B, _>(&self.plan, number, || {
                    let offer = switch.offer(output, here);
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
        for (relay, plan) in self.relays.iter().zip(&self.plan.relays) {
            let holds_bit = relay.holds_bit();
            traversal.offers.push(B::within(plan.name, || Offer {
                owned: holds_bit,
                holds_bit,
                bit: relay.front(0),
                tail: relay.front_is_tail(),
            }));
            let ready = holds_bit & relay.has_credit();
            let ready = ready.named(format_args!("{}_ready", plan.name));
            traversal.ready.push(ready);
            traversal.sent.push(B::ZERO);
        }
        for (link, arbiter) in self.plan.links.iter().zip(&self.wire_arbiters) {
            let grants = B::within(link.name, || {
                arbiter.grants::<MAX_LINK_CHANNELS>(B::ONE, |channel| {
                    levels.select(&link.channels[channel].senders, |port| {
                        traversal.ready[self.plan.sender(port.end)]
                    })
                })
            });
            for (channel, &grant) in link.channels.iter().zip(&grants) {
                for port in &channel.senders {
                    let sent = &mut traversal.sent[self.plan.sender(port.end)];
                    *sent = *sent | levels.holds(port) & grant;
                }
            }
            traversal.granted.extend(grants);
        }
        for (place, sent) in traversal.sent.iter_mut().enumerate() {
            *sent = self.of_sender(place, |name| sent.named(format_args!("{name}_sends")));
        }
        traversal
    }

    /// By input channel of all switches, then by relay: a credit goes back to whoever feeds it. An input
    /// channel gives up a bit in this bit time; a relay may owe the credit for it.
    #[inline]
    pub(super) fn given_up(&self, levels: &Levels<'_, B>, sent: &[B]) -> Channels<B> {
        let mut given_up = Channels::new();
        for (number, switch) in self.switches.iter().enumerate() {
            let sent = &sent[number * self.outputs()..][..self.outputs()];
            in_switch::<B, _>(&self.plan, number, || {
                let leaves = switch.leaves(levels.here(number), sent);
                let names = self.plan.switch.inputs.iter().map(|input| input.name);
                for ((input, leaves), name) in leaves.into_iter().enumerate().zip(names) {
                    given_up.push(B::within(name, || switch.input(input).gives_up(leaves)));
                }
            });
        }
        let first = self.switches.len() * self.outputs();
        for (number, (relay, plan)) in self.relays.iter().zip(&self.plan.relays).enumerate() {
            given_up.push(B::within(plan.name, || {
                relay.gives_back(sent[first + number])
            }));
        }
        given_up
    }

    /// By output channel of all switches: nobody owns it, and the buffer ahead is empty.
    #[inline]
    pub(super) fn free(&self, offers: &[Offer<B>]) -> Channels<B> {
        let outputs = self.outputs();
        let offers = offers[..self.switches.len() * outputs].iter();
        (offers.enumerate())
            .map(|(place, offer)| {
                let (switch, output) = (place / outputs, place % outputs);
                in_switch::<B, _>(&self.plan, switch, || {
                    self.switches[switch].free(output, offer.owned)
                })
            })
            .collect()
    }

    /// By output channel of all switches: it is the one that may be granted in this bit time; none
    /// where any number may.
    #[inline]
    pub(super) fn setup(&self, levels: &Levels<'_, B>, free: &[B]) -> Option<Channels<B>> {
        let outputs = self.outputs();
        self.setup_arbiter.as_ref().map(|arbiter| {
            let requested = self
                .switches
                .iter()
                .enumerate()
                .flat_map(|(number, switch)| {
                    let free = &free[number * outputs..][..outputs];
                    in_switch::<B, _>(&self.plan, number, || {
                        switch.requested(levels.here(number), free)
                    })
                });
            let requested: Channels<B> = requested.collect();
            let request = |place: usize| free[place] & requested[place];
            B::within("setup", || arbiter.grants(B::ONE, request))
        })
    }
}
