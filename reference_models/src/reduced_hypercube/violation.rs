//! What the models of the reduced hypercube object to.

use super::network::MOST_BITS;

/// A network that there is not, a step that the wires do not allow, or a program that does not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Parameters of no reduced hypercube, or of one that is too large.
    #[error("RH({k}, {n}): n is at least 1, k at least n, and k + 2^n at most {MOST_BITS}")]
    NoSuchShape {
        /// The dimensions of a building block.
        k: usize,
        /// The bits of a subblock's number.
        n: usize,
    },
    /// Dimensions that the model does not do.
    #[error("{dims} dimensions: choose 1 to {MOST_BITS}")]
    Dims {
        /// How many.
        dims: usize,
    },
    /// A node beyond the last.
    #[error("node {node}: there are {nodes} nodes")]
    NoSuchNode {
        /// The node.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// A list that has not the same number of entries for each node.
    #[error("{entries} words or keys are no whole number for each of {nodes} nodes")]
    Entries {
        /// How many there are.
        entries: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Nodes without a link.
    #[error("step {step}: node {from} is to send to node {to}, which is not its neighbour")]
    NotNeighbours {
        /// When.
        step: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
    },
    /// Two loads on a wire, in the same step and direction.
    #[error("step {step}: node {from} is to send twice to node {to}")]
    WireTwice {
        /// When.
        step: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
    },
    /// A block of keys sent by a node that has not got it.
    #[error("step {step}: node {node} is to send block {block} and has not got it")]
    NotHeld {
        /// When.
        step: u64,
        /// The sender.
        node: usize,
        /// The subblock that the block of keys comes from.
        block: usize,
    },
    /// A broadcast that comes to a node again.
    #[error("step {step}: node {node} receives the broadcast again, from node {from}")]
    Again {
        /// When.
        step: u64,
        /// The receiver.
        node: usize,
        /// The sender.
        from: usize,
    },
    /// A broadcast that does not come to a node.
    #[error("the broadcast never comes to node {node}")]
    Missing {
        /// The node.
        node: usize,
    },
    /// A link that only one end takes for an edge of the tree, or both ends for the same direction.
    #[error(
        "node {node} and its neighbour on port {port} disagree on whether they are parent and child"
    )]
    Disagree {
        /// The node.
        node: usize,
        /// Its port.
        port: usize,
    },
    /// A node of a tree with several parents, or a root that has one, or another node without.
    #[error("node {node} of the tree has {parents} parents")]
    Parents {
        /// The node.
        node: usize,
        /// How many it has.
        parents: usize,
    },
    /// A node of a tree with more or fewer children than its place in the tree demands.
    #[error("node {node} of the tree, at depth {depth}, has {children} children")]
    Children {
        /// The node.
        node: usize,
        /// How far it is from the root.
        depth: usize,
        /// How many children it has.
        children: usize,
    },
    /// A second root in another place.
    #[error("node {node} is the second root, and it is to be node {expected}")]
    SecondRoot {
        /// Which it is.
        node: usize,
        /// Which it is to be.
        expected: usize,
    },
    /// A virtual address at the end of the tree program that is not the physical one.
    #[error("node {node} ends with the virtual address {current}")]
    VirtualAddress {
        /// The node.
        node: usize,
        /// Its virtual address.
        current: usize,
    },
    /// A word size that the operator does not do.
    #[error("words of {bits} bits: choose 1 to 64, and an even number for carries")]
    WordBits {
        /// The size.
        bits: usize,
    },
}
