//! Exported Verilog in Yosys, and compiled by Verilator.

use std::path::Path;
use std::process::Command;

use crate::common::verilog::{text, tool};

/// The C++ is compiled without its optimiser, which would take ten times as long as all else; Verilator's own makes
/// little of it. What is compiled goes into `objects`; what all machines share is compiled once there, though the makefile
/// is newer each time. Returns what the testbench printed.
pub fn verilated(project: &Path, network: &str, objects: &Path) -> String {
    let compiled = Command::new("verilator")
        .args("--binary --timing -Wno-fatal -j 2 --top-module tb".split(' '))
        .args([
            "-MAKEFLAGS",
            "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 --assume-old=Vtb.mk",
        ])
        .args(["tb.v", &format!("{network}.v"), "node.v", "sequencer.v"])
        .arg("--Mdir")
        .arg(objects)
        .current_dir(project)
        .output()
        .unwrap_or_else(|error| panic!("verilator is needed here: {error}"));
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    let output = tool(project, objects.join("Vtb").to_str().unwrap(), "");
    let printed = text(&output.stdout);
    assert!(output.status.success(), "{printed}");
    printed
}

/// Runs Yosys; returns what `stat` says.
pub fn yosys(folder: &Path, script: &str) -> String {
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
pub fn cells(stat: &str, kind: &str) -> usize {
    stat.lines()
        .filter_map(|line| line.trim().split_once(' '))
        .filter(|(cell, _)| cell.contains(kind))
        .map(|(_, amount)| amount.trim().parse::<usize>().unwrap())
        .sum()
}

/// Yosys finds so many flip-flops in the node whose address, of so many bits, has ones alone, and no latch.
pub fn last_node_has(address_bits: usize, flip_flops: usize, project: &Path, what: &str) {
    let last = (1 << address_bits) - 1;
    let stat = yosys(
        project,
        &format!(
            "read_verilog node.v; chparam -set ADDRESS {last} node; synth -flatten -top node; check -assert"
        ),
    );
    assert_eq!(cells(&stat, "DFF"), flip_flops, "{what}\n{stat}");
    assert_eq!(cells(&stat, "LATCH"), 0, "{what}");
}

/// Yosys finds so many flip-flops in the sequencer of a project, and no latch.
pub fn sequencer_has(flip_flops: usize, project: &Path, what: &str) {
    let stat = yosys(
        project,
        "read_verilog sequencer.v; synth -flatten -top sequencer; check -assert",
    );
    assert_eq!(cells(&stat, "LATCH"), 0, "{what}");
    assert_eq!(cells(&stat, "DFF"), flip_flops, "{what}\n{stat}");
}
