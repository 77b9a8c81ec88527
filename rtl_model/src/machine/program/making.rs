//! What is known of the nodes between two bit times while a program is made.

use crate::machine::program::Held;
use crate::machine::program::logic::Schedulable;
use crate::machine::program::meters::Counters;
use crate::machine::program::repeated::Repeated;

/// What is remembered from bit time to bit time while a program is made.
pub(super) struct Making {
    /// The node that a conflict of all nodes is said to be one of.
    pub first_node: usize,
    pub held: Vec<Held>,
    /// How often each slot was written.
    pub written: Vec<u64>,
    pub bits: Counters,
    pub messages: Counters,
    pub repeated: Repeated,
}

impl Making {
    /// Before bit time 0: each register is in a slot of its own.
    pub fn of(described: &mut dyn Schedulable, first_node: usize) -> Self {
        let mut slots = 0..;
        let mut held = Vec::new();
        described.registers(None, &mut |_| held.extend(slots.next().map(Held::In)));
        Making {
            first_node,
            written: vec![0; held.len()],
            repeated: Repeated::of(described, &held),
            held,
            bits: Counters::default(),
            messages: Counters::default(),
        }
    }

    /// Takes note of where registers have moved to.
    pub fn take(&mut self, moved: &[(u32, Held)]) {
        for &(register, elsewhere) in moved {
            self.held[register as usize] = elsewhere;
        }
    }

    /// What has been counted before a bit time whose logic serves several is not known.
    pub fn forget_counts(&mut self) {
        self.bits.forget();
        self.messages.forget();
    }
}
