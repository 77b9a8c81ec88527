//! Testbenches beside other programs: GTKWave, Icarus, Verilator, Yosys, a browser. Where one is missing, its tests fail.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;

mod broadcast_verilog;
mod gate_faults;
mod gtkwave;
mod pages;
#[cfg(unix)]
mod proofs;
mod reduced_hypercube_verilog;
mod serve;
mod suite;
mod vector_form;
mod verilog;
mod verilog_tools;
#[cfg(unix)]
mod view_gtkwave;
mod views;
mod wormhole_verilog;
mod wormhole_verilog_view;
