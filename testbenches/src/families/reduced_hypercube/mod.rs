//! Testbenches of collective operations on the reduced hypercube, and on the hypercube beside it: `broadcast`, `reduce`, `prefix`
//! and `sort`.
//!
//! ```text
//!   options --> Setup --> Job: a machine and its steps --+--> lockstep::carry_out --> report
//!                 |                                      |
//!                 +--> Words: drawn, or from a file -----+    due: what the nodes are to end up with
//! ```

mod arguments;
mod compared;
mod due;
mod hosts;
mod job;
mod measure;
mod operators;
mod options;
mod report;
mod shown;
mod stimulus;
mod testbench;
mod values;

pub use testbench::{BROADCAST, PREFIX, REDUCE, SORT};
