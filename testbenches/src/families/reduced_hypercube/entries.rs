//! What reports and rows of collective operations on reduced hypercubes have beside what all have.

use crate::families::reduced_hypercube::report::StepTime;
use crate::report::Entry;

const WORD_BITS: Entry = Entry::of::<u64>("word_bits", "Bits of a word, or of a key").unit("bits");
const SWITCHING: Entry =
    Entry::of::<Option<String>>("switching", "How a broadcast goes through nodes");
const KEYS: Entry = Entry::of::<u64>("keys", "Keys of a node");
const OPERATOR: Entry = Entry::of::<Option<String>>("operator", "The associative operator");

/// Of machine and algorithm.
pub const OF_MACHINES: &[Entry] = &[
    Entry::of::<Option<String>>(
        "network",
        "`reduced-hypercube`, or the `hypercube` with as many nodes",
    ),
    Entry::of::<String>("algorithm", "The algorithm"),
    Entry::of::<u64>("dims", "Dimensions of a building block").column("dims"),
    Entry::of::<Option<u64>>("blocks", "Bits of a sub-block's number"),
];

/// Of what a broadcast sends.
pub const OF_BROADCASTS: &[Entry] = &[
    Entry::of::<u64>("message_bits", "Bits of the message of a broadcast").unit("bits"),
    SWITCHING,
    Entry::of::<Option<u64>>("source_node", "The node that broadcasts"),
];

/// Of words that are reduced.
pub const OF_WORDS: &[Entry] = &[WORD_BITS, OPERATOR];

/// Of keys that are sorted.
pub const OF_KEYS: &[Entry] = &[WORD_BITS, KEYS];

// Rows have columns for what any of these operations is asked for.

/// Of rows of broadcasts.
pub const ROWS_OF_BROADCASTS: &[Entry] = &[
    Entry::of::<u64>("word_bits", "Bits of the message")
        .unit("bits")
        .of_rows(),
    KEYS.of_rows(),
    OPERATOR.of_rows(),
];

/// Of rows of words.
pub const ROWS_OF_WORDS: &[Entry] = &[SWITCHING.of_rows(), KEYS.of_rows()];

/// Of rows of keys.
pub const ROWS_OF_KEYS: &[Entry] = &[SWITCHING.of_rows(), OPERATOR.of_rows()];

/// Of how long a run took.
pub const OF_TIMES: &[Entry] = &[
    Entry::of::<u64>("set_up_bit_times", "Bit times in which nodes set up trees")
        .unit("bit times")
        .less(),
    Entry::of::<u64>("wires_times_bit_times", "Wires of a node times bit times").less(),
    Entry::of::<Vec<StepTime>>(
        "bit_times_by_step",
        "How long each step took that took any time",
    ),
];
