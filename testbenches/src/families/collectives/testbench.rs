//! The testbenches of collective operations, each as a value.

use crate::families::collectives::entries::{
    OF_ALGORITHMS, OF_GROUPS, OF_HISTOGRAMS, OF_MATRICES, OF_PERMUTATIONS, OF_PROGRAMS, OF_ROWS,
    ROWS_OF_HISTOGRAMS, ROWS_OF_MATRICES, ROWS_OF_MESSAGES,
};
use crate::families::collectives::job::Job;
use crate::families::collectives::operations::choices;
use crate::families::collectives::parameters::{
    AGAINST, ALGORITHM, BINS, COUNTS, DIMS, ENTRIES, GROUPS, MATRIX, MESSAGE, PACKETS, PERMUTED,
    PORTS, RECEIVER, RESULTS, SAMPLED, SAMPLES, SIZE, SOURCE, START_UP, VALUES, smaller,
};
use crate::families::collectives::sweep;
use crate::lockstep::OF_LOCKSTEP;
use crate::measure::timing::{Timing, words};
use crate::report::of_all::{OF_FORWARDING, OF_STEPS};
use crate::testbench::Testbench;
use crate::testbench::bench::{Offer, Project};
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Parameter, SEED};
use crate::verilog::FirstRound;
use crate::verilog::OF_LOADED;

/// What results of each have: beside what is its own, all have the same.
macro_rules! entries {
    ($($own:ident),*) => {
        &[OF_ALGORITHMS, $($own,)* OF_PROGRAMS, OF_ROWS, OF_LOCKSTEP, OF_STEPS, OF_FORWARDING]
    };
}

/// What is said of a project.
const PROJECT: Project = Project {
    rounds: "Rounds of the testbench, 1 to 64: the first has the messages that are asked for, the others patterns and random ones, \
             each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes longer over them, and 2 of the \
             largest]",
    facts: &[OF_ALGORITHMS, OF_LOADED],
    ..Project::of("algorithm", FirstRound::VALUES)
};

/// What all of them have.
const BENCH: Testbench = Testbench {
    name: "",
    chosen_by: None,
    models: "",
    source: "Stout & Wagar 1987",
    choices,
    names: &[&ALGORITHM],
    examples: &[],
    schedules: &[],
    parameters: &[],
    readings: &[],
    entries: entries!(ROWS_OF_MESSAGES),
    offers: &[Offer::Checkpoints, Offer::TraceMessage, Offer::Log],
    job: |chosen| Ok(Box::new(Job::new(chosen)?)),
    timing: Timing {
        size: words,
        most_seconds: 1e-6,
        most_seconds_ticking: 1e-6,
        samples,
    },
    sweep: &sweep::SCATTER,
    project: PROJECT,
    looked_at: |_| "--dims 3 --message-bits 12 --start-up 2",
};

/// Parameters of messages of one node, or for one.
const OF_ONE_NODE: &[&Parameter] = &[
    &ALGORITHM, &PORTS, &DIMS, &START_UP, &GROUPS, &PACKETS, &SOURCE, &MESSAGE, &VALUES, &SEED,
    &RESULTS,
];
/// Of messages of all nodes, which routers send too.
const OF_ALL_NODES: &[&Parameter] = &[
    &ALGORITHM, &PORTS, &DIMS, &START_UP, &GROUPS, &PACKETS, &MESSAGE, &VALUES, &SEED, &RESULTS,
    &AGAINST,
];

/// One node to each of the others.
pub static SCATTER: Testbench = Testbench {
    name: "scatter",
    models: "one node sends each of the others a message of its own",
    source: "Ho & Johnsson 1986, section 4; Stout & Wagar 1987",
    examples: &[
        "cubewave run scatter --dims 4 --source 3",
        "cubewave run scatter --dims 4 --message-bits 16 --wave scatter.vcd",
        "cubewave measure scatter --dims 2..6 --algorithm all",
        "cubewave faults scatter --dims 3 --message-bits 12 --sample 1000",
        "cubewave verilog scatter --dims 3 --message-bits 16 --out scatter3",
    ],
    parameters: OF_ONE_NODE,
    ..BENCH
};

/// Each of the others to one node.
pub static GATHER: Testbench = Testbench {
    name: "gather",
    models: "every node sends one node a message",
    source: SCATTER.source,
    examples: &[
        "cubewave run gather --dims 4 --source 3",
        "cubewave run gather --dims 4 --values messages.csv --results gathered.csv",
        "cubewave measure gather --dims 2..6 --algorithm all",
        "cubewave verilog gather --dims 3 --message-bits 16 --out gather3",
    ],
    parameters: OF_ONE_NODE,
    sweep: &sweep::GATHER,
    ..BENCH
};

/// Each to all, the same.
pub static ALL_GATHER: Testbench = Testbench {
    name: "all-gather",
    models: "every node sends its message to all others",
    examples: &[
        "cubewave run all-gather --dims 4",
        "cubewave run all-gather --dims 3 --message-bits 12 --wave gathered.vcd",
        "cubewave measure all-gather --dims 2..6",
        "cubewave verilog all-gather --dims 3 --message-bits 12 --out gather3",
    ],
    parameters: &[
        &ALGORITHM, &PORTS, &DIMS, &START_UP, &GROUPS, &PACKETS, &MESSAGE, &VALUES, &SEED, &RESULTS,
    ],
    sweep: &sweep::ALL_GATHER,
    ..BENCH
};

/// Each to each.
pub static ALL_TO_ALL: Testbench = Testbench {
    name: "all-to-all",
    models: "every node sends each of the others a message of its own",
    examples: &[
        "cubewave run all-to-all --dims 4",
        "cubewave run all-to-all --dims 3 --message-bits 12 --wave exchange.vcd",
        "cubewave measure all-to-all --dims 3..6 --against all",
        "cubewave verilog all-to-all --dims 3 --message-bits 12 --out exchange3",
    ],
    parameters: OF_ALL_NODES,
    sweep: &sweep::ALL_TO_ALL,
    ..BENCH
};

/// One node to one other.
pub static SEND: Testbench = Testbench {
    name: "send",
    models: "one node sends a message to one other, over many paths at once",
    examples: &[
        "cubewave run send --dims 4 --message-bits 1024",
        "cubewave run send --dims 6 --source 1 --destination 6",
        "cubewave run send --dims 4 --wave send.vcd",
        "cubewave measure send --dims 2..8 --algorithm all",
        "cubewave verilog send --dims 3 --out send3",
    ],
    parameters: &[
        &ALGORITHM, &PORTS, &DIMS, &START_UP, &GROUPS, &PACKETS, &SOURCE, &MESSAGE, &VALUES,
        &RECEIVER, &SEED, &RESULTS,
    ],
    entries: entries!(OF_GROUPS, ROWS_OF_MESSAGES),
    sweep: &sweep::SEND,
    project: Project {
        facts: &[OF_ALGORITHMS, OF_GROUPS, OF_LOADED],
        ..PROJECT
    },
    ..BENCH
};

/// Each to one, by a permutation.
pub static PERMUTED_SEND: Testbench = Testbench {
    looked_at: |_| "--dims 2 --message-bits 16 --start-up 2",
    name: "permuted-send",
    models: "every node sends a message to one, by any permutation",
    examples: &[
        "cubewave run permuted-send --dims 4",
        "cubewave run permuted-send --dims 4 --permutation bitrev --wave permuted.vcd",
        "cubewave measure permuted-send --dims 2..6",
        "cubewave verilog permuted-send --dims 3 --permutation shuffle --out permuted3",
    ],
    parameters: &[
        &ALGORITHM, &PORTS, &DIMS, &START_UP, &GROUPS, &PACKETS, &MESSAGE, &VALUES, &PERMUTED,
        &SEED, &RESULTS, &AGAINST,
    ],
    entries: entries!(OF_PERMUTATIONS, ROWS_OF_MESSAGES),
    sweep: &sweep::PERMUTED_SEND,
    project: Project {
        facts: &[OF_ALGORITHMS, OF_PERMUTATIONS, OF_LOADED],
        ..PROJECT
    },
    ..BENCH
};

/// Each to the opposite corner.
pub static INVERSION: Testbench = Testbench {
    name: "inversion",
    models: "every node sends a message to the opposite corner",
    source: "Stout & Wagar 1987, section 6",
    examples: &[
        "cubewave run inversion --dims 4",
        "cubewave run inversion --dims 3 --message-bits 12 --wave inversion.vcd",
        "cubewave measure inversion --dims 2..8",
        "cubewave verilog inversion --dims 3 --out inversion3",
    ],
    parameters: OF_ALL_NODES,
    sweep: &sweep::INVERSION,
    ..BENCH
};

/// A matrix that is spread over all nodes.
pub static TRANSPOSE: Testbench = Testbench {
    name: "transpose",
    models: "a matrix that is spread over all nodes is transposed",
    examples: &[
        "cubewave run transpose --dims 4 --size 16",
        "cubewave run transpose --dims 4 --matrix matrix.csv --results transposed.csv",
        "cubewave run transpose --dims 3 --size 8 --word-bits 8 --wave transpose.vcd",
        "cubewave measure transpose --algorithm all --word-bits 1,4,16 --against all",
        "cubewave verilog transpose --dims 3 --size 8 --word-bits 8 --out transpose3",
    ],
    parameters: &[
        &ALGORITHM, &PORTS, &DIMS, &START_UP, &GROUPS, &PACKETS, &MATRIX, &SIZE, &ENTRIES, &SEED,
        &RESULTS, &AGAINST,
    ],
    entries: entries!(OF_MATRICES, ROWS_OF_MATRICES),
    sweep: &sweep::TRANSPOSE,
    project: Project {
        facts: &[OF_ALGORITHMS, OF_MATRICES, OF_LOADED],
        first_round: FirstRound {
            file: "matrix.csv",
            option: Some("--matrix"),
        },
        ..PROJECT
    },
    looked_at: |chosen| match chosen.name(&ALGORITHM) {
        Ok("by-submatrices") => "--dims 4 --size 8 --word-bits 8 --start-up 2",
        _ => "--dims 3 --word-bits 8 --start-up 2",
    },
    ..BENCH
};

/// Samples of all nodes.
pub static HISTOGRAM: Testbench = Testbench {
    name: "histogram",
    models: "samples of all nodes are counted, bin by bin",
    examples: &[
        "cubewave run histogram --dims 4 --samples 1000",
        "cubewave run histogram --dims 4 --values samples.csv --results counts.csv",
        "cubewave run histogram --dims 3 --wave histogram.vcd",
        "cubewave measure histogram --dims 2..6",
        "cubewave verilog histogram --dims 3 --out histogram3",
    ],
    parameters: &[
        &ALGORITHM, &PORTS, &DIMS, &START_UP, &GROUPS, &PACKETS, &BINS, &SAMPLED, &SAMPLES,
        &COUNTS, &SEED, &RESULTS,
    ],
    entries: entries!(OF_HISTOGRAMS, ROWS_OF_HISTOGRAMS),
    // Counts that are added up on their way are no messages that could be followed.
    offers: &[Offer::Checkpoints],
    sweep: &sweep::HISTOGRAM,
    looked_at: |_| "--dims 3 --start-up 2",
    project: Project {
        facts: &[OF_ALGORITHMS, OF_HISTOGRAMS, OF_LOADED],
        ..PROJECT
    },
    ..BENCH
};

/// The first that the algorithm takes of small cubes, and of those of some words of nodes.
fn samples(chosen: &Chosen, _: bool) -> [Chosen; 2] {
    [[2, 3, 4], [8, 7, 9]].map(|sizes| {
        let of_sizes = sizes.map(|dims| smaller(chosen, dims));
        let taken = of_sizes.iter().find(|one| Job::new(one).is_ok());
        taken.unwrap_or(&of_sizes[0]).clone()
    })
}
