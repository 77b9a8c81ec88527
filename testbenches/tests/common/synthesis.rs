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
