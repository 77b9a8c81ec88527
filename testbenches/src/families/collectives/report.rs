//! What arrived against what was sent, and what is said of a run besides what all machines in lockstep say.

use hosts::collectives::compared::Faults;
use hosts::collectives::ends::Pattern;
use hosts::collectives::memories::Arrived;
use hosts::words::{Words, hexadecimal};
use rtl_model::routers::collectives::algorithms::Operation;
use rtl_model::routers::collectives::rules;
use rtl_model::routers::ports::algorithm::PortModel;

use crate::families::collectives::data::origin;
use crate::families::collectives::entries;
use crate::families::collectives::job::Job;
use crate::families::collectives::operations::mpi_name;
use crate::families::collectives::permutation;
use crate::families::collectives::stimulus::Carrying;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Compared, Verdict};
use crate::report::{FORWARDING_BUFFER, Formula, ROUTING_STEPS, Section, Told, counted};
use crate::testbench::bench::Job as _;

/// Compares what arrived with what was sent; `due` is what has to arrive, where it is not that. What stays at its node does not count.
pub fn compare(job: &Job, (sent, due): (&Words, Option<&Words>), arrived: &Words) -> Compared {
    let (ends, stays) = (&job.ends, &job.stays);
    let faults = Faults::of_messages((ends, stays), (sent, due), arrived);
    let amount = ends.arrivals() - stays.iter().filter(|stays| **stays).count();
    Compared {
        amount,
        right: amount - faults.amount,
        first_fault: faults.first.map(|[row, column]| {
            let ([from, to], (_, each)) = (ends.way(row, column), ends.arrived_shape());
            let way = match ends.pattern {
                Pattern::Summed => format!("at node {to}"),
                _ => format!("from node {from} to node {to}"),
            };
            let number = each * row + column;
            let due = match due {
                Some(due) => due.word(number),
                None => sent.word(ends.sent(from, to)),
            };
            let words = [arrived.word(number), due];
            let [found, due] = words.map(|word| hexadecimal(word, job.word_bits));
            format!("{way} {found} arrived in place of {due}")
        }),
    }
}

/// How many of all have arrived, or of the sums that they come to.
fn arrived_text(compared: &Compared, job: &Job) -> String {
    let (right, messages) = (compared.right, compared.amount);
    match job.ends.pattern {
        Pattern::Summed => {
            format!("sums of {right} of {messages} nodes are those of all samples")
        }
        _ => format!("{right} of {messages} arrived as they were sent"),
    }
}

/// What is told of the machine and its messages.
pub fn facts(of: &Carrying) -> Section {
    let (job, plan) = (&of.job, of.job.plan());
    let (source, destination) = match job.ends.pattern {
        Pattern::From(node) | Pattern::To(node) => (Some(node), None),
        Pattern::Between(from, to) => (Some(from), Some(to)),
        _ => (None, None),
    };
    let mut facts = vec![
        entries::ALGORITHM.is(&job.algorithm.name()),
        entries::PAPER_NAME.is(&job.algorithm.paper_name()),
        entries::MPI_NAME.is(&mpi_name(job.operation)),
        entries::PORTS.is(&plan.program.ports.name()),
        entries::SOURCE_NODE.is(&source),
        entries::DESTINATION_NODE.is(&destination),
        entries::MESSAGE_BITS.is(&job.word_bits),
        entries::PACKET_BITS.is(&plan.packet_bits),
        entries::GROUPS.is(&plan.groups.map(|groups| groups.number)),
        entries::DIVIDES.is(&plan.divides),
        entries::START_UP.is(&job.start_up()),
    ];
    if let Some([straight, beside]) = plan.groups.and_then(|groups| groups.straight_and_beside) {
        facts.push(entries::GROUPS_STRAIGHT.is(&straight));
        facts.push(entries::GROUPS_BESIDE.is(&beside));
    }
    if let Some(permutation) = permutation(of) {
        facts.push(entries::PERMUTATION.is(&permutation));
    }
    facts.extend(of.data.facts());
    facts
}

/// What the permutation of a permuted send is called.
fn permutation(of: &Carrying) -> Option<&str> {
    let is_chosen = of.job.operation == Operation::PermutedSend;
    is_chosen.then(|| permutation::name(&of.job.chosen))
}

/// What is told of a run.
fn told(
    of: &Carrying,
    [peak, crossing]: [u64; 2],
    (compared, arrived): (&Compared, &Arrived),
) -> Told {
    let (job, plan, one) = (&of.job, of.job.plan(), of.job.algorithm);
    let (program, ports) = (&plan.program, plan.program.ports);
    let mut told = Told::of(facts(of));
    let algorithm = format!("{}, {}: {}", one.name(), one.paper_name(), one.models());
    told.say("algorithm", algorithm);
    told.say("in MPI", mpi_name(job.operation));
    told.say("ports", format!("{ports}: {}", ports.allows()));
    if let Some(name) = permutation(of) {
        told.say("permutation", name);
    }
    told.summary.extend(of.data.summary(job));
    if let Some(groups) = plan.groups {
        let number = groups.number;
        let said = match groups.straight_and_beside {
            Some([straight, beside]) if straight != beside => {
                format!("{straight} straight, {beside} beside; g = {number}")
            }
            _ => number.to_string(),
        };
        told.say("groups", said);
    }
    if let Some(bits) = plan.packet_bits {
        told.say("packets", format!("of {} each", counted(bits, "bit")));
    }
    let start_up = counted(job.start_up(), "bit time");
    told.say(
        "start-up",
        format!("{start_up} before the first bit of each"),
    );
    let arrived_as_sent = arrived_text(compared, job);
    told.say("delivered", arrived_as_sent.replace(" arrived as", " as"));
    let check = compared.check("messages", arrived_as_sent);
    told.checks.push(check);
    let checks = of.data.checks(job, &arrived.messages);
    told.checks.extend(checks);
    let of_program = ROUTING_STEPS.said("in the program");
    let steps = program.steps.len() as u64;
    told.measured(&of_program, steps, plan.routing_steps.clone());
    told.put(&entries::BITS_SENT, &crossing);
    let bound = Formula::from(plan.forwarding_buffer.clone());
    let bits = counted(peak as usize, "bit");
    let at_most = format!("at most {bits} at a node, those in flight to it among them; {bound}");
    told.say("to send on", at_most);
    told.put(&FORWARDING_BUFFER.form, &bound);
    told.checks.push(FORWARDING_BUFFER.check(peak, &bound));
    let (times, lines) = (program.bit_times, job.machine.program_lines());
    let [in_words, of_lines] = [counted(times, "bit time"), counted(lines, "line")];
    told.say(
        "program",
        format!("{in_words} of {of_lines}: what the sequencer's read-only memory holds"),
    );
    // A line each in every bit time, as the sequencer has them.
    told.put(&entries::PROGRAM_BITS, &(times * lines));
    // Where all ports may be busy, nothing is watched.
    if ports != PortModel::All {
        let detail = match arrived.violations {
            None => format!("{}, in every bit time", ports.allows()),
            Some((node, nodes)) => format!(
                "{} had more ports busy than {ports} ports allow; the first is node {node}",
                counted(nodes, "node")
            ),
        };
        told.check("ports", arrived.violations.is_none(), detail);
    }
    told
}

/// The verdict of a run.
pub fn verdict(
    of: &Carrying,
    measurement: &Measurement,
    (compared, arrived): (&Compared, &Arrived),
) -> Verdict {
    let (job, plan) = (&of.job, of.job.plan());
    let [traffic, _] = origin(&job.chosen);
    let crossing = rules::crossing_bits(&plan.program);
    let wires = (job.cube.nodes() * job.cube.count()) as f64;
    Verdict {
        payload_bits: Some(job.word_bits),
        traffic,
        seed: job.chosen.seed(),
        messages: compared.amount,
        delivered: compared.right,
        bytes: job.requirement().bytes,
        wire_use: Some(crossing as f64 / (measurement.bit_times.max(1) as f64 * wires)),
        told: told(
            of,
            [measurement.peak_bits_per_node.into(), crossing],
            (compared, arrived),
        ),
        ..Verdict::default()
    }
}
