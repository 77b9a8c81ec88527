//! What crosses wires: packets, and what is in them.

use std::fmt;
use std::ops::Range;

/// A message, which tells what its bits have to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Message {
    /// From one node to another. Its bits are moved: each is in one place at a time.
    Personal {
        /// The node that has it.
        source: usize,
        /// The node that is to have it.
        destination: usize,
    },
    /// From one node to another via copies, any of which may arrive, and again.
    Flooded {
        /// The node that has it.
        source: usize,
        /// The node that is to have it.
        destination: usize,
    },
    /// From one node to all. Its bits are copied, and every node receives each of them once.
    Broadcast {
        /// The node that has it.
        source: usize,
    },
    /// Sums for one node, to which every node adds its own values. What a node sends, it has no longer.
    PartialSum {
        /// The node that is to have the sums.
        owner: usize,
    },
}

impl Message {
    /// The message in the other direction, if it is from one node to another.
    pub(super) fn reversed(self) -> Message {
        match self {
            Message::Personal {
                source,
                destination,
            } => Message::Personal {
                source: destination,
                destination: source,
            },
            other => other,
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Personal {
                source,
                destination,
            }
            | Message::Flooded {
                source,
                destination,
            } => write!(
                formatter,
                "the message from node {source} to node {destination}"
            ),
            Message::Broadcast { source } => {
                write!(formatter, "the message from node {source} to all")
            }
            Message::PartialSum { owner } => write!(formatter, "the sums for node {owner}"),
        }
    }
}

/// A run of bits of a message, and padding behind it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// Which message.
    pub message: Message,
    /// Which of its bits.
    pub bits: Range<u64>,
    /// How many bits without meaning follow.
    pub padding: u64,
}

impl Run {
    /// How many bits cross the wire for it.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.bits
            .end
            .saturating_sub(self.bits.start)
            .saturating_add(self.padding)
    }
}

/// A packet that crosses a wire.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Send {
    /// The bit time in which its start-up begins.
    pub begin: u64,
    /// Bit times before its first bit.
    pub start_up: u64,
    /// How many bits it has, and so how many bit times they take.
    pub units: u64,
    /// The node that sends it.
    pub from: usize,
    /// The node that receives it.
    pub to: usize,
    /// What is in it. If this is less than `units`, the rest is padding.
    pub items: Vec<Run>,
}

impl Send {
    /// The bit time in which its first bit crosses.
    #[must_use]
    pub fn arrives(&self) -> u64 {
        self.begin.saturating_add(self.start_up)
    }

    /// The first bit time in which the wire is free again, and the packet is there.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.arrives().saturating_add(self.units)
    }
}
