//! One bit time after another: what every channel decides from what it holds at the start, and what has
//! changed at the end.

use std::collections::{HashSet, VecDeque};

use super::flits::Flit;
use super::network::Plan;
use super::worm::{self, Worm};
use super::{Outcome, Run, Switch, Variant, Violation};

/// An input channel.
#[derive(Clone, Debug)]
pub struct Input {
    /// What it holds, the front first.
    pub buffer: VecDeque<Flit>,
    /// Free places, as whoever feeds it knows them.
    pub credits: i64,
    /// Candidates declined.
    pub declined: usize,
    /// The candidate that is next has been taken.
    pub taken: bool,
    /// The output channel of that candidate that it has; a relay always has its own.
    pub connected: Option<usize>,
    /// Of the address that is the header, the flits read.
    pub address: Vec<u64>,
    /// What a table had for the address: the output channels any of which the worm may take.
    pub route: Option<Vec<usize>>,
    /// How many flits of the address have been sent again.
    pub repeated: usize,
    /// It is a relay whose tail has left, and that has not given back the credit for it.
    pub owes: bool,
    /// The worm that is in it, and the place of its next flit to come.
    pub owner: Option<(usize, usize)>,
}

/// An output channel.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// The input channel that has it.
    pub connected: Option<usize>,
    /// The input channel that had it last.
    pub last: Option<usize>,
}

/// A host's end of the injection channel.
#[derive(Clone, Debug, Default)]
pub struct Host {
    /// Worms to come.
    pub queue: VecDeque<usize>,
    /// The worm under way, and the place of its next flit.
    pub current: Option<(usize, usize)>,
}

/// What is decided in a bit time.
#[derive(Debug, Default)]
pub struct Decisions {
    /// Input channels that read a header flit.
    pub headers: Vec<usize>,
    /// Input channels that look an address up.
    pub lookups: Vec<usize>,
    /// Output channels granted, and to which input channel.
    pub grants: Vec<(usize, usize)>,
    /// Wire, output channel and input channel of each flit sent.
    pub sends: Vec<(usize, usize, usize)>,
    /// Switches whose hosts send a flit, and the flit.
    pub injections: Vec<(usize, Flit)>,
    /// Relays that give back the credit for a tail.
    pub settles: Vec<usize>,
}

/// A machine under way.
pub struct Model<'a> {
    /// Its network.
    pub plan: &'a Plan,
    /// The mistake planted.
    pub variant: Variant,
    /// All worms.
    pub worms: Vec<Worm>,
    /// All input channels.
    pub inputs: Vec<Input>,
    /// All output channels.
    pub outputs: Vec<Output>,
    /// Each switch's host.
    pub hosts: Vec<Host>,
    /// Output channel that each wire carried last.
    pub wire_last: Vec<Option<usize>>,
    /// Flits that each wire carried.
    pub carried: Vec<u64>,
    /// Output channel that each node granted last, if it grants one at a time.
    pub node_last: Vec<Option<usize>>,
    /// Connections made.
    pub grants: u64,
    /// The bit time.
    pub now: u64,
    /// Worms that have not arrived.
    pub left: usize,
    /// Worms that have left their hosts and not arrived.
    pub in_flight: usize,
    /// Bit times after the first in which nothing moves, in which what is created may still move something.
    pub patience: u64,
}

impl<'a> Model<'a> {
    /// Before bit time 0.
    pub fn new(plan: &'a Plan, worms: Vec<Worm>, variant: Variant) -> Model<'a> {
        let mut hosts = vec![Host::default(); plan.switches.len()];
        for (index, worm) in worms.iter().enumerate() {
            hosts[worm.source].queue.push_back(index);
        }
        let inputs = plan.inputs.iter().map(|input| Input {
            buffer: VecDeque::new(),
            credits: input.places as i64,
            declined: 0,
            taken: false,
            connected: match input.relay {
                true => input.candidates[0].first().copied(),
                false => None,
            },
            address: Vec::new(),
            route: None,
            repeated: 0,
            owes: false,
            owner: None,
        });
        Model {
            plan,
            variant,
            inputs: inputs.collect(),
            outputs: vec![Output::default(); plan.outputs.len()],
            hosts,
            wire_last: vec![None; plan.wires.len()],
            carried: vec![0; plan.wires.len()],
            node_last: vec![None; plan.nodes],
            grants: 0,
            now: 0,
            left: worms.len(),
            in_flight: 0,
            patience: 0,
            worms,
        }
    }

    /// Up to the end, a deadlock or `limit` bit times.
    pub fn run(mut self, limit: u64, messages: usize) -> Result<Run, Violation> {
        let mut deadlock = None;
        // Since when no flit has moved and no connection was made.
        let mut quiet_since = None;
        while self.left > 0 && self.now < limit && deadlock.is_none() {
            let waiting = self.in_flight > 0;
            let decisions = self.decide()?;
            let moves = !(decisions.headers.is_empty()
                && decisions.lookups.is_empty()
                && decisions.grants.is_empty()
                && decisions.sends.is_empty()
                && decisions.injections.is_empty());
            if moves || !waiting {
                quiet_since = None;
            } else {
                quiet_since = quiet_since.or(Some(self.now));
            }
            let is_over = quiet_since.is_some_and(|since| !self.is_more_created(since));
            // A credit that a relay gives back may let another worm go on.
            if !is_over || !decisions.settles.is_empty() {
                self.apply(&decisions)?;
                self.check_credits()?;
                self.now += 1;
            } else {
                let bit_time = quiet_since.unwrap_or(self.now);
                let cycle = (self.waiting_cycle()).ok_or(Violation::Standstill { bit_time })?;
                deadlock = Some(Outcome::Deadlock { bit_time, cycle });
            }
        }
        let outcome = match deadlock {
            Some(deadlock) => deadlock,
            None if self.left > 0 => Outcome::OutOfTime,
            None => Outcome::Done {
                bit_times: self.now,
            },
        };
        for worm in &self.worms {
            if !worm.is_unchanged(self.plan.machine.wire_bits) {
                return Err(Violation::Changed {
                    message: worm.message,
                    piece: worm.piece,
                });
            }
        }
        let wires = self.plan.wires.iter().map(|(wire, _)| *wire);
        Ok(Run {
            outcome,
            arrivals: worm::arrivals(self.worms, messages),
            wires: wires.zip(self.carried).collect(),
            grants: self.grants,
        })
    }

    /// Whether a worm is still to be created that may move something, after nothing has moved since a bit time.
    fn is_more_created(&self, since: u64) -> bool {
        let to_come = self.now + 1..=since.saturating_add(self.patience);
        (self.worms.iter()).any(|worm| to_come.contains(&worm.created))
    }

    fn decide(&self) -> Result<Decisions, Violation> {
        let mut decisions = Decisions::default();
        let mut requests = Vec::new();
        let mut ready = Vec::new();
        for (index, input) in self.inputs.iter().enumerate() {
            if let (true, Some(output)) = (input.owes, input.connected)
                && self.has_all_credits(output)
            {
                decisions.settles.push(index);
            }
            if self.looks_up(index) {
                decisions.lookups.push(index);
                if self.variant != Variant::ReadsDuringLookup {
                    continue;
                }
            }
            if input.buffer.is_empty() {
                continue;
            }
            if !self.asks(index) {
                decisions.headers.push(index);
                continue;
            }
            let Some(output) = input.connected else {
                requests.extend(self.asked(index)?.into_iter().map(|output| (output, index)));
                continue;
            };
            let far = self.plan.outputs[output].far;
            if self.variant == Variant::SendsWithoutCredit
                || far.is_none_or(|far| self.inputs[far].credits > 0)
            {
                ready.push((self.plan.outputs[output].wire, output, index));
            }
        }
        decisions.grants = self.grant(requests);
        decisions.sends = self.carry(ready);
        for (switch, host) in self.hosts.iter().enumerate() {
            decisions.injections.extend(self.inject(switch, host));
        }
        Ok(decisions)
    }

    /// Who gets an output channel, of those that ask for one.
    fn grant(&self, mut requests: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        requests.sort_unstable();
        let mut asked: Vec<&[(usize, usize)]> =
            requests.chunk_by(|one, other| one.0 == other.0).collect();
        if self.variant == Variant::LastLaneFirst {
            asked.reverse();
        }
        let strong = self.plan.machine.switch == Switch::Strong;
        let mut grants = Vec::new();
        let mut granted = HashSet::new();
        for asking in asked {
            let output = asking[0].0;
            // Whoever has a lane already asks for no other; a weak switch gives out one lane only.
            let inputs = asking.iter().map(|(_, input)| *input);
            let inputs = inputs.filter(|input| !strong || !granted.contains(input));
            if self.is_free(output) && inputs.clone().next().is_some() {
                let picked = first_after(self.outputs[output].last, inputs);
                grants.push((output, picked));
                granted.insert(picked);
            }
        }
        if strong {
            return grants;
        }
        let node = |&(output, _): &(usize, usize)| self.plan.outputs[output].channel.node;
        (grants.chunk_by(|one, other| node(one) == node(other)))
            .flat_map(|grants| {
                let outputs = grants.iter().map(|(output, _)| *output);
                let picked = first_after(self.node_last[node(&grants[0])], outputs);
                grants
                    .iter()
                    .copied()
                    .filter(move |grant| grant.0 == picked)
            })
            .collect()
    }

    /// Who gets the wires, of the channels that are ready.
    fn carry(&self, mut ready: Vec<(usize, usize, usize)>) -> Vec<(usize, usize, usize)> {
        if self.variant == Variant::CarriesEveryReadyChannel {
            return ready;
        }
        // A wire's arbiter has an order of its own: its slots'.
        let place = |wire: usize, output: usize| {
            let channels = &self.plan.wires[wire].1;
            channels
                .iter()
                .position(|channel| *channel == output)
                .unwrap_or(0)
        };
        ready.sort_unstable_by_key(|&(wire, output, _)| (wire, place(wire, output)));
        let mut sends = Vec::new();
        for ready in ready.chunk_by(|one, other| one.0 == other.0) {
            let wire = ready[0].0;
            let last = self.wire_last[wire].map(|output| place(wire, output));
            let picked = first_after(
                last,
                ready.iter().map(|&(_, output, _)| place(wire, output)),
            );
            sends.extend(
                ready
                    .iter()
                    .filter(|&&(_, output, _)| place(wire, output) == picked),
            );
        }
        sends
    }

    /// The flit that a host sends.
    fn inject(&self, switch: usize, host: &Host) -> Option<(usize, Flit)> {
        let credits = self.inputs[self.plan.switches[switch].injection].credits;
        let (worm, place) = match host.current {
            Some(current) => current,
            None => {
                let worm = *host.queue.front()?;
                let begins = self.worms[worm].created <= self.now
                    && credits == self.plan.machine.buffer_bits as i64;
                begins.then_some((worm, 0))?
            }
        };
        (credits > 0).then(|| (switch, self.worms[worm].flit(worm, place)))
    }
}

/// A round-robin arbiter: of those that ask, in order, the first behind the one that was granted last,
/// else the first.
fn first_after(last: Option<usize>, asking: impl Iterator<Item = usize> + Clone) -> usize {
    let mut behind = asking
        .clone()
        .filter(|&one| last.is_none_or(|last| one > last));
    let mut all = asking;
    behind.next().or_else(|| all.next()).unwrap_or(0)
}
