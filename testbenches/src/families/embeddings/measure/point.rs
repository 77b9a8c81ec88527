//! A point of a sweep of embeddings.

use rtl_model::embedding::phase::Order;

use crate::error::Error;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::measure::{duration, row};
use crate::families::embeddings::options::{MOST_MESSAGE_BITS, RunOptions, Setup, construction};
use crate::families::embeddings::stimulus::{Carrying, requirement};
use crate::families::embeddings::testbench::identity;
use crate::lockstep::{Requirement, carry_out};
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{Cost, Work};
use crate::measure::row::Row;

/// How much is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bits {
    /// So many bits along every edge.
    OfMessage(usize),
    /// So many from every node.
    OfNode(usize),
}

/// Where a point is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub guest: &'static str,
    pub dims: usize,
    pub bits: Bits,
    pub packets: Option<usize>,
    pub order: Order,
    pub both_ways: bool,
    pub start_up: usize,
    pub seed: u64,
}

impl Place {
    /// As the setup of a run.
    ///
    /// # Errors
    /// A guest that there is not at this size.
    pub fn setup(&self) -> Result<Setup, Error> {
        let message_bits = match self.bits {
            Bits::OfMessage(bits) => bits,
            Bits::OfNode(bits) if !(1..=MOST_MESSAGE_BITS).contains(&bits) => {
                return Err(Error::List {
                    option: "--node-bits",
                    why: format!("{bits} is out of range: choose 1 to {MOST_MESSAGE_BITS}"),
                });
            }
            Bits::OfNode(bits) => {
                let ask = rtl_model::embedding::constructions::Ask::of_dimensions(self.dims);
                let embedding = construction(self.guest)?.embed(&ask)?;
                let edges = embedding.edges() << usize::from(self.both_ways);
                (bits * embedding.host().nodes()).div_ceil(edges.max(1))
            }
        };
        Ok(Setup {
            guest: Some(self.guest.to_owned()),
            dims: Some(self.dims),
            packets: self.packets,
            order: Some(self.order.name().to_owned()),
            both_ways: self.both_ways,
            message_bits: Some(message_bits),
            start_up: self.start_up,
            seed: self.seed,
            ..Setup::default()
        })
    }

    pub fn coordinates(&self) -> Vec<Coordinate> {
        let bits = match self.bits {
            Bits::OfMessage(bits) => Coordinate::of_some("message_bits", format!("M = {bits}")),
            Bits::OfNode(bits) => Coordinate::of_some("node_bits", format!("{bits} bits a node")),
        };
        let packets = self.packets.map_or("its packets".to_owned(), |packets| {
            format!("{packets} packets")
        });
        vec![
            Coordinate::always("guest", self.guest.to_owned()),
            Coordinate::of_some("order", self.order.name().to_owned()),
            Coordinate::of_some("dims", format!("n = {}", self.dims)),
            Coordinate::of_some("packets", packets),
            Coordinate::of_some("start_up", format!("T = {}", self.start_up)),
            bits,
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]
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
    let job = Job::new(&place.setup()?)?;
    Ok(Point {
        place,
        nodes: job.embedding.host().nodes(),
        requirement: requirement(&job),
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
        self.place.guest.to_owned()
    }

    fn cost(&self) -> Result<Cost, Error> {
        duration::cost(&self.place)
    }

    fn run(&self) -> Result<Row, Error> {
        let options = RunOptions::beside_others(self.place.setup()?);
        let stimulus = Box::new(Carrying::new(&options.setup)?);
        let report = carry_out(&identity(), &options, &[], stimulus)?;
        Ok(row::row(&report, &self.place))
    }
}
