//! What can go wrong, with the reason and the way out: a [`Refusal`] next to the code that refuses something. A variant of its
//! own has what code asks for.

pub mod refusal;

use refusal::Refusal;

/// The way out for who has several messages a node.
pub(crate) const SEVERAL_A_NODE: &str = "several messages a node need `--h H` (testbench kuszmaul)";

/// What to do about traffic that goes elsewhere. These name testbenches, which other files of this crate do not.
pub(crate) const ONE_FOR_EACH: &str = "use randperm, or testbench wormhole";
pub(crate) const ONLY_NEARER: &str =
    "packing routes only what draws no two messages apart (see `kuszmaul` for the rest)";

/// Errors of the model and of the traffic that it is given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// What the code that refuses it says.
    #[error("{0}")]
    Refusal(Refusal),

    /// A payload that is too short or too long.
    #[error("a payload of {bits} bits is out of range: choose 1 to {limit}{}", if *bits == 0 { " (a message without payload could not be told from another, so no delivery could be checked)" } else { "" })]
    PayloadBits {
        /// As asked for.
        bits: usize,
        /// The largest that is accepted.
        limit: usize,
    },

    /// A machine larger than the memory there is.
    #[error(
        "{what} needs {needed} of memory{each} and this machine has {available}: use fewer \
         dimensions, or fewer bits of payload, message or words"
    )]
    DoesNotFit {
        /// What was asked for.
        what: String,
        /// With its unit.
        needed: String,
        /// What that is for each node, in parentheses; nothing where there are no nodes.
        each: String,
        /// With its unit, and that it is available; and what sets a limit to it, where it is not the memory that there is.
        available: String,
    },

    /// Another rank came upon two drivers.
    #[error("bit time {bit_time}: on another rank one wire is given to two units at once")]
    ConflictElsewhere {
        /// Bit times since the start.
        bit_time: u64,
    },

    /// Two units drove one wire in one bit time.
    #[error(
        "bit time {bit_time}: the wire from node {node} {wire} is driven by \
         {first} and by {second}: one wire is given to two units at once"
    )]
    WireConflict {
        /// The node that drives the wire.
        node: usize,
        /// Where it leads.
        wire: String,
        /// Bit times since the start.
        bit_time: u64,
        /// The unit that drove it first.
        first: &'static str,
        /// The unit that drove it as well.
        second: &'static str,
    },

    /// A list of sends that leaves a node without a packet.
    #[error(
        "{path}: node {node} never gets packet {packet}: all nodes are to get all packets, so add a line that sends it there"
    )]
    NeverSent {
        /// The file.
        path: String,
        /// The node.
        node: usize,
        /// The packet.
        packet: usize,
    },

    /// A run of which nothing can be said.
    #[error("the run was broken off by the one who looked on: begin it anew")]
    BrokenOff,

    /// Nodes that wait for each other within a bit time.
    #[error(
        "what a node sends depends on what it receives in the same bit time, and comes back to it across \
         the wires: such a machine has no depth"
    )]
    CombinationalLoop,

    /// Bursts of no whole message.
    #[error(
        "bursts of {messages} messages are out of range: it is how many they have on the average, 1 to 1000000000"
    )]
    BurstMessages {
        /// As asked for.
        messages: String,
    },

    /// A share of hot messages that is none.
    #[error("a share of {share} of all messages for the hot spots is out of range: choose 0 to 1")]
    HotShare {
        /// As asked for.
        share: String,
    },

    /// A traffic pattern that does not exist.
    #[error("there is no traffic pattern `{name}`")]
    UnknownTraffic {
        /// As asked for.
        name: String,
    },

    /// An address with no two halves.
    #[error(
        "transpose swaps the halves of an address and an address of {dimensions} bits has none: use an even number of dimensions, or shuffle"
    )]
    NoTransposeAtOddDimensions {
        /// `k`.
        dimensions: usize,
    },

    /// A traffic file that cannot be used.
    #[error("{refusal}")]
    TrafficFile {
        /// Of several errors in one file, that with the least is what is wrong with it.
        order: u64,
        /// What is wrong, and where.
        refusal: Refusal,
    },
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refusal(refusal)
    }
}

/// Refuses a number of packets, bits or steps that is out of range.
///
/// # Errors
/// That it is.
pub(crate) fn in_range(what: &str, value: usize, [least, most]: [usize; 2]) -> Result<(), Error> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(Refusal::of(format!("{value} {what} are out of range"))
            .instead(format!("choose {least} to {most}"))
            .into()),
    }
}

/// The refusal of a node that the machine does not have.
pub(crate) fn node_out_of_range(node: usize, nodes: usize) -> Error {
    Refusal::of(format!("node {node} is out of range"))
        .because(format!("the machine has nodes 0 to {}", nodes - 1))
        .into()
}

/// The refusal of a source that is none of so many nodes.
pub(crate) fn no_such_source(node: usize, nodes: usize) -> Error {
    Refusal::of(format!("the source {node} is out of range"))
        .because(format!("the nodes are 0 to {}", nodes - 1))
        .into()
}

/// The refusal of a machine of ports in too many dimensions, or none.
pub fn port_dimensions(dimensions: usize, most: usize) -> Error {
    let what = format!("a machine of ports of {dimensions} dimensions is out of range");
    let refusal = Refusal::of(what).instead(format!("choose 1 to {most}"));
    refusal.into()
}
