//! Puts faults into machines in lockstep and says what came of each.

use std::collections::HashMap;

use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSlice;

use crate::error::Error;
use crate::lockstep::campaign::fault::{Fault, Places};
use crate::lockstep::campaign::faulted::{Faulted, Judged, pool_of};
use crate::lockstep::campaign::ill::Gates;
use crate::lockstep::campaign::reference::{MESSAGE_BITS, Reference, failed, loaded};
use crate::lockstep::campaign::rig::{End, Rig, set};
use crate::lockstep::simulation::Measurement;
use crate::lockstep::stimulus::Stimulus;

/// Nodes that are run at once on a thread: what fills lanes, and not much more.
const NODES_AT_ONCE: usize = 2048;

/// What is judged of a machine that has come to its end: what hosts read, when message bits were lost, and the peak.
type Found = (Vec<bool>, Option<(u64, u64)>, u32);

/// A machine with its traffic, into which faults are put.
pub struct Engine {
    stimulus: Box<dyn Stimulus>,
    reference: Reference,
    places: Places,
    gates: Option<Gates>,
    /// Machines side by side, for each thread.
    rigs: Vec<Rig>,
    pool: Option<ThreadPool>,
    /// Many faults come to the same end.
    known: HashMap<Found, Vec<&'static str>>,
}

impl Engine {
    /// Of a stimulus, whose machine runs without faults first.
    ///
    /// # Errors
    /// A machine that does not fit, or whose run without faults is not as it should be; [`Error::Interrupted`].
    pub fn new(mut stimulus: Box<dyn Stimulus>) -> Result<Self, Error> {
        let (reference, places) = Reference::of(&mut *stimulus)?;
        Ok(Engine {
            stimulus,
            reference,
            places,
            gates: None,
            rigs: Vec::new(),
            pool: None,
            known: HashMap::new(),
        })
    }

    /// What it has been made of.
    pub fn stimulus(&self) -> &dyn Stimulus {
        &*self.stimulus
    }

    /// So many machines side by side on each of so many threads.
    ///
    /// # Errors
    /// Machines that do not fit; threads that cannot be had.
    pub fn side_by_side(&mut self, machines: usize, threads: usize) -> Result<(), Error> {
        let device = self.stimulus.device();
        let rig = || Rig::new(device, machines.max(1), self.gates.clone());
        self.rigs = (0..threads).map(|_| rig()).collect::<Result<_, _>>()?;
        self.pool = pool_of(threads)?;
        Ok(())
    }

    fn ends(&mut self, faults: &[Fault]) -> Result<Vec<End>, Error> {
        let reference = &self.reference;
        let [first, ..] = &mut self.rigs[..] else {
            let mut rig = Rig::new(self.stimulus.device(), 1, self.gates.clone())?;
            return rig.run(reference, faults);
        };
        let Some(pool) = &self.pool else {
            return first.run(reference, faults);
        };
        let machines = first.machines();
        let rigs = &mut self.rigs;
        let ends: Result<Vec<Vec<End>>, Error> = pool.install(|| {
            let parts = rigs.par_iter_mut().zip(faults.par_chunks(machines));
            parts
                .map(|(rig, faults)| rig.run(reference, faults))
                .collect()
        });
        Ok(ends?.into_iter().flatten().collect())
    }

    fn judge(&mut self, fault: Fault, end: End) -> Result<Judged, Error> {
        if let Some(seen) = end.conflict {
            return Ok(Judged::over(fault, seen));
        }
        let is_as_ever = end.registers.is_empty()
            && end.lost.is_none()
            && end.peak == self.reference.measurement.peak_bits_per_node;
        let bit_times = self.bit_times();
        let seen = end.lost.map_or(bit_times, |(seen, _)| seen);
        let is_wrong = self.reference.is_wrong(&end.read);
        let misplaced = self.reference.is_misplaced(&end.read);
        let failed = match is_as_ever {
            true => Vec::new(),
            false => self.failed(end)?,
        };
        // Where messages come in any order, another order is no fault.
        let differs = match self.stimulus.order_is_due() {
            true => is_wrong,
            false => failed.iter().any(|name| *name != MESSAGE_BITS),
        };
        Ok(Judged {
            failed,
            differs,
            misplaced: misplaced && differs,
            after: seen.saturating_sub(fault.from()),
        })
    }

    /// The checks that do not hold of a machine that has come to this end.
    fn failed(&mut self, end: End) -> Result<Vec<&'static str>, Error> {
        let found = (end.read, end.lost, end.peak);
        if let Some(known) = self.known.get(&found) {
            return Ok(known.clone());
        }
        let mut machine = loaded(&*self.stimulus)?;
        let registers = match end.registers.is_empty() {
            true => &self.reference.ended,
            false => &end.registers,
        };
        for (node, bits) in registers.iter().enumerate() {
            set(&mut *machine, node, bits);
        }
        let measurement = Measurement {
            peak_bits_per_node: end.peak,
            not_conserved: end
                .lost
                .map(|(seen, live)| format!("after bit time {seen}: {live}")),
            ..self.reference.measurement.clone()
        };
        let mut names = Vec::from_iter(end.lost.map(|_| MESSAGE_BITS));
        names.extend(failed(&mut *self.stimulus, machine, &measurement)?);
        self.known.insert(found, names.clone());
        Ok(names)
    }
}

impl Faulted for Engine {
    fn with_gates(&mut self) {
        let netlist = self.stimulus.device().netlist();
        let gates = Gates::of(&netlist, self.reference.measurement.bit_times);
        self.places.add_gates(gates.names());
        self.gates = Some(gates);
    }

    fn on_threads(&mut self, faults: usize, threads: usize) -> Result<(), Error> {
        let nodes = self.reference.loaded.len();
        let machines = (NODES_AT_ONCE / nodes).min(faults.div_ceil(threads));
        self.side_by_side(machines, threads)
    }

    fn places(&self) -> &Places {
        &self.places
    }

    fn bit_times(&self) -> u64 {
        self.reference.measurement.bit_times
    }

    fn at_once(&self) -> usize {
        self.rigs.iter().map(Rig::machines).sum()
    }

    fn run(&mut self, faults: &[Fault]) -> Result<Vec<Judged>, Error> {
        let mut judged = Vec::with_capacity(faults.len());
        for some in faults.chunks(self.at_once().max(1)) {
            let ends = self.ends(some)?;
            for (fault, end) in some.iter().zip(ends) {
                judged.push(self.judge(*fault, end)?);
            }
        }
        Ok(judged)
    }
}
