//! The wires between a node and its host, and what is on them.
//!
//! ```text
//!   node                                        host
//!     take, bit    of each channel            ==>   what has arrived in the bit time before
//!     group, tree  of each channel            ==>   which packet is going to come, in the first bit time of a step
//!     sending, receiving, violation           ==>   which ports are busy, in the same bit time
//!     ask, ask_first, ask_group, ask_rotation ==>   the bit that the node is going to send in the next bit time
//!     supply       of each channel            <==   that bit
//! ```
//!
//! Where the source has the message in its memory, it asks for nothing, and the last two lines are not there.
//!
//! Packet `group * trees + tree` is meant. A channel is what can come to a node, or leave the source, in one bit time: one
//! packet where a node receives one at a time, `n` of them, one a port, elsewhere. Of what is asked for, channel `c` is to be
//! of tree `(c + rotation) mod trees`.

use crate::machine::topology::hosted::{HostPort, HostedHypercube};
use crate::machine::topology::hypercube::Dimensions;
use crate::parts::counter::width_for;

/// Where the wires are, by number among those that a node drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostWires {
    /// Dimensions, which are the first wires.
    pub dimensions: usize,
    /// Channels.
    pub channels: usize,
    /// Trees.
    pub trees: usize,
    /// Bits of the number of a group.
    pub group_bits: usize,
    /// Bits of the number of a tree; none where there is one.
    pub tree_bits: usize,
    /// The source's host supplies what it sends, bit by bit.
    pub is_supplied: bool,
}

impl HostWires {
    /// Of a cube, for so many channels, trees, and groups of packets.
    pub(super) fn new(
        cube: Dimensions,
        channels: usize,
        (trees, groups): (usize, usize),
        is_supplied: bool,
    ) -> Self {
        HostWires {
            is_supplied,
            dimensions: cube.count(),
            channels,
            trees,
            group_bits: width_for(groups as u32 - 1),
            tree_bits: match trees {
                1 => 0,
                _ => width_for(trees as u32 - 1),
            },
        }
    }

    /// A bit is there for the host to take.
    pub fn take(&self, channel: usize) -> usize {
        self.dimensions + channel
    }

    /// That bit.
    pub fn bit(&self, channel: usize) -> usize {
        self.take(self.channels) + channel
    }

    /// Bits of the number of the group that the packet on a channel is of.
    pub fn group(&self, channel: usize) -> usize {
        self.bit(self.channels) + channel * self.group_bits
    }

    /// Bits of the number of its tree.
    pub fn tree(&self, channel: usize) -> usize {
        self.group(self.channels) + channel * self.tree_bits
    }

    /// The port sends in this step.
    pub fn sending(&self, port: usize) -> usize {
        self.tree(self.channels) + port
    }

    /// The port receives in this step.
    pub fn receiving(&self, port: usize) -> usize {
        self.sending(self.dimensions) + port
    }

    /// More ports are busy than may be.
    pub fn violation(&self) -> usize {
        self.receiving(self.dimensions)
    }

    /// The node is going to send a bit of its host's.
    pub fn ask(&self) -> usize {
        self.violation() + 1
    }

    /// The first of a packet.
    pub fn ask_first(&self) -> usize {
        self.ask() + 1
    }

    /// Bits of the number of its group.
    pub fn ask_group(&self) -> usize {
        self.ask_first() + 1
    }

    /// Bits of the number by which trees are rotated.
    pub fn ask_rotation(&self) -> usize {
        self.ask_group() + self.group_bits
    }

    /// Wires that a node drives.
    pub fn driven(&self) -> usize {
        match self.is_supplied {
            true => self.ask_rotation() + self.tree_bits,
            false => self.ask(),
        }
    }

    /// Wires from the host: a channel each.
    pub fn supplied(&self) -> usize {
        match self.is_supplied {
            true => self.channels,
            false => 0,
        }
    }

    /// The network.
    pub(super) fn network(&self, cube: Dimensions) -> HostedHypercube {
        let mut to_host = Vec::new();
        let mut add = |name: String, width| {
            if width > 0 {
                to_host.push(HostPort { name, width });
            }
        };
        add("take".to_owned(), self.channels);
        add("bit".to_owned(), self.channels);
        for channel in 0..self.channels {
            add(self.of_channel("group", channel), self.group_bits);
        }
        for channel in 0..self.channels {
            add(self.of_channel("tree", channel), self.tree_bits);
        }
        add("sending".to_owned(), self.dimensions);
        add("receiving".to_owned(), self.dimensions);
        add("violation".to_owned(), 1);
        if !self.is_supplied {
            return HostedHypercube::new(cube, to_host, Vec::new());
        }
        add("ask".to_owned(), 1);
        add("ask_first".to_owned(), 1);
        add("ask_group".to_owned(), self.group_bits);
        add("ask_rotation".to_owned(), self.tree_bits);
        let supply = HostPort {
            name: "supply".to_owned(),
            width: self.supplied(),
        };
        HostedHypercube::new(cube, to_host, vec![supply])
    }

    fn of_channel(&self, what: &str, channel: usize) -> String {
        match self.channels {
            1 => what.to_owned(),
            _ => format!("{what}_{channel}"),
        }
    }
}
