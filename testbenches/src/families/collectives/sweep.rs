//! Sweeps of the operations, each of one alone: over algorithms and ports, hypercubes and sizes; from where on one is faster than
//! another, and what routers take for the same.

use rtl_model::routers::collectives::algorithms::Operation;
use std::collections::HashMap;

use crate::error::Error;
use crate::error::refusal::not_by;
use crate::families::collectives::entries;
use crate::families::collectives::parameters::{
    AGAINST, ALGORITHM, BINS, COUNTS, DIMS, GROUPS, MESSAGE, PACKETS, PORTS, SAMPLES, SIZE,
    START_UP, algorithm,
};
use crate::families::collectives::plot;
use crate::families::collectives::routers;
use crate::measure::crossover::{self, Comparison};
use crate::measure::reading::{Finished, Reading, WIRES_PER_NODE};
use crate::measure::row::{Row, Value};
use crate::measure::sweep::{BASE, Drawn, Point, Sweep, one_of_each};
use crate::report::{BIT_TIMES, FORWARDING_BUFFER, Heading, ROUTING_STEPS, STORAGE, of_all};
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

const READINGS: &[Reading] = &[
    Reading::of(of_all::BENCH),
    Reading::run(entries::ALGORITHM, |run| who(run.chosen).into()),
    Reading::of(entries::PAPER_NAME),
    Reading::run(entries::IS_ROUTER, |_| false.into()),
    beside_routers(Reading::later(of_all::SCHEDULE).heading(Heading::of("schedule").left())),
    Reading::parameter(&PORTS).heading(Heading::of("ports").left().or_in_words("{} ports")),
    Reading::parameter(&DIMS),
    Reading::of(of_all::NODES).hidden(),
    Reading::run(entries::NODE_BITS, node_bits),
    Reading::of(entries::MESSAGE_BITS),
    Reading::of(entries::MATRIX_ROWS),
    Reading::of(entries::WORD_BITS),
    Reading::of(entries::BINS),
    Reading::parameter(&SAMPLES).hidden(),
    Reading::of(entries::PACKET_BITS),
    Reading::of(entries::GROUPS),
    Reading::parameter(&START_UP),
    Reading::of(of_all::SEED),
    Reading::of(of_all::MESSAGES),
    Reading::of(of_all::DELIVERED),
    Reading::later(entries::ROUNDS),
    Reading::later(entries::ROUNDS_RUN),
    beside_routers(Reading::run(entries::START_UPS, |run| {
        run.told(&ROUTING_STEPS.of)
    }))
    .made(start_ups),
    alone(Reading::of(ROUTING_STEPS.of)),
    alone(Reading::of(ROUTING_STEPS.form)),
    Reading::text(ROUTING_STEPS.form),
    Reading::of(BIT_TIMES.of),
    Reading::of(BIT_TIMES.form),
    Reading::text(BIT_TIMES.form),
    Reading::later(entries::FASTEST),
    beside_routers(Reading::later(entries::TIMES_FASTEST)),
    alone(Reading::of(FORWARDING_BUFFER.of)),
    alone(Reading::of(FORWARDING_BUFFER.form)),
    Reading::text(FORWARDING_BUFFER.form),
    Reading::of(STORAGE.of),
    alone(Reading::of(STORAGE.form).headed("formula")),
    Reading::text(STORAGE.form),
    // Its memory holds all messages of the node.
    beside_routers(Reading::run(entries::STORAGE_WITH_MESSAGES, |run| {
        run.told(&STORAGE.of)
    })),
    beside_routers(WIRES_PER_NODE),
    Reading::of(of_all::WIRE_USE).heading(Heading::of("wires busy").digits(3)),
    Reading::of(of_all::PEAK_OCCUPIED),
    beside_routers(Reading::of(of_all::LOGIC_DEPTH)),
    Reading::of(of_all::SERIAL_ADDERS),
];

/// A reading with its column where routers are among the rows.
const fn beside_routers(reading: Reading) -> Reading {
    reading.only_if(have_routers)
}

/// A reading with its column where they are not.
const fn alone(reading: Reading) -> Reading {
    reading.only_if(|rows| !have_routers(rows))
}

/// Whether routers are among the rows.
pub fn have_routers(rows: &[Row]) -> bool {
    rows.iter().any(|row| row.is("is_router"))
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
    match run.told(&entries::MESSAGE_BITS) {
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
        row.set(entries::FASTEST.in_rows(), found);
        row.set(
            entries::TIMES_FASTEST.in_rows(),
            times.map(|(found, own)| own / found as f64),
        );
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
