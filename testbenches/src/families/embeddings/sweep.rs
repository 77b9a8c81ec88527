//! A sweep of embeddings: over guests, hypercubes and sizes of messages, as many bits by one embedding beside another.

use crate::families::embeddings::parameters::{
    BOTH_WAYS, DIMS, GUEST, LENGTH, NODE_BITS, ORDER, PACKETS, START_UP,
};
use crate::measure::crossover::{self, Comparison};
use crate::measure::plot::Scale;
use crate::measure::reading::{Finished, Reading, of_all};
use crate::measure::row::Value;
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::measure::table::{Column, differ};
use crate::report::{BIT_TIMES, STORAGE};

/// Of phases: how much is sent, which is what is asked for of a node, or else of a message.
const OF_PHASES: Comparison = Comparison {
    of: &["guest"],
    alike: &["dims", "order", "start_up", "both_ways", "seed"],
    sizes: &[
        ("node_bits", "bits a node"),
        ("message_bits", "bits of a message"),
    ],
    at: &[("n", "dims")],
    with_always: true,
    title: "faster with as many bits and all more, of those measured",
};

/// Who goes first, where that varies.
pub const ORDER_COLUMN: Column = Column::new("order", "order")
    .only_if(|rows| differ(rows, "order"))
    .left();
/// Start-up, where that varies.
pub const START_UP_READING: Reading = Reading::parameter(&START_UP)
    .column(Column::new("T", "start_up").only_if(|rows| differ(rows, "start_up")));
/// The share of all wires in all bit times that are given out to packets.
pub const WIRES_BUSY: Reading =
    of_all::WIRE_USE.column(Column::new("wires busy", "wire_use").digits(3));

pub static PHASES: Sweep = Sweep {
    axes: &[
        &GUEST, &ORDER, &DIMS, &PACKETS, &START_UP, &BOTH_WAYS, &NODE_BITS, &LENGTH,
    ],
    who: ("guest", |chosen| chosen.shown(&GUEST).unwrap_or_default()),
    readings: &[
        of_all::BENCH,
        Reading::parameter(&GUEST),
        Reading::told("theorem"),
        Reading::parameter(&DIMS),
        of_all::NODES.hidden(),
        Reading::told("guest_vertices"),
        Reading::told("guest_edges"),
        Reading::parameter(&BOTH_WAYS).hidden(),
        Reading::told("width").headed("width"),
        Reading::told("dilation").headed("dilation"),
        Reading::told("congestion").headed("congestion"),
        Reading::told("guest_load").headed("load"),
        Reading::told("expansion"),
        Reading::parameter(&ORDER).column(ORDER_COLUMN),
        Reading::column_of(
            Column::new("bits a node", "node_bits").only_if(|rows| differ(rows, "node_bits")),
        ),
        Reading::column_of(Column::new("M", "message_bits").or_in_words("M = {}")),
        Reading::told("packets").headed("packets"),
        Reading::told("message_bits"),
        Reading::parameter(&NODE_BITS).hidden(),
        Reading::told("packet_bits").headed("B"),
        START_UP_READING,
        of_all::SEED_OF_ROW,
        of_all::MESSAGES,
        of_all::DELIVERED,
        of_all::WIRES_PER_NODE.hidden(),
        of_all::ROUTING_STEPS,
        Reading::column_of(Column::new("corrected", "cost_corrected")),
        Reading::run("cost_paper", |run| cost(run, "paper")).headed("paper"),
        Reading::run("cost_corrected", |run| cost(run, "corrected")),
        of_all::BIT_TIMES,
        of_all::BIT_TIMES_FORMULA,
        of_all::BIT_TIMES_TEXT,
        Reading::run("bits_a_bit_time", |run| {
            let Value::Number(edges) = run.told("guest_edges") else {
                return Value::Nothing;
            };
            let Value::Number(bits) = run.told("message_bits") else {
                return Value::Nothing;
            };
            let bit_times = run.report.bit_times.max(1) as f64;
            ((edges * bits) as f64 / bit_times / run.report.topology.nodes as f64).into()
        })
        .column(Column::new("bits a bit time", "bits_a_bit_time").digits(3)),
        WIRES_BUSY,
        Reading::told("cells"),
        of_all::STORAGE,
        of_all::STORAGE_FORMULA,
        of_all::STORAGE_TEXT,
        of_all::PEAK_OCCUPIED,
        of_all::LOGIC_DEPTH.hidden(),
        of_all::GATE_DELAYS.hidden(),
        of_all::SERIAL_ADDERS,
    ],
    below: |_, rows| {
        String::from(
            "load: guest vertices on a node; M bits of a guest edge's message, in packets of B; steps: of a packet over a wire\n\
             corrected, paper: steps that hold, and those that the paper has, of its own packets one way and hop by hop\n\
             bits a bit time: of messages, a node; wires busy: the share of their bit times with packets\n",
        ) + &crossover::text(OF_PHASES, rows)
    },
    plot: "Draw bit times, bits a bit time, the use of wires and storage here, against --message-bits, --node-bits, --dims, --packets \
           or --start-up, the first of them that varies",
    against: &[
        (&LENGTH, "bits M of a guest edge's message", Scale::Log(2.0)),
        (&NODE_BITS, "bits that a node sends", Scale::Log(2.0)),
        (&DIMS, "dimensions n of the hypercube", Scale::Whole),
        (&PACKETS, "packets of a message", Scale::Whole),
        (
            &START_UP,
            "bit times T before a packet's first bit",
            Scale::Whole,
        ),
    ],
    series_of: "guest",
    nothing_varies: |_| {
        one_of_each(
            "bit times",
            "--message-bits, --node-bits, --dims, --packets or --start-up",
            "--message-bits 1,16,256,4096",
        )
    },
    panels: |drawn: &Drawn<'_>| {
        let (decades, whole) = (Scale::Log(10.0), Scale::FromZero(1.05));
        let of_bits = ("Bits sent", "bits a node and bit time");
        let of_wires = ("Wires that carry packets", "share of all");
        Ok(vec![
            drawn.panel_of(&BIT_TIMES, decades),
            drawn.panel(of_bits, whole, "bits_a_bit_time"),
            drawn.panel(of_wires, whole, "wire_use"),
            drawn.panel_of(&STORAGE, decades),
        ])
    },
    ..BASE
};

/// The steps that the paper has, or that hold. An order of growth stays as it is written.
fn cost(run: &Finished<'_>, whose: &str) -> Value {
    let cost = run.report.family.entry(whose).get("cost_steps");
    cost.map_or(Value::Nothing, Value::of_json)
}
