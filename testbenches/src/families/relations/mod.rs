//! Kuszmaul's router with several messages a node: batches, one behind the other (section IV), and H-relations, in which a node sends
//! and receives up to `H` messages. And the packing where several processors share a vertex (section V).
//!
//! ```text
//!   --batches B   independent partial permutations ------------------> slot b: batch b
//!   --h H         an h-relation --(colour its edges, off-line)-------> slot b: a matching   --> pipeline of stages
//!                              \--(as each node has its messages)----> slot s of its list   --> router that counts, on-line
//!   --processors P (testbench packing): P processors at a vertex ------> slot s: those for the s-th of a vertex
//! ```

mod entries;
mod job;
mod others;
mod parameters;
mod report;
mod schedules;
pub mod score;
mod stimulus;
mod sweep;
mod testbench;
mod traffic;

pub use testbench::{BATCHES, PROCESSORS, RELATIONS};
