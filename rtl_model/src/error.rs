//! What can go wrong, named, with the reason and the way out.

pub mod reduced_hypercube;
pub mod sends_file;
pub mod traffic_file;

use traffic_file::Problem;

use crate::machine::topology::hypercube::MAX_DIMENSIONS;

/// The way out for who has several messages a node.
const SEVERAL_A_NODE: &str = "several messages a node need `--h H` (testbench kuszmaul)";

/// Errors of the model and of the traffic that it is given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A cube of no, or of too many dimensions.
    #[error("a hypercube of {dimensions} dimensions is out of range: choose 1 to {MAX_DIMENSIONS}")]
    Dimensions {
        /// As asked for.
        dimensions: usize,
    },

    /// A reduced hypercube of a size that there is not.
    #[error(
        "the reduced hypercube RH({block_dimensions},{subblock_bits}) is out of range: {problem}"
    )]
    ReducedHypercube {
        /// `k`, as asked for.
        block_dimensions: usize,
        /// `n`, as asked for.
        subblock_bits: usize,
        /// Why.
        problem: reduced_hypercube::Problem,
    },

    /// Words of no bits, or of too many.
    #[error("{what} of {word_bits} bits are out of range: choose 1 to {most}")]
    WordBits {
        /// Words or messages.
        what: &'static str,
        /// As asked for.
        word_bits: usize,
        /// The most.
        most: usize,
    },

    /// Words of a width that the operator does not take.
    #[error(
        "the operator `{operator}` does not take words of {word_bits} bits: its words are pairs of bits, of which the \
         higher one is propagate and the lower one generate; choose an even width"
    )]
    OperatorWidth {
        /// What it is called.
        operator: &'static str,
        /// As asked for.
        word_bits: usize,
    },

    /// More keys than a node may hold.
    #[error(
        "{keys} keys a node are out of range: choose 1 to {most} (a node has 64 slots, and needs {blocks} for each of its keys)"
    )]
    Keys {
        /// As asked for.
        keys: usize,
        /// The most.
        most: usize,
        /// Slots for each.
        blocks: usize,
    },

    /// Messages a node of which there are none, or too many.
    #[error(
        "{messages} messages a node are out of range: choose 1 to {most} (a node has as many slots in each of its two lists)"
    )]
    MessagesPerNode {
        /// `H`, as asked for.
        messages: usize,
        /// The most.
        most: usize,
    },

    /// Cube-connected cycles of too few, or of too many levels.
    #[error("cube-connected cycles of {levels} levels are out of range: choose 2 to 16")]
    Levels {
        /// As asked for.
        levels: usize,
    },

    /// Cube-connected cycles of as many nodes as no hypercube has.
    #[error(
        "no hypercube has as many nodes as cube-connected cycles of {levels} levels: \
         the levels must be a power of two, 2 to 16; choose {}", nearest_powers_of_two(*levels)
    )]
    CopiesOfLevels {
        /// As asked for.
        levels: usize,
    },

    /// A cross product of butterflies that is not made.
    #[error(
        "there is no machine of butterflies of {levels} levels: butterflies of m levels, m = 2 or 4, are laid into \
         rows and columns of m + log m dimensions each, 64 or 4096 nodes in all; no other m up to 7 is a power of two, \
         as the copies need, and 8 levels would take 4,194,304 nodes"
    )]
    ButterflyLevels {
        /// As asked for.
        levels: usize,
    },

    /// A guest that is not laid into a hypercube of that size.
    #[error("the guest {guest} is not embedded {asked}: {why}; {instead}")]
    NoEmbedding {
        /// The guest's name.
        guest: &'static str,
        /// What was asked for.
        asked: String,
        /// Why it is not.
        why: String,
        /// The nearest that is, or what to do.
        instead: String,
    },

    /// A hypercube whose edges are not divided into Hamiltonian cycles.
    #[error(
        "the edges of the hypercube of {dimensions} dimensions are not divided into Hamiltonian cycles: {problem}"
    )]
    NoDecomposition {
        /// As asked for.
        dimensions: usize,
        /// Why, or what to do.
        problem: &'static str,
    },

    /// Too few or too many virtual channels.
    #[error(
        "{virtual_channels} virtual channels are out of range: choose 1 to 3 (a worm crosses the dateline of \
         cube-connected cycles twice at the most)"
    )]
    VirtualChannels {
        /// As asked for.
        virtual_channels: usize,
    },

    /// Buffers that are too small or too large.
    #[error("a buffer of {bits} bits a channel is out of range: choose 1 to {limit}")]
    BufferBits {
        /// As asked for.
        bits: usize,
        /// The largest that is accepted.
        limit: usize,
    },

    /// A machine of no, or of too many nodes.
    #[error("a machine of {nodes} nodes is out of range: choose 1 to {limit}")]
    Nodes {
        /// As asked for.
        nodes: usize,
        /// The largest that is accepted.
        limit: usize,
    },

    /// Traffic that a list has no room for.
    #[error(
        "a list of the traffic of {nodes} nodes is too long, it has room for {limit}: take fewer dimensions, or a pattern that \
         is computed node by node where the testbench has such (all but `packed` and `uniform`), without a traffic file, \
         deliveries, a waveform or a picture"
    )]
    TooManyToList {
        /// As asked for.
        nodes: usize,
        /// The most.
        limit: usize,
    },

    /// A payload that is too short or too long.
    #[error("a payload of {bits} bits is out of range: choose 1 to {limit}{}", if *bits == 0 { " (a message without payload could not be told from another, so no delivery could be checked)" } else { "" })]
    PayloadBits {
        /// As asked for.
        bits: usize,
        /// The largest that is accepted.
        limit: usize,
    },

    /// No batch, or more than are kept count of.
    #[error("{batches} batches are out of range: choose 1 to {limit}")]
    Batches {
        /// As asked for.
        batches: usize,
        /// The most that are accepted.
        limit: usize,
    },

    /// Batches that begin too close to one another, or farther apart than is kept count of.
    #[error("an interval of {interval} bit times is out of range: choose 1 to {limit}")]
    Interval {
        /// As asked for.
        interval: usize,
        /// The longest that is accepted.
        limit: usize,
    },

    /// A machine larger than the memory there is.
    #[error(
        "{what} needs {needed} of memory{each} and this machine has {available}: use fewer \
         dimensions, or fewer bits of payload, message or words"
    )]
    DoesNotFit {
        /// What was asked for.
        what: String,
        /// With its unit.
        needed: String,
        /// What that is for each node, in parentheses; nothing where there are no nodes.
        each: String,
        /// With its unit, and that it is available; and what sets a limit to it, where it is not the memory that there is.
        available: String,
    },

    /// Ranks that a machine cannot be halved for.
    #[error("{ranks} ranks cannot share a machine: take {below} or {above}, a power of two")]
    Ranks {
        /// As started.
        ranks: usize,
        /// The power of two before it.
        below: usize,
        /// The power of two after it.
        above: usize,
    },

    /// More ranks than shares.
    #[error(
        "{ranks} ranks are too many for {nodes} nodes, for each takes 64 at the least: take {most} or fewer, or a larger machine"
    )]
    MoreRanksThanShares {
        /// As started.
        ranks: usize,
        /// Of the machine.
        nodes: usize,
        /// Ranks at the most.
        most: usize,
    },

    /// A network that ranks cannot share.
    #[error(
        "a {network} cannot be shared among ranks: that takes links that join all nodes of a half to the other half; run \
         it on one rank"
    )]
    NoShares {
        /// What kind it is.
        network: &'static str,
    },

    /// Another rank came upon two drivers.
    #[error("bit time {bit_time}: on another rank one wire is given to two units at once")]
    ConflictElsewhere {
        /// Bit times since the start.
        bit_time: u64,
    },

    /// Two units drove one wire in one bit time.
    #[error(
        "bit time {bit_time}: the wire from node {node} {wire} is driven by \
         {first} and by {second}: one wire is given to two units at once"
    )]
    WireConflict {
        /// The node that drives the wire.
        node: usize,
        /// Where it leads.
        wire: String,
        /// Bit times since the start.
        bit_time: u64,
        /// The unit that drove it first.
        first: &'static str,
        /// The unit that drove it as well.
        second: &'static str,
    },

    /// A broadcast on ports that it is not defined for.
    #[error(
        "{algorithm} is not defined for {ports} ports, only for {}; on {ports} ports there are: {}",
        models.join(", "),
        others.join(", ")
    )]
    PortModel {
        /// The broadcast.
        algorithm: &'static str,
        /// The port model.
        ports: &'static str,
        /// The port models that it is defined for.
        models: Vec<&'static str>,
        /// The broadcasts that are defined for it.
        others: Vec<&'static str>,
    },

    /// What an algorithm of prearranged communication does not take.
    #[error("{algorithm}: {why}")]
    Collective {
        /// What the algorithm is called.
        algorithm: &'static str,
        /// What is wrong, and what it takes.
        why: String,
    },

    /// A machine of ports in too many dimensions.
    #[error("a machine of ports of {dimensions} dimensions is out of range: choose 1 to {most}")]
    PortDimensions {
        /// As asked for.
        dimensions: usize,
        /// The most that are accepted.
        most: usize,
    },

    /// A source that is no node.
    #[error("the source {node} is out of range: the nodes are 0 to {last}")]
    Source {
        /// As asked for.
        node: usize,
        /// The last node.
        last: usize,
    },

    /// A number of packets or bits that is out of range.
    #[error("{value} {what} are out of range: choose {least} to {most}")]
    OfPackets {
        /// What it is a number of.
        what: &'static str,
        /// As asked for.
        value: usize,
        /// The least that is accepted.
        least: usize,
        /// The most.
        most: usize,
    },

    /// More packets than a broadcast cuts a message into.
    #[error(
        "{algorithm} cuts a message into {most} packets at the most, and not into {packets}: leave the packet size to it"
    )]
    TooManyPackets {
        /// The broadcast.
        algorithm: &'static str,
        /// As asked for.
        packets: usize,
        /// The most.
        most: usize,
    },

    /// A list of sends that sends nothing.
    #[error(
        "a list of 0 steps sends nothing: it takes a step at least until all nodes have a packet"
    )]
    EmptyList,

    /// A list for which a node needs too many registers.
    #[error(
        "a list of {packets} packets of {packet_bits} bits in {steps} step{} takes {bits} bits of registers in each node of \
         {dimensions} dimensions (PB + 2nPS), and {most} are accepted: use fewer packets or steps, or shorter packets",
        if *steps == 1 { "" } else { "s" }
    )]
    ListTooLong {
        /// `P`.
        packets: usize,
        /// `B`.
        packet_bits: usize,
        /// `n`.
        dimensions: usize,
        /// `S`.
        steps: usize,
        /// Bits that these are.
        bits: usize,
        /// The most that are accepted.
        most: usize,
    },

    /// A list of sends that cannot be run.
    #[error("{path}, line {line}: {problem}")]
    SendsFile {
        /// The file.
        path: String,
        /// From 1.
        line: u64,
        /// What is wrong there.
        problem: Box<sends_file::Problem>,
    },

    /// A list of sends that leaves a node without a packet.
    #[error(
        "{path}: node {node} never gets packet {packet}: all nodes are to get all packets, so add a line that sends it there"
    )]
    NeverSent {
        /// The file.
        path: String,
        /// The node.
        node: usize,
        /// The packet.
        packet: usize,
    },

    /// A run of which nothing can be said.
    #[error("the run was broken off by the one who looked on: begin it anew")]
    BrokenOff,

    /// A router has a field that the host was not written for.
    #[error(
        "the host of this testbench knows no field `{field}` of a node's port: it has to say what is written there or read"
    )]
    UnknownField {
        /// The field.
        field: &'static str,
    },

    /// Nodes that wait for each other within a bit time.
    #[error(
        "what a node sends depends on what it receives in the same bit time, and comes back to it across \
         the wires: such a machine has no depth"
    )]
    CombinationalLoop,

    /// A share of senders that is no share.
    #[error("a load of {load} is out of range: it is the share of nodes that send, 0 to 1")]
    Load {
        /// As asked for.
        load: String,
    },

    /// Continuous injection of nothing, or of more than a link carries.
    #[error(
        "an offered load of {load} is out of range: it is the message bits that a node creates in a bit time, on average, more than 0 and at most 1"
    )]
    OfferedLoad {
        /// As asked for.
        load: String,
    },

    /// Bursts of no whole message.
    #[error(
        "bursts of {messages} messages are out of range: it is how many they have on the average, 1 to 1000000000"
    )]
    BurstMessages {
        /// As asked for.
        messages: String,
    },

    /// A load that leaves no time between bursts.
    #[error(
        "an offered load of {load} leaves no time between bursts: with these bursts it can be {most} at the most; offer less, \
         or have a higher load in bursts"
    )]
    TooMuchForBursts {
        /// As asked for.
        load: String,
        /// The highest that there is.
        most: String,
    },

    /// A share of hot messages that is none.
    #[error("a share of {share} of all messages for the hot spots is out of range: choose 0 to 1")]
    HotShare {
        /// As asked for.
        share: String,
    },

    /// Hot spots that are none.
    #[error("no node is named: name at least one that is a hot spot, or take uniform traffic")]
    NoHotSpot,

    /// A hot spot that is named twice.
    #[error(
        "node {node} is named twice: a node is a hot spot or it is not, and all get the same: name it once"
    )]
    HotSpotTwice {
        /// The node.
        node: usize,
    },

    /// A traffic pattern that does not exist.
    #[error("there is no traffic pattern `{name}`")]
    UnknownTraffic {
        /// As asked for.
        name: String,
    },

    /// Independent destinations, asked of a router of permutations.
    #[error(
        "`uniform` draws destinations independently, so several messages may be for one node, and this router carries at most one to each: use randperm"
    )]
    UniformIsNoPermutation,

    /// Hot spots, asked of a router of permutations.
    #[error(
        "`hotspot` has several messages for one node, and this router carries at most one to each: use randperm, or \
         testbench wormhole"
    )]
    HotSpotIsNoPermutation,

    /// Several messages a node, asked of a router of permutations.
    #[error(
        "`h-relation` has several messages a node, and this router carries at most one from each: {SEVERAL_A_NODE}"
    )]
    RelationIsNoPermutation,

    /// An address with no two halves.
    #[error(
        "transpose swaps the halves of an address and an address of {dimensions} bits has none: use an even number of dimensions, or shuffle"
    )]
    NoTransposeAtOddDimensions {
        /// `k`.
        dimensions: usize,
    },

    /// A pattern of address bits, for a machine whose nodes do not use all addresses.
    #[error(
        "{pattern} works on the bits of an address, and a machine of {nodes} nodes{} does not use all addresses of any number of bits: use randperm, tornado, neighbor, identity or packed",
        if *nodes == 1 { "" } else { ", no power of two," }
    )]
    NoAddressBits {
        /// The pattern's name.
        pattern: &'static str,
        /// Nodes of the machine.
        nodes: usize,
    },

    /// A node that the machine does not have.
    #[error("node {node} is out of range: the machine has nodes 0 to {}", nodes - 1)]
    NodeOutOfRange {
        /// As given.
        node: usize,
        /// Nodes of the machine.
        nodes: usize,
    },

    /// Two messages from one node.
    #[error("node {source_node} sends two messages: a node sends at most one; {SEVERAL_A_NODE}")]
    TwoMessagesFrom {
        /// The node.
        source_node: usize,
    },

    /// Two messages to one node: the routing is not injective.
    #[error(
        "sources {first} and {second} both send to destination {destination}: a node receives at most one message; \
         {SEVERAL_A_NODE}"
    )]
    TwoMessagesTo {
        /// The node that both are for.
        destination: usize,
        /// One source.
        first: usize,
        /// The other source.
        second: usize,
    },

    /// More messages from a node, or to one, than a routing of `H` a node has.
    #[error(
        "node {node} {} {count} messages, and with H = {h} a node {} at most {h}: give --h {count}",
        what_it_does(*sends),
        what_it_does(*sends)
    )]
    MoreThanH {
        /// The node with the most of them.
        node: usize,
        /// How many.
        count: usize,
        /// Whether it sends them; otherwise it receives them.
        sends: bool,
        /// The most that a node may send, and receive.
        h: usize,
    },

    /// A routing that Algorithm 1 does not carry.
    #[error(
        "not a semi-contraction: messages {} -> {} and {} -> {} begin {} apart and end {} apart; \
         packing routes only what draws no two messages apart (see `kuszmaul` for the rest)",
        one.0, one.1, two.0, two.1, one.0.abs_diff(two.0), one.1.abs_diff(two.1)
    )]
    NotASemiContraction {
        /// Source and destination of one message.
        one: (usize, usize),
        /// Of the other.
        two: (usize, usize),
    },

    /// A traffic file that cannot be used.
    #[error("{path}, line {line}, column {column}: {problem}")]
    TrafficFile {
        /// The file.
        path: String,
        /// From 1.
        line: u64,
        /// From 1.
        column: usize,
        /// What is wrong there.
        problem: Box<Problem>,
    },
}

/// A node that sends, or one that receives.
fn what_it_does(sends: bool) -> &'static str {
    if sends { "sends" } else { "receives" }
}

/// The powers of two in 2..=16 that are nearest to `levels`, from below and from above.
fn nearest_powers_of_two(levels: usize) -> String {
    match levels {
        0..=2 => "2".to_string(),
        16.. => "16".to_string(),
        _ => {
            let above = levels.next_power_of_two();
            format!("{} or {above}", above / 2)
        }
    }
}

/// Refuses a number of packets, bits or steps that is out of range.
///
/// # Errors
/// [`Error::OfPackets`].
pub(crate) fn in_range(
    what: &'static str,
    value: usize,
    [least, most]: [usize; 2],
) -> Result<(), Error> {
    match (least..=most).contains(&value) {
        true => Ok(()),
        false => Err(Error::OfPackets {
            what,
            value,
            least,
            most,
        }),
    }
}
