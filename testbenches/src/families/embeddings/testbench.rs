//! The testbenches of embeddings, each as a value: one phase of a guest's communication, messages that survive wires that fail, and
//! a workload of such phases.

use rtl_model::embedding::constructions::CONSTRUCTIONS;

use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::dispersal::parameters::{
    AXES_OF_GUEST, BOTH_WAYS_OF_GUEST, CUT, CUT_WIRES, CUTS_OUT, DIMS_OF_SHARES, GUEST_OF_EDGES,
    MESSAGE_BITS_OF_SHARES, NEEDED, ORDER_OF_SHARES, OVER, RESTORED, SIDES_OF_GUEST, TRAFFIC,
    VALUES_IN_SHARES,
};
use crate::families::embeddings::dispersal::sweep::DISPERSALS;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::parameters::{
    AXES, BOTH_WAYS, DIMS, GUEST, MESSAGE_BITS, NODE_BITS, ORDER_IF_OTHER, PACKETS, RESULTS, SIDES,
    START_UP, VALUES,
};
use crate::families::embeddings::relaxation::job::Relaxation;
use crate::families::embeddings::relaxation::parameters::{
    DIMS_OF_GRID, GRID, GRIDS, POINTS, RELAXED, SWEEPS, VALUES_OF_POINTS, WORD_BITS, processes,
};
use crate::families::embeddings::relaxation::sweep::RELAXATIONS;
use crate::families::embeddings::sweep::PHASES;
use crate::lockstep::verilog::FirstRound;
use crate::measure::timing::{Timing, words};
use crate::testbench::bench::{Bench, Offer, Project};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::SEED;

/// Seconds that a word of 64 nodes takes in a bit time on any machine, at the most.
const MOST_SECONDS: f64 = 1e-5;

/// How a project asks for its first round again.
const FIRST_ROUND: FirstRound = FirstRound {
    file: "values.csv",
    option: Some("--values"),
};
/// What is said of the rounds of a project, whatever the values are of.
const ROUNDS: &str = "Rounds of the testbench, 1 to 64: the first has the values that are asked for, the others all ones, numbers in order \
     and against it, and random ones, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes \
     longer over them, and 2 of the largest]";

/// One phase of a guest's communication.
pub static EMBEDDING: Bench = Bench {
    name: "embedding",
    chosen_by: None,
    models: "one phase of a guest's communication, every edge over many paths at once",
    source: "Greenberg & Bhatt 1990, sections 3 to 6 and 8",
    choices: |_| {
        let all = CONSTRUCTIONS.iter();
        let longest = all.clone().map(|one| one.name().len()).max().unwrap_or(0);
        let lines = all.map(|one| {
            let (name, models, theorem) = (one.name(), one.models(), one.theorem());
            format!("  {name:<longest$}  {models} ({theorem})")
        });
        std::iter::once("guests:".to_owned()).chain(lines).collect()
    },
    names: &[&GUEST],
    examples: &[
        "cubewave run embedding --guest cycle --dims 8",
        "cubewave run embedding --guest gray-cycle --dims 8 --packets 5",
        "cubewave run embedding --guest grid --dims 8 --both-ways --message-bits 256",
        "cubewave run embedding --guest cycle --dims 4 --wave cycle.vcd",
        "cubewave measure embedding --guest gray-cycle,cycle --message-bits 1,16,256,4096",
        "cubewave verilog embedding --guest cycle --dims 4 --out cycle4",
    ],
    schedules: &[],
    parameters: &[
        &GUEST,
        &DIMS,
        &AXES,
        &SIDES,
        &ORDER_IF_OTHER,
        &BOTH_WAYS,
        &START_UP,
        &PACKETS,
        &MESSAGE_BITS,
        &NODE_BITS,
        &VALUES,
        &SEED,
        &RESULTS,
    ],
    offers: &[Offer::TraceMessage],
    job: |chosen| Ok(Box::new(Job::new(chosen)?)),
    timing: Timing {
        size: words,
        most_seconds: MOST_SECONDS,
        most_seconds_ticking: MOST_SECONDS,
        samples: of_other_messages,
    },
    sweep: &PHASES,
    project: Project {
        rounds: ROUNDS,
        help: &[],
        choice: "guest",
        first_round: FIRST_ROUND,
        export: None,
    },
};

/// Messages that survive wires that fail.
pub static DISPERSAL: Bench = Bench {
    name: "dispersal",
    chosen_by: None,
    models: "messages in shares over many paths, some of which restore them when wires fail",
    source: "Greenberg & Bhatt 1990, sections 1, 4 and 7; Rabin 1989",
    choices: |_| {
        let ways = "over: edge, the paths of a guest's edge; copies, a path in each copy of cube-connected cycles";
        vec![ways.to_owned()]
    },
    names: &[&OVER, &GUEST_OF_EDGES],
    examples: &[
        "cubewave run dispersal --dims 8 --cut-wires 3",
        "cubewave run dispersal --dims 4 --needed 2 --cut-wires 1 --wave cut.vcd",
        "cubewave run dispersal --over copies --dims 6 --needed 2 --cut-wires 2",
        "cubewave measure dispersal --dims 8 --needed 3..5 --cut-wires 0,1,4,16,64",
        "cubewave verilog dispersal --dims 4 --message-bits 16 --out dispersal4",
    ],
    schedules: &[],
    parameters: &[
        &OVER,
        &GUEST_OF_EDGES,
        &DIMS_OF_SHARES,
        &AXES_OF_GUEST,
        &SIDES_OF_GUEST,
        &ORDER_OF_SHARES,
        &BOTH_WAYS_OF_GUEST,
        &START_UP,
        &TRAFFIC,
        &NEEDED,
        &MESSAGE_BITS_OF_SHARES,
        &VALUES_IN_SHARES,
        &SEED,
        &CUT_WIRES,
        &CUT,
        &RESTORED,
        &CUTS_OUT,
    ],
    offers: &[Offer::TraceMessage],
    job: |chosen| Ok(Box::new(Dispersed::new(chosen)?)),
    timing: Timing {
        size: words,
        most_seconds: MOST_SECONDS,
        most_seconds_ticking: MOST_SECONDS,
        samples: of_other_messages,
    },
    sweep: &DISPERSALS,
    project: Project {
        rounds: "Rounds of the testbench, 1 to 64: the first has the messages that are asked for, the others all ones, numbers in order \
                 and against it, and random ones, each after a reset and none with a wire that fails [default: 12; of more than 128 \
                 nodes fewer, as a simulator takes longer over them, and 2 of the largest]",
        help: &[],
        choice: "over",
        first_round: FIRST_ROUND,
        export: None,
    },
};

/// Grid relaxations.
pub static RELAXATION: Bench = Bench {
    name: "relaxation",
    chosen_by: None,
    models: "a grid relaxation: blocks of points send their sides to their neighbours",
    source: "Greenberg & Bhatt 1990, sections 2 and 8.3",
    choices: |_| vec![format!("guests: {}", GRIDS.join(", "))],
    names: &[&GRID],
    examples: &[
        "cubewave run relaxation",
        "cubewave run relaxation --guest large-grid --dims 4 --points 32 --sweeps 10",
        "cubewave run relaxation --dims 4 --points 16 --values points.csv --results relaxed.csv",
        "cubewave run relaxation --guest gray-grid --dims 4 --wave relaxation.vcd",
        "cubewave measure relaxation --dims 8 --points 64,128,256,512 --order all",
        "cubewave verilog relaxation --dims 4 --points 8 --out relaxation4",
    ],
    schedules: &[],
    parameters: &[
        &GRID,
        &DIMS_OF_GRID,
        &POINTS,
        &WORD_BITS,
        &PACKETS,
        &ORDER_IF_OTHER,
        &START_UP,
        &VALUES_OF_POINTS,
        &SEED,
        &SWEEPS,
        &RELAXED,
    ],
    offers: &[Offer::TraceMessage],
    job: |chosen| Ok(Box::new(Relaxation::new(chosen)?)),
    timing: Timing {
        // Bit times are those of one sweep.
        size: |chosen, nodes| words(chosen, nodes) * chosen.number(&SWEEPS) as f64,
        most_seconds: MOST_SECONDS,
        most_seconds_ticking: MOST_SECONDS,
        samples: of_other_blocks,
    },
    sweep: &RELAXATIONS,
    project: Project {
        rounds: ROUNDS,
        help: &[],
        choice: "guest",
        first_round: FIRST_ROUND,
        export: None,
    },
};

/// The same guest with two sizes of messages, few bits and some more: what a node does in a bit time depends on the guest.
fn of_other_messages(chosen: &Chosen, _: bool) -> [Chosen; 2] {
    [16, 256].map(|bits| {
        let chosen = chosen.clone().with(&NODE_BITS, None);
        chosen.with(&MESSAGE_BITS, Given::number(bits))
    })
}

/// One sweep of the same processes with blocks of two sizes, one point a side and some more.
fn of_other_blocks(chosen: &Chosen, _: bool) -> [Chosen; 2] {
    [1, 8].map(|side| {
        let points = side * processes(chosen).unwrap_or(1);
        let chosen = chosen.clone().with(&SWEEPS, Given::number(1));
        chosen.with(&POINTS, Given::number(points))
    })
}
