//! Nodes of a machine whose messages have names.
//!
//! ```text
//!   occupied_bits            curve
//!   second_message           of each part that holds a message: whose; that of the one that is followed first
//!   dim_5 tx message         of each wire that the one that is followed crosses: whose bits these are
//!   dim_5 tx                 and the bits
//!   > other messages, wires  of parts of parts that others pass, and of wires that they cross
//!   > idle wires, registers
//! ```
//!
//! A node that the message only passes through, or is never at while the view is open, is folded away with all its rows.

use crate::gtkwave::tree::Scope;
use crate::gtkwave::{OTHERS, counts, direction, is_link, module, register, wire};
use crate::probe::Signal;
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

/// What a text beside registers says, and how the texts beside wires end.
const MESSAGE: &str = "message";
const OF_WIRE: &str = "_message";

/// Whether a dump has names of messages beside registers and wires of a node.
pub(super) fn is_named(save: &dyn Rows, node: &Scope<'_>) -> bool {
    let mut here = node.signals.iter().filter(|signal| is_name(signal));
    here.any(|signal| save.has(signal)) || node.scopes.iter().any(|scope| is_named(save, scope))
}

/// Whether it is worth to be open: what is followed is seen here.
pub(super) fn is_worth_a_look(node: &Scope<'_>) -> bool {
    let here = node
        .signals
        .iter()
        .any(|signal| is_name(signal) && signal.follows && signal.in_sight);
    here || node.scopes.iter().any(is_worth_a_look)
}

fn is_name(signal: &Signal) -> bool {
    let is_text = matches!(signal.kind, Kind::Text { .. });
    is_text && (signal.name == MESSAGE || signal.name.ends_with(OF_WIRE))
}

/// A name of a message, and the part that it is about.
struct Held<'a> {
    path: String,
    signal: &'a Signal,
}

/// A node: everything but its title.
pub(super) fn node(save: &mut dyn Rows, scope: &Scope<'_>) {
    counts(save, scope);
    let (links, parts): (Vec<&Scope>, Vec<&Scope>) =
        scope.scopes.iter().partition(|inside| is_link(inside));
    let mut held = Vec::new();
    for signal in scope.signals.iter().filter(|one| is_name(one)) {
        let path = "node".to_owned();
        held.push(Held { path, signal });
    }
    parts
        .iter()
        .for_each(|part| hold(part, part.name, &mut held));
    let (seen, unseen): (Vec<Held>, Vec<Held>) =
        held.into_iter().partition(|held| held.signal.in_sight);
    // Of parts of parts, such as the stages of a row, those alone that the one passes that is followed.
    let (shown, passed): (Vec<Held>, Vec<Held>) =
        (seen.into_iter()).partition(|held| held.signal.follows || !held.path.contains(' '));
    let (first, others): (Vec<Held>, Vec<Held>) =
        shown.into_iter().partition(|held| held.signal.follows);
    for held in first.iter().chain(&others) {
        whose(save, held);
    }

    let wires: Vec<(&Scope, &Signal)> = links
        .iter()
        .flat_map(|link| link.signals.iter().map(move |signal| (*link, *signal)))
        .filter(|(_, signal)| !is_name(signal))
        .collect();
    let is_followed = |one: &&(&Scope, &Signal)| {
        name_of(one.0, one.1).is_some_and(|name| name.follows && name.in_sight)
    };
    let is_used = |one: &&(&Scope, &Signal)| {
        let has_message = name_of(one.0, one.1).is_some_and(|name| name.in_sight);
        !is_followed(one) && (has_message || one.1.in_sight)
    };
    let rows = |save: &mut dyn Rows, (link, signal): &(&Scope, &Signal)| {
        if let Some(name) = name_of(link, signal) {
            let row = format!("{} {} {MESSAGE}", link.name, signal.name);
            save.row(name, &row, Shown::Text, Some(direction(signal)));
        }
        wire(save, link, signal);
    };
    for one in wires.iter().filter(is_followed) {
        rows(save, one);
    }
    save.group(OTHERS, false, |save| {
        if !passed.is_empty() || wires.iter().any(|one| is_used(&one)) {
            save.group("other messages, other wires", false, |save| {
                passed.iter().for_each(|held| whose(save, held));
                wires.iter().filter(is_used).for_each(|one| rows(save, one));
            });
        }
        save.group("idle wires, registers", false, |save| {
            let is_idle = |one: &&(&Scope, &Signal)| !is_followed(one) && !is_used(one);
            wires.iter().filter(is_idle).for_each(|one| rows(save, one));
            unseen.iter().for_each(|held| whose(save, held));
            for part in parts {
                registers(save, part, part.name);
            }
            for signal in scope
                .signals
                .iter()
                .filter(|one| !is_name(one) && one.kind != Kind::Count)
            {
                register(save, signal, &signal.name);
            }
        });
    });
}

/// The text that says whose bits are on a wire.
fn name_of<'a>(link: &Scope<'a>, wire: &Signal) -> Option<&'a Signal> {
    let name = format!("{}{OF_WIRE}", wire.name);
    link.signals.iter().copied().find(|one| one.name == name)
}

/// Finds the names of messages in a part.
fn hold<'a>(part: &Scope<'a>, path: &str, held: &mut Vec<Held<'a>>) {
    for signal in part.signals.iter().filter(|one| is_name(one)) {
        let path = path.to_owned();
        held.push(Held { path, signal });
    }
    for inside in &part.scopes {
        hold(inside, &format!("{path} {}", inside.name), held);
    }
}

fn whose(save: &mut dyn Rows, held: &Held<'_>) {
    let colour = held.signal.follows.then_some(Colour::Violet);
    save.row(held.signal, &shortened(&held.path), Shown::Text, colour);
}

/// A part's name by which it can be told from others, if the whole one takes the room of values: the first part with a number, and
/// the last two.
fn shortened(path: &str) -> String {
    /// Characters.
    const LONGEST: usize = 28;
    let words: Vec<&str> = path.split(' ').collect();
    let is_numbered = |word: &&&str| word.ends_with(|last: char| last.is_ascii_digit());
    match words.as_slice() {
        [before @ .., one, last] if path.len() > LONGEST => match before.iter().find(is_numbered) {
            Some(first) => format!("{first} {one} {last}"),
            None => format!("{one} {last}"),
        },
        _ => path.to_owned(),
    }
}

/// All registers of a part, without names.
fn registers(save: &mut dyn Rows, part: &Scope<'_>, path: &str) {
    if !is_named(save, part) {
        module(save, part, path);
        return;
    }
    for inside in &part.scopes {
        registers(save, inside, &format!("{path} {}", inside.name));
    }
    for signal in part.signals.iter().filter(|one| !is_name(one)) {
        register(save, signal, &format!("{path} {}", signal.name));
    }
}

#[cfg(test)]
mod tests;
