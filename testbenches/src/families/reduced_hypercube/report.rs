//! What is said of a run besides what all machines in lockstep say.

use comfy_table::CellAlignment::{Left, Right};
use rtl_model::routers::reduced_hypercube::network::BlockNetwork;
use serde::Serialize;

use crate::families::reduced_hypercube::compared::Compared;
use crate::families::reduced_hypercube::job::Job;
use crate::families::reduced_hypercube::operation::Operation;
use crate::families::reduced_hypercube::parameters::{NETWORK, SWITCHING, VALUES};
use crate::families::reduced_hypercube::stimulus::Collecting;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Further, Verdict};
use crate::report::{Behind, Check, Formula, Section, aligned, value};
use crate::testbench::bench::Job as _;

/// What is told of the machine and its words.
pub fn facts(of: &Collecting) -> Section {
    let job = &of.job;
    let bits = match job.operation {
        Operation::Broadcast => "message_bits",
        _ => "word_bits",
    };
    let mut facts = vec![
        ("network", value(&job.chosen.name(&NETWORK).ok())),
        ("algorithm", value(&job.algorithm.name())),
        (bits, value(&of.words.bits())),
    ];
    if let BlockNetwork::Reduced(network) = job.network {
        facts.push(("block_dimensions", value(&network.block_dimensions())));
        facts.push(("subblock_bits", value(&network.subblock_bits())));
    }
    match job.operation {
        Operation::Broadcast => {
            facts.push(("switching", value(&job.chosen.name(&SWITCHING).ok())));
            facts.push(("source_node", value(&job.source())));
        }
        Operation::Sort => facts.push(("keys", value(&of.words.per_node()))),
        _ => facts.push(("operator", value(&job.operator().map(|one| one.name())))),
    }
    facts
}

/// The verdict of a run.
pub fn verdict(of: &Collecting, measurement: &Measurement, compared: &Compared) -> Verdict {
    let job = &of.job;
    let nodes = compared.nodes;
    let formula = Formula::from(job.steps_formula.clone());
    let steps = job.steps(measurement.bit_times);
    let topology = job.device.topology();
    let drawn = match job.chosen.path(&VALUES) {
        Some(_) => of.words_name(),
        None => format!("random, seed {}", job.chosen.seed()),
    };
    let what = match job.operation {
        Operation::Broadcast => format!("{} bits, {drawn}", of.words.bits()),
        Operation::Sort => {
            let plural = if of.words.per_node() == 1 { "" } else { "s" };
            format!(
                "{} key{plural} a node of {} bits, {drawn}",
                of.words.per_node(),
                of.words.bits()
            )
        }
        _ => format!("one a node of {} bits, {drawn}", of.words.bits()),
    };
    let mut summary = vec![("algorithm", job.algorithm.name().to_owned())];
    if let Some(operator) = job.operator() {
        summary.push(("operator", operator.name().to_owned()));
    }
    if job.operation == Operation::Broadcast {
        let switching = job.chosen.name(&SWITCHING).unwrap_or_default();
        summary.push(("switching", switching.to_owned()));
    }
    summary.push((
        match job.operation {
            Operation::Broadcast => "message",
            Operation::Sort => "keys",
            _ => "words",
        },
        what,
    ));
    summary.push(("right", right(job.operation, compared)));
    summary.push((
        "steps",
        format!("{steps}; {} = {}", formula.text, formula.value),
    ));
    if job.set_up() > 0 {
        let told = format!("T = {} bit times, for the trees", job.set_up());
        summary.push(("set-up", told));
    }
    summary.push((
        "wires",
        format!(
            "{} from a node; times bit times, {}",
            topology.links(),
            measurement.bit_times * topology.links() as u64
        ),
    ));
    let machine = facts(of).into_iter();
    let mut entries: Vec<_> = machine
        .map(|(name, value)| (Behind::Network, name, value))
        .collect();
    entries.extend([
        (Behind::BitTimes, "routing_steps", value(&steps)),
        (Behind::BitTimes, "routing_steps_formula", value(&formula)),
        (Behind::BitTimes, "set_up_bit_times", value(&job.set_up())),
        (
            Behind::BitTimes,
            "wires_times_bit_times",
            value(&(measurement.bit_times * topology.links() as u64)),
        ),
        (
            Behind::BitTimes,
            "bit_times_by_step",
            value(
                &by_step(job, measurement)
                    .map(StepTime::from)
                    .collect::<Vec<_>>(),
            ),
        ),
    ]);
    Verdict {
        payload_bits: None,
        traffic: of.words_name(),
        load: None,
        seed: job.chosen.seed(),
        messages: nodes,
        delivered: compared.right,
        summary,
        storage_bound: None,
        wire_use: None,
        bytes: job.requirement().bytes,
        checks: checks(job, (steps, formula.value), compared),
        further: Further {
            entries,
            text: steps_text(job, measurement),
        },
    }
}

/// How many nodes have what they should; of a reduction, one has to.
fn right(operation: Operation, compared: &Compared) -> String {
    match (operation, compared.right == compared.nodes) {
        (Operation::Reduce, true) => "node 0 has the word of all".to_owned(),
        (Operation::Reduce, false) => "node 0 has another word".to_owned(),
        _ => format!("{} of {} nodes", compared.right, compared.nodes),
    }
}

/// A step, and how long it took.
#[derive(Serialize)]
struct StepTime {
    step: &'static str,
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

fn checks(job: &Job, (steps, formula): (u64, u64), compared: &Compared) -> Vec<Check> {
    let fault = compared
        .first_fault
        .as_ref()
        .map_or(String::new(), |fault| format!("; first: {fault}"));
    vec![
        Check::new(
            "results",
            compared.right == compared.nodes,
            format!(
                "{} of {} nodes have what they should{fault}",
                compared.right, compared.nodes
            ),
        ),
        Check::new(
            "steps",
            steps == formula,
            format!("{steps} counted, {} = {formula}", job.steps_formula.text),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::reduced_hypercube::testbench::{BROADCAST, REDUCE};
    use crate::testbench::Testbench;
    use crate::testbench::bench::asked;

    #[test]
    fn every_check_can_fail() {
        for bench in [&REDUCE, &BROADCAST] {
            can_fail(bench);
        }
    }

    fn can_fail(bench: &'static Testbench) {
        let job = Job::new(&asked(bench, "")).unwrap();
        let compared = Compared {
            nodes: 1,
            right: 1,
            first_fault: None,
        };
        let verdicts = |steps, compared: &Compared| {
            let checks = checks(&job, (steps, 15), compared);
            checks.iter().map(|check| check.passed).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(15, &compared), [true, true]);
        assert_eq!(verdicts(14, &compared), [true, false]);
        let wrong = Compared {
            right: 0,
            first_fault: Some("node 0 has 1 in place of 2".to_owned()),
            ..compared
        };
        assert_eq!(verdicts(15, &wrong), [false, true]);
        assert!(
            checks(&job, (15, 15), &wrong)[0]
                .detail
                .ends_with("in place of 2")
        );
    }
}
