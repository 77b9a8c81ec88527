use super::*;
use crate::embedding::copies::Copies;
use crate::machine::topology::cube_connected_cycles::{CubeConnectedCycles, Direction};
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::trip::Trip;

const PARAMETERS: Parameters = Parameters {
    virtual_channels: 3,
    buffer_bits: 2,
    wire_bits: 1,
    weak_switch: false,
};

/// Every node via every node to every node, the two phases on channels of their own and on
/// one that they share.
#[test]
fn valiants_headers_lead_by_way_of_the_intermediate_node() {
    let dimensions = Dimensions::new(3).unwrap();
    let network = Network::direct(dimensions, Routing::Valiant { seed: 1 });
    for virtual_channels in 1..=2 {
        let parameters = Parameters {
            virtual_channels,
            ..PARAMETERS
        };
        let machine = WormholeMachine::new(network.clone(), parameters).unwrap();
        for trip in 0..512 {
            let [source, intermediate, destination] = [trip >> 6, trip >> 3 & 7, trip & 7];
            let trip = Trip {
                source,
                destination,
                intermediate,
            };
            let mut bits = machine.header(0, trip);
            bits.push(true);
            let way = machine.way(source, 0, &bits);
            let crossed: Vec<(usize, usize)> = way
                .iter()
                .map(|crossing| (crossing.link, (crossing.input.unwrap().input - 1) / 3))
                .collect();
            let of_phase = |phase: usize, difference: usize| {
                let crossed = (0..3).filter(move |bit| difference >> bit & 1 == 1);
                crossed.map(move |dimension| (dimension, phase.min(virtual_channels - 1)))
            };
            let first = of_phase(0, source ^ intermediate);
            let expected: Vec<_> = first
                .chain(of_phase(1, intermediate ^ destination))
                .collect();
            assert_eq!(crossed, expected, "{trip:?}");
        }
    }
}

#[test]
fn intermediate_nodes_are_drawn_from_the_seed_by_the_number_of_the_message() {
    let dimensions = Dimensions::new(6).unwrap();
    let network = |seed| Network::direct(dimensions, Routing::Valiant { seed });
    let drawn = |seed| -> Vec<usize> {
        let trips = (0..640).map(|number| network(seed).trip(number, 3, 5));
        trips.map(|trip| trip.intermediate).collect()
    };
    assert_eq!(drawn(7), drawn(7));
    assert_ne!(drawn(7), drawn(8));
    // Each of 64 nodes ten times on the average.
    let often = |node| drawn(7).iter().filter(|one| **one == node).count();
    assert!((0..64).all(|node| (1..=25).contains(&often(node))));
}

fn ways(network: Network) -> impl Fn(usize, usize, usize) -> Vec<Crossing> {
    let most = *network.with(|structure| structure.virtual_channels()).end();
    let parameters = Parameters {
        virtual_channels: most.min(PARAMETERS.virtual_channels),
        ..PARAMETERS
    };
    let machine = WormholeMachine::new(network, parameters).unwrap();
    move |switch, source, destination| {
        let header = machine.header(switch, Trip::direct(source, destination));
        let mut bits = header.clone();
        bits.push(true);
        let way = machine.way(source, switch, &bits);
        assert_eq!(way.last().map_or(source, |last| last.to), destination);
        way
    }
}

#[test]
fn headers_lead_along_the_routes_of_the_topology() {
    for levels in 2..=5 {
        let cycles = CubeConnectedCycles::new(levels).unwrap();
        let way = ways(Network::CubeConnectedCycles(cycles));
        for source in 0..cycles.nodes() {
            for destination in 0..cycles.nodes() {
                let way = way(0, source, destination);
                let route: Vec<_> = cycles.route(source, destination).collect();
                assert_eq!(way.len(), route.len());
                for (crossing, hop) in way.iter().zip(&route) {
                    assert_eq!(crossing.node, hop.from);
                    assert_eq!(
                        crossing.link,
                        usize::from(hop.direction == Direction::Cross)
                    );
                    // The input channels of straight links come first, behind the host's.
                    let first = if crossing.link == 0 { 1 } else { 4 };
                    assert_eq!(crossing.input.unwrap().input, first + hop.datelines);
                }
            }
        }
    }
}

#[test]
fn a_piece_leads_to_its_destination_on_every_copy() {
    for levels in [2, 4] {
        let copies = Copies::new(levels).unwrap();
        let nodes = copies.dimensions().nodes();
        let way = ways(Network::Copies {
            copies: copies.clone(),
            used: levels,
        });
        for copy in 0..levels {
            for source in 0..nodes {
                for destination in 0..nodes {
                    for crossing in way(copy, source, destination) {
                        let (level, _) = copies.unmap(copy, crossing.node);
                        let to = crossing.input.unwrap();
                        let dimension = match to.input {
                            1..=3 => copies.straight_dimension(copy, level),
                            _ => copies.cross_dimension(copy, level),
                        };
                        assert_eq!(crossing.link, dimension);
                        assert_eq!(to.switch, copy);
                    }
                }
            }
        }
    }
}

#[test]
fn dimension_order_corrects_one_bit_after_the_other() {
    let dimensions = Copies::new(4).unwrap().dimensions();
    let way = ways(Network::direct(dimensions, Routing::Order));
    for source in 0..dimensions.nodes() {
        for destination in 0..dimensions.nodes() {
            let links: Vec<usize> = way(0, source, destination)
                .iter()
                .map(|crossing| crossing.link)
                .collect();
            let differ = (0..dimensions.count())
                .filter(|dimension| (source ^ destination) >> dimension & 1 == 1);
            assert_eq!(links, Vec::from_iter(differ));
        }
    }
}
