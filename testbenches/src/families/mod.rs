//! The families of testbenches, a folder each, and the list of them: a line each. This is the only file outside its own
//! folders in which a family is named.

pub mod enumeration;
pub mod kuszmaul;
pub mod packing;
pub mod ports;
pub mod sorting;
pub mod wormhole;

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::error::Error;
use crate::lockstep::Bench;
use crate::testbench::Testbench;

/// The testbenches of this crate, in the order of `cubewave list`.
static TESTBENCHES: [&dyn Testbench; 7] = [
    &enumeration::BENCH,
    &packing::BENCH,
    &kuszmaul::BENCH,
    &sorting::BITONIC,
    &sorting::RADIX,
    &wormhole::BENCH,
    &ports::BENCH,
];

/// The main job: what `cubewave` does without a command.
pub const MAIN_JOB: [&str; 4] = ["run", "kuszmaul", "--wave", "kuszmaul.vcd"];

/// What `cubewave --help` shows first.
pub const EXAMPLES: &str = "\
Examples:
  cubewave                                  the main job, with its waveform
  cubewave list                             the testbenches
  cubewave run kuszmaul --dims 10 --load 1  a full random permutation of 1024 nodes
  cubewave run kuszmaul --help              all options of a run
  cubewave measure kuszmaul --dims 2..12 --schedule all    a row a size and schedule
  cubewave verilog kuszmaul --dims 4 --out cube4    the same router as Verilog
  cubewave run wormhole --wave worm.vcd     worms on cube-connected cycles
  cubewave run broadcast --dims 4 --wave broadcast.vcd    one node to all others, over n trees

k is the number of dimensions, D the payload bits of a message.";

/// Those that other crates have added.
static ADDED: Mutex<Vec<&dyn Testbench>> = Mutex::new(Vec::new());

/// Adds a testbench of another crate, before the command line begins.
pub fn add(bench: &'static dyn Testbench) {
    added().push(bench);
}

fn added() -> MutexGuard<'static, Vec<&'static dyn Testbench>> {
    ADDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// All testbenches.
pub fn testbenches() -> impl Iterator<Item = &'static dyn Testbench> + Clone {
    let added = added().clone();
    TESTBENCHES.into_iter().chain(added)
}

/// The testbenches of routers in lockstep.
pub fn lockstep_benches() -> impl Iterator<Item = Bench> {
    testbenches().filter_map(|bench| bench.in_lockstep())
}

/// The testbench in lockstep of that name.
///
/// # Errors
/// [`Error::Unknown`], with the nearest name.
pub fn bench(name: &str) -> Result<Bench, Error> {
    lockstep_benches()
        .find(|bench| bench.name() == name)
        .ok_or_else(|| unknown(name))
}

/// The testbench of that name.
///
/// # Errors
/// [`Error::Unknown`], with the nearest name.
pub fn testbench(name: &str) -> Result<&'static dyn Testbench, Error> {
    let mut all = testbenches();
    all.find(|bench| bench.name() == name)
        .ok_or_else(|| unknown(name))
}

/// The refusal of a name.
pub fn unknown(name: &str) -> Error {
    Error::Unknown {
        what: "testbench",
        name: name.to_owned(),
        known: testbenches().map(|bench| bench.name()).collect(),
    }
}
