//! What reports and rows of worms have beside what all have.

use crate::families::wormhole::report::{
    Bounds, ChannelPeak, DeadlockReport, DependencyGraph, Latency, RoundTripLatencies, Router,
    StallReport, Throughput, Undelivered, Wires,
};
use crate::report::Entry;

/// The entries.
pub const OF_WORMS: &[Entry] = &[
    Entry::of::<Router>("router", "The routers"),
    Entry::part("router.network").column("network"),
    Entry::part("router.network_file").column("network_file"),
    Entry::part("router.routes_file").column("routes_file"),
    Entry::part("router.routing").column("routing"),
    Entry::part("router.radix").column("radix"),
    Entry::part("router.virtual_channels").column("virtual_channels"),
    Entry::part("router.wire_bits").column("wire_bits").unit("wires"),
    Entry::part("router.buffer_bits").column("buffer_bits").unit("bits"),
    Entry::part("router.switch").column("switch"),
    Entry::part("router.copies").column("copies"),
    Entry::part("router.pieces").column("pieces"),
    Entry::part("router.host_wires").column("host_wires"),
    Entry::of::<DependencyGraph>("dependencies", "The channel dependency graph of network and routing"),
    Entry::of::<Option<Bounds>>("bit_times_bounds", "Within which bit times are, if all messages arrive").unit("bit times"),
    Entry::part("bit_times_bounds.lower").column("bit_times_lower_bound"),
    Entry::of::<Option<Latency>>("latency", "From the creation of a message to the arrival of its last bit"),
    Entry::part("latency.average").column("latency_average").unit("bit times").less(),
    Entry::part("latency.average_half_width").column("latency_half_width").unit("bit times"),
    Entry::part("latency.percentile_50").column("latency_50").unit("bit times").less(),
    Entry::part("latency.percentile_95").column("latency_95").unit("bit times").less(),
    Entry::part("latency.percentile_99").column("latency_99").unit("bit times").less(),
    Entry::part("latency.largest").column("latency_largest").unit("bit times").less(),
    Entry::part("latency.average_in_network").column("latency_in_network").unit("bit times").less(),
    Entry::part("latency.average_of_worms_in_network").column("latency_of_worms_in_network").unit("bit times").less(),
    Entry::part("latency.average_hops").column("hops").unit("links"),
    Entry::of::<Option<RoundTripLatencies>>("round_trips", "Where messages are answered: of requests, of replies, and from a request to its reply")
        .unit("bit times"),
    Entry::of::<Option<Throughput>>("throughput", "Message bits by node and bit time, under continuous injection"),
    Entry::part("throughput.offered_load").column("offered_load").unit("message bits a node and bit time"),
    Entry::part("throughput.created").column("created").unit("message bits a node and bit time"),
    Entry::part("throughput.accepted").column("accepted").unit("message bits a node and bit time").more(),
    Entry::part("throughput.accepted_half_width").column("accepted_half_width").unit("message bits a node and bit time"),
    Entry::part("throughput.saturated").column("saturated"),
    Entry::part("throughput.verdict").column("verdict"),
    Entry::part("throughput.growth_exponent").column("growth_exponent"),
    Entry::part("throughput.warm_up.is_long_enough").column("warm_up_is_long_enough"),
    Entry::of::<Vec<ChannelPeak>>("channels", "The most bits in input channels of each kind, all nodes together"),
    Entry::of::<Wires>("wires", "Bits over links"),
    Entry::of::<Vec<StallReport>>("stalls", "Why bits stood still"),
    Entry::of::<Option<DeadlockReport>>("deadlock", "Channels that wait for each other in a circle"),
    Entry::part("deadlock.began").unit("bit times"),
    Entry::part("bit_times_bounds.upper").unit("bit times"),
    Entry::part("throughput.warm_up.truncation").unit("bit times"),
    Entry::part("throughput.phases").unit("bit times"),
    Entry::part("deadlock.bit_time").column("deadlock").unit("bit times"),
    Entry::of::<Option<Undelivered>>("undelivered", "Worms that did not arrive, of a run that ended before they could"),
    Entry::of::<u64>("message_bits", "Bits of the longest message, headers not counted").unit("bits").of_rows(),
    Entry::of::<Option<f64>>("bit_times_per_message_bit", "Bit times of a run in which all arrive, divided by the bits of a message").less().of_rows(),
    Entry::of::<Option<u64>>("bit_times_storage", "The bit times of such a run times the register bits of a node").less().of_rows(),
    Entry::of::<Option<u64>>("warm_up", "Bit times before the measurement").unit("bit times").of_rows(),
    Entry::of::<Option<u64>>("measurement", "Bit times of the measurement").unit("bit times").of_rows(),
    Entry::of::<bool>("can_deadlock", "The channel dependency graph has a circle: there is traffic that can bring a deadlock").of_rows(),
    Entry::of::<Option<u64>>("deadlocks_of_seeds", "Of all seeds of the point together, the same in each of their rows: deadlocks").less().of_rows(),
    Entry::of::<Option<f64>>("bit_times_of_seeds", "Of all seeds: bit times, on the average").unit("bit times").less().of_rows(),
    Entry::of::<Option<f64>>("bit_times_of_seeds_half_width", "Half of the width of its 95 % confidence interval").unit("bit times").of_rows(),
    Entry::of::<Option<f64>>("latency_of_seeds", "Of all seeds: the latency, on the average").unit("bit times").less().of_rows(),
    Entry::of::<Option<f64>>("latency_of_seeds_half_width", "Half of the width of its 95 % confidence interval").unit("bit times").of_rows(),
    Entry::of::<Option<f64>>("accepted_of_seeds", "Of all seeds: what is accepted, on the average").unit("message bits a node and bit time").more().of_rows(),
    Entry::of::<Option<f64>>("accepted_of_seeds_half_width", "Half of the width of its 95 % confidence interval")
        .unit("message bits a node and bit time")
        .of_rows(),
    Entry::of::<Option<f64>>("saturation_of_seeds", "Of all seeds: the load at which it saturates, on the average")
        .unit("message bits a node and bit time")
        .more()
        .of_rows(),
    Entry::of::<Option<f64>>("saturation_of_seeds_half_width", "Half of the width of its 95 % confidence interval")
        .unit("message bits a node and bit time")
        .of_rows(),
    Entry::of::<Option<f64>>("saturation_lower", "Where the load was looked for: the largest one found that is carried; the other readings are of the run with it")
        .unit("message bits a node and bit time")
        .more()
        .of_rows(),
    Entry::of::<Option<f64>>("saturation_upper", "The smallest one found that is not carried").unit("message bits a node and bit time").of_rows(),
    Entry::of::<Option<f64>>("saturation", "The middle of both").unit("message bits a node and bit time").more().of_rows(),
    Entry::of::<Option<f64>>("latency_bound", "The latency above which a load is not carried").unit("bit times").of_rows(),
    Entry::of::<Option<f64>>("zero_load_latency", "The latency at a light load").unit("bit times").less().of_rows(),
    Entry::of::<Option<u64>>("runs", "Runs that the search took").of_rows(),
    Entry::of::<Option<String>>("passed_by", "Why the upper load is not carried").of_rows(),
];

/// Of projects alone.
pub const OF_PROJECTS: &[Entry] = &[
    Entry::of::<String>("network", "The network"),
    Entry::of::<u64>("switches_per_node", "Switches of a node"),
    Entry::of::<u64>(
        "message_bits",
        "Bits of the longest message, headers not counted",
    )
    .unit("bits"),
    Entry::of::<u64>("messages", "Worms of the first round"),
    Entry::of::<Option<u64>>(
        "bit_times",
        "Bit times until all worms of the first round have arrived; none where they never do",
    )
    .unit("bit times"),
    Entry::of::<Vec<String>>(
        "from_host",
        "Ports that hosts drive, a bit for each switch of each node",
    ),
    Entry::of::<Vec<String>>(
        "to_host",
        "Ports that hosts read, a bit for each switch of each node",
    ),
];
