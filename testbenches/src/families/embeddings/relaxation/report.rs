//! What is said of a relaxation besides what all machines in lockstep say.

use rtl_model::machine::device::Device;

use crate::families::embeddings::entries;
use crate::families::embeddings::job::Job;
use crate::families::embeddings::relaxation::job::Relaxation;
use crate::families::embeddings::relaxation::parameters::WORD_BITS;
use crate::families::embeddings::relaxation::sweeps::Sweeps;
use crate::families::embeddings::report::{paths, plural, say_cells, steps, verdict_on};
use crate::lockstep::Verdict;
use crate::report::{ROUTING_STEPS, Section, Told};

/// What is told of the machine and its points.
pub fn facts(of: &Relaxation) -> Section {
    let (job, layout) = (&of.job, &of.layout);
    vec![
        entries::GUEST.is(&job.name),
        entries::THEOREM.is(&job.theorem),
        entries::POINTS_A_SIDE.is(&layout.points()),
        entries::WORD_BITS.is(&job.chosen.number(&WORD_BITS)),
        entries::PROCESSES_A_SIDE.is(&layout.processes()),
        entries::BLOCK_SIDE.is(&layout.side()),
        entries::GUEST_LOAD.is(&job.measures.load),
        entries::WIDTH.is(&job.measures.width),
        entries::ORDER.is(&job.order.name()),
        entries::MESSAGE_BITS.is(&job.message_bits),
        entries::PACKETS.is(&job.embedding.packets().len()),
        entries::PACKET_BITS.is(&job.machine.packet_bits()),
        entries::START_UP.is(&job.machine.start_up()),
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
    let mut told = Told::of(facts(of));
    told.outcome = format!(
        "sides of blocks, in {sweeps} sweeps that took {} in all",
        swept.bit_times_in_all()
    );
    let (word_bits, values) = (job.chosen.number(&WORD_BITS), job.values_in_words());
    told.say(
        "points",
        format!("{points} x {points} of a torus, words of {word_bits} bits; {values}"),
    );
    let load = job.measures.load;
    told.say(
        "processes",
        format!(
            "{processes} x {processes}, {load} on a node, each with a block of {side} x {side} points"
        ),
    );
    let (name, theorem, paths) = (job.name, job.theorem, paths(job));
    told.say("guest", format!("{name}, {theorem}: {paths}"));
    let packets = job.embedding.packets().len();
    told.say(
        "messages",
        format!(
            "four a process and sweep, each of {side} {}: {} bits in {packets} {} of {}",
            plural(side, "word"),
            job.message_bits,
            plural(packets, "packet"),
            job.machine.packet_bits()
        ),
    );
    let (right, messages) = (swept.messages.right, swept.messages.amount);
    told.say(
        "arrived",
        format!("{right} of {messages} as they were sent"),
    );
    let in_all = swept.bit_times_in_all();
    told.say(
        "sweeps",
        format!(
            "{sweeps}, of {bit_times} bit times each: {in_all} in all; what hosts compute takes none"
        ),
    );
    told.put(&entries::SWEEPS, &sweeps);
    told.put(&entries::BIT_TIMES_A_SWEEP, &swept.bit_times);
    told.put(&entries::BIT_TIMES_IN_ALL, &in_all);
    told.say("new value", "(left + right + up + down) >> 2, rounded down");
    let (steps, order) = (steps(job, bit_times), job.order.name());
    told.say(ROUTING_STEPS.title, format!("{steps} a sweep, {order}"));
    told.put(&ROUTING_STEPS.of, &steps);
    told.put(&entries::COST_STEPS, &job.phase.steps());
    let words = job.embedding.edges() * side;
    let (node_bits, driven_bits) = (node_bits(job), driven_bits(job));
    told.say(
        "sent",
        format!(
            "{words} words a sweep; {node_bits} bits of them by a node, which drives {driven_bits:.1} bits of packets"
        ),
    );
    told.put(&entries::WORDS_A_SWEEP, &words);
    told.put(&entries::WORDS_IN_ALL, &(words * sweeps));
    told.put(&entries::NODE_BITS_A_SWEEP, &node_bits);
    told.put(&entries::DRIVEN_BITS_A_SWEEP, &driven_bits);
    say_cells(&mut told, job);
    told.checks = swept.checks(sweeps, points * points, job.machine.bit_times().value);
    verdict_on((of, bit_times), (messages, right), told)
}
