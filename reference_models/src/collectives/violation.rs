//! What the model of collective communication objects to.

use super::{Message, Ports};

/// A collective operation that there is not, or a schedule that does not work.
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
    /// A root beyond the last node.
    #[error("the root is node {node}, and there are {nodes} nodes; choose a lower one")]
    NoSuchRoot {
        /// The root.
        node: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A number that is out of its range.
    #[error("{name} is {value}: choose {least} to {most}")]
    OutOfRange {
        /// What the number is.
        name: &'static str,
        /// The number.
        value: u64,
        /// The least there is.
        least: u64,
        /// The most there is.
        most: u64,
    },
    /// Bins that are not whole values.
    #[error("{bits} bits are no whole number of values of {value_bits} bits")]
    Values {
        /// The bits of all bins of a node.
        bits: u64,
        /// Those of a value.
        value_bits: u64,
    },
    /// Nodes and places of a permutation that do not match.
    #[error("the permutation does not name each of the {nodes} nodes once")]
    Permutation {
        /// How many nodes there are.
        nodes: usize,
    },
    /// A cube whose addresses do not fall into two halves.
    #[error(
        "a transpose of submatrices needs an even number of dimensions, and the cube has {dims}"
    )]
    OddDims {
        /// How many.
        dims: usize,
    },
    /// Sends of a transpose that do not divide among the logical links.
    #[error(
        "{sends} sends do not divide among {links} logical links with at least {least} packets each; choose a multiple of {multiple}"
    )]
    LogicalLinks {
        /// How many sends.
        sends: u64,
        /// How many logical links there are one after the other.
        links: u64,
        /// How few packets each may have.
        least: u64,
        /// What would do.
        multiple: u64,
    },
    /// A sender or receiver beyond the last node.
    #[error("bit time {begin}: node {node} is to send or receive, and there are {nodes} nodes")]
    NoSuchNode {
        /// When.
        begin: u64,
        /// The node.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// Nodes without a wire.
    #[error("bit time {begin}: node {from} is to send to node {to}, which is not its neighbour")]
    NotNeighbours {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
    },
    /// A start-up that is not that of the cube.
    #[error(
        "bit time {begin}: the packet from node {from} to node {to} has a start-up of {found} bit times, and wires need {needed}"
    )]
    StartUp {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// What it has.
        found: u64,
        /// What it needs.
        needed: u64,
    },
    /// A packet that is shorter than its contents.
    #[error(
        "bit time {begin}: the packet from node {from} to node {to} has {units} bits, and {needed} are in it"
    )]
    TooShort {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// How many bits it has.
        units: u64,
        /// How many it needs.
        needed: u64,
    },
    /// A packet on a wire that still carries another.
    #[error(
        "bit time {begin}: node {from} is to send to node {to} on a wire that is in use until bit time {until}"
    )]
    WireInUse {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// When the wire is free.
        until: u64,
    },
    /// More ports in use than the model allows.
    #[error(
        "bit time {begin}: the packet from node {from} to node {to} begins while another of node {node}'s ports is in use until bit time {until}, which the {ports} model does not allow"
    )]
    TooManyPorts {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// Whose ports they are.
        node: usize,
        /// When the other port is free.
        until: u64,
        /// The model.
        ports: Ports,
    },
    /// A bit that is no part of what is to be done.
    #[error(
        "bit time {begin}: node {from} is to send bit {bit} of {message} to node {to}, and there is no such bit"
    )]
    NoSuchBit {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The message.
        message: Message,
        /// The bit.
        bit: u64,
    },
    /// A bit sent by a node that has not received it wholly, or has sent it away.
    #[error(
        "bit time {begin}: node {from} is to send bit {bit} of {message} to node {to} and has not got it"
    )]
    NotHeld {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The message.
        message: Message,
        /// The bit.
        bit: u64,
    },
    /// A bit of a broadcast for a node that has it.
    #[error(
        "bit time {begin}: node {from} is to send bit {bit} of {message} to node {to}, which has it"
    )]
    Redundant {
        /// When.
        begin: u64,
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The message.
        message: Message,
        /// The bit.
        bit: u64,
    },
    /// A bit that did not reach a node.
    #[error("node {node} never receives bit {bit} of {message}")]
    Missing {
        /// The node.
        node: usize,
        /// The message.
        message: Message,
        /// The bit.
        bit: u64,
    },
    /// A value that is not in a sum.
    #[error("bit {bit} of the sums for node {owner} lacks the value of node {node}")]
    MissingValue {
        /// Whose sums they are.
        owner: usize,
        /// The bit.
        bit: u64,
        /// Whose value is not in it.
        node: usize,
    },
}
