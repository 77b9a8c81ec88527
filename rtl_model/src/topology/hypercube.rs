//! The hypercube: node `x` and node `x ^ 2^d` are joined across dimension `d`, one wire each way.

use std::fmt;

use crate::error::Error;
use crate::lanes::Lanes;
use crate::topology::{Labelled, Tap, Topology};

/// The largest cube: 2^28 nodes.
pub const MAX_DIMENSIONS: usize = 28;

/// A checked number of dimensions, 1 to [`MAX_DIMENSIONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dimensions(usize);

impl Dimensions {
    /// A cube of `dimensions` dimensions.
    ///
    /// # Errors
    /// [`Error::Dimensions`] outside 1..=[`MAX_DIMENSIONS`].
    pub fn new(dimensions: usize) -> Result<Self, Error> {
        if (1..=MAX_DIMENSIONS).contains(&dimensions) {
            Ok(Dimensions(dimensions))
        } else {
            Err(Error::Dimensions { dimensions })
        }
    }

    /// Number of dimensions, `k`.
    #[inline]
    pub fn count(self) -> usize {
        self.0
    }

    /// Number of nodes, `2^k`.
    #[inline]
    pub fn nodes(self) -> usize {
        1 << self.0
    }

    /// Number of directed wires, `k * 2^k`.
    pub fn wires(self) -> usize {
        self.0 << self.0
    }
}

impl fmt::Display for Dimensions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// One wire a dimension each way; bit `d` of an address is that of dimension `d`. Groups hold nodes in order, so
/// cubes smaller than a group lie side by side in it.
impl Topology for Dimensions {
    fn nodes(&self) -> usize {
        Dimensions::nodes(*self)
    }

    fn address_bits(&self) -> usize {
        self.0
    }

    fn links(&self) -> usize {
        self.0
    }

    fn describe(&self, wire: usize) -> String {
        format!("across dimension {wire}")
    }

    fn labelled(&self) -> Vec<Labelled> {
        let wire = |dimension, name: &str, tap| Labelled {
            scope: format!("dim_{dimension}"),
            name: name.to_owned(),
            wires: vec![tap],
        };
        (0..self.0)
            .flat_map(|dimension| {
                [
                    wire(dimension, "tx", Tap::Driven(dimension)),
                    wire(dimension, "rx", Tap::Received(dimension)),
                ]
            })
            .collect()
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        neighbour(node, wire)
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        groups::<B>(*self, machines)
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        (node / B::NODES, node % B::NODES)
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        group * B::NODES + place
    }

    #[inline]
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        across(wires, self.0, group, wire, wire)
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, address: &mut [B]) {
        own_address(group, address);
    }
}

/// Groups of as many cubes.
pub(crate) fn groups<B: Lanes>(dimensions: Dimensions, machines: usize) -> usize {
    (machines * dimensions.nodes()).div_ceil(B::NODES)
}

/// What comes to a group across `dimension` on a wire: `wires[group * driven + wire]` is what each group drives.
#[inline]
pub(crate) fn across<B: Lanes>(
    wires: &[B],
    driven: usize,
    group: usize,
    wire: usize,
    dimension: usize,
) -> B {
    if dimension < B::LOG2_NODES {
        wires[group * driven + wire].across(dimension)
    } else {
        let neighbour = group ^ 1 << (dimension - B::LOG2_NODES);
        wires[neighbour * driven + wire]
    }
}

/// As [`Topology::address`]: from group to group only the bits that differ are written, two on the average.
#[inline]
pub(crate) fn own_address<B: Lanes>(group: usize, address: &mut [B]) {
    if group == 0 {
        for (dimension, bit) in address.iter_mut().enumerate().take(B::LOG2_NODES) {
            *bit = B::place_bit(dimension);
        }
    }
    let changed = group ^ group.wrapping_sub(1);
    for (place, bit) in address.iter_mut().skip(B::LOG2_NODES).enumerate() {
        if changed >> place & 1 == 0 {
            break;
        }
        *bit = B::from_strobe(group >> place & 1 == 1);
    }
}

/// The node at the other end of the wire of `dimension`.
#[inline]
pub fn neighbour(node: usize, dimension: usize) -> usize {
    node ^ 1 << dimension
}

/// Bit `dimension` of an address.
#[inline]
pub fn address_bit(node: usize, dimension: usize) -> bool {
    node >> dimension & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range_are_checked() {
        assert!(Dimensions::new(0).is_err());
        assert!(Dimensions::new(29).is_err());
        let cube = Dimensions::new(3).unwrap();
        assert_eq!((cube.count(), cube.nodes(), cube.wires()), (3, 8, 24));
        assert_eq!(Dimensions::new(28).unwrap().nodes(), 1 << 28);
    }

    #[test]
    fn a_wire_joins_two_nodes_that_differ_in_one_bit() {
        assert_eq!(neighbour(0b101, 1), 0b111);
        assert_eq!(neighbour(0b111, 1), 0b101);
        assert!(address_bit(0b100, 2) && !address_bit(0b100, 1));
    }
}
