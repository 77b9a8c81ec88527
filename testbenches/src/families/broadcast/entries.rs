//! What reports and rows of broadcasts have beside what all have.

use crate::report::{Behind, Entry, Heading};

pub const ALGORITHM: Entry = Entry::of::<String>(
    "algorithm",
    "The algorithm: which trees, and when packets are sent",
)
.heading(Heading::of("broadcast").left());
pub const PORTS: Entry = Entry::of::<String>(
    "ports",
    "How many ports of a node may be busy at once: `one-way`, `two-way` or `all`",
)
.heading(Heading::of("ports").left());
pub const SOURCE: Entry = Entry::of::<u64>("source_node", "The node that sends")
    .heading(Heading::of("source").or_in_words("from node {}"));
pub const MESSAGE_BITS: Entry = Entry::of::<u64>("message_bits", "Bits of the message")
    .unit("bits")
    .heading(Heading::of("M").or_in_words("M = {}"));
pub const PACKET_BITS: Entry = Entry::of::<u64>("packet_bits", "Bits of a packet")
    .unit("bits")
    .heading(Heading::of("B").or_in_words("B = {}"));
pub const PACKETS: Entry = Entry::of::<u64>("packets", "Packets of the message")
    .heading(Heading::of("P").or_in_words("P = {}"));
pub const START_UP: Entry =
    Entry::of::<u64>("start_up", "Bit times before the first bit of each packet").unit("bit times");
pub const PAPER_BOUND: Entry = Entry::form(
    "paper_bound",
    "",
    "The steps of the paper's \"strict lower bound\", where an algorithm has fewer",
)
.unit("steps")
.behind(Behind::BitTimes);
pub const PACKETS_SENT: Entry = Entry::of::<u64>("packets_sent", "Packets over wires")
    .less()
    .behind(Behind::BitTimes);
pub const OPTIMUM_PACKET_BITS: Entry = Entry::of::<Option<f64>>(
    "optimum_packet_bits",
    "Bits of the packets with which this message would take fewest bit times, by the formula",
)
.unit("bits")
.of_rows();
pub const OPTIMUM_BIT_TIMES: Entry =
    Entry::of::<Option<f64>>("optimum_bit_times", "The bit times with such packets")
        .unit("bit times")
        .of_rows();

/// Of the message and its packets.
pub const OF_BROADCASTS: &[Entry] = &[PORTS, SOURCE, MESSAGE_BITS, PACKET_BITS, PACKETS, START_UP];

/// Of the algorithm, and of what came of it.
pub const OF_TREES: &[Entry] = &[
    ALGORITHM,
    PAPER_BOUND,
    PACKETS_SENT,
    OPTIMUM_PACKET_BITS,
    OPTIMUM_BIT_TIMES,
];
