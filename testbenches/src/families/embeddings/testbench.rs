//! The testbenches of embeddings, each as a value: one phase of a guest's communication, messages that survive wires that fail, and
//! a workload of such phases.

use crate::families::embeddings::entries::{
    ENDED_DISPERSALS, ENDED_PHASES, ENDED_RELAXATIONS, OF_CELLS, OF_DISPERSALS, OF_PHASES,
    OF_RELAXATIONS,
};
use crate::lockstep::OF_LOCKSTEP;
use crate::report::ROUTING_STEPS;
use rtl_model::embedding::constructions::CONSTRUCTIONS;

use crate::families::embeddings::dispersal::job::Dispersed;
use crate::families::embeddings::dispersal::parameters as dispersal;
use crate::families::embeddings::dispersal::sweep::DISPERSALS;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::parameters::{self, LENGTH, NODE_BITS};
use crate::families::embeddings::relaxation::job::Relaxation;
use crate::families::embeddings::relaxation::parameters as relaxation;
use crate::families::embeddings::relaxation::parameters::{GUESTS, POINTS, SWEEPS, processes};
use crate::families::embeddings::relaxation::sweep::RELAXATIONS;
use crate::families::embeddings::sweep::PHASES;
use crate::families::embeddings::work::Work;
use crate::measure::timing::{Timing, words};
use crate::testbench::Testbench;
use crate::testbench::bench::{Offer, Project};
use crate::testbench::chosen::{Chosen, Given};
use crate::verilog::FirstRound;
use crate::verilog::OF_LOADED;

/// What all of them have.
const BENCH: Testbench = Testbench {
    name: "",
    chosen_by: None,
    models: "",
    source: "",
    choices: |_| Vec::new(),
    names: &[],
    examples: &[],
    schedules: &[],
    parameters: &[],
    readings: &[],
    entries: &[
        OF_PHASES,
        OF_CELLS,
        ENDED_PHASES,
        OF_LOCKSTEP,
        &[ROUTING_STEPS.of],
    ],
    offers: &[Offer::TraceMessage, Offer::Log],
    job: |chosen| Ok(Box::new(Job::new(chosen)?)),
    timing: Timing {
        size: words,
        most_seconds: 1e-5,
        most_seconds_ticking: 1e-5,
        samples: of_other_messages,
    },
    sweep: &PHASES,
    project: Project {
        rounds: "Rounds of the testbench, 1 to 64: the first has the values that are asked for, the others all ones, numbers in order \
                 and against it, and random ones, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes \
                 longer over them, and 2 of the largest]",
        facts: &[OF_PHASES, OF_LOADED],
        ..Project::of("guest", FirstRound::VALUES)
    },
    looked_at: |_| "",
};

/// One phase of a guest's communication.
pub static EMBEDDING: Testbench = Testbench {
    name: "embedding",
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
    names: &[&parameters::GUEST],
    examples: &[
        "cubewave run embedding --guest cycle --dims 8",
        "cubewave run embedding --guest gray-cycle --dims 8 --packets 5",
        "cubewave run embedding --guest grid --dims 8 --both-ways --message-bits 256",
        "cubewave run embedding --guest cycle --dims 4 --wave cycle.vcd",
        "cubewave measure embedding --guest gray-cycle,cycle --message-bits 1,16,256,4096",
        "cubewave verilog embedding --guest cycle --dims 4 --out cycle4",
    ],
    schedules: &[],
    parameters: &parameters::ALL,
    looked_at: |chosen| match chosen.name(&parameters::GUEST) {
        Ok("cycle" | "gray-cycle" | "cycles" | "double-cycle") => "--dims 4",
        _ => "",
    },
    ..BENCH
};

/// Messages that survive wires that fail.
pub static DISPERSAL: Testbench = Testbench {
    name: "dispersal",
    models: "messages in shares over many paths, some of which restore them when wires fail",
    source: "Greenberg & Bhatt 1990, sections 1, 4 and 7; Rabin 1989",
    choices: |_| {
        let ways = "over: edge, the paths of a guest's edge; copies, a path in each copy of cube-connected cycles";
        vec![ways.to_owned()]
    },
    names: &[&dispersal::OVER, &dispersal::GUEST],
    examples: &[
        "cubewave run dispersal --dims 8 --cut-wires 3",
        "cubewave run dispersal --dims 4 --needed 2 --cut-wires 1 --wave cut.vcd",
        "cubewave run dispersal --over copies --dims 6 --needed 2 --cut-wires 2",
        "cubewave measure dispersal --dims 8 --needed 3..5 --cut-wires 0,1,4,16,64",
        "cubewave verilog dispersal --dims 4 --message-bits 16 --out dispersal4",
    ],
    schedules: &[],
    parameters: &dispersal::ALL,
    job: |chosen| Ok(Box::new(Dispersed::new(chosen)?)),
    entries: &[
        OF_DISPERSALS,
        ENDED_DISPERSALS,
        OF_LOCKSTEP,
        &[ROUTING_STEPS.of],
    ],
    sweep: &DISPERSALS,
    project: Project {
        rounds: "Rounds of the testbench, 1 to 64: the first has the messages that are asked for, the others all ones, numbers in order \
                 and against it, and random ones, each after a reset and none with a wire that fails [default: 12; of more than 128 \
                 nodes fewer, as a simulator takes longer over them, and 2 of the largest]",
        choice: "over",
        // Over copies it goes by the traffic, which is drawn.
        goes_by_seed: dispersal::is_over_copies,
        facts: &[OF_DISPERSALS, OF_LOADED],
        ..BENCH.project
    },
    looked_at: |_| "--dims 4 --needed 2 --message-bits 16 --cut-wires 1",
    ..BENCH
};

/// Grid relaxations.
pub static RELAXATION: Testbench = Testbench {
    name: "relaxation",
    models: "a grid relaxation: blocks of points send their sides to their neighbours",
    source: "Greenberg & Bhatt 1990, sections 2 and 8.3",
    choices: |_| vec![format!("guests: {}", GUESTS.join(", "))],
    names: &[&relaxation::GUEST],
    examples: &[
        "cubewave run relaxation",
        "cubewave run relaxation --guest large-grid --dims 4 --points 32 --sweeps 10",
        "cubewave run relaxation --dims 4 --points 16 --values points.csv --results relaxed.csv",
        "cubewave run relaxation --guest gray-grid --dims 4 --wave relaxation.vcd",
        "cubewave measure relaxation --dims 8 --points 64,128,256,512 --order all",
        "cubewave verilog relaxation --dims 4 --points 8 --out relaxation4",
    ],
    schedules: &[],
    parameters: &relaxation::ALL,
    job: |chosen| Ok(Box::new(Relaxation::new(chosen)?)),
    timing: Timing {
        // Bit times are those of one sweep.
        size: |chosen, nodes| words(chosen, nodes) * chosen.number(&SWEEPS) as f64,
        samples: of_other_blocks,
        ..BENCH.timing
    },
    entries: &[
        OF_RELAXATIONS,
        OF_CELLS,
        ENDED_RELAXATIONS,
        OF_LOCKSTEP,
        &[ROUTING_STEPS.of],
    ],
    sweep: &RELAXATIONS,
    project: Project {
        facts: &[OF_RELAXATIONS, OF_LOADED],
        ..BENCH.project
    },
    looked_at: |_| "--dims 4",
    ..BENCH
};

/// The same guest with two sizes of messages, few bits and some more: what a node does in a bit time depends on the guest.
fn of_other_messages(chosen: &Chosen, _: bool) -> [Chosen; 2] {
    [16, 256].map(|bits| {
        let chosen = chosen.clone().with(&NODE_BITS, None);
        chosen.with(&LENGTH, Given::number(bits))
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
