//! The route of a message: of all copies of its bits that lie about, those that it goes on from.
//!
//! A register that nobody clocks keeps the bit that passed last, and a node may send a bit that nobody takes. So a message is
//! followed backwards: from where its first payload bit lies in the end to where it came from, the bit time before it came, and
//! so on to the beginning; and its last payload bit in the same way.
//!
//! ```text
//!   first bit   |-- source ----|-- stage --|-- ... ---------- destination --|
//!   last bit    |-- source ---------------------|-- stage --|-- ... --------|
//!   message     |-- source ---------------------|
//!                              |-- stage -------------------|
//! ```
//!
//! In a place it is from when its first bit comes until its last one has gone on. Of several copies that a bit may have come
//! from, it came from the one that had come last: the others have stayed behind.

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::whereabouts::{Location, Sent, Stay};

/// Numbers that shadow machines spell of a message, by the two lowest bits of a number: one for its first payload bit, one for
/// its last, one for those between. The last are most, and so have 0 in both bits: words at once are told from the others.
pub(super) const PARTS: u32 = 4;
/// Which of them.
pub(super) const BETWEEN: u32 = 0;
pub(super) const FIRST: u32 = 1;
pub(super) const LAST: u32 = 2;

/// What is seen of a payload bit in a place. Its number is `PARTS * message + part`.
pub(super) type Copy = Stay;

/// What is seen of one payload bit.
#[derive(Clone, Debug, Default)]
struct Bit {
    in_modules: Vec<Copy>,
    on_wires: Vec<Copy>,
}

impl Bit {
    fn is_nowhere(&self) -> bool {
        self.in_modules.is_empty() && self.on_wires.is_empty()
    }
}

/// A bit is in a module of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Visit {
    node: u32,
    module: Location,
    from: u32,
    to: u32,
}

/// Where a bit goes.
#[derive(Debug, Default)]
struct Route {
    /// In order of time.
    visits: Vec<Visit>,
    /// Nodes and wires that took it on, and when.
    crossed: Vec<(u32, Location, u32)>,
}

/// A node and a wire that take a message on, and when.
type Taken = (u32, Location, Range<u32>);

/// Where messages are, of what was seen of their bits. `receives(sender, wire)` is the node that does.
pub(super) fn stays(
    copies: Vec<Copy>,
    messages: &[Sent],
    receives: &(dyn Fn(usize, usize) -> usize + Sync),
    bit_times: u32,
) -> Vec<Stay> {
    let mut by_bit: Vec<Bit> = vec![Bit::default(); PARTS as usize * messages.len()];
    let mut stays = Vec::new();
    let mut on_wires = Vec::new();
    for copy in copies {
        if let Location::Wire(_) = copy.location {
            on_wires.push(copy);
        }
        if copy.message % PARTS != BETWEEN {
            let bit = &mut by_bit[copy.message as usize];
            match copy.location {
                Location::Module(_) => bit.in_modules.push(copy),
                Location::Wire(_) => bit.on_wires.push(copy),
            }
        }
    }
    stays.extend(payloads(on_wires));
    // One message after the other, on all threads.
    let bits = by_bit.par_chunks_exact(PARTS as usize);
    let routes = bits.zip(messages).map(|(of, sent)| {
        // A payload of one bit has no last one beside it.
        let (first, last) = match (&of[FIRST as usize], &of[LAST as usize]) {
            (first, last) if last.is_nowhere() => (first, first),
            both => both,
        };
        let route = |bit: &Bit, other: &Bit| {
            let end = end(bit, other, sent.destination as u32, bit_times);
            end.map_or(Route::default(), |end| backwards(bit, end, receives))
        };
        let routes = [route(first, last), route(last, first)];
        let crossings = crossings(&routes);
        let [first, last] = routes.map(|route| route.visits);
        (crossings, together(&first, &last))
    });
    let routes: Vec<(Vec<Taken>, Vec<Visit>)> = routes.collect();
    let mut crossed: FxHashMap<(u32, u32, Location), Vec<Range<u32>>> = FxHashMap::default();
    for (message, (crossings, visits)) in routes.into_iter().enumerate() {
        let message = message as u32;
        for (node, wire, times) in crossings {
            let there = crossed.entry((message, node, wire)).or_default();
            there.push(times);
        }
        stays.extend(visits.into_iter().map(|visit| Stay {
            from: visit.from,
            to: visit.to,
            message,
            node: visit.node,
            location: visit.module,
            on_route: true,
        }));
    }
    for stay in &mut stays {
        if let Some(times) = crossed.get(&(stay.message, stay.node, stay.location)) {
            stay.on_route |= times
                .iter()
                .any(|times| times.start < stay.to && stay.from < times.end);
        }
    }
    stays
}

/// The nodes and wires that take a message on, of the routes of its first bit and of its last one: from when the one crosses until
/// the other has. Bits between them belong to it, whether they come without a pause or take turns with another message's.
fn crossings(routes: &[Route; 2]) -> Vec<Taken> {
    let [first, last] = routes.each_ref().map(|route| &route.crossed);
    let mut left = last.clone();
    let mut crossings = Vec::new();
    for &(node, wire, begins) in first {
        let same = |one: &(u32, Location, u32)| (one.0, one.1) == (node, wire) && one.2 >= begins;
        // A bit that goes another route than the other crosses alone.
        let ends = left.iter().position(same).map(|place| left.remove(place).2);
        crossings.push((node, wire, begins..ends.unwrap_or(begins) + 1));
    }
    let alone = left
        .into_iter()
        .map(|(node, wire, ends)| (node, wire, ends..ends + 1));
    crossings.extend(alone);
    crossings
}

/// Of the bits on wires, whole payloads, each as long as it crosses without a pause.
fn payloads(mut on_wires: Vec<Copy>) -> Vec<Stay> {
    let payload = |copy: &Copy| (copy.message / PARTS, copy.node, copy.location);
    on_wires.sort_unstable_by_key(|copy| (payload(copy), copy.from));
    on_wires.dedup_by(|next, before| {
        let begins = next.message % PARTS == FIRST;
        let goes_on = payload(next) == payload(before) && next.from == before.to && !begins;
        if goes_on {
            before.to = next.to;
        }
        goes_on
    });
    let whole = on_wires.into_iter().map(|copy| Stay {
        message: copy.message / PARTS,
        ..copy
    });
    whole.collect()
}

fn is_there(copy: &Copy, bit_time: u32) -> bool {
    (copy.from..copy.to).contains(&bit_time)
}

/// Where a bit lies in the end: at the destination, where the other end of the payload lies too, if there is such a place.
fn end<'a>(bit: &'a Bit, other: &Bit, destination: u32, bit_times: u32) -> Option<&'a Copy> {
    let last = bit_times.checked_sub(1)?;
    let is_whole = |copy: &Copy| {
        let same = |one: &Copy| (one.node, one.location) == (copy.node, copy.location);
        (other.in_modules.iter()).any(|one| same(one) && is_there(one, last))
    };
    let there = (bit.in_modules.iter()).filter(|copy| is_there(copy, last));
    there.max_by_key(|copy| (copy.node == destination, is_whole(copy), copy.from))
}

/// From where a bit lies back to where it began.
fn backwards(bit: &Bit, end: &Copy, receives: &dyn Fn(usize, usize) -> usize) -> Route {
    let mut route = Route::default();
    // By node that holds it, and by node that receives it: otherwise in the order in which they have been seen.
    let mut all_held: Vec<&Copy> = bit.in_modules.iter().collect();
    all_held.sort_by_key(|copy| copy.node);
    let taken = bit.on_wires.iter().filter_map(|copy| match copy.location {
        Location::Wire(wire) => {
            Some((receives(copy.node as usize, usize::from(wire)) as u32, copy))
        }
        Location::Module(_) => None,
    });
    let mut all_taken: Vec<(u32, &Copy)> = taken.collect();
    all_taken.sort_by_key(|(node, _)| *node);
    let (mut here, mut until) = (end, end.to);
    loop {
        route.visits.push(Visit {
            node: here.node,
            module: here.location,
            from: here.from,
            to: until,
        });
        let Some(before) = here.from.checked_sub(1) else {
            break;
        };
        let held = |node: u32| {
            let there = of_node(&all_held, node, |copy| copy.node);
            there.iter().filter(move |copy| is_there(copy, before))
        };
        let local = held(here.node).map(|copy| (copy.from, *copy, None));
        let taken = of_node(&all_taken, here.node, |(receiver, _)| *receiver);
        let taken = taken.iter().filter(|(_, copy)| is_there(copy, before));
        let from_others = taken
            .flat_map(|(_, wire)| held(wire.node).map(move |copy| (copy.from, *copy, Some(*wire))));
        let Some((_, came_from, wire)) = local.chain(from_others).max_by_key(|(from, ..)| *from)
        else {
            break;
        };
        if let Some(wire) = wire {
            route.crossed.push((wire.node, wire.location, before));
        }
        until = here.from;
        here = came_from;
    }
    route.visits.reverse();
    route.crossed.reverse();
    route
}

/// Those of a node, of what is in order of nodes.
fn of_node<T>(sorted: &[T], node: u32, node_of: impl Fn(&T) -> u32) -> &[T] {
    let begin = sorted.partition_point(|one| node_of(one) < node);
    let own = &sorted[begin..];
    &own[..own.partition_point(|one| node_of(one) == node)]
}

/// Where the message is, of where its first bit and its last one are: places that both pass in the same order are one stay.
fn together(first: &[Visit], last: &[Visit]) -> Vec<Visit> {
    let place = |visit: &Visit| (visit.node, visit.module);
    let pairs = first.iter().zip(last);
    let same = pairs
        .take_while(|(one, other)| place(one) == place(other))
        .count();
    // The longest row of places that is in both, of what is left of each, once they part.
    let mut longest = vec![vec![0; last.len() + 1]; first.len() + 1];
    for one in (same..first.len()).rev() {
        for other in (same..last.len()).rev() {
            longest[one][other] = match place(&first[one]) == place(&last[other]) {
                true => longest[one + 1][other + 1] + 1,
                false => longest[one + 1][other].max(longest[one][other + 1]),
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut visits = Vec::new();
    while one < first.len() && other < last.len() {
        if place(&first[one]) == place(&last[other]) {
            visits.push(Visit {
                from: first[one].from.min(last[other].from),
                to: first[one].to.max(last[other].to),
                ..first[one]
            });
            one += 1;
            other += 1;
        } else if longest[one + 1][other] >= longest[one][other + 1] {
            visits.push(first[one]);
            one += 1;
        } else {
            visits.push(last[other]);
            other += 1;
        }
    }
    visits.extend(first[one..].iter().chain(&last[other..]));
    visits
}

#[cfg(test)]
mod tests;
