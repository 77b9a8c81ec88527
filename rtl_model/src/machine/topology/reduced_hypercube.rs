//! The reduced hypercube RH(k,n) of Ziavras, as in Mukherjee (1994), section 1.3: a hypercube of `k + 2^n` dimensions in
//! which a node keeps its links across the `k` lowest dimensions and across one of the others.
//!
//! ```text
//!   address:  | block, 2^n bits | sub-block, n bits | low, k - n bits |     most significant bit first
//!               the building      \________ the node in it, k bits ____/
//!               block
//!
//!   wire d < k   flips bit d                       within the building block, a cube of k dimensions
//!   wire k       flips bit k + sub-block           to the building block across that dimension of the cube of blocks
//! ```
//!
//! The wires 0 to `k - 1` are the paper's set 1, and wire `k` is its set 2. The sub-block is the same at both ends of wire
//! `k`, so both flip the same bit: the wire leads there and back.
//!
//! In lanes, nodes lie as those of the hypercube with as many nodes do ([`Dimensions`]).

use std::fmt;

use crate::closed_form::Letter;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::hypercube::{Dimensions, neighbour};

#[cfg(test)]
mod tests;
mod wiring;

/// The most bits of an address.
pub const MAX_ADDRESS_BITS: usize = 28;

/// The most bits of a sub-block's number: with one more, addresses have more than [`MAX_ADDRESS_BITS`] bits.
pub const MAX_SUBBLOCK_BITS: usize = 4;

/// RH(k,n) of a checked size: `1 <= n <= k`, and `k + 2^n` at most [`MAX_ADDRESS_BITS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReducedHypercube {
    /// The hypercube with as many nodes: what its addresses are, and how its nodes lie.
    cube: Dimensions,
    block_dimensions: usize,
    subblock_bits: usize,
}

impl ReducedHypercube {
    /// RH(k,n), where `k` is `block_dimensions` and `n` is `subblock_bits`.
    ///
    /// # Errors
    /// Sizes, unless `1 <= n <= k` and `k + 2^n` is at most [`MAX_ADDRESS_BITS`].
    pub fn new(block_dimensions: usize, subblock_bits: usize) -> Result<Self, Error> {
        let refused = |why: String, instead: String| {
            Refusal::of(format!(
                "the reduced hypercube RH({block_dimensions},{subblock_bits}) is out of range"
            ))
            .because(why)
            .instead(instead)
        };
        let choose_n = format!("choose n from 1 to {MAX_SUBBLOCK_BITS}");
        let subblocks = match subblock_bits {
            0 => {
                let why = "with n = 0 no link is left out, and it would be a hypercube of k + 1 dimensions";
                return Err(refused(why.to_owned(), choose_n + ", or a hypercube").into());
            }
            1..=MAX_SUBBLOCK_BITS => 1 << subblock_bits,
            _ => {
                let why = format!(
                    "its addresses have k + 2^n bits, more than {MAX_ADDRESS_BITS} whatever k is"
                );
                return Err(refused(why, choose_n).into());
            }
        };
        let most = MAX_ADDRESS_BITS - subblocks;
        let choose_k = format!("choose k from {subblock_bits} to {most}");
        if block_dimensions < subblock_bits {
            let why = format!(
                "a building block of k = {block_dimensions} dimensions cannot have 2^n = {subblocks} sub-blocks, since k is less \
                 than n"
            );
            return Err(refused(why, choose_k).only_together("sub-blocks").into());
        }
        if block_dimensions > most {
            let why = format!(
                "its addresses have k + 2^n = {} bits, and {MAX_ADDRESS_BITS} are the most",
                block_dimensions.saturating_add(subblocks)
            );
            return Err(refused(why, choose_k).into());
        }
        Ok(ReducedHypercube {
            cube: Dimensions::new(block_dimensions + (1 << subblock_bits))?,
            block_dimensions,
            subblock_bits,
        })
    }

    /// `k`: dimensions of a building block.
    #[inline]
    pub fn block_dimensions(self) -> usize {
        self.block_dimensions
    }

    /// What closed forms are in: `k` and `n`.
    pub fn letters(self) -> [Letter<'static>; 2] {
        [
            ("k", self.block_dimensions() as u64),
            ("n", self.subblock_bits() as u64),
        ]
    }

    /// `n`: bits of a sub-block's number.
    #[inline]
    pub fn subblock_bits(self) -> usize {
        self.subblock_bits
    }

    /// `2^n`: dimensions of the cube of building blocks, and sub-blocks of each.
    #[inline]
    pub fn blocks_dimensions(self) -> usize {
        1 << self.subblock_bits
    }

    /// `k - n`: dimensions of a sub-block, and bits of the low field.
    #[inline]
    pub fn low_bits(self) -> usize {
        self.block_dimensions - self.subblock_bits
    }

    /// The hypercube with as many nodes, of `k + 2^n` dimensions.
    #[inline]
    pub fn cube(self) -> Dimensions {
        self.cube
    }

    /// Number of nodes, `2^(k + 2^n)`.
    #[inline]
    pub fn nodes(self) -> usize {
        self.cube.nodes()
    }

    /// The building block of a node.
    #[inline]
    pub fn block(self, node: usize) -> usize {
        node >> self.block_dimensions
    }

    /// The sub-block of a node, in its building block; and the dimension of the cube of building blocks that its wire
    /// [`ReducedHypercube::between_blocks`] crosses.
    #[inline]
    pub fn subblock(self, node: usize) -> usize {
        node >> self.low_bits() & (self.blocks_dimensions() - 1)
    }

    /// The place of a node in its sub-block.
    #[inline]
    pub fn low(self, node: usize) -> usize {
        node & ((1 << self.low_bits()) - 1)
    }

    /// The node at a place of a sub-block of a building block.
    #[inline]
    pub fn node(self, block: usize, subblock: usize, low: usize) -> usize {
        block << self.block_dimensions | subblock << self.low_bits() | low
    }

    /// The number of the wire between building blocks: `k`.
    #[inline]
    pub fn between_blocks(self) -> usize {
        self.block_dimensions
    }

    /// The node at the other end of a wire, `0..=k`.
    #[inline]
    pub fn neighbour(self, node: usize, wire: usize) -> usize {
        neighbour(node, self.dimension(node, wire))
    }

    /// The dimension of the hypercube with as many nodes that a wire of a node crosses.
    #[inline]
    pub fn dimension(self, node: usize, wire: usize) -> usize {
        if wire == self.between_blocks() {
            self.block_dimensions + self.subblock(node)
        } else {
            wire
        }
    }

    /// Number of directed wires: `k + 1` leave each node.
    pub fn directed_wires(self) -> usize {
        (self.block_dimensions + 1) * self.nodes()
    }
}

/// As the paper writes it: `RH(3,1)`.
impl fmt::Display for ReducedHypercube {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "RH({},{})",
            self.block_dimensions, self.subblock_bits
        )
    }
}
