//! What a family of routers in lockstep says of itself, and of its traffic.

use std::fmt;

use rtl_model::machine::device::Device;
use rtl_model::machine::host::Field;
use rtl_model::machine::router::{ClosedForm, Position};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::permutation::AnySchedule;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::lockstep::options::{RunOptions, Setup, Takes};
use crate::lockstep::requirement::Requirement;
use crate::lockstep::simulation::Measurement;
use crate::output::Staging;
use crate::report::{Check, Outputs};

/// A testbench of routers in lockstep, as its folder describes it.
pub trait Family: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it models, in a line.
    fn models(&self) -> &'static str;

    /// Where it comes from.
    fn source(&self) -> &'static str;

    /// The schedules that it can run on, the first being the default; none if there is only one way.
    fn schedules(&self) -> &'static [Schedule] {
        &[]
    }

    /// Command lines that show what it can do.
    fn examples(&self) -> &'static [&'static str];

    /// The options that it has.
    fn takes(&self) -> &'static dyn Takes;

    /// What the router relies on and cannot see: what its traffic must be like.
    fn relies_on(&self, schedule: Option<Schedule>) -> Option<&'static str>;

    /// Whether messages are sent, which have payloads and arrive.
    fn has_messages(&self) -> bool {
        true
    }

    /// The traffic pattern where none is asked for.
    fn default_pattern(&self) -> Pattern {
        Pattern::Randperm
    }

    /// Refuses a load at which a node sends nothing that has to, without drawing more than who sends.
    ///
    /// # Errors
    /// With a node that would be idle.
    fn check_senders(&self, setup: &Setup) -> Result<(), Error> {
        let _ = setup;
        Ok(())
    }

    /// Whether only drawing the traffic tells if a pattern will do at a size.
    fn has_to_draw(&self, setup: &Setup) -> bool {
        let _ = setup;
        false
    }

    /// Its machine.
    ///
    /// # Errors
    /// What is refused of the setup, but for its traffic.
    fn device(&self, setup: &Setup) -> Result<Box<dyn Device>, Error>;

    /// What a run takes; nothing is drawn or built.
    ///
    /// # Errors
    /// As [`Family::device`].
    fn requirement(&self, setup: &Setup) -> Result<Requirement, Error>;

    /// Its machine, and the traffic drawn or read.
    ///
    /// # Errors
    /// What is refused of the setup.
    fn stimulus(&self, setup: &Setup) -> Result<Box<dyn Stimulus>, Error>;
}

/// One of the testbenches in lockstep.
#[derive(Clone, Copy)]
pub struct Bench(pub &'static dyn Family);

impl std::ops::Deref for Bench {
    type Target = dyn Family;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for Bench {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Bench {}

impl fmt::Debug for Bench {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl Bench {
    /// Where it comes from, on a schedule.
    pub fn source_on(self, schedule: Option<Schedule>) -> &'static str {
        schedule
            .and_then(|schedule| schedule.0.source)
            .unwrap_or(self.source())
    }

    /// Its schedule of that name.
    ///
    /// # Errors
    /// A name that it has not; any, if it has only one way to run.
    pub fn schedule(self, name: &str) -> Result<Schedule, Error> {
        schedule_named(self.0, name)
    }
}

/// As [`Bench::schedule`].
pub(super) fn schedule_named(family: &dyn Family, name: &str) -> Result<Schedule, Error> {
    let known = family.schedules();
    if known.is_empty() {
        return Err(Error::NotApplicable {
            bench: family.name(),
            option: "--schedule",
            why: "it has only one",
        });
    }
    known
        .iter()
        .find(|schedule| schedule.name() == name)
        .copied()
        .ok_or_else(|| Error::Unknown {
            what: "schedule",
            name: name.to_owned(),
            known: known.iter().map(|schedule| schedule.name()).collect(),
        })
}

/// A schedule, as the folder of its family describes it.
pub struct ScheduleEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a few words.
    pub models: &'static str,
    /// Where it comes from, if not from where its family does.
    pub source: Option<&'static str>,
    /// Its testbench.
    pub bench: &'static str,
    /// Its hardware, where that is compiled.
    pub hardware: &'static &'static dyn AnySchedule,
    /// The nodes to trace where none are named: three that meet, where there are such.
    pub meeting: fn(&Traffic) -> Option<[usize; 3]>,
}

/// When a router does what: a testbench may have several.
#[derive(Clone, Copy)]
pub struct Schedule(pub &'static ScheduleEntry);

impl std::ops::Deref for Schedule {
    type Target = ScheduleEntry;

    fn deref(&self) -> &ScheduleEntry {
        self.0
    }
}

impl PartialEq for Schedule {
    fn eq(&self, other: &Self) -> bool {
        (self.bench, self.name) == (other.bench, other.name)
    }
}

impl Eq for Schedule {}

impl fmt::Debug for Schedule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.bench, self.name)
    }
}

impl Schedule {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// What it does, in a few words.
    pub fn models(self) -> &'static str {
        self.0.models
    }

    /// Whether it carries full permutations only.
    pub fn is_full_only(self) -> bool {
        self.hardware.is_full_only()
    }
}

/// A machine and its traffic.
pub trait Stimulus {
    /// The machine.
    fn device(&self) -> &dyn Device;

    /// Its schedule, if it has several.
    fn schedule(&self) -> Option<Schedule> {
        None
    }

    /// Puts the traffic into the nodes, before bit time 0. `passed` is told how many nodes have been loaded.
    ///
    /// # Errors
    /// Whatever `passed` returns.
    fn load(
        &self,
        machine: &mut dyn Lockstep,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// The message bits that are live in all nodes once a bit time is over (`None`: as loaded), if none is lost or doubled;
    /// nothing where no messages move, or nobody can say.
    fn live_bits(&self, after: Option<Position>) -> Option<u64>;

    /// Begins the files that it writes beside the waveform.
    ///
    /// # Errors
    /// A place that cannot be written.
    fn stage(&mut self, options: &RunOptions, staging: &mut Staging) -> Result<(), Error> {
        let _ = (options, staging);
        Ok(())
    }

    /// Reads the nodes after the last bit time, and judges.
    ///
    /// # Errors
    /// [`Error::Interrupted`]; a file that could not be written after all.
    fn judge(
        &mut self,
        machine: Box<dyn Lockstep>,
        measurement: &Measurement,
        outputs: &mut Outputs,
        quiet: bool,
    ) -> Result<Verdict, Error>;

    /// The traffic as a file that `--traffic-file` reads.
    fn traffic_file(&self) -> String;

    /// What the host is to read at the end: of a node, a field and a bit of it; nothing where that does not matter. It is
    /// known from the traffic alone.
    fn expected(&self) -> Box<dyn Fn(usize, Field, usize) -> Option<bool> + '_>;

    /// The same with the traffic of a later round of its Verilog testbench, 2 or more, and what that is.
    ///
    /// # Errors
    /// None of its own.
    fn later(&self, round: usize) -> Result<(Box<dyn Stimulus>, String), Error>;

    /// The nodes to trace where none are named.
    fn interesting(&self) -> Vec<usize>;
}

/// What a family found, and how it speaks of it.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Payload bits of a message; none where none is sent.
    pub payload_bits: Option<usize>,
    /// What the traffic is called.
    pub traffic: String,
    /// The share of nodes that send, if it was drawn.
    pub load: Option<f64>,
    /// What it was drawn from.
    pub seed: u64,
    /// What was sent, or counted.
    pub messages: usize,
    /// Of it, what is as it should be.
    pub delivered: usize,
    /// Rows of the summary: what the traffic is called there, and what became of it.
    pub summary: [(&'static str, String); 2],
    /// The storage that the design allows a node.
    pub storage_bound: Option<ClosedForm>,
    /// As required of memory, for all nodes.
    pub bytes: u64,
    /// Its own checks; those that hold for every machine are added.
    pub checks: Vec<Check>,
}
