//! One machine and its messages for both sides: the hardware and the reference.

use hosts::wormhole::engine::{Delivery, Engine};
use hosts::wormhole::lanes::WormLanes;
use hosts::wormhole::message::Message as HardwareMessage;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference_models::wormhole::{Listed, Machine, Message, Network, Pieces, Routing, Switch};
use rtl_model::embedding::copies::Copies;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::machine::topology::grid::Grid;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::irregular::Irregular;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network;
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::networks::direct;
use rtl_model::routers::wormhole::networks::irregular::{self, routes::Routes};
use rtl_model::routers::wormhole::parameters::Parameters;
use rtl_model::routers::wormhole::pieces;

/// From which the hardware draws intermediate nodes.
pub const SEED: u64 = 11;

/// More bit times than any run here takes.
pub const LIMIT: u64 = 100_000;

pub fn ccc(levels: usize) -> Network {
    Network::CubeConnectedCycles { levels }
}

pub fn copies(levels: usize, copies: usize) -> Network {
    Network::Copies { levels, copies }
}

pub fn cube(dimensions: usize, routing: Routing) -> Network {
    Network::Hypercube {
        dimensions,
        routing,
    }
}

pub fn torus(radix: usize, dimensions: usize, routing: Routing) -> Network {
    Network::Grid {
        radix,
        dimensions,
        wraps: true,
        routing,
    }
}

pub fn mesh(radix: usize, dimensions: usize, routing: Routing) -> Network {
    Network::Grid {
        radix,
        dimensions,
        wraps: false,
        routing,
    }
}

/// The hypercube of `n 2^n` nodes in order of dimensions.
pub fn ecube(levels: usize) -> Network {
    cube(dimensions(levels), Routing::Order)
}

fn dimensions(levels: usize) -> usize {
    levels + levels.ilog2() as usize
}

/// Of butterflies of so many levels.
pub fn butterflies(levels: usize) -> Network {
    Network::Butterflies { levels }
}

/// Three virtual channels, buffers of two bits, a strong switch.
pub fn machine(network: Network) -> Machine {
    Machine {
        network,
        virtual_channels: 3,
        buffer_bits: 2,
        wire_bits: 1,
        switch: Switch::Strong,
        pieces: Pieces::ByWay,
    }
}

/// The machine in hardware.
pub fn hardware(machine: Machine) -> WormholeMachine {
    let network = match machine.network {
        Network::CubeConnectedCycles { levels } => {
            network::Network::CubeConnectedCycles(CubeConnectedCycles::new(levels).unwrap())
        }
        Network::Copies { levels, copies } => network::Network::Copies {
            copies: Copies::new(levels).unwrap(),
            used: copies,
        },
        Network::Hypercube {
            dimensions,
            routing,
        } => network::Network::direct(Dimensions::new(dimensions).unwrap(), of_hardware(routing)),
        Network::Grid {
            radix,
            dimensions,
            wraps,
            routing,
        } => {
            let grid = Grid::new(radix, dimensions, wraps).unwrap();
            network::Network::direct(grid, of_hardware(routing))
        }
        Network::Butterflies { levels } => {
            network::Network::Butterflies(Butterflies::new(levels).unwrap())
        }
        Network::Listed(listed) => network::Network::TableRouted(of_list(listed)),
    };
    let parameters = Parameters {
        virtual_channels: machine.virtual_channels,
        buffer_bits: machine.buffer_bits,
        wire_bits: machine.wire_bits,
        weak_switch: machine.switch == Switch::Weak,
    };
    let pieces = match machine.pieces {
        Pieces::Even => pieces::Pieces::Even,
        Pieces::ByWay => pieces::Pieces::ByWay,
    };
    let machine = WormholeMachine::new(network, parameters).unwrap();
    machine.with_pieces(pieces)
}

/// The same links have the same colours.
fn of_list(listed: &Listed) -> irregular::TableRouted {
    let links: Vec<(usize, usize)> = listed
        .links
        .iter()
        .map(|&(from, to, _)| (from, to))
        .collect();
    let network = Irregular::new(listed.nodes, &links).unwrap();
    for &(from, to, colour) in &listed.links {
        assert_eq!(network.far(from, colour), Some(to));
    }
    let rows = listed.routes.iter().enumerate();
    let entries = rows.flat_map(|(node, row)| {
        let network = &network;
        let row = row.iter().enumerate();
        row.filter_map(move |(to, next)| {
            let (colour, class) = (*next)?;
            Some((node, to, network.far(node, colour)?, class))
        })
    });
    let routes = Routes::from_table(&network, entries).unwrap();
    irregular::TableRouted::by_tables("a list", network, (routes, "tables"))
}

fn of_hardware(routing: Routing) -> direct::Routing {
    match routing {
        Routing::Order => direct::Routing::Order,
        Routing::Valiant => direct::Routing::Valiant { seed: SEED },
        Routing::Adaptive => direct::Routing::Adaptive,
    }
}

pub fn nodes(machine: Machine) -> usize {
    match machine.network {
        Network::CubeConnectedCycles { levels } | Network::Copies { levels, .. } => {
            levels << levels
        }
        Network::Hypercube { dimensions, .. } => 1 << dimensions,
        Network::Grid {
            radix, dimensions, ..
        } => radix.pow(dimensions as u32),
        Network::Butterflies { levels } => (levels << levels).pow(2),
        Network::Listed(listed) => listed.nodes,
    }
}

pub fn generator(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Messages of random bits for pairs of nodes, all created at once.
pub fn messages(
    pairs: impl IntoIterator<Item = (usize, usize)>,
    bits: usize,
    random: &mut ChaCha8Rng,
) -> Vec<Message> {
    pairs
        .into_iter()
        .map(|(source, destination)| Message {
            source,
            destination,
            intermediate: None,
            created: 0,
            bits: (0..bits).map(|_| random.random()).collect(),
        })
        .collect()
}

/// The messages, each with the intermediate node that the hardware draws for it.
pub fn with_intermediates(machine: Machine, messages: &[Message]) -> Vec<Message> {
    let hardware = hardware(machine);
    let numbered = messages.iter().enumerate();
    numbered
        .map(|(number, message)| {
            let trip = (hardware.network()).trip(number, message.source, message.destination);
            Message {
                intermediate: Some(trip.intermediate),
                ..message.clone()
            }
        })
        .collect()
}

pub fn shuffled(nodes: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut destinations: Vec<usize> = (0..nodes).collect();
    destinations.shuffle(random);
    destinations
}

/// A message from every node.
pub fn permutation(nodes: usize, bits: usize, seed: u64) -> Vec<Message> {
    let mut random = generator(seed);
    let destinations = shuffled(nodes, &mut random);
    messages(destinations.into_iter().enumerate(), bits, &mut random)
}

pub fn for_hardware(message: &Message) -> HardwareMessage {
    HardwareMessage {
        source: message.source,
        destination: message.destination,
        created: message.created,
        bits: message.bits.iter().collect(),
    }
}

/// Worms are under way and nothing moves, and will not: relays may owe credits, each of a lane a bit time after the
/// next one.
pub fn stands_still<B: WormLanes>(engine: &Engine<B>) -> bool {
    let under_way = |one: &Delivery| one.injected.is_some() && one.tail_arrived.is_none();
    let settling = match engine.fabric.router().plan().relays.is_empty() {
        true => 0,
        false => 4,
    };
    engine.quiet() > settling && engine.deliveries.iter().any(under_way)
}

/// Runs messages, in the order of their creation, until all have arrived or worms stand still, at most `limit` bit times.
/// `tick` is one bit time.
pub fn run_hardware<B: WormLanes>(
    machine: Machine,
    messages: &[Message],
    limit: u64,
    mut tick: impl FnMut(&mut Engine<B>),
) -> Engine<B> {
    assert!(messages.is_sorted_by_key(|message| message.created));
    let mut engine = Engine::<B>::new(hardware(machine), 1).unwrap();
    let mut waiting = messages.iter().peekable();
    loop {
        let now = engine.fabric.bit_time();
        // Before hosts are given what could move in this bit time.
        if stands_still(&engine) {
            return engine;
        }
        while let Some(message) = waiting.next_if(|message| message.created <= now) {
            engine.send(0, for_hardware(message));
        }
        let all = waiting.peek().is_none() && engine.in_flight() == 0;
        if all || now == limit {
            return engine;
        }
        tick(&mut engine);
    }
}

pub fn plain_tick<B: WormLanes>(engine: &mut Engine<B>) {
    engine.tick(|_| Ok::<(), ()>(())).unwrap();
}
