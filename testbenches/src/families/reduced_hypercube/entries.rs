//! What reports and rows of collective operations on reduced hypercubes have beside what all have.

use crate::families::reduced_hypercube::report::StepTime;
use crate::report::Entry;

/// The entries.
pub const OF_REDUCED: &[Entry] = &[
    Entry::of::<Option<String>>(
        "network",
        "`reduced-hypercube`, or the `hypercube` with as many nodes",
    ),
    Entry::of::<String>("algorithm", "The algorithm"),
    Entry::of::<u64>("dims", "Dimensions of a building block").column("dims"),
    Entry::of::<Option<u64>>("blocks", "Bits of a sub-block's number"),
    Entry::of::<u64>("message_bits", "Bits of the message of a broadcast").unit("bits"),
    Entry::of::<u64>(
        "word_bits",
        "Bits of a word, of a key, or of the message of a broadcast",
    )
    .unit("bits"),
    Entry::of::<Option<String>>("switching", "How a broadcast goes through nodes"),
    Entry::of::<Option<u64>>("source_node", "The node that broadcasts"),
    Entry::of::<u64>("keys", "Keys of a node"),
    Entry::of::<Option<String>>("operator", "The associative operator"),
    Entry::of::<u64>("set_up_bit_times", "Bit times in which nodes set up trees")
        .unit("bit times")
        .less(),
    Entry::of::<u64>("wires_times_bit_times", "Wires of a node times bit times").less(),
    Entry::of::<Vec<StepTime>>(
        "bit_times_by_step",
        "How long each step took that took any time",
    ),
];
