//! What drives and loads a machine from outside, who is where in it, and what is measured there.
//!
//! A testbench says what is sent, and reports what came of it. What is done in every bit time, or with every message, of
//! large machines is here, and is optimised fully.

pub mod collectives;
pub mod deliveries;
pub mod embeddings;
pub mod numbers;
pub mod ports;
pub mod scoreboard;
pub mod side_by_side;
pub mod tale;
pub mod tamper;
pub mod trail;
pub mod whereabouts;
pub mod words;
pub mod wormhole;
