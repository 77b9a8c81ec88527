//! A point of a sweep of broadcasts.

use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};

use crate::error::Error;
use crate::families::ports::measure::row;
use crate::families::ports::options::{Asked, RunOptions, RunSetup, Setup};
use crate::families::ports::run;
use crate::measure;
use crate::measure::axes::Coordinate;
use crate::measure::duration::{self, Cost, Work};
use crate::measure::row::Row;
use crate::options::SeedArgument;

/// How much is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// A message, in packets of that size or of the best.
    Bits {
        message_bits: usize,
        packet_bits: Option<usize>,
    },
    /// So many packets of that size.
    Packets { packets: usize, packet_bits: usize },
}

/// Where a point is.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub algorithm: Algorithm,
    pub ports: PortModel,
    pub dims: usize,
    pub source: usize,
    pub start_up: usize,
    pub amount: Amount,
    pub seed: u64,
}

impl Place {
    /// As the setup of a run.
    pub fn setup(&self) -> Setup {
        let (message_bits, packet_bits) = match self.amount {
            Amount::Bits {
                message_bits,
                packet_bits,
            } => (message_bits, packet_bits),
            Amount::Packets {
                packets,
                packet_bits,
            } => (packets.saturating_mul(packet_bits), Some(packet_bits)),
        };
        Setup {
            algorithm: Some(self.algorithm.name().to_owned()),
            ports: Some(self.ports.name().to_owned()),
            dims: Some(self.dims),
            source: Some(self.source),
            start_up: Some(self.start_up),
            message_bits: Some(message_bits),
            packet_bits,
            values: None,
            seed: SeedArgument { seed: self.seed },
        }
    }

    pub fn coordinates(&self) -> Vec<Coordinate> {
        let which = format!("{} {}", self.algorithm, self.ports);
        let (message, packet) = match self.amount {
            Amount::Bits {
                message_bits,
                packet_bits,
            } => (
                // Against dimensions, plots say which message they are of.
                Coordinate::of_none("message_bits", format!("M = {message_bits}")),
                match packet_bits {
                    Some(bits) => Coordinate::of_some("packet_bits", format!("B = {bits}")),
                    None => Coordinate::of_some("packet_bits", "optimum B".to_owned()),
                },
            ),
            Amount::Packets {
                packets,
                packet_bits,
            } => (
                Coordinate::of_some("packets", format!("P = {packets}")),
                Coordinate::of_some("packet_bits", format!("B = {packet_bits}")),
            ),
        };
        vec![
            Coordinate::always("algorithm", which),
            Coordinate::of_some("dims", format!("n = {}", self.dims)),
            message,
            packet,
            Coordinate::of_some("start_up", format!("T = {}", self.start_up)),
            Coordinate::of_none("source_node", format!("source {}", self.source)),
            Coordinate::of_none("seed", format!("seed {}", self.seed)),
        ]
    }
}

/// A point, and what it takes.
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub place: Place,
    pub asked: Asked,
    pub bytes: u64,
}

/// Sizes a place up.
///
/// # Errors
/// What is refused of it.
pub(super) fn sized_up(place: Place) -> Result<Point, Error> {
    let setup = place.setup();
    let asked = setup.asked(setup.message_bits())?;
    let bytes = run::bytes(&PortMachine::new(asked.broadcast)?);
    Ok(Point {
        place,
        asked,
        bytes,
    })
}

/// A run beside others.
pub(super) fn run_options(setup: Setup) -> RunOptions {
    RunOptions {
        setup: RunSetup {
            setup,
            ..RunSetup::default()
        },
        quiet: true,
        ..RunOptions::default()
    }
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
        self.asked.broadcast.cube.nodes()
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn work(&self) -> Work {
        let bit_times = self.asked.broadcast.bit_times().value as f64;
        let wires = (self.nodes() * self.place.dims) as f64;
        Work {
            bit_times,
            sized: bit_times * wires,
        }
    }

    fn kind_of_work(&self) -> String {
        format!("{} {}", self.place.algorithm, self.place.ports)
    }

    /// Of two smaller cubes.
    fn cost(&self) -> Result<Cost, Error> {
        let sample = |dims: usize| -> Result<(f64, f64), Error> {
            let place = Place {
                dims,
                source: 0,
                start_up: 4,
                amount: Amount::Bits {
                    message_bits: 256,
                    packet_bits: None,
                },
                ..self.place.clone()
            };
            let options = run_options(place.setup());
            let seconds = duration::seconds_a_bit_time(|| Ok(run::run(&options)?.bit_times))?;
            Ok(((dims << dims) as f64, seconds))
        };
        Ok(Cost::from_samples(sample(3)?, sample(9)?))
    }

    fn run(&self) -> Result<Row, Error> {
        Ok(row::row(&run::run(&run_options(self.place.setup()))?))
    }
}
