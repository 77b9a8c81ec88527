//! A point of a sweep of routers in lockstep.

use rtl_model::machine::router::ClosedForm;
use rtl_model::machine::topology::hypercube::MAX_DIMENSIONS;
use rtl_model::routers::permutation::Size;

use crate::error::Error;
use crate::lockstep::measure::lists::PayloadSize;
use crate::lockstep::measure::{duration, row};
use crate::lockstep::options::{RunOptions, Setup};
use crate::lockstep::{self, Bench, Requirement, Schedule};
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::Row;

/// Where a point is.
#[derive(Clone)]
pub(super) struct Place {
    pub bench: Bench,
    /// The grid has other testbenches as well.
    pub is_of_several: bool,
    /// Where there is a choice.
    pub schedule: Option<Schedule>,
    /// Where messages are sent.
    pub payload: Option<PayloadSize>,
    pub dims: usize,
    /// The default one, where there is none.
    pub traffic: Option<String>,
    pub load: f64,
    pub seed: u64,
}

impl Place {
    /// As the setup of a run.
    pub fn setup(&self) -> Setup {
        Setup {
            dims: Some(self.dims),
            payload_bits: self.payload.map(|size| size.bits(self.dims)),
            schedule: self.schedule.map(|schedule| schedule.name().to_owned()),
            traffic: self.traffic.clone(),
            load: Some(self.load),
            seed: self.seed,
            ..Setup::default()
        }
    }

    /// The storage that its design allows a node, where it says so.
    pub fn storage_bound(&self) -> Option<ClosedForm> {
        let only = || self.bench.schedules().first().copied();
        let size = Size {
            dimensions: self.dims,
            payload_bits: self.payload.map_or(0, |size| size.bits(self.dims)),
        };
        let schedule = self.schedule.or_else(only)?;
        Some(schedule.hardware.storage_bound(size))
    }

    /// Its schedule, or the testbench where that has only one; both, where there are several testbenches.
    pub fn schedule_name(&self) -> String {
        let bench = self.bench.name();
        match self.schedule.map(Schedule::name) {
            None => bench.to_owned(),
            Some(schedule) if self.is_of_several => format!("{bench} {schedule}"),
            Some(schedule) => schedule.to_owned(),
        }
    }

    /// A series of a plot is called by schedule and payload: bit times and storage are the same for all loads.
    pub fn coordinates(&self) -> Vec<Coordinate> {
        let payload =
            (self.payload).map(|size| Coordinate::always("payload_bits", format!("D = {size}")));
        [Coordinate::always("schedule", self.schedule_name())]
            .into_iter()
            .chain(payload)
            .chain([
                Coordinate::of_none("dims", format!("k = {}", self.dims)),
                Coordinate::of_none("load", format!("load {}", self.load)),
                Coordinate::of_none("seed", format!("seed {}", self.seed)),
            ])
            .collect()
    }
}

/// A point, and what it takes.
#[derive(Clone)]
pub(super) struct Point {
    pub place: Place,
    pub requirement: Requirement,
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

    fn large(&self) -> String {
        format!("the point of {} nodes", self.nodes())
    }

    fn work(&self) -> Work {
        duration::work(self.place.dims, self.requirement.bit_times.value)
    }

    fn kind_of_work(&self) -> String {
        let schedule = self.place.schedule.map_or("", Schedule::name);
        format!("{} {schedule}", self.place.bench.name())
    }

    fn cost(&self) -> Result<Cost, Error> {
        duration::cost(self.place.bench, &self.place.setup())
    }

    fn run(&self) -> Result<Row, Error> {
        let options = RunOptions::beside_others(self.place.setup());
        Ok(row::row(&lockstep::run(self.place.bench, &options)?))
    }
}

/// A few dimensions, `dims` among them, that there are.
pub(super) fn dims_with(dims: usize) -> String {
    let first = dims.min(MAX_DIMENSIONS - 4);
    format!("{first}..{}", first + 4)
}
