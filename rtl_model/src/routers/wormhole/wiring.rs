//! What the wires of a network join, as the fabric needs it.

use std::sync::Arc;

use crate::csv_file::whole;
use crate::language::bit::Bit;
use crate::language::lanes::Lanes;
use crate::machine::topology::cube_connected_cycles as ccc;
use crate::machine::topology::grid;
use crate::machine::topology::hypercube::neighbour;
use crate::machine::topology::{Labelled, Topology};
use crate::routers::wormhole::labels;
use crate::routers::wormhole::network::{Joined, Network};
use crate::routers::wormhole::plan::{Plan, host_wires};

/// A network as the fabric needs it: its nodes, and what each wire of their links joins.
#[derive(Clone, Debug)]
pub struct Wiring {
    network: Network,
    joined: Joined,
    plan: Arc<Plan>,
    /// By wire of the links: its link, and whether it carries credits.
    roles: Arc<[(usize, bool)]>,
    /// How the nodes of a grid lie in lanes.
    lay: Option<grid::Lay>,
}

impl Wiring {
    pub(super) fn new(network: Network, plan: Arc<Plan>) -> Self {
        let roles = plan.links.iter().enumerate().flat_map(|(number, link)| {
            let wires = link.wires.data..link.wires.end();
            wires.map(move |wire| (number, link.wires.credits.contains(&wire)))
        });
        Wiring {
            roles: roles.collect(),
            lay: match network.joined() {
                Joined::Grid(grid) => Some(grid::Lay::of(grid)),
                _ => None,
            },
            joined: network.joined(),
            network,
            plan,
        }
    }

    /// The plan of the nodes.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The node to which a node's link leads.
    pub fn far(&self, node: usize, link: usize) -> usize {
        match self.joined {
            Joined::CubeConnectedCycles(cycles) => match link {
                0 => cycles.straight(node),
                _ => cycles.cross(node),
            },
            Joined::Hypercube(_) => neighbour(node, link),
            Joined::Grid(grid) => grid.far(node, link),
        }
    }

    /// The address of a node, as a number.
    pub fn address_number(&self, node: usize) -> usize {
        match self.joined {
            Joined::Grid(grid) => grid.address(node),
            _ => node,
        }
    }

    /// Whether a node has a link: in a mesh those at the ends lack one.
    pub fn has_link(&self, node: usize, link: usize) -> bool {
        match self.joined {
            Joined::Grid(grid) => grid.has_link(node, link),
            _ => true,
        }
    }

    /// The node whose link leads to a node.
    pub fn near(&self, node: usize, link: usize) -> usize {
        match self.joined {
            Joined::CubeConnectedCycles(cycles) => match link {
                0 => cycles.straight_from(node),
                _ => cycles.cross(node),
            },
            Joined::Hypercube(_) => neighbour(node, link),
            Joined::Grid(grid) => grid.near(node, link),
        }
    }
}

impl Topology for Wiring {
    fn nodes(&self) -> usize {
        self.network.nodes()
    }

    fn address_bits(&self) -> usize {
        match self.joined {
            Joined::Grid(grid) => grid.address_bits(),
            _ => (self.nodes() - 1).ilog2() as usize + 1,
        }
    }

    fn address_of<B: Bit>(&self, node: usize) -> Vec<B> {
        let address = self.address_number(node);
        let bits = (0..self.address_bits()).map(|bit| address >> bit & 1 == 1);
        bits.map(|bit| if bit { B::ONE } else { B::ZERO }).collect()
    }

    fn links(&self) -> usize {
        self.roles.len()
    }

    fn wires_to_host(&self) -> usize {
        self.plan.switches() * host_wires::TO_HOST
    }

    fn wires_from_host(&self) -> usize {
        self.plan.switches() * host_wires::FROM_HOST
    }

    fn describe(&self, wire: usize) -> String {
        match self.roles.get(wire) {
            None => "to its host".to_owned(),
            Some((link, credits)) => {
                let credits = if *credits { ", credits" } else { "" };
                format!("on link {}{credits}", self.plan.links[*link].name)
            }
        }
    }

    fn machine_name(&self) -> &'static str {
        match self.joined {
            Joined::CubeConnectedCycles(_) => "ccc",
            Joined::Hypercube(_) => "cube",
            Joined::Grid(grid) => grid.kind(),
        }
    }

    /// In cube-connected cycles `<level>_<column>`, in grids the digits, `<x>_<y>`. The nodes of a second machine beside the first
    /// count the levels on, or the last digit.
    fn node_name(&self, node: usize) -> String {
        match self.joined {
            Joined::CubeConnectedCycles(cycles) => labels::cycle_node(cycles, node),
            Joined::Hypercube(_) => node.to_string(),
            Joined::Grid(grid) => labels::grid_node(grid, node),
        }
    }

    fn node_name_fields(&self) -> &'static str {
        match self.joined {
            Joined::Grid(_) => "digits",
            _ => "level and column",
        }
    }

    fn node_named(&self, name: &str) -> Option<usize> {
        let node = match (&self.joined, name.split_once('_')) {
            (Joined::CubeConnectedCycles(cycles), Some((level, column))) => {
                let (level, column) = (whole(level)?, whole(column)?);
                (level < cycles.levels() && column < cycles.columns())
                    .then(|| cycles.node(level, column))
            }
            (Joined::Grid(grid), Some(_)) => grid.node_named(name),
            _ => whole(name),
        };
        node.filter(|node| *node < self.nodes())
    }

    fn node_title(&self, node: usize) -> String {
        let name = self.node_name(node);
        match self.joined {
            Joined::CubeConnectedCycles(cycles) => labels::cycle_title(cycles, node, &name),
            // In one dimension it is called by its number.
            Joined::Grid(grid) if grid.dimensions() == 1 => format!("node_{name}"),
            Joined::Grid(_) => format!("node_{name} = number {node}"),
            Joined::Hypercube(_) => {
                let width = self.address_bits();
                format!("node_{name} = {node:0width$b}")
            }
        }
    }

    fn labelled(&self) -> Vec<Labelled> {
        labels::of(&self.plan)
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        match self.roles[wire] {
            (link, false) => self.near(node, link),
            (link, true) => self.far(node, link),
        }
    }

    fn is_there(&self, node: usize, wire: usize) -> bool {
        match self.roles[wire] {
            (link, false) => self.has_link(self.near(node, link), link),
            // Credits come from where the node's own link leads.
            (link, true) => self.has_link(node, link),
        }
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => ccc::Lay::<B>::of(*cycles).groups(machines),
            Joined::Hypercube(dimensions) => dimensions.groups::<B>(machines),
            Joined::Grid(grid) => (machines * grid.nodes()).div_ceil(B::NODES),
        }
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => ccc::Lay::<B>::of(*cycles).seat(node),
            Joined::Hypercube(dimensions) => dimensions.seat::<B>(node),
            Joined::Grid(_) => (node / B::NODES, node % B::NODES),
        }
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => ccc::Lay::<B>::of(*cycles).node_at(group, place),
            Joined::Hypercube(dimensions) => dimensions.node_at::<B>(group, place),
            Joined::Grid(_) => group * B::NODES + place,
        }
    }

    #[inline]
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        let (link, credits) = self.roles[wire];
        let driven = self.driven();
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => {
                let lay = ccc::Lay::<B>::of(*cycles);
                match (link, credits) {
                    (0, false) => wires[lay.before(group) * driven + wire],
                    (0, true) => wires[lay.behind(group) * driven + wire],
                    _ => {
                        let level = lay.level(group);
                        match lay.crossed(group) {
                            None => wires[group * driven + wire].across(level),
                            Some(other) => wires[other * driven + wire],
                        }
                    }
                }
            }
            Joined::Hypercube(dimensions) => dimensions.across(wires, driven, (group, wire), link),
            Joined::Grid(_) => {
                let at = (driven, group, wire);
                (self.lay.as_ref()).map_or(B::ZERO, |lay| lay.receive(wires, at, link, credits))
            }
        }
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B]) {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => {
                ccc::Lay::<B>::of(*cycles).address(group, address);
            }
            Joined::Hypercube(dimensions) => dimensions.address(group, before, address),
            Joined::Grid(_) => {
                if let Some(lay) = &self.lay {
                    lay.address(group, address);
                }
            }
        }
    }
}
