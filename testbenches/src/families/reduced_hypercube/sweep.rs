//! A sweep of collective operations: over operations, networks and sizes, the reduced hypercube beside the hypercube with as many nodes.

use crate::families::reduced_hypercube::entries;
use crate::families::reduced_hypercube::parameters::{
    BLOCKS_OF, DIMS, KEYS, NETWORK, OPERATOR, REDUCTION, SWITCHING, WORD_BITS, algorithm, word_bits,
};
use crate::families::reduced_hypercube::trade;
use crate::measure::plot::Scale;
use crate::measure::reading::{GATE_DELAYS, Reading, WIRES_PER_NODE};
use crate::measure::row::Row;
use crate::measure::sweep::{BASE, Drawn, Point, Sweep, one_of_each};
use crate::report::{BIT_TIMES, Heading, ROUTING_STEPS, STORAGE, of_all};
use crate::testbench::Choice;
use crate::testbench::chosen::Chosen;

/// What picks it where another one broadcasts too.
pub const CHOICE: Choice = Choice {
    option: "network",
    example: "reduced-hypercube",
};

pub static SWEEP: Sweep = Sweep {
    chosen_by: Some(CHOICE),
    axes: &[
        &NETWORK, &REDUCTION, &SWITCHING, &KEYS, &OPERATOR, &BLOCKS_OF, &DIMS, &WORD_BITS,
    ],
    who: ("algorithm", who),
    readings: &[
        Reading::of(of_all::BENCH).heading(Heading::of("operation").left()),
        Reading::parameter(&NETWORK),
        Reading::of(entries::ALGORITHM),
        Reading::parameter(&OPERATOR).heading(Heading::of("operator").left().if_rows_differ()),
        Reading::parameter(&SWITCHING).heading(Heading::of("switching").left().if_rows_differ()),
        Reading::parameter(&DIMS),
        Reading::parameter(&BLOCKS_OF),
        Reading::of(of_all::NODES),
        Reading::run(entries::WORD_BITS, |run| word_bits(run.chosen).into()),
        Reading::run(entries::KEYS, |run| run.chosen.number(&KEYS).into()),
        Reading::of(of_all::SEED),
        Reading::of(of_all::MESSAGES),
        Reading::of(of_all::DELIVERED),
        WIRES_PER_NODE,
        Reading::of(of_all::DIRECTED_WIRES),
        Reading::of(ROUTING_STEPS.of),
        Reading::of(ROUTING_STEPS.form),
        Reading::text(ROUTING_STEPS.form),
        Reading::of(BIT_TIMES.of),
        Reading::of(BIT_TIMES.form),
        Reading::text(BIT_TIMES.form),
        Reading::of(entries::WIRES_TIMES_BIT_TIMES),
        Reading::of(of_all::LOGIC_DEPTH),
        Reading::of(of_all::LOGIC_DEPTH_NODE),
        Reading::of(of_all::LOGIC_DEPTH_SEQUENCER),
        GATE_DELAYS,
        Reading::of(STORAGE.of),
        Reading::of(STORAGE.form),
        Reading::text(STORAGE.form),
        Reading::of(of_all::SEQUENCER),
        Reading::of(of_all::PEAK_OCCUPIED),
        Reading::of(of_all::SERIAL_ADDERS),
        Reading::of(of_all::WIRE_USE),
    ],
    below,
    plot: "Draw bit times, bit times x wires, storage and logic depth here, against --dims, --blocks or --word-bits, the first of \
           them that varies",
    against: &[
        (&DIMS, "dimensions k of a building block", Scale::Whole),
        (&BLOCKS_OF, "bits n of a sub-block's number", Scale::Whole),
        (&WORD_BITS, "bits w of a word", Scale::Log(2.0)),
    ],
    series_of: "operation and algorithm on each network",
    nothing_varies: |_| {
        one_of_each(
            "bit times",
            "--dims, --blocks or --word-bits",
            "--dims 3..6",
        )
    },
    panels: |drawn: &Drawn<'_>| {
        let (decades, whole) = (Scale::Log(10.0), Scale::FromZero(1.05));
        Ok(vec![
            drawn.panel(&BIT_TIMES.of, decades),
            drawn.panel(&entries::WIRES_TIMES_BIT_TIMES, decades),
            drawn.panel(&STORAGE.of, whole),
            drawn.panel(&of_all::LOGIC_DEPTH, whole),
        ])
    },
    ..BASE
};

/// What a point is called: the operation, and how it is done.
fn who(chosen: &Chosen) -> String {
    let form = match algorithm(chosen) {
        Ok(algorithm) => algorithm.name(),
        Err(_) => "",
    };
    match form {
        "textbook" => format!("{} on the hypercube", chosen.bench().name),
        form => format!("{} {form}", chosen.bench().name),
    }
}

fn below(_: &[Point], rows: &[Row]) -> String {
    String::from(
        "wires: those that a node drives; steps: words over a wire, one after the other; w bits of a word or of the message\n\
         depth: gates on the longest path between registers; storage: register bits of a node\n\
         wires x bit times: of a node; a hypercube has K = k + 2^n dimensions\n",
    ) + &trade::text(rows)
}
