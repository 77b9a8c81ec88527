//! Collective operations on the reduced hypercube and on the hypercube: what they give, in how many bit times, out of how many
//! registers.

mod broadcast;
pub mod common;
pub mod machines;
mod sizes;
mod sort;
mod words;
