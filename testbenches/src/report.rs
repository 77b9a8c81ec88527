//! The report of a run: for people as text, for scripts as JSON.

use std::fmt::{self, Display, Formatter, Write};

use comfy_table::{CellAlignment, Table, presets};
use rtl_model::depth::LogicDepth;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::output::{DASH, Stream};

/// Everything that a run says.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The testbench.
    pub bench: &'static str,
    /// What it models.
    pub models: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// The network.
    pub topology: Topology,
    /// `D`.
    pub payload_bits: usize,
    /// The schedule, where there is a choice.
    pub schedule: Option<&'static str>,
    /// The pattern or the file.
    pub traffic: String,
    /// The share of nodes that send; not for files.
    pub load: Option<f64>,
    /// What random choices were drawn from.
    pub seed: u64,
    /// Messages sent; members of the set, for an enumeration.
    pub messages: usize,
    /// Messages at their destination, whole; members with their right rank, for an enumeration.
    pub delivered: usize,
    /// Measured.
    pub bit_times: u64,
    /// The closed form.
    pub bit_times_formula: Formula,
    /// Registers of a node.
    pub storage_bits_per_node: StorageBits,
    /// The closed form.
    pub storage_bits_formula: Formula,
    /// What the design allows, where it says so.
    pub storage_bound: Option<Formula>,
    /// Registers of the sequencer, one for the machine.
    pub sequencer_storage_bits: usize,
    /// How long the longest path between two registers is.
    pub logic_depth: Depth,
    /// How much was in use.
    pub peak: Peak,
    /// Whether steps overlap: a bit time is then counted for the step that began last.
    pub steps_overlap: bool,
    /// By step.
    pub occupancy_by_step: Vec<StepReport>,
    /// Counted from the description.
    pub serial_adders_per_node: usize,
    /// Share of the wire-bit-times in which the schedule gives the wire to a unit, whether or not a
    /// message is there.
    pub wire_use: f64,
    /// Bytes of memory for each node, as the run was estimated to take them: registers and wires, traffic and
    /// scoreboard.
    pub bytes_per_node: f64,
    /// Spent ticking.
    pub simulation_seconds: f64,
    /// Files written.
    pub outputs: Outputs,
    /// One verdict each.
    pub checks: Vec<Check>,
    /// All checks hold.
    pub passed: bool,
}

/// The network.
#[derive(Clone, Debug, Serialize)]
pub struct Topology {
    /// `hypercube`.
    pub kind: &'static str,
    /// `k`.
    pub dims: usize,
    /// `2^k`.
    pub nodes: usize,
    /// `k 2^k`.
    pub directed_wires: usize,
}

/// A formula and its value.
#[derive(Clone, Debug, Serialize)]
pub struct Formula {
    /// In `k` and `D`.
    pub text: &'static str,
    /// Here.
    pub value: u64,
}

impl From<rtl_model::router::ClosedForm> for Formula {
    fn from(form: rtl_model::router::ClosedForm) -> Self {
        Formula {
            text: form.text,
            value: form.value,
        }
    }
}

/// Gates on the longest path from a register to a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Depth {
    /// Where strobes come straight from flip-flops: out of a node and into its neighbour.
    pub node: usize,
    /// Inside the sequencer, to its registers and strobes.
    pub sequencer: usize,
    /// As the machine is: from the sequencer to nodes, and across a wire.
    pub total: usize,
}

impl From<&LogicDepth> for Depth {
    fn from(depth: &LogicDepth) -> Self {
        Depth {
            node: depth.node,
            sequencer: depth.sequencer,
            total: depth.total,
        }
    }
}

impl Display for Depth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Depth {
            node,
            sequencer,
            total,
        } = self;
        write!(
            f,
            "{total} gates between registers (nodes alone {node}, the sequencer {sequencer})"
        )
    }
}

/// Register bits of a node.
#[derive(Clone, Debug, Serialize)]
pub struct StorageBits {
    /// All.
    pub total: usize,
    /// In the order of the description.
    #[serde(serialize_with = "as_map")]
    pub by_part: Vec<(String, usize)>,
}

fn as_map<S: Serializer>(parts: &[(String, usize)], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(parts.len()))?;
    for (part, bits) in parts {
        map.serialize_entry(part, bits)?;
    }
    map.end()
}

/// The most that a node ever held.
#[derive(Clone, Debug, Serialize)]
pub struct Peak {
    /// Messages.
    pub messages_per_node: u32,
    /// Message bits.
    pub occupied_bits_per_node: u32,
}

/// Occupancy during one step.
#[derive(Clone, Debug, Serialize)]
pub struct StepReport {
    /// Its name.
    pub step: &'static str,
    /// In all iterations.
    pub bit_times: u64,
    /// The most message bits at a node.
    pub peak_occupied_bits_per_node: u32,
    /// Averaged over nodes and bit times.
    pub mean_occupied_bits_per_node: f64,
}

/// Files that a run wrote.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Outputs {
    /// The dump.
    pub wave: Option<String>,
    /// Its view.
    pub view: Option<String>,
    /// The filter file that names the steps in the view.
    pub step_names: Option<String>,
    /// The nodes in it.
    pub traced_nodes: Option<TracedNodes>,
    /// A view of that name, or its filter, that was edited and so is left as it is; only where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_view: Option<String>,
    /// Deliveries.
    pub deliveries: Option<String>,
}

/// The nodes in a waveform: numbers, or `"all"`.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum TracedNodes {
    /// These.
    List(Vec<usize>),
    /// These, by the names that the network gives them.
    Named(Vec<String>),
    /// `"all"`.
    All(&'static str),
}

impl TracedNodes {
    /// These, or all.
    pub fn new(nodes: Option<Vec<usize>>) -> Self {
        nodes.map_or(TracedNodes::All("all"), TracedNodes::List)
    }
}

/// A check and its verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Check {
    /// Its name.
    pub name: &'static str,
    /// Whether it holds.
    pub passed: bool,
    /// What was compared.
    pub detail: String,
}

impl Check {
    /// A verdict.
    pub fn new(name: &'static str, passed: bool, detail: impl Into<String>) -> Self {
        Check {
            name,
            passed,
            detail: detail.into(),
        }
    }
}

impl Report {
    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "{}: {}", self.bench, self.models);
        let _ = writeln!(text, "{}\n", self.source);
        text.push_str(&rows(&self.summary()));
        let _ = writeln!(text, "\nstorage, in bits a node\n{}", self.storage());
        if self.peak.messages_per_node > 0 {
            let overlap = match self.steps_overlap {
                true => " (steps overlap: a bit time is that of the one that began last)",
                false => "",
            };
            let _ = writeln!(
                text,
                "\nbits of a node occupied by message bits, by step{overlap}\n{}",
                self.occupancy()
            );
        }
        text.push_str("\nchecks\n");
        text.push_str(&rows(&check_rows(&self.checks)));
        let outputs = written(&self.outputs);
        if !outputs.is_empty() {
            text.push_str("\nwritten\n");
            text.push_str(&rows(&outputs));
        }
        text
    }

    fn summary(&self) -> Vec<(String, String)> {
        let topology = &self.topology;
        let mut summary = vec![(
            "network",
            format!(
                "{} of {}: {} nodes, {} directed wires",
                topology.kind,
                counted(topology.dims, "dimension"),
                topology.nodes,
                topology.directed_wires
            ),
        )];
        if let Some(schedule) = self.schedule {
            summary.push(("schedule", schedule.to_owned()));
        }
        let load = self
            .load
            .map_or(String::new(), |load| format!(", load {load}"));
        let traffic = format!("{}{load}, seed {}", self.traffic, self.seed);
        if self.payload_bits > 0 {
            summary.push(("traffic", traffic));
            summary.push((
                "delivered",
                format!(
                    "{} of {} with {}",
                    self.delivered,
                    counted(self.messages, "message"),
                    counted(self.payload_bits, "payload bit")
                ),
            ));
        } else {
            summary.push(("set", traffic));
            summary.push((
                "ranked",
                format!("{} of {} members", self.delivered, self.messages),
            ));
        }
        let form = &self.bit_times_formula;
        summary.push((
            "bit times",
            format!(
                "{} measured; {} = {}",
                self.bit_times, form.text, form.value
            ),
        ));
        if self.peak.messages_per_node > 0 {
            summary.push((
                "at a node",
                format!(
                    "at most {}; at most {} of {} bits occupied by message bits",
                    counted(self.peak.messages_per_node as usize, "message"),
                    self.peak.occupied_bits_per_node,
                    self.storage_bits_per_node.total
                ),
            ));
        }
        summary.push((
            "serial adders",
            format!("{} a node", self.serial_adders_per_node),
        ));
        summary.push((
            "sequencer",
            format!("{} bits, one for the machine", self.sequencer_storage_bits),
        ));
        summary.push(("logic depth", self.logic_depth.to_string()));
        summary.push((
            "wire use",
            format!(
                "{:.1} % of the wire-bit-times are given out, whatever the load",
                100.0 * self.wire_use
            ),
        ));
        summary.push(("memory", memory(self.bytes_per_node, topology.nodes)));
        summary.push(("ticking took", duration(self.simulation_seconds)));
        summary
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    fn storage(&self) -> String {
        let row = |name: &str, bits: u64| vec![name.to_owned(), bits.to_string()];
        let storage = &self.storage_bits_per_node;
        let mut rows: Vec<Vec<String>> = storage
            .by_part
            .iter()
            .map(|(part, bits)| row(part, *bits as u64))
            .collect();
        rows.push(row("total", storage.total as u64));
        let formula = &self.storage_bits_formula;
        rows.push(row(&format!("closed form {}", formula.text), formula.value));
        if let Some(bound) = &self.storage_bound {
            rows.push(row(&format!("bound {}", bound.text), bound.value));
        }
        aligned(rows, &[CellAlignment::Left, CellAlignment::Right])
    }

    fn occupancy(&self) -> String {
        use CellAlignment::{Left, Right};
        let mut rows = vec![
            ["step", "bit times", "most", "mean over nodes"]
                .map(str::to_owned)
                .to_vec(),
        ];
        rows.extend(self.occupancy_by_step.iter().map(|step| {
            vec![
                step.step.to_owned(),
                step.bit_times.to_string(),
                step.peak_occupied_bits_per_node.to_string(),
                format!("{:.2}", step.mean_occupied_bits_per_node),
            ]
        }));
        let all: u64 = self
            .occupancy_by_step
            .iter()
            .map(|step| step.bit_times)
            .sum();
        rows.push(vec!["all".to_owned(), all.to_string()]);
        aligned(rows, &[Left, Right, Right, Right])
    }
}

/// Verdicts, and what was compared.
pub(crate) fn check_rows(checks: &[Check]) -> Vec<(String, String)> {
    let rows = checks.iter().map(|check| {
        let verdict = if check.passed { "pass" } else { "FAIL" };
        (format!("{verdict}  {}", check.name), check.detail.clone())
    });
    rows.collect()
}

/// The files that a run wrote.
pub(crate) fn written(outputs: &Outputs) -> Vec<(String, String)> {
    let mut written = Vec::new();
    let mut add = |name: &str, value: String| written.push((name.to_owned(), value));
    if let (Some(wave), Some(view)) = (&outputs.wave, &outputs.view) {
        let nodes = match &outputs.traced_nodes {
            Some(TracedNodes::List(nodes)) => {
                let nodes: Vec<String> = nodes.iter().map(usize::to_string).collect();
                format!("nodes {}", nodes.join(", "))
            }
            Some(TracedNodes::Named(nodes)) => format!("nodes {}", nodes.join(", ")),
            _ => "all nodes".to_owned(),
        };
        add("wave", format!("{wave} ({nodes})"));
        let command = format!("gtkwave {} {}", quoted(wave), quoted(view));
        add("view", format!("{view}; to open both: {command}"));
    }
    if let Some(step_names) = &outputs.step_names {
        add(
            "names",
            format!("{step_names}, of the steps; the view needs it beside it"),
        );
    }
    if let Some(kept) = &outputs.kept_view {
        add(
            "kept",
            format!("{kept}, which was edited, or is not cubewave's; so the view has another name"),
        );
    }
    if let Some(deliveries) = &outputs.deliveries {
        add("deliveries", shown_path(deliveries));
    }
    written
}

/// A path as a report has it.
pub(crate) fn shown_path(path: &str) -> String {
    match path {
        DASH => Stream::Output.to_string(),
        path => path.to_owned(),
    }
}

/// A file name as a shell takes it.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "./_-".contains(c);
    if name.chars().all(is_plain) {
        name.to_owned()
    } else {
        format!("'{}'", name.replace('\'', "'\\''"))
    }
}

/// `1 message`, `2 messages`.
pub(crate) fn counted(amount: usize, thing: &str) -> String {
    if amount == 1 {
        format!("1 {thing}")
    } else {
        format!("{amount} {thing}s")
    }
}

/// Seconds, or milliseconds where there is less than one.
pub(crate) fn duration(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{:.2} ms", 1000.0 * seconds)
    } else {
        format!("{seconds:.2} s")
    }
}

/// Bytes a node, and of all of them, in a unit in which that is a figure.
pub(crate) fn memory(bytes_per_node: f64, nodes: usize) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let mut all = bytes_per_node * nodes as f64;
    let mut unit = 0;
    while all >= 1024.0 && unit + 1 < UNITS.len() {
        all /= 1024.0;
        unit += 1;
    }
    let digits = if unit == 0 { 0 } else { 2 };
    let unit = UNITS[unit];
    format!("{bytes_per_node} bytes a node, {all:.digits$} {unit} in all")
}

/// Names and values in two columns.
pub(crate) fn rows(rows: &[(String, String)]) -> String {
    let rows = rows
        .iter()
        .map(|(name, value)| vec![name.clone(), value.clone()])
        .collect();
    let mut text = aligned(rows, &[CellAlignment::Left, CellAlignment::Left]);
    text.push('\n');
    text
}

/// A table without lines: two blanks before every row, none behind.
pub(crate) fn aligned(rows: Vec<Vec<String>>, alignment: &[CellAlignment]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.add_rows(rows);
    for (column, alignment) in table.column_iter_mut().zip(alignment) {
        column.set_cell_alignment(*alignment);
        column.set_padding((0, 2));
    }
    table
        .lines()
        .map(|line| format!("  {}", line.trim_end()))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_told_in_a_unit_in_which_it_is_a_figure() {
        for (each, nodes, all) in [
            (51.5, 2, "51.5 bytes a node, 103 bytes in all"),
            (64.0, 64, "64 bytes a node, 4.00 KiB in all"),
            (62.0, 1 << 20, "62 bytes a node, 62.00 MiB in all"),
            (69.0, 1 << 28, "69 bytes a node, 17.25 GiB in all"),
        ] {
            assert_eq!(memory(each, nodes), all);
        }
    }
}
