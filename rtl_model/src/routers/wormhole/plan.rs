//! The plan of a node: which channels its switches have, which of them may ask for which, and which
//! wires they share.
//!
//! Node and plan are the same at every address. What depends on the address is a condition that a
//! node works out from its own address bits: at which level of the cube-connected cycles a switch
//! stands.

use std::ops::Range;

use crate::language::register::Name;

#[cfg(test)]
mod tests;

/// Where an input channel may ask for an output channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// In every node.
    Always,
    /// At level 0, which lies behind the dateline: what came in on a straight link has crossed it.
    AtLevel0,
    /// At every other level.
    NotAtLevel0,
}

/// An output channel that an input channel may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The output channel's number in the switch.
    pub output: usize,
    /// Where.
    pub when: When,
}

/// An input channel.
#[derive(Clone, Debug)]
pub struct InputPlan {
    /// What it is called.
    pub name: Name,
    /// By candidate, in the order of the header's questions: the output channels that it may mean.
    pub candidates: Vec<Vec<Request>>,
}

/// An input channel that may ask for an output channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requester {
    /// Its number in the switch.
    pub input: usize,
    /// The candidate by which it asks.
    pub candidate: usize,
    /// Where.
    pub when: When,
}

/// An output channel.
#[derive(Clone, Debug)]
pub struct OutputPlan {
    /// What it is called.
    pub name: Name,
    /// Who may ask for it, in the order of input channels.
    pub requesters: Vec<Requester>,
    /// It leads to the host, which takes every bit: there are no credits.
    pub to_host: bool,
}

/// A switch. Input channel 0 is that of its host; the last output channel is that to its host.
#[derive(Clone, Debug)]
pub struct SwitchPlan {
    /// Its input channels.
    pub inputs: Vec<InputPlan>,
    /// Its output channels.
    pub outputs: Vec<OutputPlan>,
}

impl SwitchPlan {
    /// Works out who may ask for each output channel.
    pub fn new(inputs: Vec<InputPlan>, outputs: &[Name]) -> Self {
        let outputs = outputs
            .iter()
            .enumerate()
            .map(|(output, &name)| OutputPlan {
                name,
                requesters: requesters(&inputs, output),
                to_host: output + 1 == outputs.len(),
            })
            .collect();
        SwitchPlan { inputs, outputs }
    }

    /// The output channel to the host.
    pub fn eject(&self) -> usize {
        self.outputs.len() - 1
    }
}

fn requesters(inputs: &[InputPlan], output: usize) -> Vec<Requester> {
    let mut requesters = Vec::new();
    for (input, plan) in inputs.iter().enumerate() {
        for (candidate, requests) in plan.candidates.iter().enumerate() {
            let when = requests.iter().filter(|request| request.output == output);
            let when = when.map(|request| request.when).reduce(|_, _| When::Always);
            requesters.extend(when.map(|when| Requester {
                input,
                candidate,
                when,
            }));
        }
    }
    requesters
}

/// A channel of a switch, where the switch stands at some level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// Number of the switch in the node.
    pub switch: usize,
    /// Number of the channel in the switch.
    pub channel: usize,
    /// The level at which this holds; none: at all.
    pub level: Option<usize>,
}

/// A virtual channel of a link: at most one of the ports holds at an address.
#[derive(Clone, Debug)]
pub struct ChannelPlan {
    /// The output channel that sends over it.
    pub senders: Vec<Port>,
    /// The input channel that it leads to, at the other end.
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

/// How a switch's level is read off the node's address: level `l` where the address bits of
/// `window` spell `codes[l]`, the first of them being the most significant.
#[derive(Clone, Debug)]
pub struct LevelCode {
    /// Address bits.
    pub window: Vec<usize>,
    /// By level; levels that nothing asks for may be left out at the end.
    pub codes: Vec<usize>,
}

/// A node.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What all its switches are.
    pub switch: SwitchPlan,
    /// By switch.
    pub levels: Vec<LevelCode>,
    /// Its links.
    pub links: Vec<LinkPlan>,
    /// Places of a channel's buffer.
    pub buffer_bits: usize,
    /// At most one new connection in a node in a bit time.
    pub one_setup: bool,
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
        self.levels.len()
    }

    /// So many bit times at the most an arbiter keeps a bit waiting that could go, by turns of
    /// others: the most requesters of one arbiter of a node.
    pub fn arbitration_period(&self) -> u64 {
        let outputs = &self.switch.outputs;
        let requesters = outputs.iter().map(|output| output.requesters.len());
        let channels = self.links.iter().map(|link| link.channels.len());
        let setups = self.one_setup.then_some(self.switches() * outputs.len());
        requesters.chain(channels).chain(setups).max().unwrap_or(1) as u64
    }

    /// Wires of all links.
    pub fn link_wires(&self) -> usize {
        self.links.last().map_or(0, |link| link.wires.end())
    }
}
