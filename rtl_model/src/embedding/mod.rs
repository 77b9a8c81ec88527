//! Networks laid into a hypercube: nodes on nodes, links on wires.
//!
//! [`copies`] has Theorem 3 of Greenberg and Bhatt (*Routing Multiple Paths in Hypercubes*, 1990):
//! `n` copies of the cube-connected cycles of `n` levels in the hypercube of as many nodes.
//! [`congestion`] counts what that does to the wires.

pub mod congestion;
pub mod copies;
pub mod gray_code;
