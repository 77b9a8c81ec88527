//! A measured point, as a row: of a table for people, of CSV or JSON for scripts.

use comfy_table::CellAlignment;
use serde::Serialize;

use crate::error::Error;
use crate::report::{Report, aligned};

/// One point: what was run, and what it gave.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The testbench.
    pub bench: &'static str,
    /// The schedule, where there is a choice.
    pub schedule: Option<&'static str>,
    /// `k`.
    pub dims: usize,
    /// `2^k`.
    pub nodes: usize,
    /// `D`.
    pub payload_bits: usize,
    /// The pattern.
    pub traffic: String,
    /// The share of nodes that send.
    pub load: Option<f64>,
    /// What random choices were drawn from.
    pub seed: u64,
    /// Messages sent; members of the set, for an enumeration.
    pub messages: usize,
    /// Of them, those that are as they should be.
    pub delivered: usize,
    /// Measured.
    pub bit_times: u64,
    /// Its closed form.
    pub bit_times_formula: u64,
    /// Gates on the longest path between two registers.
    pub logic_depth: usize,
    /// On the longest in nodes and between them, where strobes come straight from flip-flops.
    pub logic_depth_node: usize,
    /// On the longest in the sequencer.
    pub logic_depth_sequencer: usize,
    /// Bit times, each as long as so many gates take: the time of the run.
    pub gate_delays: u64,
    /// Register bits of a node.
    pub storage_bits_per_node: usize,
    /// Its closed form.
    pub storage_bits_formula: u64,
    /// Register bits of the sequencer.
    pub sequencer_storage_bits: usize,
    /// The most messages that a node ever held.
    pub peak_messages_per_node: u32,
    /// The most message bits that a node ever held.
    pub peak_occupied_bits_per_node: u32,
    /// Counted from the description.
    pub serial_adders_per_node: usize,
    /// Share of the wire-bit-times that the schedule gives out.
    pub wire_use: f64,
    /// All checks hold.
    pub passed: bool,
    /// The checks that do not, with semicolons between.
    pub failed: String,
    /// What the whole point took, meters and scoreboard included, beside others at the same time.
    pub wall_seconds: f64,
}

impl Row {
    /// The row of a report.
    pub(super) fn new(report: &Report, wall_seconds: f64) -> Self {
        let failed: Vec<String> = report
            .checks
            .iter()
            .filter(|check| !check.passed)
            .map(|check| format!("{}: {}", check.name, check.detail))
            .collect();
        Row {
            bench: report.bench,
            schedule: report.schedule,
            dims: report.topology.dims,
            nodes: report.topology.nodes,
            payload_bits: report.payload_bits,
            traffic: report.traffic.clone(),
            load: report.load,
            seed: report.seed,
            messages: report.messages,
            delivered: report.delivered,
            bit_times: report.bit_times,
            bit_times_formula: report.bit_times_formula.value,
            logic_depth: report.logic_depth.total,
            logic_depth_node: report.logic_depth.node,
            logic_depth_sequencer: report.logic_depth.sequencer,
            gate_delays: report.bit_times * report.logic_depth.total as u64,
            storage_bits_per_node: report.storage_bits_per_node.total,
            storage_bits_formula: report.storage_bits_formula.value,
            sequencer_storage_bits: report.sequencer_storage_bits,
            peak_messages_per_node: report.peak.messages_per_node,
            peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
            serial_adders_per_node: report.serial_adders_per_node,
            wire_use: report.wire_use,
            passed: report.passed,
            failed: failed.join("; "),
            wall_seconds,
        }
    }
}

/// An aligned table with a heading.
pub(super) fn table(rows: &[Row]) -> String {
    use CellAlignment::{Left, Right};
    let has_schedules = rows.iter().any(|row| row.schedule.is_some());
    let has_benches = rows.iter().any(|row| row.bench != rows[0].bench);
    let mut cells = vec![
        [
            "testbench",
            "schedule",
            "k",
            "nodes",
            "D",
            "load",
            "seed",
            "messages",
            "bit times",
            "formula",
            "depth",
            "gate delays",
            "storage",
            "formula",
            "occupied",
            "adders",
            "checks",
            "seconds",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    cells.extend(rows.iter().map(|row| {
        vec![
            row.bench.to_owned(),
            row.schedule.unwrap_or_default().to_owned(),
            row.dims.to_string(),
            row.nodes.to_string(),
            row.payload_bits.to_string(),
            row.load.map_or(String::new(), |load| load.to_string()),
            row.seed.to_string(),
            row.messages.to_string(),
            row.bit_times.to_string(),
            row.bit_times_formula.to_string(),
            row.logic_depth.to_string(),
            row.gate_delays.to_string(),
            row.storage_bits_per_node.to_string(),
            row.storage_bits_formula.to_string(),
            row.peak_occupied_bits_per_node.to_string(),
            row.serial_adders_per_node.to_string(),
            if row.passed { "pass" } else { "FAIL" }.to_owned(),
            format!("{:.3}", row.wall_seconds),
        ]
    }));
    let mut alignment = vec![Right; cells[0].len()];
    (alignment[0], alignment[1]) = (Left, Left);
    for (column, is_shown) in [(1, has_schedules), (0, has_benches)] {
        if !is_shown {
            for row in &mut cells {
                row.remove(column);
            }
            alignment.remove(column);
        }
    }
    let mut text = aligned(cells, &alignment);
    text.push('\n');
    text
}

/// For scripts: a list of objects.
///
/// # Errors
/// [`Error::Unprintable`], if a row cannot be written down.
pub(super) fn json(rows: &[impl Serialize]) -> Result<String, Error> {
    match serde_json::to_string_pretty(rows) {
        Ok(json) => Ok(json + "\n"),
        Err(error) => Err(Error::Unprintable {
            reason: error.into(),
        }),
    }
}

/// Comma-separated values with a header: a row a point, a column a field of it.
///
/// # Errors
/// [`Error::Unprintable`], if a row cannot be written down.
pub(super) fn comma_separated(rows: &[impl Serialize]) -> Result<String, Error> {
    let unprintable = |error: String| Error::Unprintable {
        reason: std::io::Error::other(error),
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer
            .serialize(row)
            .map_err(|error| unprintable(error.to_string()))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| unprintable(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| unprintable(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::benches;
    use crate::catalogue::Bench;
    use crate::options::{RunOptions, Setup};
    use crate::report::Check;

    /// In a run that passes, many figures are the same: here they are not.
    #[test]
    fn each_column_is_its_own_figure_of_the_report() {
        let options = RunOptions {
            setup: Setup {
                dims: Some(3),
                ..Setup::default()
            },
            quiet: true,
            ..RunOptions::default()
        };
        let mut report = benches::run(Bench::Kuszmaul, &options).unwrap();
        (report.messages, report.delivered) = (7, 5);
        (report.bit_times, report.bit_times_formula.value) = (101, 102);
        (
            report.storage_bits_per_node.total,
            report.storage_bits_formula.value,
        ) = (201, 202);
        report.sequencer_storage_bits = 203;
        (
            report.peak.messages_per_node,
            report.peak.occupied_bits_per_node,
        ) = (3, 17);
        (
            report.logic_depth.total,
            report.logic_depth.node,
            report.logic_depth.sequencer,
        ) = (11, 9, 8);
        report.passed = false;
        report.checks = vec![
            Check::new("one", false, "first".to_owned()),
            Check::new("two", true, "second".to_owned()),
            Check::new("three", false, "third".to_owned()),
        ];
        let row = Row::new(&report, 0.5);
        assert_eq!((row.messages, row.delivered), (7, 5));
        assert_eq!((row.bit_times, row.bit_times_formula), (101, 102));
        assert_eq!(
            (row.storage_bits_per_node, row.storage_bits_formula),
            (201, 202)
        );
        assert_eq!(row.sequencer_storage_bits, 203);
        assert_eq!(
            (row.peak_messages_per_node, row.peak_occupied_bits_per_node),
            (3, 17)
        );
        let depths = [
            row.logic_depth,
            row.logic_depth_node,
            row.logic_depth_sequencer,
        ];
        assert_eq!((depths, row.gate_delays), ([11, 9, 8], 101 * 11));
        assert_eq!(
            (row.passed, row.failed.as_str()),
            (false, "one: first; three: third")
        );
    }
}
