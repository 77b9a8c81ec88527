//! Which nodes there are, and which are neighbours (section 1.3).

use super::Violation;

/// The largest network of the models has `2^MOST_BITS` nodes.
pub const MOST_BITS: usize = 24;

/// The parameters of a reduced hypercube RH(k, n).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// A building block is a cube of this many dimensions: at least `n`.
    pub k: usize,
    /// A building block has `2^n` subblocks. `n` is at least 1.
    pub n: usize,
}

impl Shape {
    /// The dimensions of the cube of building blocks, which are as many as there are subblocks: `2^n`.
    #[must_use]
    pub fn subblocks(self) -> usize {
        1 << self.n
    }

    /// The dimensions of a subblock.
    #[must_use]
    pub fn low_bits(self) -> usize {
        self.k - self.n
    }

    /// The bits of an address.
    #[must_use]
    pub fn address_bits(self) -> usize {
        self.k + self.subblocks()
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(self) -> usize {
        1 << self.address_bits()
    }

    /// How many building blocks there are.
    #[must_use]
    pub fn blocks(self) -> usize {
        1 << self.subblocks()
    }

    /// The building block that a node is in.
    #[must_use]
    pub fn block(self, node: usize) -> usize {
        node >> self.k
    }

    /// The subblock that a node is in.
    #[must_use]
    pub fn subblock(self, node: usize) -> usize {
        (node >> self.low_bits()) % self.subblocks()
    }

    /// The low bits of an address.
    #[must_use]
    pub fn low(self, node: usize) -> usize {
        node % (1 << self.low_bits())
    }

    /// The node with these fields.
    #[must_use]
    pub fn node(self, block: usize, subblock: usize, low: usize) -> usize {
        (block << self.k) + (subblock << self.low_bits()) + low
    }

    /// The dimensions to cross one after the other in order to get from one subblock to another of the same
    /// building block, lowest first.
    pub(super) fn path(self, from: usize, to: usize) -> Vec<usize> {
        let differ = |bit: &usize| ((from ^ to) >> bit) % 2 == 1;
        (0..self.n)
            .filter(differ)
            .map(|bit| self.low_bits() + bit)
            .collect()
    }

    /// Refuses what there is not.
    pub(super) fn exists(self) -> Result<(), Violation> {
        let Shape { k, n } = self;
        if n >= 1 && n <= k && n < 5 && self.address_bits() <= MOST_BITS {
            Ok(())
        } else {
            Err(Violation::NoSuchShape { k, n })
        }
    }
}

/// A network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// A reduced hypercube.
    Reduced(Shape),
    /// The hypercube with all its links.
    Full {
        /// Its dimensions: 1 to [`MOST_BITS`].
        dims: usize,
    },
}

impl Network {
    /// The bits of an address.
    #[must_use]
    pub fn address_bits(self) -> usize {
        match self {
            Network::Reduced(shape) => shape.address_bits(),
            Network::Full { dims } => dims,
        }
    }

    /// How many nodes there are.
    #[must_use]
    pub fn nodes(self) -> usize {
        1 << self.address_bits()
    }

    /// How many wires a node has.
    #[must_use]
    pub fn wires(self) -> usize {
        match self {
            Network::Reduced(shape) => shape.k + 1,
            Network::Full { dims } => dims,
        }
    }

    /// The dimensions of the cubes that are complete and as large as can be: the building blocks, or all.
    #[must_use]
    pub fn cube_dims(self) -> usize {
        match self {
            Network::Reduced(shape) => shape.k,
            Network::Full { dims } => dims,
        }
    }

    /// The node at the other end of a wire.
    #[must_use]
    pub fn neighbour(self, node: usize, wire: usize) -> usize {
        match self {
            Network::Reduced(shape) if wire == shape.k => {
                node ^ (1 << (shape.k + shape.subblock(node)))
            }
            _ => node ^ (1 << wire),
        }
    }

    /// Refuses what there is not.
    pub(super) fn exists(self) -> Result<(), Violation> {
        match self {
            Network::Reduced(shape) => shape.exists(),
            Network::Full { dims } if (1..=MOST_BITS).contains(&dims) => Ok(()),
            Network::Full { dims } => Err(Violation::Dims { dims }),
        }
    }
}
