//! What the wormhole model objects to.

use super::listed::Refusal;
use super::network::{Channel, Wire};

/// A machine or a message that there is not, or an invariant that did not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// Levels that the network cannot have.
    #[error(
        "{levels} levels: the CCC has 2 to 16, a hypercube of its copies 2, 4, 8 or 16, butterflies 2 or 4; choose one of these"
    )]
    Levels {
        /// How many.
        levels: usize,
    },
    /// Copies that there are not.
    #[error("{copies} copies of a CCC of {levels} levels: there are 1 to {levels}; choose fewer")]
    Copies {
        /// How many.
        copies: usize,
        /// The most there are.
        levels: usize,
    },
    /// Dimensions that a hypercube cannot have.
    #[error("{dimensions} dimensions: a hypercube has 1 to 16; choose one of these")]
    Dimensions {
        /// How many.
        dimensions: usize,
    },
    /// A grid that there is not.
    #[error(
        "{dimensions} dimensions of {radix} nodes: a row of a grid has 3 to 16, and the grid at most 2^20; choose fewer"
    )]
    Grid {
        /// Nodes of a row.
        radix: usize,
        /// How many dimensions.
        dimensions: usize,
    },
    /// Virtual channels that the links of a hypercube, a grid or a network that is listed do not have.
    #[error(
        "{virtual_channels} virtual channels of each of {links} links: choose 1 to 8, and at most 64 for all links"
    )]
    LinkChannels {
        /// How many.
        virtual_channels: usize,
        /// Links of a node.
        links: usize,
    },
    /// A network that is listed and cannot be.
    #[error(transparent)]
    Listed(#[from] Refusal),
    /// Virtual channels that the switches do not have.
    #[error("{virtual_channels} virtual channels: choose 1, 2 or 3")]
    VirtualChannels {
        /// How many.
        virtual_channels: usize,
    },
    /// Buffers without room.
    #[error("buffers of 0 places hold nothing: choose 1 or more")]
    NoBuffer,
    /// Wires that links do not have.
    #[error("flits of {wire_bits} bits: choose 1 to 64")]
    WireBits {
        /// How many.
        wire_bits: usize,
    },
    /// A source or destination beyond the last node.
    #[error("message {message} names node {node}, and there are {nodes}; choose a lower one")]
    NoSuchNode {
        /// Which message.
        message: usize,
        /// The node.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// A message without bits.
    #[error("message {message} has no bits: give it one")]
    NoBits {
        /// Which message.
        message: usize,
    },
    /// A header that leads to a channel that the switch does not have.
    #[error("bit time {bit_time}: the worm in {channel} asks for a channel that there is not")]
    NoSuchChannel {
        /// Where the worm is.
        channel: Channel,
        /// When.
        bit_time: u64,
    },
    /// A flit for a full buffer.
    #[error("bit time {bit_time}: a flit is sent to {channel}, whose buffer is full")]
    Overflow {
        /// Whose buffer.
        channel: Channel,
        /// When.
        bit_time: u64,
    },
    /// A flit of one worm in a channel that another has not left.
    #[error(
        "bit time {bit_time}: a flit of worm {second} is sent to {channel}, which is worm {first}'s"
    )]
    TwoWorms {
        /// Where they meet.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// The worm that is there.
        first: usize,
        /// The worm that comes.
        second: usize,
    },
    /// A flit that is not the next of its worm.
    #[error(
        "bit time {bit_time}: flit {found} of a worm is sent to {channel}, where flit {expected} is next"
    )]
    OutOfOrder {
        /// Where it arrives.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// The next one's place in the worm.
        expected: usize,
        /// What came.
        found: usize,
    },
    /// A worm on a virtual channel that is not the number of datelines it has crossed.
    #[error(
        "bit time {bit_time}: a worm that has crossed {datelines} datelines comes to {channel}"
    )]
    VirtualChannel {
        /// Where it comes.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// How many it has crossed.
        datelines: usize,
    },
    /// A worm on a channel of another class than that of its phase and of the datelines crossed in its dimension, or than that
    /// of its route.
    #[error("bit time {bit_time}: a worm for class {class} comes to {channel}")]
    WrongClass {
        /// Where it comes.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// Its class.
        class: usize,
    },
    /// A worm that is not on the way that it was to go.
    #[error("bit time {bit_time}: message {message} comes to {channel}, which is not on its way")]
    OffItsWay {
        /// Where it comes.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// Which message.
        message: usize,
    },
    /// A hop of a worm by address that does not lead nearer to its destination.
    #[error("bit time {bit_time}: message {message} comes to {channel}, and is no nearer")]
    NotNearer {
        /// Where it comes.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// Which message.
        message: usize,
    },
    /// An escape channel that order of dimensions would not have taken, or the one for the other side of the wrap.
    #[error("bit time {bit_time}: message {message} comes to {channel}, which is not its escape")]
    WrongEscape {
        /// Where it comes.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// Which message.
        message: usize,
    },
    /// An address that was changed on the way.
    #[error("bit time {bit_time}: {channel} reads another address than message {message} has")]
    WrongAddress {
        /// Who reads it.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// Which message.
        message: usize,
    },
    /// A channel given to a worm that may not take it, or that may take a free one before it.
    #[error(
        "bit time {bit_time}: the worm in {channel} is given another than the first free channel"
    )]
    NotFirstFree {
        /// Where the worm is.
        channel: Channel,
        /// When.
        bit_time: u64,
    },
    /// A header flit with a 1 where nothing is asked.
    #[error("bit time {bit_time}: {channel} reads a 1 of message {message} behind its answers")]
    NotPadded {
        /// Who reads it.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// Which message.
        message: usize,
    },
    /// A body flit read as a header flit.
    #[error(
        "bit time {bit_time}: {channel} reads flit {place} of a worm as its header, and it is body"
    )]
    BodyConsumed {
        /// Who reads it.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// The flit's place in the worm.
        place: usize,
    },
    /// Credits and stored flits that do not add up to the buffer.
    #[error(
        "after bit time {bit_time}: {channel} holds {bits} flits and {credits} credits are held for it"
    )]
    Credits {
        /// Whose buffer.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// What it holds.
        bits: usize,
        /// Credits of whoever feeds it.
        credits: i64,
    },
    /// More than one flit on a wire.
    #[error("bit time {bit_time}: two flits on {wire}")]
    TwoBits {
        /// The wire.
        wire: Wire,
        /// When.
        bit_time: u64,
    },
    /// A flit for another node's host, or another copy's.
    #[error("bit time {bit_time}: {channel} delivers message {message}, which is not for it")]
    WrongNode {
        /// The eject channel.
        channel: Channel,
        /// When.
        bit_time: u64,
        /// Which message.
        message: usize,
    },
    /// A message that arrived changed.
    #[error("message {message}, piece {piece}: what arrived is not what was sent")]
    Changed {
        /// Which message.
        message: usize,
        /// Which piece of it.
        piece: usize,
    },
    /// Nothing moves although no channels wait for each other.
    #[error("bit time {bit_time}: nothing moves, and no channels wait for each other in a cycle")]
    Standstill {
        /// When.
        bit_time: u64,
    },
}
