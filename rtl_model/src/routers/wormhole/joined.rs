//! What the wires of a network join.

use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::irregular::Irregular;
use crate::routers::wormhole::space::Space;

/// Nodes and links.
#[derive(Clone, Debug)]
pub enum Joined {
    /// Those of cube-connected cycles: link 0 of a node is straight, link 1 crosses.
    CubeConnectedCycles(CubeConnectedCycles),
    /// Those of a hypercube, a torus or a mesh.
    Space(Space),
    /// Those that somebody has listed: link `c` of a node is the one of colour `c`.
    Irregular(Irregular),
}

impl Joined {
    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        match self {
            Joined::CubeConnectedCycles(cycles) => cycles.nodes(),
            Joined::Space(space) => space.nodes(),
            Joined::Irregular(network) => network.nodes(),
        }
    }

    /// Directed links that there are, of so many of a node.
    pub fn directed_links(&self, of_node: usize) -> usize {
        match self {
            Joined::Space(Space::Grid(grid)) => grid.wires(),
            Joined::Irregular(network) => network.wires(),
            _ => self.nodes() * of_node,
        }
    }

    /// Bits of an address.
    pub fn address_bits(&self) -> usize {
        match self {
            Joined::Space(space) => space.address_bits(),
            _ => (self.nodes() - 1).ilog2() as usize + 1,
        }
    }

    /// The address of a node, as a number.
    pub fn address(&self, node: usize) -> usize {
        match self {
            Joined::Space(space) => space.address(node),
            _ => node,
        }
    }

    /// The node to which a node's link leads; none where it has no such link.
    pub fn far(&self, node: usize, link: usize) -> Option<usize> {
        match self {
            Joined::CubeConnectedCycles(cycles) => Some(match link {
                0 => cycles.straight(node),
                _ => cycles.cross(node),
            }),
            Joined::Space(space) => space.has_link(node, link).then(|| space.far(node, link)),
            Joined::Irregular(network) => network.far(node, link),
        }
    }

    /// The node whose link leads to a node; none where none does.
    pub fn near(&self, node: usize, link: usize) -> Option<usize> {
        match self {
            Joined::CubeConnectedCycles(cycles) => Some(match link {
                0 => cycles.straight_from(node),
                _ => cycles.cross(node),
            }),
            Joined::Space(space) => {
                // Where the opposite link leads, this one comes from.
                let back = space.opposite(link);
                space.has_link(node, back).then(|| space.far(node, back))
            }
            Joined::Irregular(network) => network.near(node, link),
        }
    }
}
