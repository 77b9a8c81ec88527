//! The circuit: the gates that a description stands for.
//!
//! | module | what it is |
//! |---|---|
//! | [`expression`] | a bit that notes down the gate it came from |
//! | [`netlist`] | one bit time of a node and of the sequencer on such bits |
//! | [`depth`] | gates on the longest path between two registers |
//! | `metered` | what meters read in a node, on such bits |
//! | [`stuck`] | nodes of which a gate is stuck, worked out from the netlist |
//! | [`verilog`] | the netlist as synthesizable Verilog |

pub mod depth;
pub mod expression;
mod metered;
pub mod netlist;
pub mod stuck;
pub mod verilog;
