//! What is measured of a wormhole machine in every bit time. Meters read registers and wires, and change none.

use rtl_model::language::lanes::Lanes;
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::meter::Tally;
use rtl_model::machine::router::Unsequenced;
use rtl_model::machine::topology::Topology;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::NodePlan;

use crate::wormhole::edges::Edges;

/// The meters.
#[derive(Clone, Debug)]
pub struct Meters<B> {
    /// Flits that crossed each edge that has lanes. (A flit is a bit where links have one data wire.)
    pub edges: Edges<B>,
    /// Flits that crossed each link: `[group * links + link]`.
    load: Vec<Tally<B>>,
    links: usize,
    /// Channel-bit-times, by cause, in the order of [`Stall::ALL`](rtl_model::routers::wormhole::node::Stall::ALL).
    pub stalls: [u64; WormholeMachine::TALLIES],
    /// By input channel, in the order of the plan: the most flits that one ever held.
    pub peak_held: Vec<usize>,
    /// The most flits that the channels of a node ever held.
    pub peak_bits_per_node: u32,
    /// The most worms of which a node ever held flits.
    pub peak_worms_per_node: u32,
    /// Flits that hosts have sent.
    pub injected: u64,
    /// Header flits that were consumed: answers where they were read, addresses at their destination.
    pub consumed: u64,
    /// Flits that came out.
    pub ejected: u64,
    /// Flits that crossed links.
    pub crossed: u64,
    /// The first bit time in which bits were missing or too many: what was found.
    pub not_conserved: Option<String>,
    held: Tally<B>,
    worms: Tally<B>,
}

/// Flits of an address, where headers are such.
fn address_flits(plan: &NodePlan) -> Option<usize> {
    let addressed = plan.switch.addressed?;
    Some(addressed.address_bits().div_ceil(plan.wire_bits))
}

impl<B: Lanes> Meters<B> {
    /// Of an idle machine.
    pub fn new(fabric: &Fabric<WormholeMachine, B>) -> Self {
        let plan = fabric.router().plan();
        let links = plan.links.len();
        let channels = plan.switches() * plan.switch.inputs.len() + plan.relays.len();
        let address = address_flits(plan).unwrap_or(0);
        Meters {
            edges: Edges::new(fabric),
            load: vec![Tally::new(u32::MAX as usize); fabric.node_groups().len() * links],
            links,
            stalls: [0; WormholeMachine::TALLIES],
            peak_held: vec![0; plan.switch.inputs.len()],
            peak_bits_per_node: 0,
            peak_worms_per_node: 0,
            injected: 0,
            consumed: 0,
            ejected: 0,
            crossed: 0,
            not_conserved: None,
            held: Tally::new(channels * (plan.buffer_bits + address)),
            worms: Tally::new(channels),
        }
    }

    /// By node, flits that crossed a link out of it.
    pub fn loads(&self, fabric: &Fabric<WormholeMachine, B>, link: usize) -> Vec<u32> {
        let mut loads = Vec::new();
        for group in 0..fabric.node_groups().len() {
            self.load[group * self.links + link].append_sums(&mut loads);
        }
        let nodes = 0..fabric.machines() * fabric.topology().nodes();
        let seats = nodes.map(|node| fabric.topology().seat::<B>(node));
        seats
            .map(|(group, place)| loads[group * 64 * B::WORDS + place])
            .collect()
    }

    /// The most that crossed a link.
    pub fn largest_load(&self) -> u32 {
        self.load.iter().map(Tally::largest).max().unwrap_or(0)
    }

    /// Between [`Fabric::transmit`] and [`Fabric::clock`]; the hosts have sent and received so many flits. Returns whether
    /// anything moves in this bit time: a flit, or an entry of a routing table.
    pub fn read(&mut self, fabric: &Fabric<WormholeMachine, B>, sent: u64, received: u64) -> bool {
        let (crossed, consumed) = (self.crossed, self.consumed);
        let (mut held, mut read, mut looked_up) = (0, 0, 0);
        let plan = fabric.router().plan();
        let address = address_flits(plan);
        for (group, node) in fabric.node_groups().iter().enumerate() {
            self.held.clear();
            self.worms.clear();
            for switch in node.switches() {
                for number in 0..switch.plan().inputs.len() {
                    let input = switch.input(number);
                    let buffer = input.buffer();
                    // Flits come up to the front.
                    if !buffer.holds(0).is_known_zero() {
                        self.worms.add(buffer.holds(0), 1);
                        for place in 0..buffer.places() {
                            let holds = buffer.holds(place);
                            if holds.is_known_zero() {
                                break;
                            }
                            self.held.add(holds, 1);
                            self.peak_held[number] = self.peak_held[number].max(place + 1);
                        }
                        read += input.consumes().ones();
                    }
                    looked_up += input.looks_up().map_or(0, |looks_up| looks_up.ones());
                    input.header().iter().for_each(|bit| self.held.add(*bit, 1));
                }
            }
            if let Some(flits) = address {
                // Whoever takes a tail out drops the address.
                let tail =
                    fabric.group_wire(group, plan.link_wires() + plan.host_wires().eject_tail());
                self.consumed += flits as u64 * tail.ones();
            }
            for relay in node.relays() {
                let buffer = relay.buffer();
                if !buffer.holds(0).is_known_zero() {
                    self.worms.add(buffer.holds(0), 1);
                    for place in 0..buffer.places() {
                        self.held.add(buffer.holds(place), 1);
                    }
                }
            }
            held += self.held.sum();
            self.peak_bits_per_node = self.held.largest_or(self.peak_bits_per_node);
            self.peak_worms_per_node = self.worms.largest_or(self.peak_worms_per_node);
            for (number, link) in fabric.router().plan().links.iter().enumerate() {
                let valid = fabric.group_wire(group, link.wires.valid);
                if !valid.is_known_zero() {
                    self.load[group * self.links + number].add(valid, 1);
                    self.crossed += valid.ones();
                }
            }
        }
        if address.is_none() {
            self.consumed += read;
        }
        self.edges.read(fabric);
        fabric.add_tallies(&mut self.stalls);
        // More may have come out than went in: bits that a fault has made.
        let expected = self.injected.checked_sub(consumed + self.ejected);
        if expected != Some(held) {
            self.not_conserved.get_or_insert_with(|| {
                let expected = match expected {
                    Some(expected) => expected.to_string(),
                    None => "none, more have come out than went in".to_owned(),
                };
                format!(
                    "in bit time {} there are {held} bits in the channels in place of {expected}",
                    fabric.bit_time()
                )
            });
        }
        self.injected += sent;
        self.ejected += received;
        sent + received > 0 || self.crossed > crossed || read + looked_up > 0
    }

    /// So many of the channels that asked in this bit time are connected at its end: they did not stall. (With a fault
    /// one may be connected that did not ask.)
    pub fn connected(&mut self, channels: usize) {
        self.stalls[0] = self.stalls[0].saturating_sub(channels as u64);
    }
}
