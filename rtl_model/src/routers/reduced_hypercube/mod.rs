//! The reduced hypercube RH(k,n), and collective operations on it: broadcast, reduction, prefix, sort (Mukherjee 1994), and the same on
//! the hypercube with all its links.
//!
//! ```text
//!   words       reduction, prefix, sort: a collective operation is a step table, which a sequencer walks through
//!                 steps/   the tables, the sequencer;  step_table_machine.rs   the machine of any of them
//!                 route.rs   who sends to whom;  combiner.rs, comparator.rs   operators in hardware
//!   messages    broadcast/: a tree program that every node runs, and a relay
//! ```
//!
//! A node has `k + 1` links in place of `k + 2^n`: what that costs in bit times is what a run tells.

pub mod broadcast;
pub mod collective;
pub mod combiner;
pub mod comparator;
pub mod network;
pub mod operator;
pub mod prefix;
pub mod reduction;
pub mod route;
pub mod shown;
pub mod sort;
pub mod step_table_machine;
pub mod steps;
mod word_bits;
