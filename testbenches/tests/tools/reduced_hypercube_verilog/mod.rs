//! The exported Verilog of collective operations is the machine: Icarus gives the same value to every register and wire in
//! every bit time, and its testbench passes where it should and only there. Needs Icarus; without it it fails.

mod agreement;
mod faults;
mod project;

use crate::common::collective::Network;

/// Of two dimensions in a building block, and two between blocks: 16 nodes.
const SMALL: Network = Network::Reduced(2, 1);
/// Of one dimension in a building block: 8 nodes.
const SMALLEST: Network = Network::Reduced(1, 1);
