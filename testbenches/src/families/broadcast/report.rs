//! The report of a broadcast: what was checked, and what it took beside the papers' formulas.

use crate::depth::logic_depth;
use crate::error::Error;
use crate::families::broadcast::entries;
use crate::families::broadcast::job::Job;
use crate::families::broadcast::parameters::VALUES;
use crate::lockstep::Identity;
use crate::report::of_all::SEQUENCER;
use crate::report::{
    BIT_TIMES, Check, FORWARDING_BUFFER, Formula, Outputs, Peak, ROUTING_STEPS, Report, STORAGE,
    Told, counted,
};
use crate::testbench::bench::Job as _;
use hosts::ports::engine::Engine;
use hosts::ports::monitor::Violation;
use rtl_model::machine::memory;
use rtl_model::machine::shown::Counted;
use rtl_model::routers::ports::algorithm::Algorithm;
use rtl_model::routers::ports::broadcast::Broadcast;

/// The checks that may have something to say before a run is over.
pub(super) const MESSAGE: &str = "message";
pub(super) const PORTS: &str = "ports";
pub(super) const TREES: &str = "trees";

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
    let broadcast = engine.broadcast();
    let device = engine.device.as_device();
    let depth = logic_depth(device)?;
    let is_counted = device.shown().occupancy == Counted::Occupied;
    let bit_times = engine.machine.bit_time();
    let base = Report::of_device(of, device, (bit_times, device.storage()));
    let (nodes, wires) = (base.topology.nodes, base.topology.directed_wires);
    let wire_bit_times = (wires as u64 * bit_times).max(1);
    let sent_bits = engine.monitor.packets() * broadcast.packet_bits as u64;
    let mut report = Report {
        payload_bits: job.asked.message_bits,
        traffic: format!("from node {} to all others", broadcast.source),
        seed: job.chosen.seed(),
        messages: nodes - 1,
        delivered: right(engine),
        logic_depth: Some((&depth).into()),
        peak: Peak {
            messages_per_node: is_counted.then_some(engine.peak_packets),
            occupied_bits_per_node: is_counted.then_some(engine.peak_bits),
            // What is in the buffers is what is to be sent on.
            forwarding_buffer_bits: is_counted.then_some(engine.peak_bits),
        },
        wire_use: sent_bits as f64 / wire_bit_times as f64,
        bytes_per_node: memory::per_node(job.requirement().bytes, nodes),
        simulation_seconds: Some(engine.ticking.as_secs_f64()),
        outputs,
        ..base
    };
    report.tell(told(job, engine, &report));
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

/// What is told of a run beside what all reports have.
fn told(job: &Job, engine: &Engine, report: &Report) -> Told {
    let (asked, broadcast, monitor) = (&job.asked, engine.broadcast(), &engine.monitor);
    let mut told = Told::default();
    told.say("network", report.topology.in_words());
    let (algorithm, ports) = (broadcast.algorithm, broadcast.ports);
    told.say("broadcast", format!("{algorithm}: {}", algorithm.models()));
    told.put(&entries::ALGORITHM, &algorithm.name());
    told.say("ports", format!("{ports}: {}", ports.allows()));
    told.put(&entries::PORTS, &ports.name());
    told.put(&entries::SOURCE, &broadcast.source);
    let message = match job.chosen.path(&VALUES) {
        None => format!("drawn from seed {}", report.seed),
        Some(_) => "from a file".to_owned(),
    };
    let (bits, source) = (counted(asked.message_bits, "bit"), broadcast.source);
    told.say("message", format!("{bits} from node {source}, {message}"));
    told.put(&entries::MESSAGE_BITS, &asked.message_bits);
    let (packets, each) = (broadcast.packets, counted(broadcast.packet_bits, "bit"));
    let size = asked.packet_size.text();
    told.say("packets", format!("{packets} of {each}{size}"));
    told.put(&entries::PACKET_BITS, &broadcast.packet_bits);
    told.put(&entries::PACKETS, &packets);
    let start_up = counted(broadcast.start_up, "bit time");
    let before = format!("{start_up} before the first bit of each");
    told.say("start-up", before);
    told.put(&entries::START_UP, &broadcast.start_up);
    let (right, others) = (report.delivered, report.messages);
    let delivered = format!("{right} of {others} nodes have it, every bit once");
    told.say("delivered", delivered);
    let (steps, form) = (monitor.steps() as u64, broadcast.routing_steps().into());
    told.put(&ROUTING_STEPS.of, &steps);
    told.put(&ROUTING_STEPS.form, &form);
    told.say(ROUTING_STEPS.title, ROUTING_STEPS.beside(steps, ";", &form));
    let bound = paper_bound(broadcast);
    if let Some(bound) = &bound {
        let said = format!("{bound}: the \"strict lower bound\" of Ho & Johnsson");
        told.say("in the paper", said);
    }
    told.put(&entries::PAPER_BOUND, &bound);
    told.put(&entries::PACKETS_SENT, &monitor.packets());
    if let Some(form) = &report.bit_times_formula {
        told.say("bit times", BIT_TIMES.beside(report.bit_times, ";", form));
    }
    let buffer = broadcast.forwarding_buffer().map(Formula::from);
    told.put(&FORWARDING_BUFFER.form, &buffer);
    let peak = report.peak.messages_per_node;
    let peak = peak.zip(report.peak.forwarding_buffer_bits);
    let to_send_on = match (&buffer, peak) {
        (Some(bound), Some((packets, bits))) => {
            let packets = counted(packets as usize, "packet");
            let bits = counted(bits as usize, "bit");
            format!(
                "at most {packets} at a node, {bits}, those in flight to it among them; {bound}"
            )
        }
        _ => "every node keeps every packet".to_owned(),
    };
    told.say("to send on", to_send_on);
    let sequencer = engine.device.as_device().sequencer_storage().total;
    told.say(
        "sequencer",
        format!("{sequencer} bits, one for the machine"),
    );
    told.put(&SEQUENCER, &sequencer);
    let depth = report.logic_depth.map(|depth| depth.to_string());
    told.say("logic depth", depth.unwrap_or_default());
    let percent = 100.0 * report.wire_use;
    told.say(
        "wire use",
        format!("{percent:.1} % of the wire-bit-times are given out, to packets"),
    );
    told.checks = checks(engine);
    told
}

/// What is held of every run.
pub(super) fn checks(engine: &Engine) -> Vec<Check> {
    let (broadcast, device) = (engine.broadcast(), engine.device.as_device());
    let (steps, bit_times) = (engine.monitor.steps() as u64, engine.machine.bit_time());
    let storage = device.storage().total as u64;
    let buffer = broadcast.forwarding_buffer().map(Formula::from);
    let mut checks = vec![
        message_check(engine),
        ROUTING_STEPS.check(steps, &broadcast.routing_steps().into()),
        BIT_TIMES.check(bit_times, &device.bit_times().into()),
    ];
    checks.extend(machine_checks(engine));
    checks.extend(buffer.map(|form| FORWARDING_BUFFER.check(engine.peak_bits.into(), &form)));
    checks.push(STORAGE.check(storage, &device.storage_bits().into()));
    checks
}

/// The check that all nodes have the message.
fn message_check(engine: &Engine) -> Check {
    let (broadcast, hosts) = (engine.broadcast(), &engine.hosts);
    let right = right(engine);
    let others = broadcast.cube.nodes() - 1;
    let mut detail = format!("{right} of {others} nodes have the message, every bit once");
    if let Some(wrong) = hosts.wrong() {
        detail += &format!("; node {} got {}", wrong.node, wrong.what);
    }
    let is_complete = right == others && hosts.is_complete(broadcast.source);
    Check::new(MESSAGE, is_complete && hosts.wrong().is_none(), detail)
}

/// The checks that the machine did no more than it may.
fn machine_checks(engine: &Engine) -> Vec<Check> {
    let (broadcast, hosts, monitor) = (engine.broadcast(), &engine.hosts, &engine.monitor);
    let ports = match monitor.violation() {
        None => format!(
            "{}, in each of {} steps",
            broadcast.ports.allows(),
            monitor.steps()
        ),
        Some(violation) => sentence(violation),
    };
    let wires = match &engine.conflict {
        None => format!(
            "{} packets crossed a link, no two at once",
            monitor.packets()
        ),
        Some(conflict) => conflict.to_string(),
    };
    let mut checks = vec![
        Check::new(PORTS, monitor.violation().is_none(), ports),
        Check::new("one bit a wire", engine.conflict.is_none(), wires),
    ];
    if hosts.looks_at_trees() {
        let trees = match hosts.shared() {
            None => "no two of them share a wire".to_owned(),
            Some((node, port)) => {
                format!("two of them share the wire into node {node} through port {port}")
            }
        };
        checks.push(Check::new(TREES, hosts.shared().is_none(), trees));
    }
    checks
}

#[cfg(test)]
mod tests;
