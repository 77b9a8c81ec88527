//! The direct networks that worms go through link by link: hypercubes, tori and meshes, as their links and dimensions.
//!
//! ```text
//!               links of dimension d                names          lead to
//!   hypercube   d                                   dim_d          address ^ 2^d
//!   grid        2d and 2d + 1                       plus_d minus_d the next digit, and the one before
//! ```

use std::ops::Range;

use crate::language::register::Name;
use crate::machine::topology::grid::{Grid, Way};
use crate::machine::topology::hypercube::{Dimensions, neighbour};

/// A direct network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Of two nodes in each dimension.
    Hypercube(Dimensions),
    /// A torus or a mesh.
    Grid(Grid),
}

impl From<Dimensions> for Space {
    fn from(dimensions: Dimensions) -> Self {
        Space::Hypercube(dimensions)
    }
}

impl From<Grid> for Space {
    fn from(grid: Grid) -> Self {
        Space::Grid(grid)
    }
}

/// A link of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The node that it leaves.
    pub from: usize,
    /// The link.
    pub link: usize,
    /// The wrap of its dimension has been crossed before, on the way through this dimension.
    pub is_behind_wrap: bool,
}

impl Space {
    /// `hypercube`, `torus` or `mesh`.
    pub fn name(self) -> &'static str {
        match self {
            Space::Hypercube(_) => "hypercube",
            Space::Grid(grid) => grid.kind(),
        }
    }

    /// Number of nodes.
    pub fn nodes(self) -> usize {
        match self {
            Space::Hypercube(dimensions) => dimensions.nodes(),
            Space::Grid(grid) => grid.nodes(),
        }
    }

    /// Number of dimensions.
    pub fn dimensions(self) -> usize {
        match self {
            Space::Hypercube(dimensions) => dimensions.count(),
            Space::Grid(grid) => grid.dimensions(),
        }
    }

    /// Bits of an address.
    pub fn address_bits(self) -> usize {
        match self {
            Space::Hypercube(dimensions) => dimensions.count(),
            Space::Grid(grid) => grid.address_bits(),
        }
    }

    /// The address of a node, as a number.
    pub fn address(self, node: usize) -> usize {
        match self {
            Space::Hypercube(_) => node,
            Space::Grid(grid) => grid.address(node),
        }
    }

    /// The node of an address; none where no node has it.
    pub fn node(self, address: usize) -> Option<usize> {
        let node = match self {
            Space::Hypercube(_) => address,
            Space::Grid(grid) => {
                let bits = grid.digit_bits();
                let digits = (0..grid.dimensions())
                    .map(|place| address >> (place * bits) & ((1 << bits) - 1));
                grid.node(digits)
            }
        };
        (node < self.nodes() && self.address(node) == address).then_some(node)
    }

    /// Whether it is a torus.
    pub fn wraps(self) -> bool {
        matches!(self, Space::Grid(grid) if grid.wraps())
    }

    /// Links of a node.
    pub fn links(self) -> usize {
        match self {
            Space::Hypercube(dimensions) => dimensions.count(),
            Space::Grid(grid) => grid.links(),
        }
    }

    /// Those of a dimension.
    pub fn links_of(self, dimension: usize) -> Range<usize> {
        match self {
            Space::Hypercube(_) => dimension..dimension + 1,
            Space::Grid(_) => 2 * dimension..2 * dimension + 2,
        }
    }

    /// The dimension of a link.
    pub fn dimension(self, link: usize) -> usize {
        match self {
            Space::Hypercube(_) => link,
            Space::Grid(_) => link / 2,
        }
    }

    /// What a link is called.
    pub fn link_name(self, link: usize) -> Name {
        match self {
            Space::Hypercube(_) => Name::Dimension(link),
            Space::Grid(grid) => match grid.way(link) {
                (dimension, Way::Plus) => Name::Numbered("plus", dimension),
                (dimension, Way::Minus) => Name::Numbered("minus", dimension),
            },
        }
    }

    /// The node to which a link leads.
    pub fn far(self, node: usize, link: usize) -> usize {
        match self {
            Space::Hypercube(_) => neighbour(node, link),
            Space::Grid(grid) => grid.far(node, link),
        }
    }

    /// The link that leads back.
    pub fn opposite(self, link: usize) -> usize {
        match self {
            Space::Hypercube(_) => link,
            Space::Grid(_) => link ^ 1,
        }
    }

    /// Whether a node has a link.
    pub fn has_link(self, node: usize, link: usize) -> bool {
        match self {
            Space::Hypercube(_) => true,
            Space::Grid(grid) => grid.has_link(node, link),
        }
    }

    /// The route in order of dimensions, 0 first; in a torus the shorter way round, and where both are as long, plus from an even
    /// digit and minus from an odd one.
    pub fn route(self, from: usize, to: usize) -> Vec<Hop> {
        let mut hops = Vec::new();
        let mut node = from;
        for dimension in 0..self.dimensions() {
            let (link, length) = self.line(dimension, node, to);
            let mut is_behind_wrap = false;
            for _ in 0..length {
                hops.push(Hop {
                    from: node,
                    link,
                    is_behind_wrap,
                });
                is_behind_wrap |= matches!(self, Space::Grid(grid) if grid.is_at_end(node, link));
                node = self.far(node, link);
            }
        }
        hops
    }

    /// The link by which a route goes through a dimension, and how often.
    fn line(self, dimension: usize, from: usize, to: usize) -> (usize, usize) {
        let grid = match self {
            Space::Hypercube(_) => return (dimension, (from ^ to) >> dimension & 1),
            Space::Grid(grid) => grid,
        };
        let [plus, minus] = [2 * dimension, 2 * dimension + 1];
        let [here, there] = [from, to].map(|node| grid.digit(node, dimension));
        if !grid.wraps() {
            let link = if here < there { plus } else { minus };
            return (link, here.abs_diff(there));
        }
        let radix = grid.radix();
        let on = (there + radix - here) % radix;
        match (2 * on).cmp(&radix) {
            std::cmp::Ordering::Less => (plus, on),
            std::cmp::Ordering::Equal if here.is_multiple_of(2) => (plus, on),
            _ => (minus, radix - on),
        }
    }
}
