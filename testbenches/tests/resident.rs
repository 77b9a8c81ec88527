//! The memory that a run of routers in lockstep is said to take, against what the system gives it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;

use testbenches::families::{enumeration, kuszmaul, packing};
use testbenches::lockstep;
use testbenches::lockstep::options::{RunOptions, Setup};

/// What a process takes beside its nodes, in bytes: code, the program and what is left of its making, sequencer, report.
const BESIDE_NODES: f64 = 24.0 * 1_048_576.0;

/// The most that was ever resident.
fn peak() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = peak.unwrap().split_whitespace().nth(1).unwrap();
    1024.0 * kibibytes.parse::<f64>().unwrap()
}

/// One test, and runs that take more and more: the peak is that of the last.
#[test]
fn no_more_is_resident_than_a_run_is_said_to_take() {
    let mut said_before = 0.0;
    for (bench, schedule) in [
        (enumeration::BENCH, None),
        (packing::BENCH, None),
        (kuszmaul::BENCH, Some("plain")),
        (kuszmaul::BENCH, Some("radix4")),
    ] {
        let options = RunOptions {
            setup: Setup {
                dims: Some(20),
                schedule: schedule.map(str::to_owned),
                payload_bits: (bench != enumeration::BENCH).then_some(24),
                load: Some(1.0),
                seed: 1,
                ..Setup::default()
            },
            threads: Some(2),
            quiet: true,
            ..RunOptions::default()
        };
        let report = lockstep::run(bench, &options).unwrap();
        assert!(report.passed);
        let said = report.bytes_per_node * report.topology.nodes as f64;
        let resident = peak();
        assert!(said > said_before);
        assert!(
            resident <= said + BESIDE_NODES,
            "{bench:?} {schedule:?}: said {said}, resident {resident}"
        );
        said_before = said;
    }
}
