//! Who waits for whom. A cycle of waiting channels never ends: that is deadlock, and nothing else is.
//!
//! An input channel waits for the one that its worm goes on into: where it is connected, has a bit and no credit, that one
//! is full; where it asks and the output channel is not free, another worm is in that one. It waits for no other, so
//! the channels that wait form chains, and a cycle is found by walking one.

use std::collections::HashSet;

use rtl_model::language::lanes::Lanes;
use rtl_model::language::register::Registers;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::node::WormholeNode;
use rtl_model::routers::wormhole::route::ChannelId;

use crate::wormhole::hosts::places;
use crate::wormhole::tracker::{asked_for, far_end};

/// The input channels that this one waits for, any of which would do; none if it does not wait.
pub fn waits_for<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    place: ChannelId,
) -> Vec<ChannelId> {
    let (group, lane) = fabric.node(place.node);
    let switch = &group.switches()[place.switch];
    let input = switch.input(place.input);
    if !input.holds_bit().get(lane) {
        return Vec::new();
    }
    let node = place.node % fabric.topology().nodes();
    let standpoint = fabric.router().standpoint::<B>(node, place.switch);
    let connected = input.connected().get(lane);
    let mut waits_for = Vec::new();
    for output in asked_for(fabric, place, &standpoint) {
        let goes_on = match connected {
            true => switch.has_credit(output),
            false => switch.free(output, switch.offer(output, standpoint.here()).owned),
        };
        let Some((relays, to)) = far_end(fabric, (place.node, place.switch, output)) else {
            return Vec::new();
        };
        // A relay that has a credit goes on.
        let relay_goes_on = |&(node, relay): &(usize, usize)| {
            let (group, lane) = fabric.node(node);
            group.relays()[relay].has_credit().get(lane)
        };
        if goes_on.get(lane) || connected && relays.iter().any(relay_goes_on) {
            return Vec::new();
        }
        waits_for.push(to);
    }
    waits_for
}

/// Whether each input channel, by `index`, waits and will for ever: all that it waits for do.
fn stuck<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    all: &[ChannelId],
    index: impl Fn(ChannelId) -> usize,
) -> Vec<bool> {
    let mut stuck = vec![false; all.iter().map(|&place| index(place) + 1).max().unwrap_or(0)];
    let mut waiting: Vec<(ChannelId, Vec<ChannelId>)> = (all.iter())
        .map(|&place| (place, waits_for(fabric, place)))
        .filter(|(_, waits_for)| !waits_for.is_empty())
        .collect();
    waiting
        .iter()
        .for_each(|(place, _)| stuck[index(*place)] = true);
    loop {
        let before = waiting.len();
        let is_stuck = |place: &ChannelId| stuck.get(index(*place)).copied().unwrap_or(false);
        let (stays, comes_free): (Vec<_>, Vec<_>) =
            (waiting.into_iter()).partition(|(_, waits_for)| waits_for.iter().all(is_stuck));
        comes_free
            .iter()
            .for_each(|(place, _)| stuck[index(*place)] = false);
        waiting = stays;
        if waiting.len() == before {
            return stuck;
        }
    }
}

/// The input channels of a cycle, and all that they wait for, directly or not: each with those it waits for. Of channels
/// that wait for one each these are the cycle itself.
pub fn held_up<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    cycle: &[ChannelId],
) -> Vec<(ChannelId, Vec<ChannelId>)> {
    let mut seen: HashSet<ChannelId> = cycle.iter().copied().collect();
    let mut left = cycle.to_vec();
    let mut held_up = Vec::new();
    while let Some(place) = left.pop() {
        let waits_for = waits_for(fabric, place);
        left.extend(waits_for.iter().filter(|next| seen.insert(**next)));
        held_up.push((place, waits_for));
    }
    held_up
}

/// The cycles of input channels that wait for each other, each for the next and the last one for the first.
pub fn wait_for_cycles<B: Lanes>(
    fabric: &Fabric<WormholeMachine, B>,
    node_at: impl Fn(usize, usize) -> usize,
) -> Vec<Vec<ChannelId>> {
    let plan = fabric.router().plan();
    let (switches, inputs) = (plan.switches(), plan.switch.inputs.len());
    let nodes = fabric.machines() * fabric.topology().nodes();
    let index = |place: ChannelId| (place.node * switches + place.switch) * inputs + place.input;
    // Of channels any of which would do, all must be taken for ever.
    let stuck = (plan.switch.lanes > 1).then(|| {
        let of_group = |(group, node): (usize, &WormholeNode<B>)| -> Vec<ChannelId> {
            let channels =
                (0..switches).flat_map(|switch| (0..inputs).map(move |input| (switch, input)));
            channels
                .flat_map(|(switch, input)| {
                    let holds_bit = node.switches()[switch].input(input).holds_bit();
                    places(holds_bit).map(move |lane| (switch, input, lane))
                })
                .map(|(switch, input, lane)| ChannelId {
                    node: node_at(group, lane),
                    switch,
                    input,
                })
                .collect()
        };
        let all: Vec<ChannelId> = fabric
            .node_groups()
            .iter()
            .enumerate()
            .flat_map(of_group)
            .collect();
        stuck(fabric, &all, index)
    });
    let may_wait = |place: ChannelId| {
        let stuck = stuck.as_ref();
        stuck.is_none_or(|stuck| stuck.get(index(place)).copied().unwrap_or(false))
    };
    // The walk that came by, from 1.
    let mut seen = vec![0u32; nodes * switches * inputs];
    let mut walk = 0;
    let mut cycles = Vec::new();
    for (group, node) in fabric.node_groups().iter().enumerate() {
        for (switch, channels) in node.switches().iter().enumerate() {
            for input in 0..inputs {
                for lane in places(channels.input(input).holds_bit()) {
                    walk += 1;
                    let mut here = Some(ChannelId {
                        node: node_at(group, lane),
                        switch,
                        input,
                    });
                    let mut path = Vec::new();
                    while let Some(place) = here.filter(|&place| may_wait(place)) {
                        match std::mem::replace(&mut seen[index(place)], walk) {
                            0 => path.push(place),
                            before if before == walk => {
                                let start = path.iter().position(|&on| on == place);
                                cycles.extend(start.map(|start| path.split_off(start)));
                                break;
                            }
                            _ => break,
                        }
                        here = waits_for(fabric, place).first().copied();
                    }
                }
            }
        }
    }
    cycles
}

/// Every register of every node.
pub(crate) fn registers<B: Lanes>(fabric: &mut Fabric<WormholeMachine, B>) -> Vec<B> {
    let mut registers = Vec::new();
    for node in fabric.node_groups_mut() {
        node.visit_mut(&mut |bit| registers.push(*bit));
    }
    registers
}
