//! Phases of embeddings: the hardware beside the message-level reference, and what the testbench says and writes.

mod bench;
mod case;
mod closed;
mod command;
mod dispersal;
mod exhaustive;
mod guests;
mod names;
mod outputs;
mod patterns;
mod phase;
mod properties;
mod relaxation;
mod wires;
