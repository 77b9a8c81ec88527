//! The testbenches of collective operations, each as a value.

use crate::families::reduced_hypercube::algorithm::Algorithm;
use crate::families::reduced_hypercube::entries::{
    OF_BROADCASTS, OF_KEYS, OF_MACHINES, OF_TIMES, OF_WORDS, ROWS_OF_BROADCASTS, ROWS_OF_KEYS,
    ROWS_OF_WORDS,
};
use crate::families::reduced_hypercube::job::Job;
use crate::families::reduced_hypercube::parameters::{
    BLOCKS_OF, DIMS, KEYS, MESSAGE, MESSAGE_BITS, NETWORK, OPERATOR, PREFIX_FORM, REDUCTION,
    RESULTS, SORT_FORM, SOURCE, SWITCHING, TREE, VALUES, WORD_BITS, WORD_BITS_OF_MESSAGE, is_full,
    operation,
};
use crate::families::reduced_hypercube::sweep::{CHOICE, SWEEP};
use crate::lockstep::OF_LOCKSTEP;
use crate::measure::timing::{Timing, words};
use crate::report::of_all::OF_STEPS;
use crate::testbench::Testbench;
use crate::testbench::bench::{Offer, Project};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::SEED;
use crate::verilog::FirstRound;
use crate::verilog::OF_LOADED;

/// What all of them have.
const BENCH: Testbench = Testbench {
    name: "",
    chosen_by: None,
    models: "",
    source: "",
    choices,
    names: &[&NETWORK, &REDUCTION],
    examples: &[],
    schedules: &[],
    parameters: &[],
    readings: &[],
    entries: &[
        OF_MACHINES,
        OF_WORDS,
        ROWS_OF_WORDS,
        OF_TIMES,
        OF_LOCKSTEP,
        OF_STEPS,
    ],
    offers: &[Offer::Checkpoints],
    job: |chosen| Ok(Box::new(Job::new(chosen)?)),
    timing: Timing {
        size: words,
        most_seconds: 2e-7,
        most_seconds_ticking: 1e-6,
        samples,
    },
    sweep: &SWEEP,
    project: Project {
        rounds: "Rounds of the testbench, 1 to 64: the first has the words that are asked for, the others extremes, words in order and \
                 against it, and random ones, each after a reset [default: 12; of more than 128 nodes fewer, as a simulator takes \
                 longer over them, and 2 of the largest]",
        facts: &[OF_MACHINES, OF_WORDS, OF_LOADED],
        ..Project::of("algorithm", FirstRound::VALUES)
    },
    looked_at: |chosen| match is_full(chosen) {
        true => "--dims 3 --word-bits 8",
        false => "--dims 2 --blocks 2 --word-bits 8",
    },
};

/// One node's message to all; the machine of ports broadcasts too, and has no such option.
pub static BROADCAST: Testbench = Testbench {
    name: "broadcast",
    chosen_by: Some(CHOICE),
    models: "one node's message to all others, over trees that the nodes set up themselves",
    source: "Mukherjee 1994, chapter 2, on the reduced hypercube; its tree program mended",
    examples: &[
        "cubewave run broadcast --network reduced-hypercube --dims 3 --blocks 2 --message-bits 64",
        "cubewave run broadcast --network reduced-hypercube --algorithm e-cube --switching cut-through --source 5",
        "cubewave run broadcast --network hypercube --dims 7 --wave waves.vcd",
        "cubewave measure broadcast,reduce,prefix,sort --dims 3 --blocks 1,2",
        "cubewave verilog broadcast --network reduced-hypercube --dims 2 --blocks 2 --message-bits 8 --out tree",
    ],
    parameters: &[
        &NETWORK,
        &DIMS,
        &BLOCKS_OF,
        &TREE,
        &SWITCHING,
        &SOURCE,
        &MESSAGE_BITS,
        &WORD_BITS_OF_MESSAGE,
        &MESSAGE,
        &SEED,
        &RESULTS,
    ],
    entries: &[
        OF_MACHINES,
        OF_BROADCASTS,
        ROWS_OF_BROADCASTS,
        OF_TIMES,
        OF_LOCKSTEP,
        OF_STEPS,
    ],
    project: Project {
        facts: &[OF_MACHINES, OF_BROADCASTS, OF_LOADED],
        ..BENCH.project
    },
    looked_at: |chosen| match is_full(chosen) {
        true => "--dims 3 --message-bits 16",
        false => "--dims 2 --blocks 2 --message-bits 16",
    },
    ..BENCH
};

/// All words into one.
pub static REDUCE: Testbench = Testbench {
    name: "reduce",
    models: "all words into one, by any associative operator",
    source: "Mukherjee 1994, chapter 3, on the reduced hypercube",
    examples: &[
        "cubewave run reduce --network reduced-hypercube --dims 3 --blocks 2 --word-bits 16",
        "cubewave run reduce --network hypercube --dims 3 --blocks 2 --word-bits 16",
        "cubewave run reduce --operator max --algorithm short --wave waves.vcd",
        "cubewave measure reduce --dims 2..5 --blocks 1,2 --plot reduce.svg",
        "cubewave verilog reduce --dims 2 --blocks 2 --word-bits 8 --out reduce22",
    ],
    parameters: &[
        &NETWORK, &DIMS, &BLOCKS_OF, &REDUCTION, &OPERATOR, &WORD_BITS, &VALUES, &SEED, &RESULTS,
    ],
    ..BENCH
};

/// Of every node, its word and all before it.
pub static PREFIX: Testbench = Testbench {
    name: "prefix",
    models: "of every node, its word and all before it, by any associative operator",
    source: "Mukherjee 1994, chapter 4, on the reduced hypercube; its operands mended",
    examples: &[
        "cubewave run prefix --network reduced-hypercube --dims 3 --blocks 2 --word-bits 16",
        "cubewave run prefix --operator carry --algorithm in-place --results sums.csv",
        "cubewave measure prefix --dims 3 --blocks 1..3 --plot prefix.svg",
        "cubewave verilog prefix --dims 2 --blocks 2 --word-bits 8 --out prefix22",
    ],
    parameters: &[
        &NETWORK,
        &DIMS,
        &BLOCKS_OF,
        &PREFIX_FORM,
        &OPERATOR,
        &WORD_BITS,
        &VALUES,
        &SEED,
        &RESULTS,
    ],
    looked_at: |chosen| match is_full(chosen) {
        true => "--dims 3 --word-bits 8",
        false => "--dims 1 --blocks 1 --word-bits 12",
    },
    ..BENCH
};

/// Keys into the order of nodes.
pub static SORT: Testbench = Testbench {
    name: "sort",
    models: "keys into the order of nodes",
    source: "Mukherjee 1994, chapter 5, on the reduced hypercube; its directions mended",
    examples: &[
        "cubewave run sort --network reduced-hypercube --dims 3 --blocks 2 --word-bits 16",
        "cubewave run sort --dims 2 --blocks 2 --keys 3 --algorithm pairs-of-blocks",
        "cubewave measure sort --dims 2..4 --blocks 1,2 --plot sort.svg",
        "cubewave verilog sort --dims 2 --blocks 1 --word-bits 8 --out sort21",
    ],
    parameters: &[
        &NETWORK, &DIMS, &BLOCKS_OF, &SORT_FORM, &KEYS, &WORD_BITS, &VALUES, &SEED, &RESULTS,
    ],
    entries: &[
        OF_MACHINES,
        OF_KEYS,
        ROWS_OF_KEYS,
        OF_TIMES,
        OF_LOCKSTEP,
        OF_STEPS,
    ],
    project: Project {
        facts: &[OF_MACHINES, OF_KEYS, OF_LOADED],
        ..BENCH.project
    },
    looked_at: |chosen| match is_full(chosen) {
        true => "--dims 3 --word-bits 8",
        false => "--dims 1 --blocks 1 --word-bits 8",
    },
    ..BENCH
};

fn choices(nothing: &Chosen) -> Vec<String> {
    let all = Algorithm::of(operation(nothing)).iter();
    let longest = all.clone().map(|one| one.name().len()).max().unwrap_or(0);
    let lines = all.map(|one| format!("  {:<longest$}  {}", one.name(), one.models()));
    let networks = "networks: reduced-hypercube, hypercube; algorithms on the first:";
    std::iter::once(networks.to_owned()).chain(lines).collect()
}

/// Two smaller networks, the second of as many words of nodes as make a difference. With more building blocks there are too many
/// nodes for a sample.
fn samples(chosen: &Chosen, _: bool) -> [Chosen; 2] {
    let blocks = chosen.whole(&BLOCKS_OF).unwrap_or(2).min(2);
    [2, 8].map(|dims| {
        let of_size = chosen.clone().with(&DIMS, Given::number(dims));
        of_size
            .with(&BLOCKS_OF, Given::number(blocks))
            .with(&VALUES, None)
    })
}
