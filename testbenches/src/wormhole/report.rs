//! The report of a wormhole run: for people as text, for scripts as JSON.

mod text;

use rtl_model::meter::Storage;
use rtl_model::register::{Name, Registers, Visitor};
use rtl_model::router::Machine;
use rtl_model::topology::Topology as _;
use rtl_model::wormhole::dependencies::{self, Dependencies};
use rtl_model::wormhole::machine::WormholeMachine;
use rtl_model::wormhole::network::Network;
use rtl_model::wormhole::route::Place;
use serde::Serialize;

use crate::options::Setup;
use crate::report::{Check, Depth, Outputs, StorageBits, Topology};
use crate::wormhole::engine::Engine;
use crate::wormhole::meters::Stall;
use crate::wormhole::options::NAME;
use crate::wormhole::run::{Continuous, Lane, Outcome, Ran};
use crate::wormhole::traffic;

/// What it models, in a line.
pub const MODELS: &str = "bit-serial worms on cube-connected cycles, on their n copies in a hypercube, or in \
                          dimension order";
/// Paper and section.
pub const SOURCE: &str = "Greenberg and Bhatt 1990, sections 5 and 7";

/// Everything that a run says.
#[derive(Clone, Debug, Serialize)]
pub struct WormholeReport {
    /// The testbench.
    pub bench: &'static str,
    /// What it models.
    pub models: &'static str,
    /// Paper and section.
    pub source: &'static str,
    /// The network.
    pub topology: Topology,
    /// Levels of the cube-connected cycles, `n`.
    pub levels: usize,
    /// The routers.
    pub router: Router,
    /// The channel dependency graph of network and routing.
    pub dependencies: DependencyGraph,
    /// Bits of a message.
    pub payload_bits: usize,
    /// There is none.
    pub schedule: Option<&'static str>,
    /// The pattern or the file.
    pub traffic: String,
    /// The share of nodes that send; not for files, and not under continuous injection.
    pub load: Option<f64>,
    /// What random choices were drawn from.
    pub seed: u64,
    /// Messages sent.
    pub messages: usize,
    /// Messages at their destination, whole.
    pub delivered: usize,
    /// Measured.
    pub bit_times: u64,
    /// There is none.
    pub bit_times_formula: Option<()>,
    /// Within which they are, if all messages arrive.
    pub bit_times_bounds: Option<Bounds>,
    /// From creation to the last bit's arrival, in bit times.
    pub latency: Option<Latency>,
    /// Under continuous injection.
    pub throughput: Option<Throughput>,
    /// Registers of a node.
    pub storage_bits_per_node: StorageBits,
    /// Its closed form.
    pub storage_bits_formula: Formula,
    /// How long the longest path between two registers is.
    pub logic_depth: Option<Depth>,
    /// The most that a node ever held.
    pub peak: Peak,
    /// Channels of one kind, all nodes together.
    pub channels: Vec<ChannelPeak>,
    /// Bits over links.
    pub wires: Wires,
    /// Why bits stood still.
    pub stalls: Vec<StallReport>,
    /// Nodes have no adders.
    pub serial_adders_per_node: usize,
    /// Share of the bit times in which links carried a bit.
    pub wire_use: f64,
    /// Channels that wait for each other.
    pub deadlock: Option<DeadlockReport>,
    /// Spent ticking.
    pub simulation_seconds: f64,
    /// Files written.
    pub outputs: Outputs,
    /// One verdict each.
    pub checks: Vec<Check>,
    /// All checks hold.
    pub passed: bool,
}

/// The routers.
#[derive(Clone, Debug, Serialize)]
pub struct Router {
    /// As on the command line.
    pub network: &'static str,
    /// Of a straight link; of any link in dimension order.
    pub virtual_channels: usize,
    /// Of each channel.
    pub buffer_bits: usize,
    /// `strong` or `weak`.
    pub switch: &'static str,
    /// Copies in use: pieces of a message.
    pub copies: Option<usize>,
}

/// The channel dependency graph.
#[derive(Clone, Debug, Serialize)]
pub struct DependencyGraph {
    /// Kinds of channels: those of all columns are one.
    pub channel_kinds: usize,
    /// Dependencies between them.
    pub dependencies: usize,
    /// A shortest cycle; none if worms can never wait in a circle.
    pub cycle: Option<Vec<String>>,
}

/// Bounds of the bit times.
#[derive(Clone, Debug, Serialize)]
pub struct Bounds {
    /// At least.
    pub lower: u64,
    /// At most.
    pub upper: u64,
    /// What they are.
    pub text: &'static str,
}

/// A formula and its value.
#[derive(Clone, Debug, Serialize)]
pub struct Formula {
    /// Of `b`, the bits of a buffer; `k`, dimensions of the hypercube; `C`, copies in use.
    pub text: String,
    /// Here.
    pub value: u64,
}

/// Bit times from creation, and from injection, to arrival.
#[derive(Clone, Debug, Serialize)]
pub struct Latency {
    /// Messages.
    pub messages: u64,
    /// From creation to the tail's arrival.
    pub average: f64,
    /// Of those 99 in 100 are at most that.
    pub percentile_99: u64,
    /// The largest.
    pub largest: u64,
    /// From the first bit's injection, averaged.
    pub average_in_network: f64,
}

/// Message bits by node and bit time.
#[derive(Clone, Debug, Serialize)]
pub struct Throughput {
    /// As asked for.
    pub offered_load: f64,
    /// Created in the measurement.
    pub created: f64,
    /// Arrived in the measurement.
    pub accepted: f64,
    /// The network does not carry what is offered.
    pub saturated: bool,
    /// Bit times before the measurement, of it, and after it at the most.
    pub phases: [u64; 3],
    /// Worms waiting or under way when the measurement began and ended.
    pub backlog: [usize; 2],
}

/// The most at a node.
#[derive(Clone, Debug, Serialize)]
pub struct Peak {
    /// Worms of which it held bits.
    pub messages_per_node: u32,
    /// Bits.
    pub occupied_bits_per_node: u32,
}

/// Of an input channel, the fullest of all nodes.
#[derive(Clone, Debug, Serialize)]
pub struct ChannelPeak {
    /// Its name.
    pub channel: String,
    /// The most bits in it.
    pub peak_bits: usize,
    /// The most that it holds.
    pub capacity_bits: usize,
}

/// Bits over links.
#[derive(Clone, Debug, Serialize)]
pub struct Wires {
    /// Links of the machine.
    pub links: usize,
    /// Data and control wires of a node to other nodes.
    pub wires_per_node: usize,
    /// Of them, data wires.
    pub data_wires_per_node: usize,
    /// Bits over the busiest link.
    pub largest_load: u32,
    /// Bits over a link on the average.
    pub mean_load: f64,
}

/// Bits that stood still.
#[derive(Clone, Debug, Serialize)]
pub struct StallReport {
    /// Why.
    pub cause: &'static str,
    /// Channels, summed over bit times.
    pub channel_bit_times: u64,
}

/// A deadlock.
#[derive(Clone, Debug, Serialize)]
pub struct DeadlockReport {
    /// The bit time in which nothing moved any more, or in which it was found.
    pub bit_time: u64,
    /// Worms that will never arrive.
    pub worms: usize,
    /// Input channels, each with the worm in it and what it waits for: the next one, and the last for the first.
    pub cycle: Vec<Waiting>,
}

/// A channel that waits.
#[derive(Clone, Debug, Serialize)]
pub struct Waiting {
    /// Its node.
    pub node: String,
    /// Its name.
    pub channel: String,
    /// The message whose worm is in it.
    pub message: Option<String>,
}

/// What a report is made from, beside the engine.
pub struct Facts<'a> {
    /// As asked for.
    pub setup: &'a Setup,
    /// Bits of a message.
    pub message_bits: usize,
    /// What came of the run.
    pub ran: Ran,
    /// Files written.
    pub outputs: Outputs,
}

/// The dependency graph of a machine: of one copy, since copies share no channel.
pub fn dependency_graph(machine: &WormholeMachine) -> Dependencies {
    let virtual_channels = machine.parameters().virtual_channels;
    match machine.network() {
        Network::CubeConnectedCycles(cycles) => {
            dependencies::cube_connected_cycles(*cycles, virtual_channels)
        }
        Network::Copies { copies, .. } => {
            dependencies::cube_connected_cycles(copies.network(), virtual_channels)
        }
        Network::ECube(dimensions) => dependencies::e_cube(*dimensions),
    }
}

/// The report.
pub fn report(engine: &Engine<Lane>, facts: Facts<'_>) -> WormholeReport {
    let Facts {
        setup,
        message_bits,
        ran,
        outputs,
    } = facts;
    let machine = engine.fabric.router();
    let plan = machine.plan();
    let graph = dependency_graph(machine);
    let delivered = (0..engine.messages.len())
        .filter(|&message| engine.delivery(message).tail_arrived.is_some())
        .count();
    let bit_times = engine.fabric.bit_time();
    let nodes = machine.network().nodes();
    let links = nodes * plan.links.len();
    let storage = storage_by_kind(machine);
    let (storage_text, storage_value) = machine.storage_bits();
    let checks = checks(engine, &ran, &graph, storage.total);
    let bounds = ran.expected.as_ref().map(|expected| Bounds {
        lower: expected.lower,
        upper: expected.upper,
        text: "at least the bits over the busiest wire; at most all moves of bits and all connections",
    });
    WormholeReport {
        bench: NAME,
        models: MODELS,
        source: SOURCE,
        topology: topology(machine.network(), links),
        levels: levels(machine.network()),
        router: router(machine),
        dependencies: DependencyGraph {
            channel_kinds: graph.channels,
            dependencies: graph.dependencies,
            cycle: graph
                .cycle
                .as_ref()
                .map(|cycle| cycle.iter().map(ToString::to_string).collect()),
        },
        payload_bits: message_bits,
        schedule: None,
        traffic: traffic_name(setup),
        load: match ran.continuous {
            Some(_) => None,
            None => traffic::load(setup),
        },
        seed: setup.seed,
        messages: engine.messages.len(),
        delivered,
        bit_times,
        bit_times_formula: None,
        bit_times_bounds: bounds,
        latency: latency(engine, ran.continuous.as_ref()),
        throughput: ran.continuous.as_ref().map(throughput),
        storage_bits_per_node: StorageBits {
            total: storage.total,
            by_part: storage.by_part,
        },
        storage_bits_formula: Formula {
            text: storage_text,
            value: storage_value as u64,
        },
        logic_depth: rtl_model::depth::LogicDepth::of(machine)
            .ok()
            .map(|depth| (&depth).into()),
        peak: Peak {
            messages_per_node: engine.meters.peak_worms_per_node,
            occupied_bits_per_node: engine.meters.peak_bits_per_node,
        },
        channels: plan
            .switch
            .inputs
            .iter()
            .zip(&engine.meters.peak_held)
            .map(|(input, &peak_bits)| ChannelPeak {
                channel: input.name.to_string(),
                peak_bits,
                capacity_bits: plan.buffer_bits,
            })
            .collect(),
        wires: Wires {
            links,
            wires_per_node: plan.link_wires(),
            data_wires_per_node: plan.links.len(),
            largest_load: engine.meters.largest_load(),
            mean_load: engine.meters.crossed as f64 / links as f64,
        },
        stalls: Stall::ALL
            .iter()
            .zip(engine.meters.stalls)
            .map(|(&(_, cause), channel_bit_times)| StallReport {
                cause,
                channel_bit_times,
            })
            .collect(),
        serial_adders_per_node: 0,
        wire_use: engine.meters.crossed as f64 / (links as u64 * bit_times).max(1) as f64,
        deadlock: deadlock(engine, &ran.outcome),
        simulation_seconds: engine.simulation.as_secs_f64(),
        outputs,
        passed: checks.iter().all(|check| check.passed),
        checks,
    }
}

fn topology(network: &Network, links: usize) -> Topology {
    let (kind, dims) = match network {
        Network::CubeConnectedCycles(cycles) => ("cube-connected cycles", cycles.levels()),
        Network::Copies { copies, .. } => ("hypercube", copies.dimensions().count()),
        Network::ECube(dimensions) => ("hypercube", dimensions.count()),
    };
    Topology {
        kind,
        dims,
        nodes: network.nodes(),
        directed_wires: links,
    }
}

/// `n`, of `n 2^n` nodes.
fn levels(network: &Network) -> usize {
    match network {
        Network::CubeConnectedCycles(cycles) => cycles.levels(),
        Network::Copies { copies, .. } => copies.levels(),
        Network::ECube(dimensions) => {
            let k = dimensions.count();
            (1..k).find(|n| n << n == 1 << k).unwrap_or(k)
        }
    }
}

fn router(machine: &WormholeMachine) -> Router {
    let parameters = machine.parameters();
    let (network, copies) = match machine.network() {
        Network::CubeConnectedCycles(_) => ("ccc", None),
        Network::Copies { used, .. } => ("copies", Some(*used)),
        Network::ECube(_) => ("ecube", None),
    };
    Router {
        network,
        virtual_channels: parameters.virtual_channels,
        buffer_bits: parameters.buffer_bits,
        switch: if parameters.weak_switch {
            "weak"
        } else {
            "strong"
        },
        copies,
    }
}

fn traffic_name(setup: &Setup) -> String {
    match (&setup.traffic_file, &setup.traffic) {
        (Some(path), _) => path.display().to_string(),
        (None, Some(name)) => name.clone(),
        (None, None) => "randperm".to_owned(),
    }
}

fn latency(engine: &Engine<Lane>, continuous: Option<&Continuous>) -> Option<Latency> {
    let (all, in_network) = match continuous {
        Some(continuous) => (
            continuous.latency.clone(),
            continuous.network_latency.clone(),
        ),
        None => {
            let times = |from: fn(&crate::wormhole::engine::Delivery) -> Option<u64>| {
                (0..engine.messages.len())
                    .filter_map(|number| {
                        let delivery = engine.delivery(number);
                        Some(delivery.tail_arrived? + 1 - from(&delivery)?)
                    })
                    .collect()
            };
            (times(|_| Some(0)), times(|delivery| delivery.injected))
        }
    };
    Some(Latency {
        messages: all.count(),
        average: all.average()?,
        percentile_99: all.percentile(0.99)?,
        largest: all.largest()?,
        average_in_network: in_network.average()?,
    })
}

fn throughput(continuous: &Continuous) -> Throughput {
    let phases = continuous.phases;
    Throughput {
        offered_load: continuous.offered_load,
        created: continuous.created,
        accepted: continuous.accepted,
        saturated: continuous.saturated(),
        phases: [phases.warm_up, phases.measurement, phases.drain],
        backlog: [continuous.backlog.0, continuous.backlog.1],
    }
}

/// A node's registers by what they are for.
fn storage_by_kind(machine: &WormholeMachine) -> Storage {
    #[derive(Default)]
    struct Kinds {
        path: Vec<(String, &'static str)>,
        storage: Storage,
    }
    impl Visitor<bool> for Kinds {
        fn enter(&mut self, name: Name, kind: &'static str) {
            self.path.push((name.to_string(), kind));
        }
        fn leave(&mut self) {
            self.path.pop();
        }
        fn register(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> bool) {
            let inside = |wanted: &str| self.path.iter().any(|(_, kind)| *kind == wanted);
            let name = name.to_string();
            let part = match name.as_str() {
                "setup_arbiter" => "arbiter of new connections",
                "credits" => "credits of output channels",
                "arbiter" => "arbiters of output channels",
                _ if inside("BitBuffer") => "buffers of input channels",
                _ if inside("InputChannel") => "route state of input channels",
                _ => "arbiters of wires",
            };
            self.storage.total += width;
            let parts = &mut self.storage.by_part;
            match parts.iter_mut().find(|(known, _)| known == part) {
                Some((_, bits)) => *bits += width,
                None => parts.push((part.to_owned(), width)),
            }
        }
    }
    let mut kinds = Kinds::default();
    Registers::<bool>::visit(&machine.node::<bool>(), Name::Field("node"), &mut kinds);
    kinds.storage
}

/// What a place is called: its channel, with the switch where a node has several.
fn channel_name(machine: &WormholeMachine, place: Place) -> String {
    let name = machine.plan().switch.inputs[place.input].name;
    match machine.network() {
        Network::Copies { .. } => format!("{name} of copy {}", place.switch),
        _ => name.to_string(),
    }
}

fn deadlock(engine: &Engine<Lane>, outcome: &Outcome) -> Option<DeadlockReport> {
    let Outcome::Deadlock(deadlock) = outcome else {
        return None;
    };
    let machine = engine.fabric.router();
    let name = |node| machine.wiring().node_name(node);
    let cycle = deadlock.cycle.iter().map(|&place| {
        let message = engine.tracker.worm(place).map(|worm| {
            let message = &engine.messages[engine.worms[worm].message];
            format!("{} -> {}", name(message.source), name(message.destination))
        });
        Waiting {
            node: name(place.node),
            channel: channel_name(machine, place),
            message,
        }
    });
    Some(DeadlockReport {
        bit_time: deadlock.bit_time,
        worms: engine.in_flight(),
        cycle: cycle.collect(),
    })
}

/// The verdicts.
fn checks(engine: &Engine<Lane>, ran: &Ran, graph: &Dependencies, storage: usize) -> Vec<Check> {
    let machine = engine.fabric.router();
    let arrived = engine.worms.len() - engine.in_flight();
    let mut checks = vec![
        no_deadlock(engine, &ran.outcome, graph),
        Check::new(
            "deliveries",
            engine.strays.is_empty() && (ran.continuous.is_some() || engine.in_flight() == 0),
            match engine.strays.first() {
                None => format!(
                    "{arrived} of {} worms arrived where they were sent, every bit in order",
                    engine.worms.len()
                ),
                Some(stray) => format!(
                    "bit time {}: what came out at node {} was not sent to it",
                    stray.bit_time,
                    machine.wiring().node_name(stray.node)
                ),
            },
        ),
        Check::new(
            "one bit a wire",
            engine.conflict.is_none(),
            match &engine.conflict {
                None => format!(
                    "{} bits crossed links, no two at once",
                    engine.meters.crossed
                ),
                Some(conflict) => conflict.to_string(),
            },
        ),
        Check::new(
            "one worm a channel",
            engine.tracker.shared().is_none(),
            match engine.tracker.shared() {
                None => "no channel ever held bits of two worms".to_owned(),
                Some((place, bit_time)) => format!(
                    "bit time {bit_time}: two worms in {} of node {}",
                    channel_name(machine, place),
                    machine.wiring().node_name(place.node)
                ),
            },
        ),
        Check::new(
            "bits",
            engine.meters.not_conserved.is_none(),
            engine
                .meters
                .not_conserved
                .clone()
                .unwrap_or_else(|| "none lost, none doubled in any bit time".to_owned()),
        ),
    ];
    let (text, value) = machine.storage_bits();
    checks.push(Check::new(
        "storage",
        storage == value,
        format!("{storage} bits a node, {text} = {value}"),
    ));
    if let (Some(expected), Outcome::Complete) = (&ran.expected, &ran.outcome) {
        let bit_times = engine.fabric.bit_time();
        let (lower, upper) = (expected.lower, expected.upper);
        checks.push(Check::new(
            "bit times",
            (lower..=upper).contains(&bit_times),
            format!("{bit_times} measured, {lower} at least and {upper} at most"),
        ));
        checks.push(loads(engine, expected));
    }
    checks
}

fn no_deadlock(engine: &Engine<Lane>, outcome: &Outcome, graph: &Dependencies) -> Check {
    let foretold = match graph.cycle {
        None => "the channel dependency graph has no cycle",
        Some(_) => "the channel dependency graph has a cycle, so there could be one",
    };
    let detail = match outcome {
        Outcome::Complete | Outcome::NotDrained { .. } => format!("none; {foretold}"),
        Outcome::OutOfTime => {
            "worms are under way after all the bit times that they can take".to_owned()
        }
        Outcome::Deadlock(deadlock) => format!(
            "bit time {}: {} worms will never arrive; {} channels wait for each other{}",
            deadlock.bit_time,
            engine.in_flight(),
            deadlock.cycle.len(),
            match (deadlock.quiet, deadlock.registers_unchanged) {
                (0, _) => "",
                (_, true) => ", and no register of the machine changes any more",
                (_, false) => ", although registers still change",
            }
        ),
    };
    let passed = matches!(outcome, Outcome::Complete | Outcome::NotDrained { .. });
    Check::new("no deadlock", passed, detail)
}

/// Worms went the way that their headers say, and links carried what that puts on them.
fn loads(engine: &Engine<Lane>, expected: &crate::wormhole::expected::Expected) -> Check {
    let astray =
        (0..engine.worms.len()).find(|&worm| engine.tracker.path(worm) != expected.paths[worm]);
    let topology = engine.fabric.topology();
    let links = engine.fabric.router().plan().links.len();
    let wrong = (0..topology.nodes()).find_map(|node| {
        (0..links).find_map(|link| {
            let measured = u64::from(engine.meters.load(&engine.fabric, node, link));
            let expected = expected.loads.get(&(node, link)).copied().unwrap_or(0);
            (measured != expected).then_some((node, link, measured, expected))
        })
    });
    let detail = match (astray, wrong) {
        (Some(worm), _) => format!("worm {worm} did not go the way that its header says"),
        (_, Some((node, link, measured, expected))) => {
            format!("link {link} of node {node} carried {measured} bits in place of {expected}")
        }
        _ => format!(
            "every worm went its way, every link carried the bits of its worms: {} on the busiest",
            engine.meters.largest_load()
        ),
    };
    Check::new(
        "ways and loads",
        astray.is_none() && wrong.is_none(),
        detail,
    )
}
