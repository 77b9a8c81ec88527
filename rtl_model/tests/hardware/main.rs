//! Hardware as it runs, and as it is written down: lanes, programs, gates, closed forms.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod batch;
mod beside;
mod closed_forms;
mod depth;
mod fabric;
mod lanes;
mod listed;
mod machines;
mod netlist;
mod ports;
mod prearranged;
mod program;
mod reduced_hypercube;
mod routine;
mod verilog;
mod windows;
mod wormhole_netlist;
