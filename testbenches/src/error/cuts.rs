//! What can be wrong in a file that lists wires that fail.

use rtl_model::csv_file::Malformed;

/// The columns, of which the last may be left out.
pub(crate) const COLUMNS: [&str; 4] = ["node", "dimension", "bit_time", "stuck"];

/// What is wrong in a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// No header, and nothing else.
    #[error(
        "the file is empty: the first line must be `node,dimension,bit_time`, or that and `,stuck`, and a wire stands in each \
         line below it"
    )]
    Empty,
    /// Another header.
    #[error(
        "the header is `{found}`: it must be `node,dimension,bit_time` or `node,dimension,bit_time,stuck`, in lower case"
    )]
    Header {
        /// As written.
        found: String,
    },
    /// More or fewer fields than columns.
    #[error("fields in this line: {found}; there must be {columns}, as the header has it")]
    FieldCount {
        /// Fields in the line.
        found: usize,
        /// Fields of the header.
        columns: usize,
    },
    /// Not a decimal number.
    #[error("`{text}` is not a number: write it in decimal, counted from 0")]
    NotANumber {
        /// As written.
        text: String,
    },
    /// A node that the cube does not have.
    #[error("node {node} is out of range: the cube has nodes 0 to {last}")]
    NodeOutOfRange {
        /// As written.
        node: String,
        /// The last node.
        last: usize,
    },
    /// A dimension that the cube does not have.
    #[error("dimension {dimension} is out of range: the cube has dimensions 0 to {last}")]
    DimensionOutOfRange {
        /// As written.
        dimension: String,
        /// The last dimension.
        last: usize,
    },
    /// A bit time that the run does not have.
    #[error("bit time {bit_time} is out of range: the run has bit times 0 to {last}")]
    BitTimeOutOfRange {
        /// As written.
        bit_time: String,
        /// The last one.
        last: u64,
    },
    /// A way to fail that there is not.
    #[error(
        "`{found}` is no way to fail: write `cut` for a wire on which 0 is read, or what it is stuck at, `0` or `1`"
    )]
    Stuck {
        /// As written.
        found: String,
    },
    /// A wire that fails twice.
    #[error(
        "the wire that node {node} drives across dimension {dimension} fails already (line {line}): leave one of the two \
         lines out"
    )]
    Twice {
        /// The node that drives it.
        node: usize,
        /// The dimension that it crosses.
        dimension: usize,
        /// The line that says so.
        line: u64,
    },
    /// Not CSV at all.
    #[error(transparent)]
    Malformed(Malformed),
}

/// `, column 2 (dimension)` of the column with index 1; nothing of a whole line.
pub(super) fn place(column: Option<usize>) -> String {
    column.map_or(String::new(), |index| {
        let name = COLUMNS.get(index).copied().unwrap_or("too many");
        format!(", column {} ({name})", index + 1)
    })
}
