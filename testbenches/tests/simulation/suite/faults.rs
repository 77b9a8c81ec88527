//! Faults that are put into a machine while it runs: wires that are stuck, registers that flip. A testbench of a machine in lockstep
//! objects exactly where something arrives that is not due; and there is a fault of that kind of every register, and of every wire that
//! is ever used. Where hosts work beside a machine in every bit time, it objects wherever they take what is not due.

use rtl_model::machine::topology::Tap;
use testbenches::lockstep::campaign::{Engine, Fault, Faulted as _, Judged, Kind, MESSAGE_BITS};
use testbenches::lockstep::{Stimulus, campaign};
use testbenches::testbench::bench::{for_faults, with_traffic};

use crate::common::sample::{Sampled, ends_of_choices, ran_of_choices};

/// What is larger takes too long: nodes, registers of each, and both times the bit times of a run.
const MOST_NODES: usize = 16;
const MOST_REGISTERS: usize = 48;
const MOST_WORK: usize = 26_000;

/// Machines side by side.
const MACHINES: usize = 16;

/// Machines in lockstep with the traffic of these words, side by side.
fn engine(sampled: &Sampled, traffic: &str) -> Option<Engine> {
    let words = format!("{} {traffic}", sampled.words);
    let job = (sampled.bench.job)(&sampled.bench.asked(&words).ok()?).unwrap();
    if !job.machine().is_in_lockstep() {
        return None;
    }
    let mut engine = Engine::new(with_traffic(job).unwrap()).unwrap();
    engine.side_by_side(MACHINES, 1).unwrap();
    Some(engine)
}

/// Wires between nodes that ever carry a 1.
fn used(stimulus: &dyn Stimulus) -> Vec<(usize, usize)> {
    let mut machine = campaign::loaded(stimulus).unwrap();
    let (nodes, links) = (machine.nodes(), machine.topology().links());
    let all = (0..nodes).flat_map(|node| (0..links).map(move |wire| (node, wire)));
    let mut used = vec![false; nodes * links];
    while !machine.is_done() {
        machine.transmit().unwrap();
        for (used, (node, wire)) in used.iter_mut().zip(all.clone()) {
            *used |= machine.tapped(node, Tap::Driven(wire));
        }
        machine.clock();
    }
    let used = all.zip(used).filter(|(_, used)| *used);
    used.map(|(wire, _)| wire).collect()
}

/// Seeds that are tried until a fault is noticed; where messages have a pattern, before them one in which halves of the cube change
/// places.
const SEEDS: usize = 12;
const HALVES_CHANGE_PLACES: &str = "--traffic bitcomp";

/// Registers, and wires, of which no fault is noticed in so small a machine: parts of what was asked for and of their names.
const OF_NO_CONSEQUENCE: [(&str, &str); 13] = [
    // In a subcube of one dimension nothing reads what is carried on.
    ("--dims 2", "packing.dim_1.crossing"),
    ("--dims 2", "increment"),
    ("--dims 2", "_adder.carry"),
    // What is sent and what arrives have places of their own, at all nodes, and so have counts of bins of others.
    ("send ", "memory.bits"),
    ("histogram ", "memory.bits"),
    // Blocks that no bit of so short a message is in.
    ("permuted-send --dims 2", "configuration.numbers.block_3"),
    ("permuted-send --dims 3", "configuration.numbers.block_6"),
    ("permuted-send --dims 3", "configuration.numbers.block_7"),
    // Codes have bits for as many cells as there are, and a port that is told no more than some of them.
    ("--guest large-fft", "sends.port_1"),
    ("--guest large-fft", "receives.port_1"),
    // Messages go both ways, and whoever is below has no use for those from above.
    ("prefix ", "wire "),
    // All nodes do what those on the way have to.
    ("arbitrary-send-2", "wire "),
    ("arbitrary-send-3", "wire "),
];

/// A machine with traffic of several kinds, each made when it is wanted.
struct Tried<'s> {
    sampled: &'s Sampled,
    faulted: Vec<Engine>,
}

impl Tried<'_> {
    fn with(&mut self, number: usize) -> &mut Engine {
        while self.faulted.len() <= number {
            let seed = self.faulted.len();
            let halves = (seed == 1).then(|| engine(self.sampled, HALVES_CHANGE_PLACES));
            let drawn = || engine(self.sampled, &format!("--seed {}", seed + 1));
            let next = halves.flatten().or_else(drawn);
            self.faulted.push(next.unwrap());
        }
        &mut self.faulted[number]
    }

    /// Whether the testbench objects to any, which it does exactly where something else arrives.
    fn objects(&mut self, number: usize, faults: &[Fault]) -> bool {
        let judged = self.with(number).run(faults).unwrap();
        for (
            fault,
            Judged {
                failed, differs, ..
            },
        ) in faults.iter().zip(&judged)
        {
            // Message bits may be missing for a while of what nobody needs.
            let objects = failed.iter().any(|check| *check != MESSAGE_BITS);
            assert_eq!(
                objects,
                *differs,
                "{}: traffic {number}, {fault:?}: {failed:?}, and what arrives",
                self.sampled.name()
            );
        }
        judged.iter().any(|judged| judged.differs)
    }

    /// Whether any of some faults is noticed, each of which is put in and judged; or, if none is, any of more, with any traffic. Or it is
    /// known that none is.
    fn is_of_consequence(&mut self, name: &str, (some, all): (&[Fault], &[Fault])) -> bool {
        let asked = self.sampled.name();
        let is_known = |(of, part): &(&str, &str)| asked.contains(of) && name.contains(part);
        self.objects(0, some)
            || OF_NO_CONSEQUENCE.iter().any(is_known)
            || (0..SEEDS).any(|number| all.chunks(MACHINES).any(|some| self.objects(number, some)))
    }
}

/// Flips of a register: of the first node and of the last one now and then, and else of all in every bit time.
fn flips(number: usize, nodes: usize, bit_times: u64) -> [Vec<Fault>; 2] {
    let flip = |node, when| Fault::Flip { node, number, when };
    let times = (0..=3).map(|part| bit_times * part / 3);
    let some = times.flat_map(|when| [0, nodes - 1].map(|node| flip(node, when)));
    let all = (0..nodes).flat_map(|node| (0..=bit_times).map(move |when| flip(node, when)));
    [some.collect(), all.collect()]
}

/// Of each choice of each testbench the smallest machine.
#[test]
fn a_testbench_objects_exactly_where_something_else_arrives_and_no_register_is_idle() {
    let (mut machines, mut idle) = (0, Vec::new());
    for (sampled, report) in ran_of_choices() {
        let registers = report.storage_bits_per_node.total;
        let nodes = report.topology.nodes;
        let is_default = sampled.about.is_none()
            && (sampled.bench.parameter(sampled.bench.project.choice)).is_some();
        let work = nodes * registers * report.bit_times as usize;
        let is_large = nodes > MOST_NODES || registers > MOST_REGISTERS || work > MOST_WORK;
        if is_default || is_large {
            continue;
        }
        let Some(first) = engine(sampled, "--seed 1") else {
            continue;
        };
        let names: Vec<String> = first.places().bit_names().map(str::to_owned).collect();
        let used = used(first.stimulus());
        let mut tried = Tried {
            sampled,
            faulted: vec![first],
        };
        for (number, name) in names.iter().enumerate() {
            let [some, all] = flips(number, nodes, report.bit_times);
            if !tried.is_of_consequence(name, (&some, &all)) {
                idle.push(format!("{}: {name}", sampled.name()));
            }
        }
        for &(node, wire) in &used {
            let name = format!("wire {wire} of node {node}");
            let stuck = [false, true].map(|value| Fault::Wire { node, wire, value });
            if !tried.is_of_consequence(&name, (&stuck, &stuck)) {
                idle.push(format!("{}: {name}", sampled.name()));
            }
        }
        machines += 1;
    }
    assert!(idle.is_empty(), "{}", idle.join("\n"));
    assert!(machines > 60, "{machines}");
}

/// Of each choice of each testbench whose hosts work beside its machine the smallest one: some faults of each kind, gates among them. A
/// run comes to an end whatever is put in, or this does not.
#[test]
fn beside_hosts_nothing_is_silent() {
    let mut machines = 0;
    for [(sampled, _), _] in ends_of_choices(MOST_NODES_WITH_HOSTS) {
        let job = (sampled.bench.job)(&sampled.chosen()).unwrap();
        if job.machine().is_in_lockstep() {
            continue;
        }
        let mut machine = for_faults(job).unwrap().faulted().unwrap();
        machine.with_gates();
        for kind in Kind::ALL {
            let there = machine.places().amount(kind);
            // Neither bit times nor nodes are a multiple of the step.
            let numbers = (0..there).step_by((there / SOME).max(1) | 1);
            let faults = numbers.map(|number| machine.places().fault(kind, number));
            let faults: Vec<Fault> = faults.collect();
            let judged = machine.run(&faults).unwrap();
            for (fault, judged) in faults.iter().zip(&judged) {
                let is_silent = judged.failed.is_empty() && judged.differs;
                assert!(!is_silent, "{}: {fault:?}", sampled.name());
            }
            let seen = judged.iter().filter(|one| !one.failed.is_empty());
            let (name, seen) = (sampled.name(), seen.count());
            assert!(seen > faults.len() / 20, "{name}: of {kind:?} {seen}");
        }
        machines += 1;
    }
    assert!(machines > 12, "{machines}");
}

/// About so many faults of a kind.
const SOME: usize = 150;

/// Butterflies have no fewer.
const MOST_NODES_WITH_HOSTS: usize = 64;
