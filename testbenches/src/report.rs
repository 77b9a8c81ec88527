//! The report of a run: for people as text, for scripts as JSON. All families have one: a head that is the same for all,
//! sections that a family adds, and checks.
//!
//! ```text
//!   for people                          for scripts, in this order
//!   testbench, source                   bench, models, source, topology
//!   summary, route of one message         + what the family says of its machine
//!     + sections of the family          payload_bits .. delivered, bit_times, bit_times_formula
//!   storage by part                       + of its bit times
//!     + sections of the family          storage_bits_per_node, storage_bits_formula
//!   checks                                + of storage
//!   files written                       logic_depth, peak
//!                                         + of what was in use
//!                                       serial_adders_per_node, wire_use
//!                                         + of how it ended
//!                                       bytes_per_node, simulation_seconds, route, coverage, over_seeds, outputs, checks, passed, meta
//! ```

pub mod coverage;
mod entry;
mod figures;
mod heading;
mod layout;
mod meta;
pub mod of_all;
mod outputs;
mod quantity;
mod route;
mod spread;
mod told;

use std::fmt::Write;

use comfy_table::CellAlignment;
use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Error;
use crate::error::refusal::unprintable;
use crate::options::Format;
pub use coverage::Coverage;
pub use entry::{Better, Entry};
pub use figures::{Depth, Formula, Peak, StorageBits, Topology};
pub use heading::{Heading, Shown};
pub(crate) use layout::{aligned, and, counted, duration, memory, rows};
pub use meta::{Date, DateArgument, From, Meta, SCHEMA, VERSION};
pub use outputs::{Check, Outputs, TracedNodes};
pub(crate) use outputs::{check_rows, quoted, shown_path, with_value, written};
pub use quantity::{BIT_TIMES, FORWARDING_BUFFER, Quantity, ROUTING_STEPS, STORAGE};
pub use route::{Hop, Route};
pub use spread::{OverSeeds, Spread};
pub use told::Told;

/// What every run says.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The testbench.
    pub bench: &'static str,
    /// What it models.
    pub models: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// The network.
    pub topology: Topology,
    /// Payload bits of a message; 0 where no message is sent.
    pub payload_bits: usize,
    /// The schedule, where there is a choice.
    pub schedule: Option<&'static str>,
    /// The pattern or the file.
    pub traffic: String,
    /// The share of nodes that send; not for files.
    pub load: Option<f64>,
    /// What random choices were drawn from.
    pub seed: u64,
    /// What was sent, or counted.
    pub messages: usize,
    /// Of it, what is as it should be.
    pub delivered: usize,
    /// Measured.
    pub bit_times: u64,
    /// The closed form, where there is one.
    pub bit_times_formula: Option<Formula>,
    /// Registers of a node.
    pub storage_bits_per_node: StorageBits,
    /// The closed form.
    pub storage_bits_formula: Formula,
    /// How long the longest path between two registers is.
    pub logic_depth: Option<Depth>,
    /// How much was in use.
    pub peak: Peak,
    /// Counted from the description.
    pub serial_adders_per_node: usize,
    /// Share of the wire-bit-times that were used, or given out.
    pub wire_use: f64,
    /// Bytes of memory for each node, as the run was estimated to take them: registers and wires, traffic and
    /// scoreboard.
    pub bytes_per_node: f64,
    /// Spent ticking, where that is to be said.
    pub simulation_seconds: Option<f64>,
    /// The route of one message; only where that was asked for.
    pub route: Option<Route>,
    /// What was covered; only where that was asked for.
    pub coverage: Option<Coverage>,
    /// What further runs say, with other seeds; only where these were asked for.
    pub over_seeds: Option<OverSeeds>,
    /// Files written.
    pub outputs: Outputs,
    /// One verdict each.
    pub checks: Vec<Check>,
    /// All checks hold.
    pub passed: bool,
    /// What the family adds.
    pub family: Told,
    /// Where it comes from.
    pub meta: Meta,
}

/// Behind what in the JSON a family adds what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Behind {
    /// The network.
    Network,
    /// Bit times.
    BitTimes,
    /// Storage.
    Storage,
    /// The peak.
    Peak,
    /// The use of wires.
    WireUse,
}

/// Names and values, as JSON has them.
pub type Section = Vec<(&'static str, Value)>;

/// A value as JSON; what cannot be written down is null.
pub fn value(of: &impl Serialize) -> Value {
    serde_json::to_value(of).unwrap_or(Value::Null)
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let family = |map: &mut S::SerializeMap, place| {
            let entries = self.family.entries.iter();
            let mut here = entries.filter(|(behind, ..)| *behind == place);
            here.try_for_each(|(_, name, value)| map.serialize_entry(name, value))
        };
        map.serialize_entry("bench", self.bench)?;
        map.serialize_entry("models", self.models)?;
        map.serialize_entry("source", self.source)?;
        map.serialize_entry("topology", &self.topology)?;
        family(&mut map, Behind::Network)?;
        map.serialize_entry("payload_bits", &self.payload_bits)?;
        map.serialize_entry("schedule", &self.schedule)?;
        map.serialize_entry("traffic", &self.traffic)?;
        map.serialize_entry("load", &self.load)?;
        map.serialize_entry("seed", &self.seed)?;
        map.serialize_entry("messages", &self.messages)?;
        map.serialize_entry("delivered", &self.delivered)?;
        map.serialize_entry("bit_times", &self.bit_times)?;
        map.serialize_entry("bit_times_formula", &self.bit_times_formula)?;
        family(&mut map, Behind::BitTimes)?;
        map.serialize_entry("storage_bits_per_node", &self.storage_bits_per_node)?;
        map.serialize_entry("storage_bits_formula", &self.storage_bits_formula)?;
        family(&mut map, Behind::Storage)?;
        map.serialize_entry("logic_depth", &self.logic_depth)?;
        map.serialize_entry("peak", &self.peak.if_counted())?;
        family(&mut map, Behind::Peak)?;
        map.serialize_entry("serial_adders_per_node", &self.serial_adders_per_node)?;
        map.serialize_entry("wire_use", &self.wire_use)?;
        family(&mut map, Behind::WireUse)?;
        map.serialize_entry("bytes_per_node", &self.bytes_per_node)?;
        map.serialize_entry("simulation_seconds", &self.simulation_seconds)?;
        if let Some(route) = &self.route {
            map.serialize_entry("route", route)?;
        }
        if let Some(coverage) = &self.coverage {
            map.serialize_entry("coverage", coverage)?;
        }
        if let Some(over_seeds) = &self.over_seeds {
            map.serialize_entry("over_seeds", over_seeds)?;
        }
        map.serialize_entry("outputs", &self.outputs)?;
        map.serialize_entry("checks", &self.checks)?;
        map.serialize_entry("passed", &self.passed)?;
        map.serialize_entry("meta", &self.meta)?;
        map.end()
    }
}

impl Report {
    /// With what its testbench tells, and with its checks.
    pub fn tell(&mut self, mut told: Told) {
        self.checks = std::mem::take(&mut told.checks);
        self.passed = self.checks.iter().all(|check| check.passed);
        self.family = told;
    }

    /// With what further runs say, with other seeds.
    pub fn add_seeds(&mut self, over_seeds: OverSeeds) {
        let check = over_seeds.check();
        self.passed &= check.passed;
        self.checks.push(check);
        self.over_seeds = Some(over_seeds);
    }

    /// How the run ended, in a sentence: how much is as it should be, or what is not.
    pub fn verdict(&self) -> String {
        let (delivered, messages) = (self.delivered, self.messages);
        let bit_times = counted(self.bit_times as usize, "bit time");
        let mut failed = self.checks.iter().filter(|check| !check.passed);
        match failed.next() {
            None => {
                let how = match delivered == messages {
                    true => "right",
                    // What is still under way when a measurement is over is nobody's fault.
                    false => "arrived by the end, all of them right",
                };
                let passed = format!("pass: {delivered} of {messages} {how}, {bit_times}");
                let outcome = [passed, self.family.outcome.clone()];
                outcome.join(if outcome[1].is_empty() { "" } else { "; " })
            }
            Some(check) => {
                let others = match failed.count() {
                    0 => String::new(),
                    others => format!("; {} more", counted(others, "check")),
                };
                let found = check.detail.split("; ").next().unwrap_or_default();
                format!("FAIL of `{}`: {found}{others}", check.name)
            }
        }
    }

    /// The checks that fail, for people who want to hear of nothing else; empty, where all hold.
    pub fn failed(&self) -> String {
        let failed = self.checks.iter().filter(|check| !check.passed);
        let failed = check_rows(&failed.cloned().collect::<Vec<_>>());
        match failed.is_empty() {
            true => String::new(),
            false => rows(&failed),
        }
    }

    /// In the form that was asked for.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn formatted(&self, format: Format) -> Result<String, Error> {
        match format {
            Format::Text => Ok(self.text()),
            Format::Json => json(self),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}: {}", self.bench, self.models);
        let _ = writeln!(text, "{}\n", self.source);
        let nodes = self.topology.nodes;
        let ticking = self
            .simulation_seconds
            .map(|seconds| ("ticking took", duration(seconds)));
        let taken = [
            Some(("memory", memory(self.bytes_per_node, nodes))),
            ticking,
        ];
        let taken: Vec<_> = taken.into_iter().flatten().collect();
        text.push_str(&self.figures(&taken));
        let outputs = written(&self.outputs);
        if !outputs.is_empty() {
            text.push_str("\nwritten\n");
            text.push_str(&rows(&outputs));
        }
        text
    }

    /// What is the same wherever it is run, with what the run took.
    pub fn figures(&self, taken: &[(&'static str, String)]) -> String {
        let mut text = rows(&[&self.family.summary, taken].concat());
        if let Some((title, hops)) = self.route.as_ref().map(Route::text) {
            let _ = writeln!(text, "\n{title}");
            text.push_str(&rows(&hops));
        }
        text.push_str(&self.family.before_storage);
        let _ = writeln!(text, "\nstorage, in bits a node\n{}", self.storage());
        text.push_str(&self.family.after_storage);
        text.extend(self.coverage.iter().map(Coverage::text));
        text.extend(self.over_seeds.iter().map(OverSeeds::text));
        text.push_str("\nchecks\n");
        text.push_str(&rows(&check_rows(&self.checks)));
        text
    }

    fn storage(&self) -> String {
        let row = |name: &str, bits: u64| vec![name.to_owned(), bits.to_string()];
        let storage = &self.storage_bits_per_node;
        let parts = storage.by_part.iter();
        let mut rows: Vec<Vec<String>> =
            parts.map(|(part, bits)| row(part, *bits as u64)).collect();
        rows.push(row("total", storage.total as u64));
        let form = &self.storage_bits_formula;
        rows.push(row(&format!("closed form {}", form.text), form.value));
        let further = &self.family.storage_rows;
        rows.extend(further.iter().map(|(name, bits)| row(name, *bits)));
        aligned(rows, &[CellAlignment::Left, CellAlignment::Right])
    }
}

/// For scripts.
///
/// # Errors
/// If it cannot be written down.
pub fn json(result: &impl Serialize) -> Result<String, Error> {
    match serde_json::to_string_pretty(result) {
        Ok(json) => Ok(json + "\n"),
        Err(error) => Err(unprintable(error)),
    }
}
