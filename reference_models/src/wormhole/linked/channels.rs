//! All channels of such a network: where they lead, and who shares a wire.

use std::collections::HashMap;

use super::Linked;
use crate::wormhole::network::{Channel, InputPlan, OutputPlan, Plan, Port, SwitchPlan, Wire};

/// For each node its output channels by virtual channel and then link, and eject. Some nodes do not have some links.
#[derive(Default)]
pub struct Outputs {
    links: usize,
    of_a_node: usize,
    numbers: Vec<Option<usize>>,
}

impl Outputs {
    /// The output channel of a node that has this name.
    pub fn number(&self, node: usize, port: Port) -> Option<usize> {
        let place = match port {
            Port::LinkOut { link, channel } => channel * self.links + link,
            _ => self.of_a_node - 1,
        };
        self.numbers[node * self.of_a_node + place]
    }
}

/// Lists all channels and wires.
pub fn fill(plan: &mut Plan, links: Box<dyn Linked>) {
    plan.nodes = links.nodes();
    plan.numbers = Outputs {
        links: links.count(),
        of_a_node: plan.machine.virtual_channels * links.count() + 1,
        numbers: Vec::new(),
    };
    for node in 0..plan.nodes {
        list_switch(plan, &*links, node);
    }
    connect(plan, &*links);
    choose(plan, &*links);
    plan.links = Some(links);
}

/// Input channels: from the host, then by virtual channel and by link. Output channels: by virtual channel and by
/// link, then to the host.
fn list_switch(plan: &mut Plan, links: &dyn Linked, node: usize) {
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
    for channel in 0..plan.machine.virtual_channels {
        for link in 0..links.count() {
            if links.start(node, link).is_some() {
                plan.inputs.push(input(Port::LinkIn { link, channel }));
            }
            let is_there = links.end(node, link).is_some();
            outputs.push(is_there.then_some(Port::LinkOut { link, channel }));
        }
    }
    outputs.push(Some(Port::Eject));
    for port in outputs {
        plan.numbers.numbers.push(port.map(|port| {
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

fn connect(plan: &mut Plan, links: &dyn Linked) {
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
                links.wire(node, link)
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
fn choose(plan: &mut Plan, links: &dyn Linked) {
    for input in &mut plan.inputs {
        let Channel { node, port, .. } = input.channel;
        let number = |port| plan.numbers.number(node, port);
        let choices = links.choices(node, port).into_iter();
        input.candidates = choices
            .map(|ports| ports.into_iter().filter_map(number).collect())
            .collect();
    }
}
