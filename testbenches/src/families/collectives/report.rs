//! What arrived against what was sent, and what is said of a run besides what all machines in lockstep say.

use hosts::collectives::ends::Pattern;
use hosts::collectives::memories::Arrived;
use hosts::words::{Words, hexadecimal};
use rtl_model::machine::router::ClosedForm;
use rtl_model::routers::collectives::algorithms::Operation;
use rtl_model::routers::collectives::program::{Program, Side};
use rtl_model::routers::collectives::rules;
use rtl_model::routers::ports::algorithm::PortModel;

use crate::families::collectives::data::origin;
use crate::families::collectives::job::Job;
use crate::families::collectives::operations::mpi_name;
use crate::families::collectives::permutation;
use crate::families::collectives::stimulus::Carrying;
use crate::lockstep::simulation::Measurement;
use crate::lockstep::{Further, Verdict};
use crate::report::{Behind, Check, Formula, Section, counted, value};
use crate::testbench::bench::Job as _;

/// What arrived against what was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Messages that were sent,
    pub messages: usize,
    /// and of them those that arrived as they were sent.
    pub right: usize,
    /// What the first of the others is.
    pub first_fault: Option<String>,
}

impl Compared {
    /// Compares; `due` is what has to arrive, where it is not what is sent. What stays at its node does not count.
    pub fn of(job: &Job, (sent, due): (&Words, Option<&Words>), arrived: &Words) -> Self {
        let mut compared = Compared::default();
        for number in (0..job.ends.arrivals()).filter(|number| !job.stays[*number]) {
            let [from, to] = job.ends.ways(number);
            let due = match due {
                Some(due) => due.word(number),
                None => sent.word(job.ends.sent(from, to)),
            };
            let found = arrived.word(number);
            compared.messages += 1;
            compared.right += usize::from(due == found);
            if due != found && compared.first_fault.is_none() {
                let way = match job.ends.pattern {
                    Pattern::Summed => format!("at node {to}"),
                    _ => format!("from node {from} to node {to}"),
                };
                let [found, due] = [found, due].map(|word| hexadecimal(word, job.word_bits));
                compared.first_fault = Some(format!("{way} {found} arrived in place of {due}"));
            }
        }
        compared
    }

    /// How many of all have arrived, or of the sums that they come to.
    fn text(&self, job: &Job) -> String {
        let (right, messages) = (self.right, self.messages);
        match job.ends.pattern {
            Pattern::Summed => {
                format!("sums of {right} of {messages} nodes are those of all samples")
            }
            _ => format!("{right} of {messages} arrived as they were sent"),
        }
    }

    /// The same beside a heading that says of what.
    fn delivered(&self, job: &Job) -> String {
        self.text(job).replace(" arrived as", " as")
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
        ("algorithm", value(&job.algorithm.name())),
        ("paper_name", value(&job.algorithm.paper_name())),
        ("mpi_name", value(&mpi_name(job.operation))),
        ("ports", value(&plan.program.ports.name())),
        ("source_node", value(&source)),
        ("destination_node", value(&destination)),
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

/// Bits that cross wires in a run.
fn crossing_bits(program: &Program) -> u64 {
    let (nodes, ports) = (program.cube.nodes(), program.cube.count());
    // Packets of a group go out on the same ports as those of the group before.
    let mut known: Vec<(&Side, u64)> = Vec::new();
    let lines = |side: &Side| side.lines.iter().map(|line| line.line).collect::<Vec<_>>();
    let are_alike = |one: &Side, other: &Side| {
        one.who == other.who && one.order == other.order && lines(one) == lines(other)
    };
    let mut bits = 0;
    for transfer in &program.transfers {
        let side = &transfer.sends;
        let found = known.iter().find(|(one, _)| are_alike(one, side));
        let sending = found.map(|(_, sending)| *sending).unwrap_or_else(|| {
            let wires = (0..nodes).flat_map(|node| (0..ports).map(move |port| (node, port)));
            let sends = |(node, port)| rules::part(program, (side, true), node, port).is_some();
            let sending = wires.filter(|wire| sends(*wire)).count() as u64;
            known.push((side, sending));
            sending
        });
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

fn summary(of: &Carrying, peak: u32, compared: &Compared) -> Vec<(&'static str, String)> {
    let (job, plan, one) = (&of.job, of.job.plan(), of.job.algorithm);
    let (program, ports) = (&plan.program, plan.program.ports);
    let algorithm = format!("{}, {}: {}", one.name(), one.paper_name(), one.models());
    let mut rows = vec![
        ("algorithm", algorithm),
        ("in MPI", mpi_name(job.operation).to_owned()),
        ("ports", format!("{ports}: {}", ports.allows())),
    ];
    rows.extend(permutation(of).map(|name| ("permutation", name.to_owned())));
    rows.extend(of.data.summary(job));
    rows.extend(plan.groups.map(|groups| {
        let number = groups.number;
        let said = match groups.straight_and_beside {
            Some([straight, beside]) if straight != beside => {
                format!("{straight} straight, {beside} beside; g = {number}")
            }
            _ => number.to_string(),
        };
        ("groups", said)
    }));
    let packets = |bits| ("packets", format!("of {} each", counted(bits, "bit")));
    rows.extend(plan.packet_bits.map(packets));
    let mut say = |what, said: String| rows.push((what, said));
    let start_up = counted(job.start_up(), "bit time");
    say(
        "start-up",
        format!("{start_up} before the first bit of each"),
    );
    say("delivered", compared.delivered(job));
    let (steps, form) = (program.steps.len(), said(&plan.routing_steps));
    say("routing steps", format!("{steps} in the program; {form}"));
    let (peak, bound) = (counted(peak as usize, "bit"), said(&plan.forwarding_buffer));
    let at_most = format!("at most {peak} at a node, those in flight to it among them; {bound}");
    say("to send on", at_most);
    let times = counted(program.bit_times, "bit time");
    let lines = counted(job.machine.program_lines(), "line");
    let holds = format!("{times} of {lines}: what the sequencer's read-only memory holds");
    say("program", holds);
    rows
}

fn checks(of: &Carrying, peak: u32, (compared, arrived): (&Compared, &Arrived)) -> Vec<Check> {
    let (job, plan) = (&of.job, of.job.plan());
    let (steps, ports) = (plan.program.steps.len(), plan.program.ports);
    let fault = compared.first_fault.as_ref();
    let is_right = fault.is_none();
    let fault = fault.map_or(String::new(), |fault| format!("; first: {fault}"));
    let arrived_well = compared.text(job) + &fault;
    let mut checks = vec![Check::new("messages", is_right, arrived_well)];
    checks.extend(of.data.checks(job, &arrived.messages));
    let (formula, bound) = (&plan.routing_steps, &plan.forwarding_buffer);
    let detail = format!("{steps} in the program, {}", said(formula));
    let is_right = steps as u64 == formula.value;
    checks.push(Check::new("routing steps", is_right, detail));
    let detail = format!("{peak} bits measured, {}", said(bound));
    let is_right = u64::from(peak) == bound.value;
    checks.push(Check::new("forwarding", is_right, detail));
    // Where all ports may be busy, nothing is watched.
    if ports != PortModel::All {
        let detail = match arrived.violations {
            None => format!("{}, in every bit time", ports.allows()),
            Some((node, nodes)) => format!(
                "{} had more ports busy than {ports} ports allow; the first is node {node}",
                counted(nodes, "node")
            ),
        };
        checks.push(Check::new("ports", arrived.violations.is_none(), detail));
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
    let [traffic, _] = origin(&job.chosen);
    let crossing = crossing_bits(&plan.program);
    let wires = (job.cube.nodes() * job.cube.count()) as f64;
    // A line each in every bit time, as the sequencer has them.
    let program_bits = plan.program.bit_times * job.machine.program_lines();
    let formula = |form: &ClosedForm| value(&Formula::from(form.clone()));
    let steps = (
        value(&plan.program.steps.len()),
        formula(&plan.routing_steps),
    );
    let bound = formula(&plan.forwarding_buffer);
    let machine = facts(of).into_iter();
    let machine = machine.map(|(name, value)| (Behind::Network, name, value));
    let entries = machine.chain([
        (Behind::BitTimes, "routing_steps", steps.0),
        (Behind::BitTimes, "routing_steps_formula", steps.1),
        (Behind::BitTimes, "bits_sent", value(&crossing)),
        (Behind::Storage, "program_bits", value(&program_bits)),
        (Behind::Peak, "forwarding_buffer_bound", bound),
    ]);
    Verdict {
        payload_bits: Some(job.word_bits),
        traffic,
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
            entries: entries.collect(),
            text: String::new(),
        },
    }
}
