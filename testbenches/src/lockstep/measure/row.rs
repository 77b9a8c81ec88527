//! The row of a report of routers in lockstep, and the columns of the table.

use crate::lockstep::Steps;
use crate::measure::row::{Row, values};
use crate::measure::table::{Column, differ};
use crate::report::Report;

/// The row of a report.
pub(super) fn row(report: &Report<Steps>) -> Row {
    let depth = report.logic_depth.as_ref();
    let values = values! {
        bench: report.bench,
        schedule: report.schedule,
        dims: report.topology.dims,
        nodes: report.topology.nodes,
        payload_bits: report.payload_bits,
        traffic: report.traffic.as_str(),
        load: report.load,
        seed: report.seed,
        messages: report.messages,
        delivered: report.delivered,
        bit_times: report.bit_times,
        bit_times_formula: report.bit_times_formula.as_ref().map(|form| form.value),
        logic_depth: depth.map(|depth| depth.total),
        // Where strobes come straight from flip-flops.
        logic_depth_node: depth.map(|depth| depth.node),
        logic_depth_sequencer: depth.map(|depth| depth.sequencer),
        // The time of the run, in gates.
        gate_delays: depth.map(|depth| report.bit_times * depth.total as u64),
        storage_bits_per_node: report.storage_bits_per_node.total,
        storage_bits_formula: report.storage_bits_formula.value,
        storage_bits_bound: report.family.storage_bound.as_ref().map(|bound| bound.value),
        sequencer_storage_bits: report.family.sequencer_storage_bits,
        peak_messages_per_node: report.peak.messages_per_node,
        peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
        serial_adders_per_node: report.serial_adders_per_node,
        wire_use: report.wire_use,
    };
    Row::new(values, &report.checks)
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 19] = [
    (Column::new("testbench", "bench").left()).only_if(|rows| differ(rows, "bench")),
    (Column::new("schedule", "schedule").left())
        .only_if(|rows| rows.iter().any(|row| row.has("schedule"))),
    Column::new("k", "dims"),
    Column::new("nodes", "nodes"),
    Column::new("D", "payload_bits"),
    Column::new("load", "load"),
    Column::new("seed", "seed"),
    Column::new("messages", "messages"),
    Column::new("bit times", "bit_times"),
    Column::new("formula", "bit_times_formula"),
    Column::new("depth", "logic_depth"),
    Column::new("gate delays", "gate_delays"),
    Column::new("storage", "storage_bits_per_node"),
    Column::new("formula", "storage_bits_formula"),
    Column::new("bound", "storage_bits_bound")
        .only_if(|rows| rows.iter().any(|row| row.has("storage_bits_bound"))),
    Column::new("occupied", "peak_occupied_bits_per_node"),
    Column::new("adders", "serial_adders_per_node"),
    Column::CHECKS,
    Column::SECONDS,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lockstep;
    use crate::lockstep::options::{RunOptions, Setup};
    use crate::report::{Check, Depth};

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
        let mut report = lockstep::run(crate::families::kuszmaul::BENCH, &options).unwrap();
        (report.messages, report.delivered) = (7, 5);
        report.bit_times = 101;
        report.bit_times_formula.as_mut().unwrap().value = 102;
        (
            report.storage_bits_per_node.total,
            report.storage_bits_formula.value,
        ) = (201, 202);
        report.family.storage_bound.as_mut().unwrap().value = 204;
        report.family.sequencer_storage_bits = 203;
        (
            report.peak.messages_per_node,
            report.peak.occupied_bits_per_node,
        ) = (Some(3), Some(17));
        report.logic_depth = Some(Depth {
            total: 11,
            node: 9,
            sequencer: 8,
        });
        (report.serial_adders_per_node, report.wire_use) = (6, 0.25);
        report.checks = vec![
            Check::new("one", false, "first".to_owned()),
            Check::new("two", true, "second".to_owned()),
            Check::new("three", false, "third".to_owned()),
        ];
        let row = row(&report);
        for (name, value) in [
            ("bench", "kuszmaul"),
            ("schedule", "plain"),
            ("dims", "3"),
            ("nodes", "8"),
            ("payload_bits", "8"),
            ("traffic", "randperm"),
            ("load", "0.75"),
            ("seed", "0"),
            ("messages", "7"),
            ("delivered", "5"),
            ("bit_times", "101"),
            ("bit_times_formula", "102"),
            ("logic_depth", "11"),
            ("logic_depth_node", "9"),
            ("logic_depth_sequencer", "8"),
            ("gate_delays", "1111"),
            ("storage_bits_per_node", "201"),
            ("storage_bits_formula", "202"),
            ("storage_bits_bound", "204"),
            ("sequencer_storage_bits", "203"),
            ("peak_messages_per_node", "3"),
            ("peak_occupied_bits_per_node", "17"),
            ("serial_adders_per_node", "6"),
            ("wire_use", "0.25"),
            ("passed", "false"),
            ("failed", "one: first; three: third"),
        ] {
            assert_eq!(row.text(name), value, "{name}");
        }
    }
}
