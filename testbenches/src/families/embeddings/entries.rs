//! What reports and rows of embeddings, dispersals and relaxations have beside what all have.

use crate::families::embeddings::dispersal::report::CutWire;
use crate::families::embeddings::report::Claimed;
use crate::report::{Behind, Entry, Heading};

pub const GUEST: Entry = Entry::of::<Option<String>>(
    "guest",
    "What is embedded, where messages go over a guest's edges",
);
pub const THEOREM: Entry = Entry::of::<String>("theorem", "Where the construction comes from");
pub const GUEST_VERTICES: Entry = Entry::of::<u64>("guest_vertices", "Vertices of the guest");
pub const GUEST_EDGES: Entry = Entry::of::<u64>("guest_edges", "Its edges, directed");
pub const BOTH_WAYS: Entry =
    Entry::of::<bool>("both_ways", "Messages go both ways over every edge");
pub const WIDTH: Entry =
    Entry::of::<u64>("width", "Paths of a guest edge, which share no wire").headed("width");
pub const DILATION: Entry =
    Entry::of::<u64>("dilation", "Hops of the longest path").headed("dilation");
pub const CONGESTION: Entry =
    Entry::of::<u64>("congestion", "Paths over the busiest wire").headed("congestion");
pub const GUEST_LOAD: Entry =
    Entry::of::<u64>("guest_load", "Guest vertices on a node").headed("load");
pub const EXPANSION: Entry =
    Entry::of::<String>("expansion", "Nodes of the hypercube for each of the guest");
pub const ORDER: Entry =
    Entry::of::<String>("order", "Which hops go first: `hop-by-hop` or `greedy`");
pub const MESSAGE_BITS: Entry =
    Entry::of::<Option<u64>>("message_bits", "Bits of a message over a guest edge").unit("bits");
pub const PACKETS: Entry =
    Entry::of::<u64>("packets", "Packets of a guest edge's message").headed("packets");
pub const PACKET_BITS: Entry = Entry::of::<Option<u64>>("packet_bits", "Bits of a packet")
    .unit("bits")
    .headed("B");
pub const START_UP: Entry =
    Entry::of::<u64>("start_up", "Bit times before the first bit of each packet").unit("bit times");
pub const COST_STEPS: Entry = Entry::of::<u64>("cost_steps", "Steps of the phase by its schedule")
    .unit("steps")
    .less()
    .behind(Behind::BitTimes);
pub const CELLS: Entry = Entry::of::<u64>("cells", "Packets that a node keeps at the most")
    .less()
    .behind(Behind::Peak);
pub const PACKETS_HELD: Entry = Entry::of::<Vec<u64>>(
    "packets_held",
    "How many nodes keep how many packets at the most, from none on",
)
.behind(Behind::Peak);
pub const PAPER: Entry =
    Entry::of::<Option<Claimed>>("paper", "What the paper says of the embedding")
        .behind(Behind::BitTimes);
pub const COST_PAPER: Entry = Entry::part("paper.cost_steps")
    .column("cost_paper")
    .headed("paper");
pub const CORRECTED: Entry =
    Entry::of::<Option<Claimed>>("corrected", "What holds of it").behind(Behind::BitTimes);
pub const COST_CORRECTED: Entry = Entry::part("corrected.cost_steps")
    .column("cost_corrected")
    .headed("corrected");
pub const BITS_A_BIT_TIME: Entry =
    Entry::of::<Option<f64>>("bits_a_bit_time", "Message bits a node and bit time")
        .more()
        .of_rows()
        .heading(Heading::of("bits a bit time").digits(3))
        .panel("Bits sent", "bits a node and bit time");

pub const OVER: Entry = Entry::of::<Option<String>>("over", "Over which paths shares go");
pub const SHARES: Entry = Entry::of::<u64>("shares", "Shares that a message is cut into")
    .heading(Heading::of("w").or_in_words("w = {} shares"));
pub const NEEDED: Entry = Entry::of::<u64>("needed", "Shares that restore it").headed("m");
pub const SHARE_BITS: Entry = Entry::of::<u64>("share_bits", "Bits of a share, with its checksum")
    .unit("bits")
    .headed("share");
pub const OVERHEAD: Entry = Entry::of::<f64>("overhead", "Bits sent for a bit of a message").less();
pub const PLAIN_BIT_TIMES: Entry = Entry::of::<u64>(
    "bit_times_without_shares",
    "Bit times of as many packets without redundancy",
)
.unit("bit times")
.behind(Behind::BitTimes)
.headed("without shares");
pub const CUTS: Entry =
    Entry::of::<Vec<CutWire>>("cuts", "The wires that fail").behind(Behind::WireUse);
pub const RESTORED: Entry = Entry::of::<u64>("restored", "Messages restored")
    .more()
    .behind(Behind::WireUse);
pub const LOST: Entry = Entry::of::<u64>("lost", "Messages reported as lost")
    .less()
    .behind(Behind::WireUse)
    .headed("lost");
pub const WRONG: Entry = Entry::of::<u64>("wrong", "Messages that are wrong and not reported")
    .less()
    .behind(Behind::WireUse)
    .headed("wrong");
pub const SURVIVED: Entry =
    Entry::of::<u64>("survived", "Messages restored though shares were damaged")
        .behind(Behind::WireUse)
        .headed("survived");
pub const DAMAGED_SHARES: Entry =
    Entry::of::<u64>("damaged_shares", "Shares whose checksum is wrong")
        .less()
        .behind(Behind::WireUse)
        .headed("damaged shares")
        .panel("Shares damaged", "shares");
pub const MOST_DAMAGED: Entry = Entry::of::<u64>(
    "most_damaged_shares_of_a_message",
    "Damaged shares of the message that has most of them",
)
.less()
.behind(Behind::WireUse);
pub const LOST_SHARE: Entry = Entry::of::<f64>("lost_share", "Share of the messages that are lost")
    .less()
    .of_rows()
    .panel("Messages lost", "share of all");

pub const POINTS_A_SIDE: Entry = Entry::of::<u64>("points_a_side", "Points of the grid on a side")
    .heading(Heading::of("M").or_in_words("M = {}"));
pub const WORD_BITS: Entry = Entry::of::<u64>("word_bits", "Bits of a point's word").unit("bits");
pub const PROCESSES_A_SIDE: Entry =
    Entry::of::<u64>("processes_a_side", "Processes on a side").headed("P");
pub const BLOCK_SIDE: Entry =
    Entry::of::<u64>("block_side", "Points of a process's block on a side").headed("words");
pub const SWEEPS: Entry =
    Entry::of::<u64>("sweeps", "Sweeps of the relaxation").behind(Behind::BitTimes);
pub const BIT_TIMES_A_SWEEP: Entry =
    Entry::of::<Vec<u64>>("bit_times_a_sweep", "Bit times of each sweep")
        .unit("bit times")
        .behind(Behind::BitTimes);
pub const BIT_TIMES_IN_ALL: Entry = Entry::of::<u64>("bit_times_in_all", "Bit times of all sweeps")
    .unit("bit times")
    .less()
    .behind(Behind::BitTimes);
pub const WORDS_A_SWEEP: Entry =
    Entry::of::<u64>("words_a_sweep", "Words sent in a sweep").behind(Behind::BitTimes);
pub const WORDS_IN_ALL: Entry =
    Entry::of::<u64>("words_in_all", "Words sent in all sweeps").behind(Behind::BitTimes);
pub const NODE_BITS_A_SWEEP: Entry = Entry::of::<u64>(
    "node_bits_a_sweep",
    "Bits of words that the processes of a node send in a sweep",
)
.unit("bits")
.behind(Behind::BitTimes)
.headed("bits a node")
.panel("Sent in a sweep", "bits a node");
pub const DRIVEN_BITS_A_SWEEP: Entry = Entry::of::<f64>(
    "driven_bits_a_sweep",
    "Bits of packets that a node drives in a sweep, on the average",
)
.unit("bits")
.behind(Behind::BitTimes);

/// Of a phase: what is embedded, and its messages.
pub const OF_PHASES: &[Entry] = &[
    GUEST,
    THEOREM,
    GUEST_VERTICES,
    GUEST_EDGES,
    BOTH_WAYS,
    WIDTH,
    DILATION,
    CONGESTION,
    GUEST_LOAD,
    EXPANSION,
    ORDER,
    MESSAGE_BITS,
    PACKETS,
    PACKET_BITS,
    START_UP,
];

/// Of a dispersal: the paths, and the shares of its messages.
pub const OF_DISPERSALS: &[Entry] = &[
    OVER,
    GUEST,
    WIDTH,
    DILATION,
    CONGESTION,
    ORDER,
    MESSAGE_BITS,
    SHARES,
    NEEDED,
    SHARE_BITS,
    START_UP,
    OVERHEAD,
];

/// Of a relaxation: the grid, and its messages.
pub const OF_RELAXATIONS: &[Entry] = &[
    GUEST,
    THEOREM,
    POINTS_A_SIDE,
    WORD_BITS,
    PROCESSES_A_SIDE,
    BLOCK_SIDE,
    GUEST_LOAD,
    WIDTH,
    ORDER,
    MESSAGE_BITS,
    PACKETS,
    PACKET_BITS,
    START_UP,
];

/// Of the schedule of packets.
pub const OF_CELLS: &[Entry] = &[COST_STEPS, CELLS, PACKETS_HELD];

/// Of what came of a phase.
pub const ENDED_PHASES: &[Entry] = &[
    PAPER,
    COST_PAPER,
    CORRECTED,
    COST_CORRECTED,
    Entry::of::<Option<u64>>(
        "node_bits",
        "Bits that a node sends in the phase, where that was asked for",
    )
    .unit("bits")
    .of_rows(),
    BITS_A_BIT_TIME,
];

/// Of what came of a dispersal.
pub const ENDED_DISPERSALS: &[Entry] = &[
    PLAIN_BIT_TIMES,
    CUTS,
    Entry::of::<u64>("cut_wires", "How many wires fail").of_rows(),
    RESTORED,
    LOST,
    WRONG,
    SURVIVED,
    DAMAGED_SHARES,
    MOST_DAMAGED,
    LOST_SHARE,
];

/// Of what came of a relaxation.
pub const ENDED_RELAXATIONS: &[Entry] = &[
    SWEEPS,
    BIT_TIMES_A_SWEEP,
    BIT_TIMES_IN_ALL,
    WORDS_A_SWEEP,
    WORDS_IN_ALL,
    NODE_BITS_A_SWEEP,
    DRIVEN_BITS_A_SWEEP,
];
