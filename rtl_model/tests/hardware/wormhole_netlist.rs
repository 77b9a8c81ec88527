//! The netlist of a wormhole node is the node: its gates, worked out for every node in every bit time while hosts send worms,
//! give the same wires and registers as the fabric. And its logic depth.

use std::collections::VecDeque;

use rtl_model::circuit::depth::LogicDepth;
use rtl_model::embedding::copies::Copies;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use rtl_model::machine::topology::grid::Grid;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::machine::topology::irregular::Irregular;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::networks::direct::Routing;
use rtl_model::routers::wormhole::networks::irregular::TableRouted;
use rtl_model::routers::wormhole::networks::irregular::routes::Routes;
use rtl_model::routers::wormhole::parameters::Parameters;
use rtl_model::routers::wormhole::plan::HostWires;

use crate::beside::runs_beside_its_netlist;

/// Body bits of a worm.
const BODY: usize = 6;

/// A host's end of a switch: worms to send, and credits.
struct Host {
    worms: VecDeque<Vec<bool>>,
    sent: usize,
    credits: usize,
}

impl Host {
    /// The wires that it drives: the flit, that there is one, and that it is the last.
    fn send(&mut self, buffer_bits: usize, host: HostWires) -> Vec<bool> {
        let mut wires = vec![false; host.from_host()];
        let may = match self.sent {
            0 => self.credits == buffer_bits,
            _ => self.credits > 0,
        };
        if let Some(worm) = self.worms.front().filter(|_| may) {
            let flit = &worm[self.sent * host.wire_bits..][..host.wire_bits];
            wires[host.inject()].copy_from_slice(flit);
            wires[host.inject_valid()] = true;
            self.sent += 1;
            self.credits -= 1;
            if self.sent * host.wire_bits == worm.len() {
                wires[host.inject_tail()] = true;
                self.sent = 0;
                self.worms.pop_front();
            }
        }
        wires
    }
}

/// Two worms from each switch of each node, to different ends.
fn hosts(machine: &WormholeMachine) -> Vec<Host> {
    let network = machine.network();
    let nodes = network.nodes();
    let worm = |node: usize, switch: usize, turn: usize| {
        let number = 2 * node + turn;
        let destination = (node * [3, 5][turn] + switch + 1) % nodes;
        let mut bits = machine.header(switch, network.trip(number, node, destination));
        bits.extend((0..BODY).map(|place| (node + turn + place * place).count_ones() % 2 == 1));
        bits.resize(bits.len().next_multiple_of(machine.plan().wire_bits), false);
        bits
    };
    (0..nodes)
        .flat_map(|node| (0..network.switches()).map(move |switch| (node, switch)))
        .map(|(node, switch)| Host {
            worms: (0..2).map(|turn| worm(node, switch, turn)).collect(),
            sent: 0,
            credits: machine.plan().buffer_bits,
        })
        .collect()
}

/// Runs the machine beside its netlist until all worms have come out. Returns the bit times that it took.
fn run_beside_netlist(network: Network, parameters: Parameters) -> u64 {
    let (bit_times, missing) = beside_netlist(network, parameters, 2000);
    assert_eq!(missing, 0, "bits have not come out");
    bit_times
}

/// The same for so many bit times at the most: how many it took, and bits that have not come out.
fn beside_netlist(network: Network, parameters: Parameters, limit: u64) -> (u64, usize) {
    let what = format!("{network:?} {parameters:?}");
    let machine = WormholeMachine::new(network, parameters).unwrap();
    let (topology, switches) = (machine.wiring(), machine.plan().switches());
    let mut hosts = hosts(&machine);
    let wires_of_host = machine.plan().host_wires();
    let body_flits = 2 * BODY.div_ceil(wires_of_host.wire_bits) * hosts.len();
    let (mut ejected, mut bit_times) = (0, 0);
    let fabric = machine.clone().fabric::<bool>(1).unwrap();
    let mut drive = |bit_time, wires: &[Vec<bool>]| {
        bit_times = bit_time;
        if ejected == body_flits || bit_time == limit {
            return None;
        }
        let mut sent = Vec::new();
        for (number, host) in hosts.iter_mut().enumerate() {
            let (node, switch) = (number / switches, number % switches);
            let to_host =
                |wire| wires[node][topology.links() + switch * wires_of_host.to_host() + wire];
            sent.extend(host.send(parameters.buffer_bits, wires_of_host));
            host.credits += usize::from(to_host(wires_of_host.inject_credit()));
            let comes = to_host(wires_of_host.eject_valid());
            ejected += usize::from(comes);
            assert!(comes || !wires_of_host.eject().any(to_host));
        }
        let of_nodes = sent.chunks(topology.wires_from_host());
        Some(of_nodes.map(<[bool]>::to_vec).collect())
    };
    runs_beside_its_netlist(fabric, 1, &mut drive, &what);
    (bit_times, body_flits - ejected)
}

fn cycles(levels: usize) -> Network {
    Network::CubeConnectedCycles(CubeConnectedCycles::new(levels).unwrap())
}

fn copies(levels: usize, used: usize) -> Network {
    Network::Copies {
        copies: Copies::new(levels).unwrap(),
        used,
    }
}

fn e_cube(levels: usize) -> Network {
    Network::direct(Copies::new(levels).unwrap().dimensions(), Routing::Order)
}

fn valiant(levels: usize) -> Network {
    let dimensions = Copies::new(levels).unwrap().dimensions();
    Network::direct(dimensions, Routing::Valiant { seed: 5 })
}

/// Strong and weak, and buffers of one, two and three bits.
fn all_machines(network: &Network) {
    for buffer_bits in 1..=3 {
        let run = |weak_switch| {
            let parameters = Parameters {
                virtual_channels: 3,
                buffer_bits,
                wire_bits: 1,
                weak_switch,
            };
            run_beside_netlist(network.clone(), parameters)
        };
        assert!(run(false) <= run(true), "a weak switch saves no time here");
    }
}

#[test]
fn cube_connected_cycles_of_two_levels() {
    all_machines(&cycles(2));
}

/// The third virtual channel is used from four levels on.
#[test]
fn cube_connected_cycles_of_four_levels() {
    for virtual_channels in [2, 3] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch: false,
        };
        run_beside_netlist(cycles(4), parameters);
    }
}

#[test]
fn two_copies_of_two_levels() {
    all_machines(&copies(2, 2));
    all_machines(&copies(2, 1));
}

#[test]
fn dimension_order() {
    all_machines(&e_cube(2));
}

/// By way of nodes drawn at random, each phase on channels of its own; on one that they share, into a deadlock.
#[test]
fn valiants_two_phases() {
    all_machines(&valiant(2));
    let shared = Parameters {
        virtual_channels: 1,
        buffer_bits: 2,
        wire_bits: 1,
        weak_switch: false,
    };
    let (bit_times, missing) = beside_netlist(valiant(2), shared, 300);
    assert!(
        bit_times == 300 && missing > 0,
        "{missing} missing after {bit_times}"
    );
}

/// Tori and meshes, with each routing and with classes of one channel and of two; and adaptive routing on hypercubes.
#[test]
fn tori_meshes_and_adaptive_routing() {
    let grid = |radix, wraps| Grid::new(radix, 2, wraps).unwrap();
    let valiant = Routing::Valiant { seed: 5 };
    let (cube, adaptive) = (Dimensions::new(3).unwrap(), Routing::Adaptive);
    for (network, virtual_channels, buffer_bits, weak_switch) in [
        (Network::direct(grid(5, true), Routing::Order), 2, 2, false),
        (Network::direct(grid(4, true), Routing::Order), 5, 1, true),
        (Network::direct(grid(3, false), Routing::Order), 1, 3, false),
        (Network::direct(grid(4, true), valiant), 4, 2, false),
        (Network::direct(grid(3, false), valiant), 3, 1, true),
        (Network::direct(grid(5, true), adaptive), 3, 2, false),
        (Network::direct(grid(4, true), adaptive), 4, 1, true),
        (Network::direct(grid(4, false), adaptive), 2, 2, false),
        (Network::direct(cube, adaptive), 2, 1, false),
        (Network::direct(cube, adaptive), 3, 2, true),
    ] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits,
            wire_bits: 1,
            weak_switch,
        };
        run_beside_netlist(network, parameters);
    }
}

/// A ring one way with more links, where some nodes have two and others one, by shortest paths and by tables with classes.
#[test]
fn irregular_networks() {
    let links = [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 4),
        (4, 0),
        (1, 4),
        (4, 2),
        (3, 1),
    ];
    let network = Irregular::new(5, &links).unwrap();
    let by_tables = || {
        let pairs = (0..5).flat_map(|node| (0..5).map(move |to| (node, to)));
        let entries = pairs.filter(|(node, to)| node != to);
        // The wrap is still ahead of who is at a higher number than its destination.
        let entries = entries.map(|(node, to)| (node, to, (node + 1) % 5, usize::from(to > node)));
        let routes = Routes::from_table(&network, entries).unwrap();
        TableRouted::by_tables("", network.clone(), (routes, ""))
    };
    let both_ways = links.map(|(from, to)| (to, from));
    let both_ways = Irregular::new(5, &[&links[..], &both_ways[..]].concat()).unwrap();
    for (listed, virtual_channels, buffer_bits, weak_switch) in [
        (
            TableRouted::up_down("", both_ways.clone()).unwrap(),
            1,
            2,
            false,
        ),
        (TableRouted::up_down("", both_ways).unwrap(), 3, 1, true),
        (by_tables(), 2, 2, false),
        (by_tables(), 3, 1, true),
        (by_tables(), 4, 3, false),
    ] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits,
            wire_bits: 1,
            weak_switch,
        };
        run_beside_netlist(Network::TableRouted(listed), parameters);
    }
}

/// Flits of several bits: answers and addresses of less than a flit and of several, pieces on copies, relays.
#[test]
fn links_of_several_data_wires() {
    let grid = |radix, wraps| Grid::new(radix, 2, wraps).unwrap();
    let ring: Vec<(usize, usize)> = (0..5).map(|node| (node, (node + 1) % 5)).collect();
    let ring = Irregular::new(5, &ring).unwrap();
    let ring = TableRouted::shortest("", ring).unwrap();
    for (network, virtual_channels, buffer_bits, wire_bits) in [
        (cycles(2), 3, 2, 2),
        (copies(2, 2), 3, 1, 3),
        (e_cube(2), 1, 2, 2),
        (Network::direct(grid(3, false), Routing::Order), 2, 2, 3),
        (Network::direct(grid(4, true), Routing::Adaptive), 3, 2, 3),
        (Network::direct(grid(3, false), Routing::Adaptive), 2, 1, 8),
        (Network::TableRouted(ring), 3, 2, 2),
        (Network::Butterflies(Butterflies::new(2).unwrap()), 2, 2, 2),
    ] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits,
            wire_bits,
            weak_switch: wire_bits == 3,
        };
        run_beside_netlist(network, parameters);
    }
}

/// Two phases on the cross product of butterflies, with relays and lanes.
#[test]
fn butterflies() {
    let network = Network::Butterflies(Butterflies::new(2).unwrap());
    for (virtual_channels, buffer_bits, weak_switch) in [(2, 2, false), (1, 1, true)] {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits,
            wire_bits: 1,
            weak_switch,
        };
        run_beside_netlist(network.clone(), parameters);
    }
}

/// No loop of gates runs through a wire: what a node sends is decided by its registers alone. A path begins and ends at a
/// register, and there is no sequencer.
#[test]
fn logic_depth() {
    let depth = |network, virtual_channels, weak_switch| {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch,
        };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        let depth = LogicDepth::of(&machine).unwrap();
        assert_eq!((depth.sequencer, depth.total), (0, depth.node));
        assert_eq!(depth.path.last().unwrap().gates, depth.total);
        depth.node
    };
    for weak_switch in [false, true] {
        // A node of cube-connected cycles is the same at every size but for the bits that tell level 0.
        let of_cycles: Vec<usize> = (2..=4)
            .map(|levels| depth(cycles(levels), 3, weak_switch))
            .collect();
        assert!(of_cycles.is_sorted() && of_cycles[2] <= of_cycles[0] + 2);
        let of_copies: Vec<usize> = [2, 4]
            .map(|levels| depth(copies(levels, levels), 3, weak_switch))
            .into();
        // The wire is shared with another copy, and found by address.
        assert!(of_copies.is_sorted() && of_copies[0] > of_cycles[0]);
        let of_e_cube: Vec<usize> = [2, 4]
            .map(|levels| depth(e_cube(levels), 1, weak_switch))
            .into();
        assert!(of_e_cube.is_sorted());
    }
    let butterflies = |levels| Network::Butterflies(Butterflies::new(levels).unwrap());
    for (network, virtual_channels) in [
        (cycles(4), 3),
        (copies(4, 4), 3),
        (e_cube(4), 1),
        (butterflies(2), 2),
        (butterflies(4), 3),
    ] {
        let strong = depth(network.clone(), virtual_channels, false);
        assert!(depth(network, virtual_channels, true) >= strong);
    }
}
