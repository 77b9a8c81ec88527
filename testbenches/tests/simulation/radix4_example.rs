//! The worked example of schedule radix4 is what the reference model does.

use std::fmt::Write;

use reference_models::radix4::{Composition, Variant, route_observed};
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/radix4.md");

/// The first fenced block after a heading.
fn block<'a>(page: &'a str, heading: &str) -> &'a str {
    let section = page.split_once(&format!("\n{heading}\n")).unwrap().1;
    let block = section.split_once("```text\n").unwrap().1;
    block.split_once("```").unwrap().0
}

/// The numbers of the line that begins with `name`.
fn numbers(example: &str, name: &str) -> Vec<usize> {
    let line = example.lines().find(|line| line.starts_with(name)).unwrap();
    let words = line.split_whitespace().skip(1);
    words.map(|word| word.parse().unwrap()).collect()
}

/// The table of the messages that an example lists in its lines `from` and `to`.
fn table(example: &str) -> String {
    const K: usize = 4;
    let (sources, destinations) = (numbers(example, "from"), numbers(example, "to"));
    let messages: Vec<Message> = (sources.iter().zip(&destinations))
        .map(|(&source, &destination)| Message {
            source,
            destination,
        })
        .collect();
    let letters = |list: &[usize]| -> String {
        let letters = list.iter().map(|&index| char::from(b'a' + index as u8));
        match list {
            [] => ".".to_owned(),
            _ => letters.collect(),
        }
    };
    let mut rows: Vec<String> = (0..1 << K).map(|node| format!("{node:4} | ")).collect();
    let composition = Composition {
        groups: vec![2],
        last: 2,
    };
    let outcome = route_observed(
        Dimensions::new(K).unwrap(),
        &messages,
        &composition,
        Variant::CORRECT,
        &mut |now| {
            for (node, row) in rows.iter_mut().enumerate() {
                if now.stage > 0 {
                    write!(row, " | {:5}  ", letters(&now.sent[node])).unwrap();
                }
                let list = letters(&now.lists[node]);
                write!(row, "{list:6}{}  {}", now.n[node], now.q[node]).unwrap();
            }
        },
    )
    .unwrap();
    let mut text = String::new();
    for (name, words) in [
        (
            "message",
            (0..messages.len()).map(|m| letters(&[m])).collect(),
        ),
        ("from", sources.iter().map(usize::to_string).collect()),
        ("to", destinations.iter().map(usize::to_string).collect()),
    ] {
        let words: Vec<String> = words;
        let line = words
            .iter()
            .fold(format!("{name:9}"), |line, word| format!("{line}{word:4}"));
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    text.push_str("\n     | crossed    | over dimension 2  | over dimension 3  |\n");
    text.push_str("node | list  n  q | sends  list  n  q | sends  list  n  q | end\n");
    for subcube in 0..4 {
        for node in (subcube..1 << K).step_by(4) {
            let end: Vec<usize> = outcome.after_group[1][node].into_iter().collect();
            writeln!(text, "{} | {}", rows[node], letters(&end)).unwrap();
        }
    }
    text
}

#[test]
fn the_worked_example_is_what_the_reference_model_does() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let example = block(&page, "## A worked example");
    let derived = table(example);
    assert_eq!(example, derived, "derived:\n{derived}");
}
