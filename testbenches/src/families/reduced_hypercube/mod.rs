//! Testbenches of collective operations on the reduced hypercube, and on the hypercube beside it: `broadcast`, `reduce`, `prefix`
//! and `sort`.
//!
//! ```text
//!   parameters --> Chosen --> Job: a machine and its steps --+--> lockstep::carry_out --> report
//!                    |                                       |
//!                    +--> Words: drawn, or from a file ------+    due: what the nodes are to end up with
//! ```

mod algorithm;
mod compared;
mod due;
mod entries;
mod hosts;
mod job;
mod operation;
mod operators;
mod parameters;
mod report;
mod shown;
mod stimulus;
mod sweep;
mod tales;
mod testbench;
mod trade;
mod values;

pub use testbench::{BROADCAST, PREFIX, REDUCE, SORT};
