//! Testbenches of personalized and complete communication, one an operation: `scatter`, `gather`, `all-gather`, `all-to-all`, `send`,
//! `permuted-send`, `inversion`, `transpose` and `histogram`.
//!
//! ```text
//!   options --> Setup --> Job: algorithm, plan, machine, ends --+--> lockstep::carry_out --> report
//!                 |                                             |
//!                 +--> Data: messages, a matrix, samples -------+
//! ```
//!
//! | file | what it is about |
//! |---|---|
//! | `arguments`, `options` | what is asked for, and what of it is refused |
//! | `job` | what is asked for, worked out |
//! | `ends` | who sends which message to whom |
//! | `hosts` | messages into memories, and out of them |
//! | `data` | what messages are made of, and what becomes of those that arrived: `messages`, `transpose/`, `histogram/` |
//! | `stimulus`, `compared`, `report` | a run, and what is said of it |

mod arguments;
mod compared;
mod data;
mod histogram;
mod job;
mod measure;
mod messages;
mod operations;
mod options;
mod permutation;
mod report;
mod stimulus;
mod testbench;
mod transpose;

pub use testbench::{
    ALL_GATHER, ALL_TO_ALL, GATHER, HISTOGRAM, INVERSION, PERMUTED_SEND, SCATTER, SEND, TRANSPOSE,
};
