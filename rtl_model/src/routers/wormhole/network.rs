//! The three networks, and the headers that lead through them.

use crate::embedding::copies::Copies;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::hypercube::Dimensions;

/// A network of wormhole routers.
#[derive(Clone, Debug)]
pub enum Network {
    /// One machine of `n 2^n` nodes.
    CubeConnectedCycles(CubeConnectedCycles),
    /// The first `used` of the `n` copies of it in a hypercube (Greenberg and Bhatt 1990, Theorem
    /// 3).
    Copies {
        /// All of them.
        copies: Copies,
        /// So many have routers, 1 to `n`.
        used: usize,
    },
    /// The same hypercube, in order of dimensions.
    ECube(Dimensions),
}

/// How the routers are built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters {
    /// Virtual channels of a straight link, 1 to 3; a cross link has two of them at the most. A
    /// dimension-order router has one.
    pub virtual_channels: usize,
    /// Places of each channel's buffer.
    pub buffer_bits: usize,
    /// At most one new connection in a node in a bit time (weak switch), in place of any number
    /// (strong switch).
    pub weak_switch: bool,
}

/// The largest buffer of a channel, in bits.
pub const MAX_BUFFER_BITS: usize = 64;
/// A worm in cube-connected cycles crosses the dateline twice at the most.
pub const MAX_VIRTUAL_CHANNELS: usize = 3;

impl Network {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        match self {
            Network::CubeConnectedCycles(cycles) => cycles.nodes(),
            Network::Copies { copies, .. } => copies.dimensions().nodes(),
            Network::ECube(dimensions) => dimensions.nodes(),
        }
    }

    /// Switches of a node: into so many pieces a message is split.
    pub fn switches(&self) -> usize {
        match self {
            Network::Copies { used, .. } => *used,
            _ => 1,
        }
    }

    /// The level at which a switch of a node stands; 0 in dimension order, which has none.
    pub fn level(&self, switch: usize, node: usize) -> usize {
        match self {
            Network::CubeConnectedCycles(cycles) => cycles.level(node),
            Network::Copies { copies, .. } => copies.unmap(switch, node).0,
            Network::ECube(_) => 0,
        }
    }

    /// The header of a worm from node to node, by way of a switch; its first bit is sent first.
    pub fn header(&self, switch: usize, source: usize, destination: usize) -> Vec<bool> {
        match self {
            Network::CubeConnectedCycles(cycles) => cycles
                .header(source, destination)
                .iter()
                .by_vals()
                .collect(),
            Network::Copies { copies, .. } => {
                let cycles = copies.network();
                let vertex = |node| {
                    let (level, column) = copies.unmap(switch, node);
                    cycles.node(level, column)
                };
                let header = cycles.header(vertex(source), vertex(destination));
                header.iter().by_vals().collect()
            }
            Network::ECube(dimensions) => (0..dimensions.count())
                .map(|dimension| (source ^ destination) >> dimension & 1 == 1)
                .collect(),
        }
    }
}
