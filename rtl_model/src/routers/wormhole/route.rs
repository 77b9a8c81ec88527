//! Where a channel leads, and the way a worm takes: read off the plan and the addresses, for hosts
//! and reports. No node looks at it.

use crate::routers::wormhole::machine::WormholeMachine;
use crate::routers::wormhole::network::Network;
use crate::routers::wormhole::plan::{Plan, Port, When};

/// An input channel of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The node.
    pub node: usize,
    /// Its switch.
    pub switch: usize,
    /// The channel's number in it.
    pub input: usize,
}

/// An output channel that leads from a node to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The number of its link.
    pub link: usize,
    /// The input channel at the far end.
    pub to: Place,
}

/// A link that a worm crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The node that it leaves.
    pub node: usize,
    /// The link's number there.
    pub link: usize,
    /// Bits that cross: the body, and the header bits that have not been consumed.
    pub bits: usize,
    /// The input channel that it comes to.
    pub to: Place,
}

/// Where every output channel leads: link and channel at the far end, by switch, output channel and
/// level.
#[derive(Clone, Debug)]
pub(super) struct Leads {
    levels: usize,
    outputs: usize,
    leads: Vec<Option<(usize, Port)>>,
}

impl Leads {
    pub(super) fn of(plan: &Plan) -> Self {
        let ports = || {
            let channels = plan.links.iter().flat_map(|link| &link.channels);
            channels.flat_map(|channel| &channel.senders)
        };
        let levels = 1 + ports().filter_map(|port| port.level).max().unwrap_or(0);
        let outputs = plan.switch.outputs.len();
        let mut leads = Leads {
            levels,
            outputs,
            leads: vec![None; plan.switches() * outputs * levels],
        };
        for (link, channel) in plan
            .links
            .iter()
            .enumerate()
            .flat_map(|(link, plan)| plan.channels.iter().map(move |channel| (link, channel)))
        {
            for (sender, receiver) in channel.senders.iter().zip(&channel.receivers) {
                let index = leads.index(sender.switch, sender.channel, sender.level.unwrap_or(0));
                leads.leads[index] = Some((link, *receiver));
            }
        }
        leads
    }

    fn index(&self, switch: usize, output: usize, level: usize) -> usize {
        // Where no port asks for a level, it makes no difference.
        (switch * self.outputs + output) * self.levels + level.min(self.levels - 1)
    }
}

impl WormholeMachine {
    /// A switch of a node stands at level 0.
    pub fn at_level_0(&self, node: usize, switch: usize) -> bool {
        match self.network() {
            Network::ECube(_) => false,
            network => network.level(switch, node) == 0,
        }
    }

    /// Where an output channel leads; none to the host.
    pub fn lead(&self, node: usize, switch: usize, output: usize) -> Option<Lead> {
        let leads = self.leads();
        let level = self.network().level(switch, node);
        let (link, receiver) = leads.leads[leads.index(switch, output, level)]?;
        Some(Lead {
            link,
            to: Place {
                node: self.wiring().far(node, link),
                switch: receiver.switch,
                input: receiver.channel,
            },
        })
    }

    /// The way of a worm that is given to a switch of node `source`, link by link: its header is
    /// read as the switches on its way read it. It ends where the header says, or where the bits
    /// do.
    pub fn way(&self, source: usize, switch: usize, bits: &[bool]) -> Vec<Crossing> {
        let mut way = Vec::new();
        let mut here = Place {
            node: source,
            switch,
            input: 0,
        };
        let mut read = 0;
        let plan = &self.plan().switch;
        while let Some(output) = self.chosen(here, bits, &mut read) {
            if plan.outputs[output].to_host {
                break;
            }
            let Some(lead) = self.lead(here.node, here.switch, output) else {
                break;
            };
            way.push(Crossing {
                node: here.node,
                link: lead.link,
                bits: bits.len() - read,
                to: lead.to,
            });
            here = lead.to;
        }
        way
    }

    /// The nodes that a worm comes to by way of a switch, source and destination among them.
    pub fn path(&self, switch: usize, source: usize, destination: usize) -> Vec<usize> {
        let mut bits = self.network().header(switch, source, destination);
        bits.push(true);
        let way = self.way(source, switch, &bits);
        let nodes = way.iter().map(|crossing| crossing.to.node);
        [source].into_iter().chain(nodes).collect()
    }

    /// The output channel that a header chooses at an input channel.
    fn chosen(&self, at: Place, bits: &[bool], read: &mut usize) -> Option<usize> {
        let candidates = &self.plan().switch.inputs[at.input].candidates;
        let mut chosen = candidates.len() - 1;
        for candidate in 0..candidates.len() - 1 {
            let bit = *bits.get(*read)?;
            *read += 1;
            if bit {
                chosen = candidate;
                break;
            }
        }
        let at_level_0 = self.at_level_0(at.node, at.switch);
        let requests = candidates[chosen].iter();
        let holds = |when| match when {
            When::Always => true,
            When::AtLevel0 => at_level_0,
            When::NotAtLevel0 => !at_level_0,
        };
        requests
            .filter(|request| holds(request.when))
            .map(|request| request.output)
            .next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedding::copies::Copies;
    use crate::machine::topology::cube_connected_cycles::{CubeConnectedCycles, Direction};
    use crate::routers::wormhole::network::{Network, Parameters};

    const PARAMETERS: Parameters = Parameters {
        virtual_channels: 3,
        buffer_bits: 2,
        weak_switch: false,
    };

    fn ways(network: Network) -> impl Fn(usize, usize, usize) -> Vec<Crossing> {
        let machine = WormholeMachine::new(network, PARAMETERS).unwrap();
        move |switch, source, destination| {
            let header = machine.network().header(switch, source, destination);
            let mut bits = header.clone();
            bits.push(true);
            let way = machine.way(source, switch, &bits);
            assert_eq!(way.last().map_or(source, |last| last.to.node), destination);
            way
        }
    }

    #[test]
    fn headers_lead_along_the_routes_of_the_topology() {
        for levels in 2..=5 {
            let cycles = CubeConnectedCycles::new(levels).unwrap();
            let way = ways(Network::CubeConnectedCycles(cycles));
            for source in 0..cycles.nodes() {
                for destination in 0..cycles.nodes() {
                    let way = way(0, source, destination);
                    let route: Vec<_> = cycles.route(source, destination).collect();
                    assert_eq!(way.len(), route.len());
                    for (crossing, hop) in way.iter().zip(&route) {
                        assert_eq!(crossing.node, hop.from);
                        assert_eq!(
                            crossing.link,
                            usize::from(hop.direction == Direction::Cross)
                        );
                        // The input channels of straight links come first, behind the host's.
                        let first = if crossing.link == 0 { 1 } else { 4 };
                        assert_eq!(crossing.to.input, first + hop.datelines);
                    }
                }
            }
        }
    }

    #[test]
    fn a_piece_leads_to_its_destination_on_every_copy() {
        for levels in [2, 4] {
            let copies = Copies::new(levels).unwrap();
            let nodes = copies.dimensions().nodes();
            let way = ways(Network::Copies {
                copies: copies.clone(),
                used: levels,
            });
            for copy in 0..levels {
                for source in 0..nodes {
                    for destination in 0..nodes {
                        for crossing in way(copy, source, destination) {
                            let (level, _) = copies.unmap(copy, crossing.node);
                            let dimension = match crossing.to.input {
                                1..=3 => copies.straight_dimension(copy, level),
                                _ => copies.cross_dimension(copy, level),
                            };
                            assert_eq!(crossing.link, dimension);
                            assert_eq!(crossing.to.switch, copy);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn dimension_order_corrects_one_bit_after_the_other() {
        let dimensions = Copies::new(4).unwrap().dimensions();
        let way = ways(Network::ECube(dimensions));
        for source in 0..dimensions.nodes() {
            for destination in 0..dimensions.nodes() {
                let links: Vec<usize> = way(0, source, destination)
                    .iter()
                    .map(|crossing| crossing.link)
                    .collect();
                let differ = (0..dimensions.count())
                    .filter(|dimension| (source ^ destination) >> dimension & 1 == 1);
                assert_eq!(links, Vec::from_iter(differ));
            }
        }
    }
}
