//! Wires of a small network: when each is in use.

use rtl_model::machine::host::NODES_AT_ONCE;
use rtl_model::machine::simulation::{Simulation, Transmitted};
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
    /// By node and watched wire, those that lead to the node itself too; and since when it is in use, if it is.
    wires: Vec<(Wire, Option<u32>)>,
    is_first: bool,
    /// By watched wire and word, which nodes used it a bit time ago.
    before: Vec<u64>,
    /// By word, which nodes use the wire that is looked at.
    driven: Vec<u64>,
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
            all.map(move |receivers| (from(sender, receivers), None))
        });
        Wires {
            wires: wires.collect(),
            before: match watched.is_empty() {
                true => Vec::new(),
                false => vec![0; simulation.words() * watched.len()],
            },
            driven: vec![0; simulation.words()],
            watched,
            is_first: true,
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
    pub fn look(
        &mut self,
        transmitted: &dyn Transmitted,
        (bit_time, is_over): (u32, bool),
        seats: &[usize],
    ) {
        let each = self.watched.len();
        if each == 0 {
            return;
        }
        // In the first bit time all of them are noted.
        let is_first = std::mem::replace(&mut self.is_first, false);
        let words = self.driven.len();
        for (number, before) in self.before.chunks_exact_mut(words).enumerate() {
            match is_over {
                true => self.driven.fill(0),
                false => transmitted.copy_driven(self.watched[number], &mut self.driven),
            }
            for (word, (before, driven)) in before.iter_mut().zip(&self.driven).enumerate() {
                let mut changed = (driven ^ std::mem::replace(before, *driven))
                    | u64::from(is_first).wrapping_neg();
                while changed != 0 {
                    let place = changed.trailing_zeros() as usize;
                    changed &= changed - 1;
                    // Not every place has a node.
                    let wire = seats[NODES_AT_ONCE * word + place]
                        .checked_mul(each)
                        .and_then(|wire| wire.checked_add(number));
                    let Some((wire, since)) = wire.and_then(|wire| self.wires.get_mut(wire)) else {
                        continue;
                    };
                    let is_used = driven >> place & 1 == 1;
                    let since = std::mem::replace(since, is_used.then_some(bit_time));
                    wire.bit_times += since.map_or(0, |since| bit_time - since);
                    if self.changes <= MOST_CHANGES {
                        let before = wire.used.len();
                        note(&mut wire.used, bit_time, u32::from(is_used));
                        self.changes += wire.used.len() - before;
                    }
                }
            }
        }
    }

    /// All that lead from one node to another, of a run of so many bit times.
    pub fn finish(self, bit_times: u32) -> Vec<Wire> {
        let is_kept = self.changes <= MOST_CHANGES;
        let wires = self.wires.into_iter().map(|(mut wire, since)| {
            wire.bit_times += since.map_or(0, |since| bit_times - since);
            if !is_kept {
                wire.used.clear();
            }
            wire
        });
        wires.filter(|wire| wire.sender != wire.receiver).collect()
    }
}

/// By node: who receives its wire of that number.
fn receivers(topology: &dyn Topology, wire: usize) -> Vec<usize> {
    // To nobody but itself, where it leads nowhere.
    let mut receivers: Vec<usize> = (0..topology.nodes()).collect();
    for receiver in (0..topology.nodes()).filter(|node| topology.is_there(*node, wire)) {
        receivers[topology.sender(receiver, wire)] = receiver;
    }
    receivers
}
