//! The hypercube: node `x` and node `x ^ 2^d` are joined across dimension `d`, one wire each way.

use std::fmt;

use crate::error::Error;

/// The largest cube: 2^24 nodes.
pub const MAX_DIMENSIONS: usize = 24;

/// A checked number of dimensions, 1 to [`MAX_DIMENSIONS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Dimensions(usize);

impl Dimensions {
    /// A cube of `dimensions` dimensions.
    ///
    /// # Errors
    /// [`Error::Dimensions`] outside 1..=24.
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
        assert!(Dimensions::new(25).is_err());
        let cube = Dimensions::new(3).unwrap();
        assert_eq!((cube.count(), cube.nodes(), cube.wires()), (3, 8, 24));
        assert_eq!(Dimensions::new(24).unwrap().nodes(), 1 << 24);
    }

    #[test]
    fn a_wire_joins_two_nodes_that_differ_in_one_bit() {
        assert_eq!(neighbour(0b101, 1), 0b111);
        assert_eq!(neighbour(0b111, 1), 0b101);
        assert!(address_bit(0b100, 2) && !address_bit(0b100, 1));
    }
}
