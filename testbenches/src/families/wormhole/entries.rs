//! What reports and rows of worms have beside what all have.

use crate::families::wormhole::report::{
    Bounds, ChannelPeak, DeadlockReport, DependencyGraph, Latency, RoundTripLatencies, Router,
    StallReport, Throughput, Undelivered, Wires,
};
use crate::report::{Behind, Entry, Heading};

/// What loads are counted in.
const LOAD: &str = "message bits a node and bit time";

pub const ROUTER: Entry = Entry::of::<Router>("router", "The routers");
pub const NETWORK: Entry = Entry::part("router.network")
    .column("network")
    .heading(Heading::of("network").left());
pub const NETWORK_FILE: Entry = Entry::part("router.network_file").column("network_file");
pub const ROUTES_FILE: Entry = Entry::part("router.routes_file").column("routes_file");
pub const ROUTING: Entry = Entry::part("router.routing").column("routing");
pub const RADIX: Entry = Entry::part("router.radix")
    .column("radix")
    .heading(Heading::of("radix").or_in_words("radix {}"));
pub const VIRTUAL_CHANNELS: Entry = Entry::part("router.virtual_channels")
    .column("virtual_channels")
    .heading(Heading::of("V").or_in_words("V = {}"));
pub const WIRE_BITS: Entry = Entry::part("router.wire_bits")
    .column("wire_bits")
    .unit("wires")
    .heading(Heading::of("W").or_in_words("W = {}"));
pub const BUFFER_BITS: Entry = Entry::part("router.buffer_bits")
    .column("buffer_bits")
    .unit("bits")
    .heading(Heading::of("b").or_in_words("b = {}"));
pub const SWITCH: Entry = Entry::part("router.switch")
    .column("switch")
    .heading(Heading::of("switch").left().or_in_words("switch {}"));
pub const COPIES: Entry = Entry::part("router.copies").column("copies");
pub const PIECES: Entry = Entry::part("router.pieces").column("pieces");
pub const HOST_WIRES: Entry = Entry::part("router.host_wires")
    .column("host_wires")
    .headed("host wires");
pub const DEPENDENCIES: Entry = Entry::of::<DependencyGraph>(
    "dependencies",
    "The channel dependency graph of network and routing",
);
pub const BOUNDS: Entry = Entry::of::<Option<Bounds>>(
    "bit_times_bounds",
    "Within which bit times are, if all messages arrive",
)
.unit("bit times")
.behind(Behind::BitTimes);
pub const LOWER_BOUND: Entry = Entry::part("bit_times_bounds.lower")
    .column("bit_times_lower_bound")
    .headed("at least");
pub const LATENCY: Entry = Entry::of::<Option<Latency>>(
    "latency",
    "From the creation of a message to the arrival of its last bit",
)
.behind(Behind::BitTimes);
pub const LATENCY_AVERAGE: Entry = Entry::part("latency.average")
    .column("latency_average")
    .unit("bit times")
    .less()
    .heading(Heading::of("latency").digits(1));
pub const LATENCY_HALF_WIDTH: Entry = Entry::part("latency.average_half_width")
    .column("latency_half_width")
    .unit("bit times")
    .heading(Heading::of("+-").digits(1));
pub const LATENCY_50: Entry = Entry::part("latency.percentile_50")
    .column("latency_50")
    .unit("bit times")
    .less()
    .heading(Heading::of("50 %").digits(0));
pub const LATENCY_95: Entry = Entry::part("latency.percentile_95")
    .column("latency_95")
    .unit("bit times")
    .less()
    .heading(Heading::of("95 %").digits(0));
pub const LATENCY_99: Entry = Entry::part("latency.percentile_99")
    .column("latency_99")
    .unit("bit times")
    .less()
    .heading(Heading::of("99 %").digits(0));
pub const LATENCY_LARGEST: Entry = Entry::part("latency.largest")
    .column("latency_largest")
    .unit("bit times")
    .less();
pub const LATENCY_IN_NETWORK: Entry = Entry::part("latency.average_in_network")
    .column("latency_in_network")
    .unit("bit times")
    .less()
    .heading(Heading::of("in network").digits(1));
pub const LATENCY_OF_WORMS: Entry = Entry::part("latency.average_of_worms_in_network")
    .column("latency_of_worms_in_network")
    .unit("bit times")
    .less();
pub const HOPS: Entry = Entry::part("latency.average_hops")
    .column("hops")
    .unit("links")
    .heading(Heading::of("hops").digits(2));
pub const ROUND_TRIPS: Entry = Entry::of::<Option<RoundTripLatencies>>(
    "round_trips",
    "Where messages are answered: of requests, of replies, and from a request to its reply",
)
.unit("bit times")
.behind(Behind::BitTimes);
pub const THROUGHPUT: Entry = Entry::of::<Option<Throughput>>(
    "throughput",
    "Message bits by node and bit time, under continuous injection",
)
.behind(Behind::BitTimes);
pub const OFFERED_LOAD: Entry = Entry::part("throughput.offered_load")
    .column("offered_load")
    .unit(LOAD)
    .heading(Heading::of("offered").or_in_words("offered load {}"));
pub const CREATED: Entry = Entry::part("throughput.created")
    .column("created")
    .unit(LOAD)
    .heading(Heading::of("created").digits(3));
pub const ACCEPTED: Entry = Entry::part("throughput.accepted")
    .column("accepted")
    .unit(LOAD)
    .more()
    .heading(Heading::of("accepted").digits(3));
pub const ACCEPTED_HALF_WIDTH: Entry = Entry::part("throughput.accepted_half_width")
    .column("accepted_half_width")
    .unit(LOAD);
pub const SATURATED: Entry = Entry::part("throughput.saturated").column("saturated");
pub const VERDICT: Entry = Entry::part("throughput.verdict")
    .column("verdict")
    .heading(Heading::of("verdict").left());
pub const GROWTH_EXPONENT: Entry =
    Entry::part("throughput.growth_exponent").column("growth_exponent");
pub const WARM_UP_IS_LONG_ENOUGH: Entry =
    Entry::part("throughput.warm_up.is_long_enough").column("warm_up_is_long_enough");
pub const CHANNELS: Entry = Entry::of::<Vec<ChannelPeak>>(
    "channels",
    "The most bits in input channels of each kind, all nodes together",
)
.behind(Behind::Peak);
pub const WIRES: Entry = Entry::of::<Wires>("wires", "Bits over links").behind(Behind::Peak);
pub const LARGEST_LOAD: Entry = Entry::part("wires.largest_load")
    .column("largest_wire_load")
    .unit("bits")
    .less();
pub const STALLED: Entry = Entry::of::<Option<u64>>(
    "stalled",
    "Channels in which bits stood still, summed over bit times, whatever the cause",
)
.unit("channels times bit times")
.less()
.of_rows();
pub const STALLS: Entry =
    Entry::of::<Vec<StallReport>>("stalls", "Why bits stood still").behind(Behind::Peak);
pub const DEADLOCK: Entry = Entry::of::<Option<DeadlockReport>>(
    "deadlock",
    "Channels that wait for each other in a circle",
)
.behind(Behind::WireUse);
pub const DEADLOCK_BIT_TIME: Entry = Entry::part("deadlock.bit_time")
    .column("deadlock")
    .unit("bit times");
pub const UNDELIVERED: Entry = Entry::of::<Option<Undelivered>>(
    "undelivered",
    "Worms that did not arrive, of a run that ended before they could",
)
.behind(Behind::WireUse);

pub const MESSAGE_BITS: Entry = Entry::of::<u64>(
    "message_bits",
    "Bits of the longest message, headers not counted",
)
.unit("bits")
.of_rows()
.heading(Heading::of("M").or_in_words("M = {}"));
pub const BIT_TIMES_PER_MESSAGE_BIT: Entry = Entry::of::<Option<f64>>(
    "bit_times_per_message_bit",
    "Bit times of a run in which all arrive, divided by the bits of a message",
)
.less()
.of_rows()
.heading(Heading::of("T/M").digits(2));
pub const BIT_TIMES_STORAGE: Entry = Entry::of::<Option<u64>>(
    "bit_times_storage",
    "The bit times of such a run times the register bits of a node",
)
.less()
.of_rows()
.headed("T x storage");
pub const WARM_UP: Entry = Entry::of::<Option<u64>>("warm_up", "Bit times before the measurement")
    .unit("bit times")
    .of_rows();
pub const MEASUREMENT: Entry =
    Entry::of::<Option<u64>>("measurement", "Bit times of the measurement")
        .unit("bit times")
        .of_rows();
pub const CAN_DEADLOCK: Entry = Entry::of::<bool>(
    "can_deadlock",
    "The channel dependency graph has a circle: there is traffic that can bring a deadlock",
)
.of_rows()
.headed("can deadlock");

pub const DEADLOCKS_OF_SEEDS: Entry = Entry::of::<Option<u64>>(
    "deadlocks_of_seeds",
    "Of all seeds of the point together, the same in each of their rows: deadlocks",
)
.less()
.of_rows();
const HALF_WIDTH: &str = "Half of the width of its 95 % confidence interval";
pub const BIT_TIMES_OF_SEEDS: [Entry; 2] = [
    Entry::of::<Option<f64>>(
        "bit_times_of_seeds",
        "Of all seeds: bit times, on the average",
    )
    .unit("bit times")
    .less()
    .of_rows(),
    Entry::of::<Option<f64>>("bit_times_of_seeds_half_width", HALF_WIDTH)
        .unit("bit times")
        .of_rows(),
];
pub const LATENCY_OF_SEEDS: [Entry; 2] = [
    Entry::of::<Option<f64>>(
        "latency_of_seeds",
        "Of all seeds: the latency, on the average",
    )
    .unit("bit times")
    .less()
    .of_rows(),
    Entry::of::<Option<f64>>("latency_of_seeds_half_width", HALF_WIDTH)
        .unit("bit times")
        .of_rows(),
];
pub const ACCEPTED_OF_SEEDS: [Entry; 2] = [
    Entry::of::<Option<f64>>(
        "accepted_of_seeds",
        "Of all seeds: what is accepted, on the average",
    )
    .unit(LOAD)
    .more()
    .of_rows(),
    Entry::of::<Option<f64>>("accepted_of_seeds_half_width", HALF_WIDTH)
        .unit(LOAD)
        .of_rows(),
];
pub const SATURATION_OF_SEEDS: [Entry; 2] = [
    Entry::of::<Option<f64>>(
        "saturation_of_seeds",
        "Of all seeds: the load at which it saturates, on the average",
    )
    .unit(LOAD)
    .more()
    .of_rows(),
    Entry::of::<Option<f64>>("saturation_of_seeds_half_width", HALF_WIDTH)
        .unit(LOAD)
        .of_rows(),
];

// Where the load was looked for.

pub const LOWER: Entry = Entry::of::<Option<f64>>(
    "saturation_lower",
    "Where the load was looked for: the largest one found that is carried; the other readings are of the run with it",
)
.unit(LOAD)
.more()
.of_rows()
.heading(Heading::of("carries").digits(4));
pub const UPPER: Entry = Entry::of::<Option<f64>>(
    "saturation_upper",
    "The smallest one found that is not carried",
)
.unit(LOAD)
.of_rows()
.heading(Heading::of("not").digits(4));
pub const MIDDLE: Entry = Entry::of::<Option<f64>>("saturation", "The middle of both")
    .unit(LOAD)
    .more()
    .of_rows();
pub const LATENCY_BOUND: Entry = Entry::of::<Option<f64>>(
    "latency_bound",
    "The latency above which a load is not carried",
)
.unit("bit times")
.of_rows()
.heading(Heading::of("bound").digits(1));
pub const ZERO_LOAD: Entry =
    Entry::of::<Option<f64>>("zero_load_latency", "The latency at a light load")
        .unit("bit times")
        .less()
        .of_rows()
        .heading(Heading::of("zero load").digits(1));
pub const RUNS: Entry = Entry::of::<Option<u64>>("runs", "Runs that the search took").of_rows();
pub const PASSED_BY: Entry =
    Entry::of::<Option<String>>("passed_by", "Why the upper load is not carried")
        .of_rows()
        .heading(Heading::of("by").left());

/// The entries.
pub const OF_WORMS: &[Entry] = &[
    ROUTER,
    NETWORK,
    NETWORK_FILE,
    ROUTES_FILE,
    ROUTING,
    RADIX,
    VIRTUAL_CHANNELS,
    WIRE_BITS,
    BUFFER_BITS,
    SWITCH,
    COPIES,
    PIECES,
    HOST_WIRES,
    DEPENDENCIES,
    BOUNDS,
    LOWER_BOUND,
    LATENCY,
    LATENCY_AVERAGE,
    LATENCY_HALF_WIDTH,
    LATENCY_50,
    LATENCY_95,
    LATENCY_99,
    LATENCY_LARGEST,
    LATENCY_IN_NETWORK,
    LATENCY_OF_WORMS,
    HOPS,
    ROUND_TRIPS,
    THROUGHPUT,
    OFFERED_LOAD,
    CREATED,
    ACCEPTED,
    ACCEPTED_HALF_WIDTH,
    SATURATED,
    VERDICT,
    GROWTH_EXPONENT,
    WARM_UP_IS_LONG_ENOUGH,
    CHANNELS,
    WIRES,
    LARGEST_LOAD,
    STALLS,
    STALLED,
    DEADLOCK,
    Entry::part("deadlock.began").unit("bit times"),
    Entry::part("bit_times_bounds.upper").unit("bit times"),
    Entry::part("throughput.warm_up.truncation").unit("bit times"),
    Entry::part("throughput.phases").unit("bit times"),
    DEADLOCK_BIT_TIME,
    UNDELIVERED,
    MESSAGE_BITS,
    BIT_TIMES_PER_MESSAGE_BIT,
    BIT_TIMES_STORAGE,
    WARM_UP,
    MEASUREMENT,
    CAN_DEADLOCK,
    DEADLOCKS_OF_SEEDS,
    BIT_TIMES_OF_SEEDS[0],
    BIT_TIMES_OF_SEEDS[1],
    LATENCY_OF_SEEDS[0],
    LATENCY_OF_SEEDS[1],
    ACCEPTED_OF_SEEDS[0],
    ACCEPTED_OF_SEEDS[1],
    SATURATION_OF_SEEDS[0],
    SATURATION_OF_SEEDS[1],
    LOWER,
    UPPER,
    MIDDLE,
    LATENCY_BOUND,
    ZERO_LOAD,
    RUNS,
    PASSED_BY,
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
];
