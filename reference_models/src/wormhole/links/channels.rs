//! All channels of hypercubes and grids: where they lead, and who shares a wire.

use std::collections::HashMap;

use super::classes::Candidate;
use super::{Kind, Links};
use crate::wormhole::network::{Channel, InputPlan, OutputPlan, Plan, Port, SwitchPlan, Wire};
use crate::wormhole::{Routing, Variant};

/// Lists all channels and wires, if the network is one of these.
pub fn fill(plan: &mut Plan, variant: Variant) {
    let Some(mut links) = Links::of(plan.machine, variant) else {
        return;
    };
    plan.nodes = links.nodes();
    plan.dimensions = links.dimensions;
    for node in 0..plan.nodes {
        list_switch(plan, &mut links, node);
    }
    connect(plan, &links);
    if links.routing != Routing::Adaptive {
        choose(plan, &links);
    }
    plan.links = Some(links);
}

/// Input channels: from the host, then by virtual channel and by link. Output channels: by virtual channel and by
/// link, then to the host.
fn list_switch(plan: &mut Plan, links: &mut Links, node: usize) {
    let channel = |port| Channel {
        node,
        copy: 0,
        port,
    };
    let input = |port| InputPlan {
        channel: channel(port),
        candidates: Vec::new(),
        highest: 0,
        dateline: false,
        relay: false,
        places: plan.machine.buffer_bits,
    };
    plan.switches.push(SwitchPlan {
        vertex: (0, node),
        injection: plan.inputs.len(),
    });
    plan.inputs.push(input(Port::Injection));
    let mut outputs = Vec::new();
    for channel in 0..links.virtual_channels {
        for link in 0..links.count() {
            if links.end(node, links.opposite(link)).is_some() {
                plan.inputs.push(input(Port::LinkIn { link, channel }));
            }
            let is_there = links.end(node, link).is_some();
            outputs.push(is_there.then_some(Port::LinkOut { link, channel }));
        }
    }
    outputs.push(Some(Port::Eject));
    for port in outputs {
        links.outputs.push(port.map(|port| {
            plan.outputs.push(OutputPlan {
                channel: channel(port),
                switch: node,
                far: None,
                wire: usize::MAX,
            });
            plan.outputs.len() - 1
        }));
    }
}

fn connect(plan: &mut Plan, links: &Links) {
    let inputs: HashMap<Channel, usize> =
        (plan.inputs.iter().map(|input| input.channel).zip(0..)).collect();
    // The wire of each node's link, or of its host: its output channels are listed by virtual channel.
    let mut wires: HashMap<Wire, usize> = HashMap::new();
    for (index, output) in plan.outputs.iter_mut().enumerate() {
        let Channel { node, copy, port } = output.channel;
        let wire = match port {
            Port::LinkOut { link, channel } => {
                let port = Port::LinkIn { link, channel };
                let end = links.end(node, link);
                output.far = end.map(|node| inputs[&Channel { node, copy, port }]);
                match links.kind {
                    Kind::Hypercube => Wire::Dimension {
                        node,
                        dimension: link,
                    },
                    Kind::Torus | Kind::Mesh => Wire::Grid { node, link },
                }
            }
            _ => Wire::Eject { node, copy },
        };
        output.wire = *wires.entry(wire).or_insert_with(|| {
            plan.wires.push((wire, Vec::new()));
            plan.wires.len() - 1
        });
        plan.wires[output.wire].1.push(index);
    }
}

/// Which output channels each candidate is of, ascending.
fn choose(plan: &mut Plan, links: &Links) {
    for input in &mut plan.inputs {
        let Channel { node, port, .. } = input.channel;
        let outputs = |candidate| -> Vec<usize> {
            match candidate {
                Candidate::Hop { link, class, .. } => (class..links.virtual_channels)
                    .step_by(links.classes())
                    .filter_map(|channel| links.output(node, link, channel))
                    .collect(),
                Candidate::Eject => links.eject(node).into_iter().collect(),
            }
        };
        let candidates = links.candidates(node, port);
        input.candidates = candidates.into_iter().map(outputs).collect();
    }
}
