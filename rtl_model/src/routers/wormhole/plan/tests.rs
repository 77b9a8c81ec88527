use super::*;
use crate::embedding::copies::Copies;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::networks::butterflies::vertices::Butterflies;
use crate::routers::wormhole::networks::direct::Routing;
use crate::routers::wormhole::parameters::Parameters;

mod arbiters;

fn plan(network: Network, virtual_channels: usize) -> NodePlan {
    let parameters = Parameters {
        virtual_channels,
        buffer_bits: 2,
        wire_bits: 1,
        weak_switch: false,
    };
    network.plan(parameters).unwrap()
}

fn cycles(levels: usize, virtual_channels: usize) -> NodePlan {
    let cycles = CubeConnectedCycles::new(levels).unwrap();
    plan(Network::CubeConnectedCycles(cycles), virtual_channels)
}

#[test]
fn wires_of_a_link_follow_each_other() {
    let of_several = |first, channels, wire_bits| {
        let wires = LinkWires::new(first, channels, wire_bits);
        let end = first + wire_bits;
        assert_eq!(
            (wires.data.clone(), wires.valid, wires.tail),
            (first..end, end, end + 1)
        );
        assert_eq!(wires.end(), wires.credits.end);
        (wires.channel, wires.credits)
    };
    let of = |first, channels| of_several(first, channels, 1);
    assert_eq!(of(10, 1), (13..13, 13..14));
    assert_eq!(of(0, 2), (3..4, 4..6));
    assert_eq!(of(0, 3), (3..5, 5..8));
    assert_eq!(of(7, 4), (10..12, 12..16));
    assert_eq!(of(0, 5), (3..6, 6..11));
    assert_eq!(of(0, 6), (3..6, 6..12));
    assert_eq!(of_several(10, 2, 8), (20..21, 21..23));
}

#[test]
fn wires_of_all_links_follow_each_other() {
    let copies = Network::Copies {
        copies: Copies::new(4).unwrap(),
        used: 4,
    };
    let e_cube = Network::direct(Dimensions::new(6).unwrap(), Routing::Order);
    // Straight 3 + 2 + 3 wires and cross 3 + 1 + 2; dimension 1 has 6 channels, dimensions 2 and 3 have 5, the others,
    // which no copy's level goes over, 2; one channel a dimension.
    for (plan, wires) in [
        (cycles(3, 3), 8 + 6),
        (
            plan(copies, 3),
            (3 + 3 + 6) + 2 * (3 + 3 + 5) + 3 * (3 + 1 + 2),
        ),
        (plan(e_cube, 1), 6 * 4),
    ] {
        let mut end = 0;
        for link in &plan.links {
            assert_eq!(link.wires, LinkWires::new(end, link.channels.len(), 1));
            end = link.wires.end();
        }
        assert_eq!((end, plan.link_wires()), (wires, wires));
    }
}

/// Who may ask for an output channel, and where.
fn asking(plan: &NodePlan, output: usize) -> Vec<(String, When)> {
    let requesters = plan.switch.outputs[output].requesters.iter();
    requesters
        .map(|one| (plan.switch.inputs[one.input].name.to_string(), one.when))
        .collect()
}

/// On which virtual channels a worm that came in on straight channel `from` goes out on `to`.
fn from_straight(from: usize, to: usize, last: usize) -> Option<When> {
    match (from == to, (from + 1).min(last) == to) {
        (true, true) => Some(When::Always),
        (true, false) => Some(When::NotAtLevel0),
        (false, true) => Some(When::AtLevel0),
        (false, false) => None,
    }
}

#[test]
fn arbiters_of_cube_connected_cycles_know_who_may_ask() {
    for virtual_channels in 1..=3 {
        let plan = cycles(3, virtual_channels);
        let crosses = virtual_channels.min(2);
        let always = |name: String| (name, When::Always);
        let expected = |to: usize| -> Vec<(String, When)> {
            let injection = (to == 0).then(|| always("injection".to_owned()));
            let straight = (0..virtual_channels).filter_map(|from| {
                let when = from_straight(from, to, virtual_channels - 1)?;
                Some((format!("straight_in_{from}"), when))
            });
            injection.into_iter().chain(straight).collect()
        };
        for to in 0..virtual_channels {
            let cross = (to < crosses).then(|| always(format!("cross_in_{to}")));
            let straight_out = expected(to).into_iter().chain(cross);
            assert_eq!(
                plan.switch.outputs[to].name.to_string(),
                format!("straight_out_{to}")
            );
            assert_eq!(asking(&plan, to), Vec::from_iter(straight_out));
        }
        for to in 0..crosses {
            let output = virtual_channels + to;
            assert_eq!(
                plan.switch.outputs[output].name.to_string(),
                format!("cross_out_{to}")
            );
            assert_eq!(asking(&plan, output), expected(to));
        }
        let all = plan
            .switch
            .inputs
            .iter()
            .map(|input| always(input.name.to_string()));
        assert_eq!(plan.switch.eject(), virtual_channels + crosses);
        assert_eq!(asking(&plan, plan.switch.eject()), Vec::from_iter(all));
    }
}

#[test]
fn arbiters_of_dimension_order_know_who_may_ask() {
    let plan = plan(
        Network::direct(Dimensions::new(6).unwrap(), Routing::Order),
        1,
    );
    for output in 0..=6 {
        let below = (0..output).map(|dimension| format!("in_{dimension}"));
        let expected: Vec<_> = std::iter::once("injection".to_owned())
            .chain(below)
            .map(|name| (name, When::Always))
            .collect();
        assert_eq!(asking(&plan, output), expected);
    }
    assert_eq!(plan.switch.eject(), 6);
}

/// With three virtual channels on straight links and two on cross links nobody crosses on a third.
#[test]
fn requests_are_for_channels_that_there_are() {
    for virtual_channels in 1..=3 {
        let plan = cycles(2, virtual_channels);
        for input in &plan.switch.inputs {
            let requests = input.candidates.iter().flatten();
            assert!(requests.clone().count() > 0);
            for request in requests {
                let requesters = &plan.switch.outputs[request.output].requesters;
                let named = |one: &Requester| plan.switch.inputs[one.input].name == input.name;
                assert_eq!(requesters.iter().filter(|one| named(one)).count(), 1);
            }
        }
    }
}
