//! What the algorithms do.

use std::fmt;

/// What is to be done: the operation, by its MPI name where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// One node has a message for each of the others (personalized communication; distributing).
    Scatter,
    /// Every node has a message for one (collecting).
    Gather,
    /// Every node has a message for all (complete broadcast).
    AllGather,
    /// Every node has a message for each of the others (complete exchange).
    AllToAll,
    /// One node has a message for one other.
    Send,
    /// Every node has a message for one other, and is sent one.
    PermutedSend,
    /// Every node has a message for the opposite corner.
    Inversion,
    /// A matrix is transposed.
    Transpose,
    /// Numbers of all nodes are added bin by bin (reduce-scatter).
    Histogram,
}

impl Operation {
    /// All of them.
    pub const EACH: [Operation; 9] = [
        Operation::Scatter,
        Operation::Gather,
        Operation::AllGather,
        Operation::AllToAll,
        Operation::Send,
        Operation::PermutedSend,
        Operation::Inversion,
        Operation::Transpose,
        Operation::Histogram,
    ];

    /// What it is called on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Scatter => "scatter",
            Operation::Gather => "gather",
            Operation::AllGather => "all-gather",
            Operation::AllToAll => "all-to-all",
            Operation::Send => "send",
            Operation::PermutedSend => "permuted-send",
            Operation::Inversion => "inversion",
            Operation::Transpose => "transpose",
            Operation::Histogram => "histogram",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
