//! What is said of a run besides what all machines in lockstep say.

use hosts::scoreboard::Score;
use rtl_model::machine::router::ClosedForm;

use crate::families::relations::job::Job;
use crate::families::relations::parameters::Amount;
use crate::families::relations::stimulus::Carrying;
use crate::lockstep::scoreboard;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Further, Verdict, drawn};
use crate::report::{Behind, Check, Formula, Section, counted, value};
use crate::testbench::bench::Job as _;

/// Registers of a node that are the processor's: outbox and inbox of a pipeline. Lists of messages are what a router without one works
/// on, so they are its own.
fn processor_bits(job: &Job) -> usize {
    if job.pipeline().is_none() {
        return 0;
    }
    let (k, payload_bits) = (job.size.dimensions, job.size.payload_bits);
    job.slots * (k + 2 * (1 + payload_bits))
}

/// What is told of the machine.
pub fn facts(job: &Job) -> Section {
    let wires = job.wires();
    let mut facts = vec![
        ("slots", value(&job.slots)),
        ("wires_by_dimension", value(&wires)),
        ("wires_per_node", value(&job.wires_of_node())),
        ("wire_cost", value(&cost(&wires))),
    ];
    if let (Some(pipeline), Some(interval)) = (job.pipeline(), job.interval) {
        let (latency, smallest) = (pipeline.latency(job.size), pipeline.interval(job.size));
        facts.extend([
            ("batches", value(&job.slots)),
            ("interval_bit_times", value(&interval)),
            ("smallest_interval_formula", value(&Formula::from(smallest))),
            ("latency_formula", value(&Formula::from(latency))),
        ]);
    }
    facts
}

/// What all wires of a node cost, in units of one across dimension 0, if one across dimension `d` costs `1/(d+1)` of that, as the
/// paper assumes.
pub fn cost(wires: &[usize]) -> f64 {
    let wires = wires.iter().enumerate();
    wires
        .map(|(dimension, wires)| *wires as f64 / (dimension + 1) as f64)
        .sum()
}

fn wires_text(job: &Job) -> String {
    let wires = job.wires();
    let all = job.wires_of_node();
    if wires.iter().all(|across| *across == 1) {
        return format!("one each way across each dimension, {all} a node");
    }
    let each: Vec<String> = wires.iter().map(usize::to_string).collect();
    format!(
        "{} across dimensions 0 to {}, {all} a node; cost {:.2} c_0 at c_d = c_0/(d+1)",
        each.join(", "),
        wires.len() - 1,
        cost(&wires)
    )
}

/// The verdict of a run.
pub fn verdict(of: &Carrying, measurement: &Measurement, score: &Score) -> Verdict {
    let (job, sent, seed) = (&of.job, &of.sent, of.job.chosen.seed());
    let what = match (job.amount, job.slots) {
        (Amount::Batches, 1) => "1 batch, ".to_owned(),
        (Amount::Batches, batches) => format!("{batches} batches, "),
        (Amount::Relation, h) => format!("H = {h}, "),
        (Amount::Processors, processors) => {
            format!("{} a vertex, ", counted(processors, "processor"))
        }
    };
    let mut summary = vec![
        ("traffic", what + &drawn(&sent.name, sent.load, seed)),
        (
            "delivered",
            format!(
                "{} of {} with {}",
                score.delivered,
                counted(score.messages, "message"),
                counted(job.size.payload_bits, "payload bit")
            ),
        ),
        ("wires", wires_text(job)),
    ];
    if let (Some(pipeline), Some(interval)) = (job.pipeline(), job.interval) {
        let (latency, smallest) = (pipeline.latency(job.size), pipeline.interval(job.size));
        let set = match job.amount {
            Amount::Processors => "pass",
            Amount::Batches | Amount::Relation => "batch",
        };
        summary.extend([
            (
                "latency",
                format!("T = {} = {} bit times a {set}", latency.text, latency.value),
            ),
            (
                "interval",
                format!(
                    "P = {interval} bit times from {set} to {set}; the smallest is {} = {}",
                    smallest.text, smallest.value
                ),
            ),
        ]);
        if job.amount == Amount::Processors && score.messages > 0 {
            let factor = measurement.bit_times as f64 / latency.value as f64;
            let processors = counted(job.slots, "processor");
            let take = if job.slots == 1 { "takes" } else { "take" };
            summary.push((
                "factor",
                format!(
                    "{processors} a vertex {take} {factor:.2} times as long as one; the paper has a factor of {}, which it goes to with \
                     long messages",
                    job.slots
                ),
            ));
        }
    }
    let machine = facts(job).into_iter();
    let mut entries: Vec<_> = machine
        .map(|(name, value)| (Behind::Network, name, value))
        .collect();
    let a_bit_time =
        score.delivered as f64 / (measurement.bit_times.max(1) as f64 * job.cube.nodes() as f64);
    let router_bits = measurement.storage.total - processor_bits(job);
    let of_router = "router_storage_bits_per_node";
    entries.push((
        Behind::BitTimes,
        "messages_a_node_and_bit_time",
        value(&a_bit_time),
    ));
    entries.extend(
        sent.degree
            .map(|degree| (Behind::Network, "degree", value(&degree))),
    );
    entries.push((Behind::Storage, of_router, value(&router_bits)));
    Verdict {
        payload_bits: Some(job.size.payload_bits),
        traffic: sent.name.clone(),
        load: sent.load,
        seed,
        messages: score.messages,
        delivered: score.delivered,
        summary,
        storage_bound: None,
        bytes: job.requirement().bytes,
        wire_use: None,
        checks: checks(of, measurement, (score, router_bits)),
        further: Further {
            entries,
            text: String::new(),
        },
    }
}

fn checks(
    of: &Carrying,
    measurement: &Measurement,
    (score, router_bits): (&Score, usize),
) -> Vec<Check> {
    let job = &of.job;
    let mut checks = vec![
        scoreboard::check(score, of.sent.distinct),
        equal(
            "serial adders",
            (measurement.storage.serial_adders as u64, &job.serial_adders),
            "a node",
        ),
    ];
    let Some((pipeline, _)) = job.pipeline().zip(job.interval) else {
        return checks;
    };
    let (found, form) = (
        pipeline.smallest_interval(job.size),
        pipeline.interval(job.size),
    );
    let storage = pipeline.storage_bits(job.size);
    let (wires, stages) = (job.wires_of_node(), pipeline.wires_form(job.cube));
    checks.extend([
        equal(
            "interval",
            (found as u64, &form),
            "is the smallest that leaves every wire to one unit",
        ),
        equal(
            "stages",
            (router_bits as u64, &storage),
            "bits of a node are the router's",
        ),
        equal("wires", (wires as u64, &stages), "a node"),
    ]);
    checks
}

/// What was counted or found is its closed form.
fn equal(name: &'static str, (found, form): (u64, &ClosedForm), what: &str) -> Check {
    let detail = format!("{found} {what}, {} = {}", form.text, form.value);
    Check::new(name, found == form.value, detail)
}

#[cfg(test)]
mod tests;
