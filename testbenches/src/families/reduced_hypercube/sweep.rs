//! A sweep of collective operations: over operations, networks and sizes, the reduced hypercube beside the hypercube with as many nodes.

use crate::families::reduced_hypercube::parameters::{
    BLOCKS_OF, DIMS, KEYS, NETWORK, OPERATOR, REDUCTION, SWITCHING, WORD_BITS, algorithm, word_bits,
};
use crate::families::reduced_hypercube::trade;
use crate::measure::plot::Scale;
use crate::measure::reading::{Reading, of_all};
use crate::measure::row::Row;
use crate::measure::sweep::{BASE, Drawn, Point, Sweep, one_of_each};
use crate::measure::table::{Column, differ};
use crate::report::{BIT_TIMES, STORAGE};
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
        of_all::BENCH.column(Column::new("operation", "bench").left()),
        Reading::parameter(&NETWORK),
        Reading::told("algorithm").column(Column::new("algorithm", "algorithm").left()),
        Reading::parameter(&OPERATOR).column(if_varied("operator")),
        Reading::parameter(&SWITCHING).column(if_varied("switching")),
        Reading::parameter(&DIMS),
        Reading::parameter(&BLOCKS_OF),
        of_all::NODES,
        Reading::run("word_bits", |run| word_bits(run.chosen).into())
            .column(Column::new("w", "word_bits").or_in_words("w = {}")),
        Reading::run("keys", |run| run.chosen.number(&KEYS).into())
            .column(Column::new("p", "keys").or_in_words("p = {}")),
        of_all::SEED_OF_ROW,
        of_all::MESSAGES,
        of_all::DELIVERED,
        of_all::WIRES_PER_NODE,
        of_all::DIRECTED_WIRES,
        of_all::ROUTING_STEPS,
        of_all::ROUTING_STEPS_FORMULA,
        of_all::ROUTING_STEPS_TEXT,
        of_all::BIT_TIMES,
        of_all::BIT_TIMES_FORMULA,
        of_all::BIT_TIMES_TEXT,
        Reading::run("wires_times_bit_times", |run| {
            (run.report.bit_times * run.wires_of_node() as u64).into()
        })
        .headed("wires x bit times"),
        of_all::LOGIC_DEPTH,
        of_all::LOGIC_DEPTH_NODE,
        of_all::LOGIC_DEPTH_SEQUENCER,
        of_all::GATE_DELAYS,
        of_all::STORAGE,
        of_all::STORAGE_FORMULA,
        of_all::STORAGE_TEXT,
        of_all::SEQUENCER_STORAGE,
        of_all::PEAK_OCCUPIED,
        of_all::SERIAL_ADDERS,
        of_all::WIRE_USE,
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
        let of_wires = ("Wires of a node x bit times", "wire-bit-times");
        let of_depth = ("Logic depth", "gates between registers");
        Ok(vec![
            drawn.panel_of(&BIT_TIMES, decades),
            drawn.panel(of_wires, decades, "wires_times_bit_times"),
            drawn.panel_of(&STORAGE, whole),
            drawn.panel(of_depth, whole, "logic_depth"),
        ])
    },
    ..BASE
};

const fn if_varied(name: &'static str) -> Column {
    let column = Column::new(name, name).left();
    match name.as_bytes()[0] {
        b'o' => column.only_if(|rows| differ(rows, "operator")),
        _ => column.only_if(|rows| differ(rows, "switching")),
    }
}

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
