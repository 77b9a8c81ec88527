//! Testbenches of embeddings: `embedding`, one phase of a guest's communication; `dispersal`, messages that survive wires that fail;
//! `relaxation`, a workload of such phases; and the command `embedding`, which says what an embedding does.
//!
//! ```text
//!   options --> Setup --> Job: embedding, schedule, machine ---+--> lockstep::carry_out --> report
//!                 |                                            |
//!                 +--> messages: drawn, or from a file --------+
//! ```

mod arguments;
mod command;
mod compared;
mod dispersal;
mod job;
mod measure;
mod messages;
mod options;
mod relaxation;
mod report;
mod shown;
mod stimulus;
mod testbench;

pub use command::EMBEDDING as COMMAND;
pub use dispersal::DISPERSAL;
pub use relaxation::RELAXATION;
pub use testbench::EMBEDDING;
