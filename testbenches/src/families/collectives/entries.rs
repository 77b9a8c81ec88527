//! What reports and rows of collective operations have beside what all have.

use crate::report::Entry;

const BINS: Entry = Entry::of::<Option<u64>>("bins", "Bins of a histogram");
const WORD_BITS: Entry =
    Entry::of::<Option<u64>>("word_bits", "Bits of a count, or of a matrix entry").unit("bits");
const MATRIX_ROWS: Entry = Entry::of::<Option<u64>>("matrix_rows", "Rows of a matrix, and columns");

/// Of the algorithm and its messages.
pub const OF_ALGORITHMS: &[Entry] = &[
    Entry::of::<String>("algorithm", "The algorithm, or the router beside it"),
    Entry::of::<Option<String>>("paper_name", "What the paper calls it"),
    Entry::of::<String>("mpi_name", "The operation of MPI that does the same"),
    Entry::of::<Option<String>>(
        "ports",
        "How many ports of a node may be busy at once: `one-way`, `two-way` or `all`",
    ),
    Entry::of::<Option<u64>>("source_node", "The node that sends, where there is one"),
    Entry::of::<Option<u64>>(
        "destination_node",
        "The node that receives, where there is one",
    ),
    Entry::of::<Option<u64>>("message_bits", "Bits of a message").unit("bits"),
    Entry::of::<Option<u64>>(
        "packet_bits",
        "Bits of a packet, where messages go in packets",
    )
    .unit("bits"),
    Entry::of::<Option<u64>>(
        "groups",
        "Groups in which packets go out, where the algorithm has such",
    ),
    Entry::of::<bool>("divides", "Messages are divided evenly"),
    Entry::of::<u64>("start_up", "Bit times before the first bit of each packet").unit("bit times"),
];

/// Of groups on two kinds of paths, which sends have.
pub const OF_GROUPS: &[Entry] = &[
    Entry::of::<u64>("groups_straight", "Of them, those on the straight paths"),
    Entry::of::<u64>("groups_beside", "Of them, those on the paths beside"),
];

/// Of a permuted send.
pub const OF_PERMUTATIONS: &[Entry] = &[Entry::of::<String>(
    "permutation",
    "The permutation by which nodes send",
)];

/// Of a matrix.
pub const OF_MATRICES: &[Entry] = &[
    MATRIX_ROWS,
    Entry::of::<u64>(
        "block_rows",
        "Rows, and columns, of the block of a matrix that a node sends to one other",
    ),
    WORD_BITS,
];

/// Of a histogram.
pub const OF_HISTOGRAMS: &[Entry] = &[
    BINS,
    Entry::of::<u64>("samples_in_all", "Samples of all nodes together"),
    WORD_BITS,
];

/// Of the program that the sequencer holds.
pub const OF_PROGRAMS: &[Entry] = &[
    Entry::of::<u64>("bits_sent", "Bits that cross wires")
        .unit("bits")
        .less(),
    Entry::of::<u64>("program_bits", "Bits of the sequencer's read-only memory")
        .unit("bits")
        .less(),
];

/// Of rows.
pub const OF_ROWS: &[Entry] = &[
    Entry::of::<bool>("is_router", "It is a router, measured beside").of_rows(),
    Entry::of::<Option<u64>>("node_bits", "Bits of the matrix at a node")
        .unit("bits")
        .of_rows(),
    Entry::of::<Option<u64>>("samples", "Samples of a node").of_rows(),
    Entry::of::<Option<u64>>("rounds", "Of a router, rounds that carry all messages").of_rows(),
    Entry::of::<Option<u64>>(
        "rounds_run",
        "Of them, those that were run; the others take as long",
    )
    .of_rows(),
    Entry::of::<Option<u64>>(
        "start_ups",
        "Packets before which a start-up passes: routing steps, or rounds",
    )
    .less()
    .of_rows(),
    Entry::of::<Option<u64>>(
        "fastest_algorithm_bit_times",
        "Bit times that the fastest algorithm of the sweep has for as much, by its formula",
    )
    .unit("bit times")
    .of_rows(),
    Entry::of::<Option<f64>>(
        "times_fastest_algorithm",
        "Bit times, as a multiple of `fastest_algorithm_bit_times`",
    )
    .of_rows(),
    Entry::of::<Option<u64>>(
        "storage_with_messages",
        "Register bits of a node, with the memory of its messages",
    )
    .unit("bits")
    .less()
    .of_rows(),
];

// Rows have columns for what any of these operations sends.

/// Of rows of messages.
pub const ROWS_OF_MESSAGES: &[Entry] =
    &[MATRIX_ROWS.of_rows(), WORD_BITS.of_rows(), BINS.of_rows()];

/// Of rows of matrices.
pub const ROWS_OF_MATRICES: &[Entry] = &[BINS.of_rows()];

/// Of rows of histograms.
pub const ROWS_OF_HISTOGRAMS: &[Entry] = &[MATRIX_ROWS.of_rows()];
