//! Waveforms of some nodes, kept for a page: what a dump of these nodes would hold, as changes.
//!
//! ```text
//!   probe --> Kept (a trace) --> Waves: rows by scope, values by number
//!             what never changes from nothing is left out
//! ```

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::io;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::picture::run::Change;
use crate::probe::{Probe, Selection, Subject};
use crate::trace::{Kind, SignalId, TICKS_PER_BIT_TIME, Trace, Value};

/// Changes of all signals together that are kept: some megabytes of a page.
const MOST_CHANGES: usize = 1 << 20;

/// A signal and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaveRow {
    /// The scopes inside the machine, and its name, with dots between: as in a dump.
    pub path: String,
    /// What it is.
    pub kind: RowKind,
    /// Since when it has which value: a bit, or the number of a text in [`Waves::values`].
    pub changes: Vec<Change>,
}

/// What a row is drawn as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// A bit on a wire, or in a register of one.
    Bit,
    /// Several bits, in hexadecimal.
    Word,
    /// A number, in decimal.
    Count,
    /// Text.
    Text,
}

/// What signals of some nodes did in a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waves {
    /// Nodes, by number, whose signals are among the rows.
    pub nodes: Vec<u32>,
    /// In the order of a dump.
    pub rows: Vec<WaveRow>,
    /// What rows of several bits and of text say, by number.
    pub values: Vec<String>,
    /// The first bit time that is not kept, if the rest was too much.
    pub until: Option<u32>,
}

/// Rows as the page reads them: numbers of values, and bit times as differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Packed {
    /// As in [`WaveRow`].
    path: String,
    kind: RowKind,
    /// From the beginning to the first change, and from each to the next.
    steps: Vec<u32>,
    /// The first value of a bit, which then is another at each change.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u32>,
    /// Values of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<u32>>,
}

/// Waveforms as the page reads them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Nodes, by number.
    pub nodes: Vec<u32>,
    values: Vec<String>,
    rows: Vec<Packed>,
    until: Option<u32>,
    /// Of which nodes there are waveforms, in words.
    words: String,
}

impl WaveRow {
    fn packed(&self) -> Packed {
        let before = std::iter::once(0).chain(self.changes.iter().map(|change| change.from));
        let steps = self.changes.iter().zip(before);
        let values = self.changes.iter().map(|change| change.value);
        let is_bit = self.kind == RowKind::Bit;
        Packed {
            path: self.path.clone(),
            kind: self.kind,
            steps: steps.map(|(change, before)| change.from - before).collect(),
            first: self
                .changes
                .first()
                .map(|change| change.value)
                .filter(|_| is_bit),
            values: (!is_bit).then(|| values.collect()),
        }
    }
}

impl Waves {
    /// Those of the first nodes, as many as there are to be, of a machine whose nodes are called so; and of the machine.
    pub fn shown(&self, nodes: usize, names: &[String]) -> Shown {
        let nodes = &self.nodes[..nodes.min(self.nodes.len())];
        let name = |node: &u32| names.get(*node as usize).cloned().unwrap_or_default();
        let scopes: HashSet<String> = nodes
            .iter()
            .map(|node| format!("node_{}", name(node)))
            .collect();
        let is_shown = |row: &&WaveRow| {
            let scope = row.path.split('.').next().unwrap_or_default();
            !scope.starts_with("node_") || scopes.contains(scope)
        };
        // Of values those that these rows have, in the order of their coming.
        let (mut values, mut places) = (Vec::new(), HashMap::new());
        let mut rows: Vec<Packed> = self
            .rows
            .iter()
            .filter(is_shown)
            .map(WaveRow::packed)
            .collect();
        for value in rows
            .iter_mut()
            .flat_map(|row| row.values.iter_mut().flatten())
        {
            *value = *places.entry(*value).or_insert_with(|| {
                values.push(*value);
                values.len() as u32 - 1
            });
        }
        let until = self.until.map_or(String::new(), |until| {
            format!(", up to bit time {until}, as the rest would be too much")
        });
        let words = match nodes.len() == names.len() {
            true => format!("all nodes have one{until}"),
            false => {
                let names: Vec<String> = nodes.iter().map(name).collect();
                format!("of nodes {}{until}", names.join(", "))
            }
        };
        Shown {
            nodes: nodes.to_vec(),
            values: values
                .into_iter()
                .map(|value| self.values[value as usize].clone())
                .collect(),
            rows,
            until: self.until,
            words,
        }
    }
}

/// A trace that is kept.
#[derive(Default)]
struct Kept {
    scopes: Vec<String>,
    rows: Vec<WaveRow>,
    numbers: FxHashMap<String, u32>,
    values: Vec<String>,
    bit_time: u32,
    changes: usize,
    until: Option<u32>,
}

impl Kept {
    fn number(&mut self, text: String) -> u32 {
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        let next = self.values.len() as u32;
        self.values.push(text.clone());
        self.numbers.insert(text, next);
        next
    }

    fn change(&mut self, signal: SignalId, value: Value<'_>) {
        // The clock says nothing.
        if self.rows[signal].path == "clk" {
            return;
        }
        if self.changes == MOST_CHANGES {
            self.until.get_or_insert(self.bit_time);
            return;
        }
        let of_bits = |bits: &[bool]| {
            bits.iter()
                .rev()
                .fold(0u64, |word, bit| word << 1 | u64::from(*bit))
        };
        let value = match (self.rows[signal].kind, value) {
            (RowKind::Bit, Value::Bits(bits)) => u32::from(bits[0]),
            (RowKind::Count, Value::Bits(bits)) => self.number(of_bits(bits).to_string()),
            (_, Value::Bits(bits)) => {
                let digits = bits.chunks(4).rev().map(of_bits);
                let digits = digits.filter_map(|digit| char::from_digit(digit as u32, 16));
                self.number(digits.map(|digit| digit.to_ascii_uppercase()).collect())
            }
            (_, Value::Text(text)) => self.number(text.trim_start().to_owned()),
        };
        let from = self.bit_time;
        self.rows[signal].changes.push(Change { from, value });
        self.changes += 1;
    }
}

/// The same, while a probe writes it.
#[derive(Clone, Default)]
struct Shared(Rc<RefCell<Kept>>);

impl Trace for Shared {
    fn push_scope(&mut self, name: &str) -> io::Result<()> {
        self.0.borrow_mut().scopes.push(name.to_owned());
        Ok(())
    }

    fn pop_scope(&mut self) -> io::Result<()> {
        self.0.borrow_mut().scopes.pop();
        Ok(())
    }

    fn add_signal(&mut self, name: &str, kind: Kind) -> io::Result<SignalId> {
        let mut kept = self.0.borrow_mut();
        // The machine's own scope is that of all.
        let scopes = kept.scopes.iter().skip(1).map(String::as_str);
        let path = scopes.chain([name]).collect::<Vec<_>>().join(".");
        let kind = match kind {
            Kind::Text { .. } => RowKind::Text,
            Kind::Count => RowKind::Count,
            kind if kind.width() == 1 => RowKind::Bit,
            _ => RowKind::Word,
        };
        let changes = Vec::new();
        kept.rows.push(WaveRow {
            path,
            kind,
            changes,
        });
        Ok(kept.rows.len() - 1)
    }

    fn begin(&mut self, tick: u64) -> io::Result<()> {
        self.advance(tick)
    }

    fn advance(&mut self, tick: u64) -> io::Result<()> {
        self.0.borrow_mut().bit_time = u32::try_from(tick / TICKS_PER_BIT_TIME).unwrap_or(u32::MAX);
        Ok(())
    }

    fn change(&mut self, signal: SignalId, value: Value<'_>) -> io::Result<()> {
        self.0.borrow_mut().change(signal, value);
        Ok(())
    }

    fn finish(&mut self, _tick: u64) -> io::Result<()> {
        Ok(())
    }
}

/// Looks on while a machine runs.
pub(super) struct Looking {
    kept: Shared,
    probe: Probe<'static>,
    nodes: Vec<u32>,
}

impl Looking {
    /// At these nodes of a machine that is about to run. Nobody, if a trace that is kept in memory cannot be begun.
    pub fn at(subject: &dyn Subject, nodes: &[usize]) -> Option<Self> {
        let selection = Selection {
            nodes: nodes.to_vec(),
            window: 0..u64::MAX,
        };
        let kept = Shared::default();
        let probe = Probe::attach(kept.clone(), subject, selection).ok()?;
        let nodes = nodes.iter().map(|node| *node as u32).collect();
        Some(Looking { kept, probe, nodes })
    }

    /// Whether more can be kept.
    pub fn has_room(&self) -> bool {
        self.kept.0.borrow().until.is_none()
    }

    /// In every bit time, between its two halves.
    pub fn look(&mut self, subject: &dyn Subject) {
        // What is kept in memory meets no error; behind its end nothing is kept.
        if self.has_room() {
            _ = self.probe.sample(subject);
        }
    }

    /// What was seen: of each row that is ever anything but 0 or nothing.
    pub fn finish(self) -> Waves {
        drop(self.probe);
        let kept = self.kept.0.take();
        let is_nothing = |row: &WaveRow, change: &Change| match row.kind {
            RowKind::Bit => change.value == 0,
            RowKind::Text => kept.values[change.value as usize].is_empty(),
            _ => {
                let value = &kept.values[change.value as usize];
                value.bytes().all(|byte| byte == b'0')
            }
        };
        let is_seen = |row: &WaveRow| !row.changes.iter().all(|change| is_nothing(row, change));
        let rows = kept
            .rows
            .iter()
            .filter(|row| is_seen(row))
            .cloned()
            .collect();
        Waves {
            nodes: self.nodes,
            rows,
            until: kept.until,
            values: kept.values,
        }
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::kuszmaul::plain::PLAIN;

    use super::*;
    use crate::memory::MemoryTrace;

    /// What is kept of two nodes of eight, and the same as a dump has it.
    fn kept() -> (Waves, MemoryTrace) {
        let cube = Dimensions::new(3).unwrap();
        let device = PLAIN.device(cube, 30).unwrap();
        let mut machine = device.build(1).unwrap();
        machine.watch();
        let mut dump = MemoryTrace::default();
        let selection = Selection {
            nodes: vec![5, 2],
            window: 0..u64::MAX,
        };
        let mut looking = Looking::at(&&*machine, &[5, 2]).unwrap();
        let mut probe = Probe::attach(&mut dump, &&*machine, selection).unwrap();
        for bit in 0..40 {
            machine.flip_register(5, bit);
        }
        while !machine.is_done() {
            machine.transmit().unwrap();
            looking.look(&&*machine);
            probe.sample(&&*machine).unwrap();
            machine.clock();
        }
        probe.finish().unwrap();
        (looking.finish(), dump)
    }

    /// What a row says in a bit time.
    fn said(waves: &Waves, row: &WaveRow, bit_time: u32) -> String {
        let begun = row
            .changes
            .partition_point(|change| change.from <= bit_time);
        let value = row.changes[begun - 1].value;
        match row.kind {
            RowKind::Bit => value.to_string(),
            _ => waves.values[value as usize].clone(),
        }
    }

    #[test]
    fn rows_say_what_a_dump_says() {
        let (waves, dump) = kept();
        let mut compared = 0;
        for row in &waves.rows {
            let signal = dump.signal(&format!("cube.{}", row.path)).unwrap();
            for bit_time in 0..30 {
                let due = dump
                    .value_at(signal, u64::from(bit_time) * TICKS_PER_BIT_TIME)
                    .unwrap();
                let value = |digits: &str, radix| u64::from_str_radix(digits, radix).unwrap();
                let said = said(&waves, row, bit_time);
                let is_due = match row.kind {
                    RowKind::Bit | RowKind::Text => said == due,
                    RowKind::Word => value(&said, 16) == value(due, 2),
                    RowKind::Count => value(&said, 10) == value(due, 2),
                };
                assert!(is_due, "{}: {said} in place of {due}", row.path);
                compared += 1;
            }
        }
        assert!(compared > 300, "{compared}");
        let is_clock = |row: &WaveRow| row.path == "clk";
        assert!(!waves.rows.iter().any(is_clock), "it says nothing");
    }

    #[test]
    fn a_page_has_rows_of_the_nodes_that_have_room() {
        let (waves, _) = kept();
        let names: Vec<String> = (0..8).map(|node: u32| node.to_string()).collect();
        let shown = waves.shown(1, &names);
        assert_eq!(shown.nodes, [5]);
        assert!(shown.rows.iter().any(|row| row.path.starts_with("node_5.")));
        assert!(
            shown
                .rows
                .iter()
                .any(|row| row.path.starts_with("sequencer."))
        );
        assert!(!shown.rows.iter().any(|row| row.path.starts_with("node_2.")));
        assert_eq!(shown.words, "of nodes 5");
        // Bits change in turn; of all others values are said.
        for row in &shown.rows {
            assert_eq!(
                row.first.is_some(),
                row.kind == RowKind::Bit,
                "{}",
                row.path
            );
            assert_eq!(
                row.values.is_none(),
                row.kind == RowKind::Bit,
                "{}",
                row.path
            );
        }
    }

    #[test]
    fn what_is_too_much_is_said_to_be_left_out() {
        let mut kept = Kept {
            changes: MOST_CHANGES - 1,
            bit_time: 7,
            ..Kept::default()
        };
        kept.rows.push(WaveRow {
            path: "node_0.tx".to_owned(),
            kind: RowKind::Bit,
            changes: Vec::new(),
        });
        kept.change(0, Value::Bits(&[true]));
        assert_eq!((kept.rows[0].changes.len(), kept.until), (1, None));
        kept.change(0, Value::Bits(&[false]));
        assert_eq!((kept.rows[0].changes.len(), kept.until), (1, Some(7)));
    }
}
