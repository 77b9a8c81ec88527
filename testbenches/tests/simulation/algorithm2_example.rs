//! The worked example of Algorithm 2 is what the registers of the machine hold.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::common::dump::Dump;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/algorithm2.md");
const K: usize = 3;
const PAYLOAD_BITS: usize = 4;

/// The first block of a kind after a heading.
fn block<'a>(page: &'a str, heading: &str, kind: &str) -> &'a str {
    let section = page.split_once(&format!("\n{heading}\n")).unwrap().1;
    let block = section.split_once(&format!("```{kind}\n")).unwrap().1;
    block.split_once("```").unwrap().0
}

/// The waveform of a run of the example's messages.
fn dump(folder: &Path, messages: &str) -> Dump {
    std::fs::write(folder.join("example.csv"), messages).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(["run", "kuszmaul", "--dims", "3", "--payload-bits", "4"])
        .args(["--traffic-file", "example.csv", "--trace-nodes", "all"])
        .args(["--wave", "example.vcd"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(ran.status.success());
    Dump::read(&folder.join("example.vcd"))
}

/// What registers hold at the beginning of steps.
struct Registers {
    dump: Dump,
    /// The first bit time of each (iteration, step).
    starts: BTreeMap<(usize, usize), u64>,
    bit_times: u64,
}

impl Registers {
    fn of(dump: Dump) -> Self {
        let bit_times = dump.ticks.last().unwrap() / crate::common::dump::TICKS_PER_BIT_TIME;
        let values = |path: &str| -> Vec<usize> {
            let values = dump.by_bit_time(path, 0, bit_times);
            let number = |bits: &str| usize::from_str_radix(bits, 2).unwrap();
            values.into_iter().map(number).collect()
        };
        let mut starts = BTreeMap::new();
        let iterations = values("cube.sequencer.iteration");
        let steps = values("cube.sequencer.step");
        for (bit_time, at) in iterations.into_iter().zip(steps).enumerate() {
            starts.entry(at).or_insert(bit_time as u64);
        }
        Registers {
            dump,
            starts,
            bit_times,
        }
    }

    fn value(&self, node: usize, register: &str, bit_time: u64) -> usize {
        let path = format!("cube.node_{node}.{register}");
        let bits = self.dump.by_bit_time(&path, bit_time, bit_time + 1)[0];
        usize::from_str_radix(bits, 2).unwrap()
    }

    /// The payload in a buffer, behind what is left of the address; nothing where there is no message.
    fn message(&self, node: usize, buffer: &str, bit_time: u64, address_bits: usize) -> String {
        match self.value(node, &format!("{buffer}.valid"), bit_time) {
            0 => String::new(),
            _ => {
                let bits = self.value(node, &format!("{buffer}.bits"), bit_time);
                format!("{:x}", bits >> address_bits & ((1 << PAYLOAD_BITS) - 1))
            }
        }
    }

    fn iteration(&self, i: usize) -> String {
        let m = K - 1 - i;
        let mut text = format!(
            "iteration {i}| step 1  | 2     | 3           | 4     | 5         | 6\n\
             node holds | holds   | rank  | keeps waits | rank  | address   | holds\n"
        );
        let start = |step: usize| self.starts[&(i, step)];
        let kept = |node: usize| self.message(node, "first_message", start(2), m);
        let rank = |node: usize, bit_time: u64| {
            (self.value(node, "enumeration.rank", bit_time) & ((1 << m) - 1)).to_string()
        };
        for node in 0..1 << K {
            let second = self.message(node, "second_message", start(2), m);
            let is_empty = kept(node).is_empty();
            let cells = [
                format!(
                    "{node:4} {:6}",
                    or_dot(self.message(node, "first_message", start(1), m + 1))
                ),
                format!(" {:8}", or_dot(kept(node) + &second)),
                match second.is_empty() {
                    true => " .     ".to_owned(),
                    false => format!(" {:6}", rank(node, start(3))),
                },
                format!(
                    " {:5} {:6}",
                    or_dot(self.message(node, "first_message", start(4), m)),
                    or_dot(self.message(node, "second_message", start(4), m))
                ),
                match is_empty {
                    false => " .     ".to_owned(),
                    true => format!(" {:6}", rank(node, start(5))),
                },
                format!(" {:10}", or_dot(self.address(i, node, &kept))),
                format!(
                    " {}",
                    or_dot(self.message(node, "first_message", self.starts[&(i + 1, 1)], m))
                ),
            ];
            writeln!(text, "{}", cells.join("|")).unwrap();
        }
        text
    }

    /// The address that step 5 brought, where it brought one.
    fn address(&self, i: usize, node: usize, kept: &impl Fn(usize) -> String) -> String {
        let m = K - 1 - i;
        let stride = 1 << (i + 1);
        let empties = (node % stride..1 << K).step_by(stride);
        let empties = empties.filter(|&node| kept(node).is_empty()).count();
        if node / stride >= empties {
            return String::new();
        }
        // A stack: its head is the address bit of the highest dimension.
        let stack = self.value(node, "rendezvous", self.starts[&(i, 6)]);
        let free: usize = (0..m)
            .map(|place| (stack >> place & 1) << (K - 1 - place))
            .sum();
        (free + node % stride).to_string()
    }

    fn last_iteration(&self) -> String {
        let i = K - 1;
        let mut text = format!("iteration {i}| step 1\nnode holds | holds\n");
        for node in 0..1 << K {
            let before = or_dot(self.message(node, "first_message", self.starts[&(i, 1)], 1));
            let after = or_dot(self.message(node, "first_message", self.bit_times, 0));
            writeln!(text, "{node:4} {before:6}| {after}").unwrap();
        }
        text
    }
}

fn or_dot(text: String) -> String {
    match text.is_empty() {
        true => ".".to_owned(),
        false => text,
    }
}

#[test]
fn the_worked_example_is_what_the_registers_hold() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    let heading = "## A worked example";
    let folder = tempfile::tempdir().unwrap();
    let messages = block(&page, heading, "csv example.csv");
    let registers = Registers::of(dump(folder.path(), messages));
    let derived = [
        registers.iteration(0),
        registers.iteration(1),
        registers.last_iteration(),
    ]
    .join("\n");
    let shown = block(&page, heading, "text");
    assert_eq!(shown, derived, "derived:\n{derived}");
}

/// Bit times and storage of a run, as it writes their closed forms.
fn forms(schedule: &str, k: usize, payload_bits: usize) -> [String; 2] {
    let ran = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(["run", "kuszmaul", "--schedule", schedule])
        .args(["--dims", &k.to_string()])
        .args(["--payload-bits", &payload_bits.to_string()])
        .args(["--format", "json"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
    ["bit_times_formula", "storage_bits_formula"].map(|form| {
        let text = report[form]["text"].as_str().unwrap();
        // Without the sizes that it is for.
        let form = text.split(" (").next().unwrap();
        form.replace("^2", "²")
    })
}

/// The table of the schedules has the closed forms of all sizes from six dimensions on.
#[test]
fn the_table_has_the_closed_forms_that_runs_are_held_to() {
    let page = std::fs::read_to_string(PAGE).unwrap();
    for schedule in ["plain", "overlapped", "folded", "spread", "radix4"] {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{schedule}`:")));
        let row = row.unwrap().replace(' ', "");
        let cells: Vec<&str> = row.split('|').collect();
        for (k, payload_bits) in [(6, 1), (6, 2), (7, 1), (7, 2)] {
            let [bit_times, storage] = forms(schedule, k, payload_bits);
            let of = format!("{schedule}, k = {k}, D = {payload_bits}");
            assert!(cells[2].contains(&bit_times), "{of}: {bit_times}");
            assert!(cells[3].contains(&storage), "{of}: {storage}");
        }
    }
}
