//! Message-level models of collective operations on the reduced hypercube RH(k, n) (Mukherjee 1994).
//!
//! There are `2^(k + 2^n)` nodes. An address has three fields, the most significant first: the building
//! block in `2^n` bits, the subblock in `n` bits, and the low bits, of which there are `k - n`. Wires 0 to
//! `k - 1` of a node cross these dimensions of the cube, and wire `k` flips address bit `k` + subblock.
//!
//! The thesis has mistakes. Each model does what is meant, and has variants that do what is printed, so
//! that tests show that the mistakes are found. The full hypercube is modelled beside it.
//!
//! A step moves one word over each wire and direction at most. The models check that.

pub mod broadcast;
pub mod network;
pub mod operator;
pub mod prefix;
pub mod reduce;
pub mod sort;
#[cfg(test)]
mod tests;
pub mod tree;
mod tree_check;
pub mod violation;
mod wires;

pub use network::{Network, Shape};
pub use violation::Violation;
