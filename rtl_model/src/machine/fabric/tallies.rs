//! What nodes hold, summed up.

use crate::language::lanes::Lanes;
use crate::language::register::Registers;
use crate::machine::fabric::wiring::Wiring;
use crate::machine::meter::{Storage, Tally};
use crate::machine::occupancy::Occupancy;
use crate::machine::topology::Topology;

/// Sums by node: message bits, and messages.
pub(super) struct Tallies<B> {
    pub bits: Tally<B>,
    pub messages: Tally<B>,
    /// By group: the places in which there is a node. The others may hold anything.
    present: Vec<B>,
}

impl<B: Lanes> Tallies<B> {
    pub fn new<T: Topology>(wiring: &Wiring<B>, topology: &T, node: &dyn Registers<bool>) -> Self {
        let registers = Storage::of(node).total;
        let present = wiring.present(topology);
        Tallies {
            bits: Tally::new(registers),
            messages: Tally::new(registers),
            present: present.unwrap_or_else(|| vec![B::ONE; wiring.groups]),
        }
    }

    /// Adds what has been summed up of a group.
    pub fn group(&self, group: usize, occupancy: &mut Occupancy) {
        let present = self.present[group];
        let (bits, messages) = (&self.bits, &self.messages);
        occupancy.live_bits += bits.sum_of(present);
        occupancy.most_bits = occupancy.most_bits.max(bits.largest_of(present));
        occupancy.most_messages = occupancy.most_messages.max(messages.largest_of(present));
    }
}
