//! What can be wrong in a file that lists sends.

use std::fmt;

use crate::csv_file::Malformed;
use crate::routers::ports::algorithm::PortModel;

/// A port of a node that is busy in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    /// It receives; else it sends.
    pub receives: bool,
    /// Which port.
    pub port: usize,
}

impl fmt::Display for Use {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.receives { "receives" } else { "sends" };
        write!(formatter, "{what} on port {}", self.port)
    }
}

/// When a packet comes, for one that is sent before.
fn coming(arrival: &Option<(usize, u64)>) -> String {
    match arrival {
        None => "no line sends it there at all".to_owned(),
        Some((step, line)) => {
            let next = step + 1;
            format!("it gets it in step {step} (line {line}), and can send it from step {next} on")
        }
    }
}

/// What is wrong in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No header, and nothing else.
    #[error(
        "the file is empty: the first line must be `step,from,to,packet`, and a send stands in each line below it"
    )]
    Empty,
    /// Another header.
    #[error(
        "the header is `{found}`: it must be `step,from,to,packet`, in lower case, with commas between"
    )]
    Header {
        /// As written.
        found: String,
    },
    /// More or fewer fields than columns.
    #[error(
        "fields in this line: {found}; there must be four, as in `0,0,1,0`: step, from, to and packet"
    )]
    FieldCount {
        /// Fields in the line.
        found: usize,
    },
    /// Not a decimal number.
    #[error("`{text}` is not a number: write column `{column}` in decimal, counted from 0")]
    NotANumber {
        /// The column.
        column: &'static str,
        /// As written.
        text: String,
    },
    /// More steps than there is room for.
    #[error(
        "step {step} is out of range: a node has {bits} bits at the most for a list (PB + 2nPS, in S steps), so with {packets} \
         packets of {packet_bits} bits in {dimensions} dimensions there are steps 0 to {last}; leave out steps in which nothing \
         is sent, or use fewer packets"
    )]
    TooManySteps {
        /// As written.
        step: String,
        /// The last one that there can be.
        last: usize,
        /// `P`.
        packets: usize,
        /// `B`.
        packet_bits: usize,
        /// `n`.
        dimensions: usize,
        /// Bits of registers, at the most.
        bits: usize,
    },
    /// A node that the cube does not have.
    #[error("node {node} is out of range: the cube has nodes 0 to {last}")]
    NodeOutOfRange {
        /// As written.
        node: String,
        /// The last node.
        last: usize,
    },
    /// Nodes that no link joins.
    #[error(
        "nodes {from} and {to} are not neighbours: links join nodes whose numbers differ in one bit, and theirs differ in {}",
        if *apart == 0 { "none".to_owned() } else { apart.to_string() }
    )]
    NotNeighbours {
        /// The node that is to send.
        from: usize,
        /// The node that is to receive.
        to: usize,
        /// Bits in which their numbers differ.
        apart: u32,
    },
    /// A packet that the message does not have.
    #[error("packet {packet} is out of range: the message has packets 0 to {last}")]
    PacketOutOfRange {
        /// As written.
        packet: String,
        /// The last packet.
        last: usize,
    },
    /// Two packets on a link.
    #[error(
        "the link from node {from} to node {to} carries packet {packet} in step {step} already (line {line}): it carries one packet a \
         step each way, so move one of the two to another step"
    )]
    LinkTwice {
        /// The step.
        step: usize,
        /// The node that sends.
        from: usize,
        /// The node that receives.
        to: usize,
        /// The packet that is on the link already.
        packet: usize,
        /// The line that says so.
        line: u64,
    },
    /// More ports of a node busy than may be.
    #[error(
        "in step {step} node {node} {first} (line {line}), and here it {second}: with {model} ports {}, so move one of the two to \
         another step", .model.allows()
    )]
    Ports {
        /// The step.
        step: usize,
        /// The node.
        node: usize,
        /// What it does already.
        first: Use,
        /// The line that says so.
        line: u64,
        /// What it is to do besides.
        second: Use,
        /// What it may do.
        model: PortModel,
    },
    /// A node that does not have what it is to send.
    #[error("node {node} does not have packet {packet} when step {step} begins: {}", coming(.arrival))]
    NotThere {
        /// The step.
        step: usize,
        /// The node.
        node: usize,
        /// The packet.
        packet: usize,
        /// The step and the line in which it gets it, if it does.
        arrival: Option<(usize, u64)>,
    },
    /// Something for the source.
    #[error(
        "packet {packet} is sent to node {node}, which is the source and has it anyway: leave this line out"
    )]
    ToSource {
        /// The source.
        node: usize,
        /// The packet.
        packet: usize,
    },
    /// A packet that a node gets twice.
    #[error(
        "packet {packet} comes to node {node} a second time: it has it already, since step {step} (line {line}); leave one of the two \
         lines out"
    )]
    ComesTwice {
        /// The node.
        node: usize,
        /// The packet.
        packet: usize,
        /// The step in which it comes first.
        step: usize,
        /// The line that says so.
        line: u64,
    },
    /// Not CSV at all.
    #[error(transparent)]
    Malformed(Malformed),
}
