//! Makes a report of what an engine has measured.

use hosts::wormhole::lanes::WormLanes;
use rtl_model::circuit::depth::LogicDepth;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::memory;
use rtl_model::machine::meter::Storage;
use rtl_model::machine::router::Machine;
use rtl_model::machine::topology::Topology as _;
use rtl_model::routers::wormhole::dependencies::Channel;
use rtl_model::routers::wormhole::joined::Joined;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::networks::direct::channels::Channels;
use rtl_model::routers::wormhole::node::Stall;
use rtl_model::routers::wormhole::route::ChannelId;
use rtl_model::routers::wormhole::space::Space;

use crate::families::wormhole::engine::Engine;
use crate::families::wormhole::expected::zero_load_text;
use crate::families::wormhole::job::Job;
use crate::families::wormhole::links::Carried;
use crate::families::wormhole::parameters::{CUTS, LOAD, TRAFFIC_FILE};
use crate::families::wormhole::report::checks::checks;
use crate::families::wormhole::report::measured::{latency, round_trips, throughput};
use crate::families::wormhole::report::text::told;
use crate::families::wormhole::report::{
    Bounds, ChannelPeak, DeadlockReport, DependencyGraph, EscapeGraph, LinkLoad, Router,
    StallReport, Undelivered, Waiting, Wires, Worms,
};
use crate::families::wormhole::run::{Outcome, Ran};
use crate::families::wormhole::{traffic, wave};
use crate::lockstep::Identity;
use crate::report::{Formula, Outputs, Peak, Report, Route, StorageBits, Topology};

/// What a report is made from, beside the engine.
pub struct Facts<'a> {
    /// As asked for, with the bytes of memory that it was estimated to take.
    pub job: &'a Job,
    /// The testbench.
    pub of: &'a Identity,
    /// What came of the run.
    pub ran: Ran,
    /// Files written.
    pub outputs: Outputs,
    /// The route of one message, if that was asked for.
    pub route: Option<Route>,
    /// What each wire carried, if that was asked for.
    pub carried: Option<Carried>,
}

/// The report.
pub fn report(engine: &Engine<impl WormLanes>, facts: Facts<'_>) -> Report {
    let Facts {
        job,
        of,
        ran,
        outputs,
        route,
        carried,
    } = facts;
    let (chosen, message_bits) = (&job.chosen, job.message_bits);
    let machine = engine.fabric.router();
    let plan = machine.plan();
    let graph = machine.dependencies();
    let delivered = (0..engine.messages.len())
        .filter(|&message| engine.delivery(message).tail_arrived.is_some())
        .count();
    let lengths = || engine.messages.iter().map(|message| message.bits.len());
    let bit_times = engine.fabric.bit_time();
    let links = machine.network().directed_links(plan.links.len());
    let storage = storage_by_kind(machine);
    let mut checks = checks(engine, &ran, graph, storage.total);
    checks.extend(carried.map(|carried| carried.check(&engine.meters)));
    let bounds = ran.expected.as_ref().map(|expected| Bounds {
        lower: expected.lower,
        upper: expected.upper,
        text: "at least the bits over the busiest wire; at most all moves of bits and all connections, after the last message \
               is created",
    });
    let worms = Worms {
        router: router(machine),
        dependencies: DependencyGraph {
            channel_kinds: graph.channels,
            dependencies: graph.dependencies,
            cycle: graph.cycle.as_deref().map(in_words),
            escape: graph.escape.as_ref().map(|escape| EscapeGraph {
                channels_of_link: escape_channels(machine),
                channel_kinds: escape.channels,
                dependencies: escape.dependencies,
                cycle: escape.cycle.as_deref().map(in_words),
            }),
            can_deadlock: graph.deadlock().is_some(),
            virtual_channels_without_cycle: machine.virtual_channels_without_deadlock(),
        },
        bit_times_bounds: bounds,
        latency: latency(engine, ran.continuous.as_ref()),
        round_trips: (ran.continuous.as_ref())
            .and_then(|continuous| continuous.round_trips.as_ref())
            .map(round_trips),
        shortest_message: lengths().min().unwrap_or(message_bits),
        throughput: (ran.continuous.as_ref()).map(|continuous| throughput(continuous, chosen)),
        channels: plan
            .switch
            .inputs
            .iter()
            .zip(&engine.meters.peak_held)
            .map(|(input, &peak_bits)| ChannelPeak {
                channel: input.name.to_string(),
                peak_bits: peak_bits * plan.wire_bits,
                capacity_bits: plan.buffer_bits * plan.wire_bits,
            })
            .collect(),
        wires: Wires {
            links,
            wires_per_node: plan.link_wires(),
            data_wires_per_node: plan.links.len() * plan.wire_bits,
            largest_load: u64::from(engine.meters.largest_load()) * plan.wire_bits as u64,
            mean_load: engine.meters.crossed as f64 * plan.wire_bits as f64 / links as f64,
            by_link: link_loads(engine),
        },
        stalls: Stall::ALL
            .iter()
            .zip(engine.meters.stalls)
            .map(|(&(_, cause), channel_bit_times)| StallReport {
                cause,
                channel_bit_times,
            })
            .collect(),
        deadlock: deadlock(engine, &ran.outcome),
        undelivered: Undelivered::of(engine, &ran.outcome),
    };
    let mut report = Report {
        bench: of.name,
        models: of.models,
        source: of.source,
        topology: topology(machine.network(), links),
        payload_bits: lengths().max().unwrap_or(message_bits),
        traffic: traffic::name(chosen),
        load: match ran.continuous {
            Some(_) => None,
            None if chosen.has(&TRAFFIC_FILE) => None,
            None => chosen.share(&LOAD),
        },
        seed: chosen.seed(),
        messages: engine.messages.len(),
        delivered,
        bit_times,
        bit_times_formula: (ran.expected.as_ref())
            .filter(|_| engine.worms.len() == 1)
            .map(|expected| Formula {
                text: zero_load_text(machine).to_owned(),
                value: expected.alone,
            }),
        storage_bits_per_node: StorageBits {
            total: storage.total,
            by_part: storage.by_part,
        },
        storage_bits_formula: machine.storage_bits().into(),
        logic_depth: LogicDepth::of(machine).ok().map(|depth| (&depth).into()),
        peak: Peak {
            messages_per_node: Some(engine.meters.peak_worms_per_node),
            occupied_bits_per_node: Some(engine.meters.peak_bits_per_node * plan.wire_bits as u32),
            ..Peak::default()
        },
        wire_use: engine.meters.crossed as f64 / (links as u64 * bit_times).max(1) as f64,
        bytes_per_node: memory::per_node(job.bytes, engine.fabric.topology().nodes()),
        simulation_seconds: Some(engine.simulation.as_secs_f64()),
        route,
        outputs,
        ..Report::default()
    };
    report.tell(told(&report, worms, checks));
    report
}

/// By link of a node, all nodes together.
fn link_loads(engine: &Engine<impl WormLanes>) -> Vec<LinkLoad> {
    let topology = engine.fabric.topology();
    let plan = engine.fabric.router().plan();
    let (links, wire_bits) = (plan.links.iter().enumerate(), plan.wire_bits);
    links
        .map(|(number, link)| {
            let loads = engine.meters.loads(&engine.fabric, number);
            let all: u64 = loads.iter().copied().map(u64::from).sum();
            let there = (0..topology.nodes()).filter(|node| topology.has_link(*node, number));
            // The first of the busiest.
            let busiest = (0..loads.len()).rev().max_by_key(|&node| loads[node]);
            let busiest = busiest.unwrap_or(0);
            LinkLoad {
                link: link.name.to_string(),
                mean: (all * wire_bits as u64) as f64 / there.count() as f64,
                largest: u64::from(loads[busiest]) * wire_bits as u64,
                busiest_node: topology.node_name(busiest),
            }
        })
        .collect()
}

fn topology(network: &Network, links: usize) -> Topology {
    let (kind, dims, _) = wave::joined(network);
    Topology {
        kind,
        dims,
        nodes: network.nodes(),
        directed_wires: links,
        summary: wave::size(network),
    }
}

/// Escape channels of a link.
fn escape_channels(machine: &WormholeMachine) -> usize {
    match machine.network() {
        Network::Direct(direct) => {
            Channels::of(*direct, machine.parameters().virtual_channels).escapes()
        }
        _ => 0,
    }
}

/// A cycle of channels, by their names.
fn in_words(cycle: &[Channel]) -> Vec<String> {
    cycle.iter().map(ToString::to_string).collect()
}

fn router(machine: &WormholeMachine) -> Router {
    let parameters = machine.parameters();
    let network = machine.network();
    let copies = network.has_pieces().then(|| network.switches());
    let cut = CUTS.iter().find(|(_, cut)| *cut == machine.cut());
    let pieces = cut
        .filter(|_| network.switches() > 1)
        .map(|(name, _)| *name);
    let radix = match network.joined() {
        Joined::Space(Space::Grid(grid)) => Some(grid.radix()),
        _ => None,
    };
    let (network_file, routes_file) = match network {
        Network::TableRouted(routed) => {
            let routes = routed.routes_file.as_ref();
            (
                Some(routed.file.to_string()),
                routes.map(ToString::to_string),
            )
        }
        _ => (None, None),
    };
    let levels = match network {
        Network::CubeConnectedCycles(cycles) => Some(cycles.levels()),
        Network::Copies { copies, .. } => Some(copies.levels()),
        _ => None,
    };
    let (network, routing) = network.with(|structure| (structure.name(), structure.routing()));
    Router {
        network,
        network_file,
        routes_file,
        routing,
        radix,
        levels,
        virtual_channels: parameters.virtual_channels,
        wire_bits: parameters.wire_bits,
        buffer_bits: parameters.buffer_bits * parameters.wire_bits,
        switch: if parameters.weak_switch {
            "weak"
        } else {
            "strong"
        },
        copies,
        pieces,
        host_wires: machine.plan().switches() * parameters.wire_bits,
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
        fn register<'r>(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r bool) {
            let inside = |wanted: &str| self.path.iter().any(|(_, kind)| *kind == wanted);
            let name = name.to_string();
            let part = match name.as_str() {
                _ if inside("Relay") => "relays",
                _ if inside("RoutingTable") => "routing table",
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
pub(super) fn channel_name(machine: &WormholeMachine, place: ChannelId) -> String {
    let name = machine.plan().switch.inputs[place.input].name;
    match machine.network().has_pieces() {
        true => format!("{name} of copy {}", place.switch),
        false => name.to_string(),
    }
}

fn deadlock(engine: &Engine<impl WormLanes>, outcome: &Outcome) -> Option<DeadlockReport> {
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
        began: deadlock.began,
        worms: engine.in_flight(),
        cycle: cycle.collect(),
    })
}
