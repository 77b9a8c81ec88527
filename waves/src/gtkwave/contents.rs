//! What a view shows, from the top to the bottom.
//!
//! ```text
//!   about, colours, names        captions: what runs, and what colours and names mean
//!   how it ended                 and what marks mean that are there
//!   followed message, at, next   where there is something to follow; of what changes too often its legs
//!   > wires in use, and by whom  clock, driven wires, units that drive them and their short names
//!   step, iteration, counters    of a machine with steps
//!   node                         each, those that say something of what is followed first
//!   ...
//! ```

use crate::gtkwave::crowded::Crowding;
use crate::gtkwave::tree::Scope;
use crate::gtkwave::{channels, counts, named, node, numbers, told};
use crate::probe::{FOLLOWED, IN_WORDS, Recording, Signal, caption};
use crate::rows::{Colour, Rows, Shown};
use crate::trace::Kind;

const SEQUENCER: &str = "sequencer";
/// Of what is told of what is followed: what it is, its hops, and what is shown where these follow each other too fast.
const MESSAGE: &str = "message";
const HOPS: &str = "crosses";
const HEAD: &str = "head";
const LEG: &str = "leg";
const DOES: &str = "does";
/// The most nodes that a view shows: a dump may have many more.
const MOST_NODES: usize = 64;
/// So many nodes are always shown: a worm's way.
const FEW_NODES: usize = 12;
/// The most signals of more nodes than these: so a view stays smaller than a megabyte.
const MOST_SIGNALS: usize = 4000;
/// Characters of a row of text: what is longer takes the room of the waves.
const ROW: usize = 36;

/// A node's scope, and its title.
type Node<'a> = (&'a Scope<'a>, &'a String);

/// All rows.
pub(super) fn fill(
    save: &mut dyn Rows,
    root: &Scope<'_>,
    (recording, crowding): (&Recording, &Crowding),
    step_filter: &str,
) {
    for machine in &root.scopes {
        let followed = machine.scope(FOLLOWED).filter(|scope| has_all(save, scope));
        for caption in machine.signals.iter().filter(is_caption) {
            let name = caption
                .name
                .split_once('_')
                .map_or(&*caption.name, |(_, more)| more);
            save.row(caption, name, Shown::Text, Some(Colour::Yellow));
        }
        let texts = recording.legend.iter().chain([&recording.verdict]);
        for text in texts {
            rows_of(save, "", text.split(' '), " ");
        }
        if recording
            .signals
            .iter()
            .any(|signal| signal.fails.is_some())
        {
            save.label("red: a wire that fails");
        }
        let told = followed.map_or(&[][..], |followed| &followed.signals);
        let (rows, crowded) = of_followed(told, crowding);
        let of_followed = |save: &mut dyn Rows, signals: &[&Signal]| {
            for signal in signals {
                let name = format!("followed {}", signal.name);
                save.row(signal, &name, Shown::Text, Some(Colour::Violet));
            }
        };
        of_followed(save, &rows);
        save.group(in_use_title(machine), false, |save| {
            of_followed(save, &crowded);
            in_use(save, machine, recording);
        });
        save.added_rows(machine.name);
        if let Some(scope) = machine.scope(SEQUENCER) {
            sequencer(save, scope, (step_filter, crowding), followed.is_some());
        }
        let is_node = |scope: &&Scope<'_>| ![SEQUENCER, FOLLOWED].contains(&scope.name);
        let nodes = machine.scopes.iter().filter(is_node).zip(&recording.titles);
        let mut nodes: Vec<(usize, Node)> = nodes.enumerate().collect();
        nodes.sort_by_key(|(place, _)| {
            let first = recording.first.iter().position(|first| first == place);
            first.unwrap_or(usize::MAX)
        });
        let nodes: Vec<Node> = nodes.into_iter().map(|(_, node)| node).collect();
        let shown = shown(&nodes);
        let left_out = nodes.len() - shown.len();
        let has_room = told::has_room(shown.iter().map(|(scope, _)| *scope));
        for (place, node) in shown.into_iter().enumerate() {
            of_node(save, node, (place == 0, has_room), (recording, crowding));
        }
        if left_out > 0 {
            save.label("");
            save.label(&format!("{left_out} nodes more are in the dump"));
        }
    }
}

/// The nodes that a view shows, in this order: all of them, as they were declared; or, of too many, those first where what is
/// followed is seen.
fn shown<'a>(nodes: &[Node<'a>]) -> Vec<Node<'a>> {
    if fitting(nodes) == nodes.len() {
        return nodes.to_vec();
    }
    let (first, others): (Vec<Node>, Vec<Node>) = nodes
        .iter()
        .partition(|(scope, _)| named::is_worth_a_look(scope));
    let mut ordered: Vec<Node> = first.into_iter().chain(others).collect();
    ordered.truncate(fitting(&ordered));
    ordered
}

/// How many of the nodes a view has room for, from the first on.
fn fitting(nodes: &[Node<'_>]) -> usize {
    let mut signals = 0;
    let fit = nodes.iter().take(MOST_NODES).take_while(|(scope, _)| {
        signals += scope.size();
        signals <= MOST_SIGNALS
    });
    fit.count().max(FEW_NODES).min(nodes.len())
}

/// A node, with its title.
fn of_node(
    save: &mut dyn Rows,
    (scope, title): Node<'_>,
    (is_first, has_room): (bool, bool),
    (recording, crowding): (&Recording, &Crowding),
) {
    let has_steps = !recording.step_names.is_empty();
    let has_names = has_steps && named::is_named(save, scope);
    if has_names && recording.followed.is_some() && !named::is_worth_a_look(scope) {
        save.group(title, false, |save| named::node(save, scope));
        return;
    }
    save.label("");
    rows_of(save, "", title.split(", "), ", ");
    if let Some(words) = scope.signals.iter().find(|signal| signal.name == IN_WORDS) {
        save.row(words, &words.name, Shown::Text, Some(Colour::Yellow));
    }
    match has_steps {
        _ if has_names => named::node(save, scope),
        true if told::is_told(scope) => {
            told::node(save, scope, (recording.followed.as_deref(), has_room));
        }
        true if numbers::has_numbers(scope) => numbers::node(save, scope),
        true => {
            let mut counted = scope.signals.iter().filter(|one| one.kind == Kind::Count);
            let is_idle = !counted.clone().any(|count| count.ever_set);
            if !is_idle {
                counts(save, scope);
            }
            node(save, scope, is_first);
            // Of a machine whose nodes hold no messages there is nothing to be seen.
            if is_idle && counted.next().is_some() {
                save.group("idle counts", false, |save| counts(save, scope));
            }
        }
        false => {
            counts(save, scope);
            let has_texts = has_followed(save, recording);
            channels::node(save, scope, has_texts, crowding);
        }
    }
}

/// What is told of what is followed: rows that a view shows, and those that it folds away because they are crowded. Where single hops
/// cannot be read, where the head is takes the place of all that changes with each of them, and legs, if there are several.
fn of_followed<'a>(told: &[&'a Signal], crowding: &Crowding) -> (Vec<&'a Signal>, Vec<&'a Signal>) {
    let named = |name: &str| told.iter().find(|signal| signal.name == name);
    let by_legs = named(LEG).is_some_and(|legs| legs.ever_set)
        && named(HOPS).is_some_and(|hops| crowding.has(hops));
    let is_worm = named(HOPS).is_none();
    told.iter().partition(|signal| match signal.name.as_str() {
        LEG => by_legs && signal.said.len() > 2,
        HEAD => (by_legs || is_worm) && !crowding.hides(signal),
        MESSAGE => true,
        // What a worm does is told in few words, of which some can be read where most cannot.
        DOES => !crowding.hides(signal),
        _ => !by_legs && !crowding.has(signal),
    })
}

/// Whether a view follows something, and the dump has texts that say so.
fn has_followed(save: &dyn Rows, recording: &Recording) -> bool {
    let mut texts = recording.signals.iter().filter(|signal| signal.follows);
    recording.followed.is_some() && texts.any(|signal| save.has(signal))
}

/// Whether the dump has what a scope says: one of a Verilog simulator has no text.
fn has_all(save: &dyn Rows, scope: &Scope<'_>) -> bool {
    scope.signals.iter().all(|signal| save.has(signal))
}

/// Rows of text, each beginning with the same words, as many as it takes.
fn rows_of<'t>(
    save: &mut dyn Rows,
    about: &str,
    meanings: impl Iterator<Item = &'t str>,
    between: &str,
) {
    let mut row = about.to_owned();
    for meaning in meanings {
        if row.len() > about.len() && row.len() + between.len() + meaning.len() > ROW {
            save.label(&(row + between.trim_end()));
            row = about.to_owned();
        }
        if row.len() > about.len() {
            row += between;
        }
        row += meaning;
    }
    if row.len() > about.len() {
        save.label(&row);
    }
}

/// Whether it is a text over the waves.
fn is_caption(signal: &&&Signal) -> bool {
    caption::CAPTIONS.contains(&signal.name.as_str())
}

/// What the clock and the wires in use are called together.
fn in_use_title(machine: &Scope<'_>) -> &'static str {
    let mut names = machine.signals.iter().map(|signal| signal.name.as_str());
    match names.any(|name| name.starts_with("user_")) {
        true => "wires in use, and by whom",
        false => "clock, wires in use",
    }
}

/// The clock, which wires are driven, and by whom.
fn in_use(save: &mut dyn Rows, machine: &Scope<'_>, recording: &Recording) {
    let is_user = |signal: &Signal| signal.name.starts_with("user_") && save.has(signal);
    if machine.signals.iter().any(|signal| is_user(signal)) {
        let units = recording.units.iter().filter(|(short, unit)| short != unit);
        let units: Vec<String> = units
            .map(|(short, unit)| format!("{short} = {unit}"))
            .collect();
        rows_of(save, "user_: ", units.iter().map(String::as_str), ", ");
    }
    for signal in machine.signals.iter().filter(|signal| !is_caption(signal)) {
        match signal.kind {
            Kind::Text { .. } => save.row(signal, &signal.name, Shown::Text, Some(Colour::Yellow)),
            _ => save.row(signal, &signal.name, Shown::Binary, None),
        }
    }
}

fn sequencer(
    save: &mut dyn Rows,
    scope: &Scope<'_>,
    (filter, crowding): (&str, &Crowding),
    follows: bool,
) {
    if !follows {
        save.label("sequencer");
    }
    let is_explained = numbers::is_explained(scope);
    let is_counter = |signal: &Signal| match signal.kind {
        Kind::Text { .. } => signal.name != "step_name" && crowding.hides(signal),
        _ => is_explained || signal.name != "step" && crowding.has(signal),
    };
    let step_is_coded = scope.signals.iter().any(|signal| signal.name == "step");
    for signal in &scope.signals {
        match signal.kind {
            _ if signal.name == "step" && save.has(signal) => {
                save.named_row(signal, filter, Colour::Yellow);
            }
            _ if is_counter(signal) => {}
            // The names themselves are for machines whose step is not coded in a register.
            Kind::Text { .. } if signal.name != "step_name" => {
                save.row(signal, &signal.name, Shown::Text, Some(Colour::Yellow));
            }
            Kind::Text { .. } if step_is_coded => {}
            Kind::Text { .. } => save.row(signal, "step", Shown::Text, Some(Colour::Yellow)),
            _ => save.row(signal, &signal.name, Shown::Decimal, None),
        }
    }
    numbers::counters(save, scope, &is_counter);
    for (place, inside) in scope.scopes.iter().enumerate() {
        save.group(inside.name, place == 0 && !follows, |save| {
            for signal in &inside.signals {
                save.row(signal, &signal.name, Shown::Decimal, None);
            }
        });
    }
}

#[cfg(test)]
mod tests;
