//! The testbenches there are.

use crate::error::Error;

/// A testbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bench {
    /// Theorem 2.
    Enumeration,
    /// Algorithm 1.
    Packing,
    /// Algorithm 2.
    Kuszmaul,
}

impl Bench {
    /// All of them.
    pub const ALL: [Bench; 3] = [Bench::Enumeration, Bench::Packing, Bench::Kuszmaul];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Bench::Enumeration => "enumeration",
            Bench::Packing => "packing",
            Bench::Kuszmaul => "kuszmaul",
        }
    }

    /// What it models, in a line.
    pub fn models(self) -> &'static str {
        match self {
            Bench::Enumeration => {
                "every member of a set of nodes learns its rank, every node the total"
            }
            Bench::Packing => "routes any semi-contraction in one pass through a row of switches",
            Bench::Kuszmaul => {
                "routes any partial permutation, deterministically, with two buffers a node"
            }
        }
    }

    /// Where it comes from.
    pub fn source(self) -> &'static str {
        match self {
            Bench::Enumeration => "Kuszmaul 1990, section II.B, Theorem 2",
            Bench::Packing => "Kuszmaul 1990, section II.A, Theorem 1 and Algorithm 1",
            Bench::Kuszmaul => "Kuszmaul 1990, section III, Algorithm 2",
        }
    }

    /// What the router relies on and cannot see: what its traffic must be like.
    pub fn relies_on(self) -> Option<&'static str> {
        match self {
            Bench::Enumeration => None,
            Bench::Packing => {
                Some("no two messages end farther apart, as node numbers, than they began")
            }
            Bench::Kuszmaul => Some("no two messages have the same destination"),
        }
    }

    /// The schedules it can run on; the first is the default.
    pub fn schedules(self) -> &'static [Schedule] {
        match self {
            Bench::Enumeration | Bench::Packing => &[],
            Bench::Kuszmaul => &[Schedule::Plain],
        }
    }

    /// The testbench of that name.
    ///
    /// # Errors
    /// [`Error::Unknown`], with the nearest name.
    pub fn from_name(name: &str) -> Result<Self, Error> {
        Self::ALL
            .into_iter()
            .find(|bench| bench.name() == name)
            .ok_or_else(|| Error::Unknown {
                what: "testbench",
                name: name.to_owned(),
                known: Self::ALL.map(Bench::name).to_vec(),
            })
    }
}

/// When a router does what: a testbench may have several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One step of Algorithm 2 after the other.
    Plain,
}

impl Schedule {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Schedule::Plain => "plain",
        }
    }
}
