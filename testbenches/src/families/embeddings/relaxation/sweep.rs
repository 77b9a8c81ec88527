//! A sweep of relaxations: over grids of processes, hypercubes and tori, the comparison of section 8.3.

use crate::families::embeddings::entries;
use crate::families::embeddings::parameters::{ORDER, START_UP};
use crate::families::embeddings::relaxation::parameters::{DIMS, GUEST, POINTS, WORD_BITS};
use crate::families::embeddings::sweep::{ORDER_READING, START_UP_READING, WIRES_BUSY};
use crate::measure::crossover::{self, Comparison};
use crate::measure::plot::Scale;
use crate::measure::reading::Reading;
use crate::measure::sweep::{BASE, Drawn, Sweep, one_of_each};
use crate::report::{BIT_TIMES, Heading, ROUTING_STEPS, STORAGE, of_all};

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
        Reading::of(of_all::BENCH),
        Reading::parameter(&GUEST),
        Reading::parameter(&DIMS),
        Reading::of(of_all::NODES).hidden(),
        ORDER_READING,
        Reading::parameter(&WORD_BITS).heading(Heading::of("W").or_in_words("W = {}")),
        Reading::of(entries::POINTS_A_SIDE),
        Reading::of(entries::PROCESSES_A_SIDE),
        Reading::of(entries::GUEST_LOAD),
        Reading::of(entries::BLOCK_SIDE),
        Reading::of(entries::WIDTH).hidden(),
        Reading::of(entries::MESSAGE_BITS).headed("message bits"),
        Reading::of(entries::PACKETS),
        Reading::of(entries::PACKET_BITS),
        START_UP_READING,
        Reading::of(of_all::SEED),
        Reading::of(of_all::MESSAGES),
        Reading::of(of_all::DELIVERED),
        Reading::of(entries::SWEEPS),
        Reading::of(ROUTING_STEPS.of),
        Reading::of(BIT_TIMES.of),
        Reading::of(BIT_TIMES.form),
        Reading::text(BIT_TIMES.form),
        Reading::of(entries::WORDS_A_SWEEP),
        Reading::of(entries::NODE_BITS_A_SWEEP),
        Reading::of(entries::DRIVEN_BITS_A_SWEEP),
        WIRES_BUSY,
        Reading::of(entries::CELLS),
        Reading::of(STORAGE.of),
        Reading::of(STORAGE.form),
        Reading::text(STORAGE.form),
        Reading::of(of_all::LOGIC_DEPTH).hidden(),
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
        Ok(vec![
            drawn.panel(&BIT_TIMES.of.panel("A sweep", "bit times"), decades),
            drawn.panel(&entries::NODE_BITS_A_SWEEP, decades),
            drawn.panel(&of_all::WIRE_USE, whole),
            drawn.panel(&STORAGE.of, decades),
        ])
    },
    ..BASE
};
