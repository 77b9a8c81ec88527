//! Faults: what is put into a machine, one at a time; and which there are of each kind.

use clap::ValueEnum;
use rtl_model::circuit::stuck::NamedGate;
use rtl_model::language::register_names::{BitName, RegisterNames};
use rtl_model::machine::simulation::Simulation;
use schemars::JsonSchema;
use serde::Serialize;

/// A kind of faults.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Directed wires between nodes, stuck at 0 and at 1 from bit time 0 on
    Wires,
    /// Gates of a node's netlist, stuck at 0 and at 1 from bit time 0 on, in each node
    Gates,
    /// Register bits of each node, flipped before each bit time and after the last
    Registers,
}

impl Kind {
    /// All of them, in the order of tables.
    pub const ALL: [Kind; 3] = [Kind::Wires, Kind::Gates, Kind::Registers];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Wires => "wires",
            Kind::Gates => "gates",
            Kind::Registers => "registers",
        }
    }
}

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A wire between nodes is stuck from bit time 0 on.
    Wire {
        /// The node that drives it.
        node: usize,
        /// Which of those that it drives.
        wire: usize,
        /// What is read from it.
        value: bool,
    },
    /// A gate of a node is stuck from bit time 0 on.
    Gate {
        /// The node.
        node: usize,
        /// Which of its gates.
        gate: usize,
        /// What it gives.
        value: bool,
    },
    /// A register bit flips.
    Flip {
        /// Of this node.
        node: usize,
        /// Which of its bits.
        number: usize,
        /// Before this bit time: after the last, if there are no more.
        when: u64,
    },
}

impl Fault {
    /// The bit time from which on it is there.
    pub fn from(self) -> u64 {
        match self {
            Fault::Wire { .. } | Fault::Gate { .. } => 0,
            Fault::Flip { when, .. } => when,
        }
    }

    /// The node in which it is.
    pub fn node(self) -> usize {
        match self {
            Fault::Wire { node, .. } | Fault::Gate { node, .. } | Fault::Flip { node, .. } => node,
        }
    }

    /// What happens.
    pub fn what(self) -> &'static str {
        match self {
            Fault::Wire { value, .. } | Fault::Gate { value, .. } if value => "stuck at 1",
            Fault::Wire { .. } | Fault::Gate { .. } => "stuck at 0",
            Fault::Flip { .. } => "flipped",
        }
    }
}

/// Where faults can be put into a machine.
#[derive(Clone, Debug, Default)]
pub struct Places {
    nodes: usize,
    bit_times: u64,
    /// The wires that there are: the node that drives one, and its number.
    wires: Vec<(usize, usize)>,
    /// What the wires of a number are called.
    wire_names: Vec<String>,
    /// Register bits of a node.
    bits: Vec<BitName>,
    gates: Vec<NamedGate>,
    /// Hosts read whether there is a message.
    has_messages: bool,
}

impl Places {
    /// Of a machine that takes so many bit times, whose hosts read whether there is a message, or not.
    pub fn of(machine: &dyn Simulation, bit_times: u64, has_messages: bool) -> Self {
        let topology = machine.topology();
        let (nodes, links) = (topology.nodes(), topology.links());
        let received = (0..links).flat_map(|wire| (0..nodes).map(move |node| (node, wire)));
        let wires = received
            .filter(|&(node, wire)| topology.is_there(node, wire))
            .map(|(node, wire)| (topology.sender(node, wire), wire));
        let mut wires: Vec<_> = wires.collect();
        wires.sort_unstable();
        let mut registers = RegisterNames::default();
        machine.show_registers(0, &mut registers);
        Places {
            nodes,
            bit_times,
            wires,
            wire_names: (0..links).map(|wire| topology.describe(wire)).collect(),
            bits: registers.bits(),
            gates: Vec::new(),
            has_messages,
        }
    }

    /// Whether hosts read if there is a message, so that one may be missing.
    pub fn has_messages(&self) -> bool {
        self.has_messages
    }

    /// Adds the gates of a node.
    pub fn add_gates(&mut self, gates: &[NamedGate]) {
        self.gates.extend_from_slice(gates);
    }

    /// Nodes of the machine.
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// How many faults there are of a kind.
    pub fn amount(&self, kind: Kind) -> usize {
        match kind {
            Kind::Wires => 2 * self.wires.len(),
            Kind::Gates => 2 * self.nodes * self.gates.len(),
            Kind::Registers => self.nodes * self.bits.len() * (self.bit_times as usize + 1),
        }
    }

    /// The fault of a number below their amount: of a kind, those of one place stand together.
    pub fn fault(&self, kind: Kind, number: usize) -> Fault {
        let (half, value) = (number / 2, number % 2 == 1);
        match kind {
            Kind::Wires => {
                let (node, wire) = self.wires[half];
                Fault::Wire { node, wire, value }
            }
            Kind::Gates => Fault::Gate {
                node: half % self.nodes,
                gate: half / self.nodes,
                value,
            },
            Kind::Registers => {
                let moments = self.bit_times as usize + 1;
                let (place, when) = (number / moments, number % moments);
                Fault::Flip {
                    node: place % self.nodes,
                    number: place / self.nodes,
                    when: when as u64,
                }
            }
        }
    }

    /// Register bits of a node by their whole names, in the order of their numbers.
    pub fn bit_names(&self) -> impl Iterator<Item = &str> {
        self.bits.iter().map(|bit| &*bit.whole)
    }

    /// A gate of a node, by number.
    pub fn gate(&self, number: usize) -> &NamedGate {
        &self.gates[number]
    }

    /// The part of the machine that a fault is in.
    pub fn part(&self, fault: Fault) -> String {
        match fault {
            Fault::Wire { wire, .. } => self.wire_names[wire].clone(),
            Fault::Flip { number, .. } => self.bits[number].part.clone(),
            Fault::Gate { gate, .. } => match &*self.gates[gate].parts {
                [] => "of what is sent".to_owned(),
                [one] => one.clone(),
                _ => "of several parts".to_owned(),
            },
        }
    }

    /// The place of a fault inside its node, by its whole name.
    pub fn name(&self, fault: Fault) -> &str {
        match fault {
            Fault::Wire { wire, .. } => &self.wire_names[wire],
            Fault::Flip { number, .. } => &self.bits[number].whole,
            Fault::Gate { gate, .. } => &self.gates[gate].name,
        }
    }
}
