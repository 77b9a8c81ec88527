//! What drives the wires of a machine from outside, in every bit time, and what is measured there.
//!
//! A testbench says what is sent, and reports what came of it. What is done with worms in every bit time is here, and is optimised
//! fully.

pub mod stays;
pub mod wormhole;
