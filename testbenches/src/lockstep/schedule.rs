//! Schedules: when a router does what. A testbench may have several.

use std::fmt;

use rtl_model::routers::permutation::AnySchedule;
use rtl_model::traffic::Traffic;

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
    /// What names of its sequencer's registers in a waveform mean, in phrases, where they do not say it.
    pub legend: &'static [&'static str],
    /// The nodes to trace where none are named: three that meet, where there are such.
    pub meeting: fn(&Traffic) -> Option<[usize; 3]>,
    /// Whether it sorts messages by their destinations.
    pub sorts: bool,
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

/// Lines for `list`: the names of schedules, and each with what it does.
pub fn lines(schedules: &[Schedule]) -> Vec<String> {
    if schedules.is_empty() {
        return Vec::new();
    }
    let names: Vec<&str> = schedules.iter().map(|schedule| schedule.name()).collect();
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let each = schedules.iter().map(|schedule| {
        let name = schedule.name();
        format!("  {name:<longest$}  {}", schedule.models())
    });
    let all = format!("schedules: {}", names.join(", "));
    std::iter::once(all).chain(each).collect()
}
