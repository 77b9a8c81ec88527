//! The row of a phase, and the columns of the table.

use serde_json::Value;

use crate::families::embeddings::measure::point::{Bits, Place};
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
    let text = |name: &str| found(name).and_then(Value::as_str);
    let claimed = |whose: &str| {
        let cost = found(whose)?.get("cost_steps")?;
        // An order of growth stays as it is written.
        (cost.as_u64().map(|steps| steps.to_string())).or_else(|| cost.as_str().map(str::to_owned))
    };
    let edges = number("guest_edges").unwrap_or(0);
    let sent = edges * number("message_bits").unwrap_or(0);
    let wires = report.topology.directed_wires / report.topology.nodes;
    let values = values! {
        bench: report.bench,
        guest: place.guest,
        theorem: text("theorem"),
        dims: place.dims,
        nodes: report.topology.nodes,
        guest_vertices: number("guest_vertices"),
        guest_edges: edges,
        both_ways: place.both_ways,
        width: number("width"),
        dilation: number("dilation"),
        congestion: number("congestion"),
        guest_load: number("guest_load"),
        expansion: text("expansion"),
        order: place.order.name(),
        packets: number("packets"),
        message_bits: number("message_bits"),
        node_bits: match place.bits { Bits::OfNode(bits) => Some(bits), Bits::OfMessage(_) => None },
        packet_bits: number("packet_bits"),
        start_up: place.start_up,
        seed: report.seed,
        messages: report.messages,
        delivered: report.delivered,
        wires_per_node: wires,
        routing_steps: number("routing_steps"),
        cost_paper: claimed("paper"),
        cost_corrected: claimed("corrected"),
        bit_times: report.bit_times,
        bit_times_formula: report.bit_times_formula.as_ref().map(|form| form.value),
        bit_times_text: report.bit_times_formula.as_ref().map(|form| form.text.as_str()),
        bits_a_bit_time: sent as f64 / report.bit_times.max(1) as f64 / report.topology.nodes as f64,
        wire_use: report.wire_use,
        cells: number("cells"),
        storage_bits_per_node: report.storage_bits_per_node.total,
        storage_bits_formula: report.storage_bits_formula.value,
        peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
        logic_depth: report.logic_depth.as_ref().map(|depth| depth.total),
        gate_delays: report.logic_depth.as_ref().map(|depth| report.bit_times * depth.total as u64),
        serial_adders_per_node: report.serial_adders_per_node,
    };
    Row::new(values, &report.checks)
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 23] = [
    Column::new("guest", "guest").left(),
    Column::new("n", "dims").or_in_words("n = {}"),
    Column::new("width", "width"),
    Column::new("dilation", "dilation"),
    Column::new("congestion", "congestion"),
    Column::new("load", "guest_load"),
    Column::new("order", "order")
        .only_if(|rows| differ(rows, "order"))
        .left(),
    Column::new("bits a node", "node_bits").only_if(|rows| differ(rows, "node_bits")),
    Column::new("M", "message_bits").or_in_words("M = {}"),
    Column::new("packets", "packets"),
    Column::new("B", "packet_bits"),
    Column::new("T", "start_up").only_if(|rows| differ(rows, "start_up")),
    Column::new("seed", "seed").only_if(|rows| differ(rows, "seed")),
    Column::new("steps", "routing_steps"),
    Column::new("corrected", "cost_corrected"),
    Column::new("paper", "cost_paper"),
    Column::new("bit times", "bit_times"),
    Column::new("formula", "bit_times_formula"),
    Column::new("bits a bit time", "bits_a_bit_time").digits(3),
    Column::new("wires busy", "wire_use").digits(3),
    Column::new("storage", "storage_bits_per_node"),
    Column::CHECKS,
    Column::SECONDS,
];
