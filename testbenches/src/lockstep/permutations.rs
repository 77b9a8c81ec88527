//! Families of routers of any partial permutation, which differ in their schedules.

use rtl_model::machine::device::Device;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::permutation::Size;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::{Traffic, senders};

use crate::error::Error;
use crate::lockstep::family::{Family, Schedule, schedule_named};
use crate::lockstep::messages::{self, Messages};
use crate::lockstep::options::{OfArrivals, OnSchedules, Setup, Takes, Taking, default_load};
use crate::lockstep::requirement::{Requirement, require_memory};
use crate::lockstep::rounds::Carries;
use crate::lockstep::sent::Sent;
use crate::lockstep::stimulus::Stimulus;

/// Such a family.
pub struct Permutations {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it models, in a line.
    pub models: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Command lines that show what it can do.
    pub examples: &'static [&'static str],
    /// Its schedules, the first being the default.
    pub schedules: &'static [Schedule],
}

impl Permutations {
    fn schedule(&self, setup: &Setup) -> Result<Schedule, Error> {
        match &setup.schedule {
            None => Ok(self.schedules[0]),
            Some(name) => schedule_named(self, name),
        }
    }

    /// The cube, the schedule, and its machine.
    fn machine(&self, setup: &Setup) -> Result<(Dimensions, Schedule, Box<dyn Device>), Error> {
        let schedule = self.schedule(setup)?;
        let dimensions = setup.dimensions()?;
        let hardware = schedule.hardware;
        let device = hardware.device(dimensions, setup.payload_bits())?;
        Ok((dimensions, schedule, device))
    }
}

impl Family for Permutations {
    fn name(&self) -> &'static str {
        self.name
    }

    fn models(&self) -> &'static str {
        self.models
    }

    fn source(&self) -> &'static str {
        self.source
    }

    fn schedules(&self) -> &'static [Schedule] {
        self.schedules
    }

    fn examples(&self) -> &'static [&'static str] {
        self.examples
    }

    fn takes(&self) -> &'static dyn Takes {
        &Taking::<OnSchedules, OfArrivals>::THESE
    }

    fn relies_on(&self, schedule: Option<Schedule>) -> Option<&'static str> {
        match schedule.is_some_and(Schedule::is_full_only) {
            true => Some("every node sends a message, and no two have the same destination"),
            false => Some("no two messages have the same destination"),
        }
    }

    fn check_senders(&self, setup: &Setup) -> Result<(), Error> {
        check_load(self, self.schedule(setup)?, setup)
    }

    fn device(&self, setup: &Setup) -> Result<Box<dyn Device>, Error> {
        Ok(self.machine(setup)?.2)
    }

    fn requirement(&self, setup: &Setup) -> Result<Requirement, Error> {
        let (dimensions, _, device) = self.machine(setup)?;
        Ok(messages::requirement(
            &*device,
            dimensions,
            (setup.payload_bits(), setup.held(dimensions)?),
        ))
    }

    fn stimulus(&self, setup: &Setup) -> Result<Box<dyn Stimulus>, Error> {
        let (dimensions, schedule, device) = self.machine(setup)?;
        let setup = Setup {
            load: Some(setup.load.unwrap_or(default_load(Some(schedule)))),
            ..setup.clone()
        };
        let payload_bits = setup.payload_bits();
        let traffic_name = setup.traffic_name(Pattern::Randperm)?;
        let of_traffic = (payload_bits, setup.held(dimensions)?);
        let requirement = messages::requirement(&*device, dimensions, of_traffic);
        require_memory(&*device, &requirement)?;
        let traffic = setup.sent(dimensions, Pattern::Randperm)?;
        let carries = match schedule.is_full_only() {
            true => {
                check_full(self, schedule, (&traffic, dimensions.nodes()))?;
                Carries::Full
            }
            false => Carries::Partial,
        };
        let size = Size {
            dimensions: dimensions.count(),
            payload_bits,
        };
        Ok(Box::new(Messages {
            device,
            dimensions,
            setup,
            schedule: Some(schedule),
            traffic_name,
            traffic,
            carries,
            interesting,
            storage_bound: Some(schedule.hardware.storage_bound(size)),
            deliveries: None,
        }))
    }
}

/// Refuses traffic in which some node sends nothing.
fn check_full(
    family: &Permutations,
    schedule: Schedule,
    (traffic, nodes): (&Sent, usize),
) -> Result<(), Error> {
    let messages = traffic.messages();
    match traffic.idle().filter(|_| messages < nodes) {
        None => Ok(()),
        Some(idle) => Err(partial(family, schedule, (messages, nodes), idle)),
    }
}

/// The refusal of it, with a node that is idle.
fn partial(
    family: &Permutations,
    schedule: Schedule,
    (messages, nodes): (usize, usize),
    idle: usize,
) -> Error {
    let serves_partial = |other: &&Schedule| !other.is_full_only();
    let other = family.schedules.iter().find(serves_partial);
    Error::PartialTraffic {
        bench: family.name,
        schedule: schedule.name(),
        messages,
        nodes,
        idle,
        other: other.map_or("", |other| other.name()),
    }
}

/// Refuses a load at which some node sends nothing, if the schedule cannot do without; no more is drawn than who
/// sends.
fn check_load(family: &Permutations, schedule: Schedule, setup: &Setup) -> Result<(), Error> {
    if !schedule.is_full_only() {
        return Ok(());
    }
    let dimensions = setup.dimensions()?;
    let load = setup.load.unwrap_or(1.0);
    let nodes = dimensions.nodes();
    if (load * nodes as f64).round() as usize == nodes {
        return Ok(());
    }
    let senders = senders(dimensions, load, setup.seed)?;
    let idle = (0..nodes).find(|node| senders.binary_search(node).is_err());
    let idle = idle.unwrap_or(0);
    Err(partial(family, schedule, (senders.len(), nodes), idle))
}

/// Three nodes, chosen by the schedule; where the traffic has nothing of that kind to show, or there are too many nodes to
/// look, the first nodes of the cube.
pub(crate) fn interesting(schedule: Option<Schedule>, traffic: &Traffic) -> Vec<usize> {
    const ASKED_UP_TO: usize = 1 << 16;
    let nodes = traffic.nodes().count();
    let asked = schedule.filter(|_| nodes <= ASKED_UP_TO);
    let three = asked.and_then(|schedule| (schedule.meeting)(traffic));
    three.map_or_else(|| (0..nodes.min(3)).collect(), |three| three.to_vec())
}

/// Whether three nodes are three.
pub(crate) fn all_differ([one, other, third]: &[usize; 3]) -> bool {
    one != other && other != third && third != one
}
