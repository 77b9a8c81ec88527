//! How many links of the copies lie on each wire of the hypercube, counted.
//!
//! For `n` = 2, 4, 8 and 16 levels, on every directed wire of a dimension:
//!
//! | dimension       | straight | cross  | both   | both, both ways |
//! |-----------------|----------|--------|--------|-----------------|
//! | 0, and from `n` | 0        | 1      | 1      | 2               |
//! | 1               | 2        | 0      | 2      | 4               |
//! | 2 to `n - 1`    | 1        | 0 or 1 | 1 or 2 | 2 to 4          |
//!
//! So the congestion of Theorem 3, 2, is that of directed wires; of the two wires between two nodes
//! together it is 4.

use std::ops::RangeInclusive;

use crate::embedding::copies::Copies;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::hypercube::{Dimensions, neighbour};

#[cfg(test)]
mod tests;

/// The fewest and the most, over a set of wires.
pub type Range = RangeInclusive<usize>;

/// What lies on the wires of one dimension, or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Images {
    /// Straight links on a directed wire.
    pub straight: Range,
    /// Cross links on a directed wire.
    pub cross: Range,
    /// Links of both kinds on a directed wire.
    pub total: Range,
    /// Links of both kinds on the two wires, one each way, that join two nodes.
    pub undirected: Range,
}

/// What lies on the wires, by dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Congestion {
    /// `[d]`: the wires across dimension `d`.
    pub dimensions: Vec<Images>,
}

impl Congestion {
    /// Counts every link of all `copies`. It keeps two bytes a wire: at 16 levels 42 MB.
    pub fn of(copies: &Copies) -> Self {
        count(
            copies.network(),
            copies.dimensions(),
            |copy, level, column| copies.map(copy, level, column),
        )
    }

    /// Over all the wires.
    pub fn all(&self) -> Images {
        self.over(|_| true)
    }

    /// Over the wires of all dimensions but one.
    pub fn except(&self, dimension: usize) -> Images {
        self.over(|other| other != dimension)
    }

    /// Over the wires of some dimensions, at least one.
    fn over(&self, included: impl Fn(usize) -> bool) -> Images {
        let mut images = Images::none();
        for (dimension, of_dimension) in self.dimensions.iter().enumerate() {
            if included(dimension) {
                images.join(of_dimension);
            }
        }
        images
    }
}

impl Images {
    /// No wires yet: a range that has nothing in it and grows.
    fn none() -> Self {
        #[expect(
            clippy::reversed_empty_ranges,
            reason = "the range over no wires is empty"
        )]
        let range = usize::MAX..=0;
        Images {
            straight: range.clone(),
            cross: range.clone(),
            total: range.clone(),
            undirected: range,
        }
    }

    fn join(&mut self, other: &Images) {
        join(&mut self.straight, &other.straight);
        join(&mut self.cross, &other.cross);
        join(&mut self.total, &other.total);
        join(&mut self.undirected, &other.undirected);
    }
}

fn join(range: &mut Range, other: &Range) {
    *range = *range.start().min(other.start())..=*range.end().max(other.end());
}

/// The dilation of all `copies`: the most dimensions that a link's two ends differ in. Each such
/// link would take a path of as many wires.
pub fn dilation(copies: &Copies) -> u32 {
    let network = copies.network();
    let mut most = 0;
    for copy in 0..copies.copies() {
        let images = place(network, |level, column| copies.map(copy, level, column));
        for node in 0..network.nodes() {
            for end in [network.straight(node), network.cross(node)] {
                most = most.max((images[node] ^ images[end]).count_ones());
            }
        }
    }
    most
}

/// `[node]`: where it lies.
fn place(network: CubeConnectedCycles, map: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    (0..network.nodes())
        .map(|node| map(network.level(node), network.column(node)))
        .collect()
}

/// Counts the links of `n` copies of `network` that lie where `map` says, each on one wire.
fn count(
    network: CubeConnectedCycles,
    dimensions: Dimensions,
    map: impl Fn(usize, usize, usize) -> usize,
) -> Congestion {
    // A copy has two links out of a node and there are at most 16: a byte holds them.
    let mut wires = vec![[0u8; 2]; dimensions.wires()];
    let wire = |node: usize, dimension: usize| dimension << dimensions.count() | node;
    for copy in 0..network.levels() {
        let images = place(network, |level, column| map(copy, level, column));
        for (node, &from) in images.iter().enumerate() {
            let ends = [network.straight(node), network.cross(node)];
            for (kind, end) in ends.into_iter().enumerate() {
                let dimension = (from ^ images[end]).trailing_zeros() as usize;
                debug_assert_eq!(images[end], neighbour(from, dimension));
                wires[wire(from, dimension)][kind] += 1;
            }
        }
    }

    let of_wire = |node, dimension| {
        let total = |node| {
            let [straight, cross] = wires[wire(node, dimension)].map(usize::from);
            straight + cross
        };
        let [straight, cross] = wires[wire(node, dimension)].map(usize::from);
        let both_ways = total(node) + total(neighbour(node, dimension));
        Images {
            straight: straight..=straight,
            cross: cross..=cross,
            total: straight + cross..=straight + cross,
            undirected: both_ways..=both_ways,
        }
    };
    let of_dimension = |dimension| {
        let mut images = Images::none();
        for node in 0..dimensions.nodes() {
            images.join(&of_wire(node, dimension));
        }
        images
    };
    Congestion {
        dimensions: (0..dimensions.count()).map(of_dimension).collect(),
    }
}
