//! Who waits for whom. A cycle of waiting channels never ends: that is deadlock, and nothing else is.
//!
//! An input channel waits for the one that its worm goes on into: where it is connected, has a bit and no credit, that one
//! is full; where it asks and the output channel is not free, another worm is in that one. It waits for no other, so
//! the channels that wait form chains, and a cycle is found by walking one.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::route::Place;

use crate::families::wormhole::hosts::places;
use crate::families::wormhole::tracker::{asked, far_end};

/// The input channel that this one waits for, if it waits for one.
fn waits_for<B: Lanes>(fabric: &Fabric<WormholeMachine, B>, place: Place) -> Option<Place> {
    let (group, lane) = fabric.node(place.node);
    let switch = &group.switches()[place.switch];
    let input = switch.input(place.input);
    if !input.holds_bit().get(lane) {
        return None;
    }
    let output = asked(fabric, place)?;
    let node = place.node % fabric.topology().nodes();
    let at_level_0 = B::from_strobe(fabric.router().at_level_0(node, place.switch));
    let goes_on = match input.connected().get(lane) {
        true => switch.has_credit(output),
        false => switch.free(output, switch.offer(output, at_level_0).owned),
    };
    match goes_on.get(lane) {
        true => None,
        false => far_end(fabric, (place.node, place.switch, output)),
    }
}

/// A cycle of input channels that wait for each other, each for the next and the last one for the first; none if there
/// is none.
pub fn wait_for_cycle<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    node_at: impl Fn(usize, usize) -> usize,
) -> Option<Vec<Place>> {
    let plan = fabric.router().plan();
    let (switches, inputs) = (plan.switches(), plan.switch.inputs.len());
    let nodes = fabric.machines() * fabric.topology().nodes();
    let index = |place: Place| (place.node * switches + place.switch) * inputs + place.input;
    // The walk that came by, from 1.
    let mut seen = vec![0u32; nodes * switches * inputs];
    let mut walk = 0;
    for (group, node) in fabric.node_groups().iter().enumerate() {
        for (switch, channels) in node.switches().iter().enumerate() {
            for input in 0..inputs {
                for lane in places(channels.input(input).holds_bit()) {
                    walk += 1;
                    let mut here = Some(Place {
                        node: node_at(group, lane),
                        switch,
                        input,
                    });
                    let mut path = Vec::new();
                    while let Some(place) = here {
                        match std::mem::replace(&mut seen[index(place)], walk) {
                            0 => path.push(place),
                            before if before == walk => {
                                let start = path.iter().position(|&on| on == place)?;
                                return Some(path.split_off(start));
                            }
                            _ => break,
                        }
                        here = waits_for(fabric, place);
                    }
                }
            }
        }
    }
    None
}
