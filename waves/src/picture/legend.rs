//! What names mean, as far as the picture has such names.
//!
//! Whoever knows what names mean says it for a waveform and a picture alike, and a picture has not all names that a waveform has.

use rustc_hash::FxHashSet;

use super::run::Run;
use super::traced::{RowKind, Waves};
use crate::probe::IN_WORDS;

/// The scope of a sequencer's rows.
const SEQUENCER: &str = "sequencer";

/// The rows of the legend about names that are on the picture: `3->9/2 = ...` is about all messages that are called alike,
/// `START: ...` about steps, `way dim_0 = ...` about a text, `folded: ...` about the schedule that the title names.
pub fn of(run: &Run) -> Vec<&str> {
    let names = names(run);
    let is_there = |row: &&str| {
        let key = row.split([':', '=']).next().unwrap_or_default().trim_end();
        let whole = row.split(" = ").next().unwrap_or_default();
        let first = key.split(' ').next().unwrap_or_default();
        let is_schedule = run.title.contains(&format!("schedule {key},"));
        let all = [whole, key, first];
        is_schedule || all.iter().any(|name| names.contains(&shape(name)))
    };
    run.legend
        .iter()
        .map(String::as_str)
        .filter(is_there)
        .collect()
}

/// The shapes of all names.
fn names(run: &Run) -> FxHashSet<String> {
    let bands = run.bands.iter().map(|band| &band.name);
    let texts = run.texts.iter().map(|text| &text.name);
    let numbers = run.numbers.iter().map(|number| &number.name);
    let messages = run.messages.iter().map(|route| &route.name);
    let names = bands.chain(texts).chain(numbers).chain(messages);
    let names = names.chain(&run.nodes).map(|name| shape(name));
    // Scopes of a waveform are called so.
    let scopes = run.nodes.iter().map(|name| shape(&format!("node_{name}")));
    let told = run
        .waves
        .iter()
        .flat_map(said_of_nodes)
        .map(|said| shape(said));
    let rows = run.waves.iter().flat_map(|waves| &waves.rows);
    let of_rows = rows.filter_map(|row| {
        let (scope, name) = row.path.rsplit_once('.')?;
        (scope == SEQUENCER || name == IN_WORDS).then_some(name)
    });
    let of_rows = of_rows.map(shape);
    names.chain(scopes).chain(told).chain(of_rows).collect()
}

/// What waveforms say of nodes in texts.
fn said_of_nodes(waves: &Waves) -> impl Iterator<Item = &String> {
    let rows = waves.rows.iter();
    let rows = rows.filter(|row| row.kind == RowKind::Text && row.path.starts_with("node_"));
    let changes = rows.flat_map(|row| &row.changes);
    changes.filter_map(|change| waves.values.get(change.value as usize))
}

/// A name with any number in the place of its numbers.
fn shape(name: &str) -> String {
    let mut shape = String::new();
    for character in name.chars() {
        match character.is_ascii_digit() {
            false => shape.push(character),
            true if shape.ends_with('#') => {}
            true => shape.push('#'),
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::run::{Band, Route, Text};

    #[test]
    fn names_that_are_not_there_are_not_explained() {
        let rows = [
            "3->9/2 = message 2 of node 3",
            "2_to_7:4 = message 2->7, from bit 4",
            "START: start-up of a packet, SHIFT: its bits",
            "way: SB = sub-blocks",
            "way d0:1->0 = across dimension 0, who has a 1 there sends",
            "mark #2: batch 2 begins",
            "node_1_2_0 = block 1",
            "folded: rows of switches are used there and back",
        ];
        let mut run = Run {
            legend: rows.map(str::to_owned).to_vec(),
            nodes: vec!["15_3_1".to_owned()],
            ..Run::default()
        };
        assert_eq!(of(&run), [rows[6]]);
        run.bands.push(Band {
            from: 0,
            name: "START".to_owned(),
            iteration: None,
        });
        run.texts.push(Text {
            name: "way".to_owned(),
            says: Vec::new(),
        });
        run.messages.push(Route {
            name: "12->0/11".to_owned(),
            ..Route::default()
        });
        assert_eq!(of(&run), [rows[0], rows[2], rows[3], rows[4], rows[6]]);
        run.title = "router, schedule folded, hypercube of 3 dimensions".to_owned();
        assert_eq!(of(&run).last(), Some(&rows[7]));
    }
}
