//! A measured point of wormhole routers, as a row: of a table for people, of CSV or JSON for scripts.

use comfy_table::CellAlignment;
use serde::Serialize;

use crate::measure::wormhole::grid::network_label;
use crate::report::aligned;
use crate::wormhole::options::NAME;
use crate::wormhole::report::WormholeReport;

/// One point: what was run, and what it gave. What a point has none of is empty: of one with an offered load what belongs
/// to a single message of each sender, and the other way round.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The testbench.
    pub bench: &'static str,
    /// The network.
    pub network: &'static str,
    /// Copies in use, where it is made of them.
    pub copies: Option<usize>,
    /// `n`, as of --dims.
    pub dims: usize,
    /// `n 2^n`.
    pub nodes: usize,
    /// Bits of a message, `M`.
    pub message_bits: usize,
    /// `V`.
    pub virtual_channels: usize,
    /// `b`.
    pub buffer_bits: usize,
    /// `strong` or `weak`.
    pub switch: &'static str,
    /// The pattern.
    pub traffic: String,
    /// The share of nodes that send a message each.
    pub load: Option<f64>,
    /// Message bits that each node offers in a bit time.
    pub offered_load: Option<f64>,
    /// What random choices were drawn from.
    pub seed: u64,
    /// Messages sent.
    pub messages: usize,
    /// Of them, those that arrived, whole.
    pub delivered: usize,
    /// That the run went on for.
    pub bit_times: u64,
    /// There is none.
    pub bit_times_formula: Option<u64>,
    /// Bits over the busiest wire: no run takes less.
    pub bit_times_lower_bound: Option<u64>,
    /// `T / M`; none where not all messages arrived.
    pub bit_times_per_message_bit: Option<f64>,
    /// Message bits of a node in a bit time, created in the measurement; none of it after a deadlock.
    pub created: Option<f64>,
    /// Arrived in the measurement.
    pub accepted: Option<f64>,
    /// The network does not carry what is offered.
    pub saturated: Option<bool>,
    /// Bit times from a message's creation to its last bit's arrival, of those that arrived.
    pub latency_average: Option<f64>,
    /// That of 99 in 100 messages at the most.
    pub latency_99: Option<u64>,
    /// The largest.
    pub latency_largest: Option<u64>,
    /// From a message's first bit on its way, averaged.
    pub latency_in_network: Option<f64>,
    /// Gates on the longest path between two registers.
    pub logic_depth: Option<usize>,
    /// Register bits of a node.
    pub storage_bits_per_node: usize,
    /// The most message bits that a node ever held.
    pub peak_occupied_bits_per_node: u32,
    /// Nodes have none.
    pub serial_adders_per_node: usize,
    /// Share of the bit times in which links carried a bit.
    pub wire_use: f64,
    /// The bit time of a deadlock, or in which it was found.
    pub deadlock: Option<u64>,
    /// All checks hold.
    pub passed: bool,
    /// The checks that do not, with semicolons between.
    pub failed: String,
    /// What the whole point took, meters and checks included, beside others at the same time.
    pub wall_seconds: f64,
}

impl Row {
    /// The row of a report.
    pub(super) fn new(report: &WormholeReport, wall_seconds: f64) -> Self {
        let failed: Vec<String> = (report.checks.iter())
            .filter(|check| !check.passed)
            .map(|check| format!("{}: {}", check.name, check.detail))
            .collect();
        let throughput = report.throughput.as_ref();
        // Of a run that ended in a deadlock, no measurement was made in full.
        let measured = throughput.filter(|_| report.deadlock.is_none());
        let latency = report.latency.as_ref();
        let is_complete = throughput.is_none() && report.delivered == report.messages;
        Row {
            bench: NAME,
            network: report.router.network,
            copies: report.router.copies,
            dims: report.levels,
            nodes: report.topology.nodes,
            message_bits: report.payload_bits,
            virtual_channels: report.router.virtual_channels,
            buffer_bits: report.router.buffer_bits,
            switch: report.router.switch,
            traffic: report.traffic.clone(),
            load: report.load,
            offered_load: throughput.map(|throughput| throughput.offered_load),
            seed: report.seed,
            messages: report.messages,
            delivered: report.delivered,
            bit_times: report.bit_times,
            bit_times_formula: None,
            bit_times_lower_bound: report.bit_times_bounds.as_ref().map(|bounds| bounds.lower),
            bit_times_per_message_bit: is_complete
                .then_some(report.bit_times as f64 / report.payload_bits as f64),
            created: measured.and_then(|throughput| throughput.created),
            accepted: measured.and_then(|throughput| throughput.accepted),
            saturated: measured.and_then(|throughput| throughput.saturated),
            latency_average: latency.map(|latency| latency.average),
            latency_99: latency.map(|latency| latency.percentile_99),
            latency_largest: latency.map(|latency| latency.largest),
            latency_in_network: latency.map(|latency| latency.average_in_network),
            logic_depth: report.logic_depth.as_ref().map(|depth| depth.total),
            storage_bits_per_node: report.storage_bits_per_node.total,
            peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
            serial_adders_per_node: report.serial_adders_per_node,
            wire_use: report.wire_use,
            deadlock: report.deadlock.as_ref().map(|deadlock| deadlock.bit_time),
            passed: report.passed,
            failed: failed.join("; "),
            wall_seconds,
        }
    }

    /// The network, with the copies in use.
    pub(super) fn network_label(&self) -> String {
        network_label(self.network, self.copies)
    }
}

/// A column of a table.
pub(super) struct Column {
    /// Its heading.
    pub name: String,
    /// Its cells stand to the left.
    pub is_left: bool,
    /// What it would be in a heading, where all its cells are the same: `{}` stands for the cell.
    pub in_words: &'static str,
    /// By row.
    pub cells: Vec<String>,
}

impl Column {
    /// Of numbers, to the right.
    pub fn new(name: impl Into<String>, cells: impl Iterator<Item = String>) -> Self {
        Column {
            name: name.into(),
            is_left: false,
            in_words: "{}",
            cells: cells.collect(),
        }
    }
}

/// The columns that say what was run, beside the network: those in which rows differ, and the others in words.
pub(super) fn parameters(rows: &[&Row]) -> (Vec<Column>, String) {
    type Cell = fn(&Row) -> String;
    let all: [(&str, bool, &str, Cell); 10] = [
        ("n", false, "n = {}", |row| row.dims.to_string()),
        ("nodes", false, "{} nodes", |row| row.nodes.to_string()),
        ("M", false, "M = {}", |row| row.message_bits.to_string()),
        ("V", false, "V = {}", |row| row.virtual_channels.to_string()),
        ("b", false, "b = {}", |row| row.buffer_bits.to_string()),
        ("switch", true, "switch {}", |row| row.switch.to_owned()),
        ("traffic", true, "traffic {}", |row| row.traffic.clone()),
        ("load", false, "load {}", |row| or_empty(row.load)),
        ("seed", false, "seed {}", |row| row.seed.to_string()),
        ("offered", false, "offered load {}", |row| {
            or_empty(row.offered_load)
        }),
    ];
    let columns = all.map(|(name, is_left, in_words, cell)| Column {
        name: name.to_owned(),
        is_left,
        in_words,
        cells: rows.iter().map(|row| cell(row)).collect(),
    });
    let is_same = |column: &Column| column.cells.iter().all(|cell| *cell == column.cells[0]);
    let (same, different): (Vec<Column>, Vec<Column>) = columns.into_iter().partition(is_same);
    let words = same.iter().filter_map(|column| {
        let cell = column.cells.first().filter(|cell| !cell.is_empty())?;
        Some(column.in_words.replace("{}", cell))
    });
    (different, words.collect::<Vec<_>>().join(", "))
}

fn or_empty(value: Option<impl ToString>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

/// With so many digits after the point, or a dash.
fn or_dash(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

/// Columns with their headings, aligned.
pub(super) fn lines(columns: &[Column]) -> String {
    let headings = columns.iter().map(|column| column.name.clone()).collect();
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let cells =
        (0..rows).map(|row| (columns.iter().map(|column| column.cells[row].clone())).collect());
    let alignment: Vec<CellAlignment> = (columns.iter())
        .map(|column| match column.is_left {
            true => CellAlignment::Left,
            false => CellAlignment::Right,
        })
        .collect();
    aligned(std::iter::once(headings).chain(cells).collect(), &alignment) + "\n"
}

/// A table, below what all rows have in common.
pub(super) fn table(rows: &[Row]) -> String {
    let all: Vec<&Row> = rows.iter().collect();
    let (different, words) = parameters(&all);
    let mut columns = vec![Column {
        is_left: true,
        ..Column::new("network", rows.iter().map(Row::network_label))
    }];
    columns.extend(different);
    let mut add = |name: &str, cell: &dyn Fn(&Row) -> String| {
        columns.push(Column::new(name, rows.iter().map(cell)));
    };
    let is_offered = rows.iter().any(|row| row.offered_load.is_some());
    if is_offered {
        add("created", &|row| or_dash(row.created, 3));
        add("accepted", &|row| or_dash(row.accepted, 3));
    } else {
        let arrived = |row: &Row| row.bit_times_per_message_bit.is_some();
        add("bit times", &|row| match arrived(row) {
            true => row.bit_times.to_string(),
            false => "-".to_owned(),
        });
        add("at least", &|row| or_empty(row.bit_times_lower_bound));
        add("T/M", &|row| or_dash(row.bit_times_per_message_bit, 2));
    }
    add("latency", &|row| or_dash(row.latency_average, 1));
    add("99 %", &|row| {
        or_dash(row.latency_99.map(|latency| latency as f64), 0)
    });
    add("in network", &|row| or_dash(row.latency_in_network, 1));
    if is_offered {
        add("saturated", &|row| match row.saturated {
            Some(true) => "yes".to_owned(),
            Some(false) => "no".to_owned(),
            None => "-".to_owned(),
        });
    } else {
        add("storage", &|row| row.storage_bits_per_node.to_string());
    }
    add("checks", &|row| {
        let verdict = match (row.passed, row.deadlock) {
            (true, _) => "pass",
            (false, Some(_)) => "deadlock",
            (false, None) => "FAIL",
        };
        verdict.to_owned()
    });
    add("seconds", &|row| format!("{:.3}", row.wall_seconds));
    format!("{NAME}, {words}\n\n{}", lines(&columns))
}
