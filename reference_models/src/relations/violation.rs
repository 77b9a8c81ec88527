//! What the model of relations objects to.

/// Messages that are none of a relation, or an invariant that did not hold. Iterations and passes count from
/// 0, stages from 1: stage 0 is step 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// A source or destination beyond the last node.
    #[error("a message names node {node}, and there are {nodes}; choose a lower one")]
    NoSuchNode {
        /// The node.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// A slot beyond the last.
    #[error("node {node} has a message in slot {slot}, and slots 0 to {h}-1; give it a lower slot")]
    NoSuchSlot {
        /// The source.
        node: usize,
        /// The slot.
        slot: usize,
        /// How many there are.
        h: usize,
    },
    /// Two messages in one slot.
    #[error("node {node} has two messages in slot {slot}; give each a slot of its own")]
    SlotTaken {
        /// The source.
        node: usize,
        /// The slot.
        slot: usize,
    },
    /// More messages for a node than it has slots.
    #[error("{count} messages are for node {node}, and it receives {h} at most; choose a larger H")]
    TooManyFor {
        /// The destination.
        node: usize,
        /// How many.
        count: usize,
        /// How many there may be.
        h: usize,
    },
    /// A target that the cube does not have.
    #[error("iteration {iteration}, pass {pass}: node {node} is to send to node {target}")]
    NoSuchTarget {
        /// `i`.
        iteration: usize,
        /// The pass.
        pass: usize,
        /// The sender.
        node: usize,
        /// Where to.
        target: usize,
    },
    /// Two messages for one wire.
    #[error(
        "iteration {iteration}, pass {pass}, stage {stage}: two messages are to cross from node {node}"
    )]
    TwoCross {
        /// `i`.
        iteration: usize,
        /// The pass.
        pass: usize,
        /// The stage.
        stage: usize,
        /// Where they are.
        node: usize,
    },
    /// More messages at a node than it has tracks.
    #[error(
        "iteration {iteration}, pass {pass}, after stage {stage}: {messages} messages at node {node}"
    )]
    TooManyStored {
        /// `i`.
        iteration: usize,
        /// The pass.
        pass: usize,
        /// The stage.
        stage: usize,
        /// Where they are.
        node: usize,
        /// How many.
        messages: usize,
    },
    /// Two messages at one node whose numbers do not differ by what the stage leaves.
    #[error(
        "iteration {iteration}, pass {pass}, after stage {stage}: numbers {numbers:?} at node {node} \
         are not 2^{stage} apart"
    )]
    NumbersApart {
        /// `i`.
        iteration: usize,
        /// The pass.
        pass: usize,
        /// The stage.
        stage: usize,
        /// Where they are.
        node: usize,
        /// Their numbers.
        numbers: [usize; 2],
    },
    /// A packing after which a message is not where it should be.
    #[error("iteration {iteration}, pass {pass}: a message for node {target} ends at node {node}")]
    NotAtTarget {
        /// `i`.
        iteration: usize,
        /// The pass.
        pass: usize,
        /// Where it should be.
        target: usize,
        /// Where it is.
        node: usize,
    },
    /// A message more than a list has slots.
    #[error("iteration {iteration}, pass {pass}: more than {h} messages come to node {node}")]
    ListFull {
        /// `i`.
        iteration: usize,
        /// The pass.
        pass: usize,
        /// Where to.
        node: usize,
        /// `H`.
        h: usize,
    },
    /// A message that has left its destination's subcube.
    #[error("iteration {iteration}: a message for node {destination} is at node {node}")]
    WrongSubcube {
        /// `i`.
        iteration: usize,
        /// Where it should go.
        destination: usize,
        /// Where it is.
        node: usize,
    },
    /// A message that is lost or doubled.
    #[error("iteration {iteration}: message {message} is held {times} times")]
    Held {
        /// `i`.
        iteration: usize,
        /// Its index.
        message: usize,
        /// How often it is held.
        times: usize,
    },
}
