//! What a family of routers in lockstep says of itself. What it says of its traffic is in [`crate::lockstep::Stimulus`].

use std::fmt;

use rtl_model::machine::device::Device;
use rtl_model::routers::permutation::AnySchedule;
use rtl_model::traffic::Traffic;
use rtl_model::traffic::pattern::Pattern;

use crate::error::Error;
use crate::lockstep::options::{Setup, Takes};
use crate::lockstep::requirement::Requirement;
use crate::lockstep::stimulus::{Identity, Stimulus};

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

    /// What is said of it first, on the schedule that is asked for.
    ///
    /// # Errors
    /// A schedule that it has not.
    pub fn identity(self, setup: &Setup) -> Result<Identity, Error> {
        let schedule = setup.schedule(self)?;
        Ok(Identity {
            name: self.name(),
            models: schedule
                .and_then(|schedule| schedule.0.headline)
                .unwrap_or(self.models()),
            source: self.source_on(schedule),
            schedule: schedule.map(Schedule::name),
        })
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
    /// What its testbench models on it, in a line, if that is not what the family does.
    pub headline: Option<&'static str>,
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
