//! The dependencies between the lanes of `X(butterfly)`.

use std::collections::HashSet;

use crate::language::register::Name;
use crate::routers::wormhole::dependencies::quotient::Quotient;
use crate::routers::wormhole::dependencies::{Channel, Dependencies};
use crate::routers::wormhole::networks::butterflies::lanes::Lanes;
use crate::routers::wormhole::networks::butterflies::vertices::{
    Butterflies, Edge, Line, Step, steps,
};

/// A hop of a lane, in any row or column and from any column of its butterfly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct LaneKind {
    line: Line,
    /// The level from which the lane goes.
    level: usize,
    edge: Edge,
    lane: usize,
    /// 0: over the link behind the output channel, then over those behind the relays.
    hop: usize,
}

/// The dependencies in `X(butterfly)`. A worm holds its lane, every hop of which waits for the next one,
/// and waits for a lane of the class that it asks for; each of them is taken to be waited for, though any
/// will do. So what has no cycle has no deadlock; what has one may have none either, where another lane
/// would have to be taken as well.
pub fn of(network: &Butterflies, lanes: Lanes) -> Dependencies {
    let step = |kind: LaneKind| match (kind.edge, kind.hop) {
        (Edge::Cross, 1) => 1 << kind.level,
        _ => 0,
    };
    quotient(network, lanes)
        .dependencies(step, |kind, column| channel(network, lanes, kind, column))
}

fn quotient(network: &Butterflies, lanes: Lanes) -> Quotient<LaneKind> {
    let pairs = pairs(network, lanes);
    let of_pair = |(one, other): (Step, Step)| {
        let from = hops_of_class(lanes, one);
        from.into_iter().flat_map(move |from| {
            let to = hops_of_class(lanes, other).into_iter();
            to.map(move |to| [from.clone(), to].concat().into_iter())
        })
    };
    Quotient::of(pairs.into_iter().flat_map(of_pair))
}

/// The edges that follow each other on a route.
fn pairs(network: &Butterflies, lanes: Lanes) -> Vec<(Step, Step)> {
    let levels = network.levels();
    let ways = |line: Line| -> Vec<Vec<Step>> {
        let of_level = |level| {
            let to = (0..levels << levels).map(|to| (to % levels, to / levels));
            to.map(move |to| steps(levels, line, (level, 0), to))
        };
        (0..levels).flat_map(of_level).collect()
    };
    let (rows, columns) = (ways(Line::Row), ways(Line::Column));
    let within = rows.iter().chain(&columns).flat_map(|way| way.windows(2));
    let within = within.map(|pair| (pair[0], pair[1]));
    // At which level a node stands in its row, and at which in its column.
    let turns_at: HashSet<(usize, usize)> = (0..network.host().nodes())
        .map(|node| {
            (
                network.vertex(Line::Row, node).0,
                network.vertex(Line::Column, node).0,
            )
        })
        .collect();
    let firsts: Vec<Step> = (columns.iter().filter_map(|way| way.first()))
        .copied()
        .collect();
    let turns = (rows.iter().filter_map(|way| way.last())).flat_map(|&last| {
        let turns = |first: &&Step| turns_at.contains(&((last.level + 1) % levels, first.level));
        firsts
            .iter()
            .filter(turns)
            .map(move |&first| (last, first))
            .collect::<Vec<_>>()
    });
    let mut seen = HashSet::new();
    let kind = |step: &Step| {
        (
            step.line,
            step.level,
            step.edge,
            lanes.after(step.datelines),
        )
    };
    let pairs = within.chain(turns);
    pairs
        .filter(|(one, other)| seen.insert((kind(one), kind(other))))
        .collect()
}

/// The hops of each lane by which a step may go.
fn hops_of_class(lanes: Lanes, step: Step) -> Vec<Vec<LaneKind>> {
    let of_lane = |lane| {
        let kind = |hop| LaneKind {
            line: step.line,
            level: step.level,
            edge: step.edge,
            lane,
            hop,
        };
        (0..=step.edge.relays()).map(kind).collect()
    };
    let class = lanes.after(step.datelines);
    lanes.of_class(class).map(of_lane).collect()
}

/// In row or column 0, from a column of its butterfly; behind a cross link the column is the one that it
/// leads to.
fn channel(network: &Butterflies, lanes: Lanes, kind: LaneKind, column: usize) -> Channel {
    let LaneKind {
        line,
        level,
        edge,
        lane,
        hop,
    } = kind;
    let crossed = usize::from(edge == Edge::Cross && hop > 1) << level;
    let (place, path) = network.path((line, level, column ^ crossed), edge, lane);
    let before = path[..hop].iter().map(|dimension| 1 << dimension);
    let from = before.fold(place, |node, bit: usize| node ^ bit);
    let sender: Name = match hop.checked_sub(1) {
        None => lanes.output_name(line, edge, lane),
        Some(relay) => lanes.relay_name(lanes.relay(line, edge, lane, relay)),
    };
    Channel::Lane {
        from,
        dimension: path[hop],
        sender,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use petgraph::algo::toposort;
    use petgraph::graph::NodeIndex;
    use petgraph::visit::EdgeRef;

    use super::*;
    use crate::machine::topology::hypercube::neighbour;
    use crate::routers::wormhole::machine::WormholeMachine;
    use crate::routers::wormhole::network::Network;
    use crate::routers::wormhole::parameters::Parameters;
    use crate::routers::wormhole::plan::{End, Port};
    use crate::routers::wormhole::trip::Trip;

    fn found(levels: usize, virtual_channels: usize) -> Dependencies {
        let network = Butterflies::new(levels).unwrap();
        of(&network, network.lanes_of(virtual_channels))
    }

    #[test]
    fn two_classes_are_enough_for_two_levels_and_three_for_four() {
        for (levels, enough) in [(2, 2), (4, 3)] {
            for virtual_channels in 1..=3 {
                let found = found(levels, virtual_channels);
                assert_eq!(found.cycle.is_none(), virtual_channels >= enough);
                // Each leads to the next, and the last to the first.
                let cycle = found.cycle.unwrap_or_default();
                for (one, next) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
                    assert_eq!(one.to(), next.from());
                }
            }
            // More are not used.
            assert_eq!(found(levels, enough), found(levels, 4));
        }
    }

    #[test]
    fn how_many_kinds_and_dependencies() {
        let counts = |levels, virtual_channels| {
            let found = found(levels, virtual_channels);
            let cycle = found.cycle.map_or(0, |cycle| cycle.len());
            (found.channels, found.dependencies, cycle)
        };
        // In each of two lines of m levels n lanes of 3 and 4 hops.
        assert_eq!(counts(2, 1).0, 2 * 2 * 3 * 7);
        assert_eq!(counts(4, 1).0, 2 * 4 * 6 * 7);
        assert_eq!([1, 2].map(|v| counts(2, v)), [(84, 240, 14), (76, 136, 0)]);
        // Four straight edges of three hops.
        assert_eq!(
            [1, 2, 3].map(|v| counts(4, v)),
            [(336, 3696, 12), (312, 1788, 12), (232, 932, 0)]
        );
    }

    /// Kinds against the channels of all 64 nodes, from the routes of all pairs, by every lane that each may
    /// take.
    #[test]
    fn the_kinds_tell_of_all_channels() {
        type Whole = (usize, End);
        let network = Butterflies::new(2).unwrap();
        for virtual_channels in 1..=2 {
            let lanes = network.lanes_of(virtual_channels);
            let parameters = Parameters {
                virtual_channels,
                buffer_bits: 1,
                wire_bits: 1,
                weak_switch: false,
            };
            let machine =
                WormholeMachine::new(Network::Butterflies(network.clone()), parameters).unwrap();
            // By the node where a step begins.
            let hops = |(node, step): (usize, Step), lane: usize| -> (Vec<Whole>, usize) {
                let (mut at, mut end) = (
                    node,
                    Port::lone(lanes.output(step.line, step.edge, lane)).end,
                );
                let mut hops = Vec::new();
                loop {
                    hops.push((at, end));
                    let (link, far) = machine.next(at, end).unwrap();
                    (at, end) = (neighbour(at, link), far);
                    if matches!(far, End::Switch { .. }) {
                        return (hops, at);
                    }
                }
            };
            let classes = |step: Step| lanes.of_class(lanes.after(step.datelines));
            let mut kinds: HashMap<Whole, LaneKind> = HashMap::new();
            let mut pairs = HashSet::new();
            let mut routes = Vec::new();
            for pair in 0..64 * 64 {
                let mut at = pair / 64;
                let way = network.way(Trip::direct(at, pair % 64));
                let mut before: Option<(usize, Step)> = None;
                for &step in &way {
                    let (_, to) = hops((at, step), 0);
                    let key = |(node, step): (usize, Step)| {
                        (node, step.line, step.edge, lanes.after(step.datelines))
                    };
                    if let Some(before) = before
                        && pairs.insert((key(before), key((at, step))))
                    {
                        for one in classes(before.1) {
                            for other in classes(step) {
                                let (mut route, _) = hops(before, one);
                                route.extend(hops((at, step), other).0);
                                routes.push(route);
                            }
                        }
                    }
                    for (lane, kind) in classes(step).zip(hops_of_class(lanes, step)) {
                        kinds.extend(hops((at, step), lane).0.into_iter().zip(kind));
                    }
                    before = Some((at, step));
                    at = to;
                }
            }
            let whole = Quotient::of(routes.into_iter().map(Vec::into_iter)).graph;
            let quotient = super::quotient(&network, lanes).graph;
            assert_eq!(
                toposort(&whole, None).is_ok(),
                toposort(&quotient, None).is_ok()
            );
            let of_whole: HashSet<(LaneKind, LaneKind)> = (whole.edge_references())
                .map(|edge| [edge.source(), edge.target()].map(|end: NodeIndex| kinds[&whole[end]]))
                .map(|[one, other]| (one, other))
                .collect();
            let of_kinds: HashSet<(LaneKind, LaneKind)> = (quotient.edge_references())
                .map(|edge| (quotient[edge.source()], quotient[edge.target()]))
                .collect();
            assert!(
                of_whole == of_kinds,
                "{} and {}",
                of_whole.len(),
                of_kinds.len()
            );
        }
    }
}
