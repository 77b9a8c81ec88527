//! What Verilator and Yosys make of exported Verilog: nothing to say, a cube that delivers in time, as many
//! flip-flops as are reported. Needs both, and Icarus; without them it fails.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::path::Path;
use std::process::Command;
use testbenches::families::kuszmaul;

use common::cube;
use common::hostile::HostileRouter;
use common::verilog::{
    Machine, export, export_rounds, flip_flops, text, tool, verilator_is_silent,
};
use rayon::prelude::*;
use rtl_model::circuit::verilog::Design;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine as _;

#[test]
fn verilator_has_nothing_to_say() {
    Machine::all().into_par_iter().for_each(|machine| {
        let sizes = (1..=6).map(|k| (k, 5));
        for (k, payload_bits) in sizes.chain(machine.further_sizes().iter().copied()) {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            let setup = machine.run(k, payload_bits, 0.75).setup;
            export_rounds(machine.bench, &setup, Some(1), &project);
            let files = "cube.v node.v sequencer.v";
            verilator_is_silent(&project, "cube", files, k, &format!("{machine:?} k={k}"));
        }
    });
}

/// The C++ is compiled without its optimiser, which would take ten times as long as all else; Verilator's own makes
/// little of it.
#[test]
fn verilator_compiles_a_cube_of_64_nodes_that_delivers_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let run = Machine::from(kuszmaul::BENCH).run(6, 8, 0.75);
    export(kuszmaul::BENCH, &run.setup, &project);
    let compiled = Command::new("verilator")
        .args("--binary --timing -Wno-fatal -j 2 --top-module tb".split(' '))
        .args(["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"])
        .args(["tb.v", "cube.v", "node.v", "sequencer.v"])
        .current_dir(&project)
        .output()
        .unwrap_or_else(|error| panic!("verilator is needed here: {error}"));
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    let output = tool(&project, "./obj_dir/Vtb", "");
    let printed = text(&output.stdout);
    let passed =
        "PASS: 64 of 64 nodes hold what they should after 319 bit times, in each of 12 rounds";
    assert!(printed.contains(passed), "{printed}");
    assert!(output.status.success());
}

/// Runs Yosys; returns what `stat` says.
fn yosys(folder: &Path, script: &str) -> String {
    let log = folder.join("yosys.log");
    let output = Command::new("yosys")
        .args(["-q", "-p", &format!("{script}; tee -o yosys.log stat")])
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("yosys is needed here: {error}"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    std::fs::read_to_string(log).unwrap()
}

/// Cells whose type has `kind` in its name.
fn cells(stat: &str, kind: &str) -> usize {
    stat.lines()
        .filter_map(|line| line.trim().split_once(' '))
        .filter(|(cell, _)| cell.contains(kind))
        .map(|(_, amount)| amount.trim().parse::<usize>().unwrap())
        .sum()
}

#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported() {
    Machine::all().into_par_iter().for_each(|machine| {
        let sizes = [(1, 2), (2, 1), (3, 8), (4, 5), (6, 16)];
        for (k, payload_bits) in sizes.iter().chain(machine.further_sizes()).copied() {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            let setup = machine.run(k, payload_bits, 0.75).setup;
            let exported = export(machine.bench, &setup, &project);
            let last = (1 << k) - 1;
            let stat = yosys(
                &project,
                &format!(
                    "read_verilog node.v; chparam -set ADDRESS {last} node; synth -flatten -top node; \
                     check -assert"
                ),
            );
            let what = format!("{machine:?} k={k} D={payload_bits}\n{stat}");
            assert_eq!(cells(&stat, "DFF"), flip_flops(&exported, "node"), "{what}");
            assert_eq!(cells(&stat, "LATCH"), 0, "{what}");
            sequencer_has(flip_flops(&exported, "sequencer"), &project, &what);
        }
    });
}

/// Yosys finds so many flip-flops in the sequencer of a project, and no latch.
fn sequencer_has(flip_flops: usize, project: &Path, what: &str) {
    let stat = yosys(
        project,
        "read_verilog sequencer.v; synth -flatten -top sequencer; check -assert",
    );
    assert_eq!(cells(&stat, "LATCH"), 0, "{what}");
    assert_eq!(cells(&stat, "DFF"), flip_flops, "{what}\n{stat}");
}

/// Where messages are so short that a bit of a position is read by nobody, or a cube so small that there is nothing to count.
#[test]
fn no_sequencer_has_a_register_that_need_not_be() {
    Machine::all().into_par_iter().for_each(|machine| {
        for (k, payload_bits) in [(1, 1), (3, 1), (5, 1), (5, 2), (5, 3)] {
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
fn yosys_finds_the_cube_well_formed() {
    Machine::all().into_par_iter().for_each(|machine| {
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
