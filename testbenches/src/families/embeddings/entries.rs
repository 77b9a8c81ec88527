//! What reports and rows of embeddings, dispersals and relaxations have beside what all have.

use crate::families::embeddings::dispersal::report::CutWire;
use crate::families::embeddings::report::Claimed;
use crate::report::Entry;

const GUEST: Entry = Entry::of::<Option<String>>(
    "guest",
    "What is embedded, where messages go over a guest's edges",
);
const THEOREM: Entry = Entry::of::<String>("theorem", "Where the construction comes from");
const WIDTH: Entry = Entry::of::<u64>("width", "Paths of a guest edge, which share no wire");
const DILATION: Entry = Entry::of::<u64>("dilation", "Hops of the longest path");
const CONGESTION: Entry = Entry::of::<u64>("congestion", "Paths over the busiest wire");
const GUEST_LOAD: Entry = Entry::of::<u64>("guest_load", "Guest vertices on a node");
const ORDER: Entry = Entry::of::<String>("order", "Which hops go first: `hop-by-hop` or `greedy`");
const MESSAGE_BITS: Entry =
    Entry::of::<Option<u64>>("message_bits", "Bits of a message over a guest edge").unit("bits");
const PACKETS: Entry = Entry::of::<u64>("packets", "Packets of a guest edge's message");
const PACKET_BITS: Entry = Entry::of::<Option<u64>>("packet_bits", "Bits of a packet").unit("bits");
const START_UP: Entry =
    Entry::of::<u64>("start_up", "Bit times before the first bit of each packet").unit("bit times");

/// Of a phase: what is embedded, and its messages.
pub const OF_PHASES: &[Entry] = &[
    GUEST,
    THEOREM,
    Entry::of::<u64>("guest_vertices", "Vertices of the guest"),
    Entry::of::<u64>("guest_edges", "Its edges, directed"),
    Entry::of::<bool>("both_ways", "Messages go both ways over every edge"),
    WIDTH,
    DILATION,
    CONGESTION,
    GUEST_LOAD,
    Entry::of::<String>("expansion", "Nodes of the hypercube for each of the guest"),
    ORDER,
    MESSAGE_BITS,
    PACKETS,
    PACKET_BITS,
    START_UP,
];

/// Of a dispersal: the paths, and the shares of its messages.
pub const OF_DISPERSALS: &[Entry] = &[
    Entry::of::<Option<String>>("over", "Over which paths shares go"),
    GUEST,
    WIDTH,
    DILATION,
    CONGESTION,
    ORDER,
    MESSAGE_BITS,
    Entry::of::<u64>("shares", "Shares that a message is cut into"),
    Entry::of::<u64>("needed", "Shares that restore it"),
    Entry::of::<u64>("share_bits", "Bits of a share, with its checksum").unit("bits"),
    START_UP,
    Entry::of::<f64>("overhead", "Bits sent for a bit of a message").less(),
];

/// Of a relaxation: the grid, and its messages.
pub const OF_RELAXATIONS: &[Entry] = &[
    GUEST,
    THEOREM,
    Entry::of::<u64>("points_a_side", "Points of the grid on a side"),
    Entry::of::<u64>("word_bits", "Bits of a point's word").unit("bits"),
    Entry::of::<u64>("processes_a_side", "Processes on a side"),
    Entry::of::<u64>("block_side", "Points of a process's block on a side"),
    GUEST_LOAD,
    WIDTH,
    ORDER,
    MESSAGE_BITS,
    PACKETS,
    PACKET_BITS,
    START_UP,
];

/// Of the schedule of packets.
pub const OF_CELLS: &[Entry] = &[
    Entry::of::<u64>("cost_steps", "Steps of the phase by its schedule")
        .unit("steps")
        .less(),
    Entry::of::<u64>("cells", "Packets that a node keeps at the most").less(),
    Entry::of::<Vec<u64>>(
        "packets_held",
        "How many nodes keep how many packets at the most, from none on",
    ),
];

/// Of what came of a phase.
pub const ENDED_PHASES: &[Entry] = &[
    Entry::of::<Option<Claimed>>("paper", "What the paper says of the embedding"),
    Entry::part("paper.cost_steps").column("cost_paper"),
    Entry::of::<Option<Claimed>>("corrected", "What holds of it"),
    Entry::part("corrected.cost_steps").column("cost_corrected"),
    Entry::of::<Option<u64>>(
        "node_bits",
        "Bits that a node sends in the phase, where that was asked for",
    )
    .unit("bits")
    .of_rows(),
    Entry::of::<Option<f64>>("bits_a_bit_time", "Message bits a node and bit time")
        .more()
        .of_rows(),
];

/// Of what came of a dispersal.
pub const ENDED_DISPERSALS: &[Entry] = &[
    Entry::of::<u64>(
        "bit_times_without_shares",
        "Bit times of as many packets without redundancy",
    )
    .unit("bit times"),
    Entry::of::<Vec<CutWire>>("cuts", "The wires that fail"),
    Entry::of::<u64>("cut_wires", "How many wires fail").of_rows(),
    Entry::of::<u64>("restored", "Messages restored").more(),
    Entry::of::<u64>("lost", "Messages reported as lost").less(),
    Entry::of::<u64>("wrong", "Messages that are wrong and not reported").less(),
    Entry::of::<u64>("survived", "Messages restored though shares were damaged"),
    Entry::of::<u64>("damaged_shares", "Shares whose checksum is wrong").less(),
    Entry::of::<u64>(
        "most_damaged_shares_of_a_message",
        "Damaged shares of the message that has most of them",
    )
    .less(),
    Entry::of::<f64>("lost_share", "Share of the messages that are lost")
        .less()
        .of_rows(),
];

/// Of what came of a relaxation.
pub const ENDED_RELAXATIONS: &[Entry] = &[
    Entry::of::<u64>("sweeps", "Sweeps of the relaxation"),
    Entry::of::<Vec<u64>>("bit_times_a_sweep", "Bit times of each sweep").unit("bit times"),
    Entry::of::<u64>("bit_times_in_all", "Bit times of all sweeps")
        .unit("bit times")
        .less(),
    Entry::of::<u64>("words_a_sweep", "Words sent in a sweep"),
    Entry::of::<u64>("words_in_all", "Words sent in all sweeps"),
    Entry::of::<u64>(
        "node_bits_a_sweep",
        "Bits of words that the processes of a node send in a sweep",
    )
    .unit("bits"),
    Entry::of::<f64>(
        "driven_bits_a_sweep",
        "Bits of packets that a node drives in a sweep, on the average",
    )
    .unit("bits"),
];
