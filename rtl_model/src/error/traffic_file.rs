//! What can be wrong in a traffic file.

use super::SEVERAL_A_NODE;
use crate::csv_file::Malformed;

/// What is wrong at one place of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The first line is not a header with this column.
    #[error(
        "the header has no column `{column}`: the first line must be {}, in lower case, with commas between",
        match destination_is_needed {
            true => "`source,destination` or `source,destination,payload`",
            false => "`source`, and destination and payload may stand beside it",
        }
    )]
    MissingColumn {
        /// The column.
        column: &'static str,
        /// Whether it matters where messages go.
        destination_is_needed: bool,
    },
    /// A header column that means nothing here.
    #[error(
        "the heading `{heading}` means nothing here: there are source, destination and payload{}",
        hint_of_heading(heading)
    )]
    UnknownColumn {
        /// As written.
        heading: String,
    },
    /// A header column that means nothing where messages have times.
    #[error(
        "the heading `{heading}` means nothing here: there are source, destination, payload, bits, time and message, and \
         what a file of deliveries has"
    )]
    UnknownTimedColumn {
        /// As written.
        heading: String,
    },
    /// Two headings for the same thing.
    #[error("the heading `{heading}` says the same as `{first}`: leave one of them out")]
    SameColumn {
        /// As written.
        heading: String,
        /// The heading that is taken.
        first: &'static str,
    },
    /// A line with more or fewer fields than the header.
    #[error("fields in this line: {found}; columns in the header: {expected}{}", if found < expected { " (a payload may be left empty, as in `0,5,`)" } else { "" })]
    FieldCount {
        /// Fields in the line.
        found: usize,
        /// Columns of the header.
        expected: usize,
    },
    /// Not a decimal number.
    #[error("`{text}` is not a node number: write it in decimal, without a sign")]
    NotANumber {
        /// As written.
        text: String,
    },
    /// A node that the machine does not have.
    #[error("node {node} is out of range: the machine has nodes 0 to {last}")]
    NodeOutOfRange {
        /// As written.
        node: String,
        /// The highest node.
        last: usize,
    },
    /// Neither a node's number nor its name, in a network that has names.
    #[error(
        "there is no node `{text}`: the machine has nodes 0 to {last}, which by level and column are \
         {first_name} to {last_name}"
    )]
    NoSuchNode {
        /// As written.
        text: String,
        /// The highest node.
        last: usize,
        /// The name of the first node.
        first_name: String,
        /// The name of the highest.
        last_name: String,
    },
    /// Lines below the header, and no message in any.
    #[error(
        "no message stands in the {}below the header: a file of no messages is the header alone",
        if *lines == 1 { "line ".to_owned() } else { format!("{lines} lines ") }
    )]
    NothingBelow {
        /// How many.
        lines: u64,
    },
    /// A second message from one node.
    #[error(
        "source {source_node} already sends the message of line {line}: a node sends at most one; \
         {SEVERAL_A_NODE}"
    )]
    DuplicateSource {
        /// The node.
        source_node: usize,
        /// The line of its first message.
        line: u64,
    },
    /// A second message to one node.
    #[error(
        "sources {first} (line {line}) and {second} both send to destination {destination}: a node \
         receives at most one message; {SEVERAL_A_NODE}"
    )]
    DuplicateDestination {
        /// The node that both are for.
        destination: usize,
        /// The source of its first message.
        first: usize,
        /// The source of the second.
        second: usize,
        /// The line of the first message.
        line: u64,
    },
    /// A batch that there is not.
    #[error("`{text}` is no batch: they are numbered from 0 to {}", most - 1)]
    NoSuchBatch {
        /// As written.
        text: String,
        /// How many there are.
        most: usize,
    },
    /// A second message from a node, or to one, in a batch.
    #[error(
        "node {node} already {} the message of line {line} in batch {batch}: put one of them into another batch",
        if *sends { "sends" } else { "receives" }
    )]
    TwiceInBatch {
        /// The node.
        node: usize,
        /// It sends both; otherwise it receives them.
        sends: bool,
        /// The batch.
        batch: usize,
        /// The line of the first message.
        line: u64,
    },
    /// A node that stands in a set already.
    #[error("node {node} already stands in line {line}: a set has each of its nodes once")]
    DuplicateMember {
        /// The node.
        node: usize,
        /// The line in which it is named first.
        line: u64,
    },
    /// Not a hexadecimal number.
    #[error("`{text}` is not a payload: write it in hexadecimal, as in 2f")]
    NotHexadecimal {
        /// As written.
        text: String,
    },
    /// A payload of more bits than the messages have.
    #[error("payload {text} takes {bits} bits and messages carry {limit}: raise --payload-bits")]
    PayloadTooWide {
        /// As written.
        text: String,
        /// Bits that it takes.
        bits: usize,
        /// Bits that there are.
        limit: usize,
    },
    /// A payload of more bits than its message has, where messages may differ.
    #[error(
        "payload {text} takes {bits} bits and the message carries {limit}: raise --message-bits, or its number of `bits`"
    )]
    WiderThanMessage {
        /// As written.
        text: String,
        /// Bits that it takes.
        bits: usize,
        /// Bits that there are.
        limit: usize,
    },
    /// Not a number of bits, or one that no message can have.
    #[error("`{text}` bits are none that a message can have: choose 1 to {limit}")]
    MessageBits {
        /// As written.
        text: String,
        /// The most.
        limit: usize,
    },
    /// Not a time.
    #[error(
        "`{text}` is not a time: it is the bit time in which the host has the message, a whole number, 0 to {last}"
    )]
    NotATime {
        /// As written.
        text: String,
        /// The last one that there is.
        last: u64,
    },
    /// Rows out of order.
    #[error(
        "time {time} is before time {before} of line {line}: messages stand in the order of their times: sort the rows by time"
    )]
    TimeBefore {
        /// As written.
        time: u64,
        /// The time before.
        before: u64,
        /// And its line.
        line: u64,
    },
    /// Numbers of messages that are in another order than their times.
    #[error(
        "message {message} has time {time}, and message {first} of line {line} has time {before}: messages are numbered in \
         the order of their times: number them anew, or leave out the column `message` and sort the rows by time"
    )]
    NumberedBefore {
        /// The number in this line.
        message: u64,
        /// Its time.
        time: u64,
        /// The number before.
        first: u64,
        /// Its time, which is later.
        before: u64,
        /// Its line.
        line: u64,
    },
    /// Not the number of a message.
    #[error(
        "`{text}` is not the number of a message: write it in decimal, or leave out the column `message`"
    )]
    NotAMessage {
        /// As written.
        text: String,
    },
    /// A second message of the same number.
    #[error("message {message} already stands in line {line}: each has a number of its own")]
    DuplicateMessage {
        /// The number.
        message: u64,
        /// The line of the first one.
        line: u64,
    },
    /// Not CSV at all.
    #[error(transparent)]
    Malformed(Malformed),
}

/// What else is needed for a heading that others know.
fn hint_of_heading(heading: &str) -> &'static str {
    match heading {
        "batch" => "; batches need `--batches B`",
        "time" | "created" | "message" => {
            "; times are for routers to which messages come one after the other"
        }
        _ => "",
    }
}
