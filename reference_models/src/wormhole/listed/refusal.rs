//! Why a list is refused.

/// What a list has that no network has, or has not and must.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Too few nodes or too many.
    #[error("{nodes} nodes: a network that is listed has 2 to 1024; choose one of these")]
    Nodes {
        /// How many.
        nodes: usize,
    },
    /// Classes without channels.
    #[error(
        "{classes} classes of {virtual_channels} virtual channels: choose 1 to {virtual_channels}"
    )]
    Classes {
        /// How many.
        classes: usize,
        /// Of how many channels.
        virtual_channels: usize,
    },
    /// A link from or to a node beyond the last.
    #[error("the link from node {from} to node {to}: there are {nodes} nodes; choose lower ones")]
    NoSuchEnd {
        /// Where it starts.
        from: usize,
        /// Where it ends.
        to: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A link in a slot beyond the last.
    #[error(
        "the link from node {from} to node {to} is in slot {slot}, and there are {slots}; choose a lower one"
    )]
    NoSuchSlot {
        /// Where it starts.
        from: usize,
        /// Where it ends.
        to: usize,
        /// Its slot.
        slot: usize,
        /// How many slots there are.
        slots: usize,
    },
    /// A link that leads back to its node.
    #[error("a link leads from node {node} to itself: leave it out")]
    Loop {
        /// The node.
        node: usize,
    },
    /// Two links from a node to another.
    #[error("two links lead from node {from} to node {to}: leave one out")]
    TwoLinks {
        /// Where they start.
        from: usize,
        /// Where they end.
        to: usize,
    },
    /// Two links that leave a node in the same slot.
    #[error("two links leave node {node} in slot {slot}: give one of them another")]
    TwoLeave {
        /// The node.
        node: usize,
        /// The slot.
        slot: usize,
    },
    /// Two links that come to a node in the same slot.
    #[error("two links come to node {node} in slot {slot}: give one of them another")]
    TwoCome {
        /// The node.
        node: usize,
        /// The slot.
        slot: usize,
    },
    /// Not one table a node, or not one entry a destination.
    #[error("the tables are not of {nodes} nodes with an entry for each of {nodes} destinations")]
    Tables {
        /// How many there are to be.
        nodes: usize,
    },
    /// An entry that leads a worm on from its destination.
    #[error("node {node} has a route to itself: leave it out")]
    LeadsOn {
        /// The node.
        node: usize,
    },
    /// No entry for a destination.
    #[error("node {node} has no route to node {destination}: give it one")]
    NoRoute {
        /// Whose table.
        node: usize,
        /// Which entry.
        destination: usize,
    },
    /// An entry with a slot in which no link leaves the node.
    #[error(
        "the route from node {node} to node {destination} is by slot {slot}, in which no link leaves"
    )]
    NoLink {
        /// Whose table.
        node: usize,
        /// Which entry.
        destination: usize,
        /// Its slot.
        slot: usize,
    },
    /// An entry with a class beyond the last.
    #[error(
        "the route from node {node} to node {destination} is in class {class}, and there are {classes}"
    )]
    NoClass {
        /// Whose table.
        node: usize,
        /// Which entry.
        destination: usize,
        /// Its class.
        class: usize,
        /// How many classes there are.
        classes: usize,
    },
    /// Routes that lead around and around.
    #[error("the routes from node {node} to node {destination} never come there")]
    NeverArrives {
        /// Where they start.
        node: usize,
        /// Where they lead.
        destination: usize,
    },
}
