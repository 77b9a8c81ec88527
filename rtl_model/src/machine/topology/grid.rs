//! Grids: the k-ary n-cube (torus) and the mesh, whose nodes are joined to the next ones in each dimension.
//!
//! A node has a *digit* of `0..radix` in each dimension; its number has them as digits, that of dimension 0 the least. In each
//! dimension two links leave it, one each way:
//!
//! ```text
//!   plus_d:   digit x -> x + 1        link 2d        torus: from the last digit to 0, and back: the wrap
//!   minus_d:  digit x -> x - 1        link 2d + 1    mesh: there are none out of the ends
//! ```
//!
//! The address of a node, as its hardware has it, is its digits one after the other, each of as many bits as it takes, bit 0
//! first: the node's number, where the radix is a power of two.

use crate::error::Error;
use crate::error::refusal::Refusal;

#[cfg(test)]
mod tests;

/// The fewest digits of a dimension: with two, both links of a dimension would lead to the same node.
pub const MIN_RADIX: usize = 3;

/// The most digits of a dimension.
pub const MAX_RADIX: usize = 64;

/// The most nodes.
pub const MAX_NODES: usize = 1 << 20;

/// A grid of checked size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    radix: usize,
    dimensions: usize,
    wraps: bool,
}

/// Which way a link leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To the next digit.
    Plus,
    /// To the digit before.
    Minus,
}

impl Grid {
    /// A torus (`wraps`) or a mesh of `dimensions` dimensions, of `radix` digits each.
    ///
    /// # Errors
    /// A radix outside [`MIN_RADIX`]..=[`MAX_RADIX`], no dimension, more than [`MAX_NODES`] nodes.
    pub fn new(radix: usize, dimensions: usize, wraps: bool) -> Result<Self, Error> {
        let kind = kind(wraps);
        if radix == 2 {
            return Err(Refusal::of(format!("a {kind} of radix 2 is a hypercube"))
                .instead("choose that network, or a radix of 3 or more")
                .into());
        }
        if !(MIN_RADIX..=MAX_RADIX).contains(&radix) {
            return Err(
                Refusal::of(format!("a {kind} of radix {radix} is out of range"))
                    .instead(format!("choose {MIN_RADIX} to {MAX_RADIX}"))
                    .into(),
            );
        }
        let nodes = u32::try_from(dimensions)
            .ok()
            .and_then(|dimensions| radix.checked_pow(dimensions));
        let most = MAX_NODES.ilog(radix);
        match nodes {
            Some(nodes) if dimensions > 0 && nodes <= MAX_NODES => Ok(Grid {
                radix,
                dimensions,
                wraps,
            }),
            _ => Err(Refusal::of(format!(
                "a {kind} of radix {radix} and {dimensions} dimensions is out of range"
            ))
            .instead(format!(
                "choose 1 to {most} dimensions, which are up to {MAX_NODES} nodes"
            ))
            .into()),
        }
    }

    /// Digits of a dimension, `r`.
    #[inline]
    pub fn radix(self) -> usize {
        self.radix
    }

    /// Number of dimensions, `n`.
    #[inline]
    pub fn dimensions(self) -> usize {
        self.dimensions
    }

    /// Whether it is a torus.
    #[inline]
    pub fn wraps(self) -> bool {
        self.wraps
    }

    /// `torus` or `mesh`.
    pub fn kind(self) -> &'static str {
        kind(self.wraps)
    }

    /// Number of nodes, `r^n`.
    #[inline]
    pub fn nodes(self) -> usize {
        self.stride(self.dimensions)
    }

    /// Links of a node, there or not.
    #[inline]
    pub fn links(self) -> usize {
        2 * self.dimensions
    }

    /// Directed links that there are.
    pub fn wires(self) -> usize {
        let lines = self.nodes() / self.radix * self.dimensions;
        match self.wraps {
            true => 2 * lines * self.radix,
            false => 2 * lines * (self.radix - 1),
        }
    }

    /// Bits of a digit.
    #[inline]
    pub fn digit_bits(self) -> usize {
        (self.radix - 1).ilog2() as usize + 1
    }

    /// Bits of an address.
    #[inline]
    pub fn address_bits(self) -> usize {
        self.dimensions * self.digit_bits()
    }

    /// What the digit of a dimension is worth in a node's number.
    #[inline]
    fn stride(self, dimension: usize) -> usize {
        self.radix.pow(dimension as u32)
    }

    /// The digit of a node in a dimension.
    #[inline]
    pub fn digit(self, node: usize, dimension: usize) -> usize {
        node / self.stride(dimension) % self.radix
    }

    /// The digits of a node, that of dimension 0 first.
    pub fn digits(self, node: usize) -> impl Iterator<Item = usize> {
        (0..self.dimensions).map(move |dimension| self.digit(node, dimension))
    }

    /// The node with these digits, that of dimension 0 first.
    pub fn node(self, digits: impl IntoIterator<Item = usize>) -> usize {
        let places = digits.into_iter().enumerate();
        places
            .map(|(place, digit)| digit * self.stride(place))
            .sum()
    }

    /// The address of a node, as a number.
    pub fn address(self, node: usize) -> usize {
        let places = self.digits(node).enumerate();
        let bits = self.digit_bits();
        places.fold(0, |all, (place, digit)| all | digit << (place * bits))
    }

    /// The dimension of a link, and which way it leads.
    #[inline]
    pub fn way(self, link: usize) -> (usize, Way) {
        let way = match link % 2 {
            0 => Way::Plus,
            _ => Way::Minus,
        };
        (link / 2, way)
    }

    /// Whether a link of a node leads over the wrap of a torus, or is not there in a mesh.
    pub fn is_at_end(self, node: usize, link: usize) -> bool {
        let (dimension, way) = self.way(link);
        let last = match way {
            Way::Plus => self.radix - 1,
            Way::Minus => 0,
        };
        self.digit(node, dimension) == last
    }

    /// Whether a node has a link.
    pub fn has_link(self, node: usize, link: usize) -> bool {
        self.wraps || !self.is_at_end(node, link)
    }

    /// The node to which a link leads; of one that is not there, where it would lead in a torus.
    #[inline]
    pub fn far(self, node: usize, link: usize) -> usize {
        let (dimension, way) = self.way(link);
        let (stride, digit) = (self.stride(dimension), self.digit(node, dimension));
        match way {
            Way::Plus if digit == self.radix - 1 => node - digit * stride,
            Way::Plus => node + stride,
            Way::Minus if digit == 0 => node + (self.radix - 1) * stride,
            Way::Minus => node - stride,
        }
    }

    /// The node whose link leads to a node, alike.
    #[inline]
    pub fn near(self, node: usize, link: usize) -> usize {
        self.far(node, link ^ 1)
    }

    /// The node of that name, `<x>_<y>`: its digits, that of dimension 0 first.
    pub fn node_named(self, name: &str) -> Option<usize> {
        let digits = name.split('_').map(crate::csv_file::whole);
        let digits: Vec<usize> = digits.collect::<Option<_>>()?;
        let is_one = digits.len() == self.dimensions && digits.iter().all(|one| *one < self.radix);
        is_one.then(|| self.node(digits))
    }
}

fn kind(wraps: bool) -> &'static str {
    match wraps {
        true => "torus",
        false => "mesh",
    }
}
