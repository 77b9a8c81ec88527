//! Message-level reference models: what a router must do, with whole messages and integers instead of
//! bits and wires. They share no code with the hardware.

pub mod kuszmaul;
pub mod violation;
