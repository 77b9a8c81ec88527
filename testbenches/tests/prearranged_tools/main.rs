//! What GTKWave and Icarus make of embeddings and of collective operations: views, and Verilog bit by bit. Needs both, and a virtual
//! display; without them it fails.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/gtkwave.rs"]
mod opened;

mod collectives;
mod dispersal_verilog;
mod gtkwave;
mod verilog;
