//! What the wires of a network join, as the fabric needs it.

use std::sync::Arc;

use crate::csv_file::whole;
use crate::language::bit::Bit;
use crate::language::lanes::Lanes;
use crate::machine::topology::cube_connected_cycles as ccc;
use crate::machine::topology::lay::Lay;
use crate::machine::topology::{Labelled, Topology};
use crate::routers::wormhole::joined::Joined;
use crate::routers::wormhole::labels;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::plan::NodePlan;
use crate::routers::wormhole::space::Space;

/// A network as the fabric needs it: its nodes, and what each wire of their links joins.
#[derive(Clone, Debug)]
pub struct Wiring {
    network: Network,
    joined: Joined,
    plan: Arc<NodePlan>,
    /// By wire of the links: its link, and whether it carries credits.
    roles: Arc<[(usize, bool)]>,
    /// How the nodes of a grid or an irregular network lie in lanes.
    lay: Option<Lay>,
}

impl Wiring {
    pub(super) fn new(network: Network, plan: Arc<NodePlan>) -> Self {
        let roles = plan.links.iter().enumerate().flat_map(|(number, link)| {
            let wires = link.wires.data.start..link.wires.end();
            wires.map(move |wire| (number, link.wires.credits.contains(&wire)))
        });
        let joined = network.joined();
        Wiring {
            roles: roles.collect(),
            lay: match joined {
                Joined::CubeConnectedCycles(_) | Joined::Space(Space::Hypercube(_)) => None,
                Joined::Space(Space::Grid(_)) | Joined::Irregular(_) => {
                    let size = (joined.nodes(), plan.links.len(), joined.address_bits());
                    Some(Lay::of(
                        size,
                        |node, link| joined.near(node, link),
                        |node, link| joined.far(node, link),
                        |node, bit| joined.address(node) >> bit & 1 == 1,
                    ))
                }
            },
            joined,
            network,
            plan,
        }
    }

    /// That of a network that has one; others lie as they do in their own layouts.
    #[inline]
    fn lay(&self) -> &Lay {
        // Made with the rest, where there is no other layout.
        self.lay
            .as_ref()
            .unwrap_or_else(|| unreachable!("no layout of nodes in lanes"))
    }

    /// The plan of the nodes.
    pub fn plan(&self) -> &NodePlan {
        &self.plan
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// What its links join.
    pub fn joined(&self) -> &Joined {
        &self.joined
    }

    /// The node to which a node's link leads; the node itself where it has no such link.
    pub fn far(&self, node: usize, link: usize) -> usize {
        self.joined.far(node, link).unwrap_or(node)
    }

    /// Whether a node has a link: in a mesh those at the ends lack one.
    pub fn has_link(&self, node: usize, link: usize) -> bool {
        self.joined.far(node, link).is_some()
    }

    /// The node whose link leads to a node; the node itself where none does.
    pub fn near(&self, node: usize, link: usize) -> usize {
        self.joined.near(node, link).unwrap_or(node)
    }
}

impl Topology for Wiring {
    fn nodes(&self) -> usize {
        self.joined.nodes()
    }

    fn address_bits(&self) -> usize {
        self.joined.address_bits()
    }

    fn address_of<B: Bit>(&self, node: usize) -> Vec<B> {
        let address = self.joined.address(node);
        let bits = (0..self.address_bits()).map(|bit| address >> bit & 1 == 1);
        bits.map(|bit| if bit { B::ONE } else { B::ZERO }).collect()
    }

    fn links(&self) -> usize {
        self.roles.len()
    }

    fn wires_to_host(&self) -> usize {
        self.plan.switches() * self.plan.host_wires().to_host()
    }

    fn wires_from_host(&self) -> usize {
        self.plan.switches() * self.plan.host_wires().from_host()
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
            Joined::Space(Space::Hypercube(_)) => "cube",
            Joined::Space(Space::Grid(grid)) => grid.kind(),
            Joined::Irregular(_) => "network",
        }
    }

    /// In cube-connected cycles `<level>_<column>`, in grids the digits, `<x>_<y>`. The nodes of a second machine beside the first
    /// count the levels on, or the last digit.
    fn node_name(&self, node: usize) -> String {
        match self.joined {
            Joined::CubeConnectedCycles(cycles) => labels::cycle_node(cycles, node),
            Joined::Space(Space::Hypercube(_)) | Joined::Irregular(_) => node.to_string(),
            Joined::Space(Space::Grid(grid)) => labels::grid_node(grid, node),
        }
    }

    fn node_name_fields(&self) -> &'static str {
        match self.joined {
            Joined::Space(Space::Grid(_)) => "digits",
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
            (Joined::Space(Space::Grid(grid)), Some(_)) => grid.node_named(name),
            _ => whole(name),
        };
        node.filter(|node| *node < self.nodes())
    }

    fn node_title(&self, node: usize) -> String {
        let name = self.node_name(node);
        match self.joined {
            Joined::CubeConnectedCycles(cycles) => labels::cycle_title(cycles, node, &name),
            // In one dimension it is called by its number.
            Joined::Irregular(_) => format!("node_{name}"),
            Joined::Space(Space::Grid(grid)) if grid.dimensions() == 1 => format!("node_{name}"),
            Joined::Space(Space::Grid(_)) => format!("node_{name} = number {node}"),
            Joined::Space(Space::Hypercube(_)) => {
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
            (link, false) => self.joined.near(node, link).is_some(),
            // Credits come from where the node's own link leads.
            (link, true) => self.has_link(node, link),
        }
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => ccc::Lay::<B>::of(*cycles).groups(machines),
            Joined::Space(Space::Hypercube(dimensions)) => dimensions.groups::<B>(machines),
            _ => self.lay().groups::<B>(machines),
        }
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => ccc::Lay::<B>::of(*cycles).seat(node),
            Joined::Space(Space::Hypercube(dimensions)) => dimensions.seat::<B>(node),
            _ => (node / B::NODES, node % B::NODES),
        }
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => ccc::Lay::<B>::of(*cycles).node_at(group, place),
            Joined::Space(Space::Hypercube(dimensions)) => dimensions.node_at::<B>(group, place),
            _ => group * B::NODES + place,
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
            Joined::Space(Space::Hypercube(dimensions)) => {
                dimensions.across(wires, driven, (group, wire), link)
            }
            _ => (self.lay()).receive(wires, (driven, group, wire), link, credits),
        }
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B]) {
        match &self.joined {
            Joined::CubeConnectedCycles(cycles) => {
                ccc::Lay::<B>::of(*cycles).address(group, address);
            }
            Joined::Space(Space::Hypercube(dimensions)) => {
                dimensions.address(group, before, address)
            }
            _ => self.lay().address(group, address),
        }
    }
}
