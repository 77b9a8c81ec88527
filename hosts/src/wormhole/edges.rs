//! Bits over the edges of a network whose edges have lanes. Which lane a worm takes is seen only when it is there, but
//! not which lanes it may take, those of a class: all of a class together carry the bits of the worms that cross there.

use std::collections::BTreeSet;

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Tally;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::{End, NodePlan};
use rtl_model::routers::wormhole::route::ChannelId;
use rustc_hash::FxHashMap;

/// An edge and a class of its lanes: the input channel to which the first lane of the class leads.
pub type EdgeClass = ChannelId;

/// The meters; none where edges have no lanes.
#[derive(Clone, Debug)]
pub struct Edges<B> {
    /// By class of lanes: the output channel of its first one.
    first: Vec<usize>,
    /// Link, channel of the link, and class of the lane that begins there.
    channels: Vec<(usize, usize, usize)>,
    /// `[group * classes + class]`.
    bits: Vec<Tally<B>>,
}

/// By output channel, the first of those any of which will do where this one does; itself where there is no choice.
fn first_lanes(plan: &NodePlan) -> Vec<usize> {
    let mut first: Vec<usize> = (0..plan.switch.outputs.len()).collect();
    for candidate in plan.switch.inputs.iter().flat_map(|one| &one.candidates) {
        let mut begins = 0;
        for request in candidate {
            if request.lane == 0 {
                begins = request.output;
            }
            first[request.output] = begins;
        }
    }
    first
}

impl<B: Lanes> Edges<B> {
    /// Of an idle machine.
    pub fn new(fabric: &Fabric<WormholeMachine, B>) -> Self {
        let plan = fabric.router().plan();
        let first_lanes = first_lanes(plan);
        let first: BTreeSet<usize> = match plan.switch.lanes {
            1 => BTreeSet::new(),
            // Lanes of one choice lead to several nodes.
            _ if plan.switch.addressed.is_some() => BTreeSet::new(),
            _ => (first_lanes.iter().copied())
                .filter(|&output| output != plan.switch.eject())
                .collect(),
        };
        let first = Vec::from_iter(first);
        let mut channels = Vec::new();
        for (link, on) in plan.links.iter().enumerate() {
            for (number, channel) in on.channels.iter().enumerate() {
                for sender in &channel.senders {
                    let End::Switch { channel, .. } = sender.end else {
                        continue;
                    };
                    let class = first.binary_search(&first_lanes[channel]);
                    channels.extend(class.map(|class| (link, number, class)));
                }
            }
        }
        Edges {
            bits: vec![Tally::new(u32::MAX as usize); fabric.node_groups().len() * first.len()],
            first,
            channels,
        }
    }

    /// Between [`Fabric::transmit`] and [`Fabric::clock`].
    pub fn read(&mut self, fabric: &Fabric<WormholeMachine, B>) {
        let classes = self.first.len();
        for (link, channel, class) in self.channels.iter().copied() {
            let wires = &fabric.router().plan().links[link].wires;
            for group in 0..fabric.node_groups().len() {
                let mut its_bit = fabric.group_wire(group, wires.valid);
                for (position, wire) in wires.channel.clone().enumerate() {
                    let number = fabric.group_wire(group, wire);
                    its_bit = its_bit
                        & match channel >> position & 1 {
                            0 => !number,
                            _ => number,
                        };
                }
                if !its_bit.is_known_zero() {
                    self.bits[group * classes + class].add(its_bit, 1);
                }
            }
        }
    }

    /// The first class of lanes that carried another number of bits than `expected`, in words; none if there is none.
    pub fn wrong(
        &self,
        fabric: &Fabric<WormholeMachine, B>,
        expected: &FxHashMap<EdgeClass, u64>,
    ) -> Option<String> {
        let machine = fabric.router();
        let sums = self.bits.iter().map(|tally| {
            let mut sums = Vec::new();
            tally.append_sums(&mut sums);
            sums
        });
        let sums: Vec<Vec<u32>> = sums.collect();
        (0..fabric.topology().nodes()).find_map(|node| {
            let (group, place) = fabric.topology().seat::<B>(node);
            self.first.iter().enumerate().find_map(|(class, &output)| {
                let (_, to) = machine.lane(node, 0, output)?;
                let expected = expected.get(&to).copied().unwrap_or(0);
                let bits = u64::from(sums[group * self.first.len() + class][place]);
                (bits != expected).then(|| {
                    format!(
                        "{} of node {node} and the lanes that would do as well carried {bits} bits in place of {expected}",
                        machine.plan().switch.outputs[output].name
                    )
                })
            })
        })
    }
}
