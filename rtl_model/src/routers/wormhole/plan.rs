//! The plan of a node: which channels its switches have, which of them may ask for which, and which
//! wires they share.
//!
//! Node and plan are the same at every address. What depends on the address is a condition that a
//! node works out from its own address bits: at which level of the cube-connected cycles, or of its
//! two butterflies, it stands.

use std::ops::Range;

use crate::language::register::Name;

pub use level_code::{LevelCode, Standing};
pub use switch_plan::{
    Addressed, InputPlan, MAX_LINES, OutputPlan, Request, Requester, Selection, SwitchPlan, When,
};

mod level_code;
mod switch_plan;
#[cfg(test)]
mod tests;

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
    /// A link of single data wires that are numbered from 0: [`Network::plan`] moves them behind those of the links
    /// before it.
    ///
    /// [`Network::plan`]: crate::routers::wormhole::network::Network::plan
    pub fn new(name: Name, channels: Vec<ChannelPlan>) -> Self {
        LinkPlan {
            name,
            wires: LinkWires::new(0, channels.len(), 1),
            channels,
        }
    }
}

/// The numbers of a link's wires: what a node drives under the first four the node at the far end
/// receives under them, and `credits` go the other way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkWires {
    /// The data wires: a flit has a bit on each.
    pub data: Range<usize>,
    /// There is a flit on them.
    pub valid: usize,
    /// It is the last one of its worm.
    pub tail: usize,
    /// Whose bit it is: the channel's number, bit 0 first. No wire where there is one channel.
    pub channel: Range<usize>,
    /// By channel: its input channel has given up a bit.
    pub credits: Range<usize>,
}

impl LinkWires {
    /// Wires from number `first` on, of so many channels and flits of so many bits.
    pub fn new(first: usize, channels: usize, wire_bits: usize) -> Self {
        let select = (channels - 1)
            .checked_ilog2()
            .map_or(0, |log| log as usize + 1);
        let data = first..first + wire_bits;
        let channel = data.end + 2..data.end + 2 + select;
        LinkWires {
            valid: data.end,
            tail: data.end + 1,
            data,
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
pub struct NodePlan {
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
    /// Bits of a flit: data wires of a link.
    pub wire_bits: usize,
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

/// Wires between a switch and its host, by number behind the links and those of switches before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostWires {
    /// Bits of a flit.
    pub wire_bits: usize,
}

impl HostWires {
    /// From the host: the flit that goes in.
    #[inline]
    pub fn inject(self) -> Range<usize> {
        0..self.wire_bits
    }

    /// From the host: there is one.
    #[inline]
    pub fn inject_valid(self) -> usize {
        self.wire_bits
    }

    /// From the host: it is the last one of its worm.
    #[inline]
    pub fn inject_tail(self) -> usize {
        self.wire_bits + 1
    }

    /// So many come from the host.
    #[inline]
    pub fn from_host(self) -> usize {
        self.wire_bits + 2
    }

    /// To the host: the flit that comes out.
    #[inline]
    pub fn eject(self) -> Range<usize> {
        0..self.wire_bits
    }

    /// To the host: there is one.
    #[inline]
    pub fn eject_valid(self) -> usize {
        self.wire_bits
    }

    /// To the host: it is the last one of its worm.
    #[inline]
    pub fn eject_tail(self) -> usize {
        self.wire_bits + 1
    }

    /// To the host: the injection channel has given up a flit.
    #[inline]
    pub fn inject_credit(self) -> usize {
        self.wire_bits + 2
    }

    /// So many go to the host.
    #[inline]
    pub fn to_host(self) -> usize {
        self.wire_bits + 3
    }
}

impl NodePlan {
    /// Number of switches.
    #[inline]
    pub fn switches(&self) -> usize {
        self.switches
    }

    /// The wires between a switch and its host.
    #[inline]
    pub fn host_wires(&self) -> HostWires {
        HostWires {
            wire_bits: self.wire_bits,
        }
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
