//! What is said of a relaxation besides what all machines in lockstep say.

use crate::families::embeddings::job::Job;
use crate::families::embeddings::relaxation::job::Relaxation;
use crate::families::embeddings::relaxation::parameters::SWEEPS;
use crate::families::embeddings::relaxation::sweeps::Sweeps;
use crate::families::embeddings::report::{steps, wire_use};
use crate::lockstep::{Further, Verdict};
use crate::report::{Behind, Section, value};
use crate::testbench::bench::Job as _;

/// What is told of the machine and its points.
pub fn facts(of: &Relaxation) -> Section {
    let job = &of.job;
    vec![
        ("guest", value(&job.name)),
        ("theorem", value(&job.theorem)),
        ("points_a_side", value(&of.points)),
        ("word_bits", value(&of.word_bits())),
        ("processes_a_side", value(&of.processes)),
        ("block_side", value(&(of.points / of.processes))),
        ("guest_load", value(&job.measures.load)),
        ("width", value(&job.measures.width)),
        ("order", value(&job.order.name())),
        ("message_bits", value(&job.message_bits)),
        ("packets", value(&job.embedding.packets().len())),
        ("packet_bits", value(&job.machine.packet_bits())),
        ("start_up", value(&job.machine.start_up())),
    ]
}

/// Bits of the words that the processes of a node send in a sweep.
fn node_bits(job: &Job) -> usize {
    job.embedding.edges() * job.message_bits / job.embedding.host().nodes()
}

/// Bits that a node drives on its wires in a sweep, on the average: of its own packets and of those that it forwards.
fn driven_bits(job: &Job) -> f64 {
    let bits = job.phase.hops().len() * job.machine.packet_bits();
    bits as f64 / job.embedding.host().nodes() as f64
}

/// The verdict of a relaxation.
pub fn verdict(of: &Relaxation, swept: &Sweeps) -> Verdict {
    let (job, sweeps) = (&of.job, of.job.chosen.number(&SWEEPS));
    let (points, processes) = (of.points, of.processes);
    let side = points / processes;
    let bit_times = swept.bit_times.first().copied().unwrap_or(0);
    let in_all = swept.bit_times_in_all();
    let words = job.embedding.edges() * side;
    let (node_bits, driven_bits) = (node_bits(job), driven_bits(job));
    let packets = job.embedding.packets().len();
    let plural = |amount: usize, one: &'static str, more: &'static str| match amount {
        1 => one,
        _ => more,
    };
    let load = job.measures.load;
    let summary = vec![
        (
            "points",
            format!(
                "{points} x {points} of a torus, words of {} bits; {}",
                of.word_bits(),
                job.values_in_words()
            ),
        ),
        (
            "processes",
            format!(
                "{processes} x {processes}, {load} on a node, each with a block of {side} x {side} points"
            ),
        ),
        (
            "guest",
            format!(
                "{}, {}: width {}, dilation {}, congestion {}",
                job.name,
                job.theorem,
                job.measures.width,
                job.measures.dilation,
                job.measures.congestion
            ),
        ),
        (
            "messages",
            format!(
                "four a process and sweep, each of {side} {}: {} bits in {packets} {} of {}",
                plural(side, "word", "words"),
                job.message_bits,
                plural(packets, "packet", "packets"),
                job.machine.packet_bits()
            ),
        ),
        (
            "arrived",
            format!("{} of {} as they were sent", swept.right, swept.messages),
        ),
        (
            "sweeps",
            format!(
                "{sweeps}, of {bit_times} bit times each: {in_all} in all; what hosts compute takes none"
            ),
        ),
        (
            "new value",
            "(left + right + up + down) >> 2, rounded down".to_owned(),
        ),
        (
            "steps",
            format!("{} a sweep, {}", steps(job, bit_times), job.order.name()),
        ),
        (
            "sent",
            format!(
                "{words} words a sweep; {node_bits} bits of them by a node, which drives {driven_bits:.1} bits of packets"
            ),
        ),
        (
            "cells",
            format!(
                "{} of {} bits at a node, as many as packets are ever there at once",
                job.plan().cells(),
                job.machine.packet_bits()
            ),
        ),
    ];
    let mut entries: Vec<_> = facts(of)
        .into_iter()
        .map(|(name, value)| (Behind::Network, name, value))
        .collect();
    entries.extend([
        (Behind::BitTimes, "sweeps", value(&sweeps)),
        (
            Behind::BitTimes,
            "bit_times_a_sweep",
            value(&swept.bit_times),
        ),
        (Behind::BitTimes, "bit_times_in_all", value(&in_all)),
        (
            Behind::BitTimes,
            "routing_steps",
            value(&steps(job, bit_times)),
        ),
        (Behind::BitTimes, "cost_steps", value(&job.phase.steps())),
        (Behind::BitTimes, "words_a_sweep", value(&words)),
        (Behind::BitTimes, "words_in_all", value(&(words * sweeps))),
        (Behind::BitTimes, "node_bits_a_sweep", value(&node_bits)),
        (Behind::BitTimes, "driven_bits_a_sweep", value(&driven_bits)),
        (Behind::Peak, "cells", value(&job.plan().cells())),
        (Behind::Peak, "packets_held", value(&job.plan().held())),
    ]);
    let expected = job.machine.as_device().bit_times().value;
    Verdict {
        payload_bits: None,
        traffic: job.values_name(),
        load: None,
        seed: job.chosen.seed(),
        messages: swept.messages,
        delivered: swept.right,
        summary,
        storage_bound: None,
        bytes: of.requirement().bytes,
        wire_use: Some(wire_use(job, bit_times)),
        checks: swept.checks(sweeps, points * points, expected),
        further: Further {
            entries,
            text: String::new(),
        },
    }
}
