//! Broadcast: one node's message to all others (thesis, chapter 2, with its tree program mended).
//!
//! | step | what happens |
//! |---|---|
//! | 1 | every node finds its place in the tree of building blocks ([`tree_program`]) |
//! | 2 | and in the tree of its own block, from the node at which the message enters |
//! | 3 | the message: through the source's sub-block, then from block to block, over all ports at once ([`relay`]) |
//!
//! On the hypercube there are no trees to set up: the message goes over the spanning binomial tree.

mod machine;
pub mod node;
mod operation;
pub mod relay;
pub mod sequencer;
mod shown;
mod times;
pub mod tree_program;

pub use operation::{Broadcast, Inner, Switching};
pub use times::{Ports, Times};
