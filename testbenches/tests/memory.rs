//! The memory that a run of routers in lockstep is said to take, against what it allocates.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use peak_alloc::PeakAlloc;
use testbenches::lockstep::benches;
use testbenches::lockstep::parameters::PAYLOAD_BITS;
use testbenches::testbench::bench::{self, RunOptions};
use testbenches::testbench::chosen::Chosen;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What does not grow with the nodes: a tile that is being filled, what threads keep beside theirs, sequencer, report, files
/// of the system that are read. The program is not among it: runs of one machine after the other make it once.
const BESIDE_NODES: f64 = 524_288.0;

/// The most that is allocated at once while it runs, beyond what was before.
fn peak<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let before = ALLOCATED.current_usage();
    ALLOCATED.reset_peak_usage();
    let outcome = run();
    (outcome, (ALLOCATED.peak_usage() - before) as f64)
}

/// Bytes said and bytes allocated.
fn measured(chosen: &Chosen) -> (f64, f64) {
    let options = RunOptions {
        quiet: true,
        ..RunOptions::default()
    };
    let run = || bench::run(chosen.clone(), &options).unwrap();
    // The first time the logic depth is worked out, once for all runs of a circuit: that takes memory of its own.
    run();
    let (report, allocated) = peak(run);
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
    for bench in benches() {
        let schedules = bench.schedules.iter();
        let schedules = schedules.map(|schedule| format!("--schedule {}", schedule.name()));
        for schedule in schedules.chain(bench.schedules.is_empty().then(String::new)) {
            let payloads: &[&str] = match bench.parameter(PAYLOAD_BITS.name) {
                None => &[""],
                Some(_) => &["--payload-bits 8", "--payload-bits 24"],
            };
            for &payload in payloads {
                let words = format!("--dims {DIMS} {schedule} --load 1 --seed 1 {payload}");
                let (said, allocated) = measured(&bench.asked(&words).unwrap());
                let run = format!("{bench:?} {words}: said {said}, allocated {allocated}");
                assert!(allocated <= said + BESIDE_NODES, "{run}");
                assert!(said <= 1.3 * allocated, "{run}");
            }
        }
    }
}
