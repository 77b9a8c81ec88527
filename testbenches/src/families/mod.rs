//! The families of testbenches, a folder each, and the list of them: a line each. This is the only file outside its own
//! folders in which a family is named.

pub mod broadcast;
pub mod collectives;
pub mod embeddings;
pub mod enumeration;
pub mod kuszmaul;
pub mod packing;
pub mod reduced_hypercube;
pub mod relations;
pub mod sorting;
pub mod wormhole;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::error::did_you_mean;
use crate::error::refusal::Refusal;
use crate::measure::ranges::insert;
use crate::near::nearest;
use crate::testbench::Command;
use crate::testbench::Testbench;
use rtl_model::csv_file::visible;

/// What people want, and the testbenches of this crate for it, in the order of `cubewave list`.
static PURPOSES: [(&str, &[&Testbench]); 7] = [
    (
        "to route any permutation, deterministically, or several messages a node",
        &[
            &kuszmaul::BENCH,
            &relations::BATCHES,
            &relations::RELATIONS,
            &sorting::BITONIC,
            &sorting::RADIX,
        ],
    ),
    (
        "what these routers are made of",
        &[&packing::BENCH, &relations::PROCESSORS, &enumeration::BENCH],
    ),
    (
        "wormhole routing: latency under load, throughput, deadlock",
        &[&wormhole::BENCH],
    ),
    ("one node to all others", &[&broadcast::BENCH]),
    (
        "collective operations, arranged beforehand",
        &[
            &collectives::SCATTER,
            &collectives::GATHER,
            &collectives::ALL_GATHER,
            &collectives::ALL_TO_ALL,
            &collectives::SEND,
            &collectives::PERMUTED_SEND,
            &collectives::INVERSION,
            &collectives::TRANSPOSE,
            &collectives::HISTOGRAM,
        ],
    ),
    (
        "with fewer wires: the reduced hypercube, beside the full one",
        &[
            &reduced_hypercube::BROADCAST,
            &reduced_hypercube::REDUCE,
            &reduced_hypercube::PREFIX,
            &reduced_hypercube::SORT,
        ],
    ),
    (
        "many paths at once: cycles, grids, trees in a hypercube; cut wires",
        &[
            &embeddings::EMBEDDING,
            &embeddings::DISPERSAL,
            &embeddings::RELAXATION,
        ],
    ),
];

/// Commands that families have of their own.
pub static COMMANDS: [&dyn Command; 1] = [embeddings::COMMAND];

/// The main job: what `cubewave` does without a command.
pub const MAIN_JOB: [&str; 4] = ["run", "kuszmaul", "--wave", "kuszmaul.vcd"];

/// What `cubewave --help` shows first.
pub const EXAMPLES: &str = "\
Examples:
  cubewave                                  the main job, with its waveform
  cubewave list                             the testbenches, by what they are for
  cubewave run kuszmaul --dims 10 --load 1  a full random permutation of 1024 nodes
  cubewave run kuszmaul --help              all options of a run
  cubewave run kuszmaul --quiet --junit run.xml    only what is wrong; all checks for a build server
  cubewave measure kuszmaul --dims 2..12 --schedule all    a row a size and schedule
  cubewave search kuszmaul --maximise occupied-bits    the traffic that fills buffers most, as a file
  cubewave plan kuszmaul --dims 28          what a large run would take, without it
  cubewave verilog kuszmaul --dims 4 --out cube4    the same router as Verilog
  cubewave view kuszmaul --dims 4           run it, and open its waveform in GTKWave or Surfer
  cubewave run wormhole --wave worm.vcd     worms on cube-connected cycles
  cubewave run broadcast --dims 4 --wave broadcast.vcd    one node to all others, over n trees
  cubewave run reduce --wave reduce.vcd     all words into one, on the reduced hypercube
  cubewave run embedding --guest cycle --dims 8    a cycle, every edge over several paths at once
  cubewave run dispersal --dims 8 --cut-wires 3    messages that survive cut wires
  cubewave embedding                        what all embeddings of many paths do, in a table
  cubewave topology reduced-hypercube --dims 5 --blocks 2    a network by itself

k is the number of dimensions, D the payload bits of a message.";

/// What stands below the options of `cubewave view`.
pub const VIEW_EXAMPLES: &str = "\
Examples:
  cubewave view kuszmaul --dims 4           run it, write kuszmaul.vcd and its views, open them
  cubewave view wormhole --wave worm.fst    the same with another testbench and file
  cubewave view kuszmaul.vcd                open what a run has written
  cubewave view kuszmaul.vcd --viewer none  print the command that would open it
  cubewave view kuszmaul --help             all options of a testbench";

/// What stands below the options of `cubewave list`.
pub const LIST_EXAMPLES: &str = "\
Examples:
  cubewave list                         the testbenches, by what they are for
  cubewave list scatter                 algorithms, options and examples of one
  cubewave list traffic                 the patterns
  cubewave list scatter --format json   its parameters with defaults and ranges, for scripts";

/// What stands below the options of `cubewave compare`.
pub const COMPARE_EXAMPLES: &str = "\
Examples:
  cubewave run kuszmaul --schedule plain --format json > plain.json
  cubewave run kuszmaul --schedule spread --format json > spread.json
  cubewave compare plain.json spread.json
  cubewave measure wormhole --dims 2..4 --format csv > rows.csv
  cubewave compare rows.csv new-rows.csv --tolerance latency_average=5%
  cubewave compare rows.csv new-rows.csv --format junit > compared.xml";

/// What stands below the options of `cubewave repeat`.
pub const REPEAT_EXAMPLES: &str = "\
Examples:
  cubewave run kuszmaul --format json --no-date > report.json
  cubewave repeat report.json | diff report.json -
  cubewave measure kuszmaul --dims 2..6 --format json > rows.json
  cubewave repeat rows.json

Exit status: that of the command; 2 if there is none.";

/// What help of `schema` shows.
pub const SCHEMA_EXAMPLES: &str = "\
Examples:
  cubewave schema > results.schema.json
  cubewave schema kuszmaul
  cubewave schema --command plan
  cubewave schema --format markdown";

/// Those that other crates have added.
static ADDED: Mutex<Vec<&Testbench>> = Mutex::new(Vec::new());

/// Adds a testbench of another crate, before the command line begins.
pub fn add(bench: &'static Testbench) {
    added().push(bench);
}

fn added() -> MutexGuard<'static, Vec<&'static Testbench>> {
    ADDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All testbenches.
pub fn testbenches() -> impl Iterator<Item = &'static Testbench> + Clone {
    let own = PURPOSES.into_iter().flat_map(|(_, benches)| benches);
    own.copied().chain(added().clone())
}

/// What people want, and the testbenches for it.
pub fn purposes() -> Vec<(&'static str, Vec<&'static Testbench>)> {
    let own = PURPOSES.map(|(purpose, benches)| (purpose, benches.to_vec()));
    let added = ("of other crates", added().clone());
    let all = own.into_iter().chain([added]);
    all.filter(|(_, benches)| !benches.is_empty()).collect()
}

/// The testbenches of that name: several, if an option chooses among them ([`Testbench::chosen_by`]); none, if there is none.
pub fn namesakes(name: &str) -> Vec<&'static Testbench> {
    testbenches().filter(|bench| bench.name == name).collect()
}

/// The testbench of that name; of several, the one that no option has to choose.
///
/// # Errors
/// That there is none, with what may have been meant.
pub fn testbench(name: &str) -> Result<&'static Testbench, Error> {
    let all = namesakes(name);
    let plain = all.iter().find(|bench| bench.chosen_by.is_none());
    let found = plain.or(all.first()).copied();
    found.ok_or_else(|| unknown("run", name))
}

/// The names of all testbenches, each once.
pub fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    for bench in testbenches() {
        insert(&mut names, bench.name);
    }
    names
}

/// What may have been meant by a name of no testbench: the command lines in which it is chosen by an option, or else the nearest
/// testbench.
pub fn meant(command: &str, name: &str) -> Vec<String> {
    let mut benches = Vec::new();
    let mut lines = Vec::new();
    for bench in testbenches().filter(|bench| bench.name != name) {
        let choices = bench.named_choices().into_iter();
        for (option, _) in choices.filter(|(_, names)| names.contains(&name)) {
            if benches.contains(&bench.name) {
                continue;
            }
            benches.push(bench.name);
            let chosen = bench.chosen_by.filter(|choice| choice.option != option);
            let chosen = chosen.map_or(String::new(), |choice| format!(" {}", choice.words()));
            lines.push(format!(
                "cubewave {command} {}{chosen} --{option} {name}",
                bench.name
            ));
        }
    }
    match lines.is_empty() {
        true => nearest(name, names())
            .map(str::to_owned)
            .into_iter()
            .collect(),
        false => lines,
    }
}

/// The refusal of a name, of a command.
pub fn unknown(command: &str, name: &str) -> Error {
    Refusal::of(format!(
        "there is no testbench `{}`{}; there are: {}; `cubewave list` says what each is for",
        visible(name),
        did_you_mean(&meant(command, name)),
        names().join(", ")
    ))
    .into()
}
