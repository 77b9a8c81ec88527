//! Collective operations, and what is said of each.

/// A collective operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operation {
    /// One node's message to all.
    #[default]
    Broadcast,
    /// All words into one.
    Reduce,
    /// Of each node, its word and all before it.
    Prefix,
    /// Words into the order of nodes.
    Sort,
}

impl Operation {
    /// All, in the order of the thesis.
    pub const ALL: [Operation; 4] = [
        Operation::Broadcast,
        Operation::Reduce,
        Operation::Prefix,
        Operation::Sort,
    ];

    /// Its testbench's name.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Broadcast => "broadcast",
            Operation::Reduce => "reduce",
            Operation::Prefix => "prefix",
            Operation::Sort => "sort",
        }
    }

    /// What its words are called.
    pub fn word(self) -> &'static str {
        match self {
            Operation::Broadcast => "message",
            Operation::Sort => "key",
            _ => "word",
        }
    }

    /// What Mukherjee 1994 compares it with.
    pub fn on_the_hypercube(self) -> &'static str {
        match self {
            Operation::Broadcast => {
                "the spanning binomial tree of the hypercube, beside Mukherjee 1994, chapter 2"
            }
            Operation::Reduce => {
                "dimension by dimension of the hypercube, beside Mukherjee 1994, chapter 3"
            }
            Operation::Prefix => {
                "dimension by dimension of the hypercube, beside Mukherjee 1994, chapter 4"
            }
            Operation::Sort => {
                "the bitonic sort of the hypercube (Batcher 1968), beside Mukherjee 1994, chapter 5"
            }
        }
    }
}
