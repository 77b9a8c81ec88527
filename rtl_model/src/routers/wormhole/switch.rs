//! A switch: input channels, output channels, and who owns which.
//!
//! ```text
//!   injection ----[input channel]--+
//!   straight_in ->[input channel]--+--x--x--x
//!   cross_in ---->[input channel]--+--x--x--x       x: where the plan lets one ask for the other
//!                                     |  |  |
//!                           arbiter  [o][o][o]  credits
//!                                     |  |  +--> eject
//!                                     |  +--> cross
//!                                     +--> straight
//! ```
//!
//! An output channel is free if no input channel is connected to it and all its credits are there,
//! so that the buffer that it feeds is empty: then it may be granted to one that asks. Ownership is
//! stored once, at the input channel.
//!
//! Where an input channel takes any of several output channels, *lanes*, it asks for all of them at
//! once. Their arbiters decide one behind the other in the same bit time, and an input channel that the
//! first has granted does not count for the second: a matching, however many ask.
//!
//! ```text
//!   requests --+-----------------> [arbiter of lane 0] --> grants --+-->
//!              +--& not granted <-----------------------------------+
//!              +-----> & --------> [arbiter of lane 1] --> grants ----->
//! ```
//!
//! Hypercubes, tori and meshes have more lanes than arbiters could decide on one behind the other: there an input channel *selects*
//! the first of its lanes that is free, and asks for no other in that bit time. Whoever comes off badly selects again.
//!
//! ```text
//!   lanes that would do --& free--> [first one] --> requests, one at the most --> [arbiter of each lane]
//! ```

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::language::bit::{Bit, any};
use crate::language::register::{Name, Registers, Visitor};
use crate::registers;
use crate::routers::wormhole::ahead::Ahead;
use crate::routers::wormhole::credits::Credits;
use crate::routers::wormhole::input_channel::{Arrival, InputChannel};
use crate::routers::wormhole::levels::Here;
use crate::routers::wormhole::plan::{Addressed, Requester, SwitchPlan, When};
use crate::routers::wormhole::round_robin::{Grants, RoundRobin};
use crate::routers::wormhole::routing_table::RoutingTable;

mod selection;

/// The most channels of one kind in a node.
pub const MAX_CHANNELS: usize = 128;

/// The most input channels that may ask for one output channel: those of 64 channels of links, and the host's.
const MAX_REQUESTERS: usize = 65;

/// The most lanes of all input channels of a switch together, as many for each as for the one that has most.
const MAX_LANES: usize = MAX_REQUESTERS * MAX_REQUESTERS;

/// The most requesters of all output channels of a switch that has lanes.
const MAX_GRANTS: usize = MAX_REQUESTERS * MAX_REQUESTERS;

/// By output channel and requester.
type Asked<B> = ArrayVec<B, MAX_GRANTS>;

/// One bit an input or output channel.
pub type Channels<B> = ArrayVec<B, MAX_CHANNELS>;

/// An output channel.
#[derive(Clone, Debug)]
pub struct OutputChannel<B: Bit> {
    credits: Option<Credits<B>>,
    arbiter: RoundRobin<B>,
}

registers!(OutputChannel {
    credits: "free places in the buffer that it feeds, in unary",
    arbiter: "whose turn comes after the one last granted"
});

/// What stands at an output channel: the front flit of the input channel that owns it.
#[derive(Clone, Copy, Debug)]
pub struct Offer<B> {
    /// An input channel owns it.
    pub owned: B,
    /// That one holds a flit.
    pub holds_bit: B,
    /// Its bit 0.
    pub bit: B,
    /// It is the last one of its worm.
    pub tail: B,
}

/// The switch.
#[derive(Clone, Debug)]
pub struct Switch<B: Bit> {
    plan: Arc<SwitchPlan>,
    inputs: Vec<InputChannel<B>>,
    outputs: Vec<OutputChannel<B>>,
}

impl<B: Bit> Switch<B> {
    /// An idle one whose channels have buffers of so many places for flits of `width` bits.
    pub fn new(plan: &Arc<SwitchPlan>, (places, width): (usize, usize)) -> Self {
        let inputs = plan.inputs.iter();
        let outputs = plan.outputs.iter();
        Switch {
            inputs: inputs
                .map(|input| {
                    let channel =
                        InputChannel::new((places, width), input.candidates.len(), input.lanes());
                    match plan.addressed {
                        None => channel,
                        Some(Addressed::Compared(space)) => channel.addressed(space.address_bits()),
                        Some(Addressed::LookedUp(size)) => channel.looked_up(size),
                    }
                })
                .collect(),
            outputs: outputs
                .map(|output| OutputChannel {
                    credits: (!output.to_host).then(|| Credits::new(places)),
                    arbiter: RoundRobin::new(output.turns),
                })
                .collect(),
            plan: Arc::clone(plan),
        }
    }

    /// What it is built from.
    pub fn plan(&self) -> &SwitchPlan {
        &self.plan
    }

    /// Input channel `number`.
    #[inline]
    pub fn input(&self, number: usize) -> &InputChannel<B> {
        &self.inputs[number]
    }

    fn requesters(&self, output: usize) -> &[Requester] {
        &self.plan.outputs[output].requesters
    }

    /// Whether a requester means this output channel, `here`.
    #[inline]
    pub fn means(&self, requester: &Requester, here: Here<'_, B>) -> B {
        let input = &self.inputs[requester.input];
        let asks = input.asks_for(requester.candidate);
        let plan = &self.plan.inputs[requester.input];
        let named = || {
            asks.named(format_args!(
                "{}_candidate_{}",
                plan.name, requester.candidate
            ))
        };
        match (requester.when, self.plan.addressed, input.destination()) {
            (When::Always, ..) => asks,
            (When::AtLevel0, ..) => named() & here.at_level_0[plan.line],
            (When::NotAtLevel0, ..) => named() & !here.at_level_0[plan.line],
            (When::Entry(entry), ..) => B::within(plan.name, || {
                input
                    .is_routed_by(entry)
                    .named(format_args!("has_entry_{entry}"))
            }),
            (when, Some(Addressed::Compared(space)), Some(to)) => {
                let own = here.address;
                let ahead = Ahead { space, own, to };
                B::within(plan.name, || input.asks() & ahead.holds(when))
            }
            _ => unreachable!("a condition of an address where headers are none"),
        }
    }

    /// Whether a requester means this output channel, and none with a lower number as well; none where it never is the first.
    pub fn means_first(&self, output: usize, one: &Requester, here: Here<'_, B>) -> Option<B> {
        let means = self.means(one, here);
        if !matches!(self.plan.addressed, Some(Addressed::Compared(_))) {
            return (one.lane == 0).then_some(means);
        }
        let lower = self.plan.outputs[..output].iter();
        let lower = lower.flat_map(|plan| &plan.requesters);
        let lower = lower.filter(|other| other.input == one.input);
        Some(means & !any(lower.map(|other| self.means(other, here))))
    }

    /// Whether a requester of an output channel means it.
    #[inline]
    fn means_output(&self, output: usize, requester: &Requester, here: Here<'_, B>) -> B {
        let (from, to) = (
            &self.plan.inputs[requester.input],
            &self.plan.outputs[output],
        );
        self.means(requester, here)
            .named(format_args!("{}_means_{}", from.name, to.name))
    }

    /// Whether a requester of an output channel owns it.
    #[inline]
    pub fn owns(&self, output: usize, requester: &Requester, here: Here<'_, B>) -> B {
        let (from, to) = (
            &self.plan.inputs[requester.input],
            &self.plan.outputs[output],
        );
        let connected = self.inputs[requester.input].connected_to(requester.lane);
        // An address goes round while it is sent on, and every output channel is a lane of its own.
        let means = match self.plan.addressed {
            Some(Addressed::Compared(_)) => B::ONE,
            _ => self.means_output(output, requester, here),
        };
        (connected & means).named(format_args!("{}_owns_{}", from.name, to.name))
    }

    /// Whether a requester of an output channel requests it.
    #[inline]
    fn requests_output(&self, output: usize, requester: &Requester, here: Here<'_, B>) -> B {
        let (from, to) = (
            &self.plan.inputs[requester.input],
            &self.plan.outputs[output],
        );
        let requests = B::within(from.name, || self.inputs[requester.input].requests());
        (requests & self.means_output(output, requester, here))
            .named(format_args!("{}_requests_{}", from.name, to.name))
    }

    /// What stands at an output channel.
    #[inline]
    pub fn offer(&self, output: usize, here: Here<'_, B>) -> Offer<B> {
        let requesters = self.requesters(output);
        let owns: ArrayVec<B, MAX_REQUESTERS> = requesters
            .iter()
            .map(|requester| self.owns(output, requester, here))
            .collect();
        let of_owner = |value: fn(&InputChannel<B>) -> B| {
            let owned = owns.iter().zip(requesters);
            any(owned.map(|(&owns, requester)| {
                let name = self.plan.inputs[requester.input].name;
                owns & B::within(name, || value(&self.inputs[requester.input]))
            }))
        };
        B::within(self.plan.outputs[output].name, || Offer {
            owned: any(owns.iter().copied()).named("owned"),
            holds_bit: of_owner(InputChannel::holds_bit).named("holds_bit"),
            bit: of_owner(|input| input.front(0)).named("bit"),
            tail: of_owner(InputChannel::front_is_tail).named("tail"),
        })
    }

    /// Bit `wire` of what stands at an output channel, as [`Switch::offer`] has bit 0.
    #[inline]
    pub fn offered(&self, output: usize, here: Here<'_, B>, wire: usize) -> B {
        let owners = self.requesters(output).iter().map(|requester| {
            let name = self.plan.inputs[requester.input].name;
            let front = || self.inputs[requester.input].front(wire);
            self.owns(output, requester, here) & B::within(name, front)
        });
        any(owners)
    }

    /// It has a credit.
    #[inline]
    pub fn has_credit(&self, output: usize) -> B {
        let credits = self.outputs[output].credits.as_ref();
        credits.map_or(B::ONE, Credits::any)
    }

    /// It may be granted, if it is not `owned`.
    #[inline]
    pub fn free(&self, output: usize, owned: B) -> B {
        let credits = self.outputs[output].credits.as_ref();
        let free = credits.map_or(B::ONE, Credits::all) & !owned;
        free.named(format_args!("{}_free", self.plan.outputs[output].name))
    }

    /// Who of its requesters asks for it: those that have `selected` it; of others all that mean it, but for those that were `granted`
    /// lanes with lower numbers, by output channel and requester.
    #[inline]
    fn asked(
        &self,
        output: usize,
        here: Here<'_, B>,
        (selected, granted): (&[B], &[B]),
    ) -> ArrayVec<B, MAX_REQUESTERS> {
        let plan = &self.plan.outputs[output];
        let asked = plan
            .requesters
            .iter()
            .enumerate()
            .map(|(place, requester)| {
                if requester.selects {
                    return selected[plan.first_grant + place];
                }
                let requests = self.requests_output(output, requester, here);
                if requester.yields_to.is_empty() {
                    return requests;
                }
                let yields_to = requester.yields_to.iter();
                let granted = any(yields_to.map(|&(output, place)| {
                    granted[self.plan.outputs[output].first_grant + place]
                }));
                let input = self.plan.inputs[requester.input].name;
                (requests & !granted).named(format_args!("{input}_still_requests_{}", plan.name))
            });
        asked.collect()
    }

    /// To which of its arbiter's places it is granted, where `enable` is 1.
    #[inline]
    fn grants(&self, output: usize, enable: B, asked: &[B]) -> Grants<B, MAX_REQUESTERS> {
        let requesters = self.requesters(output);
        let shared = self.shares_turns(output);
        let of_turn = |turn: usize| {
            let mine = requesters.iter().zip(asked);
            any(mine.filter_map(|(one, &asked)| (one.turn == turn).then_some(asked)))
        };
        B::within(self.plan.outputs[output].name, || {
            let arbiter = &self.outputs[output].arbiter;
            arbiter.grants(enable, |turn| match shared {
                false => asked[turn],
                true => of_turn(turn),
            })
        })
    }

    /// Fewer places of its arbiter than requesters.
    #[inline]
    fn shares_turns(&self, output: usize) -> bool {
        let output = &self.plan.outputs[output];
        output.turns < output.requesters.len()
    }

    /// Whether it is granted to the requester at a place, which `asked` for it, where `turns` are granted.
    #[inline]
    fn granted(&self, output: usize, place: usize, asked: B, turns: &[B]) -> B {
        if !self.shares_turns(output) {
            return turns[place];
        }
        // At no address do two ask in one turn, so that what is granted is whose request it is.
        let requester = &self.requesters(output)[place];
        let input = self.plan.inputs[requester.input].name;
        let output = self.plan.outputs[output].name;
        (asked & turns[requester.turn]).named(format_args!("{output}_granted_to_{input}"))
    }

    /// By output channel: somebody asks for it, of those that are `free`.
    #[inline]
    pub fn requested(&self, here: Here<'_, B>, free: &[B]) -> Channels<B> {
        let mut selected = Asked::new();
        self.select(here, free, &mut selected);
        let requested = self.plan.outputs.iter().enumerate().map(|(output, plan)| {
            let requesters = plan.requesters.iter().enumerate();
            let requests = requesters.map(|(place, requester)| match requester.selects {
                true => selected[plan.first_grant + place],
                false => self.requests_output(output, requester, here),
            });
            any(requests).named(format_args!("{}_requested", plan.name))
        });
        requested.collect()
    }

    /// By input channel: its front bit goes out in this bit time, where `sent` says so of output
    /// channels.
    #[inline]
    pub fn leaves(&self, here: Here<'_, B>, sent: &[B]) -> ArrayVec<B, MAX_REQUESTERS> {
        let mut leaves: ArrayVec<B, MAX_REQUESTERS> = self.inputs.iter().map(|_| B::ZERO).collect();
        for (output, &sent) in sent.iter().enumerate() {
            for requester in self.requesters(output) {
                let goes = sent & self.owns(output, requester, here);
                leaves[requester.input] = leaves[requester.input] | goes;
            }
        }
        for (leaves, input) in leaves.iter_mut().zip(&self.plan.inputs) {
            *leaves = leaves.named(format_args!("{}_leaves", input.name));
        }
        leaves
    }

    /// The clock edge. By output channel: a bit was `sent`, a credit was `returned`, it is `free`, and it
    /// `may_be_granted`; by input channel what arrives, and by wire as well its bits; `table` is that of the node, if it has one.
    #[inline]
    pub fn clock(
        &mut self,
        here: Here<'_, B>,
        (sent, returned): (&[B], &[B]),
        (free, may_be_granted): (&[B], &[B]),
        (arrivals, arriving): (&[Arrival<B>], impl Fn(usize, usize) -> B),
        table: Option<&RoutingTable<B>>,
    ) {
        let leaves = self.leaves(here, sent);
        // By input channel and lane, and by output channel and requester.
        let lanes = self.plan.lanes;
        let mut granted: ArrayVec<B, MAX_LANES> =
            (0..lanes * self.inputs.len()).map(|_| B::ZERO).collect();
        let (mut selected, mut all_grants) = (Asked::new(), Asked::new());
        self.select(here, free, &mut selected);
        for (output, &may_be_granted) in may_be_granted.iter().enumerate() {
            let asked = self.asked(output, here, (&selected, &all_grants));
            let turns = self.grants(output, may_be_granted, &asked);
            for (place, requester) in self.requesters(output).iter().enumerate() {
                let grant = self.granted(output, place, asked[place], &turns);
                let granted = &mut granted[requester.input * lanes + requester.lane];
                *granted = *granted | grant;
                if lanes > 1 && self.plan.selections.is_empty() {
                    all_grants.push(grant);
                }
            }
            B::within(self.plan.outputs[output].name, || {
                self.outputs[output].arbiter.clock::<MAX_REQUESTERS>(&turns);
            });
        }
        for (output, channel) in self.outputs.iter_mut().enumerate() {
            if let Some(credits) = &mut channel.credits {
                B::within(self.plan.outputs[output].name, || {
                    credits.clock(sent[output], returned[output]);
                });
            }
        }
        for (number, input) in self.inputs.iter_mut().enumerate() {
            B::within(self.plan.inputs[number].name, || {
                let granted = &mut granted[number * lanes..][..self.plan.inputs[number].lanes()];
                match granted {
                    [granted] => *granted = granted.named("granted"),
                    _ => granted.iter_mut().enumerate().for_each(|(lane, granted)| {
                        *granted = granted.named(format_args!("granted_{lane}"));
                    }),
                }
                let bit = |wire| arriving(number, wire);
                input.clock(leaves[number], granted, (arrivals[number], bit), table);
            });
        }
    }

    /// Shows its channels, each under its own name, without a scope of the switch's.
    pub fn visit_channels(&self, visitor: &mut dyn Visitor<B>) {
        for (plan, input) in self.plan.inputs.iter().zip(&self.inputs) {
            input.visit(plan.name, visitor);
        }
        for (plan, output) in self.plan.outputs.iter().zip(&self.outputs) {
            output.visit(plan.name, visitor);
        }
    }
}

impl<B: Bit> Registers<B> for Switch<B> {
    fn visit(&self, name: Name, visitor: &mut dyn Visitor<B>) {
        visitor.enter(name, "Switch");
        self.visit_channels(visitor);
        visitor.leave();
    }

    #[inline]
    fn visit_mut(&mut self, visitor: &mut dyn FnMut(&mut B)) {
        for input in &mut self.inputs {
            input.visit_mut(visitor);
        }
        for output in &mut self.outputs {
            output.visit_mut(visitor);
        }
    }
}
