//! Arbiters have places for those that can ask, and no more.

use super::*;
use crate::routers::wormhole::networks::direct::Routing;

fn copies(levels: usize, used: usize, virtual_channels: usize) -> NodePlan {
    let copies = Copies::new(levels).unwrap();
    plan(Network::Copies { copies, used }, virtual_channels)
}

fn butterflies(virtual_channels: usize) -> NodePlan {
    let butterflies = Butterflies::new(4).unwrap();
    plan(Network::Butterflies(butterflies), virtual_channels)
}

/// Those that can ask for an output channel where a line's level is 0, or is not.
fn at(output: &OutputPlan, level_0: bool) -> Vec<&Requester> {
    let excluded = match level_0 {
        true => When::NotAtLevel0,
        false => When::AtLevel0,
    };
    let requesters = output.requesters.iter();
    requesters.filter(|one| one.when != excluded).collect()
}

/// At each address those that ask have places of their own, in their order; and there are no places to spare.
#[test]
fn requesters_share_places_where_no_two_of_them_ask_at_one_address() {
    let mut shared = Vec::new();
    for virtual_channels in 1..=3 {
        let e_cube = Network::direct(Dimensions::new(6).unwrap(), Routing::Order);
        for plan in [
            cycles(3, virtual_channels),
            copies(4, 4, virtual_channels),
            butterflies(virtual_channels),
            plan(e_cube, 1),
        ] {
            let mut places_saved = 0;
            for output in &plan.switch.outputs {
                let mut most = 0;
                for level_0 in [false, true] {
                    let here = at(output, level_0);
                    assert!(here.windows(2).all(|two| two[0].turn < two[1].turn));
                    assert!(here.iter().all(|one| one.turn < output.turns));
                    most = most.max(here.len());
                }
                assert_eq!(output.turns, most, "{}", output.name);
                places_saved += output.requesters.len() - output.turns;
            }
            shared.push(places_saved);
        }
    }
    // With three virtual channels those of the second: of cycles a straight and a cross one, of butterflies two
    // lanes of each of four edges, for which four ask at level 0 and four others elsewhere.
    assert_eq!(shared, [[0; 4], [0; 4], [2, 2, 4 * 2 * 4, 0]].concat());
}

/// Two levels of one line say nothing about those of another.
#[test]
fn requesters_of_other_lines_have_places_of_their_own() {
    let input = |line: usize, when: When| InputPlan {
        name: Name::Numbered("in", line),
        candidates: vec![vec![Request {
            output: 0,
            when,
            lane: 0,
        }]],
        line,
    };
    let turns = |inputs: Vec<InputPlan>| {
        let plan = SwitchPlan::new(inputs, &[Name::Field("out")]);
        let turns = plan.outputs[0].requesters.iter().map(|one| one.turn);
        (turns.collect::<Vec<usize>>(), plan.outputs[0].turns)
    };
    let (at, elsewhere) = (When::AtLevel0, When::NotAtLevel0);
    assert_eq!(
        turns(vec![input(0, at), input(0, elsewhere)]),
        (vec![0, 0], 1)
    );
    assert_eq!(
        turns(vec![input(0, at), input(1, elsewhere)]),
        (vec![0, 1], 2)
    );
    assert_eq!(
        turns(vec![input(0, elsewhere), input(1, at), input(0, at)]),
        (vec![0, 1, 2], 3)
    );
}

/// Dimension 0 and the last log n dimensions lie in no window: no copy goes straight over them, and their links have
/// channels of cross links alone. Of one copy a dimension is of the window or of the columns.
#[test]
fn links_have_the_channels_that_some_address_has() {
    for levels in [2usize, 4, 8] {
        let log = levels.ilog2() as usize;
        for virtual_channels in 1..=3 {
            for used in 1..=levels {
                let plan = copies(levels, used, virtual_channels);
                let mut channels = plan.links.iter().flat_map(|link| &link.channels);
                assert!(channels.all(|one| !one.senders.is_empty() && !one.receivers.is_empty()));
            }
            let crosses = virtual_channels.min(2);
            let channels = |used: usize| -> Vec<usize> {
                let plan = copies(levels, used, virtual_channels);
                plan.links.iter().map(|link| link.channels.len()).collect()
            };
            let both = virtual_channels + crosses;
            let mut expected = vec![crosses, 2 * virtual_channels];
            expected.extend(vec![both; levels - 2]);
            expected.extend(vec![crosses; log]);
            assert_eq!(channels(levels), expected);
            let alone = (0..levels + log).map(|dimension| match dimension {
                1 => 2 * virtual_channels,
                _ if dimension.is_power_of_two() && dimension < levels => virtual_channels,
                _ => crosses,
            });
            assert_eq!(channels(1), Vec::from_iter(alone));
        }
    }
}
