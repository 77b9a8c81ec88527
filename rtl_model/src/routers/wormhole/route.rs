//! Where a channel leads, and the way a worm takes: read off the plan and the addresses, for hosts
//! and reports. No node looks at it.

use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Trip;
use crate::routers::wormhole::plan::{End, LINES, Plan, Standing, When};

#[cfg(test)]
mod tests;

/// An input channel of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ChannelId {
    /// The node.
    pub node: usize,
    /// Its switch.
    pub switch: usize,
    /// The channel's number in it.
    pub input: usize,
}

/// An output channel that leads from a node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The number of its link, the first one where it leads via relays.
    pub link: usize,
    /// The input channel at the far end.
    pub to: ChannelId,
}

/// A link that a worm crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The node that it leaves.
    pub node: usize,
    /// The link's number there.
    pub link: usize,
    /// Bits that cross: the body, and the header bits that have not been consumed.
    pub bits: usize,
    /// The lanes any of which it takes; this is the first one. 1 where there is no choice.
    pub lanes: usize,
    /// The node that it comes to.
    pub to: usize,
    /// The input channel there; none at a relay.
    pub input: Option<ChannelId>,
}

/// Where everything that sends leads: by its place ([`Plan::sender`]) and where it stands, the link and
/// the end at the other side.
#[derive(Clone, Debug)]
pub(super) struct Leads {
    leads: Vec<Vec<(Option<Standing>, usize, End)>>,
}

impl Leads {
    pub(super) fn of(plan: &Plan) -> Self {
        let senders = plan.switches() * plan.switch.outputs.len() + plan.relays.len();
        let mut leads = vec![Vec::new(); senders];
        for (link, channel) in plan
            .links
            .iter()
            .enumerate()
            .flat_map(|(link, plan)| plan.channels.iter().map(move |channel| (link, channel)))
        {
            for (sender, receiver) in channel.senders.iter().zip(&channel.receivers) {
                leads[plan.sender(sender.end)].push((sender.at, link, receiver.end));
            }
        }
        Leads { leads }
    }
}

impl WormholeMachine {
    /// By line of a switch: whether it stands at level 0 there.
    pub fn at_level_0(&self, node: usize, switch: usize) -> [bool; LINES] {
        let mut lines = [false; LINES];
        for code in &self.plan().levels {
            if let (Some((of, line)), Some(0)) = (code.of, code.level(node)) {
                lines[line] |= of == switch;
            }
        }
        lines
    }

    /// Over which link a node's output channel or relay sends, and to what at the other end; none to the
    /// host.
    pub fn next(&self, node: usize, end: End) -> Option<(usize, End)> {
        let plan = self.plan();
        let leads = self.leads().leads[plan.sender(end)].iter();
        let stands = |at: Standing| plan.levels[at.code].level(node) == Some(at.level);
        leads
            .filter(|(at, ..)| at.is_none_or(stands))
            .map(|&(_, link, end)| (link, end))
            .next()
    }

    /// The relays via which an output channel leads, each with its node, and the input channel
    /// behind them; none to the host.
    pub fn lane(
        &self,
        node: usize,
        switch: usize,
        output: usize,
    ) -> Option<(Vec<(usize, usize)>, ChannelId)> {
        let mut relays = Vec::new();
        let (mut node, mut end) = (
            node,
            End::Switch {
                switch,
                channel: output,
            },
        );
        loop {
            let (link, far) = self.next(node, end)?;
            node = self.wiring().far(node, link);
            end = far;
            match far {
                End::Relay(number) => relays.push((node, number)),
                End::Switch { switch, channel } => {
                    let to = ChannelId {
                        node,
                        switch,
                        input: channel,
                    };
                    return Some((relays, to));
                }
            }
        }
    }

    /// Where an output channel leads; none to the host.
    pub fn lead(&self, node: usize, switch: usize, output: usize) -> Option<Lead> {
        let end = End::Switch {
            switch,
            channel: output,
        };
        let (link, _) = self.next(node, end)?;
        let (_, to) = self.lane(node, switch, output)?;
        Some(Lead { link, to })
    }

    /// The way of a worm that is given to a switch of node `source`, link by link: its header is
    /// read as the switches on its way read it. It ends where the header says, or where the bits
    /// do. Where it may take any of several lanes, it is given the first.
    pub fn way(&self, source: usize, switch: usize, bits: &[bool]) -> Vec<Crossing> {
        let mut way = Vec::new();
        let mut here = ChannelId {
            node: source,
            switch,
            input: 0,
        };
        let mut read = 0;
        let plan = &self.plan().switch;
        while let Some((output, lanes)) = self.chosen(here, bits, &mut read) {
            if plan.outputs[output].to_host {
                break;
            }
            let (mut node, mut end) = (
                here.node,
                End::Switch {
                    switch: here.switch,
                    channel: output,
                },
            );
            let begins = way.len();
            while let Some((link, far)) = self.next(node, end) {
                let to = self.wiring().far(node, link);
                let input = match far {
                    End::Relay(_) => None,
                    End::Switch { switch, channel } => Some(ChannelId {
                        node: to,
                        switch,
                        input: channel,
                    }),
                };
                way.push(Crossing {
                    node,
                    link,
                    bits: bits.len() - read,
                    lanes,
                    to,
                    input,
                });
                (node, end) = (to, far);
                if let Some(place) = input {
                    here = place;
                    break;
                }
            }
            if way.len() == begins {
                break;
            }
        }
        way
    }

    /// The nodes to whose switches a worm comes via a switch of its source, source and
    /// destination among them.
    pub fn path(&self, switch: usize, trip: Trip) -> Vec<usize> {
        let mut bits = self.header(switch, trip);
        bits.push(true);
        let way = self.way(trip.source, switch, &bits);
        let places = way.iter().filter_map(|crossing| crossing.input);
        let nodes = places.map(|place| place.node);
        [trip.source].into_iter().chain(nodes).collect()
    }

    /// The output channel that a header chooses at an input channel, the first one of how many.
    fn chosen(&self, at: ChannelId, bits: &[bool], read: &mut usize) -> Option<(usize, usize)> {
        let input = &self.plan().switch.inputs[at.input];
        let candidates = &input.candidates;
        let mut chosen = candidates.len() - 1;
        for candidate in 0..candidates.len() - 1 {
            let bit = *bits.get(*read)?;
            *read += 1;
            if bit {
                chosen = candidate;
                break;
            }
        }
        let at_level_0 = self.at_level_0(at.node, at.switch)[input.line];
        let holds = |when| match when {
            When::Always => true,
            When::AtLevel0 => at_level_0,
            When::NotAtLevel0 => !at_level_0,
        };
        let mut requests = (candidates[chosen].iter()).filter(|request| holds(request.when));
        let first = requests.next()?.output;
        Some((
            first,
            1 + requests.filter(|request| request.lane > 0).count(),
        ))
    }
}
