//! Runs of which no picture is drawn, and why.

use super::{MOST_NODES, MOST_PAGE_BYTES, MOST_SVG_BYTES};

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// More nodes than are drawn.
    #[error(
        "cannot draw a run of {nodes} nodes: a picture has at most {MOST_NODES}, and shares rows among them; draw a smaller \
         machine"
    )]
    TooManyNodes {
        /// How many there are.
        nodes: usize,
    },

    /// A machine without nodes.
    #[error(
        "cannot draw a run without nodes: each row of the picture is a node; name at least one"
    )]
    NoNodes,

    /// A run that has not begun.
    #[error(
        "cannot draw a run of no bit times: each column of the picture is a bit time; let it run for at least one"
    )]
    NoBitTimes,

    /// Dimensions that are not those of a hypercube with so many nodes.
    #[error(
        "cannot draw a hypercube of {dimensions} dimensions with {nodes} nodes: name 2 to the power of {dimensions} nodes, or \
         give no dimensions"
    )]
    Dimensions {
        /// As given.
        dimensions: u32,
        /// How many there are.
        nodes: usize,
    },

    /// Occupancy of more or fewer nodes than there are.
    #[error(
        "the run has {nodes} nodes and occupancy of {given}: give that of every node, or of none where it is not known"
    )]
    Occupancy {
        /// How many there are.
        nodes: usize,
        /// Of how many it is given.
        given: usize,
    },

    /// What goes back in time.
    #[error(
        "{what} is said of bit time {later} before it is said of bit time {earlier}: give it in the order of bit times, each \
         once"
    )]
    Order {
        /// Of what it is said: a node, a link, steps.
        what: String,
        /// What came first.
        later: u32,
        /// What came then.
        earlier: u32,
    },

    /// A message at a node that there is not.
    #[error("{what} is at node number {node}, and the run has {nodes} nodes, numbered from 0")]
    NoSuchNode {
        /// The message, or the deadlock.
        what: String,
        /// As given.
        node: u32,
        /// How many there are.
        nodes: usize,
    },

    /// A value of a number that there is not.
    #[error("{what} is value number {value}, and there are {known}, numbered from 0")]
    NoSuchValue {
        /// The number, and the node.
        what: String,
        /// As given.
        value: u32,
        /// How many there are.
        known: usize,
    },

    /// A chosen message that there is not.
    #[error(
        "message number {shown} is to be shown, and the run has the routes of {messages} messages, numbered from 0"
    )]
    NoSuchMessage {
        /// As given.
        shown: usize,
        /// How many there are.
        messages: usize,
    },

    /// Too much even with the fewest columns and routes.
    #[error(
        "the page would have {bytes} bytes, and {MOST_PAGE_BYTES} are the most, even with the fewest columns and routes: give \
         shorter names, or draw a smaller machine"
    )]
    PageTooLarge {
        /// What is left when nothing more can be left out.
        bytes: usize,
    },

    /// Too much even with the fewest columns.
    #[error(
        "the SVG would have {bytes} bytes, and {MOST_SVG_BYTES} are the most, even with the fewest columns: give shorter \
         names, or draw a smaller machine"
    )]
    SvgTooLarge {
        /// What is left when nothing more can be left out.
        bytes: usize,
    },

    /// What cannot be written as JSON.
    #[error("cannot write the data of the page: {reason}")]
    Data {
        /// What the writer says.
        reason: String,
    },
}
