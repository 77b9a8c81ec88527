//! What must hold in every bit time, read from registers and wires: bits lie in buffers without a gap, and for every
//! channel the credits at one end and the bits at the other make up the buffer.

use std::ops::Range;

use hosts::wormhole::engine::Engine;
use hosts::wormhole::lanes::WormLanes;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::language::register_names::{RegisterName, RegisterNames};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::router::Machine as _;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::End;

use crate::wormhole::machines::{
    butterflies, ccc, copies, cube, ecube, machine, permutation, plain_tick, run_hardware,
};
use reference_models::wormhole::Routing;

/// Every register bit of a node, in order.
pub fn registers<B: WormLanes>(fabric: &Fabric<WormholeMachine, B>, node: usize) -> Vec<bool> {
    struct Reading {
        place: usize,
        bits: Vec<bool>,
    }
    impl<B: WormLanes> Visitor<B> for Reading {
        fn register<'r>(&mut self, _name: Name, width: usize, bit: &dyn Fn(usize) -> &'r B) {
            self.bits
                .extend((0..width).map(|position| bit(position).get(self.place)));
        }
    }
    let (group, place) = fabric.node(node);
    let mut reading = Reading {
        place,
        bits: Vec::new(),
    };
    Registers::<B>::visit(group, Name::Field("node"), &mut reading);
    reading.bits
}

/// Flips a register bit of a node.
pub fn flip<B: WormLanes>(fabric: &mut Fabric<WormholeMachine, B>, node: usize, number: usize) {
    let (group, place) = fabric.node_mut(node);
    let mut index = 0;
    Registers::<B>::visit_mut(group, &mut |lanes| {
        if index == number {
            lanes.set(place, !lanes.get(place));
        }
        index += 1;
    });
    assert!(number < index);
}

/// The registers of a node by name, modules and all, and where their bits come in the order of all.
pub fn names(machine: &WormholeMachine) -> Vec<(String, Range<usize>)> {
    let mut names = RegisterNames::default();
    machine
        .node::<bool>()
        .visit(Name::Field("node"), &mut names);
    let mut end = 0;
    let range = |name: RegisterName| {
        let begin = end;
        end += name.width;
        (name.whole, begin..end)
    };
    names.all.into_iter().map(range).collect()
}

/// Knows where to look.
pub struct Witness {
    places: usize,
    nodes: usize,
    inputs: usize,
    links: usize,
    /// By switch and input channel, then by relay.
    held: Vec<Range<usize>>,
    /// By switch and output channel but the last, which has no credits; then by relay.
    credits: Vec<Range<usize>>,
    /// By input channel, where headers are addresses: bits of them that are there and have not been sent on.
    addresses: Vec<Range<usize>>,
    /// By relay: it owes a credit.
    owes: Vec<Range<usize>>,
    /// By node and by what has credits, as above: the node to which it leads, and what holds bits there.
    leads: Vec<Vec<Option<(usize, usize)>>>,
    /// By node and switch, the credits of the host.
    hosts: Vec<Vec<usize>>,
    /// The most bits of a node in the bit time to come, and the most channels and relays of one that hold any; and of those before.
    most: [u32; 2],
    peaks: [u32; 2],
}

impl Witness {
    /// Of an idle machine.
    pub fn of(machine: &WormholeMachine) -> Self {
        let plan = machine.plan();
        let names = names(machine);
        let find = |switch: usize, name: String| {
            let name = match plan.switches() {
                1 => name,
                _ => format!("switch_{switch}.{name}"),
            };
            let found = names.iter().find(|(known, _)| *known == name);
            found.unwrap_or_else(|| panic!("no {name}")).1.clone()
        };
        let switches = 0..plan.switches();
        let of_relays = |register: &str| -> Vec<Range<usize>> {
            let relays = plan.relays.iter();
            relays
                .map(|relay| find(0, format!("{}.{register}", relay.name)))
                .collect()
        };
        let leads = |node: usize, end: End| {
            let (link, far) = machine.next(node, end)?;
            let place = match far {
                End::Switch { switch, channel } => switch * plan.switch.inputs.len() + channel,
                End::Relay(relay) => plan.switches() * plan.switch.inputs.len() + relay,
            };
            Some((machine.wiring().far(node, link), place))
        };
        let inputs = || plan.switch.inputs.iter();
        let outputs = || plan.switch.outputs.iter().take(plan.switch.eject());
        let nodes = machine.network().nodes();
        Witness {
            places: plan.buffer_bits,
            nodes,
            inputs: plan.switch.inputs.len(),
            links: plan.link_wires(),
            held: switches
                .clone()
                .flat_map(|switch| {
                    inputs().map(move |input| (switch, format!("{}.buffer.held", input.name)))
                })
                .map(|(switch, name)| find(switch, name))
                .chain(of_relays("buffer.held"))
                .collect(),
            credits: switches
                .clone()
                .flat_map(|switch| {
                    outputs().map(move |output| (switch, format!("{}.credits", output.name)))
                })
                .map(|(switch, name)| find(switch, name))
                .chain(of_relays("credits"))
                .collect(),
            addresses: inputs()
                .filter(|_| plan.switch.addressed.is_some())
                .map(|input| find(0, format!("{}.destination.count", input.name)))
                .collect(),
            owes: of_relays("owes"),
            leads: (0..nodes)
                .map(|node| {
                    let channels = 0..plan.switch.eject();
                    let all = switches.clone().flat_map(|switch| {
                        (channels.clone()).map(move |channel| End::Switch { switch, channel })
                    });
                    all.chain((0..plan.relays.len()).map(End::Relay))
                        .map(|end| leads(node, end))
                        .collect()
                })
                .collect(),
            hosts: vec![vec![plan.buffer_bits; plan.switches()]; nodes],
            most: [0; 2],
            peaks: [0; 2],
        }
    }

    /// Between the two halves of a bit time: counts the hosts' credits.
    pub fn see_hosts<B: WormLanes>(&mut self, fabric: &Fabric<WormholeMachine, B>) {
        let wires = fabric.router().plan().host_wires();
        for (node, hosts) in self.hosts.iter_mut().enumerate() {
            for (switch, credits) in hosts.iter_mut().enumerate() {
                let credit = self.links + switch * wires.to_host() + wires.inject_credit();
                let valid = switch * wires.from_host() + wires.inject_valid();
                let (group, place) =
                    rtl_model::machine::topology::Topology::seat::<B>(fabric.topology(), node);
                *credits += usize::from(fabric.wire(node, credit));
                *credits -= usize::from(fabric.from_host_now(group, valid).get(place));
            }
        }
    }

    /// The most bits that a node held in any bit time, and the most channels and relays of one that held any: each has bits of one
    /// worm.
    pub fn peaks(&self) -> [u32; 2] {
        self.peaks
    }

    /// After a bit time.
    pub fn check<B: WormLanes>(
        &mut self,
        fabric: &Fabric<WormholeMachine, B>,
    ) -> Result<(), String> {
        let registers: Vec<Vec<bool>> = (0..self.nodes)
            .map(|node| registers(fabric, node))
            .collect();
        let ones = |node: usize, range: &Range<usize>| {
            let bits = &registers[node][range.clone()];
            bits.iter().filter(|bit| **bit).count()
        };
        self.peaks = [0, 1].map(|which| self.peaks[which].max(self.most[which]));
        self.most = [0; 2];
        for node in 0..self.nodes {
            let held = self.held.iter().map(|range| ones(node, range) as u32);
            let addresses = self.addresses.iter().map(|range| ones(node, range) as u32);
            let now = [
                held.clone().sum::<u32>() + addresses.sum::<u32>(),
                held.filter(|bits| *bits > 0).count() as u32,
            ];
            self.most = [0, 1].map(|which| self.most[which].max(now[which]));
        }
        for (node, own) in registers.iter().enumerate() {
            // In unary, both: ones, then zeros.
            for range in self.held.iter().chain(&self.credits) {
                if !own[range.clone()].is_sorted_by_key(|bit| !bit) {
                    return Err(format!("node {node}, registers {range:?}: a gap"));
                }
            }
            let credits = self.leads[node].iter().zip(&self.credits);
            for (number, (lead, credits)) in credits.enumerate() {
                let held = lead.map_or(0, |(to, place)| {
                    let first_relay = self.held.len() - self.owes.len();
                    let owed = place.checked_sub(first_relay);
                    ones(to, &self.held[place])
                        + owed.map_or(0, |relay| ones(to, &self.owes[relay]))
                });
                let credits = ones(node, credits);
                if held + credits != self.places {
                    return Err(format!(
                        "node {node}, output channel {number}: {credits} credits, {held} bits"
                    ));
                }
            }
            for (switch, credits) in self.hosts[node].iter().enumerate() {
                let held = ones(node, &self.held[switch * self.inputs]);
                if held + credits != self.places {
                    return Err(format!(
                        "node {node}, switch {switch}: the host has {credits} credits, {held} bits are there"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// A machine in the midst of its traffic, and its witness.
fn under_way(network: reference_models::wormhole::Network) -> (Engine<u64>, Witness) {
    let machine = machine(network);
    let messages = permutation(crate::wormhole::machines::nodes(machine), 20, 1);
    let mut witness = Witness::of(&crate::wormhole::machines::hardware(machine));
    let engine = run_hardware::<u64>(machine, &messages, 25, |engine| {
        engine
            .tick(|engine| {
                witness.see_hosts(&engine.fabric);
                Ok::<(), ()>(())
            })
            .unwrap();
        witness.check(&engine.fabric).unwrap();
    });
    (engine, witness)
}

#[test]
fn the_witness_objects_to_every_flip_of_a_count() {
    // Of butterflies every 16th node: there are many registers.
    let networks =
        [ccc(3), copies(2, 2), ecube(2), cube(3, Routing::Valiant)].map(|network| (network, 1));
    for (network, step) in networks.into_iter().chain([(butterflies(2), 16)]) {
        let (mut engine, mut witness) = under_way(network);
        assert!(engine.in_flight() > 0);
        let counts: Vec<Range<usize>> =
            [&witness.held[..], &witness.credits, &witness.owes].concat();
        for node in (0..witness.nodes).step_by(step) {
            for number in counts.iter().cloned().flatten() {
                flip(&mut engine.fabric, node, number);
                witness.check(&engine.fabric).unwrap_err();
                flip(&mut engine.fabric, node, number);
                witness.check(&engine.fabric).unwrap();
            }
        }
    }
}

#[test]
fn the_witness_counts_the_hosts_credits() {
    let (mut engine, mut witness) = under_way(ccc(2));
    witness.hosts[0][0] += 1;
    witness.check(&engine.fabric).unwrap_err();
    witness.hosts[0][0] -= 1;
    witness.check(&engine.fabric).unwrap();
    // It does not see in which bit time a host sends, or gets a credit, and the buffer there changes.
    while witness.check(&engine.fabric).is_ok() {
        assert!(engine.in_flight() > 0);
        plain_tick(&mut engine);
    }
}
