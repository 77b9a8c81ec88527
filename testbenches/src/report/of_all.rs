//! Entries of every report and every row, and those that several testbenches have.

use crate::report::{
    BIT_TIMES, Behind, Check, Depth, Entry, FORWARDING_BUFFER, Heading, Meta, Outputs, OverSeeds,
    Peak, ROUTING_STEPS, Route, STORAGE, StorageBits, Topology, coverage,
};

/// The testbench.
pub const BENCH: Entry = Entry::of::<String>("bench", "The testbench");
/// Dimensions of the network.
pub const DIMS: Entry = Entry::part("topology.dims").column("dims");
/// Nodes of the network.
pub const NODES: Entry = Entry::part("topology.nodes")
    .column("nodes")
    .heading(Heading::of("nodes").or_in_words("{} nodes"));
/// Wires between nodes, one for each direction.
pub const DIRECTED_WIRES: Entry = Entry::part("topology.directed_wires").column("directed_wires");
/// Of messages.
pub const PAYLOAD_BITS: Entry = Entry::of::<Option<u64>>(
    "payload_bits",
    "Payload bits of a message; none, or 0, where no message is sent",
)
.unit("bits");
/// The schedule.
pub const SCHEDULE: Entry = Entry::of::<Option<String>>(
    "schedule",
    "The schedule, or the router, where there is a choice",
);
/// The traffic.
pub const TRAFFIC: Entry = Entry::of::<String>("traffic", "The pattern or the file");
/// Its load.
pub const LOAD: Entry = Entry::of::<Option<f64>>(
    "load",
    "The share of nodes that send; none where traffic comes from a file",
);
/// The seed, in a column where there are several.
pub const SEED: Entry = Entry::of::<u64>("seed", "What random choices were drawn from")
    .heading(Heading::of("seed").if_rows_differ());
/// What was sent.
pub const MESSAGES: Entry = Entry::of::<u64>(
    "messages",
    "Messages sent, or what else is compared in the end",
);
/// What of it arrived.
pub const DELIVERED: Entry =
    Entry::of::<u64>("delivered", "Of them, those that are as they should be").more();
/// Gates on the longest path between registers.
pub const LOGIC_DEPTH: Entry = Entry::part("logic_depth.total")
    .column("logic_depth")
    .less()
    .headed("depth")
    .panel("Logic depth", "gates between registers");
/// Of a node alone.
pub const LOGIC_DEPTH_NODE: Entry = Entry::part("logic_depth.node")
    .column("logic_depth_node")
    .less();
/// Of the sequencer.
pub const LOGIC_DEPTH_SEQUENCER: Entry = Entry::part("logic_depth.sequencer")
    .column("logic_depth_sequencer")
    .less();
/// The time of the run, in gates.
pub const GATE_DELAYS: Entry =
    Entry::of::<Option<u64>>("gate_delays", "Bit times times logic depth")
        .unit("gate delays")
        .less()
        .of_rows()
        .headed("gate delays")
        .panel("Bit times x logic depth", "gate delays");
/// The most messages at a node.
pub const PEAK_MESSAGES: Entry = Entry::part("peak.messages_per_node")
    .column("peak_messages_per_node")
    .unit("messages")
    .less()
    .bounded_by("messages_per_node_bound", "messages_per_node_bound_text");
/// The most bits of messages at a node.
pub const PEAK_OCCUPIED: Entry = Entry::part("peak.occupied_bits_per_node")
    .column("peak_occupied_bits_per_node")
    .unit("bits")
    .less()
    .bounded_by("occupied_bits_bound", "occupied_bits_bound_text");
/// Serial adders of a node.
pub const SERIAL_ADDERS: Entry =
    Entry::of::<Option<u64>>("serial_adders_per_node", "Serial adders of a node").less();
/// The share of the wires' bit times that is used, or given out.
pub const WIRE_USE: Entry = Entry::of::<Option<f64>>(
    "wire_use",
    "Share of the wires' bit times that are used, or given out",
)
.panel("Wires that carry packets", "share of all");
/// Wires that a node drives.
pub const WIRES_PER_NODE: Entry = Entry::of::<u64>("wires_per_node", "Wires that a node drives")
    .less()
    .of_rows()
    .headed("wires");

/// What every report and every row has.
pub const ALL: &[Entry] = &[
    BENCH,
    Entry::of::<String>("models", "What it models"),
    Entry::of::<String>("source", "Paper and section"),
    Entry::of::<Topology>("topology", "The network"),
    DIMS,
    NODES,
    DIRECTED_WIRES,
    PAYLOAD_BITS,
    SCHEDULE,
    TRAFFIC,
    LOAD,
    SEED,
    MESSAGES,
    DELIVERED,
    BIT_TIMES.of,
    BIT_TIMES.form,
    Entry::of::<Option<StorageBits>>("storage_bits_per_node", "Register bits of a node")
        .unit("bits"),
    STORAGE.of,
    STORAGE.form,
    Entry::of::<Option<Depth>>(
        "logic_depth",
        "Gates on the longest path from a register to a register",
    )
    .unit("gates"),
    LOGIC_DEPTH_NODE,
    LOGIC_DEPTH_SEQUENCER,
    LOGIC_DEPTH,
    Entry::of::<Option<Peak>>(
        "peak",
        "The most that a node ever held; none where nobody counts",
    ),
    PEAK_MESSAGES,
    PEAK_OCCUPIED,
    FORWARDING_BUFFER.of,
    SERIAL_ADDERS,
    WIRE_USE,
    Entry::of::<f64>(
        "bytes_per_node",
        "Memory of the run, as it was estimated: registers, wires, traffic, scoreboard",
    )
    .less()
    .unit("bytes"),
    Entry::of::<Option<f64>>(
        "simulation_seconds",
        "Spent ticking; none where what the work took is not said",
    )
    .less()
    .unit("s"),
    Entry::of::<Route>("route", "The route of one message, where that was asked for"),
    Entry::of::<coverage::Told>(
        "coverage",
        "What has risen and fallen, where that was asked for",
    ),
    Entry::of::<OverSeeds>(
        "over_seeds",
        "What further runs say, with other seeds, where these were asked for",
    ),
    Entry::of::<Outputs>("outputs", "Files written"),
    Entry::of::<Vec<Check>>("checks", "A verdict each"),
    WIRES_PER_NODE,
    GATE_DELAYS,
    Entry::of::<bool>("passed", "All checks hold"),
    Entry::of::<String>(
        "failed",
        "The checks that do not hold, with semicolons between",
    )
    .of_rows(),
    Entry::of::<Option<f64>>(
        "wall_seconds",
        "What the point took, meters and scoreboard included, beside others at the same time; none where what the work took is not \
         said",
    )
    .less()
    .unit("s")
    .of_rows(),
    Entry::of::<Meta>("meta", "Where it comes from"),
];

/// Of what goes in steps: packets over a wire, one after the other.
pub const OF_STEPS: &[Entry] = &[ROUTING_STEPS.of, ROUTING_STEPS.form];

/// Of what nodes hold to send on.
pub const OF_FORWARDING: &[Entry] = &[FORWARDING_BUFFER.form];

/// Of machines that a sequencer steers.
pub const SEQUENCER: Entry = Entry::of::<Option<u64>>(
    "sequencer_storage_bits",
    "Register bits of the sequencer, one for the machine",
)
.unit("bits")
.less()
.behind(Behind::Storage);
