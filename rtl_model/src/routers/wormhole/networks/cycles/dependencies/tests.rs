use std::collections::HashSet;

use super::*;
use crate::routers::wormhole::dependencies::quotient::tests::{edges, girth, is_acyclic, text};

fn network(levels: usize) -> CubeConnectedCycles {
    CubeConnectedCycles::new(levels).unwrap()
}

fn dependencies(levels: usize, virtual_channels: usize) -> Dependencies {
    of(network(levels), virtual_channels)
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
            let found = of(network, virtual_channels);
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
