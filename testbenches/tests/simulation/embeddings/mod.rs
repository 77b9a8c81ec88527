//! Phases of embeddings: the hardware beside the message-level reference, with faults, and what the testbench says and writes.

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
