//! What the testbenches are asked to do.

use std::path::PathBuf;

use rtl_model::machine::topology::hypercube::Dimensions;

use crate::error::Error;
use crate::families::relations::schedules::{self, Entry};
use crate::options;

/// The most messages of a node in an h-relation.
pub const MOST_H: usize = rtl_model::routers::kuszmaul::counting::MAX_MESSAGES;

const DEFAULT_DIMENSIONS: usize = 6;
const DEFAULT_PAYLOAD_BITS: usize = 8;
const DEFAULT_LOAD: f64 = 0.75;

/// How many messages a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// One for each of so many batches.
    Batches(usize),
    /// So many at the most, `H`.
    Relation(usize),
    /// One for each of so many processors that share a vertex.
    Processors(usize),
}

impl Amount {
    /// How many at the most.
    pub fn slots(self) -> usize {
        match self {
            Amount::Batches(slots) | Amount::Relation(slots) | Amount::Processors(slots) => slots,
        }
    }

    /// Whether they are batches.
    pub fn is_batches(self) -> bool {
        matches!(self, Amount::Batches(_))
    }
}

/// The machine and its traffic.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many messages a node has.
    pub amount: Amount,
    /// Dimensions of the cube.
    pub dims: Option<usize>,
    /// Payload bits of every message.
    pub payload_bits: Option<usize>,
    /// The schedule, by its name.
    pub schedule: Option<String>,
    /// Bit times from one batch to the next.
    pub interval: Option<usize>,
    /// The traffic pattern, by its name.
    pub traffic: Option<String>,
    /// A file with the traffic.
    pub traffic_file: Option<PathBuf>,
    /// The share of nodes that send.
    pub load: Option<f64>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// Options of `run`.
pub(super) type RunOptions = options::RunOptions<Setup>;

impl Setup {
    /// The cube.
    ///
    /// # Errors
    /// Out of range.
    pub fn cube(&self) -> Result<Dimensions, Error> {
        Ok(Dimensions::new(self.dims.unwrap_or(DEFAULT_DIMENSIONS))?)
    }

    /// Payload bits, not yet checked.
    pub fn payload_bits(&self) -> usize {
        self.payload_bits.unwrap_or(DEFAULT_PAYLOAD_BITS)
    }

    /// The share of nodes that send.
    pub fn load(&self) -> f64 {
        // A zero has no sign here.
        self.load.unwrap_or(DEFAULT_LOAD) + 0.0
    }

    /// The schedule.
    ///
    /// # Errors
    /// A name of none, or of one that does not carry this.
    pub fn schedule(&self) -> Result<&'static Entry, Error> {
        let default = match self.amount {
            Amount::Batches(_) => "spread",
            Amount::Relation(_) => "counting",
            Amount::Processors(_) => return Ok(&schedules::PACKING),
        };
        let name = self.schedule.as_deref().unwrap_or(default);
        schedules::named(name, self.amount.is_batches())
    }

    /// The command line that asks for the same machine, defaults spelled out.
    ///
    /// # Errors
    /// A cube or a schedule that there is not.
    pub fn command(&self, command: &str) -> Result<String, Error> {
        let amount = match self.amount {
            Amount::Batches(batches) => format!("--batches {batches}"),
            Amount::Relation(h) => format!("--h {h}"),
            Amount::Processors(processors) => format!("--processors {processors}"),
        };
        let (bench, schedule) = match self.amount {
            Amount::Processors(_) => ("packing", String::new()),
            _ => ("kuszmaul", format!(" --schedule {}", self.schedule()?.name)),
        };
        let mut words = format!(
            "cubewave {command} {bench} {amount}{schedule} --dims {} --payload-bits {}",
            self.cube()?,
            self.payload_bits()
        );
        if let Amount::Processors(_) = self.amount {
            words += &format!(" --load {}", self.load());
        }
        if let Some(interval) = self.interval {
            words += &format!(" --interval {interval}");
        }
        Ok(words)
    }
}
