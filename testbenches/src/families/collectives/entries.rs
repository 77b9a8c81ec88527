//! What reports and rows of collective operations have beside what all have.

use crate::report::{Behind, Entry, Heading};

pub const ALGORITHM: Entry =
    Entry::of::<String>("algorithm", "The algorithm, or the router beside it")
        .heading(Heading::of("algorithm").left());
pub const PAPER_NAME: Entry = Entry::of::<Option<String>>("paper_name", "What the paper calls it");
pub const MPI_NAME: Entry =
    Entry::of::<String>("mpi_name", "The operation of MPI that does the same");
pub const PORTS: Entry = Entry::of::<Option<String>>(
    "ports",
    "How many ports of a node may be busy at once: `one-way`, `two-way` or `all`",
);
pub const SOURCE_NODE: Entry =
    Entry::of::<Option<u64>>("source_node", "The node that sends, where there is one");
pub const DESTINATION_NODE: Entry = Entry::of::<Option<u64>>(
    "destination_node",
    "The node that receives, where there is one",
);
pub const MESSAGE_BITS: Entry = Entry::of::<Option<u64>>("message_bits", "Bits of a message")
    .unit("bits")
    .heading(Heading::of("M").or_in_words("M = {}"));
pub const PACKET_BITS: Entry = Entry::of::<Option<u64>>(
    "packet_bits",
    "Bits of a packet, where messages go in packets",
)
.unit("bits")
.heading(Heading::of("B").or_in_words("B = {}"));
pub const GROUPS: Entry = Entry::of::<Option<u64>>(
    "groups",
    "Groups in which packets go out, where the algorithm has such",
)
.heading(Heading::of("groups").or_in_words("{} groups"));
pub const DIVIDES: Entry = Entry::of::<bool>("divides", "Messages are divided evenly");
pub const START_UP: Entry =
    Entry::of::<u64>("start_up", "Bit times before the first bit of each packet").unit("bit times");
pub const GROUPS_STRAIGHT: Entry =
    Entry::of::<u64>("groups_straight", "Of them, those on the straight paths");
pub const GROUPS_BESIDE: Entry =
    Entry::of::<u64>("groups_beside", "Of them, those on the paths beside");
pub const PERMUTATION: Entry =
    Entry::of::<String>("permutation", "The permutation by which nodes send");
pub const MATRIX_ROWS: Entry =
    Entry::of::<Option<u64>>("matrix_rows", "Rows of a matrix, and columns");
pub const BLOCK_ROWS: Entry = Entry::of::<u64>(
    "block_rows",
    "Rows, and columns, of the block of a matrix that a node sends to one other",
);
pub const WORD_BITS: Entry =
    Entry::of::<Option<u64>>("word_bits", "Bits of a count, or of a matrix entry").unit("bits");
pub const BINS: Entry = Entry::of::<Option<u64>>("bins", "Bins of a histogram")
    .heading(Heading::of("b").or_in_words("b = {}"));
pub const SAMPLES_IN_ALL: Entry =
    Entry::of::<u64>("samples_in_all", "Samples of all nodes together");
pub const BITS_SENT: Entry = Entry::of::<u64>("bits_sent", "Bits that cross wires")
    .unit("bits")
    .less()
    .behind(Behind::BitTimes);
pub const PROGRAM_BITS: Entry =
    Entry::of::<u64>("program_bits", "Bits of the sequencer's read-only memory")
        .unit("bits")
        .less()
        .behind(Behind::Storage);

pub const IS_ROUTER: Entry =
    Entry::of::<bool>("is_router", "It is a router, measured beside").of_rows();
pub const NODE_BITS: Entry = Entry::of::<Option<u64>>("node_bits", "Bits of the matrix at a node")
    .unit("bits")
    .of_rows()
    .heading(Heading::of("bits a node").if_any_has());
pub const ROUNDS: Entry =
    Entry::of::<Option<u64>>("rounds", "Of a router, rounds that carry all messages").of_rows();
pub const ROUNDS_RUN: Entry = Entry::of::<Option<u64>>(
    "rounds_run",
    "Of them, those that were run; the others take as long",
)
.of_rows();
pub const START_UPS: Entry = Entry::of::<Option<u64>>(
    "start_ups",
    "Packets before which a start-up passes: routing steps, or rounds",
)
.less()
.of_rows()
.headed("start-ups");
pub const FASTEST: Entry = Entry::of::<Option<u64>>(
    "fastest_algorithm_bit_times",
    "Bit times that the fastest algorithm of the sweep has for as much, by its formula",
)
.unit("bit times")
.of_rows();
pub const TIMES_FASTEST: Entry = Entry::of::<Option<f64>>(
    "times_fastest_algorithm",
    "Bit times, as a multiple of `fastest_algorithm_bit_times`",
)
.of_rows()
.heading(Heading::of("times").digits(2));
pub const STORAGE_WITH_MESSAGES: Entry = Entry::of::<Option<u64>>(
    "storage_with_messages",
    "Register bits of a node, with the memory of its messages",
)
.unit("bits")
.less()
.of_rows()
.headed("with messages")
.panel("Storage of a node with its messages", "bits");

/// Of the algorithm and its messages.
pub const OF_ALGORITHMS: &[Entry] = &[
    ALGORITHM,
    PAPER_NAME,
    MPI_NAME,
    PORTS,
    SOURCE_NODE,
    DESTINATION_NODE,
    MESSAGE_BITS,
    PACKET_BITS,
    GROUPS,
    DIVIDES,
    START_UP,
];

/// Of groups on two kinds of paths, which sends have.
pub const OF_GROUPS: &[Entry] = &[GROUPS_STRAIGHT, GROUPS_BESIDE];

/// Of a permuted send.
pub const OF_PERMUTATIONS: &[Entry] = &[PERMUTATION];

/// Of a matrix.
pub const OF_MATRICES: &[Entry] = &[MATRIX_ROWS, BLOCK_ROWS, WORD_BITS];

/// Of a histogram.
pub const OF_HISTOGRAMS: &[Entry] = &[BINS, SAMPLES_IN_ALL, WORD_BITS];

/// Of the program that the sequencer holds.
pub const OF_PROGRAMS: &[Entry] = &[BITS_SENT, PROGRAM_BITS];

/// Of rows.
pub const OF_ROWS: &[Entry] = &[
    IS_ROUTER,
    NODE_BITS,
    Entry::of::<Option<u64>>("samples", "Samples of a node").of_rows(),
    ROUNDS,
    ROUNDS_RUN,
    START_UPS,
    FASTEST,
    TIMES_FASTEST,
    STORAGE_WITH_MESSAGES,
];

// Rows have columns for what any of these operations sends.

/// Of rows of messages.
pub const ROWS_OF_MESSAGES: &[Entry] =
    &[MATRIX_ROWS.of_rows(), WORD_BITS.of_rows(), BINS.of_rows()];

/// Of rows of matrices.
pub const ROWS_OF_MATRICES: &[Entry] = &[BINS.of_rows()];

/// Of rows of histograms.
pub const ROWS_OF_HISTOGRAMS: &[Entry] = &[MATRIX_ROWS.of_rows()];
