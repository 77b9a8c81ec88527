//! What the rounds of a Verilog testbench send after the first one, which is as asked for: routings that between them
//! reach what one alone leaves idle. Each is drawn from the seed and its number.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::structured::Routing;
use rtl_model::traffic::{NodeSet, Traffic};

use crate::error::Error;

/// What a router carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carries {
    /// Any partial permutation.
    Partial,
    /// A message from every node.
    Full,
    /// Semi-contractions.
    Contractions,
}

/// Who sends where in a round.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Random,
    Packed,
    Structured(Routing),
}

use Kind::{Packed, Random, Structured};

/// In this order, then again with other draws: each with the share of nodes that send.
const PARTIAL: [(Kind, f64); 7] = [
    (Random, 1.0),
    (Structured(Routing::Opposites), 1.0),
    (Random, 0.5),
    (Structured(Routing::Affine), 0.9),
    (Structured(Routing::Subcubes), 1.0),
    (Structured(Routing::BitPermutation), 1.0),
    (Structured(Routing::Shift), 0.6),
];

const FULL: [(Kind, f64); 5] = [
    (Random, 1.0),
    (Structured(Routing::Opposites), 1.0),
    (Structured(Routing::Affine), 1.0),
    (Structured(Routing::BitPermutation), 1.0),
    (Structured(Routing::Shift), 1.0),
];

const CONTRACTIONS: [(Kind, f64); 4] = [
    (Structured(Routing::Contraction), 0.5),
    (Structured(Routing::Contraction), 0.25),
    (Structured(Routing::Contraction), 0.75),
    (Packed, 0.5),
];

/// A round of some kind: of which routing, at which load, from which seed.
#[derive(Clone, Copy, Debug)]
pub struct Later {
    kind: Kind,
    load: f64,
    seed: u64,
}

impl Later {
    /// Round `round`, 2 or more.
    pub fn of(round: usize, carries: Carries, seed: u64) -> Self {
        let kinds: &[(Kind, f64)] = match carries {
            Carries::Partial => &PARTIAL,
            Carries::Full => &FULL,
            Carries::Contractions => &CONTRACTIONS,
        };
        let (kind, load) = kinds[round.saturating_sub(2) % kinds.len()];
        Later {
            kind,
            load,
            seed: seed.wrapping_add(round as u64),
        }
    }

    /// For people.
    pub fn name(self) -> String {
        let name = match self.kind {
            Random => Pattern::Randperm.name(),
            Packed => Pattern::Packed.name(),
            Structured(routing) => routing.name(),
        };
        format!("{name}, load {}, seed {}", self.load, self.seed)
    }

    /// Its traffic.
    ///
    /// # Errors
    /// None of its own.
    pub fn traffic(self, dimensions: Dimensions, payload_bits: usize) -> Result<Traffic, Error> {
        let Later { kind, load, seed } = self;
        let pattern = match kind {
            Structured(routing) => {
                let messages = routing.messages(dimensions, load, seed)?;
                return Ok(Traffic::new(dimensions, payload_bits, messages, seed)?);
            }
            Random => Pattern::Randperm,
            Packed => Pattern::Packed,
        };
        Ok(Traffic::drawn(
            dimensions,
            payload_bits,
            pattern,
            load,
            seed,
        )?)
    }

    /// A set of nodes: its senders.
    ///
    /// # Errors
    /// None of its own.
    pub fn set(self, dimensions: Dimensions) -> Result<NodeSet, Error> {
        Ok(self.traffic(dimensions, 1)?.sources().clone())
    }
}
