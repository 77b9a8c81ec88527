//! What is said of a run besides what all machines in lockstep say.

use hosts::collectives::ends::Pattern;
use hosts::collectives::memories::Arrived;
use rtl_model::machine::router::ClosedForm;
use rtl_model::routers::collectives::algorithms::Operation;
use rtl_model::routers::collectives::program::{Program, Side};
use rtl_model::routers::collectives::rules;
use rtl_model::routers::ports::algorithm::PortModel;

use crate::families::collectives::compared::Compared;
use crate::families::collectives::job::Job;
use crate::families::collectives::operations::mpi_name;
use crate::families::collectives::permutation;
use crate::families::collectives::stimulus::Carrying;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Further, Verdict};
use crate::report::{Behind, Check, Formula, Section, counted, value};
use crate::testbench::bench::Job as _;

/// What is told of the machine and its messages.
pub fn facts(of: &Carrying) -> Section {
    let (job, plan) = (&of.job, of.job.plan());
    let mut facts = vec![
        ("algorithm", value(&job.algorithm.name())),
        ("paper_name", value(&job.algorithm.paper_name())),
        ("mpi_name", value(&mpi_name(job.operation))),
        ("ports", value(&plan.program.ports.name())),
        ("source_node", value(&source(job))),
        ("destination_node", value(&destination(job))),
        ("message_bits", value(&job.word_bits)),
        ("packet_bits", value(&plan.packet_bits)),
        ("groups", value(&plan.groups.map(|groups| groups.number))),
        ("divides", value(&plan.divides)),
        ("start_up", value(&job.start_up())),
    ];
    if let Some([straight, beside]) = plan.groups.and_then(|groups| groups.straight_and_beside) {
        facts.push(("groups_straight", value(&straight)));
        facts.push(("groups_beside", value(&beside)));
    }
    if let Some(permutation) = permutation(of) {
        facts.push(("permutation", value(&permutation)));
    }
    facts.extend(of.data.facts());
    facts
}

/// What the permutation of a permuted send is called.
fn permutation(of: &Carrying) -> Option<&str> {
    let is_chosen = of.job.operation == Operation::PermutedSend;
    is_chosen.then(|| permutation::name(&of.job.chosen))
}

/// The one node of scatter, gather and send.
fn source(job: &Job) -> Option<usize> {
    match job.ends.pattern {
        Pattern::From(node) | Pattern::To(node) | Pattern::Between(node, _) => Some(node),
        _ => None,
    }
}

/// The other end of a send.
fn destination(job: &Job) -> Option<usize> {
    match job.ends.pattern {
        Pattern::Between(_, node) => Some(node),
        _ => None,
    }
}

/// Bits that cross wires in a run.
pub fn crossing_bits(program: &Program) -> u64 {
    let (nodes, ports) = (program.cube.nodes(), program.cube.count());
    // Packets of a group go out on the same ports as those of the group before.
    let mut known: Vec<(&Side, u64)> = Vec::new();
    let are_alike = |one: &Side, other: &Side| {
        let lines = |side: &Side| side.lines.iter().map(|line| line.line).collect::<Vec<_>>();
        one.who == other.who && one.order == other.order && lines(one) == lines(other)
    };
    let mut bits = 0;
    for transfer in &program.transfers {
        let side = &transfer.sends;
        let found = known.iter().find(|(one, _)| are_alike(one, side));
        let sending = match found {
            Some((_, sending)) => *sending,
            None => {
                let sends = |node: usize, port: usize| {
                    rules::part(program, (side, true), node, port).is_some()
                };
                let each =
                    (0..nodes).map(|node| (0..ports).filter(|port| sends(node, *port)).count());
                let sending = each.sum::<usize>() as u64;
                known.push((side, sending));
                sending
            }
        };
        bits += sending * transfer.bits as u64;
    }
    bits
}

/// A closed form and its value; a constant once.
fn said(form: &ClosedForm) -> String {
    let ClosedForm { text, value } = form;
    match *text == value.to_string() {
        true => value.to_string(),
        false => format!("{text} = {value}"),
    }
}

/// Bits of the program, as the sequencer has it: a line each, in every bit time.
fn program_bits(job: &Job) -> usize {
    job.plan().program.bit_times * job.machine.program_lines()
}

/// What is said of so many of all messages that have arrived, or of the sums that they come to.
fn arrived_well(job: &Job, compared: &Compared) -> String {
    let Compared {
        messages, right, ..
    } = compared;
    match job.ends.pattern {
        Pattern::Summed => format!("sums of {right} of {messages} nodes are those of all samples"),
        _ => format!("{right} of {messages} arrived as they were sent"),
    }
}

fn summary(of: &Carrying, peak: u32, compared: &Compared) -> Vec<(&'static str, String)> {
    let (job, plan) = (&of.job, of.job.plan());
    let program = &plan.program;
    let algorithm = job.algorithm;
    let mut rows = vec![
        (
            "algorithm",
            format!(
                "{}, {}: {}",
                algorithm.name(),
                algorithm.paper_name(),
                algorithm.models()
            ),
        ),
        ("in MPI", mpi_name(job.operation).to_owned()),
        (
            "ports",
            format!("{}: {}", program.ports, program.ports.allows()),
        ),
    ];
    if let Some(permutation) = permutation(of) {
        rows.push(("permutation", permutation.to_owned()));
    }
    rows.extend(of.data.summary(job));
    if let Some(groups) = plan.groups {
        let number = groups.number;
        let said = match groups.straight_and_beside {
            Some([straight, beside]) if straight != beside => {
                format!("{straight} straight, {beside} beside; g = {number}")
            }
            _ => number.to_string(),
        };
        rows.push(("groups", said));
    }
    if let Some(bits) = plan.packet_bits {
        rows.push(("packets", format!("of {} each", counted(bits, "bit"))));
    }
    let start_up = counted(job.start_up(), "bit time");
    let (steps, form) = (program.steps.len(), &plan.routing_steps);
    let bound = &plan.forwarding_buffer;
    rows.extend([
        (
            "start-up",
            format!("{start_up} before the first bit of each"),
        ),
        (
            "delivered",
            match job.ends.pattern {
                Pattern::Summed => arrived_well(job, compared),
                _ => format!(
                    "{} of {} as they were sent",
                    compared.right, compared.messages
                ),
            },
        ),
        (
            "routing steps",
            format!("{steps} in the program; {}", said(form)),
        ),
        (
            "to send on",
            format!(
                "at most {} at a node, those in flight to it among them; {}",
                counted(peak as usize, "bit"),
                said(bound)
            ),
        ),
        (
            "program",
            format!(
                "{} of {}: what the sequencer's read-only memory holds",
                counted(program.bit_times, "bit time"),
                counted(job.machine.program_lines(), "line")
            ),
        ),
    ]);
    rows
}

fn checks(of: &Carrying, peak: u32, (compared, arrived): (&Compared, &Arrived)) -> Vec<Check> {
    let (job, plan) = (&of.job, of.job.plan());
    let program = &plan.program;
    let fault = compared.first_fault.as_ref();
    let fault = fault.map_or(String::new(), |fault| format!("; first: {fault}"));
    let mut checks = vec![Check::new(
        "messages",
        compared.first_fault.is_none(),
        arrived_well(job, compared) + &fault,
    )];
    checks.extend(of.data.checks(job, &arrived.messages));
    checks.extend([
        Check::new(
            "routing steps",
            program.steps.len() as u64 == plan.routing_steps.value,
            format!(
                "{} in the program, {}",
                program.steps.len(),
                said(&plan.routing_steps)
            ),
        ),
        Check::new(
            "forwarding",
            u64::from(peak) == plan.forwarding_buffer.value,
            format!("{peak} bits measured, {}", said(&plan.forwarding_buffer)),
        ),
    ]);
    // Where all ports may be busy, nothing is watched.
    if program.ports != PortModel::All {
        checks.push(Check::new(
            "ports",
            arrived.violations.is_none(),
            match arrived.violations {
                None => format!("{}, in every bit time", program.ports.allows()),
                Some((node, nodes)) => format!(
                    "{} had more ports busy than {} ports allow; the first is node {node}",
                    counted(nodes, "node"),
                    program.ports
                ),
            },
        ));
    }
    checks
}

/// The verdict of a run.
pub fn verdict(
    of: &Carrying,
    measurement: &Measurement,
    (compared, arrived): (&Compared, &Arrived),
) -> Verdict {
    let (job, plan) = (&of.job, of.job.plan());
    let peak = measurement.peak_bits_per_node;
    let crossing = crossing_bits(&plan.program);
    let wires = (job.cube.nodes() * job.cube.count()) as f64;
    let machine = facts(of).into_iter();
    let mut entries: Vec<_> = machine
        .map(|(name, value)| (Behind::Network, name, value))
        .collect();
    let formula = |form: &ClosedForm| value(&Formula::from(form.clone()));
    entries.extend([
        (
            Behind::BitTimes,
            "routing_steps",
            value(&plan.program.steps.len()),
        ),
        (
            Behind::BitTimes,
            "routing_steps_formula",
            formula(&plan.routing_steps),
        ),
        (Behind::BitTimes, "bits_sent", value(&crossing)),
        (Behind::Storage, "program_bits", value(&program_bits(job))),
        (
            Behind::Peak,
            "forwarding_buffer_bound",
            formula(&plan.forwarding_buffer),
        ),
    ]);
    Verdict {
        payload_bits: Some(job.word_bits),
        traffic: of.data.name(),
        load: None,
        seed: job.chosen.seed(),
        messages: compared.messages,
        delivered: compared.right,
        summary: summary(of, peak, compared),
        storage_bound: None,
        bytes: job.requirement().bytes,
        wire_use: Some(crossing as f64 / (measurement.bit_times.max(1) as f64 * wires)),
        checks: checks(of, peak, (compared, arrived)),
        further: Further {
            entries,
            text: String::new(),
        },
    }
}
