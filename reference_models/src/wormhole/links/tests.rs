//! Links lead there and back, order of dimensions is shortest, and headers worked by hand.

use super::*;
use crate::wormhole::linked::{Addresses, Linked};
use crate::wormhole::network::Port;
use crate::wormhole::{Pieces, Switch};

fn links(network: Network, virtual_channels: usize) -> Links {
    let machine = Machine {
        network,
        virtual_channels,
        buffer_bits: 2,
        wire_bits: 1,
        switch: Switch::Strong,
        pieces: Pieces::Even,
    };
    Links::of(machine, Variant::Correct).unwrap()
}

fn grid(radix: usize, dimensions: usize, wraps: bool, routing: Routing) -> Network {
    Network::Grid {
        radix,
        dimensions,
        wraps,
        routing,
    }
}

fn hypercube(dimensions: usize, routing: Routing) -> Network {
    Network::Hypercube {
        dimensions,
        routing,
    }
}

fn all() -> Vec<Links> {
    let mut all: Vec<Links> = (1..6)
        .map(|dimensions| links(hypercube(dimensions, Routing::Order), 1))
        .collect();
    for (radix, dimensions) in [(3, 1), (3, 3), (4, 2), (5, 2), (8, 1), (16, 1)] {
        for wraps in [false, true] {
            all.push(links(grid(radix, dimensions, wraps, Routing::Order), 1));
        }
    }
    all
}

#[test]
fn links_lead_there_and_back() {
    for links in all() {
        let mut ends = 0;
        for node in 0..links.nodes() {
            for link in 0..links.count() {
                let Some(end) = links.end(node, link) else {
                    assert_eq!(links.kind, Kind::Mesh);
                    continue;
                };
                ends += 1;
                assert_ne!(end, node);
                assert_eq!(links.end(end, links.opposite(link)), Some(node));
            }
        }
        let at_the_ends = match links.kind {
            Kind::Mesh => 2 * links.dimensions * links.nodes() / links.radix,
            _ => 0,
        };
        assert_eq!(ends, links.nodes() * links.count() - at_the_ends);
    }
}

/// From every node: how many hops the others are away, found by going everywhere.
#[test]
fn ways_in_order_are_shortest() {
    for links in all() {
        for source in 0..links.nodes() {
            let mut hops = vec![usize::MAX; links.nodes()];
            hops[source] = 0;
            let mut reached = vec![source];
            let mut next = 0;
            while next < reached.len() {
                let node = reached[next];
                next += 1;
                for end in (0..links.count()).filter_map(|link| links.end(node, link)) {
                    if hops[end] == usize::MAX {
                        hops[end] = hops[node] + 1;
                        reached.push(end);
                    }
                }
            }
            for (destination, &hops) in hops.iter().enumerate() {
                let way = links.way([source, destination, destination]);
                assert_eq!(way.len(), hops);
                let dimensions: Vec<usize> =
                    way.iter().map(|(_, link)| links.dimension(*link)).collect();
                assert!(dimensions.is_sorted());
                assert!(way.iter().all(|(phase, _)| *phase == 0));
            }
        }
    }
}

/// What a worm from the first of `ends` by the second to the last answers.
fn header(links: &Links, ends: [usize; 3]) -> String {
    let answers = links.answers(ends[0], &links.way(ends));
    let digit = |answer: bool| if answer { '1' } else { '0' };
    answers.concat().into_iter().map(digit).collect()
}

/// Of a hypercube the dimensions that are crossed, in order, and in two phases apart twice.
#[test]
fn answers_of_a_hypercube_are_the_dimensions_to_cross() {
    let bits = |from: usize, to: usize| -> String {
        let crossed = |bit: usize| {
            if (from ^ to) >> bit & 1 == 1 {
                '1'
            } else {
                '0'
            }
        };
        (0..4).map(crossed).collect()
    };
    let order = links(hypercube(4, Routing::Order), 3);
    let valiant = links(hypercube(4, Routing::Valiant), 3);
    for source in 0..16 {
        for destination in 0..16 {
            let once = bits(source, destination);
            assert_eq!(header(&order, [source, destination, destination]), once);
            for via in 0..16 {
                let twice = bits(source, via) + &bits(via, destination);
                assert_eq!(header(&valiant, [source, via, destination]), twice);
            }
        }
    }
}

/// In a torus of five by five, from 23, that is (3, 4), by 3, that is (3, 0), to 4, that is (4, 0), in two phases.
#[test]
fn answers_of_a_torus_worked_by_hand() {
    let ends = [23, 3, 4];
    // Apart: plus of dimension 1, the third of all links; then behind it that link again, no, and of the second phase
    // plus of dimension 0; then the same link again, no, and both of dimension 1, no.
    for virtual_channels in [2, 4, 8] {
        let links = links(grid(5, 2, true, Routing::Valiant), virtual_channels);
        assert_eq!(links.way(ends), [(0, 2), (1, 0)]);
        assert_eq!(header(&links, ends), "00101000");
    }
    // Together: the same at first; at the end all others once more.
    let links = links(grid(5, 2, true, Routing::Valiant), 1);
    assert_eq!(header(&links, ends), "001010000");
}

/// Lanes, datelines and phases share the channels out.
#[test]
fn classes_of_channels() {
    let classes = |network| [1, 2, 3, 4, 8].map(|channels| links(network, channels).classes());
    for (routing, torus, others) in [
        (Routing::Order, [1, 2, 2, 2, 2], [1, 1, 1, 1, 1]),
        (Routing::Valiant, [1, 2, 2, 4, 4], [1, 2, 2, 2, 2]),
    ] {
        assert_eq!(classes(grid(4, 2, true, routing)), torus);
        assert_eq!(classes(grid(4, 2, false, routing)), others);
        assert_eq!(classes(hypercube(4, routing)), others);
    }
}

/// Addresses name nodes, and have as many bits as a digit needs.
#[test]
fn addresses_name_nodes() {
    for (network, bits) in [
        (hypercube(5, Routing::Adaptive), 5),
        (grid(3, 2, true, Routing::Adaptive), 4),
        (grid(4, 3, false, Routing::Adaptive), 6),
        (grid(5, 2, true, Routing::Adaptive), 6),
        (grid(16, 2, true, Routing::Adaptive), 8),
    ] {
        let links = links(network, 2);
        assert_eq!(links.address_bits(), bits);
        for node in 0..links.nodes() {
            let address = links.address(node);
            assert_eq!(address.len(), bits);
            assert_eq!(links.node(&address), node);
        }
    }
    // 17 is (2, 3) in radix 5: 010 and 110.
    let links = links(grid(5, 2, true, Routing::Adaptive), 2);
    let address = [false, true, false, true, true, false];
    assert_eq!(links.address(17), address);
}

/// What a worm at a node may take: link and channel. Eject is a link behind all others.
fn permitted(network: Network, channels: usize, node: usize, to: usize) -> Vec<(usize, usize)> {
    let links = links(network, channels);
    (links.permitted(node, to).into_iter())
        .map(|port| match port {
            Port::LinkOut { link, channel } => (link, channel),
            _ => (links.count(), 0),
        })
        .collect()
}

#[test]
fn permitted_channels_worked_by_hand() {
    let torus = grid(6, 2, true, Routing::Adaptive);
    // From (1, 4) to (4, 0): both ways round in dimension 0, plus over the wrap in dimension 1. 1 is odd, so that the
    // escape is minus, and has its wrap before it.
    assert_eq!(permitted(torus, 1, 25, 4), [(0, 0), (1, 0), (2, 0)]);
    assert_eq!(permitted(torus, 2, 25, 4), [(0, 0), (1, 0), (2, 0), (1, 1)]);
    assert_eq!(permitted(torus, 3, 25, 4), [(0, 0), (1, 0), (2, 0), (1, 1)]);
    let twice = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 2)];
    assert_eq!(permitted(torus, 4, 25, 4), twice);
    // From (0, 4) minus is shorter and its wrap is still to come; from (5, 4) it is behind.
    assert_eq!(permitted(torus, 3, 24, 4), [(1, 0), (2, 0), (1, 1)]);
    assert_eq!(permitted(torus, 3, 29, 4), [(1, 0), (2, 0), (1, 2)]);
    // From (2, 0) to (5, 0): as long, and plus from an even digit, over no wrap.
    assert_eq!(permitted(torus, 3, 2, 5), [(0, 0), (1, 0), (0, 2)]);
    let mesh = grid(6, 2, false, Routing::Adaptive);
    assert_eq!(
        permitted(mesh, 3, 25, 4),
        [(0, 0), (3, 0), (0, 1), (3, 1), (0, 2)]
    );
    let cube = hypercube(4, Routing::Adaptive);
    assert_eq!(
        permitted(cube, 2, 0b0101, 0b1110),
        [(0, 0), (1, 0), (3, 0), (0, 1)]
    );
    // At the destination out.
    assert_eq!(permitted(cube, 2, 5, 5), [(4, 0)]);
}
