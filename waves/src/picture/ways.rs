//! Which ways are drawn, and how they are told.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::run::{Run, Way};

/// A way as a page has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drawn {
    /// What the message is called; like no other.
    pub name: String,
    /// Node, first bit time, the one after the last.
    pub stays: Vec<[u32; 3]>,
    /// Sender, receiver, first bit time, the one after the last.
    pub crossings: Vec<[u32; 4]>,
}

/// The ways that are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The ways, in the order of the messages.
    pub ways: Vec<Drawn>,
    /// The chosen one, by its place among them.
    pub shown: Option<usize>,
}

/// What a way counts against the limit.
fn parts(way: &Way) -> usize {
    (way.stays.len() + way.crossings.len()).max(1)
}

/// The chosen message, and of the others the first that fit: whole ways, of so many stays and crossings at most. The chosen
/// one is there even if it has more.
pub fn choose(run: &Run, most_parts: usize) -> Choice {
    let chosen = run.shown.and_then(|shown| run.messages.get(shown));
    let mut room = most_parts.saturating_sub(chosen.map_or(0, parts));
    let (mut choice, mut is_full) = (Choice::default(), false);
    for ((number, way), name) in run.messages.iter().enumerate().zip(names(run)) {
        if run.shown == Some(number) {
            choice.shown = Some(choice.ways.len());
        } else if is_full || parts(way) > room {
            is_full = true;
            continue;
        } else {
            room -= parts(way);
        }
        choice.ways.push(drawn(name, way));
    }
    choice
}

/// Names, those that were there before with a number: `3->17 (2)` is the second of its name.
fn names(run: &Run) -> impl Iterator<Item = String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    run.messages.iter().map(move |way| {
        let times = seen.entry(&way.name).or_default();
        *times += 1;
        match *times {
            1 => way.name.clone(),
            times => format!("{} ({times})", way.name),
        }
    })
}

fn drawn(name: String, way: &Way) -> Drawn {
    let mut stays: Vec<_> = way
        .stays
        .iter()
        .map(|stay| [stay.node, stay.from, stay.to])
        .collect();
    let mut crossings: Vec<_> = way
        .crossings
        .iter()
        .map(|crossing| {
            [
                crossing.sender,
                crossing.receiver,
                crossing.from,
                crossing.to,
            ]
        })
        .collect();
    stays.sort_by_key(|stay| stay[1]);
    crossings.sort_by_key(|crossing| crossing[2]);
    Drawn {
        name,
        stays,
        crossings,
    }
}

impl Drawn {
    /// All nodes on the way, each once, in ascending order.
    pub fn nodes(&self) -> Vec<u32> {
        let stays = self.stays.iter().map(|stay| stay[0]);
        let crossings = self.crossings.iter();
        let mut nodes: Vec<u32> = stays
            .chain(crossings.flat_map(|crossing| [crossing[0], crossing[1]]))
            .collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The way in words, by names of nodes: `3->17: at 3 from 0 to 13, to 1 from 12 to 20`.
    pub fn course(&self, nodes: &BTreeMap<u32, String>) -> String {
        let name = |node: u32| nodes.get(&node).map_or("", String::as_str);
        let stays = self
            .stays
            .iter()
            .map(|[node, from, to]| (*from, 0, format!("at {} from {from} to {to}", name(*node))));
        let crossings = self.crossings.iter().map(|[_, receiver, from, to]| {
            let receiver = name(*receiver);
            (*from, 1, format!("to {receiver} from {from} to {to}"))
        });
        let mut all: Vec<_> = stays.chain(crossings).collect();
        all.sort_by_key(|(from, kind, _)| (*from, *kind));
        let all: Vec<String> = all.into_iter().map(|(.., words)| words).collect();
        match all.is_empty() {
            true => format!("{}: it is nowhere", self.name),
            false => format!("{}: {}", self.name, all.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests;
