//! Networks laid into a hypercube: nodes on nodes, links on wires.
//!
//! [`copies`] has Theorem 3 of Greenberg and Bhatt (*Routing Multiple Paths in Hypercubes*, 1990):
//! `n` copies of the cube-connected cycles of `n` levels in the hypercube of as many nodes.
//! [`congestion`] counts what that does to the wires. [`reduced_hypercube`] has the hypercube in the reduced one, and
//! cube-connected cycles in that. [`distances`] and [`fraction`] are for counting.

pub mod congestion;
pub mod copies;
pub mod distances;
pub mod fraction;
pub mod gray_code;
pub mod reduced_hypercube;
