//! The host's side of a node: what it writes before bit time 0 and what it reads after the last.

/// A field of a node's host port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The node is in the set.
    Member,
    /// There is a message.
    Valid,
    /// Where it goes, bit 0 being that of dimension 0.
    Destination,
    /// What it carries, bit 0 being the first one on a wire.
    Payload,
    /// Members of the set before this node.
    Rank,
    /// Members of the set.
    Total,
}

impl Field {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Field::Member => "member",
            Field::Valid => "valid",
            Field::Destination => "destination",
            Field::Payload => "payload",
            Field::Rank => "rank",
            Field::Total => "total",
        }
    }
}
