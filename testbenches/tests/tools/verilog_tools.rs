//! What Verilator and Yosys make of exported Verilog: nothing to say, a cube that delivers in time, as many
//! flip-flops as are reported. Needs both, and Icarus; without them it fails.

mod relations;

use testbenches::families::kuszmaul;

use crate::common::collective::{Job, Network};
use crate::common::cube;
use crate::common::embedding::PHASES;
use crate::common::hostile::HostileRouter;
use crate::common::synthesis::{cells, last_node_has, sequencer_has, verilated, yosys};
use crate::common::verilog::{
    Machine, export, export_rounds, flip_flops, replace, text, tool, verilator_is_silent,
};
use rayon::prelude::*;
use rtl_model::circuit::verilog::Design;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine as _;

#[test]
fn verilator_has_nothing_to_say() {
    nothing_is_said(|machine| {
        machine
            .further_sizes()
            .iter()
            .take(1)
            .copied()
            .chain([(3, 5)])
    });
}

#[test]
#[ignore = "long: all machines at all sizes"]
fn verilator_has_nothing_to_say_at_any_size() {
    nothing_is_said(|machine| {
        machine
            .further_sizes()
            .iter()
            .copied()
            .chain((1..=6).map(|k| (k, 5)))
    });
}

fn nothing_is_said<I: Iterator<Item = (usize, usize)>>(sizes: impl Fn(&Machine) -> I + Sync) {
    Machine::all().into_par_iter().for_each(|machine| {
        for (k, payload_bits) in sizes(&machine) {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            let setup = machine.run(k, payload_bits, 0.75).setup;
            export_rounds(machine.bench, &setup, Some(1), &project);
            let files = "cube.v node.v sequencer.v";
            verilator_is_silent(&project, "cube", files, k, &format!("{machine:?} k={k}"));
        }
    });
}

/// Every form on small networks, and one of each of the four on a larger one.
fn collective_operations() -> Vec<Job> {
    let small = [Network::Reduced(1, 1), Network::Full(3)];
    let small = small.into_iter().flat_map(Job::all);
    small.chain(Job::of_each(Network::Reduced(2, 2))).collect()
}

#[test]
fn verilator_has_nothing_to_say_of_collective_operations() {
    collective_operations().into_par_iter().for_each(|job| {
        let folder = tempfile::tempdir().unwrap();
        job.export(1, folder.path());
        let project = folder.path().join("project");
        let (network, what) = (job.machine_name(), format!("{job:?}"));
        let files = format!("{network}.v node.v sequencer.v");
        let address_bits = job.network.topology().address_bits();
        verilator_is_silent(&project, network, &files, address_bits, &what);
    });
}

#[test]
fn verilator_has_nothing_to_say_of_embeddings() {
    PHASES.par_iter().for_each(|phase| {
        let folder = tempfile::tempdir().unwrap();
        phase.export(1, folder.path());
        let project = folder.path().join("project");
        let (files, what) = ("cube.v node.v sequencer.v", format!("{phase:?}"));
        verilator_is_silent(&project, "cube", files, phase.dims, &what);
    });
}

#[test]
fn verilator_compiles_a_cube_of_8_nodes_that_delivers_in_time() {
    delivers_in_time(3, 91);
}

#[test]
#[ignore = "long: half a minute of a C++ compiler"]
fn verilator_compiles_a_cube_of_64_nodes_that_delivers_in_time() {
    delivers_in_time(6, 319);
}

fn delivers_in_time(k: usize, bit_times: u64) {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let run = Machine::from(&kuszmaul::BENCH).run(k, 8, 0.75);
    export(&kuszmaul::BENCH, &run.setup, &project);
    let printed = verilated(&project, "cube", &folder.path().join("objects"));
    let nodes = 1 << k;
    let passed = format!(
        "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times, in each of 12 rounds"
    );
    assert!(printed.contains(&passed), "{printed}");
}

#[test]
fn verilator_compiles_a_collective_operation_that_is_over_in_time() {
    let [_, reduce, ..] = Job::of_each(Network::Reduced(1, 1));
    are_over_in_time(&[reduce]);
}

#[test]
#[ignore = "long: each of the four"]
fn verilator_compiles_collective_operations_that_are_over_in_time() {
    are_over_in_time(&Job::of_each(Network::Reduced(1, 1)));
}

fn are_over_in_time(jobs: &[Job]) {
    let objects = tempfile::tempdir().unwrap();
    for job in jobs {
        let folder = tempfile::tempdir().unwrap();
        let exported = job.export(6, folder.path());
        let printed = verilated(&folder.path().join("project"), "rh", objects.path());
        let bit_times = &exported["bit_times_formula"]["value"];
        let passed = format!(
            "PASS: 8 of 8 nodes hold what they should after {bit_times} bit times, in each of 6 rounds"
        );
        assert!(printed.contains(&passed), "{job:?}: {printed}");
    }
}

#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported() {
    are_counted(|machine| {
        [
            &[(1, 2), (4, 5)],
            &machine.further_sizes()[..1.min(machine.further_sizes().len())],
        ]
    });
}

#[test]
#[ignore = "long: all machines at all sizes"]
fn yosys_counts_as_many_flip_flops_as_are_reported_at_any_size() {
    are_counted(|machine| [&[(2, 1), (3, 8), (6, 16)], machine.further_sizes()]);
}

fn are_counted(sizes: impl Fn(&Machine) -> [&'static [(usize, usize)]; 2] + Sync) {
    Machine::all().into_par_iter().for_each(|machine| {
        for &(k, payload_bits) in sizes(&machine).into_iter().flatten() {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            let setup = machine.run(k, payload_bits, 0.75).setup;
            let exported = export(machine.bench, &setup, &project);
            let what = format!("{machine:?} k={k} D={payload_bits}");
            last_node_has(k, flip_flops(&exported, "node"), &project, &what);
            sequencer_has(flip_flops(&exported, "sequencer"), &project, &what);
        }
    });
}

#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported_of_collective_operations() {
    collective_operations().into_par_iter().for_each(|job| {
        let folder = tempfile::tempdir().unwrap();
        let exported = job.export(1, folder.path());
        let project = folder.path().join("project");
        let flip_flops = |module| exported["flip_flops"][module].as_u64().unwrap() as usize;
        let (address_bits, what) = (job.network.topology().address_bits(), format!("{job:?}"));
        if let ("broadcast", Network::Reduced(..)) = (job.name, job.network) {
            // A node knows its place in the trees by its address, so that at each some registers never change.
            let address = format!("[{}:0] ADDRESS", address_bits - 1);
            let parameter =
                format!("#(\n  parameter {address} = {address_bits}'b0 // which node it is\n) (");
            replace(
                &project,
                "node.v",
                &parameter,
                &format!("(\n  input wire {address},"),
            );
            let stat = yosys(
                &project,
                "read_verilog node.v; synth -flatten -top node; check -assert",
            );
            assert_eq!(cells(&stat, "DFF"), flip_flops("node"), "{what}\n{stat}");
            assert_eq!(cells(&stat, "LATCH"), 0, "{what}");
        } else {
            last_node_has(address_bits, flip_flops("node"), &project, &what);
        }
        // Where the source is stands in registers that a run never changes: Yosys knows them as constants.
        let source = usize::from(job.name == "broadcast") * address_bits;
        sequencer_has(flip_flops("sequencer") - source, &project, &what);
    });
}

/// Orders are loaded, so that none of them is a constant.
#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported_of_embeddings() {
    PHASES.par_iter().for_each(|phase| {
        let folder = tempfile::tempdir().unwrap();
        let exported = phase.export(1, folder.path());
        let project = folder.path().join("project");
        let flip_flops = |module| exported["flip_flops"][module].as_u64().unwrap() as usize;
        let what = format!("{phase:?}");
        last_node_has(phase.dims, flip_flops("node"), &project, &what);
        sequencer_has(flip_flops("sequencer"), &project, &what);
    });
}

/// Where messages are so short that a bit of a position is read by nobody, or a cube so small that there is nothing to count.
#[test]
fn no_sequencer_has_a_register_that_need_not_be() {
    no_register_need_not_be(&[(1, 1), (5, 2)]);
}

#[test]
#[ignore = "long: the machines at more sizes"]
fn no_sequencer_has_a_register_that_need_not_be_at_any_size() {
    no_register_need_not_be(&[(3, 1), (5, 1), (5, 3)]);
}

fn no_register_need_not_be(sizes: &[(usize, usize)]) {
    Machine::all().into_par_iter().for_each(|machine| {
        for &(k, payload_bits) in sizes {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            let setup = machine.run(k, payload_bits, 0.75).setup;
            let exported = export(machine.bench, &setup, &project);
            let what = format!("{machine:?} k={k} D={payload_bits}");
            sequencer_has(flip_flops(&exported, "sequencer"), &project, &what);
        }
    });
}

#[test]
fn yosys_finds_some_cubes_well_formed() {
    are_well_formed(Machine::all().into_iter().step_by(4).collect());
}

#[test]
#[ignore = "long: the cubes of all machines"]
fn yosys_finds_every_cube_well_formed() {
    are_well_formed(Machine::all());
}

fn are_well_formed(machines: Vec<Machine>) {
    machines.into_par_iter().for_each(|machine| {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        export(machine.bench, &machine.run(3, 4, 0.75).setup, &project);
        let stat = yosys(
            &project,
            "read_verilog cube.v node.v sequencer.v; hierarchy -check -top cube; synth -flatten; \
             check -assert",
        );
        assert!(
            cells(&stat, "DFF") > 8 && cells(&stat, "LATCH") == 0,
            "{stat}"
        );
    });
}

/// A router whose names are taken: by Verilog, by the modules around it.
#[test]
fn a_router_with_hostile_names_is_written_down_all_the_same() {
    let router = HostileRouter::new(cube(3));
    let design = Design::of(&router, "hostile");
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("node.v", &design.node),
        ("sequencer.v", &design.sequencer),
        ("cube.v", &design.cube),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let files = "cube.v node.v sequencer.v";
    let compiled = tool(
        folder.path(),
        "iverilog",
        &format!("-g2005 -Wall -o cube.vvp {files}"),
    );
    assert!(
        compiled.status.success() && compiled.stderr.is_empty(),
        "{}",
        text(&compiled.stderr)
    );
    let lint = tool(
        folder.path(),
        "verilator",
        &format!("--lint-only -Wall --top-module cube {files}"),
    );
    assert!(lint.status.success(), "{}", text(&lint.stderr));
    let stat = yosys(
        folder.path(),
        "read_verilog node.v; chparam -set ADDRESS 7 node; synth -flatten -top node; check -assert",
    );
    let storage = Storage::of::<bool>(&router.node::<bool>()).total;
    assert_eq!(cells(&stat, "DFF"), storage, "{}{stat}", design.node);
    // A bundle with a gap comes as lone strobes.
    assert!(
        design.node.contains("input wire received_0,"),
        "{}",
        design.node
    );
    assert!(!design.node.contains("received_1"));
    assert!(design.node.contains("received_2"));
}
