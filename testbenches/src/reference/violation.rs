//! What the reference models object to.

/// An invariant that did not hold. Iterations count from 0, packing stages from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A target that the cube does not have.
    #[error("iteration {iteration}, {packing}: node {node} is to send to node {target}")]
    NoSuchTarget {
        /// `i`.
        iteration: usize,
        /// Which packing.
        packing: &'static str,
        /// The sender.
        node: usize,
        /// Where to.
        target: usize,
    },
    /// An enumeration that adds up the total of a node that the cube does not have.
    #[error("rank {rank}: node {node} is to add up its total with that of node {partner}")]
    NoSuchPartner {
        /// `j`.
        rank: usize,
        /// Who adds.
        node: usize,
        /// Whose total.
        partner: usize,
    },
    /// Two messages stored at one node after a stage of a packing.
    #[error("iteration {iteration}, {packing}, stage {stage}: two messages stored at node {node}")]
    TwoStored {
        /// `i`.
        iteration: usize,
        /// Which packing.
        packing: &'static str,
        /// The stage.
        stage: usize,
        /// Where they meet.
        node: usize,
    },
    /// A packing that has used all its dimensions and is not where it should be.
    #[error("iteration {iteration}, {packing}: a message for node {target} ends at node {node}")]
    NotAtTarget {
        /// `i`.
        iteration: usize,
        /// Which packing.
        packing: &'static str,
        /// Where it should be.
        target: usize,
        /// Where it is.
        node: usize,
    },
    /// More nodes with two messages than empty ones.
    #[error("iteration {iteration}: {twos} nodes with two messages and {empties} empty ones")]
    MoreTwosThanEmpties {
        /// `i`.
        iteration: usize,
        /// Nodes with two messages in a subcube.
        twos: usize,
        /// Empty nodes in it.
        empties: usize,
    },
    /// No address was received to send a message to.
    #[error("iteration {iteration}: node {node} holds a message and no address to send it to")]
    NoRendezvous {
        /// `i`.
        iteration: usize,
        /// The node.
        node: usize,
    },
    /// A node with more than one message at the end of an iteration, or more than two within one.
    #[error("iteration {iteration}: node {node} holds {messages} messages")]
    TooMany {
        /// `i`.
        iteration: usize,
        /// The node.
        node: usize,
        /// How many.
        messages: usize,
    },
    /// A message that has left its destination's subcube.
    #[error("iteration {iteration}: the message for node {destination} is at node {node}")]
    WrongSubcube {
        /// `i`.
        iteration: usize,
        /// Where it should go.
        destination: usize,
        /// Where it is.
        node: usize,
    },
    /// Two messages of one node that a stage sends the same way.
    #[error("iteration {iteration}, stage {stage}: two messages at node {node} are to {way}")]
    SameWay {
        /// `i`.
        iteration: usize,
        /// The stage.
        stage: usize,
        /// Where they are.
        node: usize,
        /// What both are to do.
        way: &'static str,
    },
    /// Two neighbours of a sorted block that are not in its order.
    #[error("phase {phase}: what nodes {node} and {} hold is not in order", node + 1)]
    NotInOrder {
        /// `p`, from 1.
        phase: usize,
        /// The lower of the two.
        node: usize,
    },
    /// A message that a radix sort leaves behind one for a higher node.
    #[error("pass {pass}: the message at node {node} is behind one for a higher node")]
    OutOfOrder {
        /// The last, from 0.
        pass: usize,
        /// Where it is.
        node: usize,
    },
    /// Two messages stored at one node whose ranks do not differ by what the stage leaves.
    #[error(
        "iteration {iteration}, after stage {stage}: ranks {ranks:?} at node {node} are not 2^{stage} apart"
    )]
    RanksApart {
        /// `i`.
        iteration: usize,
        /// The stage, 0 before the first.
        stage: usize,
        /// Where they are.
        node: usize,
        /// Their ranks, in the order in which the node holds them.
        ranks: [usize; 2],
    },
}
