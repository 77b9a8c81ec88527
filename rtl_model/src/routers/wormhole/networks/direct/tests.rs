//! Headers, routes and classes, against what they are by hand and against the routes of the network.

use super::channels::{Channels, Leg};
use super::{Direct, Routing};
use crate::machine::topology::grid::Grid;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::networks::Structure;
use crate::routers::wormhole::parameters::Parameters;
use crate::routers::wormhole::space::Space;
use crate::routers::wormhole::trip::Trip;

const VALIANT: Routing = Routing::Valiant { seed: 1 };

fn cube(k: usize) -> Space {
    Space::Hypercube(Dimensions::new(k).unwrap())
}

fn grid(radix: usize, dimensions: usize, wraps: bool) -> Space {
    Space::Grid(Grid::new(radix, dimensions, wraps).unwrap())
}

fn header(space: Space, routing: Routing, channels: usize, trip: Trip) -> String {
    let header = Direct { space, routing }.header(0, trip, channels);
    header
        .iter()
        .map(|&bit| if bit { '1' } else { '0' })
        .collect()
}

#[test]
fn headers_by_hand() {
    let direct = |space, routing, channels, from, to| {
        header(space, routing, channels, Trip::direct(from, to))
    };
    // Across dimensions 0 and 2 of four: 1, no to 1, 1, no to 3.
    assert_eq!(direct(cube(4), Routing::Order, 1, 0, 5), "1010");
    let torus = grid(8, 2, true);
    // Plus twice: 1, then 1 again, then no to plus_0, plus_1 and minus_1.
    assert_eq!(direct(torus, Routing::Order, 2, 0, 2), "11000");
    // Minus over the wrap, then minus_1: no to plus_0, 1; no to minus_0 and plus_1, 1; no to minus_1.
    assert_eq!(direct(torus, Routing::Order, 2, 0, 63), "010010");
    // Half way round plus from an even digit, minus from an odd one.
    assert_eq!(direct(torus, Routing::Order, 2, 0, 4), "1111000");
    assert_eq!(direct(torus, Routing::Order, 2, 1, 5), "01111000");
    // To itself: no to all four links.
    assert_eq!(direct(torus, Routing::Order, 2, 9, 9), "0000");
    assert_eq!(direct(torus, VALIANT, 4, 9, 9), "00000000");
    // Digits 4 and 1 of three bits each.
    assert_eq!(direct(torus, Routing::Adaptive, 3, 0, 12), "001100");
    assert_eq!(
        direct(grid(5, 2, false), Routing::Adaptive, 2, 0, 9),
        "001100"
    );
    let trip = Trip {
        source: 0,
        intermediate: 1,
        destination: 0,
    };
    // There; with phases apart no to plus_0, plus_1 and minus_1 of phase 0 and to plus_0 of phase 1, then back, and no to three.
    assert_eq!(header(grid(5, 2, false), VALIANT, 2, trip), "100001000");
    // With one class: no to plus_0, plus_1, minus_1, then back; no to minus_0, plus_1, minus_1 and plus_0.
    assert_eq!(header(grid(5, 2, false), VALIANT, 1, trip), "100010000");
}

/// Links and classes of the route, read off the headers as switches read them.
#[test]
fn headers_lead_along_the_routes_in_their_classes() {
    let spaces = [
        cube(3),
        grid(3, 2, false),
        grid(5, 1, true),
        grid(4, 2, true),
        grid(8, 1, true),
    ];
    for space in spaces {
        for (routing, virtual_channels) in [Routing::Order, VALIANT]
            .into_iter()
            .flat_map(|one| (1..=5).map(move |v| (one, v)))
        {
            let network = Direct { space, routing };
            let parameters = Parameters {
                virtual_channels,
                buffer_bits: 1,
                wire_bits: 1,
                weak_switch: false,
            };
            let machine = WormholeMachine::new(Network::Direct(network), parameters).unwrap();
            let channels = Channels::of(network, virtual_channels);
            let nodes = space.nodes();
            let trips = (0..nodes * nodes * nodes).step_by(if nodes > 9 { 7 } else { 1 });
            for trip in trips {
                let (source, rest) = (trip % nodes, trip / nodes);
                let trip = Trip {
                    source,
                    intermediate: rest % nodes,
                    destination: rest / nodes,
                };
                let phases = match routing {
                    VALIANT => vec![
                        (source, trip.intermediate),
                        (trip.intermediate, trip.destination),
                    ],
                    _ => vec![(source, trip.destination)],
                };
                let routes = phases.iter().enumerate().flat_map(|(phase, &(from, to))| {
                    let hops = space.route(from, to).into_iter();
                    hops.map(move |hop| {
                        let wraps = usize::from(hop.is_behind_wrap);
                        (hop.from, hop.link, channels.class(Leg { phase, wraps }))
                    })
                });
                let mut bits = machine.header(0, trip);
                bits.push(true);
                let way = machine.way(source, 0, &bits);
                let taken = way.iter().map(|crossing| {
                    let channel = (crossing.input.unwrap().input - 1) / space.links();
                    (crossing.node, crossing.link, channel % channels.classes())
                });
                assert!(routes.eq(taken), "{network:?} {virtual_channels} {trip:?}");
                // The body is left.
                let left = way.last().map_or(1, |last| last.bits);
                assert!(left > 0);
            }
        }
    }
}

#[test]
fn channels_are_called_by_what_they_are_for() {
    let names = |space, routing, count| -> Vec<String> {
        let channels = Channels::of(Direct { space, routing }, count);
        let all = channels
            .all()
            .map(|(link, channel)| channels.input_name(link, channel).to_string());
        all.collect()
    };
    assert_eq!(names(cube(2), Routing::Order, 1), ["in_0", "in_1"]);
    assert_eq!(names(cube(1), VALIANT, 2), ["in_0_phase_0", "in_0_phase_1"]);
    assert_eq!(
        names(grid(5, 1, true), Routing::Order, 2),
        [
            "in_plus_0_channel_0",
            "in_minus_0_channel_0",
            "in_plus_0_channel_1",
            "in_minus_0_channel_1"
        ]
    );
    assert_eq!(
        names(cube(1), Routing::Adaptive, 3),
        ["in_0_channel_0", "in_0_channel_1", "in_0_escape_0"]
    );
    assert_eq!(
        names(grid(5, 1, true), Routing::Adaptive, 3)[2..4],
        ["in_plus_0_escape_0", "in_minus_0_escape_0"]
    );
}
