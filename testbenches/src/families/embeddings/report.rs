//! What is said of a run besides what all machines in lockstep say.

use rtl_model::embedding::constructions::{Claim, Figure};
use serde_json::{Value, json};

use crate::families::embeddings::compared::Compared;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::parameters::BOTH_WAYS;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Further, Verdict};
use crate::report::{Behind, Check, Section, value};
use crate::testbench::bench::Job as _;

/// A figure in the JSON.
pub fn figure(figure: &Figure) -> Value {
    match figure {
        Figure::Is(number) => value(number),
        Figure::Order(order) => value(order),
        Figure::Unsaid => Value::Null,
    }
}

/// A claim in the JSON.
pub fn claim(claim: &Claim) -> Value {
    json!({
        "width": figure(&claim.width),
        "dilation": figure(&claim.dilation),
        "congestion": figure(&claim.congestion),
        "packets": figure(&claim.packets),
        "cost_steps": figure(&claim.cost),
    })
}

/// What is told of the machine and its messages.
pub fn facts(job: &Job) -> Section {
    let machine = &job.machine;
    vec![
        ("guest", value(&job.name)),
        ("theorem", value(&job.theorem)),
        ("guest_vertices", value(&job.embedding.vertices())),
        ("guest_edges", value(&job.embedding.edges())),
        ("both_ways", value(&job.chosen.is_on(&BOTH_WAYS))),
        ("width", value(&job.measures.width)),
        ("dilation", value(&job.measures.dilation)),
        ("congestion", value(&job.measures.congestion)),
        ("guest_load", value(&job.measures.load)),
        ("expansion", value(&job.measures.expansion.to_string())),
        ("order", value(&job.order.name())),
        ("message_bits", value(&job.message_bits)),
        ("packets", value(&job.embedding.packets().len())),
        ("packet_bits", value(&machine.packet_bits())),
        ("start_up", value(&machine.start_up())),
    ]
}

/// Steps that a run took.
pub fn steps(job: &Job, bit_times: u64) -> u64 {
    bit_times / (job.machine.start_up() + job.machine.packet_bits()) as u64
}

/// The share of all wires in all bit times that are given out to a packet.
pub fn wire_use(job: &Job, bit_times: u64) -> f64 {
    let bits = job.phase.hops().len() as u64 * job.machine.packet_bits() as u64;
    bits as f64 / (bit_times.max(1) as f64 * job.embedding.host().wires() as f64)
}

/// Rows of the summary that are about the embedding.
pub fn summary(job: &Job) -> Vec<(&'static str, String)> {
    let (embedding, measures) = (&job.embedding, &job.measures);
    let ways = match job.chosen.is_on(&BOTH_WAYS) {
        true => ", both ways",
        false => "",
    };
    let copies = match embedding.copies() {
        1 => String::new(),
        copies => format!("{copies} copies, "),
    };
    vec![
        (
            "guest",
            format!(
                "{}, {}: {copies}{} vertices, {} edges{ways}",
                job.name,
                job.theorem,
                embedding.vertices(),
                embedding.edges()
            ),
        ),
        (
            "embedding",
            format!(
                "width {}, dilation {}, congestion {}, load {}, expansion {}",
                measures.width,
                measures.dilation,
                measures.congestion,
                measures.load,
                measures.expansion
            ),
        ),
    ]
}

/// The verdict of a run.
pub fn verdict(job: &Job, measurement: &Measurement, compared: &Compared) -> Verdict {
    let steps = steps(job, measurement.bit_times);
    let packets = job.embedding.packets().len();
    let [paper, corrected] = &job.claims;
    let mut summary = summary(job);
    let plural = if packets == 1 { "packet" } else { "packets" };
    summary.extend([
        (
            "messages",
            format!(
                "one an edge of {} bits, in {packets} {plural} of {}; {}",
                job.message_bits,
                job.machine.packet_bits(),
                job.values_in_words()
            ),
        ),
        (
            "arrived",
            format!(
                "{} of {} as they were sent",
                compared.right, compared.messages
            ),
        ),
        ("steps", steps_text(job, steps)),
        (
            "cells",
            format!(
                "{} of {} bits at a node, as many as packets are ever there at once",
                job.plan().cells(),
                job.machine.packet_bits()
            ),
        ),
    ]);
    let machine = facts(job).into_iter();
    let mut entries: Vec<_> = machine
        .map(|(name, value)| (Behind::Network, name, value))
        .collect();
    entries.extend([
        (Behind::BitTimes, "routing_steps", value(&steps)),
        (Behind::BitTimes, "cost_steps", value(&job.phase.steps())),
        (Behind::BitTimes, "paper", claim(paper)),
        (Behind::BitTimes, "corrected", claim(corrected)),
        (Behind::Peak, "cells", value(&job.plan().cells())),
        (Behind::Peak, "packets_held", value(&job.plan().held())),
    ]);
    Verdict {
        payload_bits: None,
        traffic: job.values_name(),
        load: None,
        seed: job.chosen.seed(),
        messages: compared.messages,
        delivered: compared.right,
        summary,
        storage_bound: None,
        bytes: job.requirement().bytes,
        wire_use: Some(wire_use(job, measurement.bit_times)),
        checks: checks(job, steps, compared),
        further: Further {
            entries,
            text: String::new(),
        },
    }
}

/// Steps, and what is said of them elsewhere.
fn steps_text(job: &Job, steps: u64) -> String {
    let order = job.order.name();
    match job.is_as_claimed {
        true => format!(
            "{steps}, {order}; the paper has {}, and {} holds",
            job.claims[0].cost, job.claims[1].cost
        ),
        false => format!("{steps}, {order}"),
    }
}

fn checks(job: &Job, steps: u64, compared: &Compared) -> Vec<Check> {
    let fault = compared.first_fault.as_ref();
    let fault = fault.map_or(String::new(), |fault| format!("; first: {fault}"));
    let cost = job.phase.steps() as u64;
    let mut checks = vec![
        Check::new(
            "messages",
            compared.is_all_right(),
            format!(
                "{} of {} arrived as they were sent{fault}",
                compared.right, compared.messages
            ),
        ),
        Check::new(
            "steps",
            steps == cost,
            format!(
                "{steps} of {} bit times each, {cost} in the schedule of packets",
                job.machine.start_up() + job.machine.packet_bits()
            ),
        ),
    ];
    if let Some(claimed) = job.claimed_cost() {
        checks.push(Check::new(
            "cost",
            steps == claimed as u64,
            format!("{steps} steps, {claimed} as corrected"),
        ));
    }
    checks
}
