//! A job: what is chosen of a testbench, worked out.

use rtl_model::machine::device::Device;
use rtl_model::machine::topology::Topology;
use rtl_model::machine::topology::hypercube::Dimensions;

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::lockstep::campaign::{Loaded, WithHosts};
use crate::lockstep::{Identity, Requirement, Stimulus, carry_out, require_memory};
use crate::options::RunOptions;
use crate::progress::UnderWay;
use crate::report::Report;
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::Parameter;
use crate::verilog::{Begun, Project};

/// The machine of a job.
pub enum AnyMachine<'a> {
    /// All nodes do the same in a bit time, as a sequencer says, and nobody works beside them: it runs with what
    /// [`Job::with_traffic`] gives.
    Lockstep(&'a dyn Device),
    /// Any other: it says itself how it is run.
    ByItself(&'a dyn ByItself),
}

/// A machine that the kit does not run, as hosts work beside it in every bit time, or nodes set their own pace: it says itself how it
/// is run, and how it is written as Verilog.
pub trait ByItself {
    /// Its network.
    fn topology(&self) -> Box<dyn Topology>;

    /// It as a device, if a sequencer says when it is done.
    fn device(&self) -> Option<&dyn Device> {
        None
    }

    /// Runs it, as it was chosen.
    ///
    /// # Errors
    /// What is refused, before any work starts; and a file that could not be written after all.
    fn run(&self, chosen: &Chosen, of: &Identity, options: &RunOptions) -> Result<Report, Error>;

    /// It with its traffic and its hosts, to be run with faults.
    ///
    /// # Errors
    /// Files that cannot be used; traffic with which a run has no end that is due.
    fn with_hosts(&self) -> Result<Box<dyn WithHosts>, Error>;

    /// Writes it as a Verilog project.
    ///
    /// # Errors
    /// A project that would be unreasonably large; a folder that cannot be written after all.
    fn write(&self, begun: Begun<'_>) -> Result<Project, Error>;
}

impl<'a> AnyMachine<'a> {
    /// Its network.
    pub fn topology(self) -> Box<dyn Topology> {
        match self {
            AnyMachine::Lockstep(device) => device.topology(),
            AnyMachine::ByItself(machine) => machine.topology(),
        }
    }

    /// As a device, if a sequencer says when it is done.
    pub fn device(self) -> Option<&'a dyn Device> {
        match self {
            AnyMachine::Lockstep(device) => Some(device),
            AnyMachine::ByItself(machine) => machine.device(),
        }
    }

    /// Whether the kit runs it, with what [`Job::with_traffic`] gives.
    pub fn is_in_lockstep(&self) -> bool {
        matches!(self, AnyMachine::Lockstep(_))
    }
}

/// What is chosen of a testbench, worked out: a machine, and what it takes to run it. Nothing is drawn, built or read yet.
pub trait Job {
    /// The machine.
    fn machine(&self) -> AnyMachine<'_>;

    /// What a run takes.
    fn requirement(&self) -> Requirement;

    /// What is modelled, in a line, where that depends on what is chosen.
    fn models(&self) -> Option<&'static str> {
        None
    }

    /// Where what is modelled comes from, where that depends on what is chosen.
    fn source(&self) -> Option<&'static str> {
        None
    }

    /// Its schedule, where there are several.
    fn schedule(&self) -> Option<&'static str> {
        None
    }

    /// The dimensions of the hypercube whose nodes it has, by whatever wires, if it has such.
    fn dimensions(&self) -> Option<Dimensions> {
        self.machine().topology().as_hypercube()
    }

    /// What is chosen of it, by [`Project::choice`](super::Project::choice); none where there is only one way.
    fn choice(&self) -> Option<&'static str> {
        None
    }

    /// What it has found for parameters for which nothing was given, and which have no default: with these values the same is asked
    /// for, whatever another version finds.
    fn found(&self) -> Vec<(&'static Parameter, Given)> {
        Vec::new()
    }

    /// What the router relies on and cannot see.
    fn relies_on(&self) -> Option<&'static str> {
        None
    }

    /// Refuses a run that would take so many seconds, if nobody can have meant that.
    ///
    /// # Errors
    /// With what to ask for instead.
    fn check_seconds(&self, seconds: f64) -> Result<(), Error> {
        let _ = seconds;
        Ok(())
    }

    /// For plans: refuses traffic that a run would refuse, as far as that is known without drawing or reading any.
    ///
    /// # Errors
    /// What is refused of it.
    fn check_traffic(&self) -> Result<(), Error> {
        Ok(())
    }

    /// With what is put into it: drawn, or read.
    ///
    /// # Errors
    /// Files that cannot be used; that it is not run in lockstep, but [by itself](ByItself).
    fn with_traffic(self: Box<Self>) -> Result<Box<dyn Stimulus>, Error> {
        Err(Refusal::why("this testbench is not run in lockstep").into())
    }
}

/// Runs a job, as it was chosen.
///
/// # Errors
/// What is refused, before any work starts; and a file that could not be written after all.
pub(super) fn run(
    job: Box<dyn Job>,
    chosen: &Chosen,
    of: &Identity,
    options: &RunOptions,
) -> Result<Report, Error> {
    if let AnyMachine::ByItself(machine) = job.machine() {
        return machine.run(chosen, of, options);
    }
    let drawing = UnderWay::new("drawing the traffic", options.quiet);
    let stimulus = with_traffic(job)?;
    drop(drawing);
    carry_out(chosen, of, options, stimulus)
}

/// A job with its traffic, if it fits into memory.
///
/// # Errors
/// A size that does not fit; files that cannot be used.
pub fn with_traffic(job: Box<dyn Job>) -> Result<Box<dyn Stimulus>, Error> {
    require_memory(&*job.machine().topology(), &job.requirement())?;
    job.with_traffic()
}

/// A job with its traffic, to be run with faults.
///
/// # Errors
/// As [`with_traffic`]; as [`ByItself::with_hosts`].
pub fn for_faults(job: Box<dyn Job>) -> Result<Loaded, Error> {
    if let AnyMachine::ByItself(machine) = job.machine() {
        require_memory(&*machine.topology(), &job.requirement())?;
        return Ok(Loaded::WithHosts(machine.with_hosts()?));
    }
    Ok(Loaded::Lockstep(with_traffic(job)?))
}
