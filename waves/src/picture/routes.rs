//! Which routes are drawn, and how they are told.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::run::{Crossing, Route, Run};
use super::{MOST_ROWS, MOST_WAY_PARTS};

/// A route as a page has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Drawn {
    /// What the message is called; like no other.
    pub name: String,
    /// Node, first bit time, the one after the last.
    pub stays: Vec<[u32; 3]>,
    /// Sender, receiver, first bit time, the one after the last.
    pub crossings: Vec<[u32; 4]>,
    /// What its parts are called, the nodes that each comes to, and where bits of it cross, as above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<(String, Vec<u32>, Vec<[u32; 4]>)>,
}

/// The routes that are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The routes, in the order of the messages.
    pub routes: Vec<Drawn>,
    /// The chosen one, by its place among them.
    pub shown: Option<usize>,
}

/// What a route counts against the limit.
fn parts(route: &Route) -> usize {
    (route.stays.len() + route.crossings.len()).max(1)
}

/// Room for routes in any picture of a run, for whoever finds routes one after the other: of a message for which none is left only
/// the name has to be known, unless it is the chosen one.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// None where what messages do is looked at in another way as well.
    left: Option<usize>,
}

impl Room {
    /// Of a machine with so many nodes.
    pub fn of_nodes(nodes: usize) -> Self {
        // Where no nodes share rows, all routes say which messages are at a node.
        let is_limited = nodes > MOST_ROWS;
        Room {
            left: is_limited.then_some(MOST_WAY_PARTS),
        }
    }

    /// Whether the next message's route may be drawn.
    pub fn is_left(&self) -> bool {
        self.left != Some(0)
    }

    /// The next message has this route. Behind the first one that does not fit there is no room for any.
    pub fn take(&mut self, route: &Route) {
        self.left = self.left.map(|left| left.saturating_sub(parts(route)));
    }
}

/// The chosen message, and of the others the first that fit: whole routes, of so many stays and crossings at most. The chosen
/// one is there even if it has more.
pub fn choose(run: &Run, most_parts: usize) -> Choice {
    let chosen = run.shown.and_then(|shown| run.messages.get(shown));
    let mut room = most_parts.saturating_sub(chosen.map_or(0, parts));
    let (mut choice, mut is_full) = (Choice::default(), false);
    for ((number, route), name) in run.messages.iter().enumerate().zip(names(run)) {
        if run.shown == Some(number) {
            choice.shown = Some(choice.routes.len());
        } else if is_full || parts(route) > room {
            is_full = true;
            continue;
        } else {
            room -= parts(route);
        }
        choice.routes.push(drawn(name, route));
    }
    choice
}

/// Names, those that were there before with a number: `3->17 (2)` is the second of its name.
fn names(run: &Run) -> impl Iterator<Item = String> {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    run.messages.iter().map(move |route| {
        let times = seen.entry(&route.name).or_default();
        *times += 1;
        match *times {
            1 => route.name.clone(),
            times => format!("{} ({times})", route.name),
        }
    })
}

fn drawn(name: String, route: &Route) -> Drawn {
    let mut stays: Vec<_> = route
        .stays
        .iter()
        .map(|stay| [stay.node, stay.from, stay.to])
        .collect();
    let of = |crossings: &[Crossing]| -> Vec<[u32; 4]> {
        let each = crossings.iter();
        each.map(|one| [one.sender, one.receiver, one.from, one.to])
            .collect()
    };
    let mut crossings = of(&route.crossings);
    stays.sort_by_key(|stay| stay[1]);
    crossings.sort_by_key(|crossing| crossing[2]);
    let ways = route.ways.iter();
    Drawn {
        name,
        stays,
        crossings,
        ways: ways
            .map(|way| (way.part.clone(), way.nodes.clone(), of(&way.crossings)))
            .collect(),
    }
}

impl Drawn {
    /// All nodes on the route, each once, in ascending order.
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

    /// The route in words, by names of nodes: `3->17, by bit times: at 3 in 0 to 12, from 3 to 1 in 12 to 19`.
    pub fn route(&self, nodes: &BTreeMap<u32, String>) -> String {
        let name = |node: u32| nodes.get(&node).map_or("", String::as_str);
        let when = |from: u32, to: u32| match to - from {
            0 | 1 => from.to_string(),
            _ => format!("{from} to {}", to - 1),
        };
        let stays = self.stays.iter().map(|[node, from, to]| {
            let words = format!("at {} in {}", name(*node), when(*from, *to));
            (*from, 0, words)
        });
        let crossings = self.joined().into_iter();
        let crossings = crossings.map(|([sender, receiver, from, to], bit_times)| {
            let (sender, receiver) = (name(sender), name(receiver));
            let some = match bit_times == to - from {
                true => String::new(),
                false => format!(", {bit_times} of them"),
            };
            let when = when(from, to);
            (
                from,
                1,
                format!("from {sender} to {receiver} in {when}{some}"),
            )
        });
        let mut all: Vec<_> = stays.chain(crossings).collect();
        all.sort_by_key(|(from, kind, _)| (*from, *kind));
        let all: Vec<String> = all.into_iter().map(|(.., words)| words).collect();
        match all.is_empty() {
            true => format!("{}: it is nowhere", self.name),
            false => format!("{}, by bit times: {}", self.name, all.join(", ")),
        }
    }

    /// Crossings, those of one wire with at most a bit time between as one, and how many bit times each then has.
    fn joined(&self) -> Vec<([u32; 4], u32)> {
        let mut joined: Vec<([u32; 4], u32)> = Vec::new();
        for &[sender, receiver, from, to] in &self.crossings {
            let mut before = joined.iter_mut().rev();
            let last = before.find(|(one, _)| one[..2] == [sender, receiver]);
            match last.filter(|(last, _)| from <= last[3] + 1) {
                Some((last, bit_times)) => {
                    last[3] = to;
                    *bit_times += to - from;
                }
                None => joined.push(([sender, receiver, from, to], to - from)),
            }
        }
        joined
    }
}

#[cfg(test)]
mod tests;
