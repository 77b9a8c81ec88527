//! The route of what a waveform follows, over links and bit times: what its texts say, and what its view marks.
//!
//! ```text
//!   links      0->2 |------|
//!              2->3         |------|
//!   crosses    0->2         2->3
//!   at         0     0,2    2    2,3    3     from the bit time after its first bit has come, while bits of it are there
//!   next       2     3                                of what goes in parts, each on its way, the links: 2->3
//!   head       0     2           3               where its first bits have come to; nothing of parts, nor of what is for all
//!   leg        0 to 2           2 to 3    at 3       from where all of it lies to where it does so next; nothing of parts
//!   marked     to_2         to_3
//!   message    0->3 to 2, to 3      by 1 to 3 where its first bit goes on before its last has come; of parts the way of each:
//!                                   bits 0 to 3: 0->2->3; bits 4 to 7: 0->1->3
//! ```
//!
//! Nothing of this is hardware: it is told by whoever knows more than the nodes.

pub mod crossed;

use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use rtl_model::machine::shown::Told;
use rtl_model::machine::topology::Topology;
use rustc_hash::FxHashMap;
use waves::picture::run::{self, Crossing, Route, Way};
use waves::probe::{Recording, beside};

pub use crate::trail::drawn::drawn;
pub use crate::trail::watch::Watch;

mod at_nodes;
mod crossing_bits;
mod drawn;
mod watch;
mod ways;

/// What the texts are called.
const TEXTS: [&str; 6] = ["message", "at", "next", "crosses", "head", "leg"];
/// The numbers of the texts of heads and legs.
const HEAD: usize = 4;
const LEG: usize = 5;
/// Of more nodes or links than these, a text names only so many.
const MOST_NAMED: usize = 7;
/// Of more than these, it says how many they are.
const MOST_UNCOUNTED: usize = 4;

/// The most nodes and links that are looked at before a run, or beside it for a picture, over all bit times: some seconds.
pub const MOST_LABOUR: u64 = 1 << 26;
/// Nodes of a first screen.
pub const MOST_SHOWN: usize = 4;

/// Of the ways of its parts a message says beside its name as many as are told in so many characters.
const MOST_WAYS: usize = 112;

/// Bit times without a bit between two bits of one message on a wire, of which it is said all the same that it has the wire: so
/// names can be read where bits of it do not follow each other at once.
pub const LONGEST_PAUSE: u64 = 2;

/// What nodes are called, by number.
pub type Names = Arc<[String]>;

/// A link that is crossed without a pause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The node that sends.
    pub from: usize,
    /// The one that receives.
    pub to: usize,
    /// The link, by its number at the sender.
    pub link: usize,
    /// Bit times in which bits cross.
    pub times: Range<u64>,
}

/// Something that is at one node when the run begins, and goes on from there, whole, in parts or in copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// What it is called.
    name: String,
    /// Where it is when the run begins.
    source: usize,
    /// The node that keeps it; none if all do to which it comes.
    destination: Option<usize>,
    /// The nodes that bits of it are in or leave, and when: in order of their beginning.
    stays: Vec<Stay>,
    /// In order of their beginning.
    hops: Vec<Hop>,
    /// The same, short pauses among them.
    crossings: Vec<Hop>,
    /// The ways of its parts, if there are several.
    ways: Vec<Way>,
    /// What nodes are called.
    names: Names,
}

/// From a node where all of it lies, by nodes that it only passes, to the one where it does so next, and when it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Leg<'h> {
    from: usize,
    /// The last one is where it comes to.
    hops: &'h [Hop],
    end: u64,
}

/// A node, and the bit times in which bits of it are there.
type Stay = (usize, Range<u64>);

/// Hops over the same link one behind the other as one, if the pause between them is no longer.
pub(crate) fn with_pauses(hops: &[Hop], longest: u64) -> Vec<Hop> {
    let mut all: Vec<Hop> = Vec::new();
    let mut last: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for hop in hops {
        let before = last.get(&(hop.from, hop.link)).map(|&last| &mut all[last]);
        match before.filter(|before| hop.times.start <= before.times.end + longest) {
            Some(before) => before.times.end = before.times.end.max(hop.times.end),
            None => {
                last.insert((hop.from, hop.link), all.len());
                all.push(hop.clone());
            }
        }
    }
    all
}

impl Trail {
    /// Of a message whose stays and hops are known, both in order of their beginning.
    pub fn of(
        topology: &dyn Topology,
        name: String,
        (source, destination): (usize, usize),
        (stays, hops): (Vec<Stay>, Vec<Hop>),
    ) -> Self {
        Trail {
            name,
            source,
            destination: Some(destination),
            stays,
            crossings: with_pauses(&hops, LONGEST_PAUSE),
            hops,
            ways: Vec::new(),
            names: names(topology),
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The links that it crosses, in order of time.
    pub fn hops(&self) -> &[Hop] {
        &self.hops
    }

    /// The node that keeps it, if there is one.
    pub fn destination(&self) -> Option<usize> {
        self.destination
    }

    /// The nodes that it comes to, each once, in the order of its coming, the source first.
    pub fn nodes(&self) -> Vec<usize> {
        let mut nodes = vec![self.source];
        for hop in &self.hops {
            if !nodes.contains(&hop.to) {
                nodes.push(hop.to);
            }
        }
        nodes
    }

    /// Nodes for a first screen: source and destination, or where it comes to last, and between them those on a route from the one
    /// to the other; if there is room, others that it comes to before the last.
    pub fn first_screen(&self, most: usize) -> Vec<usize> {
        let mut route = Vec::new();
        let last = self.hops.last().map(|hop| hop.to);
        let mut node = self.destination.or(last).unwrap_or(self.source);
        // Backwards, by where it came from first.
        while node != self.source && !route.contains(&node) {
            route.push(node);
            let came = self.hops.iter().find(|hop| hop.to == node);
            node = came.map_or(self.source, |hop| hop.from);
        }
        route.push(self.source);
        route.reverse();
        if route.len() > most && most > 1 {
            route.drain(most - 1..route.len() - 1);
        }
        for node in self.nodes() {
            if route.len() < most && !route.contains(&node) {
                let before_last = (route.len() > 1).then(|| route.len() - 1);
                route.insert(before_last.unwrap_or(route.len()), node);
            }
        }
        route
    }

    /// The same for a picture of a run of so many bit times. What is for all is for nobody in particular: there it is for its source.
    pub fn drawn(&self, bit_times: u32) -> Route {
        let end = u64::from(bit_times);
        let time = |time: u64| time.min(end) as u32;
        let stays = self.stays.iter().map(|(node, times)| run::Stay {
            node: *node as u32,
            from: time(times.start),
            to: time(times.end),
        });
        let crossings = self.hops.iter().map(|hop| Crossing {
            sender: hop.from as u32,
            receiver: hop.to as u32,
            from: time(hop.times.start),
            to: time(hop.times.end),
        });
        Route {
            name: self.name.clone(),
            source: self.source as u32,
            destination: self.destination.unwrap_or(self.source) as u32,
            stays: stays.filter(|stay| stay.from < stay.to).collect(),
            crossings: crossings.collect(),
            ways: self.ways.clone(),
        }
    }

    /// The bit times in which it is on its route; none if it stays where it is.
    pub fn times(&self) -> Option<Range<u64>> {
        let first = self.hops.first()?.times.start;
        let last = self.hops.iter().map(|hop| hop.times.end).max()?;
        Some(first..last)
    }

    /// What a node is for it.
    pub fn role(&self, node: usize) -> Option<&'static str> {
        match (node == self.source, Some(node) == self.destination) {
            (true, true) => Some("source and destination"),
            (true, false) => Some("source"),
            (false, true) => Some("destination"),
            _ if self.hops.iter().any(|hop| hop.to == node) => match self.destination {
                Some(_) => Some("on its route"),
                None => Some("receives it"),
            },
            _ => None,
        }
    }

    /// Has a view mark when all of it is at its destination, or at all to which it comes, and where it comes to each of these nodes
    /// first. Of marks that collide the first is seen.
    pub fn mark(&self, recording: &mut Recording, nodes: &[usize]) {
        let last = self.hops.iter().map(|hop| hop.times.end).max();
        let end = match self.destination {
            Some(_) => self.arrived().filter(|_| last.is_some()),
            None => last,
        };
        if let Some(end) = end {
            recording.mark(end, "arrived");
        }
        for &node in nodes.iter().filter(|node| **node != self.source) {
            if let Some(hop) = self.hops.iter().find(|hop| hop.to == node) {
                recording.mark(hop.times.start, &format!("to_{}", self.names[node]));
            }
        }
    }

    /// Where it is when the run begins.
    pub fn source(&self) -> usize {
        self.source
    }

    /// How many bit times have passed when all of it is at its destination: 0 if it stays there. None if it never comes there,
    /// or is for several.
    pub fn arrived(&self) -> Option<u64> {
        let comes = self.hops.iter();
        let comes = comes.filter(|hop| Some(hop.to) == self.destination);
        let stays = Some(self.source) == self.destination;
        let arrived = comes.map(|hop| hop.times.end).max();
        arrived.or(stays.then_some(0))
    }

    /// Whether parts of it, or copies, go different ways.
    fn goes_several_ways(&self) -> bool {
        self.destination.is_none() || !self.ways.is_empty()
    }

    /// Its legs, if all of it goes the same way; none of what does not.
    fn legs(&self) -> Vec<Leg<'_>> {
        let hops = self.crossings.as_slice();
        let is_way = hops.windows(2).all(|pair| pair[0].to == pair[1].from);
        let begins = hops.first().is_some_and(|hop| hop.from == self.source);
        if !self.ways.is_empty() || !is_way || !begins {
            return Vec::new();
        }
        let legs = hops.chunk_by(|hop, next| next.times.start < hop.times.end);
        let legs = legs.map(|hops| Leg {
            from: hops[0].from,
            end: hops.iter().map(|hop| hop.times.end).max().unwrap_or(0),
            hops,
        });
        legs.collect()
    }

    /// Its name; and behind that the ways of its parts; or its route, leg by leg.
    fn in_order(&self) -> String {
        if !self.ways.is_empty() {
            return beside(&self.name, &self.by_ways());
        }
        let name = |hop: &Hop| self.names[hop.to].as_str();
        let legs = self.legs().into_iter().filter_map(|leg| {
            let (last, passed) = leg.hops.split_last()?;
            let passed: Vec<&str> = passed.iter().map(name).collect();
            Some(match passed.is_empty() {
                true => format!("to {}", name(last)),
                false => format!("by {} to {}", passed.join(" "), name(last)),
            })
        });
        let legs: Vec<String> = legs.collect();
        match legs.is_empty() {
            true => self.name.clone(),
            false => beside(&self.name, &legs.join(", ")),
        }
    }

    /// The parts, and the nodes that each comes to: as many as there is room for, and two dots for the others.
    fn by_ways(&self) -> String {
        let mut told = String::new();
        for way in &self.ways {
            let nodes = way.nodes.iter();
            let nodes: Vec<&str> = nodes
                .map(|node| self.names[*node as usize].as_str())
                .collect();
            let way = format!("{}: {}; ", way.part, nodes.join("->"));
            if told.len() + way.len() > MOST_WAYS {
                return told + "..";
            }
            told += &way;
        }
        told.trim_end_matches("; ").to_owned()
    }

    /// Its texts, as a waveform declares them.
    pub fn told(&self) -> Vec<Told> {
        let node = self.names.iter().map(String::len).max().unwrap_or(0);
        let hops = self.hops.len();
        let longest = |number: usize| match number {
            0 => self.in_order().len(),
            1 => longest_list(self.names.len(), node),
            2 if !self.goes_several_ways() => longest_list(self.names.len(), node),
            HEAD => node,
            LEG => 2 * node + " to ".len(),
            _ => longest_list(hops, 2 * node + "->".len()),
        };
        let told = TEXTS.iter().enumerate().map(|(number, name)| Told {
            name: (*name).to_owned(),
            longest: longest(number),
            sent_over: None,
        });
        told.collect()
    }

    /// Appends what the text of that number says in a bit time.
    pub fn append(&self, number: usize, bit_time: u64, text: &mut String) {
        let name = |node: usize| self.names[node].as_str();
        let nodes = (",", "nodes", self.names.len());
        let links = |hops: &mut dyn Iterator<Item = &Hop>, text: &mut String| {
            let links = hops.map(|hop| format!("{}->{}", name(hop.from), name(hop.to)));
            append_list(links, (" ", "wires", usize::MAX), text);
        };
        match number {
            0 => text.push_str(&self.in_order()),
            1 => {
                let here = (self.stays.iter()).filter(|(_, times)| times.contains(&bit_time));
                append_list(here.map(|(node, _)| name(*node).to_owned()), nodes, text);
            }
            2 if self.goes_several_ways() => {
                let later = self.crossings.iter();
                let later = later.filter(|hop| hop.times.start > bit_time);
                let soonest = later.clone().map(|hop| hop.times.start).min();
                links(
                    &mut later.filter(|hop| Some(hop.times.start) == soonest),
                    text,
                );
            }
            2 => {
                let later = self.stays.iter().map(|(_, times)| times.start);
                let soonest = later.filter(|start| *start > bit_time).min();
                let next = (self.stays.iter()).filter(|(_, times)| Some(times.start) == soonest);
                let next: Vec<usize> = next.map(|(node, _)| *node).collect();
                // The last parts of it are under way to where the first have come.
                let is_under_way = self.arrived().is_some_and(|arrived| bit_time < arrived);
                let last = self.destination.filter(|_| next.is_empty() && is_under_way);
                let next = next.into_iter().chain(last);
                append_list(next.map(|node| name(node).to_owned()), nodes, text);
            }
            HEAD if !self.goes_several_ways() => {
                let come = self.crossings.iter();
                let come = come.filter(|hop| hop.times.start < bit_time);
                let last = come.max_by_key(|hop| hop.times.start);
                text.push_str(name(last.map_or(self.source, |hop| hop.to)));
            }
            HEAD => {}
            LEG => {
                let legs = self.legs();
                let leg = legs.iter().find(|leg| bit_time < leg.end);
                let to = |leg: &Leg<'_>| leg.hops.last().map_or("", |hop| name(hop.to));
                // Writing to a string cannot fail.
                let _ = match (leg, legs.last()) {
                    (Some(leg), _) => write!(text, "{} to {}", name(leg.from), to(leg)),
                    (None, Some(last)) => write!(text, "at {}", to(last)),
                    (None, None) => Ok(()),
                };
            }
            _ => {
                let all = self.crossings.iter();
                links(&mut all.filter(|hop| hop.times.contains(&bit_time)), text);
            }
        }
    }
}

/// What the nodes of a network are called.
pub fn names(topology: &dyn Topology) -> Names {
    let nodes = 0..topology.nodes();
    nodes.map(|node| topology.node_name(node)).collect()
}

/// Characters of the longest list of names that there can be of so many things with names of up to `name` characters each.
pub fn longest_list(things: usize, name: usize) -> usize {
    MOST_NAMED * (name + 1) + " wires: ..".len() + things.to_string().len()
}

/// Appends names of things that are called so all together; how many they are stands before them where they are many, and
/// alone where they are all that there are. Two dots stand for those that are left out.
pub fn append_list(
    names: impl Iterator<Item = String>,
    (between, things, all): (&str, &str, usize),
    text: &mut String,
) {
    let names: Vec<String> = names.collect();
    let amount = names.len();
    // Writing to a string cannot fail.
    let _ = match amount {
        few if few <= MOST_UNCOUNTED => Ok(()),
        _ if amount == all => return text.push_str(&format!("all {all}")),
        _ => write!(text, "{amount} {things}: "),
    };
    text.push_str(&names[..amount.min(MOST_NAMED)].join(between));
    if amount > MOST_NAMED {
        text.push_str(between);
        text.push_str("..");
    }
}

#[cfg(test)]
mod tests;
