//! Ways within and between building blocks, in terms of address bits.
//!
//! ```text
//!   address   | BB: D = 2^n bits | SB: n bits | low: k-n bits |
//!   wires     0 .. k-1: the dimensions of the building block;  k: to the block that differs in bit SB
//! ```

use crate::machine::topology::reduced_hypercube::ReducedHypercube;
use crate::routers::reduced_hypercube::steps::table::{Nodes, Way};

/// The way across a dimension of the building block, from the nodes of a pattern.
pub fn across(dimension: usize, senders: Nodes) -> Way {
    Way {
        wire: dimension,
        crossed: dimension,
        senders,
    }
}

/// What the rows of a reduced hypercube are made of.
#[derive(Clone, Copy, Debug)]
pub struct Paths {
    network: ReducedHypercube,
    /// Address bits of the lowest field: within a sub-block.
    pub low_bits: usize,
    /// `k`.
    pub block_dimensions: usize,
    /// `D = 2^n`: the dimensions of the cube of building blocks.
    pub blocks_dimensions: usize,
}

impl Paths {
    /// In this network.
    pub fn new(network: ReducedHypercube) -> Self {
        Paths {
            network,
            low_bits: network.block_dimensions() - network.subblock_bits(),
            block_dimensions: network.block_dimensions(),
            blocks_dimensions: network.blocks_dimensions(),
        }
    }

    /// `nodes`, of this sub-block alone.
    pub fn in_subblock(&self, nodes: Nodes, subblock: usize) -> Nodes {
        nodes.with(self.low_bits..self.block_dimensions, subblock)
    }

    /// `nodes`, of these lowest address bits alone.
    pub fn with_low(&self, nodes: Nodes, low: usize) -> Nodes {
        nodes.with(0..self.low_bits, low)
    }

    /// `nodes`, of building blocks with these bits alone, from bit `first` on.
    pub fn in_blocks(&self, nodes: Nodes, first: usize, bits: usize, value: usize) -> Nodes {
        let start = self.block_dimensions + first;
        nodes.with(start..start + bits, value)
    }

    /// From `from` to `to`, sub-blocks of the same building block, hop by hop, the lowest dimension first.
    pub fn walk(&self, nodes: Nodes, from: usize, to: usize) -> Vec<Way> {
        let mut at = from;
        let differ = |bit: &usize| (from ^ to) >> bit & 1 == 1;
        (0..self.network.subblock_bits())
            .filter(differ)
            .map(|bit| {
                let way = across(self.low_bits + bit, self.in_subblock(nodes, at));
                at ^= 1 << bit;
                way
            })
            .collect()
    }

    /// To the building block that differs in bit `subblock`, from that sub-block.
    pub fn between(&self, nodes: Nodes, subblock: usize) -> Way {
        Way {
            wire: self.network.between_blocks(),
            crossed: self.block_dimensions + subblock,
            senders: self.in_subblock(nodes, subblock),
        }
    }
}

/// A broadcast over dimensions `0..dimensions` from the nodes of `nodes` whose lowest bits spell `root`: a binomial tree, a dimension a step.
pub fn broadcast(nodes: Nodes, dimensions: usize, root: usize) -> Vec<Way> {
    (0..dimensions)
        .map(|dimension| {
            let still_theirs = dimension..dimensions;
            across(dimension, nodes.with(still_theirs, root >> dimension))
        })
        .collect()
}
