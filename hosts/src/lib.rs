//! What drives the wires of a machine from outside, in every bit time, and what is measured there.
//!
//! A testbench says what is sent, and reports what came of it; that is done once a run, and is compiled to be soon there. What is
//! done in every bit time is here, and is compiled to be fast.

pub mod stays;
pub mod wormhole;
