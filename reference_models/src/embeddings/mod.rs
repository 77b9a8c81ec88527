//! Message-level model of a phase of a guest's communication in a hypercube (Greenberg and Bhatt 1990).
//!
//! A guest edge carries a message from one node to another. The message is cut into packets, a packet goes along one of the
//! edge's paths, and in a step a wire carries one packet in each direction. The model takes all of that as plain numbers: it
//! knows no way to lay a guest into a hypercube and none to make a schedule. It carries the packets as it is told, refuses what
//! wires do not allow, and counts for itself. [`guests`] says which graphs are what they are called.

pub mod guests;
mod phase;
#[cfg(test)]
mod tests;
pub mod violation;

pub use phase::{Carried, Edge, Hop, Laid, Measures};
pub use violation::Violation;
