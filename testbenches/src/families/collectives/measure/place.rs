//! Where a point of a sweep is.

use rtl_model::routers::collectives::algorithms::Operation;
use rtl_model::routers::ports::algorithm::PortModel;
use rtl_model::routers::ports::broadcast::MOST_DIMENSIONS;

use crate::families::collectives::measure::routers::Router;
use crate::families::collectives::options::{DEFAULT_DIMENSIONS, DEFAULT_MESSAGE_BITS, Setup};
use crate::families::collectives::transpose::default_rows;
use crate::measure::Seeds;
use crate::measure::axes::Coordinate;

/// Bits of an entry of a matrix.
const DEFAULT_ENTRY_BITS: usize = 64;

/// By what an operation is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    /// By the algorithm of that name, all of which is arranged beforehand.
    Algorithm(&'static str),
    /// By a router of another testbench, which finds out where messages go.
    Router(Router),
}

impl Who {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Who::Algorithm(name) => name,
            Who::Router(router) => router.name(),
        }
    }
}

/// Where a point is. Of what is not given the operation has none, or a default.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub operation: Operation,
    pub who: Who,
    pub ports: PortModel,
    pub dims: usize,
    pub message_bits: Option<usize>,
    /// Rows of a matrix.
    pub size: Option<usize>,
    pub word_bits: Option<usize>,
    pub bins: Option<usize>,
    pub samples: Option<usize>,
    pub start_up: usize,
    pub groups: Option<usize>,
    pub packet_bits: Option<usize>,
    pub seed: u64,
}

impl Place {
    /// With nothing asked for but that, and the first seed.
    pub fn of(operation: Operation, (who, ports): (Who, PortModel), seeds: &Seeds) -> Self {
        Place {
            operation,
            who,
            ports,
            dims: DEFAULT_DIMENSIONS,
            message_bits: None,
            size: None,
            word_bits: None,
            bins: None,
            samples: None,
            start_up: 0,
            groups: None,
            packet_bits: None,
            seed: seeds.first,
        }
    }

    /// As the setup of a run of an algorithm.
    pub fn setup(&self) -> Setup {
        Setup {
            algorithm: match self.who {
                Who::Algorithm(name) => Some(name.to_owned()),
                Who::Router(_) => None,
            },
            ports: Some(self.ports.name().to_owned()),
            dims: Some(self.dims),
            start_up: Some(self.start_up),
            groups: self.groups,
            packet_bits: self.packet_bits,
            message_bits: self.message_bits,
            size: self.size,
            word_bits: self.word_bits,
            bins: self.bins,
            samples: self.samples,
            seed: self.seed,
            ..Setup::of(self.operation)
        }
    }

    /// Whether as much has to be done at both, whoever does it.
    pub fn is_as_much(&self, other: &Place) -> bool {
        let amount = |place: &Place| {
            (
                (place.dims, place.message_bits, place.size),
                (place.word_bits, place.bins, place.samples),
            )
        };
        amount(self) == amount(other)
    }

    /// Where it is on each axis that its operation has.
    pub fn coordinates(&self) -> Vec<Coordinate> {
        let some = |axis, label: &str, number: Option<usize>, default: &str| {
            let number = number.map_or(default.to_owned(), |number| number.to_string());
            Coordinate::of_some(axis, format!("{label}{number}"))
        };
        let mut coordinates = vec![
            Coordinate::always("algorithm", self.who.name().to_owned()),
            Coordinate::of_some("ports", format!("{} ports", self.ports)),
            Coordinate::of_some("dims", format!("n = {}", self.dims)),
        ];
        match self.operation {
            Operation::Transpose => {
                // Only how many bits a node has counts: both make up one axis.
                let nodes = 1 << self.dims.min(MOST_DIMENSIONS);
                let rows = match (self.size, default_rows(nodes)) {
                    (Some(rows), _) => rows.to_string(),
                    (None, rows) if rows == nodes => "2^n".to_owned(),
                    (None, rows) => rows.to_string(),
                };
                let bits = self.word_bits.unwrap_or(DEFAULT_ENTRY_BITS);
                let label = format!("N = {rows}, W = {bits}");
                coordinates.push(Coordinate::of_some("node_bits", label));
            }
            Operation::Histogram => {
                coordinates.push(some("bins", "b = ", self.bins, "n 2^n"));
                coordinates.push(some("samples", "S = ", self.samples, "100"));
                coordinates.push(some("word_bits", "W = ", self.word_bits, "fewest"));
            }
            _ => {
                let bits = self.message_bits.unwrap_or(DEFAULT_MESSAGE_BITS);
                coordinates.push(Coordinate::of_some("message_bits", format!("M = {bits}")));
            }
        }
        if let Who::Algorithm(_) = self.who {
            coordinates.push(Coordinate::of_some(
                "start_up",
                format!("T = {}", self.start_up),
            ));
            let choices = [
                ("groups", "g", self.groups),
                ("packet_bits", "B", self.packet_bits),
            ];
            for (axis, letter, number) in choices {
                if let Some(number) = number {
                    coordinates.push(Coordinate::of_some(axis, format!("{letter} = {number}")));
                }
            }
        }
        coordinates.push(Coordinate::of_none("seed", format!("seed {}", self.seed)));
        coordinates
    }
}
