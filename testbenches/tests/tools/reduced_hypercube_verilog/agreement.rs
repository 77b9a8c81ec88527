//! The run beside its Verilog.

use std::path::Path;
use std::process::Output;

use rayon::prelude::*;
use serde_json::{Value, json};

use crate::common::bit_for_bit::{Difference, first_difference};
use crate::common::collective::{Job, Network, OPERATORS};
use crate::common::dump::Dump;
use crate::common::verilog::{icarus_of, text};
use crate::reduced_hypercube_verilog::{SMALL, SMALLEST};

/// A run, and its Verilog in Icarus.
pub struct Both {
    pub report: Value,
    project: Value,
    pub output: Output,
    pub difference: Option<Difference>,
    /// Bits that were compared in each bit time.
    compared: usize,
}

/// Runs a job in cubewave, and its Verilog in Icarus after `edit` had the exported folder.
pub fn both(job: &Job, rounds: usize, edit: impl FnOnce(&Path)) -> Both {
    let outside = tempfile::tempdir().unwrap();
    let report = job.told("run", "--wave run.vcd --trace-nodes all", outside.path());
    let project = job.export(rounds, outside.path());
    let folder = outside.path().join("project");
    edit(&folder);
    let output = icarus_of(&folder, job.machine_name());
    let (difference, compared) = first_difference(
        &Dump::read(&outside.path().join("run.vcd")),
        &Dump::read(&folder.join("tb.vcd")),
        report["bit_times"].as_u64().unwrap(),
        &*job.network.topology(),
    );
    Both {
        report,
        project,
        output,
        difference,
        compared,
    }
}

/// Rounds of a job: fewer where a round takes a simulator long.
fn rounds(job: &Job) -> usize {
    match (job.network.topology().nodes(), job.name) {
        (0..16, _) => 6,
        (16, _) => 3,
        (17..64, "broadcast" | "reduce" | "prefix") => 2,
        _ => 1,
    }
}

fn agrees(job: &Job) {
    let rounds = rounds(job);
    let Both {
        report,
        project,
        output,
        difference,
        compared,
    } = both(job, rounds, |_| {});
    if let Some(difference) = difference {
        panic!("{job:?}: {difference}");
    }
    let topology = job.network.topology();
    let (nodes, links) = (topology.nodes(), topology.links());
    let printed = text(&output.stdout);
    let bit_times = &report["bit_times"];
    let in_each = match rounds {
        1 => String::new(),
        _ => format!(", in each of {rounds} rounds"),
    };
    let passed = format!(
        "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times{in_each}\n"
    );
    assert!(printed.ends_with(&passed), "{job:?}: {printed}");
    assert_eq!(output.status.code(), Some(0), "{job:?}");
    assert_eq!(&project["bit_times_formula"]["value"], bit_times, "{job:?}");
    // The clock, the sequencer's registers, wires at both ends and registers of every node: all of them.
    let flip_flops = |module: &str| project["flip_flops"][module].as_u64().unwrap() as usize;
    let node = 2 * links + flip_flops("node");
    let all = 1 + flip_flops("sequencer") + nodes * node;
    assert_eq!(compared, all, "{job:?}");
    assert_eq!(
        (&report["passed"], &report["storage_bits_per_node"]["total"]),
        (&json!(true), &project["flip_flops"]["node"]),
        "{job:?}"
    );
    let network = json!({
        "kind": topology.kind(),
        "dims": topology.dims(),
        "nodes": nodes,
        "directed_wires": nodes * links,
    });
    assert_eq!(report["topology"], network, "{job:?}");
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    let small = [SMALL, SMALLEST, Network::Full(3)]
        .into_iter()
        .flat_map(Job::all);
    small.collect::<Vec<_>>().par_iter().for_each(agrees);
}

#[test]
#[ignore = "long: larger networks"]
fn icarus_agrees_on_larger_networks() {
    // The largest first, so that no thread is left with them.
    let networks = [
        Network::Reduced(2, 2),
        Network::Reduced(3, 1),
        SMALL,
        Network::Full(4),
        Network::Full(3),
        SMALLEST,
    ];
    let dear = |job: &Job| {
        let options = &job.options;
        job.network == Network::Reduced(2, 2) && job.name == "sort" && options.contains("--keys 3")
    };
    let mut jobs: Vec<Job> = networks.into_iter().flat_map(Job::all).collect();
    jobs.retain(|job| !dear(job));
    // Each form of each of the four.
    assert_eq!(jobs.len(), 4 * (4 + 2 + 3 + 4) - 2 + 2 * (2 + 1 + 1 + 2));
    jobs.par_iter().for_each(agrees);
}

#[test]
fn icarus_agrees_on_every_operator() {
    for name in ["reduce", "prefix"] {
        OPERATORS.par_iter().for_each(|operator| {
            let options = format!("--operator {operator} --word-bits 6");
            agrees(&Job::new(name, SMALLEST, &options));
        });
    }
}
