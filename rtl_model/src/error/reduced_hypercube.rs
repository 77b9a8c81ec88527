//! Why there is no reduced hypercube of some size.

use crate::machine::topology::reduced_hypercube::{MAX_ADDRESS_BITS, MAX_SUBBLOCK_BITS};

/// What is wrong with `k` and `n` of RH(k,n).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// One sub-block: every dimension keeps its link.
    #[error(
        "with n = 0 no link is left out, and it would be a hypercube of k + 1 dimensions: choose n from 1 to \
         {MAX_SUBBLOCK_BITS}, or a hypercube"
    )]
    NothingReduced,

    /// More building blocks than there may be nodes.
    #[error(
        "its addresses have k + 2^n bits, more than {MAX_ADDRESS_BITS} whatever k is: choose n from 1 to {MAX_SUBBLOCK_BITS}"
    )]
    TooManyBlocks,

    /// More sub-blocks than nodes of a building block.
    #[error(
        "a building block of k = {block_dimensions} dimensions cannot have 2^n = {} sub-blocks, since k is less than n: \
         choose k from {subblock_bits} to {}", 1usize << subblock_bits, most_dimensions(*subblock_bits)
    )]
    TooManySubblocks {
        /// `k`.
        block_dimensions: usize,
        /// `n`.
        subblock_bits: usize,
    },

    /// Too many nodes.
    #[error(
        "its addresses have k + 2^n = {} bits, and {MAX_ADDRESS_BITS} are the most: choose k from {subblock_bits} to {}",
        block_dimensions.saturating_add(1 << subblock_bits), most_dimensions(*subblock_bits)
    )]
    TooManyNodes {
        /// `k`.
        block_dimensions: usize,
        /// `n`.
        subblock_bits: usize,
    },
}

/// The most dimensions of a building block of `2^subblock_bits` sub-blocks.
fn most_dimensions(subblock_bits: usize) -> usize {
    MAX_ADDRESS_BITS - (1 << subblock_bits)
}
