//! A machine of wormhole routers. It has no sequencer: worms set their own pace, and the host talks
//! over wires.

use std::sync::{Arc, OnceLock};

use crate::closed_form;
use crate::error::Error;
use crate::language::bit::{Bit, Strobe};
use crate::language::lanes::Lanes;
use crate::machine::fabric::Fabric;
use crate::machine::host::Field;
use crate::machine::router::{Machine, Unsequenced};
use crate::routers::wormhole::dependencies::Dependencies;
use crate::routers::wormhole::leads::Leads;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::node::{Stall, WormholeNode};
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::pieces::Pieces;
use crate::routers::wormhole::plan::NodePlan;
use crate::routers::wormhole::silence::{NoSequencer, Silence};
use crate::routers::wormhole::wiring::Wiring;

/// A node's routing table, entry by entry, bit 0 first: what its host writes before bit time 0.
pub const TABLE: Field = Field("table");

/// The machine.
#[derive(Clone, Debug)]
pub struct WormholeMachine {
    wiring: Wiring,
    plan: Arc<NodePlan>,
    leads: Arc<Leads>,
    parameters: Parameters,
    pieces: Pieces,
    /// Made when somebody asks.
    dependencies: Arc<OnceLock<Dependencies>>,
}

impl WormholeMachine {
    /// Of a network.
    ///
    /// # Errors
    /// Virtual channels or buffers out of range.
    pub fn new(network: Network, parameters: Parameters) -> Result<Self, Error> {
        let plan = Arc::new(network.plan(parameters)?);
        Ok(WormholeMachine {
            wiring: Wiring::new(network, Arc::clone(&plan)),
            leads: Arc::new(Leads::of(&plan)),
            plan,
            parameters,
            pieces: Pieces::default(),
            dependencies: Arc::default(),
        })
    }

    /// The same, whose hosts cut messages so.
    #[must_use]
    pub fn with_pieces(self, pieces: Pieces) -> Self {
        WormholeMachine { pieces, ..self }
    }

    /// How its hosts cut messages.
    pub fn cut(&self) -> Pieces {
        self.pieces
    }

    /// The network.
    pub fn network(&self) -> &Network {
        self.wiring.network()
    }

    /// The network and its wires, without a copy.
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// So many of these machines side by side, with their routing tables.
    ///
    /// # Errors
    /// Those of [`Fabric::new`].
    pub fn fabric<B: Lanes>(self, machines: usize) -> Result<Fabric<Self, B>, Error> {
        let network = self.network().clone();
        let mut fabric = Fabric::<_, B>::new(self, machines)?;
        if let Network::TableRouted(routed) = network {
            let nodes = routed.network.nodes();
            for (group, node) in fabric.node_groups_mut().iter_mut().enumerate() {
                for (number, register) in node.table_bits().enumerate() {
                    for place in 0..B::NODES {
                        let node = (group * B::NODES + place) % nodes;
                        register.set(place, routed.table_bit(node, number));
                    }
                }
            }
        }
        Ok(fabric)
    }

    pub(super) fn leads(&self) -> &Leads {
        &self.leads
    }

    /// What its nodes are built from.
    pub fn plan(&self) -> &NodePlan {
        &self.plan
    }

    /// Which channels wait for which: of one copy, since copies share no channel.
    pub fn dependencies(&self) -> &Dependencies {
        let virtual_channels = self.parameters.virtual_channels;
        self.dependencies.get_or_init(|| {
            (self.network()).with(|structure| structure.dependencies(virtual_channels))
        })
    }

    /// The fewest virtual channels with which no traffic deadlocks this network.
    pub fn virtual_channels_without_deadlock(&self) -> Option<usize> {
        if let Network::Direct(direct) = self.network() {
            return Some(direct.enough_channels());
        }
        if let Network::TableRouted(routed) = self.network() {
            // More channels of a class do not open a circle.
            let is_free = self.dependencies().deadlock().is_none();
            return is_free.then(|| routed.routes.classes());
        }
        (self.network()).with(|structure| {
            let mut counts = structure.virtual_channels();
            counts.find(|&count| structure.dependencies(count).deadlock().is_none())
        })
    }

    /// The closed form of a node's storage, in bits: its text, in `b` bits of a buffer, and its
    /// value.
    pub fn storage_bits(&self) -> (String, usize) {
        let plan = &self.plan;
        let parameters = self.parameters;
        let (mut text, size) =
            (self.network()).with(|structure| structure.storage_bits(parameters));
        if self.parameters.weak_switch {
            let setup = plan.switches() * plan.switch.outputs.len() - 1;
            text += &format!("+{setup}");
        }
        let mut letters = size;
        letters.push(("b", parameters.buffer_bits as u64));
        if parameters.wire_bits > 1 {
            // The further bits of the flits that buffers hold, and those of addresses.
            text += match plan.switch.addressed {
                Some(_) => "+(W-1)I(b+a)",
                None => "+(W-1)Ib",
            };
            let channels = plan.switches() * plan.switch.inputs.len() + plan.relays.len();
            letters.extend([("W", parameters.wire_bits as u64), ("I", channels as u64)]);
        }
        let value = closed_form::whole_value(&text, &letters);
        (text, value as usize)
    }

    /// How they are built.
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }
}

impl Machine for WormholeMachine {
    type Topology = Wiring;
    type Broadcast<S: Strobe> = Silence;
    type Node<B: Bit> = WormholeNode<B>;
    type Sequencer<S: Strobe> = NoSequencer<S>;

    fn topology(&self) -> Wiring {
        self.wiring.clone()
    }

    fn node<B: Bit>(&self) -> WormholeNode<B> {
        WormholeNode::new(&self.plan)
    }

    fn sequencer<S: Strobe>(&self) -> NoSequencer<S> {
        NoSequencer::default()
    }

    /// The routing table, if nodes have one.
    fn host_writes<B: Bit>(
        &self,
        node: &mut WormholeNode<B>,
        port: &mut dyn FnMut(Field, usize, &mut B),
    ) {
        for (number, register) in node.table_bits().enumerate() {
            port(TABLE, number, register);
        }
    }
}

/// The causes for which a bit that lies in front does not move on, by channel; see
/// [`WormholeNode::stalls`].
impl Unsequenced for WormholeMachine {
    const TALLIES: usize = Stall::ALL.len();

    fn tallies<B: Bit>(
        &self,
        node: &WormholeNode<B>,
        address: &[B],
        count: &mut impl FnMut(usize, B),
    ) {
        node.stalls(address, &mut |stall, flag| count(stall as usize, flag));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::copies::Copies;
    use crate::machine::meter::Storage;
    use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
    use crate::machine::topology::grid::Grid;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::machine::topology::irregular::Irregular;
    use crate::routers::wormhole::networks::butterflies::vertices::Butterflies;
    use crate::routers::wormhole::networks::direct::{Direct, Routing};
    use crate::routers::wormhole::networks::irregular::TableRouted;
    use crate::routers::wormhole::networks::irregular::routes::Routes;
    use crate::routers::wormhole::space::Space;

    #[test]
    fn storage_is_its_closed_form() {
        let mut networks: Vec<Network> = (2..=6)
            .map(|levels| Network::CubeConnectedCycles(CubeConnectedCycles::new(levels).unwrap()))
            .collect();
        for levels in [2, 4, 8, 16] {
            networks.extend((1..=levels).map(|used| Network::Copies {
                copies: Copies::new(levels).unwrap(),
                used,
            }));
        }
        networks
            .extend([2, 4].map(|levels| Network::Butterflies(Butterflies::new(levels).unwrap())));
        let mut spaces: Vec<Space> = [1, 2, 3, 6, 11, 20]
            .map(|k| Space::Hypercube(Dimensions::new(k).unwrap()))
            .to_vec();
        for (radix, dimensions) in [(3, 1), (4, 1), (8, 2), (5, 3), (4, 4)] {
            spaces.extend(
                [false, true]
                    .map(|wraps| Space::Grid(Grid::new(radix, dimensions, wraps).unwrap())),
            );
        }
        for space in spaces {
            let routings = [
                Routing::Order,
                Routing::Valiant { seed: 1 },
                Routing::Adaptive,
            ];
            networks.extend(routings.map(|routing| Network::Direct(Direct { space, routing })));
        }
        // Of 3 colours, of nodes 2 to 20, with classes and without.
        for (nodes, classes) in [(2, 1), (4, 2), (9, 1), (20, 3)] {
            let ring = (0..nodes)
                .flat_map(|node| [(node, (node + 1) % nodes), ((node + 1) % nodes, node)]);
            let mut links: Vec<(usize, usize)> = ring.collect();
            links.sort_unstable();
            links.dedup();
            let network = Irregular::new(nodes, &links).unwrap();
            let entries = (0..nodes).flat_map(|node| (0..nodes).map(move |to| (node, to)));
            let entries = entries.filter(|(node, to)| node != to);
            let entries = entries.map(|(node, to)| (node, to, (node + 1) % nodes, to % classes));
            let routes = Routes::from_table(&network, entries).unwrap();
            networks.push(Network::TableRouted(TableRouted::by_tables(
                "",
                network,
                (routes, ""),
            )));
        }
        for network in networks {
            let channels = network.with(|structure| structure.virtual_channels());
            for virtual_channels in channels {
                for (buffer_bits, wire_bits) in [(1, 1), (2, 1), (5, 1), (2, 3), (1, 8)] {
                    for weak_switch in [false, true] {
                        let parameters = Parameters {
                            virtual_channels,
                            buffer_bits,
                            wire_bits,
                            weak_switch,
                        };
                        let machine = WormholeMachine::new(network.clone(), parameters).unwrap();
                        let storage = Storage::of::<bool>(&machine.node::<bool>());
                        let (text, bits) = machine.storage_bits();
                        assert_eq!(storage.total, bits, "{text} {network:?} {parameters:?}");
                    }
                }
            }
        }
    }
}
