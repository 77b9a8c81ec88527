//! A sweep of embeddings: over guests, hypercubes and sizes of messages, as many bits by one embedding beside another.

use crate::families::embeddings::entries;
use crate::families::embeddings::parameters::{
    BOTH_WAYS, DIMS, GUEST, LENGTH, NODE_BITS, ORDER, PACKETS, START_UP,
};
use crate::measure::crossover::{self, Comparison};
use crate::measure::plot::Scale;
use crate::measure::reading::{Finished, GATE_DELAYS, Reading, WIRES_PER_NODE};
use crate::measure::row::Value;
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::report::{BIT_TIMES, Heading, ROUTING_STEPS, STORAGE, of_all};

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
pub const ORDER_READING: Reading =
    Reading::parameter(&ORDER).heading(Heading::of("order").left().if_rows_differ());
/// Start-up, where that varies.
pub const START_UP_READING: Reading =
    Reading::parameter(&START_UP).heading(Heading::of("T").if_rows_differ());
/// The share of all wires in all bit times that are given out to packets.
pub const WIRES_BUSY: Reading =
    Reading::of(of_all::WIRE_USE).heading(Heading::of("wires busy").digits(3));

pub static PHASES: Sweep = Sweep {
    axes: &[
        &GUEST, &ORDER, &DIMS, &PACKETS, &START_UP, &BOTH_WAYS, &NODE_BITS, &LENGTH,
    ],
    who: ("guest", |chosen| chosen.shown(&GUEST).unwrap_or_default()),
    readings: &[
        Reading::of(of_all::BENCH),
        Reading::parameter(&GUEST),
        Reading::of(entries::THEOREM),
        Reading::parameter(&DIMS),
        Reading::of(of_all::NODES).hidden(),
        Reading::of(entries::GUEST_VERTICES),
        Reading::of(entries::GUEST_EDGES),
        Reading::parameter(&BOTH_WAYS).hidden(),
        Reading::of(entries::WIDTH),
        Reading::of(entries::DILATION),
        Reading::of(entries::CONGESTION),
        Reading::of(entries::GUEST_LOAD),
        Reading::of(entries::EXPANSION),
        ORDER_READING,
        Reading::parameter(&NODE_BITS).heading(Heading::of("bits a node").if_rows_differ()),
        Reading::of(entries::MESSAGE_BITS).heading(Heading::of("M").or_in_words("M = {}")),
        Reading::of(entries::PACKETS),
        Reading::of(entries::PACKET_BITS),
        START_UP_READING,
        Reading::of(of_all::SEED),
        Reading::of(of_all::MESSAGES),
        Reading::of(of_all::DELIVERED),
        WIRES_PER_NODE.hidden(),
        Reading::of(ROUTING_STEPS.of),
        Reading::of(entries::COST_CORRECTED),
        Reading::of(entries::COST_PAPER),
        Reading::of(BIT_TIMES.of),
        Reading::of(BIT_TIMES.form),
        Reading::text(BIT_TIMES.form),
        Reading::run(entries::BITS_A_BIT_TIME, bits_a_bit_time),
        WIRES_BUSY,
        Reading::of(entries::CELLS),
        Reading::of(STORAGE.of),
        Reading::of(STORAGE.form),
        Reading::text(STORAGE.form),
        Reading::of(of_all::PEAK_OCCUPIED),
        Reading::of(of_all::LOGIC_DEPTH).hidden(),
        GATE_DELAYS.hidden(),
        Reading::of(of_all::SERIAL_ADDERS),
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
        Ok(vec![
            drawn.panel(&BIT_TIMES.of, decades),
            drawn.panel(&entries::BITS_A_BIT_TIME, whole),
            drawn.panel(&of_all::WIRE_USE, whole),
            drawn.panel(&STORAGE.of, decades),
        ])
    },
    ..BASE
};

/// Bits of all messages, by bit times and nodes.
fn bits_a_bit_time(run: &Finished<'_>) -> Value {
    let [edges, bits] = [&entries::GUEST_EDGES, &entries::MESSAGE_BITS].map(|one| run.told(one));
    let (Value::Number(edges), Value::Number(bits)) = (edges, bits) else {
        return Value::Nothing;
    };
    let bit_times = run.report.bit_times.max(1) as f64;
    ((edges * bits) as f64 / bit_times / run.report.topology.nodes as f64).into()
}
