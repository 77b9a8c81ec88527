//! Testbenches of embeddings: `embedding`, one phase of a guest's communication; `dispersal`, messages that survive wires that fail;
//! `relaxation`, a workload of such phases; and the command `embedding`, which says what an embedding does.
//!
//! ```text
//!   Chosen --> Work: a Job (embedding, schedule, machine), and what is sent in it --+
//!                                                                                   |
//!   report <-- lockstep::carry_out <-- Carrying: the work and its values <----------+
//! ```
//!
//! A phase is a `Job` alone, which sends values as they are; `Dispersed` has one whose packets are shares of values, and `Relaxation`
//! one whose messages are sides of blocks.

mod command;
mod compared;
mod dispersal;
mod entries;
mod job;
mod messages;
mod parameters;
mod relaxation;
mod report;
mod shown;
mod stimulus;
mod sweep;
mod testbench;
mod work;

pub use command::EMBEDDING as COMMAND;
pub use testbench::{DISPERSAL, EMBEDDING, RELAXATION};
