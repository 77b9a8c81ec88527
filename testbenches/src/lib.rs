//! Testbenches for bit-serial hypercube routers.
//!
//! A testbench checks what it is given ([`options`]), drives a machine with traffic and measures it
//! ([`simulation`]), compares what arrived with what was sent ([`scoreboard`]), and reports
//! ([`report`]); or it is run at every point of a grid ([`measure`]), or written down as a Verilog project
//! ([`verilog`]). [`mod@reference`] holds message-level models that share no code with the hardware.

pub mod benches;
pub mod catalogue;
pub mod cli;
pub mod deliveries;
mod depth;
pub mod error;
pub mod folder;
pub mod interrupt;
mod lanes;
pub mod measure;
pub mod options;
pub mod output;
pub mod progress;
pub mod reference;
pub mod report;
pub mod scoreboard;
pub mod simulation;
pub mod verilog;
pub mod wave;
pub mod wormhole;
