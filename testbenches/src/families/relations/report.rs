//! What is said of a run besides what all machines in lockstep say.

use hosts::scoreboard::Score;
use rtl_model::routers::kuszmaul::batches::AnyPipeline;

use crate::families::relations::entries;
use crate::families::relations::job::Job;
use crate::families::relations::parameters::Amount;
use crate::families::relations::stimulus::Carrying;
use crate::lockstep::scoreboard;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Verdict, drawn};
use crate::report::{Formula, Quantity, Section, Told, counted};
use crate::testbench::bench::Job as _;

/// Serial adders of a node.
const SERIAL_ADDERS: Quantity = Quantity::checked("serial adders", "a node");
/// Bit times from one batch to the next.
const INTERVAL: Quantity = Quantity::checked(
    "interval",
    "is the smallest that leaves every wire to one unit",
);
/// Registers of a node that are the router's.
const STAGES: Quantity = Quantity::checked("stages", "bits of a node are the router's");
/// Wires that a node drives.
const WIRES: Quantity = Quantity::checked("wires", "a node");

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
        entries::SLOTS.is(&job.slots),
        entries::WIRES_BY_DIMENSION.is(&wires),
        entries::WIRES_PER_NODE.is(&job.wires_of_node()),
        entries::WIRE_COST.is(&cost(&wires)),
    ];
    if let (Some(pipeline), Some(interval)) = (job.pipeline(), job.interval) {
        let form = |text| Formula::from(job.size.form(text));
        let forms = pipeline.forms();
        facts.extend([
            entries::BATCHES.is(&(job.amount == Amount::Batches).then_some(job.slots)),
            entries::INTERVAL_BIT_TIMES.is(&interval),
            entries::SMALLEST_INTERVAL.is(&form(forms.interval)),
            entries::LATENCY.is(&form(forms.latency)),
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
    let (job, sent) = (&of.job, &of.sent);
    Verdict {
        payload_bits: Some(job.size.payload_bits),
        traffic: sent.name.clone(),
        load: sent.load,
        seed: job.chosen.seed(),
        messages: score.messages,
        delivered: score.delivered,
        bytes: job.requirement().bytes,
        told: told(of, measurement, score),
        ..Verdict::default()
    }
}

fn told(of: &Carrying, measurement: &Measurement, score: &Score) -> Told {
    let (job, sent) = (&of.job, &of.sent);
    let mut told = Told::of(facts(job));
    let what = match (job.amount, job.slots) {
        (Amount::Batches, 1) => "1 batch, ".to_owned(),
        (Amount::Batches, batches) => format!("{batches} batches, "),
        (Amount::Relation, h) => format!("H = {h}, "),
        (Amount::Processors, processors) => {
            format!("{} a vertex, ", counted(processors, "processor"))
        }
    };
    let drawn = drawn(&sent.name, sent.load, job.chosen.seed());
    told.say("traffic", what + &drawn);
    let messages = counted(score.messages, "message");
    let payload = counted(job.size.payload_bits, "payload bit");
    let delivered = score.delivered;
    told.say(
        "delivered",
        format!("{delivered} of {messages} with {payload}"),
    );
    told.checks.push(scoreboard::check(score, sent.distinct));
    told.say("wires", wires_text(job));
    let in_all = measurement.bit_times.max(1) as f64 * job.cube.nodes() as f64;
    let a_bit_time = delivered as f64 / in_all;
    told.put(&entries::MESSAGES_A_NODE, &a_bit_time);
    if let Some(degree) = sent.degree {
        told.put(&entries::DEGREE, &degree);
    }
    let router_bits = (measurement.storage.total - processor_bits(job)) as u64;
    told.put(&entries::ROUTER_STORAGE, &router_bits);
    let adders = measurement.storage.serial_adders as u64;
    let form = job.serial_adders.clone().into();
    told.checks.push(SERIAL_ADDERS.check(adders, &form));
    let Some((pipeline, interval)) = job.pipeline().zip(job.interval) else {
        return told;
    };
    say_times(&mut told, job, (pipeline, interval));
    let form = |text| Formula::from(job.size.form(text));
    let forms = pipeline.forms();
    told.checks
        .push(STAGES.check(router_bits, &form(forms.storage_bits)));
    told.checks
        .push(WIRES.check(job.wires_of_node() as u64, &form(forms.wires)));
    if job.amount == Amount::Processors && score.messages > 0 {
        let latency = form(forms.latency).value;
        let factor = measurement.bit_times as f64 / latency as f64;
        let processors = counted(job.slots, "processor");
        let take = if job.slots == 1 { "takes" } else { "take" };
        let longer = format!(
            "{processors} a vertex {take} {factor:.2} times as long as one; the paper has a factor of {}, which it goes to with long \
             messages",
            job.slots
        );
        told.say("factor", longer);
    }
    told
}

/// How long a batch takes, and after how long the next one follows.
fn say_times(told: &mut Told, job: &Job, (pipeline, interval): (&dyn AnyPipeline, usize)) {
    let set = match job.amount {
        Amount::Processors => "pass",
        Amount::Batches | Amount::Relation => "batch",
    };
    let forms = pipeline.forms();
    let latency = Formula::from(job.size.form(forms.latency));
    told.say("latency", format!("T = {latency} bit times a {set}"));
    let smallest = Formula::from(job.size.form(forms.interval));
    told.say(
        "interval",
        format!("P = {interval} bit times from {set} to {set}; the smallest is {smallest}"),
    );
    let found = pipeline.smallest_interval(job.size) as u64;
    told.checks.push(INTERVAL.check(found, &smallest));
}

#[cfg(test)]
mod tests;
