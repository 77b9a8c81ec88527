//! Which broadcasts there are, and for which ports.

use std::fmt;

use crate::error::Error;
use crate::error::refusal::Refusal;

/// How many ports of a node may be busy at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortModel {
    /// A node sends or receives, on one port ("one send or one receive").
    OneWay,
    /// A node sends on one port and receives on one ("one send and one receive").
    TwoWay,
    /// All ports, both ways.
    All,
}

impl PortModel {
    /// All of them, in the order of the paper's tables.
    pub const EACH: [PortModel; 3] = [PortModel::OneWay, PortModel::TwoWay, PortModel::All];

    /// What it is called on a command line.
    pub fn name(self) -> &'static str {
        match self {
            PortModel::OneWay => "one-way",
            PortModel::TwoWay => "two-way",
            PortModel::All => "all",
        }
    }

    /// What a node may do at once.
    pub fn allows(self) -> &'static str {
        match self {
            PortModel::OneWay => "a node sends or receives on one port at a time",
            PortModel::TwoWay => "a node sends on one port and receives on one at a time",
            PortModel::All => "a node sends and receives on all ports at once",
        }
    }

    /// Whether a node may have so many ports that send and so many that receive.
    pub fn admits(self, sending: usize, receiving: usize) -> bool {
        match self {
            PortModel::OneWay => sending + receiving <= 1,
            PortModel::TwoWay => sending <= 1 && receiving <= 1,
            PortModel::All => true,
        }
    }
}

impl fmt::Display for PortModel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// A broadcast of one of the two papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// A Hamiltonian path (Ho & Johnsson 1986, 3.4).
    HamiltonianPath,
    /// The spanning binomial tree (3.1).
    BinomialTree,
    /// The two-rooted complete binary tree (3.4, after Bhatt & Ipsen).
    TwoRootedTree,
    /// n edge-disjoint spanning binomial trees (3.2).
    MultipleTrees,
    /// BROADCAST 1 of Stout & Wagar 1987: recursive doubling.
    Broadcast1,
    /// BROADCAST 2: the same in all rotations at once.
    Broadcast2,
    /// BROADCAST 3A: a wave.
    Broadcast3A,
    /// BROADCAST 3B: a second wave in place of the last stage.
    Broadcast3B,
    /// BROADCAST 4: wave after wave.
    Broadcast4,
    /// None of theirs: what a list says, in so many routing steps.
    Listed {
        /// Routing steps, up to the last one in which something is sent.
        steps: usize,
    },
}

impl Algorithm {
    /// All that the papers have.
    pub const EACH: [Algorithm; 9] = [
        Algorithm::HamiltonianPath,
        Algorithm::BinomialTree,
        Algorithm::TwoRootedTree,
        Algorithm::MultipleTrees,
        Algorithm::Broadcast1,
        Algorithm::Broadcast2,
        Algorithm::Broadcast3A,
        Algorithm::Broadcast3B,
        Algorithm::Broadcast4,
    ];

    /// What it is called on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::HamiltonianPath => "hp",
            Algorithm::BinomialTree => "sbt",
            Algorithm::TwoRootedTree => "tcbt",
            Algorithm::MultipleTrees => "msbt",
            Algorithm::Broadcast1 => "broadcast-1",
            Algorithm::Broadcast2 => "broadcast-2",
            Algorithm::Broadcast3A => "broadcast-3a",
            Algorithm::Broadcast3B => "broadcast-3b",
            Algorithm::Broadcast4 => "broadcast-4",
            Algorithm::Listed { .. } => "list",
        }
    }

    /// What it does, in a few words.
    pub fn models(self) -> &'static str {
        match self {
            Algorithm::HamiltonianPath => "along a Hamiltonian path",
            Algorithm::BinomialTree => "over the spanning binomial tree",
            Algorithm::TwoRootedTree => "over a two-rooted complete binary tree",
            Algorithm::MultipleTrees => "over n edge-disjoint spanning binomial trees",
            Algorithm::Broadcast1 => "recursive doubling",
            Algorithm::Broadcast2 => "recursive doubling in all n rotations at once",
            Algorithm::Broadcast3A => "a wave of n packets",
            Algorithm::Broadcast3B => {
                "a wave of n packets, and a second one in place of its last stage"
            }
            Algorithm::Broadcast4 => "waves one behind the other",
            Algorithm::Listed { .. } => "as a list of sends says",
        }
    }

    /// Paper and section.
    pub fn source(self) -> &'static str {
        match self {
            Algorithm::HamiltonianPath | Algorithm::TwoRootedTree => {
                "Ho & Johnsson 1986, section 3.4"
            }
            Algorithm::BinomialTree => "Ho & Johnsson 1986, section 3.1",
            Algorithm::MultipleTrees => "Ho & Johnsson 1986, section 3.2",
            Algorithm::Listed { .. } => "a list of sends",
            _ => "Stout & Wagar 1987, section 2",
        }
    }

    /// The port models that it is defined for.
    pub fn port_models(self) -> &'static [PortModel] {
        match self {
            Algorithm::HamiltonianPath
            | Algorithm::BinomialTree
            | Algorithm::TwoRootedTree
            | Algorithm::MultipleTrees
            | Algorithm::Listed { .. } => &PortModel::EACH,
            _ => &[PortModel::All],
        }
    }

    /// The packets that it cuts a message into at the most, in a cube of `n` dimensions; none where there is no limit.
    pub fn most_packets(self, n: usize) -> Option<usize> {
        match self {
            Algorithm::Broadcast1 => Some(1),
            Algorithm::Broadcast2 | Algorithm::Broadcast3A | Algorithm::Broadcast3B => Some(n),
            _ => None,
        }
    }

    /// Refuses ports that it is not defined for.
    ///
    /// # Errors
    /// Those that it is not, with those that it is.
    pub fn check(self, ports: PortModel) -> Result<(), Error> {
        match self.port_models().contains(&ports) {
            true => Ok(()),
            false => {
                let others = Algorithm::EACH.iter();
                let others = others.filter(|other| other.port_models().contains(&ports));
                let others: Vec<&str> = others.map(|other| other.name()).collect();
                Err(not_for_ports(
                    self.name(),
                    (ports, self.port_models()),
                    &others,
                ))
            }
        }
    }
}

/// The refusal of a broadcast, or another algorithm, on ports that it is not defined for, as it is for `models`; `others` are.
pub fn not_for_ports(
    algorithm: &str,
    (ports, models): (PortModel, &[PortModel]),
    others: &[&str],
) -> Error {
    let models: Vec<&str> = models.iter().map(|model| model.name()).collect();
    Refusal::of(format!(
        "{algorithm} is not defined for {ports} ports, only for {}; on {ports} ports there are: {}",
        models.join(", "),
        others.join(", ")
    ))
    .into()
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
