//! Two phases on the cross product of butterflies (Greenberg & Bhatt 1990, section 6 and the last paragraph
//! of section 7), from the definition of its embedding.
//!
//! A node is `row * 2^n + column`, `n = m + log m` for butterflies of `m` levels. Row `i` holds the butterfly
//! laid into copy `moment(i) mod m` of the cube-connected cycles, and so does column `j` by `j`. Lane `k` of an
//! edge goes aside into the line whose number differs in bit `k`, there along the edge's links, and back.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::network::{Channel, InputPlan, OutputPlan, Plan, Port, SwitchPlan, Wire};
use super::theorem3::Copy;
use super::{Machine, Variant};

/// Rows and columns, in the order of the two phases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Line {
    /// The first phase.
    #[default]
    Row,
    /// The second one.
    Column,
}

/// A lane of an edge out of a node, or into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lane {
    /// In which of the node's lines.
    pub line: Line,
    /// Of the edge that crosses.
    pub cross: bool,
    /// Which of the lanes of the edge.
    pub number: usize,
}

/// A hop's claim to a channel of its link: first those aside and back, then those along an edge, by copy, level
/// and place on the path.
type Claim = (bool, Lane, usize, usize, usize);

/// The network.
pub struct Product {
    levels: usize,
    /// `n`: bits of a line's number and of a place in it, and lanes of an edge.
    bits: usize,
    copies: Vec<Copy>,
}

/// The exclusive or of the numbers of the bits that are 1.
fn moment(number: usize) -> usize {
    (0..usize::BITS as usize)
        .filter(|bit| number >> bit & 1 == 1)
        .fold(0, |moment, bit| moment ^ bit)
}

impl Product {
    /// Of butterflies of `levels` levels, a power of two.
    pub fn new(levels: usize) -> Product {
        Product {
            levels,
            bits: dimensions(levels) / 2,
            copies: (0..levels).map(|copy| Copy::new(levels, copy)).collect(),
        }
    }

    /// The number of a node's line, and its place there.
    fn split(&self, line: Line, node: usize) -> (usize, usize) {
        let (row, column) = (node >> self.bits, node % (1 << self.bits));
        match line {
            Line::Row => (row, column),
            Line::Column => (column, row),
        }
    }

    fn join(&self, line: Line, number: usize, place: usize) -> usize {
        match line {
            Line::Row => (number << self.bits) + place,
            Line::Column => (place << self.bits) + number,
        }
    }

    fn copy(&self, number: usize) -> usize {
        moment(number) % self.levels
    }

    /// Level and column in the butterfly of a node's line.
    pub fn vertex(&self, line: Line, node: usize) -> (usize, usize) {
        let (number, place) = self.split(line, node);
        self.copies[self.copy(number)].vertex[place]
    }

    /// The nodes on a lane out of `node`, which is the first of them; the last is the other end of the edge.
    pub fn path(&self, node: usize, lane: Lane) -> Vec<usize> {
        let (number, place) = self.split(lane.line, node);
        let map = &self.copies[self.copy(number)];
        let (level, mut column) = map.vertex[place];
        let mut places = vec![place];
        if lane.cross {
            column ^= 1 << level;
            places.push(map.address[level][column]);
        }
        let end = map.address[(level + 1) % self.levels][column];
        places.push(end);
        let aside = number ^ 1 << lane.number;
        let mut path = vec![node];
        path.extend(places.iter().map(|&at| self.join(lane.line, aside, at)));
        path.push(self.join(lane.line, number, end));
        path
    }

    /// For each edge on the way: its line, and whether it crosses.
    pub fn way(&self, source: usize, destination: usize) -> Vec<(Line, bool)> {
        let (row, _) = self.split(Line::Row, source);
        let (_, column) = self.split(Line::Row, destination);
        let corner = self.join(Line::Row, row, column);
        let mut way = Vec::new();
        for (line, from, to) in [
            (Line::Row, source, corner),
            (Line::Column, corner, destination),
        ] {
            let (mut at, end) = (self.vertex(line, from), self.vertex(line, to));
            while at != end {
                let bit = 1 << at.0;
                let cross = at.1 & bit != end.1 & bit;
                way.push((line, cross));
                at = ((at.0 + 1) % self.levels, at.1 & !bit | end.1 & bit);
            }
        }
        way
    }

    /// What the switches on the way read. In a row, and at the source: by the row's cross edge? By its straight
    /// edge? By the column's cross edge? Out? Else by the column's straight edge. In a column: by its cross
    /// edge? Out? Else by its straight edge.
    pub fn header(&self, source: usize, destination: usize) -> Vec<bool> {
        let mut header = Vec::new();
        let mut in_row = true;
        for (line, cross) in self.way(source, destination) {
            let (question, questions) = match (in_row, line, cross) {
                (true, Line::Row, true) => (0, 4),
                (true, Line::Row, false) => (1, 4),
                (true, Line::Column, true) => (2, 4),
                (true, Line::Column, false) => (4, 4),
                (false, _, true) => (0, 2),
                (false, _, false) => (2, 2),
            };
            answer(&mut header, question, questions);
            in_row = line == Line::Row;
        }
        match in_row {
            true => answer(&mut header, 3, 4),
            false => answer(&mut header, 1, 2),
        }
        header
    }

    fn lanes(&self) -> impl Iterator<Item = Lane> + use<> {
        let bits = self.bits;
        [Line::Row, Line::Column].into_iter().flat_map(move |line| {
            let edges = [false, true].into_iter();
            edges.flat_map(move |cross| {
                (0..bits).map(move |number| Lane {
                    line,
                    cross,
                    number,
                })
            })
        })
    }
}

/// No to the questions before this one, and yes to it; nothing is asked about the last choice.
fn answer(header: &mut Vec<bool>, question: usize, questions: usize) {
    header.extend(vec![false; question]);
    header.extend((question < questions).then_some(true));
}

/// Of the hypercube: rows and columns of butterflies of `levels` levels.
pub fn dimensions(levels: usize) -> usize {
    2 * (levels + levels.ilog2() as usize)
}

/// The classes of the lanes of an edge.
pub fn classes(machine: &Machine, levels: usize) -> usize {
    machine.virtual_channels.min(levels)
}

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
