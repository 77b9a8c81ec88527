//! Arbiters where two can ask: what those that there are store, and what they would store if each had a
//! place for what may ask at one address, and none for what never does.

use super::*;

/// Registers of an arbiter.
fn bits(requesters: usize) -> usize {
    requesters.saturating_sub(1)
}

fn copies(levels: usize, used: usize, virtual_channels: usize) -> Plan {
    let copies = Copies::new(levels).unwrap();
    plan(Network::Copies { copies, used }, virtual_channels)
}

/// Of the arbiters of output channels of a switch: what they store, and what is enough, since who asks at
/// level 0 alone and who asks elsewhere alone may share a place.
fn of_outputs(plan: &Plan) -> (usize, usize) {
    let outputs = &plan.switch.outputs;
    let at = |output: &OutputPlan, other: When| {
        let requesters = output.requesters.iter();
        requesters.filter(|one| one.when != other).count()
    };
    let most = |output| at(output, When::AtLevel0).max(at(output, When::NotAtLevel0));
    (
        outputs.iter().map(|one| bits(one.requesters.len())).sum(),
        outputs.iter().map(|one| bits(most(one))).sum(),
    )
}

/// Of a node's arbiters of wires: what they store, and what is enough for channels that some address has;
/// and wires that lead to no other channels.
fn of_wires(plan: &Plan) -> (usize, usize, usize) {
    let (mut stored, mut enough, mut idle) = (0, 0, 0);
    for link in &plan.links {
        let live = link.channels.iter().filter(|one| !one.senders.is_empty());
        let (all, live) = (link.channels.len(), live.count());
        stored += bits(all);
        enough += bits(live);
        idle += LinkWires::new(0, all).end() - LinkWires::new(0, live).end();
    }
    (stored, enough, idle)
}

/// An output channel for which one input channel asks stores nothing today, and there is none in the
/// copies; two of six have requesters that exclude each other by the level.
#[test]
fn output_channels_with_requesters_that_exclude_each_other() {
    for levels in [2, 4, 8] {
        for (virtual_channels, expected) in [(1, (5, 5)), (2, (10, 10)), (3, (12, 10))] {
            let plan = copies(levels, levels, virtual_channels);
            let outputs = plan.switch.outputs.iter();
            assert!(outputs.clone().all(|output| output.requesters.len() > 1));
            assert_eq!(of_outputs(&plan), expected);
        }
    }
    // Dimension order: only the host asks for dimension 0, and its arbiter has no register.
    let e_cube = plan(Network::ECube(Dimensions::new(6).unwrap()), 1);
    assert_eq!(e_cube.switch.outputs[0].requesters.len(), 1);
    assert_eq!(of_outputs(&e_cube), (21, 21));
}

/// Dimension 0 and the last log n dimensions lie in no window: no copy goes straight over them. Their links
/// have straight channels all the same, with places in the arbiter and wires.
#[test]
fn links_with_channels_that_no_address_has() {
    for levels in [2usize, 4, 8] {
        let log = levels.ilog2() as usize;
        for virtual_channels in 1..=3 {
            let plan = copies(levels, levels, virtual_channels);
            let (stored, enough, idle) = of_wires(&plan);
            assert_eq!(stored - enough, virtual_channels * (1 + log));
            // Credits, and what names the channel: 3 bits for 5, 2 for 4, 1 for 2, none for 1.
            assert_eq!(idle, [2, 3, 5][virtual_channels - 1] * (1 + log));
        }
        // Of one copy a dimension is of the window or of the columns, and dimension 1 of two levels.
        let (stored, enough, _) = of_wires(&copies(levels, 1, 3));
        assert_eq!(stored - enough, 3 * levels + 2 * (log - 1));
    }
}
