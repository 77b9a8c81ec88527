//! What the model of a phase objects to.

/// A guest that is laid wrongly, or a schedule that the wires do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A node or a dimension that the hypercube has not.
    #[error("there is no wire from node {node} across dimension {dimension}")]
    NoSuchWire {
        /// The node.
        node: usize,
        /// The dimension.
        dimension: usize,
    },
    /// A path that ends where its edge does not.
    #[error("path {path} of edge {edge} ends at node {ends} in place of node {expected}")]
    PathEnds {
        /// The guest edge.
        edge: usize,
        /// Its path.
        path: usize,
        /// Where it ends.
        ends: usize,
        /// Where it should.
        expected: usize,
    },
    /// An edge that has not as many paths as the others.
    #[error("edge {edge} has {paths} paths, and the others have {width}")]
    Paths {
        /// The guest edge.
        edge: usize,
        /// How many it has.
        paths: usize,
        /// How many the others have.
        width: usize,
    },
    /// A hop of a packet that there is not.
    #[error("step {step}: there is no packet {packet}")]
    NoSuchPacket {
        /// When.
        step: usize,
        /// The packet.
        packet: usize,
    },
    /// Two packets on a wire in one step.
    #[error("step {step}: packets {packets:?} both leave node {from} across dimension {dimension}")]
    WireTwice {
        /// When.
        step: usize,
        /// The node that sends.
        from: usize,
        /// The dimension.
        dimension: usize,
        /// The two.
        packets: [usize; 2],
    },
    /// A packet that is sent by a node at which it is not.
    #[error("step {step}: node {from} sends packet {packet}, which is at node {at}")]
    NotHere {
        /// When.
        step: usize,
        /// The node that sends.
        from: usize,
        /// The packet.
        packet: usize,
        /// Where it is.
        at: usize,
    },
    /// A packet that is sent on in the step in which it comes.
    #[error("step {step}: node {from} sends packet {packet} before all of it has come")]
    TooEarly {
        /// When.
        step: usize,
        /// The node that sends.
        from: usize,
        /// The packet.
        packet: usize,
    },
    /// A packet that leaves its path.
    #[error(
        "step {step}: packet {packet} crosses dimension {dimension}, which is not next on its path"
    )]
    Strays {
        /// When.
        step: usize,
        /// The packet.
        packet: usize,
        /// What it crosses.
        dimension: usize,
    },
    /// A packet that is not where its edge ends when all is over.
    #[error("packet {packet} is left at node {at}, and it is for node {expected}")]
    Lost {
        /// The packet.
        packet: usize,
        /// Where it is.
        at: usize,
        /// Where it should be.
        expected: usize,
    },
}
