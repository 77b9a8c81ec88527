//! Collective operations on the reduced hypercube and on the hypercube: what they give, in how many bit times, out of how many
//! registers; the same node by node, in lanes, as a program and as gates.

mod broadcast;
mod common;
mod depth;
mod lanes;
mod machines;
mod netlist;
mod program;
mod sizes;
mod sort;
mod words;
