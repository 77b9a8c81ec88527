//! What a picture says in words.

use std::collections::BTreeSet;

use super::bins::Bins;
use super::run::{Circle, Failure, Run, WireUse};
use super::scene::Measure;
use super::{MOST_IN_CIRCLE, MOST_LINKS, legend};

/// Who waits for whom is said of so many messages; the picture has the others.
const MOST_TOLD: usize = 8;

/// How much of what there is was drawn.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// Steps.
    pub bands_drawn: usize,
    /// Routes, of as many as there is room for; nothing where only the chosen one is drawn anyway.
    pub routes_drawn: Option<usize>,
}

/// What cells stand for.
pub fn measured(measure: Measure, run: &Run) -> String {
    match measure {
        Measure::Bits => "message bits at a node".to_owned(),
        Measure::PacketBits => "packet bits at a node".to_owned(),
        Measure::Messages => "messages at a node".to_owned(),
        Measure::Ones => "wires on which a node sends a 1".to_owned(),
        Measure::Number => format!("size of the {} at a node", first_number(run)),
        Measure::Nothing => String::new(),
    }
}

/// What the first number is called: `word`, `slot_0`.
fn first_number(run: &Run) -> &str {
    run.numbers.first().map_or("", |number| &number.name)
}

/// How to read the picture with so many routes, in two sentences; there may be several numbers to choose from.
pub fn explanation(
    routes_drawn: usize,
    has_choice: bool,
    (measure, run): (Measure, &Run),
) -> String {
    let what = match measure {
        _ if has_choice => "the more, or the larger, is what Colours names".to_owned(),
        Measure::Bits => "the more message bits are at that node".to_owned(),
        Measure::PacketBits => "the more bits of packets are at that node".to_owned(),
        Measure::Messages => "the more messages are at that node".to_owned(),
        Measure::Ones => "the more wires are there on which that node sends a 1".to_owned(),
        Measure::Number => format!("the larger is the {} of that node", first_number(run)),
        Measure::Nothing => String::new(),
    };
    let colours = match what.is_empty() {
        true => what,
        false => format!(", and the stronger a cell's colour, {what}"),
    };
    let lines = match routes_drawn {
        0 => "The strips above the rows show when each link is in use.",
        _ if over_relays(run) => {
            "A line is the route of a message: level while it stays at a node, slanting where its first and its last bit go to another, over relays between."
        }
        _ => {
            "A line is the route of a message: level while it stays at a node, slanting where its first and its last bit cross a wire to another."
        }
    };
    format!("Each row is a node and time runs from left to right, in bit times{colours}. {lines}")
}

/// Whether messages go over relays: the way of one that goes in no parts is told for these alone.
fn over_relays(run: &Run) -> bool {
    run.messages.iter().any(|route| route.ways.len() == 1)
}

/// What the colours of strips say: where no wire tells whether there is a bit beside it, and nobody knows the messages, a step says
/// which links are open.
pub fn links(run: &Run) -> &'static str {
    match run.wire_use {
        _ if run.links_carry_messages => "wires of a link on which messages cross, of all nodes",
        WireUse::Bits => "wires in use at a link, of all nodes",
        WireUse::Ones => "wires of a link that the step opens, of all nodes",
    }
}

/// What the colours of wires say.
pub fn loads(by_messages: bool, wire_use: WireUse) -> String {
    let when = match (by_messages, wire_use) {
        (true, _) => "messages cross",
        (false, WireUse::Bits) => "a bit crosses",
        (false, WireUse::Ones) => "a 1 crosses",
    };
    format!("of all bit times {when}, in the busier direction")
}

/// A wire that fails.
pub fn failure(run: &Run, failure: &Failure) -> String {
    let [sender, receiver] = [failure.sender, failure.receiver]
        .map(|node| run.nodes.get(node as usize).map_or("", String::as_str));
    let (how, from) = (&failure.how, failure.from);
    format!("The wire from node {sender} to node {receiver} is {how} from bit time {from} on.")
}

/// Of so many messages so many were restored from what was left of them, and so many were not.
pub fn harm(messages: usize, restored: usize, lost: usize) -> String {
    match (restored, lost) {
        (0, 0) => format!("Of {messages} messages none was damaged."),
        _ => format!(
            "Messages: {messages}; damaged: {}, of which restored: {restored}, lost: {lost}.",
            restored + lost
        ),
    }
}

/// What is left out, put together or not known, a sentence each.
pub fn notes(run: &Run, bins: &Bins, measure: Measure, counts: Counts) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(binned(bins, measure));
    match measure {
        Measure::Bits | Measure::PacketBits => {}
        Measure::Messages => notes.push(
            "How many message bits are at a node is not known: colours count the messages that stay there.".to_owned(),
        ),
        Measure::Ones => notes.push(
            "What is at a node is not known: colours count the wires on which it sends a 1.".to_owned(),
        ),
        Measure::Number => {}
        Measure::Nothing => notes.push("What is at a node is not known: its cells are empty.".to_owned()),
    }
    notes.extend(looked_at(run));
    let legend = legend::of(run);
    let names = steps(run)
        .into_iter()
        .chain(legend.into_iter().map(str::to_owned));
    let names: Vec<String> = names.collect();
    notes.extend((!names.is_empty()).then(|| format!("Names: {}.", names.join("; "))));
    let messages = run.messages.len();
    if run.are_left_out {
        let others = if messages == 0 { "" } else { "other " };
        notes.push(format!(
            "The routes of {others}messages are left out: finding them would take too long."
        ));
    }
    // Where words move no message is missed.
    if messages == 0 && run.numbers.is_empty() && !run.are_left_out {
        notes.push("The routes of messages are not known.".to_owned());
    } else if let Some(drawn) = counts.routes_drawn.filter(|drawn| *drawn < messages) {
        notes.push(format!("The routes of {drawn} of {messages} messages are drawn, the first ones; the others are left out."));
    }
    if counts.bands_drawn < run.bands.len() {
        let (drawn, bands) = (counts.bands_drawn, run.bands.len());
        notes.push(format!(
            "{drawn} of {bands} steps are drawn: the others are too short to be seen."
        ));
    }
    if run.links.len() > MOST_LINKS {
        let links = run.links.len();
        notes.push(format!(
            "{MOST_LINKS} of {links} links have a strip, the first ones."
        ));
    }
    if let Some(circle) = run
        .deadlock
        .as_ref()
        .filter(|circle| circle.nodes.len() > MOST_IN_CIRCLE)
    {
        let nodes = circle.nodes.len();
        notes.push(format!(
            "{MOST_IN_CIRCLE} of {nodes} nodes of the deadlock are marked, the first ones."
        ));
    }
    notes
}

/// The names of numbered steps, each once and in order: where there is no room for a name, its number stands alone.
fn steps(run: &Run) -> Option<String> {
    let names = run.bands.iter().map(|band| band.name.as_str());
    let is_numbered = |name: &&str| {
        let number = name.split_once('_').map(|(number, _)| number);
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let number = |name: &str| {
        name.split('_')
            .next()
            .and_then(|one| one.parse::<u32>().ok())
    };
    let names: BTreeSet<_> = names
        .filter(is_numbered)
        .map(|name| (number(name), name))
        .collect();
    let names = names.into_iter().map(|(_, name)| name.replace('_', " "));
    let names: Vec<String> = names.collect();
    (!names.is_empty()).then(|| format!("steps {}", names.join(", ")))
}

/// In which bit times numbers were looked at, if not in all.
fn looked_at(run: &Run) -> Option<String> {
    let every = run.numbers.first()?.every;
    (every > 1).then(|| format!("Numbers of nodes are those of every {every} bit times."))
}

/// What shares a cell.
fn binned(bins: &Bins, measure: Measure) -> Option<String> {
    let (nodes, times) = (bins.nodes_a_row, bins.times_a_column);
    let most = match measure {
        Measure::Bits => "the most message bits",
        Measure::PacketBits => "the most bits of packets",
        Measure::Messages => "the most messages",
        Measure::Ones => "the most such wires",
        Measure::Number => return shared_number(bins),
        Measure::Nothing => "",
    };
    let (row, column) = (
        format!("Each row is {nodes} nodes"),
        format!("each column {times} bit times"),
    );
    let (what, is_most) = match (nodes, times) {
        (1, 1) => return None,
        (1, _) => (
            format!("Each column is {times} bit times"),
            format!("{most} in any of them"),
        ),
        (_, 1) => (row, format!("{most} at any of them")),
        _ => (
            format!("{row} and {column}"),
            format!("{most} at any of these nodes in any of these bit times"),
        ),
    };
    Some(match measure {
        Measure::Nothing => format!("{what}."),
        _ => format!("{what}; a cell is {is_most}."),
    })
}

/// Whose number a cell is.
fn shared_number(bins: &Bins) -> Option<String> {
    let (nodes, times) = (bins.nodes_a_row, bins.times_a_column);
    Some(match (nodes, times) {
        (1, 1) => return None,
        (1, _) => {
            format!("Each column is {times} bit times; a cell is the number in the last of them.")
        }
        (_, 1) => format!("Each row is {nodes} nodes; a cell is the number of the first of them."),
        _ => format!(
            "Each row is {nodes} nodes and each column {times} bit times; a cell is the number of the first of these nodes in the \
             last of these bit times."
        ),
    })
}

/// Who waits for whom.
pub fn deadlock(run: &Run, circle: &Circle) -> String {
    let told = circle.messages.iter().take(MOST_TOLD);
    let waiting: Vec<String> = told
        .map(|message| match run.nodes.get(message.node as usize) {
            Some(node) => format!("{} at {node}", message.name),
            None => message.name.clone(),
        })
        .collect();
    let since = format!("Deadlock since bit time {}", circle.since);
    let Some((first, others)) = waiting.split_first() else {
        return format!("{since}.");
    };
    let last = match circle.messages.len() {
        all if all > waiting.len() => {
            format!("the next, and so on: {all} messages wait in a circle")
        }
        1 => "itself".to_owned(),
        _ => format!("{} again", circle.messages[0].name),
    };
    let chain: String = others
        .iter()
        .map(|next| format!("{next}, which waits for "))
        .collect();
    format!("{since}: {first} waits for {chain}{last}.")
}

#[cfg(test)]
mod tests;
