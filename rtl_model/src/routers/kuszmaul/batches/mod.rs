//! Section IV: several batches of messages at once, on the quadratic hypercube.
//!
//! Iteration `i` of Algorithm 2 uses dimensions `i` and up. Where every iteration has hardware and wires of its own, a batch of messages
//! goes through them one after the other, and the next batch follows as soon as the wires let it: a set of messages is delivered every
//! `O(k)` bit times, with `O(k^2)` bits at a node.
//!
//! ```text
//!   bit time   0        P        2P       3P       4P              P: the interval
//!   batch 0    [stage 0 ....][stage 1 ...][stage 2 ..][ .. ]
//!   batch 1             [stage 0 ....][stage 1 ...][stage 2 ..][ .. ]
//!   batch 2                      [stage 0 ....][stage 1 ...][stage 2 ..][ .. ]
//! ```
//!
//! [`stage`] is what the hardware of an iteration is asked for, [`node`] how stages stand behind one another between [`outbox`] and
//! [`inbox`], [`sequencer`] when what happens, [`interval`] how close batches can follow, [`pipeline`] all of that for a size.
//! [`spread`], [`overlapped`] and [`radix4`] are schedules; what is not in the paper is said there. [`crossing`] is step 1, which is the
//! same in the first two. [`vertex_packing`] is section V.

pub mod at;
pub mod crossing;
pub mod extent;
pub mod inbox;
pub mod interval;
pub mod node;
pub mod outbox;
pub mod overlapped;
pub mod pipeline;
pub mod radix4;
pub mod router;
pub mod sequencer;
pub mod spread;
pub mod stage;
pub mod vertex_packing;

#[cfg(test)]
mod tests;

pub use pipeline::Pipeline;
pub use router::{AnyPipeline, BatchRouter};

/// Batches on [`spread`], behind an object: compiled here, for whoever is above the hardware seam.
pub static SPREAD: &dyn AnyPipeline = &super::spread::Spread;

/// The same on [`overlapped`].
pub static OVERLAPPED: &dyn AnyPipeline = &super::overlapped::Overlapped;

/// The same on [`radix4`].
pub static RADIX4: &dyn AnyPipeline = &super::radix4::Radix4;

/// The same of [`vertex_packing`].
pub static VERTEX_PACKING: &dyn AnyPipeline = &vertex_packing::VertexPacking;
