//! Hypercubes, tori and meshes, kinds against the channels of all nodes.

use std::collections::{HashMap, HashSet};

use crate::machine::topology::grid::Grid;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::dependencies::quotient::Quotient;
use crate::routers::wormhole::dependencies::quotient::tests::{edges, girth, is_acyclic, text};
use crate::routers::wormhole::dependencies::{Channel, Dependencies};
use crate::routers::wormhole::networks::Structure;
use crate::routers::wormhole::networks::direct::channels::{Channels, Leg};
use crate::routers::wormhole::networks::direct::{Direct, Routing};
use crate::routers::wormhole::space::Space;

const VALIANT: Routing = Routing::Valiant { seed: 1 };

/// A channel: the node that the link leaves, the link, the class.
type Whole = (usize, usize, usize);

fn cube(k: usize) -> Space {
    Space::Hypercube(Dimensions::new(k).unwrap())
}

fn grid(radix: usize, dimensions: usize, wraps: bool) -> Space {
    Space::Grid(Grid::new(radix, dimensions, wraps).unwrap())
}

fn found(space: Space, routing: Routing, virtual_channels: usize) -> Dependencies {
    Direct { space, routing }.dependencies(virtual_channels)
}

fn small() -> Vec<Space> {
    let mut spaces = vec![cube(1), cube(2), cube(3), cube(4)];
    for (radix, dimensions) in [
        (3, 1),
        (4, 1),
        (5, 1),
        (8, 1),
        (3, 2),
        (4, 2),
        (5, 2),
        (6, 2),
        (3, 3),
    ] {
        spaces.extend([false, true].map(|wraps| grid(radix, dimensions, wraps)));
    }
    spaces
}

fn pairs(nodes: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..nodes).flat_map(move |one| (0..nodes).map(move |other| (one, other)))
}

/// From the routes of all pairs, by way of all nodes.
fn ordered(channels: Channels) -> Quotient<Whole> {
    let space = channels.space();
    let has_phases = channels.network.routing == VALIANT;
    let leg = |phase: usize, from: usize, to: usize| -> Vec<Whole> {
        let hops = space.route(from, to).into_iter();
        let class = |wraps| channels.class(Leg { phase, wraps });
        hops.map(|hop| (hop.from, hop.link, class(usize::from(hop.is_behind_wrap))))
            .collect()
    };
    let routes = pairs(space.nodes()).flat_map(|(from, to)| -> Vec<Vec<Whole>> {
        match has_phases {
            false => vec![leg(0, from, to)],
            true => (0..space.nodes())
                .map(|via| [leg(0, from, via), leg(1, via, to)].concat())
                .collect(),
        }
    });
    Quotient::of(routes.map(Vec::into_iter))
}

/// What a worm for a destination may take at a node: adaptive channels of links that bring it nearer, and the escape.
fn choices(
    channels: Channels,
    distances: &HashMap<usize, usize>,
    at: usize,
    to: usize,
) -> Vec<Whole> {
    let space = channels.space();
    let nearer = (0..space.links()).filter(|&link| {
        space.has_link(at, link) && distances[&space.far(at, link)] < distances[&at]
    });
    let mut choices: Vec<Whole> = nearer.map(|link| (at, link, 0)).collect();
    if channels.escapes() > 0 {
        let route = space.route(at, to);
        let line = route.iter().take_while(|hop| hop.link == route[0].link);
        let mut ends = line.map(|hop| match space {
            Space::Grid(grid) => grid.is_at_end(hop.from, hop.link),
            Space::Hypercube(_) => false,
        });
        let class = match channels.escapes() {
            2 if !ends.any(|at_end| at_end) => 2,
            _ => 1,
        };
        choices.push((at, route[0].link, class));
    }
    choices
}

/// All that worms hold and ask for next; and the same of escapes with adaptive channels left out between them.
fn adaptive(channels: Channels) -> (Quotient<Whole>, Quotient<Whole>) {
    let space = channels.space();
    let (mut whole, mut extended) = (Vec::new(), Vec::new());
    for to in 0..space.nodes() {
        let distances: HashMap<usize, usize> = (0..space.nodes())
            .map(|from| (from, space.route(from, to).len()))
            .collect();
        let next = |at: usize| match at == to {
            true => Vec::new(),
            false => choices(channels, &distances, at, to),
        };
        for at in (0..space.nodes()).filter(|at| *at != to) {
            for first in next(at) {
                whole.push(vec![first]);
                let far = space.far(first.0, first.1);
                whole.extend(next(far).into_iter().map(|second| vec![first, second]));
                if first.2 == 0 {
                    continue;
                }
                extended.push(vec![first]);
                let (mut left, mut seen) = (vec![far], HashSet::new());
                while let Some(node) = left.pop() {
                    for second in next(node) {
                        if second.2 > 0 {
                            extended.push(vec![first, second]);
                        }
                        let further = space.far(second.0, second.1);
                        if second.2 == 0 && seen.insert(further) {
                            left.push(further);
                        }
                    }
                }
            }
        }
    }
    let of = |routes: Vec<Vec<Whole>>| Quotient::of(routes.into_iter().map(Vec::into_iter));
    (of(whole), of(extended))
}

/// The link, its class and the digit from which it leads.
fn kind(space: Space, (from, link, class): Whole) -> Whole {
    let digit = match space {
        Space::Hypercube(_) => 0,
        Space::Grid(grid) => grid.digit(from, grid.way(link).0),
    };
    (digit, link, class)
}

fn compare(space: Space, found: &Dependencies, whole: &Quotient<Whole>, about: &str) {
    let all = edges(whole);
    let kinds: HashSet<Whole> = whole
        .graph
        .node_weights()
        .map(|one| kind(space, *one))
        .collect();
    let of_kinds: HashSet<(Whole, Whole)> = all
        .iter()
        .map(|(one, other)| (kind(space, *one), kind(space, *other)))
        .collect();
    assert_eq!(
        (found.channels, found.dependencies),
        (kinds.len(), of_kinds.len()),
        "{about}"
    );
    assert_eq!(found.cycle.is_none(), is_acyclic(&whole.graph), "{about}");
    let Some(cycle) = &found.cycle else {
        return;
    };
    let key = |channel: &Channel| match *channel {
        Channel::Hypercube {
            from,
            dimension,
            virtual_channel,
        } => (from, dimension, virtual_channel),
        Channel::Grid {
            from,
            link,
            virtual_channel,
            ..
        } => (from, link, virtual_channel),
        _ => panic!("a channel of another network"),
    };
    for (one, other) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
        assert!(
            all.contains(&(key(one), key(other))),
            "{about}: {:?}",
            text(cycle)
        );
    }
    assert_eq!(
        Some(cycle.len()),
        girth(&whole.graph),
        "{about}: {:?}",
        text(cycle)
    );
}

#[test]
fn kinds_tell_of_all_channels() {
    for space in small() {
        for routing in [Routing::Order, VALIANT, Routing::Adaptive] {
            // The third powers of larger ones take too long.
            if routing == VALIANT && space.nodes() > 27 {
                continue;
            }
            for count in 1..=5 {
                let network = Direct { space, routing };
                let channels = Channels::of(network, count);
                let found = network.dependencies(count);
                let about = format!("{space:?} {routing:?} {count}");
                if routing != Routing::Adaptive {
                    compare(space, &found, &ordered(channels), &about);
                    continue;
                }
                let (whole, extended) = adaptive(channels);
                compare(space, &found, &whole, &about);
                assert_eq!(found.escape.is_some(), count > 1);
                if let Some(escape) = &found.escape {
                    compare(space, escape, &extended, &format!("{about}, escapes"));
                }
            }
        }
    }
}

/// With so many channels no traffic deadlocks, with fewer there is some.
#[test]
fn enough_channels_are_the_fewest() {
    let mut spaces = small();
    spaces.extend([
        cube(7),
        cube(16),
        grid(8, 2, true),
        grid(8, 2, false),
        grid(4, 3, true),
        grid(7, 2, true),
    ]);
    for space in spaces {
        for routing in [Routing::Order, VALIANT, Routing::Adaptive] {
            let network = Direct { space, routing };
            let is_free = |count: &usize| network.dependencies(*count).deadlock().is_none();
            let fewest = (1..=8).find(is_free);
            assert_eq!(fewest, Some(network.enough_channels()), "{network:?}");
            assert!((network.enough_channels()..=8).all(|count| is_free(&count)));
        }
    }
}

#[test]
fn order_of_dimensions_in_hypercubes() {
    for k in 1..=16 {
        assert_eq!(
            found(cube(k), Routing::Order, 1),
            Dependencies {
                channels: k,
                dependencies: k * (k - 1) / 2,
                cycle: None,
                escape: None,
            }
        );
        let apart = found(cube(k), VALIANT, 2);
        // Within each phase as in order of dimensions, and from any of the first to any of the second.
        assert_eq!(
            (apart.channels, apart.dependencies),
            (2 * k, k * (k - 1) + k * k)
        );
        assert_eq!(apart.cycle, None);
        let shared = found(cube(k), VALIANT, 1);
        assert_eq!((shared.channels, shared.dependencies), (k, k * k));
        // A worm that turns back.
        let cycle = shared.cycle.unwrap();
        assert_eq!(text(&cycle), ["0 -dim_0/0-> 1", "1 -dim_0/0-> 0"]);
    }
}

#[test]
fn a_ring_of_a_torus_is_a_circle_until_the_dateline_breaks_it() {
    let ring = found(grid(8, 2, true), Routing::Order, 1).cycle.unwrap();
    assert_eq!(ring.len(), 8);
    assert_eq!(ring[0].to_string(), "0_0 -plus_0/0-> 1_0");
    assert_eq!(found(grid(8, 2, true), Routing::Order, 2).cycle, None);
    // Of radix 4 half of the nodes go half way round in each direction, and no route closes the ring.
    assert_eq!(found(grid(4, 2, true), Routing::Order, 1).cycle, None);
    assert_eq!(
        text(
            &found(grid(8, 2, false), Routing::Adaptive, 1)
                .cycle
                .unwrap()
        ),
        [
            "0_0 -plus_0/0-> 1_0",
            "1_0 -plus_1/0-> 1_1",
            "1_1 -minus_0/0-> 0_1",
            "0_1 -minus_1/0-> 0_0"
        ]
    );
}
