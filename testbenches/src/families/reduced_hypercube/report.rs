//! What is said of a run besides what all machines in lockstep say.

use comfy_table::CellAlignment::{Left, Right};
use schemars::JsonSchema;
use serde::Serialize;

use crate::families::reduced_hypercube::entries;
use crate::families::reduced_hypercube::job::Job;
use crate::families::reduced_hypercube::operation::Operation;
use crate::families::reduced_hypercube::parameters::{BLOCKS_OF, DIMS, NETWORK, SWITCHING, VALUES};
use crate::families::reduced_hypercube::stimulus::Collecting;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Compared, Verdict};
use crate::report::{ROUTING_STEPS, Section, Told, aligned, counted};
use crate::testbench::bench::Job as _;

/// What is told of the machine and its words.
pub fn facts(of: &Collecting) -> Section {
    let job = &of.job;
    let bits = match job.operation {
        Operation::Broadcast => entries::MESSAGE_BITS,
        _ => entries::WORD_BITS,
    };
    let mut facts = vec![
        entries::NETWORK.is(&job.chosen.name(&NETWORK).ok()),
        entries::ALGORITHM.is(&job.algorithm.name()),
        entries::DIMS.is(&job.chosen.number(&DIMS)),
        entries::BLOCKS.is(&job.chosen.whole(&BLOCKS_OF)),
        bits.is(&of.words.bits()),
    ];
    match job.operation {
        Operation::Broadcast => {
            facts.push(entries::SWITCHING.is(&job.chosen.name(&SWITCHING).ok()));
            facts.push(entries::SOURCE_NODE.is(&job.source()));
        }
        Operation::Sort => facts.push(entries::KEYS.is(&of.words.per_node())),
        _ => facts.push(entries::OPERATOR.is(&job.operator().map(|one| one.name()))),
    }
    facts
}

/// The verdict of a run.
pub fn verdict(of: &Collecting, measurement: &Measurement, compared: &Compared) -> Verdict {
    let job = &of.job;
    Verdict {
        traffic: of.words_name(),
        seed: job.chosen.seed(),
        messages: compared.amount,
        delivered: compared.right,
        bytes: job.requirement().bytes,
        told: told(of, measurement, compared),
        ..Verdict::default()
    }
}

fn told(of: &Collecting, measurement: &Measurement, compared: &Compared) -> Told {
    let job = &of.job;
    let mut told = Told::of(facts(of));
    told.say("algorithm", job.algorithm.name());
    if let Some(operator) = job.operator() {
        told.say("operator", operator.name());
    }
    let drawn = match job.chosen.path(&VALUES) {
        Some(_) => of.words_name(),
        None => format!("random, seed {}", job.chosen.seed()),
    };
    let (bits, per_node) = (of.words.bits(), of.words.per_node());
    match job.operation {
        Operation::Broadcast => {
            told.say("switching", job.chosen.name(&SWITCHING).unwrap_or_default());
            told.say("message", format!("{bits} bits, {drawn}"));
        }
        Operation::Sort => {
            let keys = counted(per_node, "key");
            told.say("keys", format!("{keys} a node of {bits} bits, {drawn}"));
        }
        _ => told.say("words", format!("one a node of {bits} bits, {drawn}")),
    }
    told.say("right", results(job.operation, compared));
    let Compared { right, amount, .. } = compared;
    let detail = format!("{right} of {amount} nodes have what they should");
    told.checks.push(compared.check("results", detail));
    let steps = job.steps(measurement.bit_times);
    told.measured(
        &ROUTING_STEPS.said("counted"),
        steps,
        job.steps_formula.clone(),
    );
    let set_up = job.set_up();
    if set_up > 0 {
        told.say("set-up", format!("T = {set_up} bit times, for the trees"));
    }
    let links = job.device.topology().links();
    let times = measurement.bit_times * links as u64;
    told.say(
        "wires",
        format!("{links} from a node; times bit times, {times}"),
    );
    told.put(&entries::SET_UP_BIT_TIMES, &set_up);
    told.put(&entries::WIRES_TIMES_BIT_TIMES, &times);
    let by_step: Vec<_> = by_step(job, measurement).map(StepTime::from).collect();
    told.put(&entries::BIT_TIMES_BY_STEP, &by_step);
    told.before_storage = steps_text(job, measurement);
    told
}

/// How many nodes have what they should; of a reduction, one has to.
fn results(operation: Operation, compared: &Compared) -> String {
    match (operation, compared.right == compared.amount) {
        (Operation::Reduce, true) => "node 0 has the word of all".to_owned(),
        (Operation::Reduce, false) => "node 0 has another word".to_owned(),
        _ => format!("{} of {} nodes", compared.right, compared.amount),
    }
}

/// A step, and how long it took.
#[derive(Serialize, JsonSchema)]
pub struct StepTime {
    /// The step.
    step: &'static str,
    /// Its bit times.
    bit_times: u64,
}

impl From<(&'static str, u64)> for StepTime {
    fn from((step, bit_times): (&'static str, u64)) -> Self {
        StepTime { step, bit_times }
    }
}

/// The bit times of each step that took any.
fn by_step<'a>(
    job: &Job,
    measurement: &'a Measurement,
) -> impl Iterator<Item = (&'static str, u64)> + use<'a> {
    let names = job.device.steps().names.iter();
    let times = measurement.steps.iter().map(|step| step.bit_times);
    names
        .copied()
        .zip(times)
        .filter(|(_, bit_times)| *bit_times > 0)
}

/// Bit times by step; of a broadcast, the table of what is occupied has them.
fn steps_text(job: &Job, measurement: &Measurement) -> String {
    if job.source().is_some() {
        return String::new();
    }
    let mut rows = vec![vec!["step".to_owned(), "bit times".to_owned()]];
    rows.extend(
        by_step(job, measurement)
            .map(|(name, bit_times)| vec![name.to_owned(), bit_times.to_string()]),
    );
    let table = aligned(rows, &[Left, Right]);
    format!("\nbit times by step\n{table}\n")
}
