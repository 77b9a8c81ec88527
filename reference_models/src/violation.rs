//! What the reference models object to.

/// An invariant that did not hold. Iterations and groups count from 0, packing stages from 1.
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
    /// Groups and an end of more dimensions than there are.
    #[error("{covered} dimensions are crossed, of {k}")]
    NotCovered {
        /// Dimensions of the groups and the end.
        covered: usize,
        /// Dimensions of the cube.
        k: usize,
    },
    /// More messages on a wire than it has lanes.
    #[error(
        "group {group}, dimension {dimension}: {messages} messages cross from node {node}, {most} at most can"
    )]
    TooManyCross {
        /// The group; the end is the last.
        group: usize,
        /// What they cross.
        dimension: usize,
        /// Who sends.
        node: usize,
        /// How many.
        messages: usize,
        /// How many can.
        most: usize,
    },
    /// More messages at a node than it has room for.
    #[error(
        "group {group}, dimension {dimension}: {messages} messages stored at node {node}, room for {most}"
    )]
    TooManyStored {
        /// The group; the end is the last.
        group: usize,
        /// What was crossed.
        dimension: usize,
        /// Where they are.
        node: usize,
        /// How many.
        messages: usize,
        /// How many can be.
        most: usize,
    },
    /// A count that is not the number of messages.
    #[error(
        "group {group}, after stage {stage}: node {node} counts {counted} messages and holds {messages}"
    )]
    Count {
        /// The group.
        group: usize,
        /// The stage.
        stage: usize,
        /// Who counts.
        node: usize,
        /// Its count.
        counted: isize,
        /// What it holds.
        messages: usize,
    },
    /// A list of which the low node's part is not as long as counted.
    #[error(
        "group {group}, stage {stage}: node {node} counts {counted} messages of the low node and has {messages}"
    )]
    LowPart {
        /// The group.
        group: usize,
        /// The stage.
        stage: usize,
        /// Who counts.
        node: usize,
        /// Its count.
        counted: isize,
        /// What there is.
        messages: usize,
    },
    /// An offset that is not the number of messages of the node's class before it.
    #[error(
        "group {group}, after stage {stage}: the offset of node {node} is {q}, with {before} messages of its class before it"
    )]
    Offset {
        /// The group.
        group: usize,
        /// The stage, 0 before the first.
        stage: usize,
        /// Whose offset.
        node: usize,
        /// The offset.
        q: isize,
        /// The messages.
        before: usize,
    },
    /// A message whose rank is not what its place in a list says.
    #[error(
        "group {group}, after stage {stage}: item {item} at node {node} has rank {rank}, not {expected}"
    )]
    ItemRank {
        /// The group.
        group: usize,
        /// The stage.
        stage: usize,
        /// Where it is.
        node: usize,
        /// Its place in the list, from 0.
        item: usize,
        /// Its rank.
        rank: usize,
        /// What the place says.
        expected: usize,
    },
    /// A packing after which a message is not at the node of its rank.
    #[error("group {group}: the message of rank {rank} ends at node {node}")]
    NotAtRank {
        /// The group.
        group: usize,
        /// Where it is.
        node: usize,
        /// Its rank.
        rank: usize,
    },
    /// A message that has crossed all dimensions and is not where it should be.
    #[error("the message for node {destination} ends at node {node}")]
    NotDelivered {
        /// Where it should be.
        destination: usize,
        /// Where it is.
        node: usize,
    },
    /// A frame that does not go into a machine word: a model of whole frames cannot have it.
    #[error(
        "a frame of {bits} bits, {most} at most go into a word: take fewer dimensions or payload bits"
    )]
    FrameTooLong {
        /// Its bits, the longest header included.
        bits: usize,
        /// Bits that there is room for.
        most: usize,
    },
    /// A frame that is not as long as what is left of the others.
    #[error(
        "iteration {iteration}, {step}: the frame at node {node} has {bits} bits left, not {expected}"
    )]
    FrameLength {
        /// `i`.
        iteration: usize,
        /// The step.
        step: &'static str,
        /// Where it is.
        node: usize,
        /// Its bits.
        bits: usize,
        /// Those of the others.
        expected: usize,
    },
}
