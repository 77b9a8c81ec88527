//! A point of a sweep: a machine and its messages, or another router with the same messages.

use crate::error::Error;
use crate::families::relations::job::Job;
use crate::families::relations::measure::duration;
use crate::families::relations::measure::place::{Place, Who};
use crate::families::relations::measure::row::{self, Facts};
use crate::families::relations::options::RunOptions;
use crate::families::relations::stimulus::Carrying;
use crate::families::relations::testbench::identity_of;
use crate::families::relations::traffic;
use crate::lockstep::{Requirement, carry_out};
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::Row;
use crate::options;
use crate::options::CheckpointArguments;

/// A point, and what it takes.
#[derive(Clone)]
pub(super) struct Point {
    pub place: Place,
    requirement: Requirement,
}

/// What a point takes.
///
/// # Errors
/// What is refused of it.
pub(super) fn sized_up(place: Place) -> Result<Point, Error> {
    let job = Job::new(&place.setup())?;
    if let Who::Other(other) = place.who {
        other.machine(place.dims, job.size.payload_bits)?;
    }
    Ok(Point {
        requirement: job.requirement(),
        place,
    })
}

/// Runs a place.
///
/// # Errors
/// What is refused of it, and whatever keeps it from its end.
pub(super) fn run(place: &Place) -> Result<Facts, Error> {
    let setup = place.setup();
    if let Who::Other(other) = place.who {
        let job = Job::new(&setup)?;
        let sent = traffic::sent(&setup, &job)?;
        return other.run(place.dims, job.size.payload_bits, &sent.slots);
    }
    let identity = identity_of(&setup)?;
    let stimulus = Box::new(Carrying::new(&setup)?);
    let options: RunOptions = options::RunOptions {
        setup,
        wave: None,
        trace_nodes: None,
        trace_from: None,
        trace_to: None,
        picture: None,
        trace_message: None,
        deliveries: None,
        links: None,
        threads: Some(1),
        format: options::Format::default(),
        quiet: true,
        checkpoints: CheckpointArguments::default(),
    };
    Ok(Facts::of(&carry_out(&identity, &options, &[], stimulus)?))
}

impl measure::Point for Point {
    fn coordinates(&self) -> Vec<Coordinate> {
        self.place.coordinates()
    }

    fn with_seed(&self, seed: u64) -> Self {
        let mut point = self.clone();
        point.place.seed = seed;
        point
    }

    fn nodes(&self) -> usize {
        1 << self.place.dims
    }

    fn bytes(&self) -> u64 {
        self.requirement.bytes
    }

    fn work(&self) -> Work {
        duration::work(&self.place, self.requirement.bit_times.value)
    }

    fn kind_of_work(&self) -> String {
        self.place.name()
    }

    fn cost(&self) -> Result<Cost, Error> {
        duration::cost(&self.place)
    }

    fn run(&self) -> Result<Row, Error> {
        Ok(row::row(&self.place, &run(&self.place)?))
    }
}
