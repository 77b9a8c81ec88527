//! The row of a relaxation, and the columns of the table.

use serde_json::Value;

use crate::families::embeddings::relaxation::measure::point::Place;
use crate::lockstep::Steps;
use crate::measure::row::{Row, values};
use crate::measure::table::{Column, differ};
use crate::report::{Behind, Report, Sections};

/// The row of a report.
pub(super) fn row(report: &Report<Steps>, place: &Place) -> Row {
    let sections =
        [Behind::Network, Behind::BitTimes, Behind::Peak].map(|place| report.family.section(place));
    let found = |name: &str| {
        let mut entries = sections.iter().flatten();
        entries
            .find(|(one, _)| *one == name)
            .map(|(_, value)| value)
    };
    let number = |name: &str| found(name).and_then(Value::as_u64);
    let values = values! {
        bench: report.bench,
        guest: place.guest,
        dims: place.dims,
        nodes: report.topology.nodes,
        points_a_side: number("points_a_side"),
        word_bits: place.word_bits,
        processes_a_side: number("processes_a_side"),
        guest_load: number("guest_load"),
        block_side: number("block_side"),
        width: number("width"),
        order: place.order.name(),
        message_bits: number("message_bits"),
        packets: number("packets"),
        packet_bits: number("packet_bits"),
        start_up: place.start_up,
        seed: report.seed,
        messages: report.messages,
        delivered: report.delivered,
        sweeps: number("sweeps"),
        routing_steps: number("routing_steps"),
        bit_times: report.bit_times,
        bit_times_formula: report.bit_times_formula.as_ref().map(|form| form.value),
        bit_times_text: report.bit_times_formula.as_ref().map(|form| form.text.as_str()),
        words_a_sweep: number("words_a_sweep"),
        node_bits_a_sweep: number("node_bits_a_sweep"),
        driven_bits_a_sweep: found("driven_bits_a_sweep").and_then(Value::as_f64),
        wire_use: report.wire_use,
        cells: number("cells"),
        storage_bits_per_node: report.storage_bits_per_node.total,
        storage_bits_formula: report.storage_bits_formula.value,
        logic_depth: report.logic_depth.as_ref().map(|depth| depth.total),
    };
    Row::new(values, &report.checks)
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 21] = [
    Column::new("guest", "guest").left(),
    Column::new("n", "dims").or_in_words("n = {}"),
    Column::new("order", "order")
        .only_if(|rows| differ(rows, "order"))
        .left(),
    Column::new("W", "word_bits").or_in_words("W = {}"),
    Column::new("M", "points_a_side").or_in_words("M = {}"),
    Column::new("P", "processes_a_side"),
    Column::new("load", "guest_load"),
    Column::new("words", "block_side"),
    Column::new("message bits", "message_bits"),
    Column::new("packets", "packets"),
    Column::new("B", "packet_bits"),
    Column::new("T", "start_up").only_if(|rows| differ(rows, "start_up")),
    Column::new("seed", "seed").only_if(|rows| differ(rows, "seed")),
    Column::new("steps", "routing_steps"),
    Column::new("bit times", "bit_times"),
    Column::new("formula", "bit_times_formula"),
    Column::new("bits a node", "node_bits_a_sweep"),
    Column::new("wires busy", "wire_use").digits(3),
    Column::new("storage", "storage_bits_per_node"),
    Column::CHECKS,
    Column::SECONDS,
];
