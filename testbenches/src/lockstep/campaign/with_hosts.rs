//! Machines beside which hosts work in every bit time: a testbench runs such a machine itself, a fault in each run, and says what came.

use hosts::tamper::{Nobody, Tamper};
use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use rtl_model::circuit::netlist::Netlist;
use rtl_model::machine::simulation::Simulation;

use crate::error::Error;
use crate::lockstep::campaign::fault::{Fault, Places};
use crate::lockstep::campaign::faulted::{Faulted, Judged, pool_of, without_faults};
use crate::lockstep::campaign::ill::Gates;
use crate::lockstep::campaign::put::Put;

/// What has come of a run.
#[derive(Clone, Debug, Default)]
pub struct Came {
    /// Bit times that it took.
    pub bit_times: u64,
    /// The bit time in which two units drove one wire, with which the run was over.
    pub conflict: Option<u64>,
    /// The first check that said in the run that something is wrong, and the bit time once it did.
    pub seen: Option<(&'static str, u64)>,
    /// The checks that do not hold.
    pub failed: Vec<&'static str>,
    /// Something that hosts have taken is not what is due.
    pub differs: bool,
    /// A message is missing, or there is one that is not due.
    pub misplaced: bool,
}

impl Came {
    /// What that says of a fault.
    fn judged(self, fault: Fault) -> Judged {
        if let Some(seen) = self.conflict {
            return Judged::over(fault, seen);
        }
        let (first, seen) = self.seen.unzip();
        let others = self.failed.into_iter();
        let others = others.filter(|check| Some(*check) != first);
        Judged {
            failed: first.into_iter().chain(others).collect(),
            differs: self.differs,
            misplaced: self.misplaced,
            after: seen.unwrap_or(self.bit_times).saturating_sub(fault.from()),
        }
    }

    /// The first thing that is not as it should be.
    fn first_wrong(&self) -> Option<&'static str> {
        let seen = self.seen.map(|(check, _)| check);
        let check = seen.or(self.failed.first().copied());
        check.or(self.differs.then_some("what hosts read"))
    }
}

/// A machine with its traffic and its hosts. Each run begins anew.
pub trait WithHosts: Send + Sync {
    /// What is said of it beside its name and its network; it may be nothing.
    fn in_words(&self) -> String;

    /// About as many register bits of all nodes as there are, times the bit times of a run.
    fn work(&self) -> u64;

    /// Shows it as it is before the first bit time.
    ///
    /// # Errors
    /// A machine that does not fit.
    fn show(&self, look: &mut dyn FnMut(&dyn Simulation)) -> Result<(), Error>;

    /// Its circuits.
    fn netlist(&self) -> Netlist;

    /// Runs it with somebody who tampers with it. `undisturbed` is how many bit times it takes if nobody does, where that is known: the
    /// run comes to an end, whatever is done to it.
    ///
    /// # Errors
    /// A machine that does not fit; [`Error::Interrupted`].
    fn run(&self, tamper: &mut dyn Tamper, undisturbed: Option<u64>) -> Result<Came, Error>;
}

/// One such machine after the other, on each of some threads.
pub struct Alone {
    machine: Box<dyn WithHosts>,
    bit_times: u64,
    places: Places,
    gates: Option<Gates>,
    threads: usize,
    pool: Option<ThreadPool>,
}

/// Runs of a thread between two looks at how far a campaign is.
const RUNS: usize = 16;

impl Alone {
    /// Of a machine, which runs without faults first.
    ///
    /// # Errors
    /// A machine that does not fit, or whose run without faults is not as it should be; [`Error::Interrupted`].
    pub fn new(machine: Box<dyn WithHosts>) -> Result<Self, Error> {
        let came = machine.run(&mut Nobody, None)?;
        without_faults(came.first_wrong())?;
        let mut places = Places::default();
        machine.show(&mut |idle| places = Places::of(idle, came.bit_times, true))?;
        Ok(Alone {
            machine,
            bit_times: came.bit_times,
            places,
            gates: None,
            threads: 1,
            pool: None,
        })
    }

    fn judged(&self, fault: Fault, gates: Option<&mut Gates>) -> Result<Judged, Error> {
        let faults = [fault];
        let mut put = Put::of(&faults, self.places.nodes(), gates);
        let came = self.machine.run(&mut put, Some(self.bit_times))?;
        Ok(came.judged(fault))
    }
}

impl Faulted for Alone {
    fn with_gates(&mut self) {
        let gates = Gates::of(&self.machine.netlist(), self.bit_times);
        self.places.add_gates(gates.names());
        self.gates = Some(gates);
    }

    fn on_threads(&mut self, _: usize, threads: usize) -> Result<(), Error> {
        (self.threads, self.pool) = (threads, pool_of(threads)?);
        Ok(())
    }

    fn places(&self) -> &Places {
        &self.places
    }

    fn bit_times(&self) -> u64 {
        self.bit_times
    }

    fn at_once(&self) -> usize {
        RUNS * self.threads
    }

    fn run(&mut self, faults: &[Fault]) -> Result<Vec<Judged>, Error> {
        let one = |gates: &mut Option<Gates>, fault: &Fault| self.judged(*fault, gates.as_mut());
        let gates = || self.gates.clone();
        match &self.pool {
            Some(pool) => pool.install(|| faults.par_iter().map_init(gates, one).collect()),
            None => {
                let mut gates = gates();
                let all = faults.iter().map(|fault| one(&mut gates, fault));
                all.collect()
            }
        }
    }
}
