//! The row of a report of wormhole routers, and the columns of the table.

use crate::families::wormhole::measure::point::network_label;
use crate::families::wormhole::options::{NAME, PiecesName};
use crate::families::wormhole::report::WormholeReport;
use crate::measure::row::{Row, Value, values};
use crate::measure::table::{Column, or_dash};

/// The row of a report. What a point has none of is nothing: of one with an offered load what belongs to a single message of
/// each sender, and the other way round.
pub(super) fn row(report: &WormholeReport) -> Row {
    let throughput = report.family.throughput.as_ref();
    // Of a run that ended in a deadlock, no measurement was made in full.
    let measured = throughput.filter(|_| report.family.deadlock.is_none());
    let latency = report.family.latency.as_ref();
    let is_complete = throughput.is_none() && report.delivered == report.messages;
    let bit_times_per_message_bit =
        is_complete.then_some(report.bit_times as f64 / report.payload_bits as f64);
    let bounds = report.family.bit_times_bounds.as_ref();
    let deadlock = report.family.deadlock.as_ref();
    let depth = report.logic_depth.as_ref().map(|depth| depth.total);
    let storage = report.storage_bits_per_node.total;
    let values = values! {
        bench: NAME,
        network: report.family.router.network,
        copies: report.family.router.copies,
        pieces: report.family.router.pieces,
        dims: report.family.levels,
        nodes: report.topology.nodes,
        message_bits: report.payload_bits,
        virtual_channels: report.family.router.virtual_channels,
        buffer_bits: report.family.router.buffer_bits,
        switch: report.family.router.switch,
        traffic: report.traffic.as_str(),
        load: report.load,
        offered_load: throughput.map(|of| of.offered_load),
        seed: report.seed,
        messages: report.messages,
        delivered: report.delivered,
        bit_times: report.bit_times,
        // There is none.
        bit_times_formula: Value::Nothing,
        bit_times_lower_bound: bounds.map(|bounds| bounds.lower),
        bit_times_per_message_bit: bit_times_per_message_bit,
        created: measured.and_then(|of| of.created),
        accepted: measured.and_then(|of| of.accepted),
        // Of this run alone, as that of its latency: by batch means.
        accepted_half_width: measured.and_then(|of| of.accepted_half_width),
        saturated: measured.and_then(|of| of.saturated),
        verdict: measured.and_then(|of| of.verdict),
        growth_exponent: measured.and_then(|of| of.growth_exponent),
        warm_up: measured.map(|of| of.phases[0]),
        measurement: measured.map(|of| of.phases[1]),
        warm_up_is_long_enough: measured.and_then(|of| of.warm_up?.is_long_enough),
        // Of the messages that arrived.
        latency_average: latency.map(|of| of.average),
        latency_half_width: latency.and_then(|of| of.average_half_width),
        latency_50: latency.map(|of| of.percentile_50),
        latency_95: latency.map(|of| of.percentile_95),
        latency_99: latency.map(|of| of.percentile_99),
        latency_largest: latency.map(|of| of.largest),
        latency_in_network: latency.map(|of| of.average_in_network),
        latency_of_worms_in_network: latency.map(|of| of.average_of_worms_in_network),
        hops: latency.map(|of| of.average_hops),
        // Of all seeds of this point together, the same in each of their rows.
        deadlocks_of_seeds: Value::Nothing,
        bit_times_of_seeds: Value::Nothing,
        bit_times_of_seeds_half_width: Value::Nothing,
        latency_of_seeds: Value::Nothing,
        latency_of_seeds_half_width: Value::Nothing,
        accepted_of_seeds: Value::Nothing,
        accepted_of_seeds_half_width: Value::Nothing,
        saturation_of_seeds: Value::Nothing,
        saturation_of_seeds_half_width: Value::Nothing,
        // Where the load was looked for: the others are of the run at the lower one of these.
        saturation_lower: Value::Nothing,
        saturation_upper: Value::Nothing,
        saturation: Value::Nothing,
        latency_bound: Value::Nothing,
        zero_load_latency: Value::Nothing,
        runs: Value::Nothing,
        passed_by: Value::Nothing,
        // Data wires of a node's host, each way.
        host_wires: report.family.router.host_wires,
        logic_depth: depth,
        gate_delays: depth.filter(|_| is_complete).map(|depth| report.bit_times * depth as u64),
        storage_bits_per_node: storage,
        bit_times_storage: is_complete.then_some(report.bit_times * storage as u64),
        peak_occupied_bits_per_node: report.peak.occupied_bits_per_node,
        serial_adders_per_node: report.serial_adders_per_node,
        wire_use: report.wire_use,
        // Whether any traffic can bring one, by the dependency graph; whether this one did is in `checks`.
        can_deadlock: report.family.dependencies.cycle.is_some(),
        // When it came, or was found.
        deadlock: deadlock.map(|deadlock| deadlock.bit_time),
    };
    Row::new(values, &report.checks)
}

/// What a search adds to a row: two loads, what is between them, the bound, the latency at a light load, how many runs it took.
pub(super) const SOUGHT: [&str; 6] = [
    "saturation_lower",
    "saturation_upper",
    "saturation",
    "latency_bound",
    "zero_load_latency",
    "runs",
];
/// Why the upper load is not carried.
pub(super) const PASSED_BY: &str = "passed_by";

/// Whether points have an offered load, given or looked for.
pub(super) fn are_offered(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has("offered_load")) || are_sought(rows)
}

/// Whether that was looked for.
pub(super) fn are_sought(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has("saturation"))
}

fn are_listed(rows: &[Row]) -> bool {
    are_offered(rows) && !are_sought(rows)
}

fn are_sent_at_once(rows: &[Row]) -> bool {
    !are_offered(rows)
}

/// What was run, beside the network: shown where rows differ.
pub(super) const PARAMETERS: [Column; 10] = [
    Column::new("n", "dims").or_in_words("n = {}"),
    Column::new("nodes", "nodes").or_in_words("{} nodes"),
    Column::new("M", "message_bits").or_in_words("M = {}"),
    Column::new("V", "virtual_channels").or_in_words("V = {}"),
    Column::new("b", "buffer_bits").or_in_words("b = {}"),
    (Column::new("switch", "switch").left()).or_in_words("switch {}"),
    (Column::new("traffic", "traffic").left()).or_in_words("traffic {}"),
    Column::new("load", "load").or_in_words("load {}"),
    Column::new("seed", "seed").or_in_words("seed {}"),
    Column::new("offered", "offered_load").or_in_words("offered load {}"),
];

pub(super) const NETWORK: Column = Column::new("network", "network").left().made(|row| {
    let copies = row.number("copies").map(|copies| copies as usize);
    let pieces = match row.has("pieces") {
        true => row.text("pieces"),
        false => PiecesName::default().name().to_owned(),
    };
    network_label(&row.text("network"), copies, &pieces)
});

/// The columns of the table.
pub(super) const COLUMNS: [Column; 37] = {
    let [n, nodes, m, v, b, switch, traffic, load, seed, offered] = PARAMETERS;
    [
        NETWORK,
        n,
        nodes,
        m,
        v,
        b,
        switch,
        traffic,
        load,
        seed,
        (Column::new("zero load", "zero_load_latency").digits(1)).only_if(are_sought),
        (Column::new("bound", "latency_bound").digits(1)).only_if(are_sought),
        (Column::new("carries", "saturation_lower").digits(4)).only_if(are_sought),
        (Column::new("not", "saturation_upper").digits(4)).only_if(are_sought),
        (Column::new("by", PASSED_BY).left()).only_if(are_sought),
        offered,
        (Column::new("created", "created").digits(3)).only_if(are_offered),
        (Column::new("accepted", "accepted").digits(3)).only_if(are_offered),
        // Of a run in which not all messages arrived they say nothing.
        Column::new("bit times", "bit_times")
            .made(|row| match row.has("bit_times_per_message_bit") {
                true => row.text("bit_times"),
                false => or_dash(None, 0),
            })
            .only_if(are_sent_at_once),
        Column::new("at least", "bit_times_lower_bound").only_if(are_sent_at_once),
        (Column::new("T/M", "bit_times_per_message_bit").digits(2)).only_if(are_sent_at_once),
        Column::new("latency", "latency_average").digits(1),
        (Column::new("+-", "latency_half_width").digits(1)).only_if(are_listed),
        (Column::new("50 %", "latency_50").digits(0)).only_if(are_offered),
        (Column::new("95 %", "latency_95").digits(0)).only_if(are_offered),
        Column::new("99 %", "latency_99").digits(0),
        Column::new("in network", "latency_in_network").digits(1),
        (Column::new("hops", "hops").digits(2)).only_if(are_offered),
        Column::new("verdict", "verdict")
            .left()
            .made(|row| match row.has("verdict") {
                true => row.text("verdict"),
                false => or_dash(None, 0),
            })
            .only_if(are_listed),
        Column::new("host wires", "host_wires").only_if(are_sent_at_once),
        Column::new("depth", "logic_depth").only_if(are_sent_at_once),
        Column::new("gate delays", "gate_delays").only_if(are_sent_at_once),
        Column::new("storage", "storage_bits_per_node").only_if(are_sent_at_once),
        Column::new("T x storage", "bit_times_storage").only_if(are_sent_at_once),
        Column::new("can deadlock", "can_deadlock").made(|row| {
            let can = if row.is("can_deadlock") { "yes" } else { "no" };
            can.to_owned()
        }),
        Column::new("checks", "passed").made(|row| {
            let verdict = match (row.passed(), row.has("deadlock")) {
                (true, _) => "pass",
                (false, true) => "deadlock",
                (false, false) => "FAIL",
            };
            verdict.to_owned()
        }),
        Column::SECONDS,
    ]
};
