//! Channels, by name.

use std::fmt;

use crate::language::register::Name;
use crate::machine::topology::cube_connected_cycles::{CubeConnectedCycles, Direction};
use crate::machine::topology::grid::Grid;
use crate::machine::topology::hypercube::neighbour;
use crate::routers::wormhole::labels::grid_node;
use crate::routers::wormhole::space::Space;

/// A virtual channel of a link. It displays as `<from> -<link>/<virtual channel>-> <to>`, nodes of
/// the cube-connected cycles as `<level>_<column>`, of a grid as `<x>_<y>`, a link of the hypercube as `dim_<dimension>`; of a lane, what sends stands in the place of the virtual
/// channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// Of the cube-connected cycles.
    CubeConnectedCycles {
        /// Which.
        network: CubeConnectedCycles,
        /// The node that the link leaves.
        from: usize,
        /// Which link of the node.
        direction: Direction,
        /// From 0.
        virtual_channel: usize,
    },
    /// Of the hypercube.
    Hypercube {
        /// The node that the link leaves.
        from: usize,
        /// The dimension that it crosses.
        dimension: usize,
        /// From 0.
        virtual_channel: usize,
    },
    /// Of a torus or a mesh.
    Grid {
        /// Which.
        grid: Grid,
        /// The node that the link leaves.
        from: usize,
        /// Which link of the node.
        link: usize,
        /// The class of the channel.
        virtual_channel: usize,
    },
    /// Of an irregular network.
    Irregular {
        /// The node that the link leaves.
        from: usize,
        /// The node to which it leads.
        to: usize,
        /// Its colour.
        colour: usize,
        /// The class of the channel.
        class: usize,
    },
    /// Of a lane in `X(butterfly)`.
    Lane {
        /// The node that the link leaves.
        from: usize,
        /// The dimension that it crosses.
        dimension: usize,
        /// The output channel or relay that sends over it.
        sender: Name,
    },
}

impl Channel {
    /// The node that the link leaves.
    pub fn from(&self) -> usize {
        match *self {
            Channel::CubeConnectedCycles { from, .. }
            | Channel::Hypercube { from, .. }
            | Channel::Grid { from, .. }
            | Channel::Irregular { from, .. }
            | Channel::Lane { from, .. } => from,
        }
    }

    /// The node to which the link leads.
    pub fn to(&self) -> usize {
        match *self {
            Channel::CubeConnectedCycles {
                network,
                from,
                direction,
                ..
            } => network.end(from, direction),
            Channel::Grid {
                grid, from, link, ..
            } => grid.far(from, link),
            Channel::Irregular { to, .. } => to,
            Channel::Hypercube {
                from, dimension, ..
            }
            | Channel::Lane {
                from, dimension, ..
            } => neighbour(from, dimension),
        }
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from(), self.to());
        match self {
            Channel::CubeConnectedCycles {
                network,
                direction,
                virtual_channel,
                ..
            } => {
                let place = |node| format!("{}_{}", network.level(node), network.column(node));
                let direction = match direction {
                    Direction::Straight => "straight",
                    Direction::Cross => "cross",
                };
                let (from, to) = (place(from), place(to));
                write!(formatter, "{from} -{direction}/{virtual_channel}-> {to}")
            }
            Channel::Hypercube {
                dimension,
                virtual_channel,
                ..
            } => {
                write!(
                    formatter,
                    "{from} -dim_{dimension}/{virtual_channel}-> {to}"
                )
            }
            Channel::Grid {
                grid,
                link,
                virtual_channel,
                ..
            } => {
                let [from, to] = [from, to].map(|node| grid_node(*grid, node));
                let link = Space::Grid(*grid).link_name(*link);
                write!(formatter, "{from} -{link}/{virtual_channel}-> {to}")
            }
            Channel::Irregular { colour, class, .. } => {
                write!(formatter, "{from} -link_{colour}/{class}-> {to}")
            }
            Channel::Lane {
                dimension, sender, ..
            } => write!(formatter, "{from} -dim_{dimension}/{sender}-> {to}"),
        }
    }
}
