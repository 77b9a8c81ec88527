//! Counting samples of all nodes, bin by bin: every node counts its own, and the counts of a bin are added on their way to the node
//! that has the bin. Of `b` bins node `v` has those from `v b/N` on.

mod extent;
mod samples;

pub use extent::{bins, found, sized};
pub use samples::Samples;
