//! Networks: addresses and what a wire joins.

pub mod cube_connected_cycles;
pub mod hypercube;
