//! What each wire carried: every link between two nodes, and the wires from and to the hosts; counted where `--links` asks for
//! it, written as CSV, a row a wire, and drawn as a map (`links/map.rs`).
//!
//! Stalls are those of the report, wire by wire: channels times bit times in which a bit lay in front and did not move on. A
//! channel that asks for an output channel and does not get it stalls at the wire of that one; where any of several lanes would
//! do, at the wire of the first. So the rows add up to the report. The wires from hosts, of which the report has no stalls,
//! have some of their own: a host has a bit and no credit for it.

mod map;

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Tally;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Joined;
use rtl_model::routers::wormhole::node::{Seen, Stall};
use rtl_model::routers::wormhole::plan::End;
use rtl_model::routers::wormhole::plan::host_wires::{EJECT_VALID, TO_HOST};
use rtl_model::routers::wormhole::route::Place;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::hosts::Hosts;
use crate::families::wormhole::meters::Meters;
use crate::families::wormhole::tracker::asked_first;
use crate::output::Staged;
use crate::report::Check;

pub use map::write as write_map;

const CAUSES: usize = Stall::ALL.len();

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

    /// Bytes that they take, of a machine with so many nodes.
    pub fn bytes(machine: &WormholeMachine, nodes: u64) -> u64 {
        let wires = (machine.plan().links.len() + machine.plan().switches()) as u64;
        let tally = size_of::<Tally<u64>>() as u64 / 64 + 1;
        nodes * wires * ((2 + CAUSES as u64) * tally + 4 + size_of::<FromHost>() as u64)
    }

    /// Between [`Fabric::transmit`] and [`Fabric::clock`], before hosts send.
    pub fn read(&mut self, fabric: &Fabric<WormholeMachine, B>, hosts: &Hosts<B>) {
        let wires = self.links + self.switches;
        let first_of_hosts = fabric.router().plan().link_wires();
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
                let wire = first_of_hosts + switch * TO_HOST + EJECT_VALID;
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
    pub fn connected(&mut self, fabric: &Fabric<WormholeMachine, B>, entered: &[Place]) {
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
    fn wires(&self, fabric: &Fabric<WormholeMachine, B>, meters: &Meters<B>) -> Vec<Wire> {
        let wiring = fabric.router().wiring();
        let nodes = fabric.topology().nodes();
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
                None => (
                    meters.load(fabric, node, number),
                    Some(wiring.far(node, number)),
                ),
                Some(switch) => (self.ejected[group * self.switches + switch].of(place), None),
            };
            Wire {
                from: Some(node),
                to,
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
struct Wire {
    from: Option<usize>,
    to: Option<usize>,
    bits: u64,
    held: u64,
    stalls: [u64; CAUSES],
}

/// What each wire carried in a run that is over.
#[derive(Clone, Debug)]
pub struct Carried {
    nodes: usize,
    bit_times: u64,
    /// What wires there are at each node, in the order of the rows: so many rows as there are nodes are of the first.
    kinds: Vec<String>,
    wires: Vec<Wire>,
}

impl Carried {
    /// Of an engine that has counted; none of another.
    pub fn of<B: Lanes>(engine: &Engine<B>) -> Option<Self> {
        let links = engine.links.as_ref()?;
        Some(Carried {
            nodes: engine.fabric.topology().nodes(),
            bit_times: engine.fabric.bit_time(),
            kinds: kinds(engine.fabric.router()),
            wires: links.wires(&engine.fabric, &engine.meters),
        })
    }

    fn share(&self, bit_times: u64) -> f64 {
        bit_times as f64 / self.bit_times.max(1) as f64
    }

    /// That all rows together are what the meters say of the machine.
    pub fn check(&self, meters: &Meters<impl Lanes>) -> Check {
        let sum = |of: fn(&Wire) -> bool, what: fn(&Wire) -> u64| -> u64 {
            self.wires.iter().filter(|wire| of(wire)).map(what).sum()
        };
        let bits = |wire: &Wire| wire.bits;
        let crossed = sum(|wire| wire.from.is_some() && wire.to.is_some(), bits);
        let [injected, ejected] = [
            sum(|wire| wire.from.is_none(), bits),
            sum(|wire| wire.to.is_none(), bits),
        ];
        let stalls: [u64; CAUSES] = std::array::from_fn(|cause| {
            let out = self.wires.iter().filter(|wire| wire.from.is_some());
            out.map(|wire| wire.stalls[cause]).sum()
        });
        let passed = crossed == meters.crossed
            && [injected, ejected] == [meters.injected, meters.ejected]
            && stalls == meters.stalls;
        let detail = match passed {
            true => format!(
                "{crossed} bits over links and {} stalls add up to those of the machine",
                stalls.iter().sum::<u64>()
            ),
            false => format!(
                "{crossed} bits over links, {injected} from hosts, {ejected} to hosts and {stalls:?} stalls by wire, {}, {}, {} \
                 and {:?} of the machine",
                meters.crossed, meters.injected, meters.ejected, meters.stalls
            ),
        };
        Check::new("wire by wire", passed, detail)
    }
}

/// What the wires at a node are called: links, then those from hosts and those to them.
fn kinds(machine: &WormholeMachine) -> Vec<String> {
    let plan = machine.plan();
    let links =
        plan.links
            .iter()
            .enumerate()
            .map(|(number, link)| match machine.network().joined() {
                Joined::CubeConnectedCycles(_) => link.name.to_string(),
                Joined::Hypercube(_) => format!("dimension {number}"),
            });
    let of_hosts = |what: &'static str| {
        (0..plan.switches()).map(move |switch| match machine.network().has_pieces() {
            true => format!("{what} of copy {switch}"),
            false => what.to_owned(),
        })
    };
    let all = links.chain(of_hosts("inject")).chain(of_hosts("eject"));
    all.collect()
}

const HEADER: [&str; 10] = [
    "from",
    "to",
    "wire",
    "bits",
    "load",
    "in_use",
    "stalls",
    "channel_taken",
    "no_credit",
    "wire_given",
];

/// Writes a row for each wire.
///
/// # Errors
/// [`Error::Unwritable`].
pub fn write(output: Staged, carried: &Carried) -> Result<(), Error> {
    let end = |node: Option<usize>| node.map_or("host".to_owned(), |node| node.to_string());
    write_rows(output, |writer| {
        writer.write_record(HEADER)?;
        for (number, wire) in carried.wires.iter().enumerate() {
            let stalls = wire.stalls.iter().sum::<u64>().to_string();
            let [channel, credit, given] = wire.stalls.map(|count| count.to_string());
            writer.write_record([
                end(wire.from),
                end(wire.to),
                carried.kinds[number / carried.nodes].clone(),
                wire.bits.to_string(),
                format!("{:.6}", carried.share(wire.bits)),
                format!("{:.6}", carried.share(wire.held)),
                stalls,
                channel,
                credit,
                given,
            ])?;
        }
        Ok(())
    })
}
