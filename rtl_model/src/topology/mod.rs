//! Networks: addresses and what a wire joins.

pub mod hypercube;
