//! A run whose dump holds every node, and the dump.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::dump::{Dump, TICKS_PER_BIT_TIME};

/// Guests with detours and without, one way and both ways, and a last packet that is longer than what is left.
pub const PHASES: [&str; 5] = [
    "--guest gray-cycle --dims 3 --message-bits 6 --packets 2",
    "--guest cycle --dims 4 --message-bits 22 --start-up 2",
    "--guest cycle --dims 4 --message-bits 16 --order greedy --both-ways",
    "--guest double-cycle --dims 4 --message-bits 9 --start-up 1",
    "--guest butterfly-copies --dims 3 --message-bits 5 --order greedy",
];

/// What a run left.
pub struct Dumped {
    pub options: &'static str,
    pub dump: Dump,
    pub view: String,
    /// Bit times.
    pub end: usize,
    pub dims: usize,
    pub start_up: usize,
    pub packet_bits: usize,
    pub cells: usize,
    /// All packets of all messages, as they arrived.
    pub packets: Vec<u64>,
}

/// Runs; the report.
pub fn run(options: &str, wave: &Path, results: &Path) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(["run", "embedding"])
        .args(options.split(' '))
        .args([
            "--seed",
            "9",
            "--format",
            "json",
            "--trace-nodes",
            "all",
            "--wave",
        ])
        .arg(wave)
        .arg("--results")
        .arg(results)
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert!(output.status.success(), "{options}");
    serde_json::from_slice(&output.stdout).unwrap()
}

impl Dumped {
    pub fn of(options: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [wave, results] = ["run.vcd", "came.csv"].map(|name| folder.path().join(name));
        let report = run(options, &wave, &results);
        let told = |name: &str| report[name].as_u64().unwrap() as usize;
        let packet_bits = told("packet_bits");
        let rows = std::fs::read_to_string(&results).unwrap();
        let mask = (1u64 << packet_bits) - 1;
        let packets = rows.lines().skip(1).flat_map(|row| {
            let (_, value) = row.split_once(',').unwrap();
            let message = u64::from_str_radix(value, 16).unwrap();
            let each = 0..told("packets");
            each.map(move |packet| message >> (packet * packet_bits) & mask)
        });
        let packets = packets.collect();
        let dump = Dump::read(&wave);
        // The bit time after the last shows what the run leaves.
        let end = (dump.ticks.last().unwrap() / TICKS_PER_BIT_TIME) as usize - 1;
        assert_eq!(end, told("bit_times"), "{options}");
        Dumped {
            options,
            view: std::fs::read_to_string(wave.with_extension("gtkw")).unwrap(),
            dump,
            end,
            dims: report["topology"]["dims"].as_u64().unwrap() as usize,
            start_up: told("start_up"),
            packet_bits,
            cells: told("cells"),
            packets,
        }
    }

    pub fn nodes(&self) -> usize {
        1 << self.dims
    }

    /// Bit times of a step.
    pub fn per_step(&self) -> usize {
        self.start_up + self.packet_bits
    }

    pub fn steps(&self) -> usize {
        self.end / self.per_step()
    }

    /// Each node with each of its dimensions.
    pub fn ends(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let dims = self.dims;
        (0..self.nodes()).flat_map(move |node| (0..dims).map(move |dimension| (node, dimension)))
    }

    /// A signal in each bit time, and in the one after the last.
    pub fn values(&self, path: &str) -> Vec<&str> {
        self.dump
            .by_bit_time(&format!("cube.{path}"), 0, self.end as u64 + 1)
    }

    pub fn wire(&self, node: usize, dimension: usize, what: &str) -> Vec<&str> {
        self.values(&format!("node_{node}.dim_{dimension}.{what}"))
    }

    /// A number that a node shows, in a bit time.
    pub fn number(&self, node: usize, name: &str, at: usize) -> u64 {
        let changes = &self.dump.signals[&format!("cube.node_{node}.numbers.{name}")];
        let tick = at as u64 * TICKS_PER_BIT_TIME;
        let until = changes.partition_point(|(when, _)| *when <= tick);
        u64::from_str_radix(&changes[until - 1].1, 2).unwrap()
    }

    /// The number that the bits of a wire spell, the least significant first.
    pub fn spelled(&self, bits: &[&str]) -> u64 {
        let digits: String = bits.iter().rev().copied().collect();
        u64::from_str_radix(&digits, 2).unwrap()
    }
}
