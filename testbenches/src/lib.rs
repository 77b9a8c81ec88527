//! Testbenches for bit-serial hypercube routers.
//!
//! A testbench checks what it is given ([`options`]), drives a machine with traffic and measures it
//! ([`lockstep::simulation`]), compares what arrived with what was sent ([`hosts::scoreboard`]), and reports
//! ([`report`]); or it is run at every point of a grid ([`measure`]), or the worst traffic of each is looked for ([`search`]), or written down as a Verilog project
//! ([`verilog`]). The message-level models that tests hold it all against are a crate of their own, `reference_models`.

pub mod cli;
pub mod compare;
pub mod deliveries;
mod depth;
mod drawing;
pub mod error;
pub mod families;
pub mod folder;
#[cfg(test)]
mod fuzz;
pub mod interrupt;
pub mod junit;
pub mod lockstep;
pub mod log;
pub mod measure;
pub mod near;
pub mod options;
pub mod output;
pub mod picture;
pub mod progress;
pub mod ranks;
pub mod report;
pub mod schema;
pub mod search;
mod setters;
pub mod statistics;
pub mod testbench;
pub mod topology;
pub mod values;
pub mod verilog;
pub mod viewer;
pub mod wave;
pub mod words;
