//! What holds of all networks: nodes have seats, and lanes lead where wires lead.

use super::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::language::lanes::Words;
use crate::machine::router::Machine;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::grid::Grid;
use crate::machine::topology::hosted::{HostPort, HostedHypercube};
use crate::machine::topology::irregular::Irregular;
use crate::machine::topology::quadratic_hypercube::QuadraticHypercube;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::networks::irregular::TableRouted;
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::space::Space;

/// Every place of every group is the seat of one node, and places without one are said to be none.
fn seats_are_found_again<B: Lanes>(topology: &impl Topology, machines: usize) {
    let nodes = machines * topology.nodes();
    let mut seated = vec![false; nodes];
    for group in 0..topology.groups::<B>(machines) {
        for place in 0..B::NODES {
            let node = topology.node_at::<B>(group, place);
            if node < nodes {
                assert_eq!(topology.seat::<B>(node), (group, place));
                seated[node] = true;
            }
        }
    }
    assert!(seated.iter().all(|seated| *seated));
}

/// What comes over a link is what the node at its other end drives, and addresses are those of the nodes.
fn wires_lead_from_seat_to_seat<B: Lanes>(topology: &impl Topology, machines: usize) {
    let (nodes, driven) = (topology.nodes(), topology.driven());
    let sends = |node: usize, wire: usize| (node * 0x9e37_79b9 + wire * 0x85eb_ca6b) >> 7 & 1 == 1;
    let groups = topology.groups::<B>(machines);
    let mut wires = vec![B::ZERO; groups * driven];
    for node in 0..machines * nodes {
        let (group, place) = topology.seat::<B>(node);
        for wire in 0..driven {
            wires[group * driven + wire].set(place, sends(node, wire));
        }
    }
    let mut address = vec![B::ZERO; topology.address_bits()];
    for group in 0..groups {
        topology.address(group, group.checked_sub(1), &mut address);
        let links = 0..topology.links();
        let received: Vec<B> = links
            .map(|link| topology.receive(&wires, group, link))
            .collect();
        for place in 0..B::NODES {
            let node = topology.node_at::<B>(group, place);
            if node >= machines * nodes {
                continue;
            }
            let (first, number) = (node / nodes * nodes, node % nodes);
            for (address, bit) in address.iter().zip(topology.address_of::<bool>(number)) {
                assert_eq!(address.get(place), bit, "node {node}");
            }
            for (link, received) in received.iter().enumerate() {
                let from = first + topology.sender(number, link);
                let sent = topology.is_there(number, link) && sends(from, link);
                assert_eq!(received.get(place), sent, "{node}, {link}");
            }
        }
    }
}

/// Each node is in one crossing of a link, which leads to its neighbour's seat; and address bits are those of seats.
fn crossings_lead_where_wires_lead<B: Lanes>(topology: &impl Topology, machines: usize) {
    let nodes = topology.nodes();
    let seat = |node| {
        let (group, place) = topology.seat::<B>(node);
        group * B::NODES + place
    };
    for link in 0..topology.links() {
        let crossings = topology.crossings(link, B::LOG2_NODES).unwrap();
        for node in 0..machines * nodes {
            let mut mine = (crossings.iter()).filter(|of| seat(node) & of.mask == of.value);
            let crossing = mine.next().unwrap();
            assert_eq!(mine.next(), None);
            let other = node / nodes * nodes + topology.sender(node % nodes, link);
            assert_eq!(seat(node) ^ 1 << crossing.flips, seat(other));
        }
    }
    for bit in 0..topology.address_bits() {
        let seat_bit = topology.seat_bit(bit, B::LOG2_NODES).unwrap();
        for node in 0..machines * nodes {
            assert_eq!(seat(node) >> seat_bit & 1, node >> bit & 1);
        }
    }
}

fn lanes_are_right<B: Lanes>(topology: &impl Topology, has_crossings: bool) {
    for machines in [1, 2, 3, 7] {
        seats_are_found_again::<B>(topology, machines);
    }
    for machines in [1, 3] {
        wires_lead_from_seat_to_seat::<B>(topology, machines);
        if has_crossings {
            crossings_lead_where_wires_lead::<B>(topology, machines);
        }
    }
}

fn all_lanes_are_right(topology: &impl Topology, has_crossings: bool) {
    lanes_are_right::<bool>(topology, has_crossings);
    lanes_are_right::<u64>(topology, has_crossings);
    lanes_are_right::<Words<2>>(topology, has_crossings);
    lanes_are_right::<Words<8>>(topology, has_crossings);
}

#[test]
fn hypercubes() {
    let port = |name: &str, width| HostPort {
        name: name.to_owned(),
        width,
    };
    for k in 1..=11 {
        let cube = Dimensions::new(k).unwrap();
        all_lanes_are_right(&cube, true);
        let hosted = HostedHypercube::new(cube, vec![port("a", 3)], vec![port("b", 1)]);
        all_lanes_are_right(&hosted, true);
    }
    for k in 1..=8 {
        let cube = Dimensions::new(k).unwrap();
        all_lanes_are_right(&QuadraticHypercube::new(cube), true);
        let by_two = QuadraticHypercube::with_stages(cube, (0..k).step_by(2));
        all_lanes_are_right(&by_two, true);
    }
}

#[test]
fn reduced_hypercubes() {
    for (k, n) in [(1, 1), (3, 1), (2, 2), (5, 2), (3, 3), (7, 1)] {
        all_lanes_are_right(&ReducedHypercube::new(k, n).unwrap(), true);
    }
}

/// In a mesh as many wires lead nowhere as its ends say.
#[test]
fn at_the_ends_of_a_mesh_nothing_is_received() {
    let grid = Grid::new(5, 2, false).unwrap();
    let parameters = Parameters {
        virtual_channels: 1,
        buffer_bits: 1,
        wire_bits: 1,
        weak_switch: false,
    };
    let network = Network::direct(grid, Routing::Order);
    let machine = WormholeMachine::new(network, parameters).unwrap();
    let wiring = machine.wiring();
    let all = (0..25).flat_map(|node| (0..wiring.links()).map(move |wire| (node, wire)));
    let there = all.filter(|&(node, wire)| wiring.is_there(node, wire));
    // Of each link data, valid, tail and credit.
    assert_eq!(there.count(), 4 * grid.wires());
}

/// Rings one way, with few distances between the ends of links, and nodes that are joined at random, with many.
fn irregular() -> impl Iterator<Item = Irregular> {
    let rings = [3, 5, 64, 70].map(|nodes| (nodes, 0));
    let others = [(20, 30), (64, 90), (100, 300)];
    let mut random = ChaCha8Rng::seed_from_u64(5);
    rings.into_iter().chain(others).map(move |(nodes, more)| {
        let mut links: Vec<(usize, usize)> =
            (0..nodes).map(|node| (node, (node + 1) % nodes)).collect();
        let drawn =
            (0..more).map(|_| (random.random_range(0..nodes), random.random_range(0..nodes)));
        links.extend(drawn.filter(|(from, to)| from != to));
        links.sort_unstable();
        links.dedup();
        Irregular::new(nodes, &links).unwrap()
    })
}

#[test]
fn networks_of_wormhole_routers() {
    let cycles = (2..=8).map(|levels| CubeConnectedCycles::new(levels).unwrap());
    let cubes = [3, 6, 10].map(|k| Space::Hypercube(Dimensions::new(k).unwrap()));
    let sizes = [(3, 1), (5, 2), (4, 2), (8, 2), (3, 4), (4, 4), (11, 2)];
    let grids = sizes.into_iter().flat_map(|(radix, dimensions)| {
        [false, true].map(|wraps| Space::Grid(Grid::new(radix, dimensions, wraps).unwrap()))
    });
    let direct = cubes.into_iter().chain(grids);
    let direct = direct.map(|space| Network::direct(space, Routing::Adaptive));
    let listed = irregular()
        .map(|network| Network::TableRouted(TableRouted::shortest("", network).unwrap()));
    let all = cycles.map(Network::CubeConnectedCycles).chain(direct);
    for network in all.chain(listed) {
        let parameters = Parameters {
            virtual_channels: 2,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch: false,
        };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        all_lanes_are_right(&machine.topology(), false);
    }
}
