//! Coverage of a run, as reports have it: what has changed by kind and part, what never has, and in which states the sequencer was.
//!
//! ```text
//!   coverage: bits of a node that change at some node, and at all; those of all nodes; those that rise and fall
//!                bits  change  at all  of all nodes  rise and fall
//!     registers    61      60      41        80.3 %             52
//!       packing    12      11       8        71.4 %             10
//!
//!   never change
//!     registers  packing.dim_1.crossing[1:0]  stays 0
//! ```

use std::collections::BTreeSet;
use std::fmt::Write;

use comfy_table::CellAlignment;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use waves::coverage::{Covered, Toggles};

use crate::report::{aligned, counted};

/// Rows of bits that a text names; JSON has all.
const MOST_NAMED: usize = 40;

/// What was covered in a run, or in several of one machine.
#[derive(Clone, Debug)]
pub struct Coverage(pub waves::coverage::Coverage);

/// The same, as it is written down.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Told {
    /// By kind, and of each by part.
    pub parts: Vec<Part>,
    /// Bits that have not changed at any node.
    pub unchanged: Vec<Unchanged>,
    /// Registers of the sequencer.
    pub sequencer: Vec<Counter>,
    /// Steps of the schedule, or, where steps overlap, units that drive wires; none of a machine that has none.
    pub states: Vec<State>,
}

/// The bits of a kind, or of a part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Part {
    /// `registers` of nodes, `wires` that nodes drive, or registers of the `sequencer`.
    pub kind: &'static str,
    /// The part of the node, or the link; none, where it is all of the kind.
    pub part: Option<String>,
    /// Bits of a node.
    pub bits: usize,
    /// Of them, those that have changed at a node or more.
    pub changed_at_some_node: usize,
    /// Those that have changed at all nodes that have them.
    pub changed_at_all_nodes: usize,
    /// Those that have risen and fallen at one node or more.
    pub toggled_at_some_node: usize,
    /// Of the bits of all nodes, the share that has changed.
    pub changed_share: f64,
    /// Of the bits of all nodes, the share that has risen and fallen.
    pub toggled_share: f64,
}

/// A bit that has not changed at any node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Unchanged {
    /// As [`Part::kind`].
    pub kind: &'static str,
    /// Names of modules and register, or of link and wire, as waves have them, and the number of the bit.
    pub bit: String,
    /// What it does in place of it: `stays 0`, `stays 1`, or one at some nodes and the other at others.
    pub does: &'static str,
}

/// A register of the sequencer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Counter {
    /// Its name.
    pub register: String,
    /// Its width.
    pub bits: usize,
    /// How many values it has had.
    pub values: usize,
}

/// A state of the sequencer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct State {
    /// `step` of the schedule, or `unit` that drives wires.
    pub kind: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Whether the sequencer was in it.
    pub is_reached: bool,
}

/// What a bit does that does not change.
fn does(covered: Covered) -> &'static str {
    match (covered.was_1, covered.was_0) {
        (true, true) => "stays 0 or 1",
        (true, false) => "stays 1",
        _ => "stays 0",
    }
}

impl Part {
    fn of((kind, part): (&'static str, Option<&str>), bits: &[Covered]) -> Self {
        let amount = |which: fn(&Covered) -> bool| bits.iter().filter(|bit| which(bit)).count();
        let all = |of: fn(&Covered) -> usize| bits.iter().map(of).sum::<usize>() as f64;
        let nodes = all(|bit| bit.nodes);
        Part {
            kind,
            part: part.map(str::to_owned),
            bits: bits.len(),
            changed_at_some_node: amount(|bit| bit.changed > 0),
            changed_at_all_nodes: amount(|bit| bit.changed == bit.nodes),
            toggled_at_some_node: amount(|bit| bit.toggled > 0),
            changed_share: all(|bit| bit.changed) / nodes,
            toggled_share: all(|bit| bit.toggled) / nodes,
        }
    }
}

impl Told {
    fn of(coverage: &waves::coverage::Coverage) -> Self {
        let (mut parts, mut unchanged) = (Vec::new(), Vec::new());
        for (kind, toggles) in [
            ("registers", &coverage.registers),
            ("wires", &coverage.wires),
            ("sequencer", &coverage.sequencer),
        ] {
            add(kind, toggles, (&mut parts, &mut unchanged));
        }
        let counters = coverage.counters.iter().map(|counter| Counter {
            register: counter.name.whole.clone(),
            bits: counter.name.width,
            values: counter.values(),
        });
        // A code that is not used has no name.
        let states = coverage
            .states
            .iter()
            .filter(|state| !state.name.is_empty());
        let states = states.map(|state| State {
            kind: if coverage.are_units { "unit" } else { "step" },
            name: state.name,
            is_reached: state.is_reached,
        });
        Told {
            parts,
            unchanged,
            sequencer: counters.collect(),
            states: states.collect(),
        }
    }
}

/// The rows of a kind.
fn add(
    kind: &'static str,
    toggles: &Toggles,
    (parts, unchanged): (&mut Vec<Part>, &mut Vec<Unchanged>),
) {
    let bits = toggles.names().iter().enumerate();
    let bits = bits.map(|(number, name)| (name, toggles.covered(number)));
    // No node has a wire for which the network has no room.
    let bits: Vec<_> = bits.filter(|(_, covered)| covered.nodes > 0).collect();
    let mut of_parts: Vec<(&str, Vec<Covered>)> = Vec::new();
    for (name, covered) in &bits {
        match of_parts.iter_mut().find(|(part, _)| *part == name.part) {
            Some((_, all)) => all.push(*covered),
            None => of_parts.push((&name.part, vec![*covered])),
        }
    }
    if !bits.is_empty() {
        let all: Vec<Covered> = bits.iter().map(|(_, covered)| *covered).collect();
        parts.push(Part::of((kind, None), &all));
    }
    let of_parts = of_parts.iter();
    parts.extend(of_parts.map(|(part, bits)| Part::of((kind, Some(part)), bits)));
    let never = bits.iter().filter(|(_, covered)| covered.changed == 0);
    unchanged.extend(never.map(|(name, covered)| Unchanged {
        kind,
        bit: name.whole.clone(),
        does: does(*covered),
    }));
}

/// The register that a bit is of, and its number there.
fn split(bit: &str) -> (&str, usize) {
    let parts = bit.strip_suffix(']').and_then(|bit| bit.rsplit_once('['));
    let parts = parts.and_then(|(register, number)| Some((register, number.parse().ok()?)));
    parts.unwrap_or((bit, 0))
}

/// Rows of a text: neighbouring bits of a register that do the same are in one, and those of a register with many such in one too.
fn together(unchanged: &[Unchanged]) -> Vec<Vec<String>> {
    /// Rows of a register.
    const MOST: usize = 3;
    let is_next = |one: &Unchanged, next: &Unchanged| {
        let ((register, number), (other, follows)) = (split(&one.bit), split(&next.bit));
        one.does == next.does && (register, number + 1) == (other, follows)
    };
    let is_same = |one: &Unchanged, next: &Unchanged| {
        (one.kind, split(&one.bit).0) == (next.kind, split(&next.bit).0)
    };
    let of_registers = unchanged.chunk_by(is_same);
    let rows = of_registers.flat_map(|bits| {
        let rows: Vec<&[Unchanged]> = bits.chunk_by(is_next).collect();
        if rows.len() > MOST {
            let does = bits.iter().map(|bit| bit.does).collect::<BTreeSet<_>>();
            let does = Vec::from_iter(does).join(", or ");
            let name = format!("{}, {} bits", split(&bits[0].bit).0, bits.len());
            return vec![vec![bits[0].kind.to_owned(), name, does]];
        }
        let rows = rows.into_iter().map(|bits| {
            let (first, last) = (&bits[0], &bits[bits.len() - 1]);
            let ((register, from), (_, to)) = (split(&first.bit), split(&last.bit));
            let name = match from < to {
                true => format!("{register}[{to}:{from}]"),
                false => first.bit.clone(),
            };
            vec![first.kind.to_owned(), name, first.does.to_owned()]
        });
        rows.collect()
    });
    rows.collect()
}

impl Coverage {
    /// As it is written down.
    pub fn told(&self) -> Told {
        Told::of(&self.0)
    }

    /// A table, and beneath it what was never reached.
    pub fn text(&self) -> String {
        let told = self.told();
        let headings = [
            "",
            "bits",
            "change",
            "at all",
            "of all nodes",
            "rise and fall",
        ];
        let mut rows = vec![headings.map(str::to_owned).to_vec()];
        rows.extend(told.parts.iter().map(|part| {
            let name = match &part.part {
                None => part.kind.to_owned(),
                Some(part) => format!("  {part}"),
            };
            vec![
                name,
                part.bits.to_string(),
                part.changed_at_some_node.to_string(),
                part.changed_at_all_nodes.to_string(),
                format!("{:.1} %", 100.0 * part.changed_share),
                part.toggled_at_some_node.to_string(),
            ]
        }));
        let alignment = [&[CellAlignment::Left][..], &[CellAlignment::Right; 5]].concat();
        let mut text = format!(
            "\ncoverage: bits of a node that change at some node, and at all; those of all nodes; those that rise and fall\n{}\n",
            aligned(rows, &alignment)
        );
        let unchanged = together(&told.unchanged);
        if !unchanged.is_empty() {
            text.push_str("\nnever change\n");
            let rows = unchanged[..unchanged.len().min(MOST_NAMED)].to_vec();
            text.push_str(&aligned(rows, &[CellAlignment::Left; 3]));
            text.push('\n');
            if let left @ 1.. = unchanged.len().saturating_sub(MOST_NAMED) {
                let _ = writeln!(text, "  and {left} more, which --format json has");
            }
        }
        text.push_str(&sequencer(&told));
        text
    }
}

/// Where the sequencer was, if there is one.
fn sequencer(told: &Told) -> String {
    let mut text = String::new();
    let registers = told.sequencer.iter().map(|register| {
        vec![
            register.register.clone(),
            counted(register.bits, "bit"),
            counted(register.values, "value"),
        ]
    });
    let rows: Vec<_> = registers.collect();
    if !rows.is_empty() {
        let left = [CellAlignment::Left; 3];
        let _ = write!(
            text,
            "\nvalues of the sequencer\n{}\n",
            aligned(rows, &left)
        );
    }
    let Some(State { kind, .. }) = told.states.first() else {
        return text;
    };
    let unreached = told.states.iter().filter(|state| !state.is_reached);
    let unreached: Vec<&str> = unreached.map(|state| state.name).collect();
    let all = told.states.len();
    let reached = match unreached.len() {
        0 => format!("each of {}", counted(all, kind)),
        _ => format!(
            "{} of {}; never {}",
            all - unreached.len(),
            counted(all, kind),
            unreached.join(", ")
        ),
    };
    let does = match *kind {
        "unit" => "wires are driven by",
        _ => "it was in",
    };
    let _ = writeln!(text, "  {does} {reached}");
    text
}

impl Serialize for Coverage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.told().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_counts_bits_at_some_node_at_all_and_over_all() {
        let bits = [(4, 4, 2), (4, 1, 0), (2, 0, 0)].map(|(nodes, changed, toggled)| Covered {
            nodes,
            changed,
            toggled,
            was_1: true,
            was_0: true,
        });
        let part = Part::of(("wires", Some("dim_0")), &bits);
        let amounts = [
            part.bits,
            part.changed_at_some_node,
            part.changed_at_all_nodes,
            part.toggled_at_some_node,
        ];
        assert_eq!(amounts, [3, 2, 1, 1]);
        assert_eq!([part.changed_share, part.toggled_share], [0.5, 0.2]);
    }

    #[test]
    fn bits_side_by_side_are_told_in_a_row_and_many_rows_of_a_register_in_one() {
        let bits = |register: &str, bits: &[(usize, &'static str)]| {
            let bits = bits.iter().map(|(number, does)| Unchanged {
                kind: "registers",
                bit: format!("{register}[{number}]"),
                does,
            });
            bits.collect::<Vec<_>>()
        };
        let all = [
            bits(
                "a.b",
                &[
                    (0, "stays 0"),
                    (1, "stays 0"),
                    (2, "stays 1"),
                    (5, "stays 1"),
                ],
            ),
            bits(
                "c",
                &[
                    (0, "stays 1"),
                    (2, "stays 0"),
                    (4, "stays 0"),
                    (6, "stays 0"),
                ],
            ),
            bits("d", &[(1, "stays 0")]),
        ];
        let rows = together(&all.concat());
        let rows: Vec<String> = rows.iter().map(|row| row[1..].join(": ")).collect();
        assert_eq!(
            rows,
            [
                "a.b[1:0]: stays 0",
                "a.b[2]: stays 1",
                "a.b[5]: stays 1",
                "c, 4 bits: stays 0, or stays 1",
                "d[1]: stays 0",
            ]
        );
    }
}
