//! One phase of a guest's communication, in hardware (Greenberg and Bhatt 1990, section 3): every guest edge's packets take its
//! paths, and who goes first is worked out beforehand ([`crate::embedding::phase`]).
//!
//! All that a node does in a run stands in registers that its host writes before bit time 0, so packets have no headers. A step of
//! the schedule takes START (`T` bit times, ports idle) and then SHIFT: the `B` bits of a packet.
//!
//! ```text
//!   step      |  0               |  1               |
//!   port 0    |  START  SHIFT    |                  |      sends cell 0
//!   port 1    |  START  SHIFT    |  START  SHIFT    |      fills cell 0 in step 0, sends cell 2 in step 1
//! ```
//!
//! | module | what it is |
//! |---|---|
//! | [`plan`] | what stands in the registers of every node: worked out from the schedule |
//! | [`codes`] | a node's orders: which cell each port sends, and which cell it fills |
//! | [`node`] | cells, and what joins them to the ports |
//! | [`sequencer`] | when what happens |
//! | [`shown`] | what a waveform shows |

pub mod codes;
mod machine;
pub mod node;
pub mod plan;
pub mod sequencer;
pub mod shown;

pub use machine::{MOST_BITS, PhaseMachine};
pub use node::{CELLS, RECEIVES, SENDS};
pub use plan::PhasePlan;
