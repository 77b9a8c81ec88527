//! What the wires and nodes of wormhole machines are called.
//!
//! ```text
//!   node a                                     node b, to which a's link leads
//!   tx, tx_valid, tx_tail, tx_channel  ----->  rx, rx_valid, rx_tail, rx_channel
//!   rx_credit_<channel>                <-----  tx_credit_<channel>
//! ```
//!
//! So `tx` is what a node drives and `rx` what it receives. Credits come back on the link on which
//! its own bits went.

use std::ops::Range;

use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::grid::Grid;
use crate::machine::topology::{Labelled, Tap};
use crate::routers::wormhole::plan::{LinkPlan, NodePlan};

/// All wires of a node, by name: link by link, then switch by switch those of its host.
pub(super) fn of(plan: &NodePlan) -> Vec<Labelled> {
    let links = plan.links.iter().flat_map(link);
    let hosts = (0..plan.switches()).flat_map(|switch| host(plan, switch));
    links.chain(hosts).collect()
}

/// What comes to a node over a link has the names of what leaves it: `tx` is `rx` at the other end.
fn link(link: &LinkPlan) -> Vec<Labelled> {
    let wires = &link.wires;
    let mut labelled = Vec::new();
    for (way, tap) in [
        ("tx", Tap::Driven as fn(usize) -> Tap),
        ("rx", Tap::Received),
    ] {
        let mut add = |name: String, range: Range<usize>| {
            if !range.is_empty() {
                labelled.push(Labelled {
                    scope: link.name.to_string(),
                    name,
                    wires: range.map(tap).collect(),
                });
            }
        };
        add(way.to_owned(), wires.data.clone());
        let mut add_one = |name: String, wire: usize| add(name, wire..wire + 1);
        add_one(format!("{way}_valid"), wires.valid);
        add_one(format!("{way}_tail"), wires.tail);
        add(format!("{way}_channel"), wires.channel.clone());
        for (channel, wire) in wires.credits.clone().enumerate() {
            add(format!("{way}_credit_{channel}"), wire..wire + 1);
        }
    }
    labelled
}

fn host(plan: &NodePlan, switch: usize) -> Vec<Labelled> {
    let wires = plan.host_wires();
    let from_host = |range: Range<usize>| -> Vec<Tap> {
        let first = plan.link_wires() + switch * wires.from_host();
        range.map(|wire| Tap::Received(first + wire)).collect()
    };
    let to_host = |range: Range<usize>| -> Vec<Tap> {
        let first = plan.link_wires() + switch * wires.to_host();
        range.map(|wire| Tap::Driven(first + wire)).collect()
    };
    let one = |wire: usize| wire..wire + 1;
    let scope = match plan.switches() {
        1 => "host".to_owned(),
        _ => format!("host_{switch}"),
    };
    [
        ("inject", from_host(wires.inject())),
        ("inject_valid", from_host(one(wires.inject_valid()))),
        ("inject_tail", from_host(one(wires.inject_tail()))),
        ("inject_credit", to_host(one(wires.inject_credit()))),
        ("eject", to_host(wires.eject())),
        ("eject_valid", to_host(one(wires.eject_valid()))),
        ("eject_tail", to_host(one(wires.eject_tail()))),
    ]
    .into_iter()
    .map(|(name, taps)| Labelled {
        scope: scope.clone(),
        name: name.to_owned(),
        wires: taps,
    })
    .collect()
}

/// `<level>_<column>`. The nodes of a second machine beside the first count its levels on.
pub(super) fn cycle_node(cycles: CubeConnectedCycles, node: usize) -> String {
    format!("{}_{}", cycles.level(node), cycles.column(node))
}

/// `<x>_<y>`: the digits, dimension 0 first. The nodes of a second machine beside the first count the last one on.
pub(super) fn grid_node(grid: Grid, node: usize) -> String {
    let nodes = grid.nodes();
    let last = grid.dimensions() - 1;
    let digits = grid.digits(node % nodes).enumerate();
    let digits = digits.map(|(dimension, digit)| match dimension == last {
        true => (digit + node / nodes * grid.radix()).to_string(),
        false => digit.to_string(),
    });
    digits.collect::<Vec<_>>().join("_")
}

/// A node's name with its column bit by bit.
pub(super) fn cycle_title(cycles: CubeConnectedCycles, node: usize, name: &str) -> String {
    let (level, column, width) = (cycles.level(node), cycles.column(node), cycles.levels());
    format!("node_{name} = level {level}, column {column:0width$b}")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::embedding::copies::Copies;
    use crate::machine::topology::Topology;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::wormhole::machine::WormholeMachine;
    use crate::routers::wormhole::network::Network;
    use crate::routers::wormhole::networks::direct::{Direct, Routing};
    use crate::routers::wormhole::parameters::Parameters;
    use crate::routers::wormhole::space::Space;
    use crate::routers::wormhole::wiring::Wiring;

    fn wiring(network: Network, virtual_channels: usize) -> Wiring {
        let parameters = Parameters {
            virtual_channels,
            buffer_bits: 2,
            // Several wires under one name as well.
            wire_bits: [1, 1, 1, 5][virtual_channels],
            weak_switch: false,
        };
        let machine = WormholeMachine::new(network, parameters).unwrap();
        machine.wiring().clone()
    }

    fn cycles(levels: usize) -> Network {
        Network::CubeConnectedCycles(CubeConnectedCycles::new(levels).unwrap())
    }

    #[test]
    fn every_wire_has_one_name() {
        let copies = |used| Network::Copies {
            copies: Copies::new(4).unwrap(),
            used,
        };
        let direct = |space, routing| Network::Direct(Direct { space, routing });
        let cube = Space::Hypercube(Dimensions::new(5).unwrap());
        let torus = Space::Grid(Grid::new(5, 2, true).unwrap());
        let cube = direct(cube, Routing::Order);
        let torus = direct(torus, Routing::Adaptive);
        for network in [cycles(2), cycles(5), copies(1), copies(4), cube, torus] {
            for virtual_channels in 1..=3 {
                let wiring = wiring(network.clone(), virtual_channels);
                let labelled = wiring.labelled();
                let names: HashSet<(&str, &str)> = (labelled.iter())
                    .map(|one| (one.scope.as_str(), one.name.as_str()))
                    .collect();
                assert_eq!(names.len(), labelled.len());
                let of = |driven: bool| -> Vec<usize> {
                    let mut wires: Vec<usize> = (labelled.iter())
                        .flat_map(|one| &one.wires)
                        .filter_map(|tap| match *tap {
                            Tap::Driven(wire) => driven.then_some(wire),
                            Tap::Received(wire) => (!driven).then_some(wire),
                        })
                        .collect();
                    wires.sort_unstable();
                    wires
                };
                assert_eq!(of(true), Vec::from_iter(0..wiring.driven()));
                assert_eq!(of(false), Vec::from_iter(0..wiring.received()));
            }
        }
    }

    #[test]
    fn a_lone_channel_needs_no_number() {
        let names = |virtual_channels| -> Vec<String> {
            let labelled = wiring(cycles(3), virtual_channels).labelled();
            let straight = labelled.into_iter().filter(|one| one.scope == "straight");
            straight
                .map(|one| one.name)
                .take_while(|name| name != "rx")
                .collect()
        };
        assert_eq!(names(1), ["tx", "tx_valid", "tx_tail", "tx_credit_0"]);
        assert_eq!(
            names(2),
            [
                "tx",
                "tx_valid",
                "tx_tail",
                "tx_channel",
                "tx_credit_0",
                "tx_credit_1"
            ]
        );
    }

    #[test]
    fn nodes_are_found_by_the_names_that_they_have() {
        let wiring = wiring(cycles(3), 2);
        for node in 0..wiring.nodes() {
            assert_eq!(wiring.node_named(&wiring.node_name(node)), Some(node));
            assert_eq!(wiring.node_named(&node.to_string()), Some(node));
        }
        assert_eq!(wiring.node_title(21), "node_2_5 = level 2, column 101");
        for nobody in ["24", "3_0", "0_8", "_1", "1_", "-1", "", "1_2_3", "x"] {
            assert_eq!(wiring.node_named(nobody), None, "{nobody}");
        }
    }
}
