//! Wormhole routing with whole worms (Greenberg & Bhatt 1990, section 7): cube-connected cycles (CCC),
//! the n copies of the CCC in a hypercube; two phases on the cross product of butterflies, whose lanes are given to
//! worms at run time and lead over relays; hypercubes, tori and meshes, in order of dimensions (e-cube), in
//! Valiant's two phases of it, or by addresses along any short way; and networks of any links, by addresses along the ways
//! that tables say.
//!
//! A flit is as many bits as a link has wires, that cross it side by side in a bit time. Every flit knows its worm and its
//! place in it, buffers are queues of flits, and credits and arbiters are integers. [`run`] says in which bit time everything
//! happens, exactly as the hardware does it, and checks at every bit time what must hold. [`Variant`] plants mistakes, so
//! that tests can show that the checks find them.

use std::collections::BTreeMap;

mod addressed;
mod answered;
mod butterflies;
mod changes;
#[cfg(test)]
mod experiments;
mod flits;
mod limits;
mod linked;
mod links;
mod listed;
mod model;
mod network;
mod requests;
mod shape;
#[cfg(test)]
mod tests;
mod theorem3;
mod variant;
mod violation;
mod waiting;
mod worm;

pub use butterflies::{Lane, Line};
pub use listed::{Listed, Refusal};
pub use network::{Channel, Port, Wire};
pub use variant::Variant;
pub use violation::Violation;

/// What the switches are connected by. `n` is the number of levels of the CCC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// One CCC of `n * 2^n` nodes; node `level * 2^n + column`. `n` is 2 to 16.
    CubeConnectedCycles {
        /// `n`.
        levels: usize,
    },
    /// Copies of the CCC in the hypercube of `n * 2^n` nodes, by Theorem 3. `n` is 2, 4, 8 or 16.
    Copies {
        /// `n`.
        levels: usize,
        /// How many of the `n` copies carry pieces: the first ones.
        copies: usize,
    },
    /// A hypercube of 1 to 16 dimensions without copies.
    Hypercube {
        /// Dimensions.
        dimensions: usize,
        /// How worms find their ways.
        routing: Routing,
    },
    /// A torus or a mesh of at most 2^20 nodes.
    Grid {
        /// Nodes of a row: 3 to 16.
        radix: usize,
        /// Dimensions.
        dimensions: usize,
        /// The last node of a row is joined to the first: a torus. Else a mesh.
        wraps: bool,
        /// How worms find their ways.
        routing: Routing,
    },
    /// The cross product of butterflies of `m` levels in rows and columns, `m` = 2 or 4: 64 or 4096 nodes.
    Butterflies {
        /// `m`.
        levels: usize,
    },
    /// Any links, and a table of routes for every node; the header is the address of the destination.
    Listed(&'static Listed),
}

/// How worms find their ways through a hypercube or a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// In order of dimensions, dimension 0 first; the header answers what the switches ask.
    Order,
    /// The same twice: to the node that a message names, and on (Valiant).
    Valiant,
    /// By any link that leads nearer and has a free channel; the header is the address of the destination.
    Adaptive,
}

/// How many connections a node makes in a bit time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Any number.
    Strong,
    /// One.
    Weak,
}

/// How a message is cut, where there are copies. A piece without bits is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Bit by bit to the copies in turn, so that the first ones may have one more; whatever the bits of a flit, so that every
    /// piece may end in one that it does not fill.
    Even,
    /// Bit by bit to the copy whose piece would be the first to have arrived with it, did it meet no other. A flit that has been
    /// begun is filled before, so that one piece at most ends in one that is not full.
    ByWay,
}

/// A machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The network.
    pub network: Network,
    /// Virtual channels of a straight link: 1 to 3. Cross links have at most 2. Of butterflies the classes of
    /// lanes, at most as many as levels. Of hypercubes, grids and networks that are listed those of every link: 1 to 8, and at
    /// most 64 a node.
    pub virtual_channels: usize,
    /// Places of an input channel: flits that it can hold, whatever the bits of a flit.
    pub buffer_bits: usize,
    /// Wires of a link, and bits of a flit: 1 to 64.
    pub wire_bits: usize,
    /// Connections in a bit time.
    pub switch: Switch,
    /// How copies share a message out.
    pub pieces: Pieces,
}

/// What a host sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The sending node: a CCC node number or a hypercube address.
    pub source: usize,
    /// The receiving node.
    pub destination: usize,
    /// Of [`Routing::Valiant`], the node via which it goes; without one straight to its destination.
    pub intermediate: Option<usize>,
    /// The first bit time in which it may leave the host.
    pub created: u64,
    /// The body, bit 0 first.
    pub bits: Vec<bool>,
}

/// What became of one worm.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Bits of the header, without those that fill flits up.
    pub header_bits: usize,
    /// Bits of the body, without those that fill its last flit up.
    pub body_bits: usize,
    /// The bit time in which its first flit left the host.
    pub injected: Option<u64>,
    /// The bit time in which its first body flit left the last switch.
    pub head_arrived: Option<u64>,
    /// The bit time in which its last did.
    pub tail_arrived: Option<u64>,
    /// The nodes that it reached, the source first.
    pub path: Vec<usize>,
}

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// When the first of its pieces left.
    pub injected: Option<u64>,
    /// When the first of its pieces began to arrive.
    pub head_arrived: Option<u64>,
    /// When the last of its pieces had arrived; `None` while any is missing.
    pub tail_arrived: Option<u64>,
    /// Those that have bits, by copy; without copies there is one piece.
    pub pieces: Vec<Piece>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything arrived.
    Done {
        /// The bit time of the last tail, plus one. 0 without messages.
        bit_times: u64,
    },
    /// Worms are under way and nothing can ever move.
    Deadlock {
        /// The first bit time in which nothing moved.
        bit_time: u64,
        /// Input channels, each waiting for the next and the last for the first.
        cycle: Vec<Channel>,
    },
    /// The limit was reached first.
    OutOfTime,
}

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// For each message, in the order given.
    pub arrivals: Vec<Arrival>,
    /// Flits that crossed each wire, or all wires of a link side by side. Every wire is listed.
    pub wires: BTreeMap<Wire, u64>,
    /// Connections made.
    pub grants: u64,
}

/// Runs `messages` on `machine` until all have arrived, nothing can move, or `limit` bit times are over.
/// The messages of a node are sent in order of creation, those created together in the order given.
///
/// # Errors
/// A [`Violation`]: a machine or message that there is not, or the first invariant that did not hold.
pub fn run(machine: Machine, messages: &[Message], limit: u64) -> Result<Run, Violation> {
    run_variant(machine, messages, limit, Variant::Correct)
}

/// [`run`], but it is no deadlock yet that nothing moves while a message is still created in one of the `patience` bit times
/// after the first in which nothing did.
///
/// # Errors
/// As [`run`].
pub fn run_with_patience(
    machine: Machine,
    messages: &[Message],
    limit: u64,
    patience: u64,
) -> Result<Run, Violation> {
    let variant = Variant::Correct;
    let plan = network::Plan::of(machine, variant)?;
    let worms = worm::worms(&plan, messages, variant)?;
    let mut model = model::Model::new(&plan, worms, variant);
    model.patience = patience;
    model.run(limit, messages.len())
}

/// Runs each of several sets of messages alone, all on the same machine.
///
/// # Errors
/// As [`run`], of the first set that has one.
pub fn run_each(
    machine: Machine,
    traffics: &[Vec<Message>],
    limit: u64,
) -> Result<Vec<Run>, Violation> {
    run_each_variant(machine, traffics, limit, Variant::Correct)
}

/// [`run_each`] with a mistake planted.
fn run_each_variant(
    machine: Machine,
    traffics: &[Vec<Message>],
    limit: u64,
    variant: Variant,
) -> Result<Vec<Run>, Violation> {
    let plan = network::Plan::of(machine, variant)?;
    (traffics.iter())
        .map(|messages| {
            let worms = worm::worms(&plan, messages, variant)?;
            model::Model::new(&plan, worms, variant).run(limit, messages.len())
        })
        .collect()
}

/// [`run`] with a mistake planted.
///
/// # Errors
/// As [`run`].
pub fn run_variant(
    machine: Machine,
    messages: &[Message],
    limit: u64,
    variant: Variant,
) -> Result<Run, Violation> {
    let plan = network::Plan::of(machine, variant)?;
    let worms = worm::worms(&plan, messages, variant)?;
    model::Model::new(&plan, worms, variant).run(limit, messages.len())
}
