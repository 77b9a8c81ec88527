//! What a waveform shows where nobody says what: the message that has most to tell, its nodes, and the bit times in which it
//! tells most.
//!
//! ```text
//!   begins of iterations and steps   |      |    |            |
//!   a window from each of them       [-------------)
//!                                           [-------------)
//!   in a window a message tells      where it rests, where it gets on, whom it meets
//! ```

use std::ops::Range;

use rayon::prelude::*;

use crate::whereabouts::{Stay, Whereabouts};

/// Frames of a message that a screen has room for: names on wires can be read.
const FRAMES: u32 = 7;
/// Of a run of no more frames all of it is shown, if no message's whole story has room on such a screen.
const FRAMES_OF_A_RUN: u32 = 16;
/// A screen is no shorter.
const SHORTEST: u32 = 24;
/// Nodes that a screen has room for.
const READABLE_NODES: usize = 3;
/// A route over more is not told at a glance.
const SIMPLE_NODES: usize = 6;
/// Of so many messages the first are looked at.
const LOOKED_AT: usize = 1024;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Wanted<'a> {
    /// The message, by number; none if one is to be chosen.
    pub message: Option<usize>,
    /// The nodes, if they were named; none if they are to be chosen.
    pub nodes: Option<&'a [usize]>,
    /// The bit times that are recorded.
    pub window: Range<u32>,
    /// Bits of a message, its header among them.
    pub frame: u32,
}

/// What is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The message that is followed.
    pub message: usize,
    /// The nodes that it visits: first those that it is at in the window.
    pub nodes: Vec<usize>,
    /// The bit times that a view opens on.
    pub window: Range<u32>,
}

/// By node, which messages are there when, in order of their coming.
type Company = Vec<Vec<(u32, Range<u32>)>>;

/// What a message tells in a window; more is better, the first first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Story {
    /// It is seen to leave its source and to come to its destination for good, with a node between.
    is_whole: bool,
    /// It is seen to leave its source.
    leaves: bool,
    /// At how many nodes it can be seen, but for more than can be read.
    nodes: usize,
    /// It is seen to come to its destination for good.
    arrives: bool,
    /// It comes to few nodes, and to none of them again.
    is_simple: bool,
    /// How often it gets on, up to a bound.
    gets_on: usize,
    /// How many it meets at a node, up to a bound.
    meets: usize,
    /// For how many bit times it is anywhere but at the node that it begins at.
    away: u32,
}

impl Whereabouts {
    /// The message to follow; nothing where none comes to the nodes that were named.
    pub fn choose(&self, wanted: &Wanted<'_>) -> Option<Choice> {
        let windows = self.windows(wanted);
        let company = self.company();
        let mut best = self.best(&windows, (wanted, &company));
        let run = wanted.window.start..wanted.window.end.min(self.bit_times());
        let is_short = run.end.saturating_sub(run.start) <= FRAMES_OF_A_RUN * wanted.frame;
        if is_short && best.as_ref().is_some_and(|(story, ..)| !story.is_whole) {
            let of_run = self.best(&[run], (wanted, &company));
            best = of_run.filter(|(story, ..)| story.is_whole).or(best);
        }
        let (story, message, window) = best?;
        if story.nodes == 0 && wanted.nodes.is_some() && wanted.message.is_none() {
            return None;
        }
        let at_nodes = self.at_nodes(message);
        let is_seen = |times: &Range<u32>| times.start < window.end && window.start < times.end;
        let longest = |node: usize| {
            let of_node = at_nodes
                .iter()
                .filter(|(at, times)| *at == node && is_seen(times));
            of_node.map(|(_, times)| times.end - times.start).max()
        };
        let mut nodes = self.visited(message);
        let first = |node: usize| {
            let of_node = at_nodes
                .iter()
                .filter(|(at, times)| *at == node && is_seen(times));
            of_node.map(|(_, times)| times.start).min()
        };
        // Where it is while the view is open, in order of its coming: where it rests, and where it passes through. Then where it
        // is at another time.
        nodes.sort_by_key(|&node| match longest(node) {
            Some(time) if time > 2 * wanted.frame => (0, first(node)),
            Some(_) => (1, first(node)),
            None => (2, None),
        });
        // Where it is seen to leave, its source comes first; where it is seen to arrive, that node has to be on the screen.
        let sent = &self.messages[message];
        let ends = [
            (story.leaves, sent.source, 0),
            (story.arrives, sent.destination, 1),
        ];
        for (_, end, most) in ends.into_iter().filter(|(is_seen, ..)| *is_seen) {
            let place = nodes.iter().position(|node| *node == end);
            if let Some(place) = place.filter(|place| *place > most) {
                nodes.remove(place);
                nodes.insert(most, end);
            }
        }
        Some(Choice {
            message,
            nodes,
            window,
        })
    }

    /// The message that tells most in one of these windows, and in which.
    fn best(
        &self,
        windows: &[Range<u32>],
        (wanted, company): (&Wanted<'_>, &Company),
    ) -> Option<(Story, usize, Range<u32>)> {
        let all = 0..self.messages.len().min(LOOKED_AT);
        let asked = wanted.message.map(|message| message..message + 1);
        let mut best: Option<(Story, usize, Range<u32>)> = None;
        for message in asked.unwrap_or(all) {
            let at_nodes = self.at_nodes(message);
            let is_simple = self.is_simple(message);
            for window in windows {
                let story = self.story(message, &at_nodes, window, (wanted, company));
                let story = Story { is_simple, ..story };
                if best.as_ref().is_none_or(|(most, ..)| story > *most) {
                    best = Some((story, message, window.clone()));
                }
            }
        }
        best
    }

    /// Whether a message comes to few nodes, and to none of them again, not even on its way through.
    fn is_simple(&self, message: usize) -> bool {
        let links = self.crossings(message);
        let mut links: Vec<_> = links
            .map(|(stay, wire)| (stay.node as usize, wire))
            .collect();
        links.sort_unstable();
        links.dedup();
        let receivers = links.iter().map(|&(node, wire)| self.receiver(node, wire));
        let mut nodes: Vec<usize> = receivers.chain([self.messages[message].source]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes.len() == links.len() + 1 && nodes.len() <= SIMPLE_NODES
    }

    fn company(&self) -> Company {
        let messages = (0..self.messages.len()).into_par_iter();
        let at_nodes: Vec<_> = messages.map(|message| self.at_nodes(message)).collect();
        let mut company: Company = vec![Vec::new(); self.receivers.len()];
        for (message, at_nodes) in (0..).zip(at_nodes) {
            for (node, times) in at_nodes {
                company[node].push((message, times));
            }
        }
        (company.par_iter_mut()).for_each(|there| {
            there.sort_unstable_by_key(|(message, times)| (times.start, *message))
        });
        company
    }

    /// Windows to choose from: from where iterations begin, or steps, as long as a screen has room for.
    fn windows(&self, wanted: &Wanted<'_>) -> Vec<Range<u32>> {
        let end = wanted.window.end.min(self.bit_times());
        let from = wanted.window.start.min(end.saturating_sub(1));
        let length = (FRAMES * wanted.frame).max(SHORTEST);
        let mut begins = vec![from];
        for bit_time in from + 1..end {
            let [before, now] = [bit_time - 1, bit_time].map(|at| self.positions[at as usize]);
            if (before.iteration, before.step) != (now.iteration, now.step) {
                begins.push(bit_time);
            }
        }
        begins
            .into_iter()
            .map(|begin| begin..(begin + length).min(end))
            .filter(|window| window.end - window.start >= length.min(end - from) / 2)
            .collect()
    }

    /// What a message tells in a window, at the nodes that are wanted.
    fn story(
        &self,
        message: usize,
        at_nodes: &[(usize, Range<u32>)],
        window: &Range<u32>,
        (wanted, company): (&Wanted<'_>, &Company),
    ) -> Story {
        let is_wanted = |node: usize| wanted.nodes.is_none_or(|nodes| nodes.contains(&node));
        let inside = |times: &Range<u32>| {
            let (from, to) = (times.start.max(window.start), times.end.min(window.end));
            to.saturating_sub(from)
        };
        let rests =
            |(node, times): &&(usize, Range<u32>)| is_wanted(*node) && inside(times) > wanted.frame;
        let mut rested: Vec<usize> = Vec::new();
        for (node, _) in at_nodes.iter().filter(rests) {
            if !rested.contains(node) {
                rested.push(*node);
            }
        }
        let is_crossing_seen = |stay: &Stay| {
            let is_inside = window.contains(&stay.from) && stay.to <= window.end;
            is_inside && is_wanted(stay.node as usize)
        };
        let crossings = self.crossings(message);
        let gets_on = crossings.filter(|(stay, _)| is_crossing_seen(stay));
        // More than count are not looked for: where many are, each would look at all of them.
        let met = at_nodes.iter().filter(rests).flat_map(|(node, times)| {
            let seen = times.start.max(window.start)..times.end.min(window.end);
            let all = &company[*node];
            let come = all.partition_point(|(_, others)| others.start < seen.end);
            let there = all[..come].iter().rev();
            there.filter(move |(other, others)| *other != message as u32 && seen.start < others.end)
        });
        // The last stay is where it ends up. What passes its destination before that would have to be explained.
        let last = at_nodes.iter().max_by_key(|(_, times)| times.start);
        let arrives = last.is_some_and(|(destination, arrival)| {
            let is_seen = window.contains(&arrival.start) && inside(arrival) > wanted.frame;
            let mut there = at_nodes.iter().filter(|(node, _)| node == destination);
            is_seen
                && is_wanted(*destination)
                && there.all(|(_, times)| times.start == arrival.start || inside(times) == 0)
        });
        let source = self.messages[message].source;
        let leaves = self.crossings(message).min_by_key(|(stay, _)| stay.from);
        let leaves =
            leaves.is_some_and(|(stay, _)| stay.node as usize == source && is_crossing_seen(stay));
        let mut visited: Vec<usize> = at_nodes.iter().map(|(node, _)| *node).collect();
        visited.sort_unstable();
        visited.dedup();
        let visited = visited.len();
        let away = at_nodes.iter().filter(|(node, _)| *node != at_nodes[0].0);
        Story {
            is_whole: leaves && arrives && visited >= READABLE_NODES,
            leaves: leaves && !rested.is_empty(),
            nodes: rested.len().min(READABLE_NODES),
            arrives,
            is_simple: false,
            gets_on: gets_on.count().min(2 * READABLE_NODES),
            meets: met.take(READABLE_NODES).count(),
            away: away.map(|(_, times)| inside(times)).sum(),
        }
    }
}

/// What nodes are for the message that is followed.
pub fn roles(whereabouts: &Whereabouts, choice: &Choice) -> Vec<(usize, String)> {
    let sent = &whereabouts.messages[choice.message];
    let visited = whereabouts.visited(choice.message);
    let role = |node: usize| match (node == sent.source, node == sent.destination) {
        (true, true) => "source and destination",
        (true, false) => "source",
        (false, true) => "destination",
        (false, false) => "on its route",
    };
    let named = visited
        .into_iter()
        .map(|node| (node, role(node).to_owned()));
    named.collect()
}
