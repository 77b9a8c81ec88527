//! The testbenches, each as a value.

use crate::families::relations::entries::{
    OF_PIPELINES, OF_RELATIONS, OF_ROWS, OF_SEVERAL, OF_WIRES,
};
use crate::families::relations::job::Job;
use crate::families::relations::parameters::{
    self, AGAINST, Amount, DIMS, H, INTERVAL, INTERVAL_OF_MATCHINGS, LOAD, LOAD_OF_PROCESSORS,
    LOAD_OF_RELATIONS, PAYLOAD_BITS, SCHEDULE_OF_BATCHES, SCHEDULE_OF_RELATIONS, TRAFFIC,
    TRAFFIC_FILE, TRAFFIC_FILE_OF_BATCHES, TRAFFIC_FILE_OF_PROCESSORS, TRAFFIC_OF_PROCESSORS,
    TRAFFIC_OF_RELATIONS,
};
use crate::families::relations::schedules;
use crate::families::relations::sweep::{self, OF_BATCHES, OF_PROCESSORS};
use crate::lockstep::OF_LOCKSTEP;
use crate::measure::timing::{Timing, words};
use crate::search::Traffics;
use crate::testbench::Testbench;
use crate::testbench::bench::{Offer, Project};
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::SEED;
use crate::verilog::FirstRound;
use crate::verilog::OF_LOADED;

/// What all of them have.
const BENCH: Testbench = Testbench {
    name: "kuszmaul",
    chosen_by: None,
    models: "",
    source: "",
    choices,
    names: &[],
    examples: &[],
    schedules: &[],
    parameters: &[],
    readings: &[],
    entries: &[OF_WIRES, OF_PIPELINES, OF_SEVERAL, OF_ROWS, OF_LOCKSTEP],
    offers: &[
        Offer::Checkpoints,
        Offer::TraceMessage,
        Offer::Log,
        Offer::Deliveries,
    ],
    job: |chosen| Ok(Box::new(Job::new(chosen)?)),
    timing: Timing {
        size,
        most_seconds: 1e-6,
        most_seconds_ticking: 1e-6,
        samples,
    },
    sweep: &OF_BATCHES,
    project: Project {
        facts: &[OF_WIRES, OF_PIPELINES, OF_LOADED],
        ..Project::of("schedule", FirstRound::TRAFFIC)
    },
    looked_at: |_| "",
};

/// Batches, one behind the other.
pub static BATCHES: Testbench = Testbench {
    chosen_by: OF_BATCHES.chosen_by,
    models: "streams batches of messages through a pipeline of iterations, on redundant wires",
    source: "Kuszmaul 1990, section IV",
    names: &[&SCHEDULE_OF_BATCHES],
    examples: &[
        "cubewave run kuszmaul --batches 8",
        "cubewave run kuszmaul --schedule spread --batches 8 --dims 4 --wave batches.vcd",
        "cubewave run kuszmaul --schedule overlapped --batches 4 --traffic bitrev --load 1",
        "cubewave search kuszmaul --batches 4 --maximise occupied-bits --dims 4",
        "cubewave measure kuszmaul --batches 8 --dims 2..10 --payload-bits k --schedule all --against spread --plot sets.svg",
        "cubewave verilog kuszmaul --batches 3 --dims 3 --payload-bits 4 --out batches3",
    ],
    parameters: &[
        &parameters::BATCHES,
        &INTERVAL,
        &SCHEDULE_OF_BATCHES,
        &AGAINST,
        &DIMS,
        &PAYLOAD_BITS,
        &TRAFFIC,
        &TRAFFIC_FILE_OF_BATCHES,
        &LOAD,
        &SEED,
    ],
    offers: &[
        Offer::Checkpoints,
        Offer::TraceMessage,
        Offer::Log,
        Offer::Deliveries,
        Offer::Search(Traffics::Batches("batches")),
        Offer::Said(
            "deliveries",
            "Write what arrived here, as CSV: node,source,payload,bit_time,batch. `-` is standard output; the report then goes to \
             standard error",
        ),
    ],
    ..BENCH
};

/// Messages of which a node sends and receives several.
pub static RELATIONS: Testbench = Testbench {
    chosen_by: sweep::OF_RELATIONS.chosen_by,
    models: "routes h-relations, in which a node sends and receives up to H messages",
    source: "Kuszmaul 1990, abstract and section IV (H-permutations)",
    names: &[&SCHEDULE_OF_RELATIONS],
    examples: &[
        "cubewave run kuszmaul --traffic h-relation --h 4",
        "cubewave run kuszmaul --traffic h-relation --h 4 --schedule spread",
        "cubewave run kuszmaul --h 3 --traffic-file several.csv --deliveries arrived.csv",
        "cubewave search kuszmaul --h 2 --maximise occupied-bits --dims 4",
        "cubewave measure kuszmaul --h 1..8 --against radix4,wormhole",
        "cubewave verilog kuszmaul --h 2 --dims 3 --payload-bits 4 --out relation2",
    ],
    parameters: &[
        &H,
        &INTERVAL_OF_MATCHINGS,
        &SCHEDULE_OF_RELATIONS,
        &AGAINST,
        &DIMS,
        &PAYLOAD_BITS,
        &TRAFFIC_OF_RELATIONS,
        &TRAFFIC_FILE,
        &LOAD_OF_RELATIONS,
        &SEED,
    ],
    entries: &[
        OF_WIRES,
        OF_PIPELINES,
        OF_RELATIONS,
        OF_SEVERAL,
        OF_ROWS,
        OF_LOCKSTEP,
    ],
    offers: &[
        Offer::Checkpoints,
        Offer::TraceMessage,
        Offer::Log,
        Offer::Deliveries,
        Offer::Search(Traffics::Relation("h")),
    ],
    sweep: &sweep::OF_RELATIONS,
    ..BENCH
};

/// Processors that share a vertex.
pub static PROCESSORS: Testbench = Testbench {
    name: "packing",
    chosen_by: OF_PROCESSORS.chosen_by,
    models: "packs for several processors at a vertex, whose messages share its wires",
    source: "Kuszmaul 1990, section V; Theorem 1 and Algorithm 1",
    examples: &[
        "cubewave run packing --processors 6",
        "cubewave run packing --processors 4 --dims 4 --load 0.5 --wave processors.vcd",
        "cubewave measure packing --processors 1..8 --payload-bits k,64",
        "cubewave verilog packing --processors 3 --dims 3 --payload-bits 4 --out processors3",
    ],
    parameters: &[
        &parameters::PROCESSORS,
        &DIMS,
        &PAYLOAD_BITS,
        &TRAFFIC_OF_PROCESSORS,
        &TRAFFIC_FILE_OF_PROCESSORS,
        &LOAD_OF_PROCESSORS,
        &SEED,
    ],
    sweep: &OF_PROCESSORS,
    ..BENCH
};

/// The schedules, where there is a choice.
fn choices(nothing: &Chosen) -> Vec<String> {
    let amount = Amount::of(nothing);
    if amount == Amount::Processors {
        return Vec::new();
    }
    let names = schedules::names(amount.is_batches());
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let lines = schedules::serving(amount.is_batches());
    let lines = lines.map(|entry| format!("  {:<longest$}  {}", entry.name, entry.models));
    let first = format!("schedules: {}", names.join(", "));
    std::iter::once(first).chain(lines).collect()
}

/// Words of 64 nodes, times the wires of a node in the largest of pipelines.
fn size(chosen: &Chosen, nodes: usize) -> f64 {
    let dims = chosen.number(&DIMS) as f64;
    words(chosen, nodes) * dims * (dims + 1.0) / 2.0
}

/// A small cube and a larger one, with any traffic.
fn samples(chosen: &Chosen, _: bool) -> [Chosen; 2] {
    [3, 6].map(|dims| {
        let of_size = chosen
            .clone()
            .with(&DIMS, Given::number(dims))
            .with(&LOAD, Given::Share(1.0));
        let others = [&INTERVAL, &TRAFFIC, &TRAFFIC_FILE];
        others
            .into_iter()
            .fold(of_size, |of_size, other| of_size.with(other, None))
    })
}
