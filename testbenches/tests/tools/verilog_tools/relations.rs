//! What Verilator and Yosys make of machines with several messages a node.

use crate::common::relation::{SEVERAL, Several};
use crate::common::synthesis::{last_node_has, sequencer_has, verilated};
use crate::common::verilog::verilator_is_silent;
use rayon::prelude::*;

#[test]
fn verilator_has_nothing_to_say_of_several_messages_a_node() {
    SEVERAL.par_iter().for_each(|several| {
        let folder = tempfile::tempdir().unwrap();
        several.export(1, folder.path());
        let (project, what) = (folder.path().join("project"), format!("{several:?}"));
        let files = "cube.v node.v sequencer.v";
        verilator_is_silent(&project, "cube", files, several.dims, &what);
    });
}

/// Batches on the quadratic hypercube, and an h-relation that is counted.
fn of_each_network() -> [Several; 2] {
    let with = |part: &str| {
        let has = |several: &&Several| several.options.contains(part);
        *SEVERAL.iter().find(has).unwrap()
    };
    [with("--batches 3 --schedule overlapped"), with("counting")]
}

#[test]
fn verilator_compiles_several_messages_a_node_that_arrive_in_time() {
    arrive_in_time(1);
}

#[test]
#[ignore = "long: on each network"]
fn verilator_compiles_several_messages_a_node_on_each_network() {
    arrive_in_time(usize::MAX);
}

fn arrive_in_time(networks: usize) {
    let objects = tempfile::tempdir().unwrap();
    for several in of_each_network().into_iter().take(networks) {
        let folder = tempfile::tempdir().unwrap();
        let exported = several.export(4, folder.path());
        let printed = verilated(&folder.path().join("project"), "cube", objects.path());
        let (nodes, bit_times) = (several.nodes(), &exported["bit_times_formula"]["value"]);
        let passed = format!(
            "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times, in each of 4 rounds"
        );
        assert!(printed.contains(&passed), "{several:?}: {printed}");
    }
}

#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported_of_several_messages_a_node() {
    SEVERAL.par_iter().for_each(|several| {
        let folder = tempfile::tempdir().unwrap();
        let exported = several.export(1, folder.path());
        let project = folder.path().join("project");
        let flip_flops = |module| exported["flip_flops"][module].as_u64().unwrap() as usize;
        let what = format!("{several:?}");
        last_node_has(several.dims, flip_flops("node"), &project, &what);
        sequencer_has(flip_flops("sequencer"), &project, &what);
    });
}
