//! The memory that a run of routers in lockstep is said to take, against what it allocates.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use peak_alloc::PeakAlloc;
use testbenches::families::lockstep_benches;
use testbenches::lockstep;
use testbenches::lockstep::Bench;
use testbenches::lockstep::options::{RunOptions, Setup};

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What does not grow with the nodes: a tile that is being filled, what threads keep beside theirs, sequencer, report, files
/// of the system that are read. The program is not among it: runs of one machine after the other make it once.
const BESIDE_NODES: f64 = 524_288.0;

fn options(dims: usize, schedule: Option<&str>, load: f64) -> RunOptions {
    RunOptions {
        setup: Setup {
            dims: Some(dims),
            schedule: schedule.map(str::to_owned),
            load: Some(load),
            seed: 1,
            ..Setup::default()
        },
        quiet: true,
        ..RunOptions::default()
    }
}

/// The most that is allocated at once while it runs, beyond what was before.
fn peak<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let outcome = run();
    (outcome, (ALLOCATED.peak_usage() - before) as f64)
}

/// Bytes said and bytes allocated.
fn measured(bench: Bench, options: &RunOptions) -> (f64, f64) {
    // The first time the logic depth is worked out, once for all runs of a circuit: that takes memory of its own.
    lockstep::run(bench, options).unwrap();
    let (report, allocated) = peak(|| lockstep::run(bench, options).unwrap());
    assert!(report.passed);
    (
        report.bytes_per_node * report.topology.nodes as f64,
        allocated,
    )
}

/// One test: others beside it would allocate too.
#[test]
fn a_run_takes_the_memory_that_it_is_said_to_take() {
    const DIMS: usize = 16;
    for bench in lockstep_benches() {
        let schedules = bench
            .schedules()
            .iter()
            .map(|schedule| Some(schedule.name()));
        let schedules: Vec<_> = match bench.schedules() {
            [] => vec![None],
            _ => schedules.collect(),
        };
        for schedule in schedules {
            let payloads: &[Option<usize>] = match bench.name() {
                "enumeration" => &[None],
                _ => &[Some(8), Some(24)],
            };
            for &payload_bits in payloads {
                let mut options = options(DIMS, schedule, 1.0);
                options.setup.payload_bits = payload_bits;
                let (said, allocated) = measured(bench, &options);
                let run = format!(
                    "{bench:?} {schedule:?}, D = {payload_bits:?}: said {said}, allocated {allocated}"
                );
                assert!(allocated <= said + BESIDE_NODES, "{run}");
                assert!(said <= 1.3 * allocated, "{run}");
            }
        }
    }
}
