//! What reports and rows of several messages a node have beside what all have.

use crate::report::{Behind, Entry, Heading};

pub const SLOTS: Entry = Entry::of::<u64>(
    "slots",
    "Messages that a node may send: batches, H, or processors at a vertex",
);
pub const WIRES_BY_DIMENSION: Entry = Entry::of::<Vec<u64>>(
    "wires_by_dimension",
    "Wires that a node drives across each dimension, from 0",
);
pub const WIRES_PER_NODE: Entry = Entry::of::<u64>("wires_per_node", "Wires that a node drives")
    .less()
    .headed("wires");
pub const WIRE_COST: Entry = Entry::of::<Option<f64>>(
    "wire_cost",
    "What all wires of a node cost, in units of one across dimension 0, if one across d costs 1/(d+1) of that",
);
pub const BATCHES: Entry = Entry::of::<Option<u64>>("batches", "Batches, one behind the other");
pub const INTERVAL_BIT_TIMES: Entry =
    Entry::of::<Option<u64>>("interval_bit_times", "From one batch to the next")
        .unit("bit times")
        .less()
        .headed("P");
pub const SMALLEST_INTERVAL: Entry = Entry::form(
    "smallest_interval_formula",
    "",
    "The smallest interval that leaves every wire to one unit",
)
.unit("bit times");
pub const LATENCY: Entry = Entry::form(
    "latency_formula",
    "latency_text",
    "From the first bit of a batch in to the last one out",
)
.unit("bit times")
.column("latency_bit_times")
.less()
.headed("T");
pub const MESSAGES_A_NODE: Entry = Entry::of::<Option<f64>>(
    "messages_a_node_and_bit_time",
    "Messages delivered a node and bit time",
)
.more()
.behind(Behind::BitTimes);
pub const ROUTER_STORAGE: Entry = Entry::of::<Option<u64>>(
    "router_storage_bits_per_node",
    "Register bits of a node that are the router's, without outbox and inbox",
)
.unit("bits")
.less()
.behind(Behind::Storage)
.headed("router")
.panel("Storage of a node's router", "register bits");
pub const DEGREE: Entry =
    Entry::of::<u64>("degree", "The most messages that a node sends or receives");

pub const WHO: Entry = Entry::of::<String>(
    "who",
    "The schedule or the router, and how it carries the messages",
)
.of_rows()
.heading(Heading::of("who").left());
pub const ONE_AFTER_ANOTHER: Entry = Entry::of::<bool>(
    "one_after_another",
    "A router of one message a node, which carries them one after another",
)
.of_rows();
pub const FACTOR: Entry = Entry::of::<Option<f64>>(
    "factor",
    "Of processors that share a vertex, how many times as long as with one",
)
.less()
.of_rows()
.heading(Heading::of("factor").digits(2).if_any_has())
.panel("Times as long as with one processor", "bit times / T");
pub const SETS: Entry = Entry::of::<f64>(
    "sets_in_1000_bit_times",
    "Sets of messages, one of each node, in 1000 bit times",
)
.more()
.of_rows()
.heading(Heading::of("sets").digits(2))
.panel("Throughput", "sets of messages in 1000 bit times");
pub const SETS_BY_WIRE: Entry = Entry::of::<Option<f64>>(
    "sets_in_1000_bit_times_by_wire",
    "The same, divided by the wires of a node",
)
.more()
.of_rows()
.heading(Heading::of("a wire").digits(3))
.panel(
    "Throughput by the wires of a node",
    "sets in 1000 bit times and wire",
);
pub const SETS_BY_COST: Entry = Entry::of::<Option<f64>>(
    "sets_in_1000_bit_times_by_cost",
    "The same, divided by what the wires of a node cost",
)
.more()
.of_rows()
.heading(Heading::of("a c_0").digits(2));

/// Of the messages of a node, and of its wires.
pub const OF_WIRES: &[Entry] = &[SLOTS, WIRES_BY_DIMENSION, WIRES_PER_NODE, WIRE_COST];

/// Of machines in which batches follow each other.
pub const OF_PIPELINES: &[Entry] = &[BATCHES, INTERVAL_BIT_TIMES, SMALLEST_INTERVAL, LATENCY];

/// Of what came of them.
pub const OF_SEVERAL: &[Entry] = &[MESSAGES_A_NODE, ROUTER_STORAGE];

/// Of traffic in which nodes send and receive several.
pub const OF_RELATIONS: &[Entry] = &[DEGREE];

/// Of rows.
pub const OF_ROWS: &[Entry] = &[
    WHO,
    ONE_AFTER_ANOTHER,
    Entry::of::<Option<u64>>("h", "Messages H of a node, at the most").of_rows(),
    Entry::of::<Option<u64>>("processors", "Processors at a vertex").of_rows(),
    FACTOR,
    SETS,
    SETS_BY_WIRE,
    SETS_BY_COST,
];
