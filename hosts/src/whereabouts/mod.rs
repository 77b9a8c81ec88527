//! Who is where: which message the bits in a register or on a wire are of, in every bit time.
//!
//! No register says so. Routing does not depend on payloads, and that is what tells: *shadow machines* run side by side, each
//! loaded with the same traffic but with payloads of its own (`shadows`). Where they differ lies a payload bit, and what it
//! is in each of them spells the number of its message:
//!
//! ```text
//!   payloads all 0      0  |                          header bits are the same in all of them
//!   payloads all 1      1  |  they differ here:
//!   bit 0 of number     0  |  a payload bit,
//!   bit 1 of number     1  |  of number 2
//! ```
//!
//! A message is *in* a module from when the first of its payload bits comes into the module's registers until the last one has
//! gone on; what they leave behind there is nobody's (`route`). It is *on* a wire while its payload bits cross, whether
//! somebody takes them or not, and while the header bits cross that go before them without a pause (`header`). Nothing of
//! this is hardware, and nothing steers: names in waves, the choice of what is shown, and pictures come out of it.

mod by_owner;
mod carried;
mod choice;
mod copies;
mod drawn;
mod header;
pub mod named;
mod route;
mod rows;
mod seen;
mod shadows;
mod stays;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rtl_model::machine::router::Position;
use rtl_model::machine::topology::Topology;

use crate::trail::{Hop, LONGEST_PAUSE, Trail, with_pauses};
use crate::whereabouts::by_owner::ByOwner;
pub use crate::whereabouts::carried::Carried;
pub use crate::whereabouts::choice::{Choice, Wanted, roles};
pub use crate::whereabouts::shadows::{find, takes_long};
pub use crate::whereabouts::stays::{ByLocation, Location, Stay};

/// The most nodes of which all messages are followed: there are as many shadow machines as a message's number has bits, and
/// two more, and each ticks.
pub const MOST_NODES: usize = 1 << 14;

/// A message that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// `source->destination`, by the names of nodes; where a node sends several, with `/` and its slot behind it.
    pub name: String,
    /// The node that sends it.
    pub source: usize,
    /// The node that it is for.
    pub destination: usize,
}

/// Where all messages of a run are, all the time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// The messages, by number.
    pub messages: Vec<Sent>,
    /// The modules of a node that payload bits are ever in, at any node: the names of the modules on the way to it and its own.
    pub modules: Vec<Vec<String>>,
    /// The wires of a node, by number: whether payload bits ever cross there.
    pub wires: Vec<bool>,
    /// By message, in order of time.
    stays: ByOwner<Stay>,
    /// Where the schedule stands, by bit time.
    pub positions: Vec<Position>,
    /// By number of node and wire, which node receives.
    receivers: Vec<Vec<u32>>,
}

impl Whereabouts {
    /// Of stays in any order.
    fn new(
        messages: Vec<Sent>,
        modules: Vec<Vec<String>>,
        stays: Vec<Stay>,
        positions: Vec<Position>,
        receivers: Vec<Vec<u32>>,
    ) -> Self {
        let of_message = |stay: &Stay| (stay.message as usize, *stay);
        let mut by_message = ByOwner::of(stays.iter().map(of_message), messages.len());
        drop(stays);
        by_message.sort_by_key(|stay| *stay);
        let mut wires = vec![false; receivers.first().map_or(0, Vec::len)];
        for stay in by_message.all() {
            if let Location::Wire(wire) = stay.location {
                wires[usize::from(wire)] = true;
            }
        }
        Whereabouts {
            messages,
            modules,
            wires,
            stays: by_message,
            positions,
            receivers,
        }
    }

    /// Bit times of the run.
    pub fn bit_times(&self) -> u32 {
        self.positions.len() as u32
    }

    /// The stays of a message, in order of time.
    pub fn of(&self, message: usize) -> &[Stay] {
        self.stays.of_owner(message)
    }

    /// The node that receives what this one drives onto a wire.
    pub fn receiver(&self, node: usize, wire: usize) -> usize {
        self.receivers[node][wire] as usize
    }

    /// When a message is at a node: in order of time, each stay as long as it can be.
    pub fn at_nodes(&self, message: usize) -> Vec<(usize, Range<u32>)> {
        let mut merged: Vec<(usize, Range<u32>)> = Vec::new();
        let in_registers = |stay: &&Stay| matches!(stay.location, Location::Module(_));
        for stay in self.of(message).iter().filter(in_registers) {
            let node = stay.node as usize;
            let last = merged.iter_mut().rev().find(|(at, _)| *at == node);
            match last {
                Some((_, times)) if times.end >= stay.from => times.end = times.end.max(stay.to),
                _ => merged.push((node, stay.from..stay.to)),
            }
        }
        merged
    }

    /// The same from when the first bits of its header have come there, in the order of their coming.
    pub fn with_header(&self, message: usize) -> Vec<(usize, Range<u64>)> {
        let stays = self.at_nodes(message).into_iter();
        let mut stays: Vec<(usize, Range<u64>)> = stays
            .map(|(node, times)| (node, u64::from(times.start)..u64::from(times.end)))
            .collect();
        for hop in with_pauses(&self.hops(message), LONGEST_PAUSE) {
            let comes = hop.times.start + 1..hop.times.end + 1;
            let is_there = |(node, times): &&mut (usize, Range<u64>)| {
                *node == hop.to && comes.contains(&times.start)
            };
            if let Some((_, times)) = stays.iter_mut().find(is_there) {
                times.start = comes.start;
            }
        }
        stays.sort_by_key(|(_, times)| times.start);
        stays
    }

    /// Where a message gets on: the stays on wires that are on its route.
    pub fn crossings(&self, message: usize) -> impl Iterator<Item = (&Stay, usize)> {
        self.of(message)
            .iter()
            .filter_map(|stay| match stay.location {
                Location::Wire(wire) if stay.on_route => Some((stay, usize::from(wire))),
                _ => None,
            })
    }

    /// The links that a message crosses, in order of time: pieces of it one behind the other together.
    fn hops(&self, message: usize) -> Vec<Hop> {
        let mut hops: Vec<Hop> = Vec::new();
        for (stay, wire) in self.crossings(message) {
            let (from, times) = (stay.node as usize, u64::from(stay.from)..u64::from(stay.to));
            let mut before = hops.iter_mut().rev();
            let last = before.find(|hop| (hop.from, hop.link) == (from, wire));
            match last.filter(|hop| hop.times.end == times.start) {
                Some(hop) => hop.times.end = times.end,
                None => hops.push(Hop {
                    from,
                    to: self.receiver(from, wire),
                    link: wire,
                    times,
                }),
            }
        }
        hops
    }

    /// The route of a message, as texts tell it.
    pub fn trail(&self, message: usize, topology: &dyn Topology) -> Trail {
        let sent = &self.messages[message];
        Trail::of(
            topology,
            sent.name.clone(),
            (sent.source, sent.destination),
            (self.with_header(message), self.hops(message)),
        )
    }

    /// The nodes that a message visits, each once, in the order of its coming.
    pub fn visited(&self, message: usize) -> Vec<usize> {
        let mut nodes = Vec::new();
        for (node, _) in self.at_nodes(message) {
            if !nodes.contains(&node) {
                nodes.push(node);
            }
        }
        nodes
    }

    /// The message of that name, or of that number in traffic order.
    pub fn named(&self, text: &str) -> Option<usize> {
        let by_name = || self.messages.iter().position(|sent| sent.name == text);
        let by_number = || {
            let number: usize = text.parse().ok()?;
            (number < self.messages.len()).then_some(number)
        };
        by_name().or_else(by_number)
    }

    /// What is in places of these nodes, for looking it up bit time by bit time.
    pub fn at(&self, nodes: &[usize]) -> ByLocation {
        let mut is_shown = vec![false; self.receivers.len()];
        nodes.iter().for_each(|&node| is_shown[node] = true);
        let is_wanted = |stay: &&Stay| {
            let node = stay.node as usize;
            // What a node receives is on a wire of another one.
            let is_received = || match stay.location {
                Location::Module(_) => false,
                Location::Wire(wire) => is_shown[self.receiver(node, usize::from(wire))],
            };
            is_shown[node] || is_received()
        };
        ByLocation::of(&mut self.stays.all().iter().filter(is_wanted).copied())
    }

    /// Appends the names of messages, in order of their coming, with commas between.
    pub fn append_names<'a>(&self, stays: impl Iterator<Item = &'a Stay>, text: &mut String) {
        for (place, stay) in stays.enumerate() {
            if place > 0 {
                text.push(',');
            }
            *text += &self.messages[stay.message as usize].name;
        }
    }
}

/// By node and wire that it drives, who receives.
pub fn receivers(topology: &dyn Topology) -> Vec<Vec<u32>> {
    let mut receivers = vec![vec![0; topology.links()]; topology.nodes()];
    for node in 0..topology.nodes() {
        for wire in 0..topology.links() {
            receivers[topology.sender(node, wire)][wire] = node as u32;
        }
    }
    receivers
}
