//! The row of a broadcast, and the columns of the table.

use crate::families::ports::packet_size::Found;
use crate::families::ports::report::BroadcastReport;
use crate::measure::row::{Row, values};
use crate::measure::table::{Column, differ};

/// The row of a report.
pub(super) fn row(report: &BroadcastReport) -> Row {
    let broadcasting = &report.family;
    let broadcast = &broadcasting.asked.broadcast;
    let depth = report.logic_depth.as_ref();
    let optimum = match broadcasting.asked.packet_size.found {
        Found::Optimum(optimum) => Some(optimum),
        Found::Asked | Found::Fixed(_) => None,
    };
    let values = values! {
        bench: report.bench,
        algorithm: broadcast.algorithm.name(),
        ports: broadcast.ports.name(),
        dims: report.topology.dims,
        nodes: report.topology.nodes,
        source_node: broadcast.source,
        message_bits: broadcasting.asked.message_bits,
        packet_bits: broadcast.packet_bits,
        packets: broadcast.packets,
        start_up: broadcast.start_up,
        seed: report.seed,
        messages: report.messages,
        delivered: report.delivered,
        routing_steps: broadcasting.routing_steps,
        routing_steps_formula: broadcasting.routing_steps_formula.value,
        routing_steps_text: broadcasting.routing_steps_formula.text.as_str(),
        bit_times: report.bit_times,
        bit_times_formula: report.bit_times_formula.as_ref().map(|form| form.value),
        packets_sent: broadcasting.packets_sent,
        logic_depth: depth.map(|depth| depth.total),
        logic_depth_node: depth.map(|depth| depth.node),
        logic_depth_sequencer: depth.map(|depth| depth.sequencer),
        storage_bits_per_node: report.storage_bits_per_node.total,
        storage_bits_formula: report.storage_bits_formula.value,
        sequencer_storage_bits: broadcasting.sequencer_storage_bits,
        peak_messages_per_node: report.peak.messages_per_node,
        peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
        forwarding_buffer_bits: report.peak.forwarding_buffer_bits,
        forwarding_buffer_bound: broadcasting.forwarding_buffer_bound.as_ref().map(|bound| bound.value),
        serial_adders_per_node: report.serial_adders_per_node,
        wire_use: report.wire_use,
        optimum_packet_bits: optimum.map(|optimum| optimum.bits),
        optimum_bit_times: optimum.map(|optimum| optimum.bit_times),
    };
    Row::new(values, &report.checks)
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 20] = [
    Column::new("broadcast", "algorithm").left(),
    Column::new("ports", "ports").left(),
    Column::new("n", "dims").or_in_words("n = {}"),
    Column::new("nodes", "nodes").or_in_words("{} nodes"),
    Column::new("source", "source_node").or_in_words("from node {}"),
    Column::new("M", "message_bits").or_in_words("M = {}"),
    Column::new("B", "packet_bits").or_in_words("B = {}"),
    Column::new("P", "packets").or_in_words("P = {}"),
    Column::new("T", "start_up").or_in_words("T = {}"),
    Column::new("seed", "seed").only_if(|rows| differ(rows, "seed")),
    Column::new("steps", "routing_steps"),
    Column::new("formula", "routing_steps_formula"),
    Column::new("", "routing_steps_text").left(),
    Column::new("bit times", "bit_times"),
    Column::new("formula", "bit_times_formula"),
    Column::new("to send on", "forwarding_buffer_bits"),
    Column::new("bound", "forwarding_buffer_bound"),
    Column::new("storage", "storage_bits_per_node"),
    Column::CHECKS,
    Column::SECONDS,
];
