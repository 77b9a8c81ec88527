//! The plan of a node: which channels its switches have, which of them may ask for which, and which
//! wires they share.
//!
//! Node and plan are the same at every address. What depends on the address is a condition that a
//! node works out from its own address bits: at which level of the cube-connected cycles, or of its
//! two butterflies, it stands.

use std::ops::Range;

use crate::language::register::Name;
use crate::routers::wormhole::space::Space;

pub use level_code::{LevelCode, Standing};

mod level_code;
#[cfg(test)]
mod tests;

/// Where an input channel may ask for an output channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In every node.
    Always,
    /// Where the line of the input channel stands at level 0, which lies behind the dateline: what came
    /// in on a link from the level before has crossed it.
    AtLevel0,
    /// At every other level.
    NotAtLevel0,
    /// Where headers are addresses: if this link brings the worm nearer to its destination.
    Nearer(usize),
    /// Likewise: if order of dimensions takes this link from here; where that is asked, if the wrap of its dimension is ahead, or
    /// if it is not.
    InOrder {
        /// The link.
        link: usize,
        /// Whether the wrap has to be ahead; none where that does not matter.
        wrap_ahead: Option<bool>,
    },
    /// Likewise: at the destination.
    Arrived,
}

impl When {
    /// The destination's address says whether.
    fn is_of_address(self) -> bool {
        matches!(self, When::Nearer(_) | When::InOrder { .. } | When::Arrived)
    }
}

/// An output channel that an input channel may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The output channel's number in the switch.
    pub output: usize,
    /// Where.
    pub when: When,
    /// Of the output channels that a candidate means at one place, any of which will do: its number, in
    /// the order in which they are given out. 0 where it means one.
    pub lane: usize,
}

impl Request {
    /// In every node.
    pub fn always(output: usize) -> Self {
        Request {
            output,
            when: When::Always,
            lane: 0,
        }
    }
}

/// An input channel.
#[derive(Clone, Debug)]
pub struct InputPlan {
    /// What it is called.
    pub name: Name,
    /// By candidate, in the order of the header's questions: the output channels that it may mean.
    pub candidates: Vec<Vec<Request>>,
    /// The line of the switch in which it lies: whose levels its requests mean.
    pub line: usize,
}

impl InputPlan {
    /// The most output channels of which a candidate takes any.
    pub fn lanes(&self) -> usize {
        let requests = self.candidates.iter().flatten();
        1 + requests.map(|request| request.lane).max().unwrap_or(0)
    }
}

/// The most lines of all switches of a node: of a torus its links, of the copies one each.
pub const MAX_LINES: usize = 24;

/// An input channel that may ask for an output channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requester {
    /// Its number in the switch.
    pub input: usize,
    /// The candidate by which it asks.
    pub candidate: usize,
    /// Where.
    pub when: When,
    /// The number of this output channel among those of which it takes any.
    pub lane: usize,
    /// Its place in the arbiter. Who asks at level 0 alone and who asks elsewhere alone may have the same
    /// one: at no address do both ask.
    pub turn: usize,
    /// Its places among the requesters of those with lower numbers, as output channel and place: if one
    /// of them is granted in a bit time, this one is not as well.
    pub yields_to: Vec<(usize, usize)>,
    /// It is one of several lanes of which its input channel selects one.
    pub selects: bool,
}

/// An output channel.
#[derive(Clone, Debug)]
pub struct OutputPlan {
    /// What it is called.
    pub name: Name,
    /// Who may ask for it, in the order of input channels.
    pub requesters: Vec<Requester>,
    /// Places of its arbiter: the most requesters that one address has.
    pub turns: usize,
    /// It leads to the host, which takes every bit: there are no credits.
    pub to_host: bool,
    /// Requesters of the output channels before it.
    pub first_grant: usize,
}

/// A switch. Input channel 0 is that of its host; the last output channel is that to its host.
#[derive(Clone, Debug)]
pub struct SwitchPlan {
    /// Its input channels.
    pub inputs: Vec<InputPlan>,
    /// Its output channels. Of lanes those with lower numbers come first.
    pub outputs: Vec<OutputPlan>,
    /// The most output channels of which a candidate takes any.
    pub lanes: usize,
    /// Where an input channel selects one of its lanes that is free, and asks for no other: those from which one selects, in the order
    /// of preference, as output channel and place among its requesters. Elsewhere it asks for all at once.
    pub selections: Vec<Selection>,
    /// Headers are addresses, and this is what they are addresses in.
    pub addressed: Option<Space>,
}

/// The lanes from which an input channel selects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The number of the input channel.
    pub input: usize,
    /// As output channel and place among its requesters.
    pub lanes: Vec<(usize, usize)>,
}

impl SwitchPlan {
    /// Works out who may ask for each output channel.
    pub fn new(inputs: Vec<InputPlan>, outputs: &[Name]) -> Self {
        let mut first_grant = 0;
        let mut plans: Vec<OutputPlan> = Vec::with_capacity(outputs.len());
        for (output, &name) in outputs.iter().enumerate() {
            let mut requesters = requesters(&inputs, output);
            for one in &mut requesters {
                one.yields_to = lower_lanes(one, &plans);
            }
            let turns = share_turns(&inputs, &mut requesters);
            let first = first_grant;
            first_grant += requesters.len();
            plans.push(OutputPlan {
                name,
                requesters,
                turns,
                to_host: output + 1 == outputs.len(),
                first_grant: first,
            });
        }
        SwitchPlan {
            lanes: inputs.iter().map(InputPlan::lanes).max().unwrap_or(1),
            inputs,
            outputs: plans,
            selections: Vec::new(),
            addressed: None,
        }
    }

    /// The same, whose input channels select one of their lanes.
    #[must_use]
    pub fn selecting(mut self) -> Self {
        let mut selections: Vec<Selection> = Vec::new();
        for (output, plan) in self.outputs.iter_mut().enumerate() {
            for (place, one) in plan.requesters.iter_mut().enumerate() {
                let lower = std::mem::take(&mut one.yields_to);
                let before = |selection: &&mut Selection| -> bool {
                    (selection.lanes.last()).is_some_and(|last| lower.last() == Some(last))
                };
                match selections.iter_mut().find(before) {
                    Some(selection) => selection.lanes.push((output, place)),
                    None => selections.push(Selection {
                        input: one.input,
                        lanes: vec![(output, place)],
                    }),
                }
            }
        }
        selections.retain(|selection: &Selection| selection.lanes.len() > 1);
        for &(output, place) in selections.iter().flat_map(|selection| &selection.lanes) {
            self.outputs[output].requesters[place].selects = true;
        }
        SwitchPlan { selections, ..self }
    }

    /// The same, whose headers are addresses.
    #[must_use]
    pub fn addressed(self, space: Space) -> Self {
        SwitchPlan {
            addressed: Some(space),
            ..self
        }
    }

    /// Lines of the switch.
    pub fn lines(&self) -> usize {
        1 + self
            .inputs
            .iter()
            .map(|input| input.line)
            .max()
            .unwrap_or(0)
    }

    /// The output channel to the host.
    pub fn eject(&self) -> usize {
        self.outputs.len() - 1
    }
}

/// Where an input channel asks for lanes before this one by the same candidate.
fn lower_lanes(one: &Requester, before: &[OutputPlan]) -> Vec<(usize, usize)> {
    // An address says of each link by itself whether it is meant.
    let alike = |of: &Requester| {
        let when = (!of.when.is_of_address()).then_some(of.when);
        (of.input, of.candidate, when)
    };
    let mut lower = Vec::new();
    for (output, plan) in before.iter().enumerate() {
        for (place, other) in plan.requesters.iter().enumerate() {
            if other.lane < one.lane && alike(other) == alike(one) {
                lower.push((output, place));
            }
        }
    }
    lower
}

/// Gives requesters their places in the arbiter, and returns how many there are. At every address those
/// that ask there keep their order, so that they have their turns as if each had a place of its own.
fn share_turns(inputs: &[InputPlan], requesters: &mut [Requester]) -> usize {
    let line = |one: &Requester| inputs[one.input].line;
    let is_of_level = |one: &&Requester| matches!(one.when, When::AtLevel0 | When::NotAtLevel0);
    let mut conditional = requesters.iter().filter(is_of_level);
    let of_line = conditional.next().map(line);
    let [mut at_level_0, mut elsewhere] = [0, 0];
    for one in requesters {
        // Levels of another line say nothing about this one's.
        let when = match of_line == Some(line(one)) {
            true => one.when,
            false => When::Always,
        };
        one.turn = match when {
            When::AtLevel0 => at_level_0,
            When::NotAtLevel0 => elsewhere,
            _ => at_level_0.max(elsewhere),
        };
        if when != When::NotAtLevel0 {
            at_level_0 = one.turn + 1;
        }
        if when != When::AtLevel0 {
            elsewhere = one.turn + 1;
        }
    }
    at_level_0.max(elsewhere)
}

fn requesters(inputs: &[InputPlan], output: usize) -> Vec<Requester> {
    let mut requesters = Vec::new();
    for (input, plan) in inputs.iter().enumerate() {
        for (candidate, requests) in plan.candidates.iter().enumerate() {
            let asked = requests.iter().filter(|request| request.output == output);
            // On this side of the dateline and behind it: everywhere.
            let asked = asked.copied().reduce(|one, _| Request {
                when: When::Always,
                ..one
            });
            requesters.extend(asked.map(|request| Requester {
                input,
                candidate,
                when: request.when,
                lane: request.lane,
                turn: 0,
                yields_to: Vec::new(),
                selects: false,
            }));
        }
    }
    requesters
}

/// What stands at an end of a virtual channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// An output channel of a switch that sends, or an input channel that receives.
    Switch {
        /// Number of the switch in the node.
        switch: usize,
        /// Number of the channel in the switch.
        channel: usize,
    },
    /// A relay, by number.
    Relay(usize),
}

/// An end of a virtual channel, where the node stands at some level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// What is there.
    pub end: End,
    /// Where this holds; none: at every address.
    pub at: Option<Standing>,
}

impl Port {
    /// A channel of switch 0, at every address.
    pub fn lone(channel: usize) -> Self {
        Port {
            end: End::Switch { switch: 0, channel },
            at: None,
        }
    }
}

/// A virtual channel of a link: at most one of the ports of a side holds at an address.
#[derive(Clone, Debug)]
pub struct ChannelPlan {
    /// The output channel or relay that sends over it.
    pub senders: Vec<Port>,
    /// The input channel or relay that each of them leads to, at the other end.
    pub receivers: Vec<Port>,
}

/// A link: one data wire, what tells whose bit is on it, and the credits that come back.
#[derive(Clone, Debug)]
pub struct LinkPlan {
    /// What it is called: its scope in waves.
    pub name: Name,
    /// The channels that share it.
    pub channels: Vec<ChannelPlan>,
    /// Its wires.
    pub wires: LinkWires,
}

impl LinkPlan {
    /// A link whose wires are numbered from 0: [`Network::plan`] moves them behind those of the links
    /// before it.
    ///
    /// [`Network::plan`]: crate::routers::wormhole::network::Network::plan
    pub fn new(name: Name, channels: Vec<ChannelPlan>) -> Self {
        LinkPlan {
            name,
            wires: LinkWires::new(0, channels.len()),
            channels,
        }
    }
}

/// The numbers of a link's wires: what a node drives under the first four the node at the far end
/// receives under them, and `credits` go the other way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkWires {
    /// The data wire.
    pub data: usize,
    /// There is a bit on it.
    pub valid: usize,
    /// It is the last one of its worm.
    pub tail: usize,
    /// Whose bit it is: the channel's number, bit 0 first. No wire where there is one channel.
    pub channel: Range<usize>,
    /// By channel: its input channel has given up a bit.
    pub credits: Range<usize>,
}

impl LinkWires {
    /// Wires from number `first` on.
    pub fn new(first: usize, channels: usize) -> Self {
        let select = (channels - 1)
            .checked_ilog2()
            .map_or(0, |log| log as usize + 1);
        let channel = first + 3..first + 3 + select;
        LinkWires {
            data: first,
            valid: first + 1,
            tail: first + 2,
            credits: channel.end..channel.end + channels,
            channel,
        }
    }

    /// The number behind the last one.
    pub fn end(&self) -> usize {
        self.credits.end
    }
}

/// A relay: it passes the bits of one lane on, from link to link.
#[derive(Clone, Debug)]
pub struct RelayPlan {
    /// What it is called.
    pub name: Name,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What all its switches are.
    pub switch: SwitchPlan,
    /// So many of them.
    pub switches: usize,
    /// Lines of each of them.
    pub lines: usize,
    /// Which levels it tells from its address; all codes have as many levels.
    pub levels: Vec<LevelCode>,
    /// Its relays.
    pub relays: Vec<RelayPlan>,
    /// Its links.
    pub links: Vec<LinkPlan>,
    /// Places of a channel's buffer.
    pub buffer_bits: usize,
    /// At most one new connection in a node in a bit time.
    pub one_setup: bool,
}

#[inline]
fn place(end: End, switches: usize, channels: usize) -> usize {
    match end {
        End::Switch { switch, channel } => switch * channels + channel,
        End::Relay(number) => switches * channels + number,
    }
}

/// Wires between a switch and its host, by number behind the links; those of switch `s` begin at
/// `s` times as many.
pub mod host_wires {
    /// From the host: the bit that goes in.
    pub const INJECT: usize = 0;
    /// From the host: there is one.
    pub const INJECT_VALID: usize = 1;
    /// From the host: it is the last one of its worm.
    pub const INJECT_TAIL: usize = 2;
    /// So many come from the host.
    pub const FROM_HOST: usize = 3;

    /// To the host: the bit that comes out.
    pub const EJECT: usize = 0;
    /// To the host: there is one.
    pub const EJECT_VALID: usize = 1;
    /// To the host: it is the last one of its worm.
    pub const EJECT_TAIL: usize = 2;
    /// To the host: the injection channel has given up a bit.
    pub const INJECT_CREDIT: usize = 3;
    /// So many go to the host.
    pub const TO_HOST: usize = 4;
}

impl Plan {
    /// Number of switches.
    pub fn switches(&self) -> usize {
        self.switches
    }

    /// The place of what sends among the output channels of all switches and, behind them, the relays.
    #[inline]
    pub fn sender(&self, end: End) -> usize {
        place(end, self.switches, self.switch.outputs.len())
    }

    /// The place of what receives among the input channels of all switches and, behind them, the
    /// relays.
    #[inline]
    pub fn receiver(&self, end: End) -> usize {
        place(end, self.switches, self.switch.inputs.len())
    }

    /// So many bit times at the most an arbiter keeps a bit waiting that could go, by turns of
    /// others: the most places of one arbiter of a node.
    pub fn arbitration_period(&self) -> u64 {
        let outputs = &self.switch.outputs;
        let turns = outputs.iter().map(|output| output.turns);
        let channels = self.links.iter().map(|link| link.channels.len());
        let setups = self.one_setup.then_some(self.switches() * outputs.len());
        turns.chain(channels).chain(setups).max().unwrap_or(1) as u64
    }

    /// Wires of all links.
    pub fn link_wires(&self) -> usize {
        self.links.last().map_or(0, |link| link.wires.end())
    }
}
