//! The report of a broadcast: what was checked, and what it took beside the papers' formulas.

use hosts::ports::engine::Engine;
use hosts::ports::monitor::Violation;
use rtl_model::machine::memory;
use rtl_model::machine::router::ClosedForm;
use rtl_model::machine::shown::Counted;
use rtl_model::machine::topology::Topology as _;
use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::broadcast::Broadcast;

use crate::depth::logic_depth;
use crate::error::Error;
use crate::families::ports::options::{Asked, NAME};
use crate::report::{
    Behind, Check, Formula, Outputs, Peak, Report, Section, Sections, StorageBits, Topology,
    counted, value,
};

/// What it models.
pub const MODELS: &str = "one node sends a message to all others over trees, on bit-serial ports";
/// Where it comes from.
pub const SOURCE: &str = "Ho & Johnsson 1986, section 3; Stout & Wagar 1987, section 2";

/// The report.
pub type BroadcastReport = Report<Broadcasting>;

/// What a run adds to the report.
#[derive(Clone, Debug)]
pub struct Broadcasting {
    /// What was asked for.
    pub asked: Asked,
    /// What it does, in a few words.
    pub algorithm_models: &'static str,
    /// Routing steps that were measured.
    pub routing_steps: usize,
    /// Their closed form.
    pub routing_steps_formula: Formula,
    /// Of a list of sends: what n edge-disjoint trees take on the same ports, which Ho & Johnsson hold to be the least.
    pub paper_bound: Option<Formula>,
    /// Packets that crossed a link.
    pub packets_sent: u64,
    /// The closed form of the peak of the forwarding buffer; none of a list of sends.
    pub forwarding_buffer_bound: Option<Formula>,
    /// Registers of the sequencer.
    pub sequencer_storage_bits: usize,
    /// Where the nodes' messages were written.
    pub results: Option<String>,
    /// How the message came about.
    pub message: String,
    /// Nodes that have it.
    pub delivered: String,
}

/// What a run is known by.
pub(super) struct Facts {
    pub asked: Asked,
    pub seed: u64,
    pub is_drawn: bool,
    pub bytes: u64,
    pub outputs: Outputs,
    pub results: Option<String>,
}

/// What is said of a run.
///
/// # Errors
/// A circuit that has no logic depth.
pub(super) fn report(engine: &Engine, facts: Facts) -> Result<BroadcastReport, Error> {
    let broadcast = *engine.broadcast();
    let device = engine.device.as_device();
    let depth = logic_depth(device)?;
    let is_counted = device.shown().occupancy == Counted::Occupied;
    let (nodes, dims) = (broadcast.cube.nodes(), broadcast.cube.count());
    let wires = nodes * dims;
    let right = right(engine);
    let storage = device.storage();
    let bit_times = engine.machine.bit_time();
    let packets_sent = engine.monitor.packets();
    let checks = checks(engine, right);
    let wire_bit_times = (wires as u64 * bit_times).max(1);
    let message = match facts.is_drawn {
        true => format!("drawn from seed {}", facts.seed),
        false => "from a file".to_owned(),
    };
    Ok(Report {
        bench: NAME,
        models: MODELS,
        source: broadcast.algorithm.source(),
        topology: Topology {
            kind: "hypercube",
            dims,
            nodes,
            directed_wires: wires,
            summary: broadcast.cube.summary(),
        },
        payload_bits: facts.asked.message_bits,
        schedule: None,
        traffic: format!("from node {} to all others", broadcast.source),
        load: None,
        seed: facts.seed,
        messages: nodes - 1,
        delivered: right,
        bit_times,
        bit_times_formula: Some(broadcast.bit_times().into()),
        storage_bits_formula: device.storage_bits().into(),
        storage_bits_per_node: StorageBits {
            total: storage.total,
            by_part: storage.by_part,
        },
        logic_depth: Some((&depth).into()),
        peak: Peak {
            messages_per_node: is_counted.then_some(engine.peak_packets),
            occupied_bits_per_node: is_counted.then_some(engine.peak_bits),
            // What is in the buffers is what is to be sent on.
            forwarding_buffer_bits: is_counted.then_some(engine.peak_bits),
        },
        serial_adders_per_node: storage.serial_adders,
        wire_use: (packets_sent * broadcast.packet_bits as u64) as f64 / wire_bit_times as f64,
        bytes_per_node: memory::per_node(facts.bytes, nodes),
        simulation_seconds: engine.ticking.as_secs_f64(),
        route: None,
        outputs: facts.outputs,
        passed: checks.iter().all(|check| check.passed),
        checks,
        family: Broadcasting {
            algorithm_models: broadcast.algorithm.models(),
            routing_steps: engine.monitor.steps(),
            routing_steps_formula: broadcast.routing_steps().into(),
            paper_bound: paper_bound(&broadcast),
            packets_sent,
            forwarding_buffer_bound: broadcast.forwarding_buffer().map(Into::into),
            sequencer_storage_bits: device.sequencer_storage().total,
            results: facts.results,
            message,
            delivered: format!("{right} of {} nodes have it, every bit once", nodes - 1),
            asked: facts.asked,
        },
    })
}

/// What the paper calls a strict lower bound for more than one packet (Ho & Johnsson 1986, 3.3.2), where a list is run.
fn paper_bound(broadcast: &Broadcast) -> Option<Formula> {
    let is_listed = matches!(broadcast.algorithm, Algorithm::Listed { .. });
    let msbt = Broadcast {
        algorithm: Algorithm::MultipleTrees,
        ..*broadcast
    };
    (is_listed && broadcast.packets > 1).then(|| msbt.routing_steps().into())
}

/// Nodes besides the source that have the message.
fn right(engine: &Engine) -> usize {
    let broadcast = engine.broadcast();
    let others = (0..broadcast.cube.nodes()).filter(|node| *node != broadcast.source);
    others
        .filter(|node| engine.hosts.is_complete(*node))
        .count()
}

/// A measured value beside its closed form.
fn equal(name: &'static str, measured: u64, form: &ClosedForm, unit: &str) -> Check {
    let ClosedForm { text, value } = form;
    Check::new(
        name,
        measured == *value,
        format!("{measured}{unit} measured, {text} = {value}"),
    )
}

fn ports(ports: &[usize]) -> String {
    let ports: Vec<String> = ports.iter().map(usize::to_string).collect();
    match ports.is_empty() {
        true => "none".to_owned(),
        false => ports.join(", "),
    }
}

/// A violation as a sentence.
pub fn sentence(violation: &Violation) -> String {
    format!(
        "bit time {}: node {} sends on ports {} and receives on ports {}: {}",
        violation.bit_time,
        violation.node,
        ports(&violation.sending),
        ports(&violation.receiving),
        violation.what
    )
}

fn checks(engine: &Engine, right: usize) -> Vec<Check> {
    let broadcast = engine.broadcast();
    let others = broadcast.cube.nodes() - 1;
    let (hosts, monitor) = (&engine.hosts, &engine.monitor);
    let mut detail = format!("{right} of {others} nodes have the message, every bit once");
    if let Some(wrong) = hosts.wrong() {
        detail += &format!("; node {} got {}", wrong.node, wrong.what);
    }
    let is_complete = right == others && hosts.is_complete(broadcast.source);
    let mut checks = vec![
        Check::new("message", is_complete && hosts.wrong().is_none(), detail),
        equal(
            "routing steps",
            monitor.steps() as u64,
            &broadcast.routing_steps(),
            "",
        ),
        equal(
            "bit times",
            engine.machine.bit_time(),
            &broadcast.bit_times(),
            "",
        ),
        Check::new(
            "ports",
            monitor.violation().is_none(),
            match monitor.violation() {
                None => format!(
                    "{}, in each of {} steps",
                    broadcast.ports.allows(),
                    monitor.steps()
                ),
                Some(violation) => sentence(violation),
            },
        ),
        Check::new(
            "one bit a wire",
            engine.conflict.is_none(),
            match &engine.conflict {
                None => format!(
                    "{} packets crossed a link, no two at once",
                    monitor.packets()
                ),
                Some(conflict) => conflict.to_string(),
            },
        ),
    ];
    if hosts.looks_at_trees() {
        checks.push(Check::new(
            "trees",
            hosts.shared().is_none(),
            match hosts.shared() {
                None => "no two of them share a wire".to_owned(),
                Some((node, port)) => {
                    format!("two of them share the wire into node {node} through port {port}")
                }
            },
        ));
    }
    if let Some(form) = broadcast.forwarding_buffer() {
        checks.push(equal("forwarding", engine.peak_bits.into(), &form, " bits"));
    }
    let storage = engine.device.as_device().storage().total as u64;
    let form = engine.device.as_device().storage_bits();
    checks.push(equal("storage", storage, &form, " bits a node"));
    checks
}

impl Sections for Broadcasting {
    fn section(&self, behind: Behind) -> Section {
        let broadcast = &self.asked.broadcast;
        match behind {
            Behind::Network => vec![
                ("algorithm", value(&broadcast.algorithm.name())),
                ("ports", value(&broadcast.ports.name())),
                ("source_node", value(&broadcast.source)),
                ("message_bits", value(&self.asked.message_bits)),
                ("packet_bits", value(&broadcast.packet_bits)),
                ("packets", value(&broadcast.packets)),
                ("start_up", value(&broadcast.start_up)),
            ],
            Behind::BitTimes => vec![
                ("routing_steps", value(&self.routing_steps)),
                ("routing_steps_formula", value(&self.routing_steps_formula)),
                ("paper_bound", value(&self.paper_bound)),
                ("packets_sent", value(&self.packets_sent)),
            ],
            Behind::Storage => vec![(
                "sequencer_storage_bits",
                value(&self.sequencer_storage_bits),
            )],
            Behind::Peak => vec![(
                "forwarding_buffer_bound",
                value(&self.forwarding_buffer_bound),
            )],
            Behind::WireUse => match &self.results {
                Some(results) => vec![("results", value(results))],
                None => Vec::new(),
            },
        }
    }

    fn summary(report: &Report<Self>) -> Vec<(&'static str, String)> {
        let (topology, broadcasting) = (&report.topology, &report.family);
        let (asked, broadcast) = (&broadcasting.asked, &broadcasting.asked.broadcast);
        let form = &broadcasting.routing_steps_formula;
        let bits = report.bit_times_formula.as_ref();
        vec![
            (
                "network",
                format!(
                    "{}: {} nodes, {} directed wires",
                    topology.summary, topology.nodes, topology.directed_wires
                ),
            ),
            (
                "broadcast",
                format!("{}: {}", broadcast.algorithm, broadcasting.algorithm_models),
            ),
            (
                "ports",
                format!("{}: {}", broadcast.ports, broadcast.ports.allows()),
            ),
            (
                "message",
                format!(
                    "{} from node {}, {}",
                    counted(asked.message_bits, "bit"),
                    broadcast.source,
                    broadcasting.message
                ),
            ),
            (
                "packets",
                format!(
                    "{} of {}{}",
                    broadcast.packets,
                    counted(broadcast.packet_bits, "bit"),
                    asked.packet_size.text()
                ),
            ),
            (
                "start-up",
                format!(
                    "{} before the first bit of each",
                    counted(broadcast.start_up, "bit time")
                ),
            ),
            ("delivered", broadcasting.delivered.clone()),
            (
                "routing steps",
                match &broadcasting.paper_bound {
                    None => format!(
                        "{} measured; {} = {}",
                        broadcasting.routing_steps, form.text, form.value
                    ),
                    Some(bound) => format!(
                        "{} measured, {}; the \"strict lower bound\" of Ho & Johnsson is {} = {}",
                        broadcasting.routing_steps, form.text, bound.text, bound.value
                    ),
                },
            ),
            (
                "bit times",
                bits.map_or_else(String::new, |form| {
                    format!(
                        "{} measured; {} = {}",
                        report.bit_times, form.text, form.value
                    )
                }),
            ),
            (
                "to send on",
                match (
                    &broadcasting.forwarding_buffer_bound,
                    report
                        .peak
                        .messages_per_node
                        .zip(report.peak.forwarding_buffer_bits),
                ) {
                    (Some(bound), Some((packets, bits))) => format!(
                        "at most {} at a node, {}, those in flight to it among them; {} = {}",
                        counted(packets as usize, "packet"),
                        counted(bits as usize, "bit"),
                        bound.text,
                        bound.value
                    ),
                    _ => "every node keeps every packet".to_owned(),
                },
            ),
            (
                "sequencer",
                format!(
                    "{} bits, one for the machine",
                    broadcasting.sequencer_storage_bits
                ),
            ),
            (
                "logic depth",
                report
                    .logic_depth
                    .map_or_else(String::new, |depth| depth.to_string()),
            ),
            (
                "wire use",
                format!(
                    "{:.1} % of the wire-bit-times are given out, to packets",
                    100.0 * report.wire_use
                ),
            ),
        ]
    }
}

#[cfg(test)]
mod tests;
