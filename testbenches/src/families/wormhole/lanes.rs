//! How many nodes go side by side.

use rtl_model::language::lanes::{Lanes, Words};

/// Something to do with lanes of some width.
pub(crate) trait WithLanes {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<B: Lanes>(self) -> Self::Output;
}

/// Runs it in single words, or, with more than `2^8` nodes, in eight side by side: a cache line for each register. `2^log2_nodes`
/// is how many there are.
pub(crate) fn in_lanes<W: WithLanes>(log2_nodes: usize, what: W) -> W::Output {
    match log2_nodes {
        0..=8 => what.run::<u64>(),
        _ => what.run::<Words<8>>(),
    }
}
