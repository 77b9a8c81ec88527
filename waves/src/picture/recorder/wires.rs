//! Wires of a small network: when each is in use.

use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::Topology;

use super::note;
use crate::picture::MOST_GRAPH_NODES;
use crate::picture::run::{Wire, WireUse};

/// Changes of all wires together that are kept. Where there are more, only how long each wire was in use is.
const MOST_CHANGES: usize = 1 << 20;

/// What is taken down of wires.
pub struct Wires {
    /// What is in use when it carries a 1, and the wire beside it that says whether it carries anything.
    watched: Vec<usize>,
    wire_use: WireUse,
    /// By node and watched wire, those that lead to the node itself too.
    wires: Vec<Wire>,
    changes: usize,
}

impl Wires {
    /// Of a machine. `valid` says which wire tells whether a link is in use, where there is one.
    pub fn new(simulation: &dyn Simulation, valid: &[Option<usize>]) -> Self {
        let (topology, nodes) = (simulation.topology(), simulation.nodes());
        let are_told = valid.iter().any(Option::is_some);
        let is_drawn = nodes <= MOST_GRAPH_NODES && simulation.machines() == 1;
        let watched: Vec<usize> = match (is_drawn, are_told) {
            (false, _) => Vec::new(),
            (true, true) => valid.iter().flatten().copied().collect(),
            (true, false) => (0..topology.links()).collect(),
        };
        let from = |sender: usize, receivers: &[usize]| Wire {
            sender: sender as u32,
            receiver: receivers[sender] as u32,
            bit_times: 0,
            used: Vec::new(),
        };
        let receivers = watched.iter().map(|wire| receivers(topology, *wire));
        let receivers: Vec<Vec<usize>> = receivers.collect();
        let wires = (0..nodes).flat_map(|sender| {
            let all = receivers.iter();
            all.map(move |receivers| from(sender, receivers))
        });
        Wires {
            wires: wires.collect(),
            watched,
            wire_use: match are_told {
                true => WireUse::Bits,
                false => WireUse::Ones,
            },
            changes: 0,
        }
    }

    /// When they count as in use.
    pub fn counted(&self) -> WireUse {
        self.wire_use
    }

    /// What they carry in this bit time: nothing if all is over.
    pub fn look(&mut self, simulation: &dyn Simulation, bit_time: u32, is_over: bool) {
        let each = self.watched.len();
        for word in 0..simulation.words() {
            let seats = simulation.seats(word);
            for (number, &wire) in self.watched.iter().enumerate() {
                let driven = match is_over {
                    true => 0,
                    false => simulation.driven_word(word, wire),
                };
                for (place, &node) in seats.iter().enumerate() {
                    // Not every place has a node.
                    let wire = node
                        .checked_mul(each)
                        .and_then(|wire| wire.checked_add(number));
                    let Some(wire) = wire.and_then(|wire| self.wires.get_mut(wire)) else {
                        continue;
                    };
                    let is_used = (driven >> place & 1) as u32;
                    wire.bit_times += is_used;
                    if self.changes <= MOST_CHANGES {
                        let before = wire.used.len();
                        note(&mut wire.used, bit_time, is_used);
                        self.changes += wire.used.len() - before;
                    }
                }
            }
        }
    }

    /// All that lead from one node to another.
    pub fn finish(mut self) -> Vec<Wire> {
        if self.changes > MOST_CHANGES {
            for wire in &mut self.wires {
                wire.used.clear();
            }
        }
        self.wires.retain(|wire| wire.sender != wire.receiver);
        self.wires
    }
}

/// By node: who receives its wire of that number.
fn receivers(topology: &dyn Topology, wire: usize) -> Vec<usize> {
    let mut receivers = vec![0; topology.nodes()];
    for receiver in 0..topology.nodes() {
        receivers[topology.sender(receiver, wire)] = receiver;
    }
    receivers
}

/// By node: on how many of its wires to others it sends a 1.
pub fn ones(simulation: &dyn Simulation) -> Vec<u32> {
    let mut ones = vec![0; simulation.nodes()];
    for word in 0..simulation.words() {
        let seats = simulation.seats(word);
        for wire in 0..simulation.topology().links() {
            let driven = simulation.driven_word(word, wire);
            for (place, &node) in seats.iter().enumerate() {
                if let Some(ones) = ones.get_mut(node) {
                    *ones += (driven >> place & 1) as u32;
                }
            }
        }
    }
    ones
}
