//! Direct networks: hypercubes, tori and meshes, with three ways to route on them.
//!
//! *Order of dimensions*: a worm corrects one dimension after the other, 0 first; on a torus the shorter way round. Its header
//! answers at each channel whether it goes on by this link, or asks about the next one.
//!
//! *Valiant*: the same twice, to a node drawn at random and from there on, so that no permutation crowds a link (Valiant 1982, A
//! scheme for fast parallel communication; Greenberg and Bhatt 1990, section 7, counts it among the randomized algorithms that it
//! speeds up).
//!
//! *Adaptive*: by any link that brings it nearer and is free; where none is, by an *escape* channel in order of dimensions (Duato
//! 1993). Its header is the address of its destination.
//!
//! # Virtual channels
//!
//! The channels of a link are divided into classes, channel `v` of class `v mod C`; a worm takes any of a class. What keeps a circle
//! from closing:
//!
//! ```text
//!   order     hypercube, mesh   one class: dimensions only grow
//!             torus             two: a worm that has come over the wrap of a dimension goes on in class 1
//!   Valiant   hypercube, mesh   two: the phases
//!             torus             four: phases times wraps
//!   adaptive  hypercube, mesh   the last channel is the escape
//!             torus             the last two: whether the wrap is still ahead, or not any more
//! ```
//!
//! With fewer channels there are fewer classes, and worms may wait for each other in a circle.

use crate::routers::wormhole::space::Space;

pub mod adaptive;
pub mod channels;
pub mod dependencies;
pub mod ordered;
mod storage;
mod structure;
#[cfg(test)]
mod tests;

/// The most virtual channels of a link.
pub const MAX_VIRTUAL_CHANNELS: usize = 8;

/// The most dimensions of a hypercube.
pub const MAX_CUBE: usize = 20;

/// The most channels of all links of a node.
pub const MAX_CHANNELS: usize = 64;

/// How worms are routed on a direct network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// In order of dimensions.
    Order,
    /// Twice, by way of a node drawn at random.
    Valiant {
        /// From which intermediate nodes are drawn.
        seed: u64,
    },
    /// By any link that brings a worm nearer.
    Adaptive,
}

impl Routing {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Routing::Order => "order",
            Routing::Valiant { .. } => "valiant",
            Routing::Adaptive => "adaptive",
        }
    }
}

/// The network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direct {
    /// Its nodes and links.
    pub space: Space,
    /// How worms go over them.
    pub routing: Routing,
}

impl Direct {
    /// The fewest virtual channels with which no traffic deadlocks.
    pub fn enough_channels(self) -> usize {
        // Up to radix 4 no route goes over two links in a row from any node that would close a ring: half way round is two
        // links, which half of the nodes go each way.
        let has_rings = matches!(self.space, Space::Grid(grid) if grid.wraps() && grid.radix() > 4);
        let is_line = self.space.dimensions() == 1
            && !matches!(self.space, Space::Grid(grid) if grid.wraps() && grid.radix() > 3);
        match (self.routing, has_rings) {
            (Routing::Order, false) => 1,
            (Routing::Order, true) | (Routing::Valiant { .. }, false) => 2,
            (Routing::Adaptive, _) if is_line => 1,
            (Routing::Valiant { .. }, true) => 4,
            (Routing::Adaptive, false) => 2,
            (Routing::Adaptive, true) => 3,
        }
    }

    /// The most virtual channels of a link.
    pub fn most_channels(self) -> usize {
        (MAX_CHANNELS / self.space.links()).min(MAX_VIRTUAL_CHANNELS)
    }
}
