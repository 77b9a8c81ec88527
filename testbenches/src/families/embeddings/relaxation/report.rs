//! What is said of a relaxation besides what all machines in lockstep say.

use rtl_model::machine::device::Device;

use crate::families::embeddings::job::Job;
use crate::families::embeddings::relaxation::job::Relaxation;
use crate::families::embeddings::relaxation::parameters::WORD_BITS;
use crate::families::embeddings::relaxation::sweeps::Sweeps;
use crate::families::embeddings::report::{cells, paths, peak, plural, steps, verdict_on};
use crate::lockstep::Verdict;
use crate::report::{Behind, Section, value};

/// What is told of the machine and its points.
pub fn facts(of: &Relaxation) -> Section {
    let (job, layout) = (&of.job, &of.layout);
    vec![
        ("guest", value(&job.name)),
        ("theorem", value(&job.theorem)),
        ("points_a_side", value(&layout.points())),
        ("word_bits", value(&job.chosen.number(&WORD_BITS))),
        ("processes_a_side", value(&layout.processes())),
        ("block_side", value(&layout.side())),
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
    let (job, layout, sweeps) = (&of.job, &of.layout, of.sweeps());
    let (points, processes, side) = (layout.points(), layout.processes(), layout.side());
    let bit_times = swept.bit_times.first().copied().unwrap_or(0);
    let (in_all, steps) = (swept.bit_times_in_all(), steps(job, bit_times));
    let words = job.embedding.edges() * side;
    let (node_bits, driven_bits) = (node_bits(job), driven_bits(job));
    let packets = job.embedding.packets().len();
    let shared = format!(
        "{processes} x {processes}, {} on a node, each with a block of {side} x {side} points",
        job.measures.load
    );
    let messages = format!(
        "four a process and sweep, each of {side} {}: {} bits in {packets} {} of {}",
        plural(side, "word"),
        job.message_bits,
        plural(packets, "packet"),
        job.machine.packet_bits()
    );
    let torus = format!(
        "{points} x {points} of a torus, words of {} bits; {}",
        job.chosen.number(&WORD_BITS),
        job.values_in_words()
    );
    let arrived = format!("{} of {} as they were sent", swept.right, swept.messages);
    let took = format!(
        "{sweeps}, of {bit_times} bit times each: {in_all} in all; what hosts compute takes none"
    );
    let new_value = "(left + right + up + down) >> 2, rounded down".to_owned();
    let sent = format!(
        "{words} words a sweep; {node_bits} bits of them by a node, which drives {driven_bits:.1} bits of packets"
    );
    let summary = vec![
        ("points", torus),
        ("processes", shared),
        (
            "guest",
            format!("{}, {}: {}", job.name, job.theorem, paths(job)),
        ),
        ("messages", messages),
        ("arrived", arrived),
        ("sweeps", took),
        ("new value", new_value),
        ("steps", format!("{steps} a sweep, {}", job.order.name())),
        ("sent", sent),
        ("cells", cells(job)),
    ];
    let of_bit_times = vec![
        ("sweeps", value(&sweeps)),
        ("bit_times_a_sweep", value(&swept.bit_times)),
        ("bit_times_in_all", value(&in_all)),
        ("routing_steps", value(&steps)),
        ("cost_steps", value(&job.phase.steps())),
        ("words_a_sweep", value(&words)),
        ("words_in_all", value(&(words * sweeps))),
        ("node_bits_a_sweep", value(&node_bits)),
        ("driven_bits_a_sweep", value(&driven_bits)),
    ];
    verdict_on(
        (of, bit_times),
        (swept.messages, swept.right),
        summary,
        [(Behind::BitTimes, of_bit_times), (Behind::Peak, peak(job))],
        swept.checks(sweeps, points * points, job.machine.bit_times().value),
    )
}
