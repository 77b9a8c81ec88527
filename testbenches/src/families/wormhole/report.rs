//! The report of a wormhole run: for people as text, for scripts as JSON.

mod checks;
mod make;
mod measured;
mod tables;
mod text;
mod undelivered;

use schemars::JsonSchema;
use serde::Serialize;

use crate::statistics::histogram::Bin;

pub(super) use checks::{BITS, DELIVERIES, ONE_WORM, checks};
pub use make::{Facts, report};
pub use undelivered::{Undelivered, UndeliveredWorm};

/// What a run of worms adds to a report.
#[derive(Clone, Debug)]
pub struct Worms {
    /// The routers.
    pub router: Router,
    /// The channel dependency graph of network and routing.
    pub dependencies: DependencyGraph,
    /// Within which bit times are, if all messages arrive.
    pub bit_times_bounds: Option<Bounds>,
    /// From creation to the last bit's arrival, in bit times.
    pub latency: Option<Latency>,
    /// Where messages are answered: of requests, of replies, and from a request to its reply.
    pub round_trips: Option<RoundTripLatencies>,
    /// Bits of the shortest message; the longest has `payload_bits`.
    pub shortest_message: usize,
    /// Under continuous injection.
    pub throughput: Option<Throughput>,
    /// Channels of one kind, all nodes together.
    pub channels: Vec<ChannelPeak>,
    /// Bits over links.
    pub wires: Wires,
    /// Why bits stood still.
    pub stalls: Vec<StallReport>,
    /// Channels that wait for each other.
    pub deadlock: Option<DeadlockReport>,
    /// Worms that did not arrive, of a run that ended before they could.
    pub undelivered: Option<Undelivered>,
}

/// The routers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Router {
    /// As on the command line.
    pub network: &'static str,
    /// The file that lists it, if one does.
    pub network_file: Option<String>,
    /// The file with its routing tables, if they are from one.
    pub routes_file: Option<String>,
    /// As on the command line, where the network is routed in several ways.
    pub routing: Option<&'static str>,
    /// Nodes in each dimension of a torus or mesh.
    pub radix: Option<usize>,
    /// Levels of cube-connected cycles, and of those of which there are copies.
    pub levels: Option<usize>,
    /// Of a straight link; of any link of a hypercube, torus, mesh or network from a file.
    pub virtual_channels: usize,
    /// Data wires of a link: so many bits cross it in a bit time.
    pub wire_bits: usize,
    /// Of each channel.
    pub buffer_bits: usize,
    /// `strong` or `weak`.
    pub switch: &'static str,
    /// Copies in use: pieces of a message at the most.
    pub copies: Option<usize>,
    /// How messages are cut, where they are: `by-way` or `even`.
    pub pieces: Option<&'static str>,
    /// Data wires from a node's host, as many to each of its switches as a link has; there are as many to it.
    pub host_wires: usize,
}

/// The channel dependency graph.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DependencyGraph {
    /// Kinds of channels: those of all columns are one; of a network from a file, classes of channels of each link.
    pub channel_kinds: usize,
    /// Dependencies between them.
    pub dependencies: usize,
    /// A shortest cycle; none if channels never wait in a circle.
    pub cycle: Option<Vec<String>>,
    /// Of adaptive routing: the escape channels, on which it depends whether worms can deadlock.
    pub escape: Option<EscapeGraph>,
    /// Deadlock is not excluded: the graph has a cycle, or where there are escape channels, theirs.
    pub can_deadlock: bool,
    /// The fewest virtual channels with which worms cannot deadlock.
    pub virtual_channels_without_cycle: Option<usize>,
}

/// The extended dependency graph of escape channels: those that a worm may take one after the other, with adaptive channels between
/// them or none.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EscapeGraph {
    /// Escape channels of a link.
    pub channels_of_link: usize,
    /// Kinds of escape channels.
    pub channel_kinds: usize,
    /// Dependencies between them.
    pub dependencies: usize,
    /// A shortest cycle; none if worms can always escape.
    pub cycle: Option<Vec<String>>,
}

/// Bounds of the bit times.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Bounds {
    /// At least.
    pub lower: u64,
    /// At most.
    pub upper: u64,
    /// What they are.
    pub text: &'static str,
}

/// Bit times from creation, and from injection, to arrival.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Latency {
    /// Messages.
    pub messages: u64,
    /// From creation to the tail's arrival.
    pub average: f64,
    /// Half of the width of its 95 % confidence interval, by batch means; under continuous injection, if there are enough
    /// messages.
    pub average_half_width: Option<f64>,
    /// Half of the messages took at most that.
    pub percentile_50: u64,
    /// 95 in 100 messages took at most that.
    pub percentile_95: u64,
    /// 99 in 100 messages took at most that.
    pub percentile_99: u64,
    /// The largest.
    pub largest: u64,
    /// In the network, averaged over messages: from the first bit sent of any of a message's worms until the last bit of all of
    /// them has arrived.
    pub average_in_network: f64,
    /// In the network, averaged over the worms of these messages: from the first bit sent of a worm until its last one has
    /// arrived. Where a message goes whole it is the same.
    pub average_of_worms_in_network: f64,
    /// Links that a worm crossed, averaged over all worms of these messages.
    pub average_hops: f64,
    /// How many messages had which latency.
    pub histogram: Vec<Bin>,
}

/// Bit times of requests and replies.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RoundTripLatencies {
    /// From a request's creation to its arrival.
    pub requests: Option<Times>,
    /// The same of replies.
    pub replies: Option<Times>,
    /// From a request's creation to the arrival of its reply.
    pub round_trips: Option<Times>,
}

/// Bit times of several messages.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Times {
    /// How many there are.
    pub messages: u64,
    /// Their average.
    pub average: f64,
    /// 99 in 100 are at most that.
    pub percentile_99: u64,
    /// The largest.
    pub largest: u64,
}

/// Message bits by node and bit time.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Throughput {
    /// How messages are created, as on the command line.
    pub injection: &'static str,
    /// As asked for; none in rows of a search for the load that is carried.
    #[schemars(with = "Option<f64>")]
    pub offered_load: f64,
    /// Created in the measurement; as what follows, only if the run lasted to its end.
    pub created: Option<f64>,
    /// Arrived in the measurement.
    pub accepted: Option<f64>,
    /// Half of the width of its 95 % confidence interval, by batch means; none of a short measurement.
    pub accepted_half_width: Option<f64>,
    /// The network does not carry what is offered; none, if that cannot be told.
    pub saturated: Option<bool>,
    /// `stable`, `saturated` or `undecided`.
    pub verdict: Option<&'static str>,
    /// As which power of time the backlog grew at last: about 0 of a network that carries its load, 1 of one that is saturated.
    pub growth_exponent: Option<f64>,
    /// Bit times before the measurement, of it, and after it at the most.
    pub phases: [u64; 3],
    /// When the warm-up was over.
    pub warm_up: Option<WarmUp>,
    /// Worms waiting or under way when the measurement began and ended.
    pub backlog: Option<[usize; 2]>,
}

/// When the warm-up was over.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct WarmUp {
    /// The rule.
    pub method: &'static str,
    /// Its length was asked for.
    pub is_given: bool,
    /// Bit times that the rule cuts off; none, if it would have a longer run.
    pub truncation: Option<u64>,
    /// The rule agrees that it was long enough; none of a network that is saturated, which has no steady state.
    pub is_long_enough: Option<bool>,
}

/// Of an input channel, the fullest of all nodes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChannelPeak {
    /// Its name.
    pub channel: String,
    /// The most bits in it.
    pub peak_bits: usize,
    /// The most that it holds.
    pub capacity_bits: usize,
}

/// Bits over links.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Wires {
    /// Links of the machine.
    pub links: usize,
    /// Data and control wires of a node to other nodes.
    pub wires_per_node: usize,
    /// Of them, data wires.
    pub data_wires_per_node: usize,
    /// Bits over the busiest link.
    pub largest_load: u64,
    /// Bits over a link on the average.
    pub mean_load: f64,
    /// By link of a node.
    pub by_link: Vec<LinkLoad>,
}

/// Bits over one link of all nodes.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LinkLoad {
    /// Its name.
    pub link: String,
    /// On the average over nodes.
    pub mean: f64,
    /// The most.
    pub largest: u64,
    /// The first node that sent as much.
    pub busiest_node: String,
}

/// Bits that stood still.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StallReport {
    /// Why.
    pub cause: &'static str,
    /// Channels, summed over bit times.
    pub channel_bit_times: u64,
}

/// A deadlock.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeadlockReport {
    /// The first bit time in which nothing moved; where other worms still moved, that in which it was found.
    pub bit_time: u64,
    /// The bit time in which the last channel of the circle began to wait for the next one, and the circle closed.
    pub began: Option<u64>,
    /// Worms under way; where nothing moves any more, those that will never arrive.
    pub worms: usize,
    /// Input channels, each with the worm in it and what it waits for: the next one, and the last for the first.
    pub cycle: Vec<Waiting>,
}

/// A channel that waits.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Waiting {
    /// Its node.
    pub node: String,
    /// Its name.
    pub channel: String,
    /// The message whose worm is in it.
    pub message: Option<String>,
}
