//! The row of a collective operation, and the columns of the table.

use crate::families::reduced_hypercube::measure::point::Place;
use crate::lockstep::Steps;
use crate::measure::row::{Row, values};
use crate::measure::table::{Column, differ};
use crate::report::{Behind, Report, Sections};

/// The row of a report.
pub(super) fn row(report: &Report<Steps>, place: &Place) -> Row {
    let depth = report.logic_depth.as_ref();
    let of_bit_times = report.family.section(Behind::BitTimes);
    let steps = |name: &str| {
        let mut entries = of_bit_times.iter();
        entries
            .find(|(one, _)| *one == name)
            .map(|(_, value)| value)
    };
    let number = |name: &str| steps(name).and_then(serde_json::Value::as_u64);
    let formula = steps("routing_steps_formula");
    let wires = report.topology.directed_wires / report.topology.nodes;
    let values = values! {
        bench: report.bench,
        network: place.kind.name(),
        algorithm: place.algorithm.name(),
        operator: place.operator.map(|one| one.name()),
        switching: place.switching,
        dims: place.dims,
        blocks: place.blocks,
        nodes: report.topology.nodes,
        word_bits: place.word_bits,
        keys: place.keys,
        seed: report.seed,
        messages: report.messages,
        delivered: report.delivered,
        wires_per_node: wires,
        directed_wires: report.topology.directed_wires,
        routing_steps: number("routing_steps"),
        routing_steps_formula: formula.and_then(|form| form["value"].as_u64()),
        routing_steps_text: formula.and_then(|form| form["text"].as_str()),
        bit_times: report.bit_times,
        bit_times_formula: report.bit_times_formula.as_ref().map(|form| form.value),
        bit_times_text: report.bit_times_formula.as_ref().map(|form| form.text.as_str()),
        wires_bit_times: report.bit_times * wires as u64,
        logic_depth: depth.map(|depth| depth.total),
        logic_depth_node: depth.map(|depth| depth.node),
        logic_depth_sequencer: depth.map(|depth| depth.sequencer),
        gate_delays: depth.map(|depth| report.bit_times * depth.total as u64),
        storage_bits_per_node: report.storage_bits_per_node.total,
        storage_bits_formula: report.storage_bits_formula.value,
        sequencer_storage_bits: report.family.sequencer_storage_bits,
        peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
        serial_adders_per_node: report.serial_adders_per_node,
        wire_use: report.wire_use,
    };
    Row::new(values, &report.checks)
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 22] = [
    Column::new("operation", "bench").left(),
    Column::new("network", "network").left(),
    Column::new("algorithm", "algorithm").left(),
    Column::new("operator", "operator")
        .only_if(|rows| differ(rows, "operator"))
        .left(),
    Column::new("switching", "switching")
        .only_if(|rows| differ(rows, "switching"))
        .left(),
    Column::new("k", "dims").or_in_words("k = {}"),
    Column::new("n", "blocks").or_in_words("n = {}"),
    Column::new("nodes", "nodes").or_in_words("{} nodes"),
    Column::new("w", "word_bits").or_in_words("w = {}"),
    Column::new("p", "keys").or_in_words("p = {}"),
    Column::new("seed", "seed").only_if(|rows| differ(rows, "seed")),
    Column::new("wires", "wires_per_node"),
    Column::new("steps", "routing_steps"),
    Column::new("formula", "routing_steps_formula"),
    Column::new("bit times", "bit_times"),
    Column::new("formula", "bit_times_formula"),
    Column::new("wires x bit times", "wires_bit_times"),
    Column::new("depth", "logic_depth"),
    Column::new("gate delays", "gate_delays"),
    Column::new("storage", "storage_bits_per_node"),
    Column::CHECKS,
    Column::SECONDS,
];
