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

/// What is seen of one payload bit, each in order of nodes.
#[derive(Clone, Copy, Debug)]
struct Bit<'a> {
    in_modules: &'a [Copy],
    on_wires: &'a [Copy],
}

impl<'a> Bit<'a> {
    /// Of what is seen of a message.
    fn of(copies: &'a [Copy], part: u32) -> Self {
        let copies = equal(copies, part, |copy| copy.message % PARTS);
        let in_modules = |copy: &Copy| matches!(copy.location, Location::Module(_));
        let (in_modules, on_wires) = copies.split_at(copies.partition_point(in_modules));
        Bit {
            in_modules,
            on_wires,
        }
    }

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

/// Appends where a message is, of what was seen of its bits: in order of parts, of modules before wires, of nodes, of places and of
/// time. `receives(sender, wire)` is the node that does.
pub(super) fn append_stays(
    copies: &[Copy],
    (message, sent): (u32, &Sent),
    receives: &dyn Fn(usize, usize) -> usize,
    bit_times: u32,
    stays: &mut Vec<Stay>,
) {
    let [between, first, last] = [BETWEEN, FIRST, LAST].map(|part| Bit::of(copies, part));
    let on_wires = [between, first, last].map(|bit| bit.on_wires).concat();
    // A payload of one bit has no last one beside it.
    let last = if last.is_nowhere() { first } else { last };
    let route = |bit: Bit<'_>, other: Bit<'_>| {
        let end = end(bit, other, sent.destination as u32, bit_times);
        end.map_or(Route::default(), |end| backwards(bit, end, receives))
    };
    let routes = [route(first, last), route(last, first)];
    let crossings = crossings(&routes);
    let [first, last] = routes.map(|route| route.visits);
    stays.extend(payloads(on_wires).into_iter().map(|payload| {
        let takes_on = |(node, wire, times): &Taken| {
            let is_there = (*node, *wire) == (payload.node, payload.location);
            is_there && times.start < payload.to && payload.from < times.end
        };
        Stay {
            on_route: crossings.iter().any(takes_on),
            ..payload
        }
    }));
    stays.extend(together(&first, &last).into_iter().map(|visit| Stay {
        from: visit.from,
        to: visit.to,
        message,
        node: visit.node,
        location: visit.module,
        on_route: true,
    }));
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

/// Of the bits of a message on wires, whole payloads, each as long as it crosses without a pause.
fn payloads(mut on_wires: Vec<Copy>) -> Vec<Stay> {
    let payload = |copy: &Copy| (copy.node, copy.location);
    on_wires.sort_unstable_by_key(|copy| (payload(copy), copy.from));
    on_wires.dedup_by(|next, before| {
        let begins = next.message % PARTS == FIRST;
        let goes_on = payload(next) == payload(before) && next.from == before.to && !begins;
        if goes_on {
            before.to = next.to;
        }
        goes_on
    });
    for copy in &mut on_wires {
        copy.message /= PARTS;
    }
    on_wires
}

fn is_there(copy: &Copy, bit_time: u32) -> bool {
    (copy.from..copy.to).contains(&bit_time)
}

/// Where a bit lies in the end: at the destination, where the other end of the payload lies too, if there is such a place.
fn end<'a>(bit: Bit<'a>, other: Bit<'_>, destination: u32, bit_times: u32) -> Option<&'a Copy> {
    let last = bit_times.checked_sub(1)?;
    let is_whole = |copy: &Copy| {
        let same = |one: &Copy| (one.node, one.location) == (copy.node, copy.location);
        (other.in_modules.iter()).any(|one| same(one) && is_there(one, last))
    };
    let there = (bit.in_modules.iter()).filter(|copy| is_there(copy, last));
    there.max_by_key(|copy| (copy.node == destination, is_whole(copy), copy.from))
}

/// From where a bit lies back to where it began.
fn backwards(bit: Bit<'_>, end: &Copy, receives: &dyn Fn(usize, usize) -> usize) -> Route {
    let mut route = Route::default();
    let taken = bit.on_wires.iter().filter_map(|copy| match copy.location {
        Location::Wire(wire) => {
            Some((receives(copy.node as usize, usize::from(wire)) as u32, copy))
        }
        Location::Module(_) => None,
    });
    let mut all_taken: Vec<(u32, &Copy)> = taken.collect();
    all_taken.sort_by_key(|(node, _)| *node);
    let (mut here, mut until) = (end, end.to);
    let held = |node: u32| equal(bit.in_modules, node, |copy| copy.node);
    let taken_by = |node: u32| equal(&all_taken, node, |(receiver, _)| *receiver);
    // Of the node where it is: most often it was there before.
    let (mut held_here, mut taken_here) = (held(here.node), taken_by(here.node));
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
        let local = held_here.iter().map(|copy| (copy, None));
        let taken = taken_here.iter().filter(|(_, copy)| is_there(copy, before));
        let from_others =
            taken.flat_map(|(_, wire)| held(wire.node).iter().map(move |copy| (copy, Some(*wire))));
        let all = local.chain(from_others);
        let there = all.filter(|(copy, _)| is_there(copy, before));
        let Some((came_from, wire)) = there.max_by_key(|(copy, _)| copy.from) else {
            break;
        };
        if let Some(wire) = wire {
            route.crossed.push((wire.node, wire.location, before));
        }
        until = here.from;
        if came_from.node != here.node {
            (held_here, taken_here) = (held(came_from.node), taken_by(came_from.node));
        }
        here = came_from;
    }
    route.visits.reverse();
    route.crossed.reverse();
    route
}

/// Those with a key, of what is in order of keys.
fn equal<T>(sorted: &[T], key: u32, key_of: impl Fn(&T) -> u32) -> &[T] {
    let begin = sorted.partition_point(|one| key_of(one) < key);
    let own = &sorted[begin..];
    &own[..own.partition_point(|one| key_of(one) == key)]
}

/// Where the message is, of where its first bit and its last one are: places that both pass in the same order are one stay.
fn together(first: &[Visit], last: &[Visit]) -> Vec<Visit> {
    let place = |visit: &Visit| (visit.node, visit.module);
    let is_same = |one: &Visit, other: &Visit| place(one) == place(other);
    let both = |one: &Visit, other: &Visit| Visit {
        from: one.from.min(other.from),
        to: one.to.max(other.to),
        ..*one
    };
    let pairs = || first.iter().zip(last);
    let same = pairs().take_while(|(one, other)| is_same(one, other));
    let mut visits: Vec<Visit> = same.map(|(one, other)| both(one, other)).collect();
    let (first, last) = (&first[visits.len()..], &last[visits.len()..]);
    // The longest row of places that is in both, of what is left of each, once they part.
    let mut longest = vec![vec![0; last.len() + 1]; first.len() + 1];
    for one in (0..first.len()).rev() {
        for other in (0..last.len()).rev() {
            longest[one][other] = match is_same(&first[one], &last[other]) {
                true => longest[one + 1][other + 1] + 1,
                false => longest[one + 1][other].max(longest[one][other + 1]),
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    while one < first.len() && other < last.len() {
        if is_same(&first[one], &last[other]) {
            visits.push(both(&first[one], &last[other]));
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
