//! Puts faults into machines that run, at the moments of each bit time at which they show: whoever runs a machine lets them do it.

use std::iter::Peekable;
use std::vec::IntoIter;

use hosts::tamper::Tamper;
use rtl_model::machine::simulation::Simulation;

use crate::lockstep::campaign::fault::Fault;
use crate::lockstep::campaign::ill::{Gates, IllNodes};

/// Faults on their way into machines side by side, each into one of its own; or one into a machine by itself.
pub(super) struct Put<'f> {
    faults: &'f [Fault],
    /// Of a machine.
    nodes: usize,
    /// Bit time, node among all and number, in the order in which they come.
    flips: Peekable<IntoIter<(u64, usize, usize)>>,
    ill: IllNodes<'f>,
}

impl<'f> Put<'f> {
    /// Of machines of so many nodes. Gates are stuck where there are some.
    pub fn of(faults: &'f [Fault], nodes: usize, gates: Option<&'f mut Gates>) -> Self {
        let firsts = (0..).step_by(nodes);
        let flips = faults.iter().zip(firsts);
        let flips = flips.filter_map(|(fault, first)| match *fault {
            Fault::Flip { node, number, when } => Some((when, first + node, number)),
            Fault::Wire { .. } | Fault::Gate { .. } => None,
        });
        let mut flips: Vec<_> = flips.collect();
        flips.sort_unstable();
        Put {
            faults,
            nodes,
            flips: flips.into_iter().peekable(),
            ill: IllNodes::of(gates, nodes, faults),
        }
    }
}

impl Tamper for Put<'_> {
    fn begin(&mut self, machine: &mut dyn Simulation) {
        let now = machine.bit_time();
        while let Some((_, node, number)) = self.flips.next_if(|(when, ..)| *when == now) {
            machine.flip_register(node, number);
        }
        self.ill.hold(machine);
    }

    fn send(&mut self, machine: &mut dyn Simulation) {
        for (fault, first) in self.faults.iter().zip((0..).step_by(self.nodes)) {
            if let Fault::Wire { node, wire, value } = *fault {
                machine.force_wire(first + node, wire, value);
            }
        }
        self.ill.send(machine);
    }

    fn receive(&mut self, machine: &dyn Simulation) {
        self.ill.receive(machine);
    }

    fn take(&mut self, machine: &mut dyn Simulation) {
        self.ill.take(machine);
    }
}
