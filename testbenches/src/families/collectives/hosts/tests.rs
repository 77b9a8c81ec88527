use rtl_model::machine::device::Device;
use rtl_model::routers::collectives::algorithms::Operation;

use super::*;
use crate::families::collectives::operations::algorithms;
use crate::families::collectives::options::Setup;
use crate::families::collectives::stimulus::job;

fn segment(at: Option<usize>, address: usize, bits: usize) -> Segment {
    Segment {
        at,
        partner: 1,
        bit: 10 * address,
        bits,
        address,
    }
}

#[test]
fn a_stretch_of_memory_has_what_lies_there_of_all_segments() {
    let segments = [
        segment(None, 60, 8),
        segment(Some(1), 0, 3),
        segment(None, 5, 2),
        segment(Some(0), 70, 1),
    ];
    // Node 3 is at relative address 1, and node 2 at 0.
    let places = Places::new(&segments, 2);
    let found = |node, from| -> Vec<[usize; 4]> {
        let all = places.stretches(node, (from, 64));
        all.map(|one| [one.other, one.bit, one.bits, one.behind])
            .collect()
    };
    assert_eq!(found(3, 0), [[2, 0, 3, 0], [2, 50, 2, 5], [2, 600, 4, 60]]);
    assert_eq!(found(3, 64), [[2, 604, 4, 0]]);
    assert_eq!(found(2, 64), [[3, 700, 1, 6], [3, 604, 4, 0]]);
    assert_eq!(found(2, 128), Vec::<[usize; 4]>::new());
}

/// Of every algorithm: each bit of a message that crosses arrives in one place, and each that is sent lies somewhere at first.
#[test]
fn every_bit_of_a_message_has_its_place() {
    for operation in Operation::EACH {
        for algorithm in algorithms(operation) {
            for (dims, bits) in [(2, 7), (3, 10), (4, 1), (4, 64)] {
                let setup = Setup {
                    algorithm: Some(algorithm.name().to_owned()),
                    dims: Some(dims),
                    message_bits: Some(bits),
                    source: Some(1),
                    ..Setup::of(operation)
                };
                // Not every algorithm takes every size or way.
                let Ok(job) = job(&setup) else {
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
                    let due = usize::from(!job.stays[number]);
                    assert!(
                        of_word.iter().all(|times| *times == due) || last_bins,
                        "{} {dims} {bits}: {number} {of_word:?}",
                        algorithm.name()
                    );
                }
            }
        }
    }
}

/// A node that notes a violation is told of.
#[test]
fn a_violation_is_read() {
    let setup = Setup {
        dims: Some(2),
        algorithm: Some("sbt".to_owned()),
        ports: Some("one-way".to_owned()),
        message_bits: Some(4),
        ..Setup::of(Operation::Scatter)
    };
    let job = job(&setup).unwrap();
    let (nodes, each) = job.ends.sent_shape();
    let sent = Words::drawn(nodes, each, 4, 3);
    let mut machine = job.machine.build(1).unwrap();
    machine
        .load(&mut Loading::new(&job, &sent, &mut |_| Ok(())))
        .unwrap();
    let memory = job.plan().program.memory_bits;
    for node in [2, 3] {
        machine.flip_register(node, memory);
    }
    let mut passed = |_| Ok(());
    let mut reading = Reading::new(&job, &sent, &mut passed);
    machine.unload(&mut reading).unwrap();
    assert_eq!(reading.arrived.violations, Some((2, 2)));
}
