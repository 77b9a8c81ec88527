//! Personalized and complete communication on a machine of bit-serial ports: all that Ho & Johnsson 1986 and Stout & Wagar 1987
//! have besides broadcasting.
//!
//! Which packet goes where and when is known beforehand, so packets have no headers. The sequencer broadcasts the program, the
//! same for every node; a node finds out by closed rules on its address whether it is meant, and on which of its ports.
//!
//! | module | what it is |
//! |---|---|
//! | [`program`] | what is broadcast: transfers, who takes part in them, addresses in nodes' memories |
//! | [`algorithms`] | the papers' algorithms as programs, with their closed forms |
//! | [`rules`] | who takes part in a transfer, with plain numbers; tests work whole programs through by them (`rehearsal.rs`) |
//! | [`score`] | a program laid out for the sequencer, channel by channel |
//! | [`seen`] | the closed rules: what a node sees of itself |
//! | [`node`], [`memory`] | what joins a node's memory to its ports |
//! | [`configuration`] | registers for what no closed rule gives |
//! | [`sequencer`], [`strobes`] | when what happens |

pub mod algorithms;
pub mod configuration;
mod held;
mod lines;
mod machine;
pub mod memory;
pub mod node;
pub mod program;
#[cfg(test)]
mod rehearsal;
pub mod rules;
pub mod score;
pub mod seen;
pub mod sequencer;
pub mod shape;
mod shown;
pub mod strobes;
mod watch;

pub use machine::{CollectiveMachine, MOST_MEMORY_BITS};
pub use node::{MEMORY, VIOLATION};
pub use shown::{bytes_to_follow, summed};
