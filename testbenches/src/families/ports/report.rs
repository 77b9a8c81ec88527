//! The report of a broadcast: what was checked, and what it took beside the papers' formulas.

use hosts::ports::engine::Engine;
use hosts::ports::monitor::Violation;
use rtl_model::machine::memory;
use rtl_model::machine::router::ClosedForm;
use rtl_model::machine::shown::Counted;
use rtl_model::machine::topology::Topology as _;
use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::broadcast::Broadcast;
use serde_json::Value;

use crate::depth::logic_depth;
use crate::error::Error;
use crate::families::ports::job::Job;
use crate::families::ports::parameters::VALUES;
use crate::lockstep::Identity;
use crate::report::{
    Behind, Check, Formula, Outputs, Peak, Report, StorageBits, Told, Topology, counted, value,
};
use crate::testbench::bench::Job as _;

/// What is said of a run, with where the nodes' messages were written, if they were.
///
/// # Errors
/// A circuit that has no logic depth.
pub(super) fn report(
    of: &Identity,
    job: &Job,
    engine: &Engine,
    outputs: Outputs,
) -> Result<Report, Error> {
    let broadcast = *engine.broadcast();
    let device = engine.device.as_device();
    let depth = logic_depth(device)?;
    let is_counted = device.shown().occupancy == Counted::Occupied;
    let (nodes, dims) = (broadcast.cube.nodes(), broadcast.cube.count());
    let wires = nodes * dims;
    let right = right(engine);
    let storage = device.storage();
    let bit_times = engine.machine.bit_time();
    let checks = checks(engine, right);
    let wire_bit_times = (wires as u64 * bit_times).max(1);
    let sent_bits = engine.monitor.packets() * broadcast.packet_bits as u64;
    let mut report = Report {
        bench: of.name,
        models: of.models,
        source: of.source,
        topology: Topology {
            kind: "hypercube",
            dims,
            nodes,
            directed_wires: wires,
            summary: broadcast.cube.summary(),
        },
        payload_bits: job.asked.message_bits,
        schedule: None,
        traffic: format!("from node {} to all others", broadcast.source),
        load: None,
        seed: job.chosen.seed(),
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
        wire_use: sent_bits as f64 / wire_bit_times as f64,
        bytes_per_node: memory::per_node(job.requirement().bytes, nodes),
        simulation_seconds: engine.ticking.as_secs_f64(),
        route: None,
        outputs,
        passed: checks.iter().all(|check| check.passed),
        checks,
        family: Told::default(),
    };
    report.family = Told {
        summary: summary(job, engine, &report),
        entries: entries(job, engine),
        ..Told::default()
    };
    Ok(report)
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

/// What the JSON has beside that of all reports.
fn entries(job: &Job, engine: &Engine) -> Vec<(Behind, &'static str, Value)> {
    use Behind::{BitTimes, Network, Peak, Storage};
    let (broadcast, monitor) = (engine.broadcast(), &engine.monitor);
    let sequencer = engine.device.as_device().sequencer_storage();
    let steps = Formula::from(broadcast.routing_steps());
    let buffer = broadcast.forwarding_buffer().map(Formula::from);
    vec![
        (Network, "algorithm", value(&broadcast.algorithm.name())),
        (Network, "ports", value(&broadcast.ports.name())),
        (Network, "source_node", value(&broadcast.source)),
        (Network, "message_bits", value(&job.asked.message_bits)),
        (Network, "packet_bits", value(&broadcast.packet_bits)),
        (Network, "packets", value(&broadcast.packets)),
        (Network, "start_up", value(&broadcast.start_up)),
        (BitTimes, "routing_steps", value(&monitor.steps())),
        (BitTimes, "routing_steps_formula", value(&steps)),
        (BitTimes, "paper_bound", value(&paper_bound(broadcast))),
        (BitTimes, "packets_sent", value(&monitor.packets())),
        (Storage, "sequencer_storage_bits", value(&sequencer.total)),
        (Peak, "forwarding_buffer_bound", value(&buffer)),
    ]
}

/// What people are told first.
fn summary(job: &Job, engine: &Engine, report: &Report) -> Vec<(&'static str, String)> {
    let (asked, broadcast, topology) = (&job.asked, engine.broadcast(), &report.topology);
    let message = match job.chosen.path(&VALUES) {
        None => format!("drawn from seed {}", report.seed),
        Some(_) => "from a file".to_owned(),
    };
    let mut summary = Vec::new();
    let mut tell = |name, text: String| summary.push((name, text));
    let (of_nodes, wires) = (topology.nodes, topology.directed_wires);
    let network = format!(
        "{}: {of_nodes} nodes, {wires} directed wires",
        topology.summary
    );
    tell("network", network);
    let (algorithm, ports) = (broadcast.algorithm, broadcast.ports);
    tell("broadcast", format!("{algorithm}: {}", algorithm.models()));
    tell("ports", format!("{ports}: {}", ports.allows()));
    let bits = counted(asked.message_bits, "bit");
    tell(
        "message",
        format!("{bits} from node {}, {message}", broadcast.source),
    );
    let (packets, each) = (broadcast.packets, counted(broadcast.packet_bits, "bit"));
    tell(
        "packets",
        format!("{packets} of {each}{}", asked.packet_size.text()),
    );
    let start_up = counted(broadcast.start_up, "bit time");
    tell(
        "start-up",
        format!("{start_up} before the first bit of each"),
    );
    let (right, others) = (report.delivered, report.messages);
    tell(
        "delivered",
        format!("{right} of {others} nodes have it, every bit once"),
    );
    let (steps, form) = (engine.monitor.steps(), broadcast.routing_steps());
    let of_steps = match paper_bound(broadcast) {
        None => format!("{steps} measured; {} = {}", form.text, form.value),
        Some(bound) => format!(
            "{steps} measured, {}; the \"strict lower bound\" of Ho & Johnsson is {} = {}",
            form.text, bound.text, bound.value
        ),
    };
    tell("routing steps", of_steps);
    let (bit_times, form) = (report.bit_times, broadcast.bit_times());
    tell(
        "bit times",
        format!("{bit_times} measured; {} = {}", form.text, form.value),
    );
    let peak = report.peak.messages_per_node;
    let peak = peak.zip(report.peak.forwarding_buffer_bits);
    let to_send_on = match (broadcast.forwarding_buffer(), peak) {
        (Some(bound), Some((packets, bits))) => format!(
            "at most {} at a node, {}, those in flight to it among them; {} = {}",
            counted(packets as usize, "packet"),
            counted(bits as usize, "bit"),
            bound.text,
            bound.value
        ),
        _ => "every node keeps every packet".to_owned(),
    };
    tell("to send on", to_send_on);
    let sequencer = engine.device.as_device().sequencer_storage().total;
    tell(
        "sequencer",
        format!("{sequencer} bits, one for the machine"),
    );
    let depth = report.logic_depth.map(|depth| depth.to_string());
    tell("logic depth", depth.unwrap_or_default());
    let percent = 100.0 * report.wire_use;
    let in_use = format!("{percent:.1} % of the wire-bit-times are given out, to packets");
    tell("wire use", in_use);
    summary
}

#[cfg(test)]
mod tests;
