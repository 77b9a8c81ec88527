//! What is said of a run besides what all machines in lockstep say.

use hosts::scoreboard::Score;
use rtl_model::machine::router::ClosedForm;
use serde_json::{Value, json};

use crate::error::Error;
use crate::families::relations::job::Job;
use crate::families::relations::options::Amount;
use crate::families::relations::stimulus::Carrying;
use crate::lockstep::scoreboard;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Further, Verdict, drawn};
use crate::report::{Behind, Check, Section, counted, value};

/// A closed form in the JSON.
fn formula(form: &ClosedForm) -> Value {
    json!({ "text": form.text, "value": form.value })
}

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
        let smallest = pipeline.interval(job.size);
        facts.extend([
            ("batches", value(&job.slots)),
            ("interval_bit_times", value(&interval)),
            ("smallest_interval_formula", formula(&smallest)),
            ("latency_formula", formula(&pipeline.latency(job.size))),
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
///
/// # Errors
/// None of its own.
pub fn verdict(of: &Carrying, measurement: &Measurement, score: &Score) -> Result<Verdict, Error> {
    let (job, setup, sent) = (&of.job, &of.setup, &of.sent);
    let what = match setup.amount {
        Amount::Batches(1) => "1 batch, ".to_owned(),
        Amount::Batches(batches) => format!("{batches} batches, "),
        Amount::Relation(h) => format!("H = {h}, "),
        Amount::Processors(1) => "1 processor a vertex, ".to_owned(),
        Amount::Processors(processors) => format!("{processors} processors a vertex, "),
    };
    let mut summary = vec![
        ("traffic", what + &drawn(&sent.name, sent.load, setup.seed)),
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
        let set = match setup.amount {
            Amount::Processors(_) => "pass",
            _ => "batch",
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
        if let Amount::Processors(processors) = setup.amount
            && score.messages > 0
        {
            let factor = measurement.bit_times as f64 / latency.value as f64;
            let take = if processors == 1 {
                " a vertex takes"
            } else {
                "s a vertex take"
            };
            summary.push((
                "factor",
                format!(
                    "{processors} processor{take} {factor:.2} times as long as one; the paper has a factor of {processors}, which it goes to with long messages"
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
    entries.push((
        Behind::BitTimes,
        "messages_a_node_and_bit_time",
        value(&a_bit_time),
    ));
    if let Some(degree) = sent.degree {
        entries.push((Behind::Network, "degree", value(&degree)));
    }
    let router_bits = measurement.storage.total - processor_bits(job);
    entries.push((
        Behind::Storage,
        "router_storage_bits_per_node",
        value(&router_bits),
    ));
    Ok(Verdict {
        payload_bits: Some(job.size.payload_bits),
        traffic: sent.name.clone(),
        load: sent.load,
        seed: setup.seed,
        messages: score.messages,
        delivered: score.delivered,
        summary,
        storage_bound: None,
        bytes: job.requirement().bytes,
        wire_use: None,
        checks: checks(of, measurement, (score, router_bits))?,
        further: Further {
            entries,
            text: String::new(),
        },
    })
}

fn checks(
    of: &Carrying,
    measurement: &Measurement,
    (score, router_bits): (&Score, usize),
) -> Result<Vec<Check>, Error> {
    let job = &of.job;
    let adders = job.serial_adders()?;
    let mut checks = vec![
        scoreboard::check(score, of.sent.distinct),
        equal(
            "serial adders",
            (measurement.storage.serial_adders as u64, &adders),
            "a node",
        ),
    ];
    let Some((pipeline, _)) = job.pipeline().zip(job.interval) else {
        return Ok(checks);
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
    Ok(checks)
}

/// What was counted or found is its closed form.
fn equal(name: &'static str, (found, form): (u64, &ClosedForm), what: &str) -> Check {
    let detail = format!("{found} {what}, {} = {}", form.text, form.value);
    Check::new(name, found == form.value, detail)
}

#[cfg(test)]
mod tests;
