//! Phases of embeddings: the hardware beside the message-level reference, with faults, and what the testbench says and writes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod bench;
mod case;
mod cells;
mod closed;
mod command;
mod exhaustive;
mod faults;
mod guests;
mod outputs;
mod patterns;
mod phase;
mod properties;
mod wires;
