//! Faulty machines side by side: each has one fault, and all run from the same beginning to the end.

use hosts::tamper::Tamper as _;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::device::Device;
use rtl_model::machine::simulation::Lockstep;

use crate::error::Error;
use crate::interrupt;
use crate::lockstep::campaign::fault::Fault;
use crate::lockstep::campaign::ill::Gates;
use crate::lockstep::campaign::put::Put;
use crate::lockstep::campaign::reference::{Reference, registers};

/// What has become of a machine with a fault.
#[derive(Clone, Debug, Default)]
pub(super) struct End {
    /// What hosts read, node by node.
    pub read: Vec<bool>,
    /// The registers of each node; none, where hosts read what they read of a machine without faults.
    pub registers: Vec<Vec<bool>>,
    /// The first bit time after which message bits were missing or doubled, and how many there were.
    pub lost: Option<(u64, u64)>,
    /// The most message bits that a node ever held.
    pub peak: u32,
    /// The bit time in which two units drive one wire, with which the run is over: nothing else is known of it.
    pub conflict: Option<u64>,
}

/// Machines side by side.
pub(super) struct Rig {
    machine: Box<dyn Lockstep>,
    /// Of each seat of each word, the machine that its node is of, if there is one.
    seats: Vec<Option<usize>>,
    gates: Option<Gates>,
}

/// Puts bits into the registers of a node.
pub(super) fn set(machine: &mut dyn Lockstep, node: usize, bits: &[bool]) {
    machine.change_registers(node, &mut |number, _| bits[number]);
}

impl Rig {
    /// So many machines.
    pub fn new(
        device: &dyn Device,
        machines: usize,
        gates: Option<Gates>,
    ) -> Result<Self, ModelError> {
        let mut machine = device.build(machines)?;
        machine.watch();
        let (all, nodes) = (machine.nodes(), machine.topology().nodes());
        let seats = (0..machine.words()).flat_map(|word| machine.seats(word));
        let seats = seats.map(|node| (node < all).then_some(node / nodes));
        Ok(Rig {
            seats: seats.collect(),
            machine,
            gates,
        })
    }

    /// How many there are.
    pub fn machines(&self) -> usize {
        self.machine.machines()
    }

    /// Runs a machine with each of these faults, of which there are no more than machines. Where two units drive one wire, a run is over,
    /// and the others begin anew without it: nodes that decide for themselves when they send may come to that, and seldom do.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub fn run(&mut self, reference: &Reference, faults: &[Fault]) -> Result<Vec<End>, Error> {
        let nodes = self.machine.topology().nodes();
        let mut ends = vec![End::default(); faults.len()];
        let mut left: Vec<usize> = (0..faults.len()).collect();
        while !left.is_empty() {
            let some: Vec<Fault> = left.iter().map(|number| faults[*number]).collect();
            match self.run_together(reference, &some) {
                Ok(all) => left
                    .drain(..)
                    .zip(all)
                    .for_each(|(number, end)| ends[number] = end),
                Err(Error::Model(ModelError::WireConflict { node, bit_time, .. }))
                    if node / nodes < some.len() =>
                {
                    ends[left.remove(node / nodes)].conflict = Some(bit_time);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(ends)
    }

    /// The same, up to the first two units that drive one wire.
    fn run_together(&mut self, reference: &Reference, faults: &[Fault]) -> Result<Vec<End>, Error> {
        let nodes = self.machine.topology().nodes();
        self.machine.restart();
        for node in 0..faults.len() * nodes {
            set(&mut *self.machine, node, &reference.loaded[node % nodes]);
        }
        let mut put = Put::of(faults, nodes, self.gates.as_mut());
        let mut ends = vec![End::default(); faults.len()];
        let mut occupied = Vec::new();
        look(
            &*self.machine,
            (&self.seats, &mut occupied),
            reference,
            &mut ends,
        );
        loop {
            let machine = &mut *self.machine;
            put.begin(machine);
            if machine.is_done() {
                break;
            }
            interrupt::check()?;
            machine.transmit()?;
            reference.force(machine);
            put.send(machine);
            put.receive(machine);
            machine.clock();
            put.take(machine);
            look(machine, (&self.seats, &mut occupied), reference, &mut ends);
        }
        for (number, end) in ends.iter_mut().enumerate() {
            let all = number * nodes..(number + 1) * nodes;
            let read = all.clone().flat_map(|node| self.machine.host_reads(node));
            end.read = read.map(|(_, bit)| bit).collect();
            if end.read != reference.read {
                end.registers = registers(&*self.machine, all);
            }
        }
        Ok(ends)
    }
}

/// Counts the message bits of each machine, once a bit time is over, or as loaded.
fn look(
    machine: &dyn Lockstep,
    (seats, occupied): (&[Option<usize>], &mut Vec<u32>),
    reference: &Reference,
    ends: &mut [End],
) {
    let now = machine.bit_time();
    let (after, due) = reference.live[now as usize];
    occupied.clear();
    machine.append_occupied_bits(after, occupied);
    let mut live = vec![0; ends.len()];
    for (seat, bits) in seats.iter().zip(&*occupied) {
        if let Some((live, end)) =
            seat.and_then(|seat| Some((live.get_mut(seat)?, ends.get_mut(seat)?)))
        {
            *live += u64::from(*bits);
            end.peak = end.peak.max(*bits);
        }
    }
    for (live, end) in live.into_iter().zip(ends) {
        if due.is_some_and(|due| due != live) {
            end.lost.get_or_insert((now, live));
        }
    }
}
