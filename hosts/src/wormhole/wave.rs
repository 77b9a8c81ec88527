//! What a waveform of wormhole routers shows beside wires and registers: how many bits a node holds, and which worm each input
//! channel is given to.
//!
//! A worm is called `<source>-><destination>`, by the names that the network gives its nodes; where messages go
//! in pieces, with `/<copy>` behind it. That is the tracker's knowledge: the nodes know no worms. A channel is a worm's
//! from the bit time on in which the output channel that feeds it is connected (the injection channel: in which the
//! host sends the first bit) and until the tail has left it, so before and between its bits too.

use std::fmt::Write;
use std::ops::Deref;

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Tally;
use rtl_model::machine::router::Position;
use rtl_model::machine::shown::Told;
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::bit_buffer::BitBuffer;
use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::direct::Routing;
use rtl_model::routers::wormhole::networks::irregular::{SHORTEST, UP_DOWN};
use rtl_model::routers::wormhole::node::WormholeNode;
use rtl_model::routers::wormhole::route::ChannelId;
use rtl_model::routers::wormhole::space::Space;
use waves::probe::{About, Remark, Subject};

use crate::wormhole::engine::Engine;
use crate::wormhole::machine_lanes::MachineLanes;

/// By place of the buffers of a group's nodes, those of their input channels and of their relays: there is a bit. Likewise by place of
/// an address in the channels that have one.
fn held<B: Lanes>(group: &WormholeNode<B>) -> impl Iterator<Item = B> {
    fn in_buffer<B: Lanes>(buffer: &BitBuffer<B>) -> impl Iterator<Item = B> {
        (0..buffer.places()).map(|place| buffer.holds(place))
    }
    let inputs = group.switches().iter().flat_map(|switch| {
        let inputs = 0..switch.plan().inputs.len();
        inputs.map(|input| switch.input(input))
    });
    let of_inputs = inputs.flat_map(|input| {
        let header = input.header().iter().copied();
        in_buffer(input.buffer()).chain(header)
    });
    let relays = group.relays().iter();
    of_inputs.chain(relays.flat_map(|relay| in_buffer(relay.buffer())))
}

/// A machine of worms, as somebody sees it who looks on.
pub struct Observed<'a, B: MachineLanes>(pub &'a Engine<B>);

impl<B: MachineLanes> Deref for Observed<'_, B> {
    type Target = Engine<B>;

    fn deref(&self) -> &Engine<B> {
        self.0
    }
}

impl<B: MachineLanes> Subject for Observed<'_, B> {
    fn simulation(&self) -> &dyn Simulation {
        B::simulation(&self.fabric)
    }

    /// Bits in the buffers of all its input channels and relays, headers among them; and of addresses that channels have read and not
    /// sent on.
    fn occupied_bits(&self, node: usize, _after: Option<Position>) -> u32 {
        let (group, lane) = self.fabric.node(node);
        let held = held(group);
        let flits = held.filter(|flit| flit.get(lane)).count();
        (flits * self.fabric.router().plan().wire_bits) as u32
    }

    fn append_occupied_bits(
        &self,
        _seats: &[usize],
        _after: Option<Position>,
        occupied: &mut Vec<u32>,
    ) {
        let wire_bits = self.fabric.router().plan().wire_bits as u32;
        let mut flits = Tally::<B>::new(usize::MAX);
        for group in self.fabric.node_groups() {
            flits.clear();
            held(group).for_each(|flit| flits.add(flit, wire_bits));
            flits.append_sums(occupied);
        }
    }

    fn about(&self) -> String {
        let title = self.title();
        format!(
            "{title}: messages are worms of bits behind a header, and wait where another holds the channel"
        )
    }

    fn legend(&self) -> Vec<String> {
        let network = self.fabric.router().network();
        let flit = match self.fabric.router().plan().wire_bits {
            1 => "a bit".to_owned(),
            bits => format!("a flit of {bits} bits"),
        };
        let mut phrases = vec![format!("rx_valid, tx_valid: {flit} is on the link")];
        if network.has_pieces() {
            phrases.push(
                "0->37/2 = its piece over copy 2 of the cube-connected cycles in the hypercube"
                    .to_owned(),
            );
        }
        if let Network::Butterflies(_) = network {
            phrases.push(
                "a hop goes over 3 or 4 wires, by relays in nodes between its ends".to_owned(),
            );
        }
        phrases
    }

    fn followed(&self) -> Vec<Told> {
        match self.followed {
            Some(_) => self.texts_of_followed(),
            None => Vec::new(),
        }
    }

    fn append_followed(&self, number: usize, text: &mut String) {
        self.append_of_followed(number, text);
    }

    /// For each input channel, switch by switch, and for each relay whose it is; for each link whose bits go out and whose come
    /// in; and for each input channel once more, whom its worm waits for.
    fn remarks(&self) -> Vec<Remark> {
        let plan = self.fabric.router().plan();
        let switches = plan.switches();
        let longest = longest_worm_name(&self.fabric);
        let remark = move |module: Vec<String>, name: &str| Remark {
            module,
            name: name.to_owned(),
            longest,
        };
        let of_inputs = |name: &'static str| {
            (0..switches).flat_map(move |switch| {
                plan.switch.inputs.iter().map(move |input| {
                    let outside = (switches > 1).then(|| format!("switch_{switch}"));
                    let module = outside.into_iter().chain([input.name.to_string()]);
                    remark(module.collect(), name)
                })
            })
        };
        let relays = plan.relays.iter();
        let of_relays = relays.map(|relay| remark(vec![relay.name.to_string()], "worm"));
        let of_links = plan.links.iter().flat_map(|link| {
            ["tx_worm", "rx_worm"].map(|name| remark(vec![link.name.to_string()], name))
        });
        of_inputs("worm")
            .chain(of_relays)
            .chain(of_links)
            .chain(of_inputs("waits_for"))
            .collect()
    }

    /// The worm, by number, from 1; 0 where there is none.
    fn about_remark(&self, node: usize, number: usize) -> Option<About> {
        Some(About {
            what: self.remarked(node, number).map_or(0, |worm| worm + 1),
            until: self.simulation().bit_time() + 1,
        })
    }

    fn remark(&self, node: usize, number: usize, text: &mut String) {
        if let Some(worm) = self.remarked(node, number) {
            *text += &worm_name(self, worm, node);
        }
    }
}

impl<B: MachineLanes> Observed<'_, B> {
    /// What runs, in a line.
    pub fn title(&self) -> String {
        let network = title(self.fabric.router().network());
        match self.traffic.is_empty() {
            true => network,
            false => format!("{network}, {}", self.traffic),
        }
    }

    /// The worm of which a remark of a node is.
    fn remarked(&self, node: usize, number: usize) -> Option<usize> {
        let plan = self.fabric.router().plan();
        let inputs = plan.switch.inputs.len();
        let place = |number: usize| ChannelId {
            node,
            switch: number / inputs,
            input: number % inputs,
        };
        let (channels, relays) = (plan.switches() * inputs, plan.relays.len());
        let (links, waits) = (channels + relays, channels + relays + 2 * plan.links.len());
        if number < channels {
            self.tracker.worm(place(number))
        } else if number < links {
            (self.tracker).relayed(&self.fabric, (node, number - channels))
        } else if number < waits {
            let link = (number - links) / 2;
            let (topology, wire) = (self.fabric.topology(), self.data_wire(link));
            match (number - links) % 2 {
                0 => self.sent_over(node, link),
                // At the ends of a mesh nothing comes.
                _ if !topology.is_there(node % topology.nodes(), wire) => None,
                _ => self.sent_over(topology.sender(node, wire), link),
            }
        } else {
            self.waits_for(place(number - waits))
        }
    }
}

/// What joins the nodes: its kind, how many it is of, and of what.
pub fn joined(network: &Network) -> (&'static str, usize, &'static str) {
    match network.joined() {
        Joined::CubeConnectedCycles(cycles) => ("cube-connected cycles", cycles.levels(), "level"),
        Joined::Space(Space::Hypercube(dimensions)) => {
            ("hypercube", dimensions.count(), "dimension")
        }
        Joined::Space(Space::Grid(grid)) => (grid.kind(), grid.dimensions(), "dimension"),
        Joined::Irregular(network) => ("network", network.address_bits(), "address bit"),
    }
}

/// What joins the nodes, and how large it is, as in "hypercube of 6 dimensions" or "torus of 8 x 8 nodes".
pub fn size(network: &Network) -> String {
    let (kind, dims, unit) = joined(network);
    if let Network::TableRouted(routed) = network {
        return format!("{kind} from {}", routed.file);
    }
    match network.joined() {
        Joined::Space(Space::Grid(grid)) => {
            let sides = vec![grid.radix().to_string(); grid.dimensions()];
            format!("{kind} of {} nodes", sides.join(" x "))
        }
        _ => {
            let plural = if dims == 1 { "" } else { "s" };
            format!("{kind} of {dims} {unit}{plural}")
        }
    }
}

/// A run of this network, in a line.
pub fn title(network: &Network) -> String {
    let (kind, dims, unit) = joined(network);
    let plural = if dims == 1 { "" } else { "s" };
    let name = network.with(|structure| structure.name());
    let of = match network {
        Network::Butterflies(butterflies) => {
            format!(" of {} levels in rows and columns", butterflies.levels())
        }
        Network::Direct(direct) => {
            let routing = match direct.routing {
                Routing::Order => "in order of dimensions",
                Routing::Valiant { .. } => "by Valiant's two phases",
                Routing::Adaptive => "adaptively",
            };
            let size = size(network);
            return format!("wormhole, {size}, routed {routing}");
        }
        Network::TableRouted(routed) => {
            let routing = match routed.routing {
                SHORTEST => "by shortest paths",
                UP_DOWN => "up, then down",
                _ => "by its own tables",
            };
            return format!("wormhole, {}, routed {routing}", size(network));
        }
        _ => String::new(),
    };
    format!("wormhole, network {name}{of}, {kind} of {dims} {unit}{plural}")
}

/// How worms go over a network, in a sentence.
pub fn works(network: &Network) -> &'static str {
    match network {
        Network::CubeConnectedCycles(_) => {
            "a worm waits where another has the channel; node 3_12 is that of level 3 in column 12"
        }
        Network::Copies { .. } => {
            "a message goes in pieces, a worm each, piece /2 over copy 2 of the cube-connected cycles"
        }
        Network::Butterflies(_) => {
            "a worm goes along the butterfly of its row, then of its column; each edge is a path over relays in other nodes, whose wires up to ten channels share"
        }
        Network::TableRouted(_) => {
            "each node looks the destination up in its routing table; a worm waits where another has the channel"
        }
        Network::Direct(direct) => match direct.routing {
            Routing::Order => {
                "worms in order of dimensions; a worm waits where another has the channel"
            }
            Routing::Valiant { .. } => {
                "worms by way of a node drawn at random; a worm waits where another has the channel"
            }
            Routing::Adaptive => {
                "worms by any free link that brings them nearer; each channel sends the destination's address on before the rest"
            }
        },
    }
}

/// What a worm that is on the same machine as `node` is called.
pub fn worm_name<B: MachineLanes>(engine: &Engine<B>, worm: usize, node: usize) -> String {
    let topology = engine.fabric.topology();
    let first = node - node % topology.nodes();
    let worm = &engine.worms[worm];
    let message = &engine.messages[worm.message];
    let mut name = format!(
        "{}->{}",
        topology.node_name(first + message.source),
        topology.node_name(first + message.destination)
    );
    if topology.network().has_pieces() {
        // Writing to a string cannot fail.
        let _ = write!(name, "/{}", worm.switch);
    }
    name
}

/// Characters of the longest name that a worm can have: the last node's name is as long as any.
pub(super) fn longest_worm_name<B: MachineLanes>(fabric: &Fabric<WormholeMachine, B>) -> usize {
    let topology = fabric.topology();
    let last = fabric.machines() * topology.nodes() - 1;
    let network = topology.network();
    let copy = match network.has_pieces() {
        true => 1 + (network.switches() - 1).to_string().len(),
        false => 0,
    };
    2 * topology.node_name(last).len() + "->".len() + copy
}

#[cfg(test)]
mod tests {
    use bitvec::vec::BitVec;
    use rtl_model::embedding::copies::Copies;
    use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
    use rtl_model::machine::topology::grid::Grid;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::wormhole::network::Network;
    use rtl_model::routers::wormhole::parameters::Parameters;

    use super::*;
    use crate::wormhole::message::Message;

    /// A format that declares the width of text beforehand is told the longest name, and no more.
    #[test]
    fn no_worm_has_a_longer_name_than_is_declared() {
        let copies = |levels, used| Network::Copies {
            copies: Copies::new(levels).unwrap(),
            used,
        };
        for (network, machines) in [
            (
                Network::CubeConnectedCycles(CubeConnectedCycles::new(2).unwrap()),
                1,
            ),
            (
                Network::CubeConnectedCycles(CubeConnectedCycles::new(4).unwrap()),
                1,
            ),
            (
                Network::CubeConnectedCycles(CubeConnectedCycles::new(2).unwrap()),
                6,
            ),
            (copies(4, 4), 1),
            (copies(4, 1), 2),
            (
                Network::direct(Dimensions::new(3).unwrap(), Routing::Order),
                1,
            ),
            (
                Network::direct(Dimensions::new(4).unwrap(), Routing::Order),
                7,
            ),
            (
                Network::direct(Grid::new(4, 2, true).unwrap(), Routing::Order),
                1,
            ),
            (
                Network::direct(Grid::new(3, 2, false).unwrap(), Routing::Order),
                5,
            ),
        ] {
            let nodes = network.nodes();
            let parameters = Parameters {
                virtual_channels: 1,
                buffer_bits: 1,
                wire_bits: 1,
                weak_switch: false,
            };
            let machine = WormholeMachine::new(network, parameters).unwrap();
            let mut engine = Engine::<u64>::new(machine, machines).unwrap();
            let declared = Observed(&engine).remarks();
            for source in 0..nodes {
                for destination in 0..nodes {
                    let message = Message {
                        source,
                        destination,
                        created: 0,
                        bits: BitVec::repeat(true, 16),
                    };
                    engine.send(machines - 1, message);
                }
            }
            let longest = (0..engine.worms.len())
                .map(|worm| worm_name(&engine, worm, nodes * machines - 1).len())
                .max();
            for remark in declared {
                assert_eq!(Some(remark.longest), longest);
            }
        }
    }
}
