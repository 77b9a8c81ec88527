//! Collective operations as the command line has them: every algorithm, data in and out through files, what is refused, and
//! their Verilog projects.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/dump.rs"]
#[allow(dead_code, reason = "what other tests need is in it too")]
mod dump;

mod command;
mod files;
mod refused;
mod runs;
mod wave;
