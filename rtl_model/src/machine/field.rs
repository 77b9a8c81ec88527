//! Fields of a node's host port.

use crate::error::Error;
use crate::error::refusal::Refusal;

/// A field of a node's host port, by its name. Routers have those that they need: a new one is a new name, and a host that
/// does not know it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Field(pub &'static str);

impl Field {
    /// The node is in the set.
    pub const MEMBER: Field = Field("member");
    /// There is a message.
    pub const VALID: Field = Field("valid");
    /// Where it goes, bit 0 being that of dimension 0.
    pub const DESTINATION: Field = Field("destination");
    /// What it carries, bit 0 being the first one on a wire.
    pub const PAYLOAD: Field = Field("payload");
    /// Members of the set before this node.
    pub const RANK: Field = Field("rank");
    /// Members of the set.
    pub const TOTAL: Field = Field("total");
    /// What a node keeps, bit by bit at an address each.
    pub const MEMORY: Field = Field("memory");

    /// What it is called.
    pub fn name(self) -> &'static str {
        self.0
    }

    /// For a host that has nothing to do with this field.
    pub fn unknown(self) -> Error {
        Refusal::of(format!(
            "the host of this testbench knows no field `{}` of a node's port",
            self.0
        ))
        .because("it has to say what is written there or read")
        .into()
    }
}
