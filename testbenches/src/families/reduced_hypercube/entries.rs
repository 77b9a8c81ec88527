//! What reports and rows of collective operations on reduced hypercubes have beside what all have.

use crate::families::reduced_hypercube::report::StepTime;
use crate::report::{Behind, Entry, Heading};

pub const NETWORK: Entry = Entry::of::<Option<String>>(
    "network",
    "`reduced-hypercube`, or the `hypercube` with as many nodes",
);
pub const ALGORITHM: Entry =
    Entry::of::<String>("algorithm", "The algorithm").heading(Heading::of("algorithm").left());
pub const DIMS: Entry = Entry::of::<u64>("dims", "Dimensions of a building block").column("dims");
pub const BLOCKS: Entry = Entry::of::<Option<u64>>("blocks", "Bits of a sub-block's number");
pub const MESSAGE_BITS: Entry =
    Entry::of::<u64>("message_bits", "Bits of the message of a broadcast").unit("bits");
pub const SWITCHING: Entry =
    Entry::of::<Option<String>>("switching", "How a broadcast goes through nodes");
pub const SOURCE_NODE: Entry = Entry::of::<Option<u64>>("source_node", "The node that broadcasts");
pub const WORD_BITS: Entry = Entry::of::<u64>("word_bits", "Bits of a word, or of a key")
    .unit("bits")
    .heading(Heading::of("w").or_in_words("w = {}"));
pub const KEYS: Entry =
    Entry::of::<u64>("keys", "Keys of a node").heading(Heading::of("p").or_in_words("p = {}"));
pub const OPERATOR: Entry = Entry::of::<Option<String>>("operator", "The associative operator");
pub const SET_UP_BIT_TIMES: Entry =
    Entry::of::<u64>("set_up_bit_times", "Bit times in which nodes set up trees")
        .unit("bit times")
        .less()
        .behind(Behind::BitTimes);
pub const WIRES_TIMES_BIT_TIMES: Entry =
    Entry::of::<u64>("wires_times_bit_times", "Wires of a node times bit times")
        .less()
        .behind(Behind::BitTimes)
        .headed("wires x bit times")
        .panel("Wires of a node x bit times", "wire-bit-times");
pub const BIT_TIMES_BY_STEP: Entry = Entry::of::<Vec<StepTime>>(
    "bit_times_by_step",
    "How long each step took that took any time",
)
.behind(Behind::BitTimes);

/// Of machine and algorithm.
pub const OF_MACHINES: &[Entry] = &[NETWORK, ALGORITHM, DIMS, BLOCKS];

/// Of what a broadcast sends.
pub const OF_BROADCASTS: &[Entry] = &[MESSAGE_BITS, SWITCHING, SOURCE_NODE];

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
pub const OF_TIMES: &[Entry] = &[SET_UP_BIT_TIMES, WIRES_TIMES_BIT_TIMES, BIT_TIMES_BY_STEP];
