//! A sweep of relaxations: over grids of processes, hypercubes and tori, the comparison of section 8.3.

use crate::families::embeddings::parameters::{ORDER, START_UP};
use crate::families::embeddings::relaxation::parameters::{DIMS, GUEST, POINTS, WORD_BITS};
use crate::families::embeddings::sweep::{ORDER_COLUMN, START_UP_READING, WIRES_BUSY};
use crate::measure::crossover::{self, Comparison};
use crate::measure::plot::Scale;
use crate::measure::reading::{Reading, of_all};
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::measure::table::Column;
use crate::report::STORAGE;

/// Of tori of more and more points.
const OF_TORI: Comparison = Comparison {
    of: &["guest"],
    alike: &["dims", "word_bits", "order", "start_up", "seed"],
    sizes: &[("points_a_side", "points a side")],
    at: &[("n", "dims")],
    with_always: true,
    title: "faster with as many points a side and all more, of those measured",
};

pub static RELAXATIONS: Sweep = Sweep {
    axes: &[&DIMS, &GUEST, &ORDER, &WORD_BITS, &START_UP, &POINTS],
    who: ("guest", |chosen| chosen.shown(&GUEST).unwrap_or_default()),
    readings: &[
        of_all::BENCH,
        Reading::parameter(&GUEST),
        Reading::parameter(&DIMS),
        of_all::NODES.hidden(),
        Reading::column_of(ORDER_COLUMN),
        Reading::column_of(Column::new("W", "word_bits").or_in_words("W = {}")),
        Reading::told("points_a_side")
            .column(Column::new("M", "points_a_side").or_in_words("M = {}")),
        Reading::parameter(&WORD_BITS).hidden(),
        Reading::told("processes_a_side").headed("P"),
        Reading::told("guest_load").headed("load"),
        Reading::told("block_side").headed("words"),
        Reading::told("width"),
        Reading::parameter(&ORDER).hidden(),
        Reading::told("message_bits").headed("message bits"),
        Reading::told("packets").headed("packets"),
        Reading::told("packet_bits").headed("B"),
        START_UP_READING,
        of_all::SEED_OF_ROW,
        of_all::MESSAGES,
        of_all::DELIVERED,
        Reading::told("sweeps"),
        of_all::ROUTING_STEPS,
        of_all::BIT_TIMES,
        of_all::BIT_TIMES_FORMULA,
        of_all::BIT_TIMES_TEXT,
        Reading::told("words_a_sweep"),
        Reading::told("node_bits_a_sweep").headed("bits a node"),
        Reading::told("driven_bits_a_sweep"),
        WIRES_BUSY,
        Reading::told("cells"),
        of_all::STORAGE,
        of_all::STORAGE_FORMULA,
        of_all::STORAGE_TEXT,
        of_all::LOGIC_DEPTH.hidden(),
    ],
    below: |_, rows| {
        String::from(
            "M: points a side of the torus; P: processes a side; load: processes on a node; words: of a side of a block; B: bits of a \
             packet\n\
             bit times: of a sweep, communication alone; bits a node: of words that it sends in a sweep; wires busy: the share of \
             their bit times with packets\n",
        ) + &crossover::text(OF_TORI, rows)
    },
    plot: "Draw bit times of a sweep, bits that a node sends, the use of wires and storage here, against --points, --word-bits, --dims \
           or --start-up, the first of them that varies",
    against: &[
        (&POINTS, "points M of a side of the torus", Scale::Log(2.0)),
        (&WORD_BITS, "bits W of a point", Scale::Log(2.0)),
        (&DIMS, "dimensions n of the hypercube", Scale::Whole),
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
            "--points, --word-bits, --dims or --start-up",
            "--points 64,128,256",
        )
    },
    panels: |drawn: &Drawn<'_>| {
        let (decades, whole) = (Scale::Log(10.0), Scale::FromZero(1.05));
        let of_wires = ("Wires that carry packets", "share of all");
        Ok(vec![
            drawn.panel(("A sweep", "bit times"), decades, "bit_times"),
            drawn.panel(
                ("Sent in a sweep", "bits a node"),
                decades,
                "node_bits_a_sweep",
            ),
            drawn.panel(of_wires, whole, "wire_use"),
            drawn.panel_of(&STORAGE, decades),
        ])
    },
    ..BASE
};
