//! A VCD by bit time.

use std::collections::HashMap;
use std::path::Path;

use vcd::{Command, IdCode, Parser, ScopeItem};

const TICKS_PER_BIT_TIME: u64 = 10;

/// All signals, by path.
fn paths(items: &[ScopeItem], scope: &str, into: &mut Vec<(IdCode, String)>) {
    for item in items {
        match item {
            ScopeItem::Scope(inside) => {
                paths(
                    &inside.items,
                    &format!("{scope}{}.", inside.identifier),
                    into,
                );
            }
            ScopeItem::Var(var) => into.push((var.code, format!("{scope}{}", var.reference))),
            _ => {}
        }
    }
}

/// The library writes text that is empty, and does not read it.
const EMPTY: &str = "-";

/// The value of every signal in each bit time, by path.
pub fn read(path: &Path, samples: usize) -> HashMap<String, Vec<String>> {
    let dump = std::fs::read_to_string(path).unwrap();
    let dump = dump.replace("\ns ", &format!("\ns{EMPTY} "));
    let mut parser = Parser::new(dump.as_bytes());
    let header = parser.parse_header().unwrap();
    let mut signals = Vec::new();
    paths(&header.items, "", &mut signals);
    let mut now: HashMap<IdCode, String> = HashMap::new();
    let mut values: HashMap<IdCode, Vec<String>> = HashMap::new();
    let mut tick = None;
    for command in parser {
        let (code, value) = match command.unwrap() {
            Command::ChangeScalar(code, value) => (code, value.to_string()),
            Command::ChangeVector(code, value) => (code, value.to_string()),
            Command::ChangeString(code, text) if text == EMPTY => (code, String::new()),
            Command::ChangeString(code, text) => (code, text),
            Command::Timestamp(next) => {
                let is_sample = |tick: &u64| tick.is_multiple_of(TICKS_PER_BIT_TIME);
                if tick.is_some_and(|tick| is_sample(&tick)) {
                    for (&code, value) in &now {
                        values.entry(code).or_default().push(value.clone());
                    }
                }
                tick = Some(next);
                continue;
            }
            _ => continue,
        };
        now.insert(code, value);
    }
    let values = signals.into_iter().map(|(code, path)| {
        let values = values.remove(&code).unwrap();
        assert_eq!(values.len(), samples, "{path}");
        (path, values)
    });
    values.collect()
}
