use std::collections::HashMap;

use super::*;
use crate::embedding::constructions::{Ask, construction};
use crate::machine::topology::hypercube::neighbour;
use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::plan::{End, Port};

mod hosts;
mod worms;

fn butterflies(levels: usize) -> Butterflies {
    Butterflies::new(levels).unwrap()
}

fn machine(levels: usize, virtual_channels: usize) -> WormholeMachine {
    machine_of(
        levels,
        Parameters {
            virtual_channels,
            buffer_bits: 2,
            wire_bits: 1,
            weak_switch: false,
        },
    )
}

fn machine_of(levels: usize, parameters: Parameters) -> WormholeMachine {
    WormholeMachine::new(Network::Butterflies(butterflies(levels)), parameters).unwrap()
}

#[test]
fn there_are_machines_of_two_and_four_levels() {
    for (levels, nodes) in [(2, 64), (4, 4096)] {
        let network = butterflies(levels);
        assert_eq!(network.host().nodes(), nodes);
        assert_eq!(
            (network.levels(), 2 * network.lanes()),
            (levels, network.host().count())
        );
    }
    for levels in [0, 1, 3, 5, 8, 16, usize::MAX] {
        let refused = Butterflies::new(levels).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("of {levels} levels")),
            "{refused}"
        );
        assert!(refused.contains("2 or 4"), "{refused}");
    }
}

/// The paths of all edges of the embedding, in the order of lanes, by the nodes that they join.
fn embedded(levels: usize) -> (HashMap<[usize; 2], Vec<Vec<usize>>>, u32) {
    let ask = Ask::of_dimensions(butterflies(levels).host().count());
    let embedding = construction("butterfly-product")
        .unwrap()
        .embed(&ask)
        .unwrap();
    let paths = |edge| {
        let dimensions = |path: &[u8]| path.iter().map(|&one| usize::from(one)).collect();
        embedding.paths(edge).map(dimensions).collect()
    };
    let edges = (0..embedding.edges()).map(|edge| (embedding.edge(edge), paths(edge)));
    (edges.collect(), embedding.measures().congestion as u32)
}

/// Every lane, followed through relays as the plan has it, is a path of the embedding, and leads to the
/// input channel of its own number.
#[test]
fn lanes_are_the_paths_of_the_embedding() {
    for levels in [2, 4] {
        let network = butterflies(levels);
        let machine = machine(levels, 1);
        let lanes = network.lanes_of(1);
        let (mut edges, _) = embedded(levels);
        for node in 0..network.host().nodes() {
            for line in Line::ALL {
                for edge in Edge::ALL {
                    let mut found = Vec::new();
                    let mut ends = None;
                    for lane in 0..lanes.lanes {
                        let output = lanes.output(line, edge, lane);
                        let mut end = Port::lone(output).end;
                        let (mut at, mut path) = (node, Vec::new());
                        loop {
                            let (link, far) = machine.next(at, end).unwrap();
                            path.push(link);
                            (at, end) = (neighbour(at, link), far);
                            if let End::Switch { channel, .. } = far {
                                assert_eq!(channel, output + 1);
                                break;
                            }
                        }
                        assert_eq!(path.len(), edge.relays() + 1);
                        assert_eq!(ends.replace(at).unwrap_or(at), at);
                        found.push(path);
                    }
                    // The vertex there is that of the butterfly's edge.
                    let to = ends.unwrap();
                    let (level, column) = network.vertex(line, node);
                    let crossed = usize::from(edge == Edge::Cross) << level;
                    let next = ((level + 1) % levels, column ^ crossed);
                    assert_eq!(network.vertex(line, to), next);
                    assert_eq!(edges.remove(&[node, to]), Some(found));
                }
            }
        }
        assert!(edges.is_empty());
    }
}

/// At every address a channel of a link has one sender at the most, and one receiver where the node at
/// the other end has a sender; and each relay and output channel has one link out, each relay and input
/// channel one link in.
#[test]
fn every_hop_is_a_permutation_of_the_nodes() {
    for levels in [2, 4] {
        let network = butterflies(levels);
        let machine = machine(levels, 1);
        let plan = machine.plan();
        let holds = |node: usize, port: &&Port| {
            port.at
                .is_none_or(|at| plan.levels[at.code].level(node) == Some(at.level))
        };
        for node in 0..network.host().nodes() {
            let mut out = vec![0; plan.switch.outputs.len() + plan.relays.len()];
            let mut into = vec![0; plan.switch.inputs.len() + plan.relays.len()];
            for (dimension, link) in plan.links.iter().enumerate() {
                let far = neighbour(node, dimension);
                for channel in &link.channels {
                    assert_eq!(channel.senders.len(), channel.receivers.len());
                    let here = |port: &(&Port, &Port)| holds(node, &port.0);
                    let pairs = channel.senders.iter().zip(&channel.receivers);
                    let sending: Vec<_> = pairs.filter(here).collect();
                    let receivers = channel.receivers.iter();
                    let receiving: Vec<_> = receivers.filter(|port| holds(far, port)).collect();
                    assert!(sending.len() <= 1);
                    assert_eq!(Vec::from_iter(sending.iter().map(|(_, to)| *to)), receiving);
                    for (from, to) in sending {
                        out[plan.sender(from.end)] += 1;
                        into[plan.receiver(to.end)] += 1;
                    }
                }
            }
            assert_eq!(out[plan.switch.eject()], 0);
            assert!(
                out.iter()
                    .enumerate()
                    .all(|(place, &links)| { links == usize::from(place != plan.switch.eject()) })
            );
            // Of those at the other ends: each kind once.
            assert_eq!(into[0], 0);
            assert_eq!(into.iter().sum::<usize>(), into.len() - 1);
        }
    }
}

/// A busiest link has as many channels as users, those of the embedding; and none has more.
#[test]
fn links_have_as_many_channels_as_their_wires_have_paths() {
    for levels in [2, 4] {
        let (edges, congestion) = embedded(levels);
        let mut users: HashMap<(usize, usize), u32> = HashMap::new();
        for ([from, _], paths) in &edges {
            for path in paths {
                path.iter().fold(*from, |at, &dimension| {
                    *users.entry((at, dimension)).or_default() += 1;
                    neighbour(at, dimension)
                });
            }
        }
        assert_eq!(congestion, 10);
        let plan = machine(levels, 1);
        for (dimension, link) in plan.plan().links.iter().enumerate() {
            let busiest = users.iter().filter(|((_, one), _)| *one == dimension);
            let busiest = busiest.map(|(_, users)| *users).max();
            assert_eq!(
                Some(link.channels.len() as u32),
                busiest,
                "dimension {dimension}"
            );
        }
    }
}

/// The header, read as the switches read it, leads along the butterfly of the row and then along that of
/// the column, from level to level.
#[test]
fn headers_lead_along_the_row_and_then_along_the_column() {
    let mut longest = [0; 2];
    for (turn, levels) in [2, 4].into_iter().enumerate() {
        let network = butterflies(levels);
        let n = network.lanes();
        for virtual_channels in 1..=3 {
            let machine = machine(levels, virtual_channels);
            let nodes = network.host().nodes();
            // All pairs of 64 nodes; some of 4096.
            let every = if levels == 2 { 1 } else { 4099 };
            for pair in (0..nodes * nodes).step_by(every) {
                let (source, destination) = (pair / nodes, pair % nodes);
                let trip = Trip::direct(source, destination);
                let mut at = source;
                let (turned, mut lines) = (source >> n << n | destination & ((1 << n) - 1), vec![]);
                for node in machine.path(0, trip).into_iter().skip(1) {
                    let line = if at == turned || lines.last() == Some(&Line::Column) {
                        Line::Column
                    } else {
                        Line::Row
                    };
                    let (level, column) = network.vertex(line, at);
                    let (next, to) = network.vertex(line, node);
                    assert_eq!(next, (level + 1) % levels);
                    assert!(column == to || column ^ 1 << level == to);
                    lines.push(line);
                    at = node;
                }
                assert_eq!(at, destination);
                for line in Line::ALL {
                    let edges = lines.iter().filter(|one| **one == line).count();
                    longest[turn] = longest[turn].max(edges);
                }
                let steps = network.way(trip);
                assert_eq!(lines.len(), steps.len());
                // Each by a lane of the class of how often it has come to level 0.
                let lanes = network.lanes_of(virtual_channels);
                let mut bits = machine.header(0, trip);
                bits.push(true);
                let way = machine.way(source, 0, &bits);
                let taken = way.iter().filter_map(|crossing| {
                    let input = crossing.input?.input;
                    Some((lanes.class((input - 1) % lanes.lanes), crossing.lanes))
                });
                let expected = steps.iter().map(|step| {
                    let class = step.datelines.min(lanes.classes - 1);
                    (class, lanes.of_class(class).count())
                });
                assert_eq!(Vec::from_iter(taken), Vec::from_iter(expected));
            }
        }
    }
    assert_eq!(longest, [3, 7]);
}
