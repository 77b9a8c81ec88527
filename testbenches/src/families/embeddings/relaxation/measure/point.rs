//! A point of a sweep of relaxations.

use rtl_model::embedding::phase::Order;

use crate::error::Error;
use crate::families::embeddings::relaxation::measure::{duration, row};
use crate::families::embeddings::relaxation::options::{RunOptions, Setup};
use crate::families::embeddings::relaxation::stimulus::{Relaxing, job, requirement};
use crate::families::embeddings::relaxation::testbench::identity;
use crate::lockstep::{Requirement, carry_out};
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::Row;

/// Sweeps of a point: the second begins where the first ends.
const SWEEPS: usize = 2;

/// Where a point is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub guest: &'static str,
    pub dims: usize,
    pub points: Option<usize>,
    pub word_bits: usize,
    pub order: Order,
    pub start_up: usize,
    pub seed: u64,
}

impl Place {
    /// As the setup of a run.
    pub fn setup(&self) -> Setup {
        Setup {
            guest: Some(self.guest.to_owned()),
            dims: Some(self.dims),
            points: self.points,
            word_bits: Some(self.word_bits),
            sweeps: Some(SWEEPS),
            order: Some(self.order.name().to_owned()),
            start_up: self.start_up,
            seed: self.seed,
            ..Setup::default()
        }
    }

    pub fn coordinates(&self) -> Vec<Coordinate> {
        let points = self
            .points
            .map_or("its points".to_owned(), |points| format!("M = {points}"));
        vec![
            Coordinate::always("guest", self.guest.to_owned()),
            Coordinate::of_some("order", self.order.name().to_owned()),
            Coordinate::of_some("dims", format!("n = {}", self.dims)),
            Coordinate::of_some("word_bits", format!("W = {}", self.word_bits)),
            Coordinate::of_some("start_up", format!("T = {}", self.start_up)),
            Coordinate::of_some("points_a_side", points),
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]
    }
}

/// A point, and what it takes.
#[derive(Clone)]
pub(super) struct Point {
    pub place: Place,
    /// Points of a side of the torus.
    pub points: usize,
    nodes: usize,
    requirement: Requirement,
}

/// What a point takes.
///
/// # Errors
/// What is refused of it.
pub(super) fn sized_up(place: Place) -> Result<Point, Error> {
    let setup = place.setup();
    let (points, job) = (setup.points()?, job(&setup)?);
    Ok(Point {
        place,
        points,
        nodes: job.embedding.host().nodes(),
        requirement: requirement(&job, points),
    })
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
        self.nodes
    }

    fn bytes(&self) -> u64 {
        self.requirement.bytes
    }

    fn work(&self) -> Work {
        duration::work(self.nodes, (self.requirement.bit_times.value, SWEEPS))
    }

    fn kind_of_work(&self) -> String {
        self.place.guest.to_owned()
    }

    fn cost(&self) -> Result<Cost, Error> {
        duration::cost(&self.place.setup())
    }

    fn run(&self) -> Result<Row, Error> {
        let options = RunOptions::beside_others(self.place.setup());
        let stimulus = Box::new(Relaxing::new(&options.setup, 1)?);
        let report = carry_out(&identity(), &options, &[], stimulus)?;
        Ok(row::row(&report, &self.place))
    }
}
