//! Testbenches of embeddings: `embedding`, one phase of a guest's communication; `dispersal`, messages that survive wires that fail;
//! `relaxation`, a workload of such phases; and the command `embedding`, which says what an embedding does.
//!
//! ```text
//!   Chosen --> Job: embedding, schedule, machine --> Carrying: messages, drawn or read --> lockstep::carry_out --> report
//! ```
//!
//! The others have a job of their own around that one: `Dispersed`, whose packets are shares, and `Relaxation`, whose messages are
//! sides of blocks.

mod command;
mod compared;
mod dispersal;
mod job;
mod messages;
mod parameters;
mod relaxation;
mod report;
mod shown;
mod stimulus;
mod sweep;
mod testbench;

pub use command::EMBEDDING as COMMAND;
pub use testbench::{DISPERSAL, EMBEDDING, RELAXATION};
