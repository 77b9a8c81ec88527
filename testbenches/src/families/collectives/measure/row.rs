//! The row of a run, and the columns of the table.

use rtl_model::routers::collectives::algorithms::Operation;
use serde_json::Value;

use crate::families::collectives::measure::point::Point;
use crate::families::collectives::measure::routers::{Done, Router, Task};
use crate::families::collectives::operations;
use crate::lockstep::Steps;
use crate::measure::row::{Row, Value as Cell, values};
use crate::measure::table::{Column, differ};
use crate::report::{Behind, Check, Report, Sections};

/// A row that says where a point is, and has nothing else yet: of an algorithm and of a router the same names.
fn blank(point: &Point, checks: &[Check]) -> Row {
    let place = &point.place;
    let values = values! {
        bench: place.operation.name(),
        algorithm: place.who.name(),
        paper_name: Cell::Nothing,
        is_router: point.is_router(),
        schedule: Cell::Nothing,
        ports: place.ports.name(),
        dims: place.dims,
        nodes: 1usize << place.dims,
        message_bits: Cell::Nothing,
        node_bits: Cell::Nothing,
        matrix_rows: Cell::Nothing,
        word_bits: Cell::Nothing,
        bins: Cell::Nothing,
        samples: place.samples,
        packet_bits: Cell::Nothing,
        groups: Cell::Nothing,
        start_up: place.start_up,
        seed: place.seed,
        messages: Cell::Nothing,
        delivered: Cell::Nothing,
        rounds: Cell::Nothing,
        rounds_run: Cell::Nothing,
        start_ups: Cell::Nothing,
        routing_steps: Cell::Nothing,
        routing_steps_formula: Cell::Nothing,
        bit_times: Cell::Nothing,
        bit_times_formula: Cell::Nothing,
        bit_times_text: Cell::Nothing,
        fastest_algorithm_bit_times: point.fastest,
        times_fastest_algorithm: Cell::Nothing,
        wires_per_node: Cell::Nothing,
        wire_use: Cell::Nothing,
        forwarding_buffer_bits: Cell::Nothing,
        forwarding_buffer_bound: Cell::Nothing,
        storage_bits_per_node: Cell::Nothing,
        storage_bits_formula: Cell::Nothing,
        storage_with_messages: Cell::Nothing,
        peak_occupied_bits_per_node: Cell::Nothing,
        logic_depth: Cell::Nothing,
        serial_adders_per_node: Cell::Nothing,
    };
    Row::new(values, checks)
}

/// With what a row has of bit times, and how many times those of the fastest algorithm they are.
fn timed(row: &mut Row, point: &Point, bit_times: u64) {
    row.set("bit_times", bit_times);
    let fastest = point.fastest.filter(|fastest| *fastest > 0);
    let times = fastest.map(|fastest| bit_times as f64 / fastest as f64);
    row.set("times_fastest_algorithm", times);
}

/// The row of an algorithm's report.
pub(super) fn of_algorithm(point: &Point, report: &Report<Steps>) -> Row {
    let sections =
        [Behind::Network, Behind::BitTimes, Behind::Peak].map(|place| report.family.section(place));
    let found = |name: &str| {
        let mut entries = sections.iter().flatten();
        entries
            .find(|(one, _)| *one == name)
            .map(|(_, value)| value)
    };
    let number = |name: &str| found(name).and_then(Value::as_u64);
    let formula = |name: &str| found(name)?.get("value")?.as_u64();
    let mut row = blank(point, &report.checks);
    let paper_name = found("paper_name").and_then(Value::as_str);
    row.set("paper_name", paper_name);
    for name in [
        "message_bits",
        "matrix_rows",
        "word_bits",
        "bins",
        "packet_bits",
        "groups",
        "routing_steps",
    ] {
        row.set(name, number(name));
    }
    let nodes = report.topology.nodes as u64;
    if point.place.operation == Operation::Transpose {
        let name = point.place.who.name();
        let algorithm = operations::algorithm(point.place.operation, Some(name));
        let blocks = match algorithm.is_ok_and(|one| one.stores_submatrices()) {
            true => 1,
            false => nodes,
        };
        row.set(
            "node_bits",
            number("message_bits").map(|bits| bits * blocks),
        );
    }
    row.set("messages", report.messages as u64);
    row.set("delivered", report.delivered as u64);
    row.set("start_ups", number("routing_steps"));
    row.set("routing_steps_formula", formula("routing_steps_formula"));
    timed(&mut row, point, report.bit_times);
    let form = report.bit_times_formula.as_ref();
    row.set("bit_times_formula", form.map(|form| form.value));
    row.set("bit_times_text", form.map(|form| form.text.as_str()));
    let wires = report.topology.directed_wires as u64 / nodes;
    row.set("wires_per_node", wires);
    row.set("wire_use", report.wire_use);
    let forwarding = report.peak.forwarding_buffer_bits.map(u64::from);
    row.set("forwarding_buffer_bits", forwarding);
    row.set(
        "forwarding_buffer_bound",
        formula("forwarding_buffer_bound"),
    );
    let storage = report.storage_bits_per_node.total;
    row.set("storage_bits_per_node", storage);
    row.set("storage_bits_formula", report.storage_bits_formula.value);
    // Its memory holds all messages of the node.
    row.set("storage_with_messages", storage);
    let occupied = report.peak.occupied_bits_per_node.map(u64::from);
    row.set("peak_occupied_bits_per_node", occupied);
    let depth = report.logic_depth.as_ref().map(|depth| depth.total);
    row.set("logic_depth", depth);
    row.set("serial_adders_per_node", report.serial_adders_per_node);
    row
}

/// The row of a router.
pub(super) fn of_router(point: &Point, done: &Done, (router, task): (Router, &Task)) -> Row {
    let facts = &done.facts;
    let delivered = format!("{} of {} arrived", facts.delivered, facts.messages);
    let runs = "a run of the router says what did not hold of it";
    let alike = "rounds that are not run take as long as those that are";
    let all_arrived = facts.delivered == facts.messages;
    let checks = [
        Check::new("messages", all_arrived, delivered),
        Check::new("rounds", facts.passed, runs),
        Check::new("alike", facts.are_alike || done.runs == done.rounds, alike),
    ];
    let mut row = blank(point, &checks);
    row.set("schedule", done.schedule);
    row.set("message_bits", task.payload_bits);
    if point.place.operation == Operation::Transpose {
        row.set("node_bits", task.payload_bits);
    }
    row.set("messages", facts.messages);
    row.set("delivered", facts.delivered);
    row.set("rounds", done.rounds);
    row.set("rounds_run", done.runs);
    row.set("start_ups", done.rounds);
    timed(&mut row, point, facts.bit_times);
    row.set("bit_times_formula", facts.bit_times_formula);
    row.set("wires_per_node", facts.wires_per_node);
    row.set("wire_use", facts.wire_use);
    row.set("storage_bits_per_node", facts.storage_bits);
    let beside = router.messages_beside(done.rounds) * task.payload_bits;
    row.set("storage_with_messages", facts.storage_bits + beside as u64);
    row.set("peak_occupied_bits_per_node", facts.occupied_bits);
    row.set("logic_depth", facts.logic_depth);
    row
}

/// Whether routers are among the rows.
pub(super) fn have_routers(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.is("is_router"))
}

fn have_node_bits(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has("node_bits"))
}

fn have_no_routers(rows: &[Row]) -> bool {
    !have_routers(rows)
}

/// The columns of the table.
pub(super) const COLUMNS: [Column; 27] = [
    Column::new("algorithm", "algorithm").left(),
    Column::new("schedule", "schedule")
        .left()
        .only_if(have_routers),
    Column::new("ports", "ports").left().or_in_words("{} ports"),
    Column::new("n", "dims").or_in_words("n = {}"),
    Column::new("bits a node", "node_bits").only_if(have_node_bits),
    Column::new("M", "message_bits").or_in_words("M = {}"),
    Column::new("b", "bins").or_in_words("b = {}"),
    Column::new("B", "packet_bits").or_in_words("B = {}"),
    Column::new("groups", "groups").or_in_words("{} groups"),
    Column::new("T", "start_up").or_in_words("T = {}"),
    Column::new("seed", "seed").only_if(|rows| differ(rows, "seed")),
    Column::new("start-ups", "start_ups")
        .made(|row| match row.number("rounds_run") {
            Some(run) if row.number("rounds") != Some(run) => {
                format!("{} ({run} run)", row.text("start_ups"))
            }
            _ => row.text("start_ups"),
        })
        .only_if(have_routers),
    Column::new("steps", "routing_steps").only_if(have_no_routers),
    Column::new("formula", "routing_steps_formula").only_if(have_no_routers),
    Column::new("bit times", "bit_times"),
    Column::new("formula", "bit_times_formula"),
    Column::new("times", "times_fastest_algorithm")
        .digits(2)
        .only_if(have_routers),
    Column::new("to send on", "forwarding_buffer_bits").only_if(have_no_routers),
    Column::new("formula", "forwarding_buffer_bound").only_if(have_no_routers),
    Column::new("storage", "storage_bits_per_node"),
    Column::new("formula", "storage_bits_formula").only_if(have_no_routers),
    Column::new("with messages", "storage_with_messages").only_if(have_routers),
    Column::new("wires", "wires_per_node").only_if(have_routers),
    Column::new("wires busy", "wire_use").digits(3),
    Column::new("depth", "logic_depth").only_if(have_routers),
    Column::CHECKS,
    Column::SECONDS,
];
