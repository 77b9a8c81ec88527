//! Phases of embeddings: the hardware beside the message-level reference, with faults, and what the testbench says and writes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod case;
mod cells;
mod closed;
mod command;
mod dispersal;
mod exhaustive;
mod faults;
mod guests;
mod names;
mod outputs;
mod patterns;
mod phase;
mod properties;
mod relaxation;
mod wave;
mod wires;
