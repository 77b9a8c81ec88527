use std::collections::{HashSet, VecDeque};
use std::hash::Hash;

use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};

use super::*;
use crate::machine::topology::hypercube::neighbour;

fn network(levels: usize) -> CubeConnectedCycles {
    CubeConnectedCycles::new(levels).unwrap()
}

fn dependencies(levels: usize, virtual_channels: usize) -> Dependencies {
    cube_connected_cycles(network(levels), virtual_channels)
}

fn text(cycle: &[Channel]) -> Vec<String> {
    cycle.iter().map(Channel::to_string).collect()
}

fn is_acyclic<K>(graph: &DiGraph<K, ()>) -> bool {
    toposort(graph, None).is_ok()
}

/// Each edge by its ends, whatever the order in which the graph was made.
fn edges<K: Copy + Eq + Hash>(quotient: &Quotient<K>) -> HashSet<(K, K)> {
    let graph = &quotient.graph;
    let ends = |edge| graph.edge_endpoints(edge).unwrap();
    graph
        .edge_indices()
        .map(ends)
        .map(|(from, to)| (graph[from], graph[to]))
        .collect()
}

/// A channel of the whole graph: the node that the link leaves, the link, the virtual channel.
type Whole = (usize, Direction, usize);

/// The graph of all channels, from the routes of all pairs. The virtual channel is counted again
/// here, by the levels.
fn whole(network: CubeConnectedCycles, virtual_channels: usize) -> Quotient<Whole> {
    let pairs = (0..network.nodes())
        .flat_map(|source| (0..network.nodes()).map(move |destination| (source, destination)));
    Quotient::of(pairs.map(|(source, destination)| {
        let mut wraps = 0;
        let mut level = network.level(source);
        network.route(source, destination).map(move |hop| {
            if network.level(hop.from) < level {
                wraps += 1;
            }
            level = network.level(hop.from);
            let last = match hop.direction {
                Direction::Straight => virtual_channels - 1,
                Direction::Cross => virtual_channels.min(2) - 1,
            };
            (hop.from, hop.direction, wraps.min(last))
        })
    }))
}

fn cycle_in(cycle: &[Channel], edges: &HashSet<(Whole, Whole)>) -> bool {
    let channel = |channel: &Channel| match *channel {
        Channel::CubeConnectedCycles {
            from,
            direction,
            virtual_channel,
            ..
        } => (from, direction, virtual_channel),
        _ => panic!("a channel of another network"),
    };
    let next = cycle.iter().cycle().skip(1);
    cycle
        .iter()
        .zip(next)
        .all(|(one, other)| edges.contains(&(channel(one), channel(other))))
}

/// The length of a shortest cycle of the whole graph, by a search from every channel.
fn girth<K>(graph: &DiGraph<K, ()>) -> Option<usize> {
    let from = |start: NodeIndex| {
        let mut seen = HashSet::new();
        let mut queue = VecDeque::from([(start, 0)]);
        while let Some((node, length)) = queue.pop_front() {
            for next in graph.neighbors(node) {
                if next == start {
                    return Some(length + 1);
                }
                if seen.insert(next) {
                    queue.push_back((next, length + 1));
                }
            }
        }
        None
    };
    graph.node_indices().filter_map(from).min()
}

#[test]
fn three_virtual_channels_have_no_cycle_and_one_always_has() {
    for levels in 2..=16 {
        assert!(dependencies(levels, 1).cycle.is_some());
        assert_eq!(dependencies(levels, 2).cycle.is_some(), levels >= 4);
        assert_eq!(dependencies(levels, 3).cycle, None);
        // A fourth is never used.
        assert_eq!(dependencies(levels, 4), dependencies(levels, 3));
    }
}

#[test]
fn how_many_kinds_and_dependencies() {
    let counts = |levels, virtual_channels| {
        let found = dependencies(levels, virtual_channels);
        (found.channels, found.dependencies)
    };
    // Two levels are too few for two straight hops in a row, three for a second dateline before a
    // straight hop.
    assert_eq!([1, 2, 3].map(|v| counts(2, v)), [(4, 4), (6, 5), (6, 5)]);
    assert_eq!(
        [1, 2, 3].map(|v| counts(3, v)),
        [(6, 9), (11, 14), (11, 14)]
    );
    for n in 4..=16 {
        assert_eq!(counts(n, 1), (2 * n, 3 * n));
        assert_eq!(counts(n, 2), (4 * n - 1, 6 * n - 3));
        assert_eq!(counts(n, 3), (5 * n - 4, 7 * n - 7));
    }
}

#[test]
fn cycles_at_two_and_at_four_levels() {
    // Two levels: no straight hop follows another, so every level is crossed, and it takes two
    // rounds.
    assert_eq!(
        text(&dependencies(2, 1).cycle.unwrap()),
        [
            "0_0 -cross/0-> 0_1",
            "0_1 -straight/0-> 1_1",
            "1_1 -cross/0-> 1_3",
            "1_3 -straight/0-> 0_3",
            "0_3 -cross/0-> 0_2",
            "0_2 -straight/0-> 1_2",
            "1_2 -cross/0-> 1_0",
            "1_0 -straight/0-> 0_0",
        ]
    );
    for (virtual_channels, last) in [(1, 0), (2, 1)] {
        let straight = [(0, 1), (1, 2), (2, 3), (3, 0)]
            .map(|(level, next)| format!("{level}_0 -straight/{last}-> {next}_0"));
        assert_eq!(
            text(&dependencies(4, virtual_channels).cycle.unwrap()),
            straight
        );
    }
}

/// Kinds against channels: all pairs of nodes, and no claim about columns or about few crossings.
#[test]
fn the_kinds_tell_of_all_channels() {
    for levels in 2..=5 {
        let network = network(levels);
        for virtual_channels in 1..=3 {
            let whole = whole(network, virtual_channels);
            let found = cube_connected_cycles(network, virtual_channels);
            assert_eq!(is_acyclic(&whole.graph), found.cycle.is_none());

            let all = edges(&whole);
            let columns = network.columns();
            assert_eq!(whole.graph.node_count(), found.channels * columns);
            assert_eq!(all.len(), found.dependencies * columns);
            if let Some(cycle) = found.cycle {
                assert!(cycle_in(&cycle, &all), "{:?}", text(&cycle));
                assert_eq!(Some(cycle.len()), girth(&whole.graph));
                let mut next = cycle.iter().cycle().skip(1);
                for channel in &cycle {
                    assert_eq!(channel.to(), next.next().unwrap().from());
                }
            }
        }
    }
}

/// Routes that cross at most once, against all differences between columns, at more levels.
#[test]
fn one_crossing_makes_every_dependency() {
    for levels in 2..=9 {
        let network = network(levels);
        for virtual_channels in 1..=3 {
            let kinds =
                |(source, destination)| cube_kinds(network, virtual_channels, source, destination);
            let few = Quotient::of(single_crossings(network).map(kinds));
            let all = (0..levels)
                .flat_map(|level| (0..network.nodes()).map(move |to| (network.node(level, 0), to)));
            assert_eq!(edges(&few), edges(&Quotient::of(all.map(kinds))));
        }
    }
}

#[test]
fn on_three_virtual_channels_every_route_climbs() {
    for network in (2..=9).map(network) {
        let levels = 0..network.levels();
        let pairs = levels
            .flat_map(|level| (0..network.nodes()).map(move |to| (network.node(level, 0), to)));
        for (source, destination) in pairs {
            let order = |kind: CubeKind| {
                let straight = kind.direction == Direction::Straight;
                (kind.virtual_channel, kind.level, straight)
            };
            let kinds: Vec<_> = cube_kinds(network, 3, source, destination).collect();
            assert!(kinds.is_sorted_by(|&one, &other| order(one) < order(other)));
        }
    }
}

#[test]
fn the_order_of_dimensions_has_no_cycle() {
    for dimensions in 1..=28 {
        let found = e_cube(Dimensions::new(dimensions).unwrap());
        assert_eq!(
            found,
            Dependencies {
                channels: dimensions,
                dependencies: dimensions * (dimensions - 1) / 2,
                cycle: None
            }
        );
    }
}

#[test]
fn the_dimensions_tell_of_all_channels_of_the_hypercube() {
    for dimensions in 1..=6 {
        let nodes = 1usize << dimensions;
        let pairs =
            (0..nodes).flat_map(|source| (0..nodes).map(move |destination| (source, destination)));
        let whole = Quotient::of(pairs.map(|(source, destination)| {
            let mut from = source;
            e_cube_kinds(dimensions, source ^ destination).map(move |dimension| {
                let channel = (from, dimension);
                from = neighbour(from, dimension);
                channel
            })
        }));
        let found = e_cube(Dimensions::new(dimensions).unwrap());
        assert!(is_acyclic(&whole.graph));
        assert_eq!(whole.graph.node_count(), found.channels * nodes);
        assert_eq!(whole.graph.edge_count(), found.dependencies * nodes);
    }
}

#[test]
fn two_phases_have_no_cycle_where_each_has_a_channel_and_one_of_two_channels_where_they_share_one()
{
    for dimensions in 1..=20 {
        let cube = Dimensions::new(dimensions).unwrap();
        assert_eq!(
            valiant(cube, 2),
            Dependencies {
                channels: 2 * dimensions,
                // Within each phase as in dimension order, and from any of the first to any of the second.
                dependencies: dimensions * (dimensions - 1) + dimensions * dimensions,
                cycle: None
            }
        );
        let shared = valiant(cube, 1);
        assert_eq!(
            (shared.channels, shared.dependencies),
            (dimensions, dimensions * dimensions)
        );
        // A worm that turns back.
        assert_eq!(
            text(&shared.cycle.unwrap()),
            ["0 -dim_0/0-> 1", "1 -dim_0/0-> 0"]
        );
    }
}

#[test]
fn phases_and_dimensions_tell_of_all_channels_of_valiants_routes() {
    for (dimensions, virtual_channels) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2), (4, 2)] {
        let nodes = 1usize << dimensions;
        let trips = (0..nodes * nodes * nodes)
            .map(|trip| [trip % nodes, trip / nodes % nodes, trip / nodes / nodes]);
        let whole = Quotient::of(trips.map(|[source, via, destination]| {
            let mut from = source;
            let phases = [(0, source ^ via), (1, via ^ destination)];
            let hops = phases.into_iter().flat_map(move |(phase, difference)| {
                let crossed = (0..dimensions).filter(move |bit| difference >> bit & 1 == 1);
                crossed.map(move |dimension| (phase.min(virtual_channels - 1), dimension))
            });
            hops.map(move |(channel, dimension)| {
                let kind = (from, channel, dimension);
                from = neighbour(from, dimension);
                kind
            })
        }));
        let found = valiant(Dimensions::new(dimensions).unwrap(), virtual_channels);
        assert_eq!(is_acyclic(&whole.graph), found.cycle.is_none());
        assert_eq!(whole.graph.node_count(), found.channels * nodes);
        assert_eq!(whole.graph.edge_count(), found.dependencies * nodes);
    }
}

/// The search itself, on two kinds that depend on each other.
#[test]
fn a_cycle_whose_steps_do_not_cancel_is_walked_twice() {
    let quotient = Quotient::of([[0, 1], [1, 0]].map(IntoIterator::into_iter).into_iter());
    let found = quotient.dependencies(
        |dimension| 1 << dimension,
        |dimension, from| Channel::Hypercube {
            from,
            dimension,
            virtual_channel: 0,
        },
    );
    assert_eq!(
        text(&found.cycle.unwrap()),
        [
            "0 -dim_0/0-> 1",
            "1 -dim_1/0-> 3",
            "3 -dim_0/0-> 2",
            "2 -dim_1/0-> 0"
        ]
    );
}
