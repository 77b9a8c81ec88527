//! A point of a sweep of collective operations.

use rtl_model::routers::reduced_hypercube::operator::Operator;

use crate::error::Error;
use crate::families::reduced_hypercube::job::{Algorithm, Job};
use crate::families::reduced_hypercube::measure::{duration, row};
use crate::families::reduced_hypercube::options::{Kind, Operation, RunOptions, Setup};
use crate::families::reduced_hypercube::stimulus::{Collecting, requirement};
use crate::families::reduced_hypercube::testbench::identity;
use crate::lockstep::{Requirement, carry_out};
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::Row;

/// Where a point is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub operation: Operation,
    pub kind: Kind,
    pub algorithm: Algorithm,
    pub operator: Option<Operator>,
    pub switching: Option<&'static str>,
    pub dims: usize,
    pub blocks: usize,
    pub word_bits: usize,
    pub keys: usize,
    pub seed: u64,
}

impl Place {
    /// As the setup of a run.
    pub fn setup(&self) -> Setup {
        let is_choice = self.algorithm != Algorithm::Textbook;
        Setup {
            operation: self.operation,
            network: Some(self.kind.name().to_owned()),
            dims: Some(self.dims),
            blocks: Some(self.blocks),
            algorithm: is_choice.then(|| self.algorithm.name().to_owned()),
            operator: self.operator.map(|one| one.name().to_owned()),
            keys: Some(self.keys),
            word_bits: Some(self.word_bits),
            switching: self.switching.map(str::to_owned),
            source: None,
            values: None,
            results: None,
            seed: self.seed,
        }
    }

    pub fn coordinates(&self) -> Vec<Coordinate> {
        let which = match self.kind {
            Kind::Full => format!("{} on the hypercube", self.operation.name()),
            Kind::Reduced => format!("{} {}", self.operation.name(), self.algorithm.name()),
        };
        let mut coordinates = vec![Coordinate::always("algorithm", which)];
        if let Some(operator) = self.operator {
            coordinates.push(Coordinate::of_some("operator", operator.name().to_owned()));
        }
        if let Some(switching) = self.switching {
            coordinates.push(Coordinate::of_some("switching", switching.to_owned()));
        }
        if self.operation == Operation::Sort {
            coordinates.push(Coordinate::of_some("keys", format!("p = {}", self.keys)));
        }
        coordinates.extend([
            Coordinate::of_some("blocks", format!("n = {}", self.blocks)),
            Coordinate::of_some("dims", format!("k = {}", self.dims)),
            Coordinate::of_some("word_bits", format!("w = {}", self.word_bits)),
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]);
        coordinates
    }
}

/// A point, and what it takes.
#[derive(Clone)]
pub(super) struct Point {
    pub place: Place,
    nodes: usize,
    requirement: Requirement,
}

/// What a point takes.
///
/// # Errors
/// What is refused of it.
pub(super) fn sized_up(place: Place) -> Result<Point, Error> {
    let setup = place.setup();
    let job = Job::new(&setup)?;
    Ok(Point {
        place,
        nodes: job.device.topology().nodes(),
        requirement: requirement(&job, &setup),
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
        duration::work(self.nodes, self.requirement.bit_times.value)
    }

    fn kind_of_work(&self) -> String {
        format!(
            "{} {} {}",
            self.place.operation.name(),
            self.place.kind.name(),
            self.place.algorithm.name()
        )
    }

    fn cost(&self) -> Result<Cost, Error> {
        duration::cost(&self.place)
    }

    fn run(&self) -> Result<Row, Error> {
        let options = RunOptions::beside_others(self.place.setup());
        let stimulus = Box::new(Collecting::new(&options.setup)?);
        let report = carry_out(
            &identity(self.place.operation, self.place.kind),
            &options,
            &[],
            stimulus,
        )?;
        Ok(row::row(&report, &self.place))
    }
}
