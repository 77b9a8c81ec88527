//! Every bit of a message has its place. Faults: a wire that is stuck and a register that flips are noticed, or change nothing that anybody looks at.

use std::sync::Arc;

use rtl_model::machine::host::{Loads as _, transpose};
use rtl_model::routers::collectives::CollectiveMachine;
use rtl_model::routers::collectives::algorithms::Operation;
use rtl_model::routers::collectives::rules::part;
use rtl_model::routers::ports::algorithm::PortModel;

use super::*;
use crate::families::collectives::data;
use crate::families::collectives::operations::algorithms;
use crate::families::collectives::parameters::{PORTS, algorithm};
use crate::families::collectives::testbench::{
    ALL_GATHER, ALL_TO_ALL, GATHER, HISTOGRAM, INVERSION, PERMUTED_SEND, SCATTER, SEND, TRANSPOSE,
};
use crate::lockstep::WireFault;
use crate::lockstep::simulation::{Run, run};
use crate::report::Check;
use crate::report::Outputs;
use crate::testbench::Testbench;
use crate::testbench::bench::asked;
use crate::testbench::chosen::{Chosen, Given};

/// The testbenches.
static EACH: [&Testbench; 9] = [
    &SCATTER,
    &GATHER,
    &ALL_GATHER,
    &ALL_TO_ALL,
    &SEND,
    &PERMUTED_SEND,
    &INVERSION,
    &TRANSPOSE,
    &HISTOGRAM,
];

/// Each algorithm, with what chooses it.
fn each_algorithm() -> impl Iterator<Item = (&'static Testbench, Operation, String)> {
    EACH.into_iter()
        .zip(Operation::EACH)
        .flat_map(|(bench, operation)| {
            assert_eq!(bench.name, operation.name());
            let all = algorithms(operation);
            all.map(move |one| (bench, operation, format!("--algorithm {}", one.name())))
        })
}

fn carrying(chosen: &Chosen) -> Result<Carrying, Error> {
    let job = Job::new(chosen)?;
    let data = data::of(&job)?;
    Ok(Carrying::new(job, data))
}

/// Every algorithm at a few small sizes that it takes.
fn small() -> Vec<Chosen> {
    let mut all = Vec::new();
    for (bench, operation, algorithm) in each_algorithm() {
        for (dims, destination) in [(2, 3), (3, 7), (3, 6)] {
            let sizes = match operation {
                Operation::Transpose => "--word-bits 6".to_owned(),
                Operation::Histogram => "--samples 9".to_owned(),
                Operation::Send => format!("--message-bits 6 --destination {destination}"),
                _ => "--message-bits 6".to_owned(),
            };
            let words = format!("{algorithm} --dims {dims} --start-up 1 {sizes}");
            all.push(asked(bench, &words));
        }
    }
    all
}

/// A run with a fault: the names of the checks of messages, and of ports, that fail.
fn failing(
    carrying: &mut Carrying,
    faults: &[WireFault],
    flip: Option<(usize, usize)>,
) -> Vec<&'static str> {
    let failing = failed(carrying, faults, flip);
    failing.into_iter().map(|check| check.name).collect()
}

/// The same checks, with what they say.
fn failed(
    carrying: &mut Carrying,
    faults: &[WireFault],
    flip: Option<(usize, usize)>,
) -> Vec<Check> {
    let mut machine = carrying.device().build(1).unwrap();
    carrying.load(&mut *machine, &mut |_| Ok(())).unwrap();
    if let Some((node, number)) = flip {
        machine.flip_register(node, number);
    }
    let live_bits = |_| None;
    let how = Run {
        faults,
        ..Run::held_to(&live_bits)
    };
    let measurement = run(&mut *machine, how, |_| Ok::<(), ()>(())).unwrap();
    let mut outputs = Outputs::default();
    let verdict = carrying.judge(Ended::quietly(machine, &measurement, &mut outputs));
    let mut checks = verdict.unwrap().told.checks;
    checks.retain(|check| !check.passed);
    checks
}

/// What crosses each wire in a run without faults: whether there is a 0, and whether there is a 1.
fn crossing(carrying: &Carrying) -> Vec<[bool; 2]> {
    let ports = carrying.job.cube.count();
    let mut crossing = vec![[false; 2]; carrying.job.cube.nodes() * ports];
    let program = &carrying.job.plan().program;
    let mut machine = carrying.device().build(1).unwrap();
    carrying.load(&mut *machine, &mut |_| Ok(())).unwrap();
    let live_bits = |_| None;
    let observe = |machine: &dyn Lockstep| {
        let now = machine.bit_time() as usize;
        let sending = program.transfers.iter();
        for transfer in sending.filter(|one| one.shifts().contains(&now)) {
            for (place, &node) in machine.seats(0).iter().enumerate() {
                if node >= machine.nodes() {
                    continue;
                }
                for port in 0..ports {
                    if part(
                        program,
                        (&transfer.sends, true),
                        node ^ program.source,
                        port,
                    )
                    .is_some()
                    {
                        let bit = machine.driven_word(0, port) >> place & 1;
                        crossing[node * ports + port][bit as usize] = true;
                    }
                }
            }
        }
        Ok::<(), ()>(())
    };
    run(&mut *machine, Run::held_to(&live_bits), observe).unwrap();
    crossing
}

#[test]
fn a_stuck_wire_is_noticed_if_a_message_has_another_bit_there() {
    let mut taken = 0;
    for chosen in small() {
        let Ok(mut carrying) = carrying(&chosen) else {
            continue;
        };
        taken += 1;
        assert_eq!(
            failing(&mut carrying, &[], None),
            Vec::<&str>::new(),
            "{chosen:?}"
        );
        let crossing = crossing(&carrying);
        let mut noticed = 0;
        let ports = carrying.job.cube.count();
        for (number, of_wire) in crossing.iter().enumerate() {
            for value in [false, true] {
                let fault = WireFault {
                    node: number / ports,
                    wire: number % ports,
                    from: 0,
                    value,
                    called: "stuck",
                };
                let is_noticed = !failing(&mut carrying, &[fault], None).is_empty();
                let is_due = of_wire[usize::from(!value)];
                // What nobody looks at in the end may be sent as well: padding, and copies of a wave that goes on.
                assert!(is_due || !is_noticed, "{chosen:?}: {fault:?}");
                noticed += usize::from(is_noticed);
            }
        }
        assert!(noticed > 0, "{chosen:?}");
    }
    assert!(taken > 40, "{taken}");
}

#[test]
fn a_flipped_bit_of_a_message_and_a_violation_are_noticed() {
    let mut watched = 0;
    let each = small().into_iter().flat_map(|chosen| {
        let models = algorithm(&chosen).unwrap().port_models().iter();
        models.map(move |model| {
            let model = Given::Text(model.name().to_owned());
            chosen.clone().with(&PORTS, model)
        })
    });
    for chosen in each {
        let Ok(mut carrying) = carrying(&chosen) else {
            continue;
        };
        let storage = carrying.device().storage();
        let before = |part: &str| -> usize {
            let parts = storage.by_part.iter();
            let before = parts.take_while(|(name, _)| name != part);
            before.map(|(_, bits)| bits).sum()
        };
        let (first, violation) = (before("memory"), before("violation"));
        let program = carrying.job.plan().program.clone();
        let places = Places::new(&program.loads, program.source);
        for node in 0..carrying.job.cube.nodes() {
            for address in 0..program.memory_bits {
                let Some(stretch) = places.stretches(node, (address, 1)).next() else {
                    continue;
                };
                let found = failing(&mut carrying, &[], Some((node, first + address)));
                // All-gather looks at a message at all nodes, a histogram at its counts as well.
                assert!(
                    found.contains(&"messages"),
                    "{chosen:?}: {node} {address} {stretch:?}"
                );
            }
        }
        if program.ports == PortModel::All {
            assert_eq!(violation, storage.total, "{chosen:?}");
            continue;
        }
        assert_eq!(
            failing(&mut carrying, &[], Some((1, violation))),
            ["ports"],
            "{chosen:?}"
        );
        watched += 1;
    }
    assert!(watched > 0);
}

#[test]
fn later_rounds_differ_and_hold() {
    for chosen in small() {
        let Ok(carrying) = carrying(&chosen) else {
            continue;
        };
        for round in 2..8 {
            let (later, name) = carrying.later(round).unwrap();
            assert!(!name.is_empty());
            let mut machine = later.device().build(1).unwrap();
            later.load(&mut *machine, &mut |_| Ok(())).unwrap();
            while !machine.is_done() {
                machine.tick().unwrap();
            }
            let expected = later.expected();
            for node in 0..machine.nodes() {
                for (field, bit, found) in reads(&*machine, node) {
                    let due = expected(node, field, bit);
                    assert!(
                        due.is_none_or(|due| due == found),
                        "{chosen:?} {name} {node}"
                    );
                }
            }
        }
    }
}

/// What the host reads at a node, with the number of each bit in its field.
fn reads(machine: &dyn Lockstep, node: usize) -> Vec<(Field, usize, bool)> {
    let mut places: Vec<(Field, usize)> = Vec::new();
    let all = machine.host_reads(node).into_iter();
    all.map(|(field, is_one)| {
        let found = places.iter_mut().find(|(known, _)| *known == field);
        let bit = match found {
            Some((_, next)) => {
                *next += 1;
                *next - 1
            }
            None => {
                places.push((field, 1));
                0
            }
        };
        (field, bit, is_one)
    })
    .collect()
}

/// Closed forms that are one too large, one after the other: the check of each fails, and no other does.
#[test]
fn a_closed_form_that_does_not_hold_is_noticed() {
    let chosen = asked(&INVERSION, "--dims 3 --message-bits 6");
    for check in ["routing steps", "forwarding"] {
        let mut carrying = carrying(&chosen).unwrap();
        let mut plan = carrying.job.plan().clone();
        match check {
            "forwarding" => plan.forwarding_buffer.value += 1,
            _ => plan.routing_steps.value += 1,
        }
        carrying.job.machine = CollectiveMachine::new(Arc::new(plan)).unwrap();
        assert_eq!(failing(&mut carrying, &[], None), [check]);
    }
}

/// A bit of a matrix or of a count that flips before anything is sent fails the check of entries or bins too.
#[test]
fn a_wrong_entry_and_a_wrong_count_are_noticed() {
    for (bench, words, name, right) in [
        (&TRANSPOSE, "", "matrix", "15 of 16 entries"),
        (&HISTOGRAM, "--samples 9", "counts", "7 of 8 bins"),
    ] {
        let words = format!("--dims 2 --word-bits 6 {words}");
        let mut carrying = carrying(&asked(bench, &words)).unwrap();
        let failed = failed(&mut carrying, &[], Some((1, 0)));
        let check = failed.iter().find(|check| check.name == name);
        let detail = check.map(|check| &*check.detail).unwrap_or_default();
        assert!(
            check.is_some() && detail.starts_with(right),
            "{}: {failed:?}",
            bench.name
        );
    }
}

/// Of every algorithm: each bit of a message that crosses arrives in one place, and each that is sent lies somewhere at first.
#[test]
fn every_bit_of_a_message_has_its_place() {
    for (bench, operation, algorithm) in each_algorithm() {
        for (dims, bits) in [(2, 7), (3, 10), (4, 1), (4, 64)] {
            let sizes = match operation {
                Operation::Transpose | Operation::Histogram => String::new(),
                Operation::Scatter | Operation::Gather | Operation::Send => {
                    format!("--message-bits {bits} --source 1")
                }
                _ => format!("--message-bits {bits}"),
            };
            // Not every algorithm takes every size or way.
            let words = format!("{algorithm} --dims {dims} {sizes}");
            let Ok(job) = Job::new(&asked(bench, &words)) else {
                continue;
            };
            let program = &job.plan().program;
            let places = Places::new(&program.arrivals, program.source);
            let (nodes, each) = job.ends.arrived_shape();
            let mut times = vec![0; nodes * each * job.word_bits];
            for node in 0..job.cube.nodes() {
                for stretch in places.stretches(node, (0, program.memory_bits)) {
                    let number = job.ends.arrived(stretch.other, node);
                    let first = number * job.word_bits + stretch.bit;
                    times[first..first + stretch.bits]
                        .iter_mut()
                        .for_each(|times| *times += 1);
                }
            }
            let last_bins = operation == Operation::Histogram;
            for (number, of_word) in times.chunks(job.word_bits).enumerate() {
                let [from, to] = job.ends.ways(number);
                let stays = from == to && job.stays[from];
                let due = usize::from(!stays);
                assert!(
                    of_word.iter().all(|times| *times == due) || last_bins,
                    "{algorithm} {dims} {bits}: {number} {of_word:?}"
                );
            }
        }
    }
}

/// More nodes than are loaded at once, of more memory than is put together at once: every bit is that of its message, in whichever
/// order nodes and addresses are asked for.
#[test]
fn memories_are_loaded_with_every_bit() {
    let job = Job::new(&asked(&ALL_TO_ALL, "--dims 7 --message-bits 70")).unwrap();
    let program = &job.plan().program;
    assert!(program.memory_bits > 2 * 4096);
    let sent = Words::drawn(128, 128, 70, 3);
    let mut passed = |_| Ok(());
    let mut loading = Loading::new(job.carried(), &sent, &mut passed);
    let places = Places::new(&program.loads, program.source);
    for first in [64, 0] {
        loading
            .places(&std::array::from_fn(|place| first + place))
            .unwrap();
        let addresses = (0..program.memory_bits).step_by(64);
        for from in [4096, 64].into_iter().chain(addresses).chain([4096]) {
            let mut square = [0; 64];
            loading.values(MEMORY, from, &mut square).unwrap();
            let mut planes = [0; 64];
            loading.planes(MEMORY, from, &mut planes).unwrap();
            transpose(&mut planes);
            assert_eq!(planes, square);
            for (node, word) in (first..).zip(square) {
                let stretches = places.stretches(node, (from, 64));
                let due = stretches.flat_map(|stretch| {
                    let begin = stretch.other * 70 + stretch.bit;
                    (0..stretch.bits).map(move |bit| (begin + bit, stretch.behind + bit))
                });
                let due = due.fold(0, |due, (bit, place)| {
                    due | u64::from(sent.bit(node, bit).unwrap()) << place
                });
                assert_eq!(word, due, "node {node}, address {from}");
            }
        }
    }
}

/// Where all blocks change places, any may come from any place: of many that is more logic than is written down.
#[test]
fn the_depth_of_very_much_logic_is_left_out() {
    let has_depth = |bench, words| carrying(&asked(bench, words)).unwrap().has_logic_depth();
    assert!(has_depth(&PERMUTED_SEND, "--dims 7"));
    assert!(!has_depth(&PERMUTED_SEND, "--dims 8"));
}

/// A node that notes a violation is told of.
#[test]
fn a_violation_is_read() {
    let words = "--dims 2 --algorithm sbt --ports one-way --message-bits 4";
    let job = Job::new(&asked(&SCATTER, words)).unwrap();
    let (nodes, each) = job.ends.sent_shape();
    let sent = Words::drawn(nodes, each, 4, 3);
    let mut machine = job.machine.build(1).unwrap();
    machine
        .load(&mut Loading::new(job.carried(), &sent, &mut |_| Ok(())))
        .unwrap();
    let memory = job.plan().program.memory_bits;
    for node in [2, 3] {
        machine.flip_register(node, memory);
    }
    let mut passed = |_| Ok(());
    let mut reading = Reading::new(job.carried(), &sent, &mut passed);
    machine.unload(&mut reading).unwrap();
    assert_eq!(reading.arrived().violations, Some((2, 2)));
}

/// Counts of ever more nodes, and which counts a node ends up with: those of all samples, which are drawn 100 at each node.
#[test]
fn a_histogram_is_told_in_words() {
    let histogram = carrying(&asked(&HISTOGRAM, "--dims 3 --bins 16")).unwrap();
    let tales = histogram.tales(&[0, 5]).unwrap();
    let told = tales.of_nodes[1].told.iter();
    let due = [
        "own counts",
        "sum of 2 nodes",
        "sum of 4 nodes",
        "sum of 8 nodes",
    ];
    let words = told.clone().map(|said| said.words.as_str());
    assert_eq!(words.collect::<Vec<_>>(), due);
    assert!(told.map(|said| said.amounts[0]).eq([1, 2, 4, 8]));
    let mut samples = 0;
    for (node, gets) in histogram.roles() {
        let (first, last) = (2 * node, 2 * node + 1);
        let bins = format!("gets counts of bins {first} to {last} of all nodes: ");
        let counts = gets
            .strip_prefix(&bins)
            .unwrap()
            .split(' ')
            .map(|count| count.parse::<u32>().unwrap());
        samples += counts.sum::<u32>();
    }
    assert_eq!(samples, 800);
    let scatter = carrying(&asked(&SCATTER, "--dims 3")).unwrap();
    assert!(scatter.tales(&[0]).unwrap().of_nodes.is_empty() && scatter.roles().is_empty());
}

/// Whichever messages are wrong, all of them count, and the first of them is named; what stays at its node does not count.
#[test]
fn the_first_wrong_message_is_named() {
    let chosen = asked(&ALL_TO_ALL, "--dims 4 --message-bits 70");
    let job = Job::new(&chosen).unwrap();
    let words = |seed| Words::drawn(16, 16, 70, seed);
    let sent = words(1);
    let mut right = words(1);
    for number in 0..256 {
        let [from, to] = job.ends.ways(number);
        (right.word_mut(number)).copy_from_slice(sent.word(job.ends.sent(from, to)));
    }
    let compared = report::compare(&job, (&sent, None), &right);
    assert_eq!((compared.amount, compared.right), (240, 240));
    assert_eq!(compared.first_fault, None);
    for wrong in [
        vec![255 - 16],
        vec![200, 9 * 16 + 3, 9 * 16 + 2, 250],
        vec![7 * 16 + 1, 8 * 16],
    ] {
        let mut arrived = right.clone();
        for &number in &wrong {
            arrived.word_mut(number)[1] ^= 1 << 5;
        }
        // Of a node to itself.
        arrived.word_mut(5 * 17)[0] ^= 1;
        let compared = report::compare(&job, (&sent, None), &arrived);
        assert_eq!(compared.right, 240 - wrong.len());
        let first = wrong.iter().min().unwrap();
        let due = format!("from node {} to node {} ", first % 16, first / 16);
        assert!(compared.first_fault.unwrap().starts_with(&due), "{due}");
    }
}
