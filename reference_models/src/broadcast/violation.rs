//! What the model of broadcasting objects to.

use super::Ports;

/// A broadcast that there is not, a schedule that does not work, or a tree that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Dimensions that the model does not do.
    #[error("{dims} dimensions: choose 1 to {most}")]
    Dims {
        /// How many.
        dims: usize,
        /// The most there are.
        most: usize,
    },
    /// A source beyond the last node.
    #[error("the source is node {node}, and there are {nodes} nodes; choose a lower one")]
    NoSuchSource {
        /// The source.
        node: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// Nothing to send, or more packets than the algorithm is for.
    #[error("{packets} packets: the algorithm is for 1 to {most}")]
    Packets {
        /// How many.
        packets: usize,
        /// The most.
        most: usize,
    },
    /// A sender or receiver beyond the last node.
    #[error("step {step}: node {node} is to send or receive, and there are {nodes} nodes")]
    NoSuchNode {
        /// When.
        step: usize,
        /// The node.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// Nodes without a link.
    #[error("step {step}: node {from} is to send to node {to}, which is not its neighbour")]
    NotNeighbours {
        /// When.
        step: usize,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
    },
    /// A packet beyond the last.
    #[error(
        "step {step}: node {node} is to send packet {packet} on port {port}, and there are {packets} packets"
    )]
    NoSuchPacket {
        /// When.
        step: usize,
        /// The sender.
        node: usize,
        /// Its port.
        port: usize,
        /// Which packet.
        packet: usize,
        /// How many there are.
        packets: usize,
    },
    /// Two packets on a link, in the same step and direction.
    #[error("step {step}: node {node} is to send twice on port {port}")]
    LinkTwice {
        /// When.
        step: usize,
        /// The sender.
        node: usize,
        /// Its port.
        port: usize,
    },
    /// More ports in use than the model allows.
    #[error(
        "step {step}: node {node} sends on ports {sends_on:?} and receives on ports {receives_on:?}, which the {ports} model does not allow"
    )]
    TooManyPorts {
        /// When.
        step: usize,
        /// The node.
        node: usize,
        /// The model.
        ports: Ports,
        /// The ports on which it sends.
        sends_on: Vec<usize>,
        /// The ports on which it receives.
        receives_on: Vec<usize>,
    },
    /// A packet sent by a node that has not received it before this step.
    #[error(
        "step {step}: node {node} is to send packet {packet} on port {port} and has not got it"
    )]
    NotHeld {
        /// When.
        step: usize,
        /// The sender.
        node: usize,
        /// Its port.
        port: usize,
        /// Which packet.
        packet: usize,
    },
    /// A packet for a node that has it, or receives it on another port in this step.
    #[error("step {step}: node {node} receives packet {packet} on port {port} again")]
    Redundant {
        /// When.
        step: usize,
        /// The receiver.
        node: usize,
        /// Its port.
        port: usize,
        /// Which packet.
        packet: usize,
    },
    /// A packet that did not reach a node.
    #[error("node {node} never receives packet {packet}")]
    Missing {
        /// The node.
        node: usize,
        /// Which packet.
        packet: usize,
    },
    /// A packet sent on as part of a wave that has not brought it.
    #[error(
        "step {step}: node {node} is to send packet {packet} in wave {wave}, which has not brought it"
    )]
    NotInWave {
        /// When.
        step: usize,
        /// The sender.
        node: usize,
        /// Which packet.
        packet: usize,
        /// Which wave.
        wave: usize,
    },
    /// A tree with an edge that is no link of the cube.
    #[error("the edge from node {parent} to node {child} of a tree is no link of the cube")]
    NoSuchEdge {
        /// Where the edge begins.
        parent: usize,
        /// Where it ends.
        child: usize,
    },
    /// A node with several parents, or none, or a root that has one.
    #[error("node {node} of a tree has {found} parents")]
    Parents {
        /// The node.
        node: usize,
        /// How many it has.
        found: usize,
    },
    /// A node of a tree that no path leads to.
    #[error("the root of a tree does not lead to node {node}")]
    NotReached {
        /// The node.
        node: usize,
    },
    /// An edge that two trees have.
    #[error("two trees have the edge from node {parent} to node {child}")]
    SharedEdge {
        /// Where the edge begins.
        parent: usize,
        /// Where it ends.
        child: usize,
    },
}
