//! All channels of the cross product of butterflies: which a worm may take, the relays of lanes, and who shares a wire.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Lane, Line, Product, classes};
use crate::wormhole::Variant;
use crate::wormhole::network::{Channel, InputPlan, OutputPlan, Plan, Port, SwitchPlan, Wire};

/// A hop's claim to a channel of its link: first those aside and back, then those along an edge, by copy, level
/// and place on the path.
type Claim = (bool, Lane, usize, usize, usize);

/// Lists all channels, relays and wires.
pub fn fill(plan: &mut Plan, levels: usize, variant: Variant) {
    let product = Product::new(levels);
    let classes = classes(&plan.machine, levels);
    list_switches(plan, &product, classes);
    choose(plan, &product, classes, variant);
    lay_lanes(plan, &product, variant);
    plan.product = Some(product);
}

fn input(channel: Channel, places: usize) -> InputPlan {
    InputPlan {
        channel,
        candidates: Vec::new(),
        highest: 0,
        dateline: false,
        relay: false,
        places,
    }
}

/// Input channels: from the host, then by lane. Output channels: by lane, then to the host.
fn list_switches(plan: &mut Plan, product: &Product, classes: usize) {
    let places = plan.machine.buffer_bits;
    for node in 0..plan.nodes {
        let channel = |port| Channel {
            node,
            copy: 0,
            port,
        };
        plan.switches.push(SwitchPlan {
            vertex: (0, node),
            injection: plan.inputs.len(),
        });
        plan.inputs.push(input(channel(Port::Injection), places));
        plan.inputs.extend(product.lanes().map(|lane| InputPlan {
            highest: classes - 1,
            dateline: product.vertex(lane.line, node).0 == 0,
            ..input(channel(Port::LaneIn(lane)), places)
        }));
        let ports = product.lanes().map(Port::LaneOut).chain([Port::Eject]);
        plan.outputs.extend(ports.map(|port| OutputPlan {
            channel: channel(port),
            switch: node,
            far: None,
            wire: usize::MAX,
        }));
    }
}

/// Which lanes a worm may take: of the class of how often it has come to level 0 in this line.
fn choose(plan: &mut Plan, product: &Product, classes: usize, variant: Variant) {
    let outputs = product.lanes().count() + 1;
    let choices = plan.inputs.iter().map(|input| {
        let first = input.channel.node * outputs;
        let eject = vec![first + outputs - 1];
        let class = match input.channel.port {
            Port::LaneIn(lane) => {
                let raised = input.dateline && variant != Variant::NeverRaisesVirtualChannel;
                (lane.number % classes + usize::from(raised)).min(classes - 1)
            }
            _ => 0,
        };
        let edge = |line, cross, class| -> Vec<usize> {
            let fits = |lane: &Lane| {
                (lane.line, lane.cross, lane.number % classes) == (line, cross, class)
            };
            let lanes = product.lanes().zip(first..);
            lanes
                .filter(|(lane, _)| fits(lane))
                .map(|(_, output)| output)
                .collect()
        };
        match input.channel.port {
            Port::LaneIn(Lane {
                line: Line::Column, ..
            }) => vec![
                edge(Line::Column, true, class),
                eject,
                edge(Line::Column, false, class),
            ],
            _ => vec![
                edge(Line::Row, true, class),
                edge(Line::Row, false, class),
                edge(Line::Column, true, 0),
                eject,
                edge(Line::Column, false, 0),
            ],
        }
    });
    let choices: Vec<_> = choices.collect();
    for (input, choices) in plan.inputs.iter_mut().zip(choices) {
        input.candidates = choices;
    }
}

/// Relays on the nodes between the ends of every lane, and which channel of its link each hop has.
fn lay_lanes(plan: &mut Plan, product: &Product, variant: Variant) {
    let receivers: HashMap<Channel, usize> =
        (plan.inputs.iter().map(|input| input.channel).zip(0..)).collect();
    let senders = plan.outputs.len();
    let places = match variant {
        Variant::RelaysOneBitShort => plan.machine.buffer_bits - 1,
        _ => plan.machine.buffer_bits,
    };
    // By dimension and claim: the node and output channel of every hop.
    let mut hops: BTreeMap<(usize, Claim), Vec<(usize, usize)>> = BTreeMap::new();
    for output in 0..senders {
        let Channel { node, port, .. } = plan.outputs[output].channel;
        let Port::LaneOut(lane) = port else {
            continue;
        };
        let path = product.path(node, lane);
        let last = path.len() - 2;
        let (level, _) = product.vertex(lane.line, node);
        let copy = product.copy(product.split(lane.line, node).0);
        let mut sender = output;
        for (hop, ends) in path.windows(2).enumerate() {
            let dimension = (ends[0] ^ ends[1]).trailing_zeros() as usize;
            let claim = match hop {
                0 => (false, lane, 0, 0, 0),
                _ if hop == last => (false, lane, 1, 0, 0),
                _ => (true, lane, copy, level, hop),
            };
            hops.entry((dimension, claim))
                .or_default()
                .push((ends[0], sender));
            if hop == last {
                let port = Port::LaneIn(lane);
                plan.outputs[sender].far = Some(
                    receivers[&Channel {
                        node: ends[1],
                        copy: 0,
                        port,
                    }],
                );
                continue;
            }
            let channel = Channel {
                node: ends[1],
                copy: 0,
                port: Port::Relay(lane, hop),
            };
            plan.outputs[sender].far = Some(plan.inputs.len());
            sender = plan.outputs.len();
            plan.inputs.push(InputPlan {
                candidates: vec![vec![sender]],
                relay: true,
                ..input(channel, places)
            });
            plan.outputs.push(OutputPlan {
                channel,
                switch: ends[1],
                far: None,
                wire: usize::MAX,
            });
        }
    }
    share_wires(plan, hops);
}

/// Hops that are never on a wire of the same node share a channel: in the order of their claims, each has the
/// first that it can have. Channels of a wire have their turns in this order.
fn share_wires(plan: &mut Plan, hops: BTreeMap<(usize, Claim), Vec<(usize, usize)>>) {
    let mut wires: BTreeMap<Wire, Vec<(usize, usize)>> = BTreeMap::new();
    let mut taken: Vec<Vec<HashSet<usize>>> = vec![Vec::new(); plan.dimensions];
    for ((dimension, _), hops) in hops {
        let taken = &mut taken[dimension];
        let clashes = |nodes: &HashSet<usize>| hops.iter().any(|(node, _)| nodes.contains(node));
        let channel = taken.iter().position(|nodes| !clashes(nodes));
        let channel = channel.unwrap_or_else(|| {
            taken.push(HashSet::new());
            taken.len() - 1
        });
        for (node, output) in hops {
            taken[channel].insert(node);
            let wire = Wire::Dimension { node, dimension };
            wires.entry(wire).or_default().push((channel, output));
        }
    }
    for (output, plan) in plan.outputs.iter().enumerate() {
        if let Channel {
            node,
            port: Port::Eject,
            copy,
        } = plan.channel
        {
            wires.insert(Wire::Eject { node, copy }, vec![(0, output)]);
        }
    }
    for (wire, mut channels) in wires {
        channels.sort_unstable();
        let channels: Vec<usize> = channels.into_iter().map(|(_, output)| output).collect();
        for &output in &channels {
            plan.outputs[output].wire = plan.wires.len();
        }
        plan.wires.push((wire, channels));
    }
}
