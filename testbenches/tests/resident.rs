//! The memory that a run of routers in lockstep is said to take, against what the system gives it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;

use testbenches::families::{enumeration, kuszmaul, packing};
use testbenches::testbench::bench::{self, RunOptions};

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
    for (bench, words) in [
        (&enumeration::BENCH, ""),
        (&packing::BENCH, "--payload-bits 24"),
        (&kuszmaul::BENCH, "--payload-bits 24 --schedule plain"),
        (&kuszmaul::BENCH, "--payload-bits 24 --schedule radix4"),
    ] {
        let options = RunOptions {
            threads: Some(2),
            quiet: true,
            ..RunOptions::default()
        };
        let words = format!("--dims 20 --load 1 --seed 1 {words}");
        let report = bench::run(bench.asked(&words).unwrap(), &options).unwrap();
        assert!(report.passed);
        let said = report.bytes_per_node * report.topology.nodes as f64;
        let resident = peak();
        assert!(said > said_before);
        assert!(
            resident <= said + BESIDE_NODES,
            "{bench:?} {words}: said {said}, resident {resident}"
        );
        said_before = said;
    }
}
