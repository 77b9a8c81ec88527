//! What is said of a run besides what all machines in lockstep say.

use rtl_model::embedding::constructions::{Claim, Figure};
use rtl_model::embedding::paths::Measures;
use schemars::JsonSchema;
use serde::Serialize;

use crate::families::embeddings::entries;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::parameters::BOTH_WAYS;
use crate::families::embeddings::work::Work;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Compared, Verdict};
use crate::report::{Check, ROUTING_STEPS, Section, Told};
use crate::testbench::bench::Job as _;

/// What is claimed of an embedding.
#[derive(Serialize, JsonSchema)]
pub struct Claimed {
    /// Paths of a guest edge.
    width: Said,
    /// Hops of the longest.
    dilation: Said,
    /// The most guest edges on a directed wire.
    congestion: Said,
    /// Packets of a guest edge.
    packets: Said,
    /// Steps of a phase in which every guest edge has as many packets.
    cost_steps: Said,
}

/// A figure of a claim.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Said {
    /// A number.
    Is(usize),
    /// An order of growth, as it is written.
    Order(String),
    /// Nothing is said of it.
    Nothing,
}

impl From<&Figure> for Said {
    fn from(figure: &Figure) -> Self {
        match figure {
            Figure::Is(number) => Said::Is(*number),
            Figure::Order(order) => Said::Order(order.to_string()),
            Figure::Unsaid => Said::Nothing,
        }
    }
}

impl From<&Claim> for Claimed {
    fn from(claim: &Claim) -> Self {
        let figures = [
            &claim.width,
            &claim.dilation,
            &claim.congestion,
            &claim.packets,
            &claim.cost,
        ];
        let [width, dilation, congestion, packets, cost_steps] = figures.map(Said::from);
        Claimed {
            width,
            dilation,
            congestion,
            packets,
            cost_steps,
        }
    }
}

/// What is told of the machine and its messages.
pub fn facts(job: &Job) -> Section {
    let machine = &job.machine;
    vec![
        entries::GUEST.is(&job.name),
        entries::THEOREM.is(&job.theorem),
        entries::GUEST_VERTICES.is(&job.embedding.vertices()),
        entries::GUEST_EDGES.is(&job.embedding.edges()),
        entries::BOTH_WAYS.is(&job.chosen.is_on(&BOTH_WAYS)),
        entries::WIDTH.is(&job.measures.width),
        entries::DILATION.is(&job.measures.dilation),
        entries::CONGESTION.is(&job.measures.congestion),
        entries::GUEST_LOAD.is(&job.measures.load),
        entries::EXPANSION.is(&job.measures.expansion.to_string()),
        entries::ORDER.is(&job.order.name()),
        entries::MESSAGE_BITS.is(&job.message_bits),
        entries::PACKETS.is(&job.embedding.packets().len()),
        entries::PACKET_BITS.is(&machine.packet_bits()),
        entries::START_UP.is(&machine.start_up()),
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

/// What there is to say of its paths.
pub fn paths(job: &Job) -> String {
    let Measures {
        width,
        dilation,
        congestion,
        ..
    } = job.measures;
    format!("width {width}, dilation {dilation}, congestion {congestion}")
}

/// Says what is embedded.
pub fn say_embedding(told: &mut Told, job: &Job) {
    let (embedding, measures) = (&job.embedding, &job.measures);
    let ways = match job.chosen.is_on(&BOTH_WAYS) {
        true => ", both ways",
        false => "",
    };
    let copies = match embedding.copies() {
        1 => String::new(),
        copies => format!("{copies} copies, "),
    };
    let (name, theorem) = (job.name, job.theorem);
    let (vertices, edges) = (embedding.vertices(), embedding.edges());
    told.say(
        "guest",
        format!("{name}, {theorem}: {copies}{vertices} vertices, {edges} edges{ways}"),
    );
    let (
        paths,
        Measures {
            load, expansion, ..
        },
    ) = (paths(job), measures);
    told.say(
        "embedding",
        format!("{paths}, load {load}, expansion {expansion}"),
    );
}

/// Says how many packets are at a node.
pub fn say_cells(told: &mut Told, job: &Job) {
    let (cells, held) = (job.plan().cells(), job.plan().held());
    let bits = job.machine.packet_bits();
    told.say(
        "cells",
        format!("{cells} of {bits} bits at a node, as many as packets are ever there at once"),
    );
    told.put(&entries::CELLS, &cells);
    told.put(&entries::PACKETS_HELD, &held);
}

/// `packet`, or `packets`.
pub fn plural(amount: usize, one: &str) -> String {
    match amount {
        1 => one.to_owned(),
        _ => format!("{one}s"),
    }
}

/// The check that steps are those of the schedule.
pub fn steps_check(job: &Job, steps: u64) -> Check {
    let cost = job.phase.steps() as u64;
    let step = job.machine.start_up() + job.machine.packet_bits();
    let detail = format!("{steps} of {step} bit times each, {cost} in the schedule of packets");
    Check::new(ROUTING_STEPS.title, steps == cost, detail)
}

/// A verdict of so many messages sent and arrived, with what is told besides.
pub fn verdict_on<W: Work>(
    (work, bit_times): (&W, u64),
    (messages, delivered): (usize, usize),
    told: Told,
) -> Verdict {
    let job = work.job();
    Verdict {
        traffic: job.values_name(),
        seed: job.chosen.seed(),
        messages,
        delivered,
        bytes: work.requirement().bytes,
        wire_use: Some(wire_use(job, bit_times)),
        told,
        ..Verdict::default()
    }
}

/// The verdict of a run.
pub fn verdict(job: &Job, measurement: &Measurement, compared: &Compared) -> Verdict {
    let steps = steps(job, measurement.bit_times);
    let (packets, bits) = (job.embedding.packets().len(), job.machine.packet_bits());
    let (messages, right) = (compared.amount, compared.right);
    let mut told = Told::of(facts(job));
    say_embedding(&mut told, job);
    told.say(
        "messages",
        format!(
            "one an edge of {} bits, in {packets} {} of {bits}; {}",
            job.message_bits,
            plural(packets, "packet"),
            job.values_in_words()
        ),
    );
    told.say(
        "arrived",
        format!("{right} of {messages} as they were sent"),
    );
    told.say(ROUTING_STEPS.title, steps_text(job, steps));
    say_cells(&mut told, job);
    told.checks = checks(job, steps, compared);
    let [paper, corrected] = &job.claims;
    told.put(&ROUTING_STEPS.of, &steps);
    told.put(&entries::COST_STEPS, &job.phase.steps());
    told.put(&entries::PAPER, &Claimed::from(paper));
    told.put(&entries::CORRECTED, &Claimed::from(corrected));
    verdict_on((job, measurement.bit_times), (messages, right), told)
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
    let Compared { amount, right, .. } = compared;
    let arrived = format!("{right} of {amount} arrived as they were sent");
    let mut checks = vec![compared.check("messages", arrived), steps_check(job, steps)];
    if let Some(claimed) = job.claimed_cost() {
        let detail = format!("{steps} steps, {claimed} as corrected");
        checks.push(Check::new("cost", steps == claimed as u64, detail));
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::families::embeddings::testbench::EMBEDDING;
    use crate::testbench::bench::asked;

    #[test]
    fn every_check_can_fail() {
        let job = Job::new(&asked(&EMBEDDING, "--dims 4")).unwrap();
        let right = Compared {
            amount: 16,
            right: 16,
            first_fault: None,
        };
        let verdicts = |steps, compared: &Compared| {
            let checks = checks(&job, steps, compared);
            checks.iter().map(|check| check.passed).collect::<Vec<_>>()
        };
        assert_eq!(verdicts(3, &right), [true; 3]);
        assert_eq!(verdicts(2, &right), [true, false, false]);
        let wrong = Compared {
            right: 15,
            first_fault: Some("of edge 3".to_owned()),
            ..right
        };
        assert_eq!(verdicts(3, &wrong), [false, true, true]);
    }
}
