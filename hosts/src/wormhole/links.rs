//! What each wire carries: every link between two nodes, and the wires from and to the hosts.
//!
//! Stalls are channels times bit times in which a bit lay in front and did not move on. A channel that asks for an output channel
//! and does not get it stalls at the wire of that one; where any of several lanes would do, at the wire of the first. So the wires
//! add up to what [`Meters`] have of the machine. The wires from hosts, of which those have no stalls, have some of their own: a
//! host has a bit and no credit for it.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Tally;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::node::{Seen, Stall};
use rtl_model::routers::wormhole::plan::End;
use rtl_model::routers::wormhole::route::ChannelId;

use crate::wormhole::hosts::Hosts;
use crate::wormhole::meters::Meters;
use crate::wormhole::tracker::asked_first;

/// Causes of a stall.
pub const CAUSES: usize = Stall::ALL.len();

/// What is counted of a wire out of a node.
#[derive(Clone, Debug)]
struct Counts<B> {
    held: Tally<B>,
    stalls: [Tally<B>; CAUSES],
}

/// What is counted of a wire from a host.
#[derive(Clone, Copy, Debug, Default)]
struct FromHost {
    bits: u64,
    stalls: u64,
    held: u64,
}

/// Counts of all wires.
#[derive(Clone, Debug)]
pub struct LinkMeters<B> {
    links: usize,
    switches: usize,
    /// `[group * (links + switches) + wire]`: links, then the wires to the host.
    counts: Vec<Counts<B>>,
    /// `[group * switches + switch]`: bits that came out.
    ejected: Vec<Tally<B>>,
    /// `[node * (links + switches) + wire]`: requests that were counted as stalls, and were granted in the same bit time.
    granted: Vec<u32>,
    /// By port.
    from_hosts: Vec<FromHost>,
    address: Vec<B>,
}

impl<B: Lanes> LinkMeters<B> {
    /// Of an idle machine.
    pub fn new(fabric: &Fabric<WormholeMachine, B>) -> Self {
        let plan = fabric.router().plan();
        let (links, switches) = (plan.links.len(), plan.switches());
        let nodes = fabric.machines() * fabric.topology().nodes();
        let groups = fabric.node_groups().len();
        let tally = Tally::new(u32::MAX as usize);
        let counts = Counts {
            held: tally.clone(),
            stalls: std::array::from_fn(|_| tally.clone()),
        };
        LinkMeters {
            links,
            switches,
            counts: vec![counts; groups * (links + switches)],
            ejected: vec![tally; groups * switches],
            granted: vec![0; nodes * (links + switches)],
            from_hosts: vec![FromHost::default(); nodes * switches],
            address: vec![B::ZERO; fabric.topology().address_bits()],
        }
    }

    /// Bytes that they take, and the list of [all wires](LinkMeters::wires), of a machine with so many nodes.
    pub fn bytes(machine: &WormholeMachine, nodes: u64) -> u64 {
        let (links, switches) = (machine.plan().links.len(), machine.plan().switches());
        let group = (links + switches) * size_of::<Counts<B>>() + switches * size_of::<Tally<B>>();
        let node = (links + switches) * size_of::<u32>()
            + switches * size_of::<FromHost>()
            + (links + 2 * switches) * size_of::<Wire>();
        nodes.div_ceil(B::NODES as u64) * group as u64 + nodes * node as u64
    }

    /// Between [`Fabric::transmit`] and [`Fabric::clock`], before hosts send.
    pub fn read(&mut self, fabric: &Fabric<WormholeMachine, B>, hosts: &Hosts<B>) {
        let wires = self.links + self.switches;
        let first_of_hosts = fabric.router().plan().link_wires();
        let host = fabric.router().plan().host_wires();
        for (group, node) in fabric.node_groups().iter().enumerate() {
            let before = group.checked_sub(1);
            (fabric.topology()).address(group, before, &mut self.address);
            let counts = &mut self.counts[group * wires..][..wires];
            node.wires(&self.address, &mut |wire, seen, flag| {
                if !flag.is_known_zero() {
                    match seen {
                        Seen::Held => counts[wire].held.add(flag, 1),
                        Seen::Stalled(stall) => counts[wire].stalls[stall as usize].add(flag, 1),
                    }
                }
            });
            for switch in 0..self.switches {
                let wire = first_of_hosts + switch * host.to_host() + host.eject_valid();
                let valid = fabric.group_wire(group, wire);
                self.ejected[group * self.switches + switch].add(valid, 1);
            }
        }
        for (port, counts) in self.from_hosts.iter_mut().enumerate() {
            let [sends, stalls, held] = hosts.about(port).map(u64::from);
            counts.bits += sends;
            counts.stalls += stalls;
            counts.held += held;
        }
    }

    /// After [`Fabric::clock`]: these input channels got what they asked for, so they did not stall.
    pub fn connected(&mut self, fabric: &Fabric<WormholeMachine, B>, entered: &[ChannelId]) {
        let nodes = fabric.topology().nodes();
        for &place in entered {
            let Some(channel) = asked_first(fabric, place) else {
                continue;
            };
            let end = End::Switch {
                switch: place.switch,
                channel,
            };
            let wire = match fabric.router().next(place.node % nodes, end) {
                Some((link, _)) => link,
                None => self.links + place.switch,
            };
            self.granted[place.node * (self.links + self.switches) + wire] += 1;
        }
    }

    /// All wires of a machine: link by link, then switch by switch those from hosts and those to them, each node by node.
    pub fn wires(&self, fabric: &Fabric<WormholeMachine, B>, meters: &Meters<B>) -> Vec<Wire> {
        let wiring = fabric.router().wiring();
        let nodes = fabric.topology().nodes();
        let loads: Vec<Vec<u32>> = (0..self.links)
            .map(|link| meters.loads(fabric, link))
            .collect();
        let out = |node: usize, number: usize| {
            let wires = self.links + self.switches;
            let (group, place) = fabric.topology().seat::<B>(node);
            let counts = &self.counts[group * wires + number];
            let mut stalls = [0; CAUSES];
            for (sum, tally) in stalls.iter_mut().zip(&counts.stalls) {
                *sum = u64::from(tally.of(place));
            }
            let granted = u64::from(self.granted[node * wires + number]);
            let asked = &mut stalls[Stall::Channel as usize];
            *asked = asked.saturating_sub(granted);
            let (bits, to) = match number.checked_sub(self.links) {
                None => (loads[number][node], Some(wiring.far(node, number))),
                Some(switch) => (self.ejected[group * self.switches + switch].of(place), None),
            };
            Wire {
                from: Some(node),
                to,
                is_there: number >= self.links || wiring.has_link(node, number),
                bits: u64::from(bits),
                held: u64::from(counts.held.of(place)),
                stalls,
            }
        };
        let from_host = |node: usize, switch: usize| {
            let counts = self.from_hosts[node * self.switches + switch];
            let mut stalls = [0; CAUSES];
            stalls[Stall::Credit as usize] = counts.stalls;
            Wire {
                from: None,
                to: Some(node),
                is_there: true,
                bits: counts.bits,
                held: counts.held,
                stalls,
            }
        };
        let mut all = Vec::with_capacity(nodes * (self.links + 2 * self.switches));
        for link in 0..self.links {
            all.extend((0..nodes).map(|node| out(node, link)));
        }
        for switch in 0..self.switches {
            all.extend((0..nodes).map(|node| from_host(node, switch)));
        }
        for switch in 0..self.switches {
            all.extend((0..nodes).map(|node| out(node, self.links + switch)));
        }
        all
    }
}

/// A wire, from a node or from the host of the node that it leads to.
#[derive(Clone, Debug)]
pub struct Wire {
    /// The node that drives it; none: a host.
    pub from: Option<usize>,
    /// The node that it leads to; none: a host.
    pub to: Option<usize>,
    /// It is there: at the ends of a mesh some are not.
    pub is_there: bool,
    /// Flits that it carried: bits, where a link has one data wire.
    pub bits: u64,
    /// Bit times in which a worm held it.
    pub held: u64,
    /// Channels times bit times in which a bit lay in front and did not move on, by cause.
    pub stalls: [u64; CAUSES],
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::cube_connected_cycles::CubeConnectedCycles;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::routers::wormhole::network::Network;
    use rtl_model::routers::wormhole::networks::direct::Routing;
    use rtl_model::routers::wormhole::parameters::Parameters;

    use super::*;
    use crate::wormhole::engine::Engine;

    /// Where all groups of lanes are full.
    #[test]
    fn they_take_the_memory_that_they_are_said_to_take() {
        let parameters = Parameters {
            virtual_channels: 2,
            buffer_bits: 4,
            wire_bits: 1,
            weak_switch: false,
        };
        for network in [
            Network::direct(Dimensions::new(7).unwrap(), Routing::Order),
            Network::CubeConnectedCycles(CubeConnectedCycles::new(8).unwrap()),
        ] {
            let machine = WormholeMachine::new(network, parameters).unwrap();
            let said = LinkMeters::<u64>::bytes(&machine, machine.network().nodes() as u64);
            let engine = Engine::<u64>::new(machine, 1).unwrap();
            let meters = LinkMeters::new(&engine.fabric);
            let wires = meters.wires(&engine.fabric, &engine.meters);
            let taken = size_of_val(&*meters.counts)
                + size_of_val(&*meters.ejected)
                + size_of_val(&*meters.granted)
                + size_of_val(&*meters.from_hosts)
                + size_of_val(&*wires);
            assert_eq!(said, taken as u64);
        }
    }
}
