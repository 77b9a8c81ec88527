//! What reports and rows of broadcasts have beside what all have.

use crate::report::Entry;
use crate::verilog::{HOST_WRITES, Port};

/// Of the message and its packets.
pub const OF_BROADCASTS: &[Entry] = &[
    Entry::of::<String>(
        "ports",
        "How many ports of a node may be busy at once: `one-way`, `two-way` or `all`",
    ),
    Entry::of::<u64>("source_node", "The node that sends"),
    Entry::of::<u64>("message_bits", "Bits of the message").unit("bits"),
    Entry::of::<u64>("packet_bits", "Bits of a packet").unit("bits"),
    Entry::of::<u64>("packets", "Packets of the message"),
    Entry::of::<u64>("start_up", "Bit times before the first bit of each packet").unit("bit times"),
];

/// Of the algorithm, and of what came of it.
pub const OF_TREES: &[Entry] = &[
    Entry::of::<String>(
        "algorithm",
        "The algorithm: which trees, and when packets are sent",
    ),
    Entry::form(
        "paper_bound",
        "",
        "The steps of the paper's \"strict lower bound\", where an algorithm has fewer",
    )
    .unit("steps"),
    Entry::of::<u64>("packets_sent", "Packets over wires").less(),
    Entry::of::<Option<f64>>(
        "optimum_packet_bits",
        "Bits of the packets with which this message would take fewest bit times, by the formula",
    )
    .unit("bits")
    .of_rows(),
    Entry::of::<Option<f64>>("optimum_bit_times", "The bit times with such packets")
        .unit("bit times")
        .of_rows(),
];

/// Of projects alone: ports at which hosts stand in every bit time.
pub const OF_PORTS: &[Entry] = &[
    HOST_WRITES,
    Entry::of::<Vec<Port>>("from_host", "Ports that hosts drive while the machine runs"),
    Entry::of::<Vec<Port>>("to_host", "Ports that hosts read while the machine runs"),
];
