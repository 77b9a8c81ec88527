//! Sweeps over schedules, sizes, and how many messages a node has, beside routers that send one set of messages after the other.
//! They differ in what there are several messages for.

use crate::families::relations::entries;
use crate::families::relations::others::{BESIDE, Other};
use crate::families::relations::parameters::{
    AGAINST, Amount, BATCHES, DIMS, H, LOAD, PAYLOAD_BITS, PROCESSORS, SCHEDULE_OF_BATCHES,
    SCHEDULE_OF_RELATIONS, TRAFFIC,
};
use crate::families::relations::schedules;
use crate::measure::plot::{Panel, Scale};
use crate::measure::reading::Reading;
use crate::measure::row::Row;
use crate::measure::sweep::{BASE, Drawn, Point, Sweep, names, one_of_each};
use crate::report::{BIT_TIMES, Heading, STORAGE, of_all};
use crate::testbench::Choice;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Parameter, SEED};

pub static OF_BATCHES: Sweep = sweep(
    Choice {
        option: "batches",
        example: "8",
    },
    &[
        &TRAFFIC,
        &AGAINST,
        &SCHEDULE_OF_BATCHES,
        &DIMS,
        &PAYLOAD_BITS,
        &LOAD,
        &BATCHES,
    ],
);

pub static OF_RELATIONS: Sweep = sweep(
    Choice {
        option: "h",
        example: "4",
    },
    &[
        &TRAFFIC,
        &AGAINST,
        &SCHEDULE_OF_RELATIONS,
        &DIMS,
        &PAYLOAD_BITS,
        &LOAD,
        &H,
    ],
);

pub static OF_PROCESSORS: Sweep = sweep(
    Choice {
        option: "processors",
        example: "4",
    },
    &[&TRAFFIC, &DIMS, &PAYLOAD_BITS, &LOAD, &PROCESSORS],
);

/// A sweep of a testbench that is chosen so, over these axes.
const fn sweep(chosen_by: Choice, axes: &'static [&'static Parameter]) -> Sweep {
    Sweep {
        chosen_by: Some(chosen_by),
        axes,
        who: ("who", who),
        readings: READINGS,
        title: |points| format!("{}, several messages a node", names(points)),
        below,
        beside: Some(BESIDE),
        plot: "Draw sets of messages a 1000 bit times, bit times, storage and wires here, against --dims, the number of messages of a \
               node, --payload-bits or --load, the first of them that varies",
        against: &[
            (&DIMS, "dimensions k of the hypercube", Scale::Whole),
            (&BATCHES, "batches", Scale::Whole),
            (&H, "messages H of a node, at the most", Scale::Whole),
            (&PROCESSORS, "processors at a vertex", Scale::Whole),
            (
                &PAYLOAD_BITS,
                "payload bits D of a message",
                Scale::Log(2.0),
            ),
            (&LOAD, "share of nodes that send", Scale::FromZero(1.0)),
        ],
        series_of: "schedule",
        nothing_varies: |_| {
            one_of_each(
                "bit times",
                "--dims, --payload-bits, --load or the number of messages of a node",
                "--dims 2..8",
            )
        },
        panels: |drawn| Ok(panels(drawn)),
        ..BASE
    }
}

const READINGS: &[Reading] = &[
    Reading::following(of_all::BENCH, |chosen, _| chosen.bench().name.into()),
    Reading::following(entries::WHO, |chosen, _| who(chosen).into()),
    Reading::following(of_all::SCHEDULE, |chosen, _| {
        let has_several = Amount::of(chosen) != Amount::Processors;
        has_several.then(|| carrier(chosen).0).into()
    }),
    Reading::following(entries::ONE_AFTER_ANOTHER, |chosen, _| {
        chosen.has(&AGAINST).into()
    }),
    Reading::parameter(&TRAFFIC).heading(Heading::of("traffic").left().if_rows_differ()),
    Reading::parameter(&DIMS),
    Reading::following(of_all::NODES, |chosen, _| {
        (1u64 << chosen.number(&DIMS)).into()
    })
    .hidden(),
    Reading::parameter(&PAYLOAD_BITS),
    Reading::parameter(&LOAD),
    Reading::parameter(&BATCHES),
    Reading::parameter(&H),
    Reading::parameter(&PROCESSORS),
    Reading::parameter(&SEED).heading(Heading::of("seed").if_rows_differ()),
    Reading::of(of_all::MESSAGES).headed("messages"),
    Reading::of(of_all::DELIVERED),
    Reading::of(BIT_TIMES.of),
    Reading::of(BIT_TIMES.form),
    Reading::text(BIT_TIMES.form),
    Reading::of(entries::LATENCY),
    Reading::text(entries::LATENCY),
    Reading::of(entries::INTERVAL_BIT_TIMES),
    // Of processors that share a vertex: how much longer than with one.
    Reading::following(entries::FACTOR, |chosen, row| {
        let of_processors = Amount::of(chosen) == Amount::Processors;
        let alone = row.number("latency_bit_times").filter(|_| of_processors);
        alone.map(|alone| bit_times(row) / alone).into()
    }),
    Reading::following(entries::SETS, |chosen, row| {
        let slots = chosen.number(Amount::of(chosen).parameter());
        (1000.0 * slots as f64 / bit_times(row).max(1.0)).into()
    }),
    Reading::following(entries::SETS_BY_WIRE, |_, row| {
        let wires = row.number("wires_per_node").unwrap_or(0.0);
        sets(row).map(|sets| sets / wires.max(1.0)).into()
    }),
    Reading::following(entries::SETS_BY_COST, |_, row| {
        let of_cost = sets(row).zip(row.number("wire_cost"));
        of_cost.map(|(sets, cost)| sets / cost).into()
    }),
    Reading::following(entries::MESSAGES_A_NODE, |_, row| {
        let of_nodes = row.number("delivered").zip(row.number("nodes"));
        of_nodes
            .map(|(delivered, nodes)| delivered / bit_times(row).max(1.0) / nodes)
            .into()
    }),
    Reading::of(entries::WIRES_PER_NODE),
    Reading::of(entries::WIRE_COST),
    Reading::of(of_all::WIRE_USE).heading(Heading::of("wires busy").digits(3)),
    Reading::of(STORAGE.of).hidden(),
    Reading::of(entries::ROUTER_STORAGE),
    Reading::of(of_all::PEAK_OCCUPIED),
    Reading::of(of_all::SERIAL_ADDERS),
    Reading::of(of_all::LOGIC_DEPTH),
    Reading::following(of_all::GATE_DELAYS, |_, row| {
        let depth = row.number("logic_depth");
        depth.map(|depth| (depth * bit_times(row)) as u64).into()
    })
    .hidden(),
];

fn sets(row: &Row) -> Option<f64> {
    row.number(entries::SETS.in_rows())
}

fn bit_times(row: &Row) -> f64 {
    row.number("bit_times").unwrap_or(0.0)
}

/// The schedule or the router that carries the messages, and how.
fn carrier(chosen: &Chosen) -> (&'static str, &'static str) {
    match (Other::of(chosen), schedules::chosen(chosen)) {
        (Ok(Some(other)), _) => (other.name(), ", one after another"),
        (_, Ok(entry)) => match (entry.pipeline, Amount::of(chosen)) {
            (None, _) | (_, Amount::Processors) => (entry.name, ""),
            (Some(_), _) => (entry.name, ", in batches"),
        },
        // It is refused elsewhere.
        (_, Err(_)) => ("", ""),
    }
}

/// What carries the messages is called.
fn who(chosen: &Chosen) -> String {
    let (name, how) = carrier(chosen);
    format!("{name}{how}")
}

fn is_packing(points: &[Point]) -> bool {
    let first = points.first();
    first.is_some_and(|point| Amount::of(&point.chosen) == Amount::Processors)
}

fn below(points: &[Point], _: &[Row]) -> String {
    String::from(match is_packing(points) {
        true => {
            "T: bit times with one processor at a vertex; P: from one pass to the next; factor: bit times / T\n"
        }
        false => {
            "a set: a message of each node that has one; T: bit times of a batch alone; P: from one batch to the next\n\
             sets: delivered in 1000 bit times; a wire: the same, by the wires of a node\n\
             router: register bits of a node; of a pipeline without outbox and inbox, which are its processor's\n\
             one after another: a set at a time on one wire each way across each dimension, the whole router for each of them\n"
        }
    })
}

fn panels(drawn: &Drawn<'_>) -> Vec<Panel> {
    let whole = Scale::FromZero(1.05);
    let of_bit_times = drawn.panel(&BIT_TIMES.of, whole);
    if is_packing(drawn.points) {
        return vec![drawn.panel(&entries::FACTOR, whole), of_bit_times];
    }
    // Over sizes, sets become fewer and fewer.
    let of_sets = match drawn.axis == DIMS.name {
        true => Scale::Log(10.0),
        false => whole,
    };
    vec![
        drawn.panel(&entries::SETS, of_sets),
        drawn.panel(&entries::SETS_BY_WIRE, of_sets),
        of_bit_times,
        drawn.panel(&entries::ROUTER_STORAGE, whole),
    ]
}
