//! The monitor: looks at which ports are busy in each routing step, and at what has come of it.
//!
//! It sees the wires between nodes and hosts, and holds them against the port model and against the port at the other end of each
//! link. The arbiters of the nodes are looked at as well: they say what the monitor says, or one of the two is wrong.

use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::ports::algorithm::PortModel;
use rtl_model::routers::ports::wires::HostWires;

use crate::ports::seated::{Seated, places};

/// A packet on its way over a link in a routing step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sent {
    /// The routing step.
    pub step: usize,
    /// The node that sends.
    pub from: usize,
    /// The one that receives.
    pub to: usize,
    /// The packet, as the receiving node's host is told.
    pub packet: usize,
}

/// More ports busy than may be, or the two ends of a link not of one mind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The node.
    pub node: usize,
    /// Its ports that send.
    pub sending: Vec<usize>,
    /// Its ports that receive.
    pub receiving: Vec<usize>,
    /// The bit time in which it was seen: the first of a step, as a rule.
    pub bit_time: u64,
    /// What is wrong.
    pub what: String,
}

/// The monitor.
pub struct Monitor {
    wires: HostWires,
    model: PortModel,
    seats: Vec<Seated>,
    nodes: usize,
    /// Routing steps that have begun.
    steps: usize,
    /// Packets that were on their way over a link.
    packets: u64,
    /// By node: the ports that send, and those that receive, in this step.
    sending: Vec<u32>,
    receiving: Vec<u32>,
    violation: Option<Violation>,
    sends: Option<Vec<Sent>>,
}

impl Monitor {
    /// Of a machine.
    pub fn new(machine: &dyn Lockstep, wires: HostWires, model: PortModel) -> Self {
        let nodes = machine.nodes();
        Monitor {
            wires,
            model,
            seats: Seated::of(machine),
            nodes,
            steps: 0,
            packets: 0,
            sending: vec![0; nodes],
            receiving: vec![0; nodes],
            violation: None,
            sends: None,
        }
    }

    /// Keeps a list of what is sent.
    pub fn list_sends(&mut self) {
        self.sends = Some(Vec::new());
    }

    /// That list, in order.
    pub fn sends(&self) -> Vec<Sent> {
        let mut sends = self.sends.clone().unwrap_or_default();
        sends.sort_unstable();
        sends
    }

    /// Routing steps that have begun.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Packets that have crossed a link.
    pub fn packets(&self) -> u64 {
        self.packets
    }

    /// The first violation.
    pub fn violation(&self) -> Option<&Violation> {
        self.violation.as_ref()
    }

    /// The ports of a node that send in this step, a bit each.
    pub fn sending(&self, node: usize) -> u32 {
        self.sending[node]
    }

    /// Those that receive.
    pub fn receiving(&self, node: usize) -> u32 {
        self.receiving[node]
    }

    /// Between the two halves of a bit time; whether a routing step begins in it.
    pub fn watch(&mut self, machine: &dyn Lockstep) -> bool {
        if machine.driver(self.wires.sending(0)).is_none() {
            for node in self.objecting(machine) {
                self.read_registers(machine, node);
                let what = format!("{}, and a step does not begin here", self.model.allows());
                self.object(machine, node, what);
            }
            return false;
        }
        self.read(machine);
        let objecting = self.objecting(machine);
        for node in 0..self.nodes {
            let (sending, receiving) = (self.sending[node], self.receiving[node]);
            self.packets += u64::from(sending.count_ones());
            let counts = (
                sending.count_ones() as usize,
                receiving.count_ones() as usize,
            );
            let is_admitted = self.model.admits(counts.0, counts.1);
            let objects = objecting.contains(&node);
            if !is_admitted || objects {
                let what = match (is_admitted, objects) {
                    (false, true) => self.model.allows().to_owned(),
                    (false, false) => {
                        format!("{}, and the arbiter does not object", self.model.allows())
                    }
                    (true, _) => "the arbiter objects, and the ports are as they may be".to_owned(),
                };
                self.object(machine, node, what);
            }
            for port in places(sending.into()) {
                if self.receiving[node ^ 1 << port] >> port & 1 == 0 {
                    let what =
                        format!("port {port} sends, and the node at its end does not receive");
                    self.object(machine, node, what);
                }
            }
            for port in places(receiving.into()) {
                if self.sending[node ^ 1 << port] >> port & 1 == 0 {
                    let what =
                        format!("port {port} receives, and the node at its end does not send");
                    self.object(machine, node, what);
                }
            }
        }
        if self.sends.is_some() {
            self.name(machine);
        }
        self.steps += 1;
        true
    }

    /// The nodes whose arbiters object in this bit time.
    fn objecting(&self, machine: &dyn Lockstep) -> Vec<usize> {
        let mut objecting = Vec::new();
        if self.model != PortModel::All {
            for (word, seated) in self.seats.iter().enumerate() {
                let violation = seated.driven(machine, word, self.wires.violation());
                objecting.extend(places(violation).map(|place| seated.seats[place]));
            }
        }
        objecting
    }

    /// Reads which ports of a node are busy off its registers, of which those of its ports come first.
    fn read_registers(&mut self, machine: &dyn Lockstep, node: usize) {
        let mut bits = Vec::new();
        machine.append_registers(node, &mut bits);
        let ports = |first: usize| {
            let busy = bits
                .iter()
                .skip(first)
                .step_by(2)
                .take(self.wires.dimensions);
            let busy = busy.enumerate();
            busy.fold(0, |ports, (port, &busy)| ports | u32::from(busy) << port)
        };
        (self.sending[node], self.receiving[node]) = (ports(0), ports(1));
    }

    /// Reads which ports are busy.
    fn read(&mut self, machine: &dyn Lockstep) {
        self.sending.fill(0);
        self.receiving.fill(0);
        for (word, seated) in self.seats.iter().enumerate() {
            for port in 0..self.wires.dimensions {
                for place in places(seated.driven(machine, word, self.wires.sending(port))) {
                    self.sending[seated.seats[place]] |= 1 << port;
                }
                for place in places(seated.driven(machine, word, self.wires.receiving(port))) {
                    self.receiving[seated.seats[place]] |= 1 << port;
                }
            }
        }
    }

    fn object(&mut self, machine: &dyn Lockstep, node: usize, what: String) {
        let (sending, receiving) = (self.sending[node], self.receiving[node]);
        let bit_time = machine.bit_time();
        self.violation.get_or_insert_with(|| Violation {
            node,
            sending: places(sending.into()).collect(),
            receiving: places(receiving.into()).collect(),
            bit_time,
            what,
        });
    }

    /// Asks the receiving nodes which packets they expect.
    fn name(&mut self, machine: &dyn Lockstep) {
        let wires = self.wires;
        for (word, seated) in self.seats.iter().enumerate() {
            for (place, &node) in seated.seats.iter().enumerate() {
                if node >= self.nodes || self.receiving[node] == 0 {
                    continue;
                }
                for port in places(self.receiving[node].into()) {
                    let channel = port % wires.channels;
                    let number = |from: usize, bits: usize| {
                        (0..bits).fold(0, |number, bit| {
                            let wire = machine.driven_word(word, from + bit);
                            number | ((wire >> place & 1) as usize) << bit
                        })
                    };
                    let tree = number(wires.tree(channel), wires.tree_bits);
                    let group = number(wires.group(channel), wires.group_bits);
                    if let Some(sends) = &mut self.sends {
                        sends.push(Sent {
                            step: self.steps,
                            from: node ^ 1 << port,
                            to: node,
                            packet: group * wires.trees + tree,
                        });
                    }
                }
            }
        }
    }

    /// Bytes that it takes of so many nodes.
    pub fn bytes(nodes: usize) -> u64 {
        8 * nodes as u64
    }
}
