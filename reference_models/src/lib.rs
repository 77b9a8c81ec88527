//! Message-level reference models: what a router must do, with whole messages and integers instead of
//! bits and wires. They share no code with the hardware.

pub mod batches;
pub mod broadcast;
pub mod collectives;
pub mod embeddings;
pub mod enumeration;
pub mod kuszmaul;
mod places;
pub mod radix;
pub mod radix4;
pub mod reduced_hypercube;
pub mod relations;
pub mod row;
pub mod sorting;
pub mod spread;
#[cfg(test)]
mod tests;
pub mod violation;
pub mod whole_frame;
pub mod wormhole;
