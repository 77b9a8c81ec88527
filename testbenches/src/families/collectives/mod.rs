//! Testbenches of personalized and complete communication, one an operation: `scatter`, `gather`, `all-gather`, `all-to-all`, `send`,
//! `permuted-send`, `inversion`, `transpose` and `histogram`.
//!
//! ```text
//!   parameters --> Chosen --> Job: algorithm, plan, machine, ends --+--> lockstep::carry_out --> report
//!                    |                                              |
//!                    +--> Data: messages, a matrix, samples --------+
//! ```
//!
//! | file | what it is about |
//! |---|---|
//! | `parameters`, `operations`, `testbench` | what can be asked for, and what is said of it |
//! | `job` | what is asked for, worked out |
//! | `data` | what messages are made of, and what becomes of those that arrived: `messages`, `transpose/`, `histogram/` |
//! | `stimulus`, `report` | a run, and what is said of it |
//! | `sweep`, `plot`, `routers/` | what is measured, and the routers of other testbenches beside it |

mod data;
mod entries;
mod histogram;
mod job;
mod messages;
mod operations;
mod parameters;
mod permutation;
mod plot;
mod report;
mod routers;
mod stimulus;
mod sweep;
mod testbench;
mod transpose;

pub use testbench::{
    ALL_GATHER, ALL_TO_ALL, GATHER, HISTOGRAM, INVERSION, PERMUTED_SEND, SCATTER, SEND, TRANSPOSE,
};
