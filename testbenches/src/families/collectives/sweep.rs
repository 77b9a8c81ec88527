//! Sweeps of the operations, each of one alone: over algorithms and ports, hypercubes and sizes; from where on one is faster than
//! another, and what routers take for the same.

use rtl_model::routers::collectives::algorithms::Operation;
use std::collections::HashMap;

use crate::error::Error;
use crate::error::refusal::not_by;
use crate::families::collectives::parameters::{
    AGAINST, ALGORITHM, BINS, COUNTS, DIMS, GROUPS, MESSAGE, PACKETS, PORTS, SAMPLES, SIZE,
    START_UP, algorithm,
};
use crate::families::collectives::plot;
use crate::families::collectives::routers;
use crate::measure::crossover::{self, Comparison};
use crate::measure::reading::{Finished, Reading, of_all};
use crate::measure::row::{Row, Value};
use crate::measure::sweep::{BASE, Drawn, Point, Sweep, one_of_each};
use crate::measure::table::Column;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::Parameter;

pub static SCATTER: Sweep = of(plot::OF_SIZES);
pub static GATHER: Sweep = of(plot::OF_SIZES);
pub static ALL_GATHER: Sweep = of(plot::OF_SIZES);
pub static ALL_TO_ALL: Sweep = of(plot::OF_SIZES);
pub static SEND: Sweep = of(plot::OF_SIZES);
pub static PERMUTED_SEND: Sweep = of(plot::OF_SIZES);
pub static INVERSION: Sweep = of(plot::OF_SIZES);
pub static TRANSPOSE: Sweep = of(plot::OF_MATRICES);
pub static HISTOGRAM: Sweep = of(plot::OF_SIZES);

/// The sweep of an operation, with what its plots are drawn against.
const fn of(against: plot::Against) -> Sweep {
    Sweep {
        axes: &[
            &AGAINST, &ALGORITHM, &PORTS, &DIMS, &MESSAGE, &SIZE, &BINS, &SAMPLES, &COUNTS,
            &START_UP, &GROUPS, &PACKETS,
        ],
        who: ("algorithm", who),
        readings: READINGS,
        below,
        conclude: Some(compare),
        beside: Some(routers::BESIDE),
        refused,
        plot: "Draw bit times, routing steps and what nodes hold to send on here, against --dims, sizes, --start-up, --packet-bits \
               or --groups, the first of them that varies; with --dims and sizes, also from which size on each algorithm is the \
               fastest; beside routers, bit times and storage",
        against,
        series_of: "algorithm",
        nothing_varies: |_| {
            one_of_each(
                "bit times",
                "--dims, sizes, --start-up, --packet-bits or --groups",
                "--dims 2..6",
            )
        },
        panels: |drawn: &Drawn<'_>| Ok(plot::panels(drawn)),
        ..BASE
    }
}

/// Bit times of the fastest algorithm of the sweep for as much, and how many times these a row has.
const FASTEST: &str = "fastest_algorithm_bit_times";
const TIMES_FASTEST: &str = "times_fastest_algorithm";

/// The columns of the table stand in another order than the values of rows.
const READINGS: &[Reading] = &[
    of_all::BENCH,
    Reading::run("algorithm", |run| who(run.chosen).into())
        .column(Column::new("algorithm", "algorithm").left()),
    Reading::told("paper_name"),
    Reading::run("is_router", |_| false.into()),
    of_routers("schedule").column(beside_routers("schedule", "schedule").left()),
    Reading::parameter(&PORTS).column(Column::new("ports", "ports").left().or_in_words("{} ports")),
    Reading::parameter(&DIMS),
    of_all::NODES.hidden(),
    Reading::told("message_bits"),
    Reading::run("node_bits", node_bits)
        .column(Column::new("bits a node", "node_bits").only_if(have_node_bits)),
    Reading::column_of(Column::new("M", "message_bits").or_in_words("M = {}")),
    Reading::told("matrix_rows"),
    Reading::told("word_bits"),
    Reading::told("bins").column(Column::new("b", "bins").or_in_words("b = {}")),
    Reading::parameter(&SAMPLES).hidden(),
    Reading::told("packet_bits").column(Column::new("B", "packet_bits").or_in_words("B = {}")),
    Reading::told("groups").column(Column::new("groups", "groups").or_in_words("{} groups")),
    Reading::parameter(&START_UP),
    of_all::SEED_OF_ROW,
    of_all::MESSAGES,
    of_all::DELIVERED,
    of_routers("rounds"),
    of_routers("rounds_run"),
    Reading::run("start_ups", |run| run.told("routing_steps"))
        .column(beside_routers("start-ups", "start_ups").made(start_ups)),
    alone(of_all::ROUTING_STEPS),
    alone(of_all::ROUTING_STEPS_FORMULA),
    of_all::ROUTING_STEPS_TEXT,
    of_all::BIT_TIMES,
    of_all::BIT_TIMES_FORMULA,
    of_all::BIT_TIMES_TEXT,
    of_routers(FASTEST),
    of_routers(TIMES_FASTEST).column(beside_routers("times", TIMES_FASTEST).digits(2)),
    of_all::WIRES_PER_NODE.hidden(),
    of_all::WIRE_USE,
    alone(of_all::FORWARDING_BUFFER),
    alone(of_all::FORWARDING_BUFFER_FORMULA),
    of_all::FORWARDING_BUFFER_TEXT,
    of_all::STORAGE,
    alone(of_all::STORAGE_FORMULA.headed("formula")),
    of_all::STORAGE_TEXT,
    // Its memory holds all messages of the node.
    Reading::run("storage_with_messages", |run| {
        run.report.storage_bits_per_node.total.into()
    })
    .column(beside_routers("with messages", "storage_with_messages")),
    Reading::column_of(beside_routers("wires", "wires_per_node")),
    Reading::column_of(Column::new("wires busy", "wire_use").digits(3)),
    of_all::PEAK_OCCUPIED,
    of_all::LOGIC_DEPTH.column(beside_routers("depth", "logic_depth")),
    of_all::SERIAL_ADDERS,
];

/// A column where routers are among the rows.
const fn beside_routers(heading: &'static str, name: &'static str) -> Column {
    Column::new(heading, name).only_if(have_routers)
}

/// A reading with its column where they are not.
const fn alone(reading: Reading) -> Reading {
    reading.only_if(|rows| !have_routers(rows))
}

/// What a run of an algorithm does not say.
const fn of_routers(name: &'static str) -> Reading {
    Reading::run(name, |_| Value::Nothing)
}

/// Whether routers are among the rows.
pub fn have_routers(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.is("is_router"))
}

fn have_node_bits(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.has("node_bits"))
}

/// Routing steps, or rounds and how many of them were run.
fn start_ups(row: &Row) -> String {
    match row.number("rounds_run") {
        Some(run) if row.number("rounds") != Some(run) => {
            format!("{} ({run} run)", row.text("start_ups"))
        }
        _ => row.text("start_ups"),
    }
}

/// Bits of a matrix at a node.
fn node_bits(run: &Finished<'_>) -> Value {
    let blocks = match algorithm(run.chosen) {
        Ok(one) if one.operation() != Operation::Transpose => return Value::Nothing,
        Ok(one) if one.stores_submatrices() => 1,
        _ => run.report.topology.nodes as u64,
    };
    match run.told("message_bits") {
        Value::Number(bits) => (bits * blocks).into(),
        _ => Value::Nothing,
    }
}

/// By what it is done: an algorithm, or a router beside.
fn who(chosen: &Chosen) -> String {
    let parameter = match chosen.has(&AGAINST) {
        true => &AGAINST,
        false => &ALGORITHM,
    };
    chosen.name(parameter).unwrap_or_default().to_owned()
}

/// Among several algorithms, one that does not take a size is left out where it would be refused alone.
fn refused(error: Error, chosen: &Chosen) -> Error {
    let left_out = [DIMS, GROUPS, PACKETS, SIZE].map(|parameter| parameter.option);
    match (error, algorithm(chosen)) {
        (Error::Refusal(refusal), Ok(algorithm))
            if left_out.iter().any(|option| refusal.is_of(option)) && !chosen.has(&AGAINST) =>
        {
            let why = refusal.about("").to_string();
            let by = algorithm.name();
            match why.strip_prefix(by) {
                Some(of_it) => not_by(by, format!("it{of_it}")),
                None => not_by(by, why),
            }
        }
        (error, _) => error,
    }
}

/// Says of each row which bit times the fastest algorithm has for as much, by its formula. Algorithms are compared at the same
/// start-up; routers, which have none, with the least of the sweep.
fn compare(points: &[Point], rows: &mut [Row]) {
    let as_much = |point: &Point, start_up| {
        let of = [&DIMS, &MESSAGE, &SIZE, &COUNTS, &BINS, &SAMPLES];
        let of = of.map(|parameter| point.chosen.given(parameter).cloned());
        format!("{of:?} {start_up}")
    };
    let start_up = |point: &Point| point.chosen.number(&START_UP);
    let mut fastest: HashMap<String, u64> = HashMap::new();
    let mut least = usize::MAX;
    // Routers have no requirement of the kit's.
    for (point, requirement) in points
        .iter()
        .filter_map(|one| Some((one, one.requirement.as_ref()?)))
    {
        let bit_times = requirement.bit_times.value;
        least = least.min(start_up(point));
        let known = fastest.entry(as_much(point, start_up(point)));
        known
            .and_modify(|known| *known = bit_times.min(*known))
            .or_insert(bit_times);
    }
    for (point, row) in points.iter().zip(rows) {
        let start_up = point
            .requirement
            .as_ref()
            .map_or(least, |_| start_up(point));
        let found = fastest.get(&as_much(point, start_up)).copied();
        let times = found.filter(|found| *found > 0);
        let times = times.zip(row.number("bit_times"));
        row.set(FASTEST, found);
        row.set(TIMES_FASTEST, times.map(|(found, own)| own / found as f64));
    }
}

/// From which message on one algorithm is faster than another.
const BY_BITS: Comparison = Comparison {
    of: &["algorithm"],
    alike: &["dims", "ports", "start_up", "seed"],
    sizes: &[
        ("node_bits", "bits a node"),
        ("message_bits", "bits of a message"),
    ],
    at: &[
        ("n", "dims"),
        ("T", "start_up"),
        ("ports", "ports"),
        ("seed", "seed"),
    ],
    with_always: false,
    title: "faster with as many bits and all more, of those measured",
};

/// From which hypercube on.
const BY_DIMENSIONS: Comparison = Comparison {
    alike: &["message_bits", "ports", "start_up", "seed"],
    sizes: &[("dims", "dimensions")],
    at: &[
        ("M", "message_bits"),
        ("T", "start_up"),
        ("ports", "ports"),
        ("seed", "seed"),
    ],
    title: "faster with as many dimensions and all more, of those measured",
    ..BY_BITS
};

/// Whether points differ in one of these.
pub fn differ(points: &[Point], parameters: &[&Parameter]) -> bool {
    points.windows(2).any(|pair| {
        let given = |point: usize, parameter| pair[point].chosen.given(parameter);
        let mut all = parameters.iter();
        all.any(|parameter| given(0, parameter) != given(1, parameter))
    })
}

fn below(points: &[Point], rows: &[Row]) -> String {
    let mut text = String::from("M bits of a message, T bit times of a start-up\n");
    text += match have_routers(rows) {
        true => {
            "start-ups: routing steps of an algorithm, rounds of a router; T bit times each are counted of algorithms only\n\
             times: bit times as a multiple of those of the fastest algorithm for as much\n\
             storage: register bits of a node; with messages: and those of its messages that lie beside them, at the most\n\
             wires: of a node, those for flow control among them; depth: gates on the longest path between registers\n"
        }
        false => {
            "steps: routing steps; storage: register bits of a node, its messages among them\n\
             to send on: the most bits of a node that it is to send on, those in flight to it among them\n"
        }
    };
    // Of several choices of one algorithm none stands for it.
    if !differ(points, &[&GROUPS, &PACKETS]) {
        let by = match differ(points, &[&MESSAGE, &SIZE, &COUNTS]) {
            true => BY_BITS,
            false => BY_DIMENSIONS,
        };
        text += &crossover::fastest(by, rows);
        text += &crossover::text(by, rows);
    }
    text
}

#[cfg(test)]
mod tests;
