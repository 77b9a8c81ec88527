//! Registers that flip. A flip is noticed exactly where a node that is looked at ends up with something else; every register is one
//! whose flips are noticed; and where it can be said beforehand what a flip does, that is what it does.

use std::collections::BTreeSet;

use rtl_model::machine::simulation::Lockstep;
use rtl_model::routers::reduced_hypercube::prefix::PrefixForm;

use crate::reduced_hypercube::faulted::{Faulted, all, larger};
use crate::reduced_hypercube::host::read;
use crate::reduced_hypercube::job::{Job, Operation, reduced};

/// Register bits that are of no consequence at any time.
fn is_never_read(job: &Job, name: &str) -> bool {
    // In building blocks of two nodes messages are combined once, and the printed form reads no more than results of them.
    let is_printed = matches!(job.operation, Operation::Prefix(PrefixForm::Printed, _));
    is_printed && job.network == reduced(1, 1) && name.starts_with("message.unit.")
}

/// Every register bit of these nodes, in one of so many bit times, and at the end.
fn every_register(job: Job, nodes: &[usize], every: u64) {
    let mut faulted = Faulted::new(job, 12, false);
    let names = faulted.names();
    let end = faulted.machine.device().bit_times().value;
    let mut unnoticed: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    for &node in nodes {
        let mut noticed_at_the_end = 0;
        for (number, name) in names.iter().enumerate() {
            let phase = node as u64 + number as u64;
            let times = (0..end).filter(|when| (when + phase).is_multiple_of(every));
            for when in times.chain([end]) {
                let is_noticed = !faulted.flipped((node, number, when)).objections.is_empty();
                if is_noticed {
                    unnoticed.remove(name.as_str());
                }
                if when == end {
                    noticed_at_the_end += usize::from(is_noticed);
                }
                // Nobody hears any more of a node that has sent for the last time, unless it is looked at itself.
                let is_heard = faulted.last_sent(node).is_some_and(|last| when <= last);
                if matches!(job.operation, Operation::Reduce(..)) && node > 0 && !is_heard {
                    assert!(!is_noticed, "{job:?}: {name} of node {node}, {when}");
                }
            }
        }
        // In the end it is what the host reads that counts, and nothing else.
        let is_looked_at = node == 0 || !matches!(job.operation, Operation::Reduce(..));
        let read_by_host = faulted.machine.host_reads(node).len();
        let due = if is_looked_at { read_by_host } else { 0 };
        assert_eq!(noticed_at_the_end, due, "{job:?}: node {node}");
    }
    let never_read = names.iter().map(String::as_str);
    let never_read: BTreeSet<&str> = never_read
        .filter(|name| is_never_read(&job, name))
        .collect();
    assert_eq!(unnoticed, never_read, "{job:?}");
}

#[test]
fn every_register_is_of_consequence() {
    for job in all().into_iter().step_by(3) {
        let nodes: Vec<usize> = (0..job.nodes()).collect();
        every_register(job, &nodes, 3);
    }
}

#[test]
#[ignore = "long: every form, in every second bit time"]
fn every_register_is_of_consequence_in_most_bit_times() {
    for job in all() {
        let nodes: Vec<usize> = (0..job.nodes()).collect();
        every_register(job, &nodes, 2);
    }
}

#[test]
#[ignore = "long: more nodes"]
fn every_register_of_larger_machines_is_of_consequence() {
    for job in larger(2) {
        let (step, every) = match job.operation {
            Operation::Broadcast(..) => (1, 7),
            Operation::Sort(..) => (9, 11),
            _ => (3, 5),
        };
        let nodes: Vec<usize> = (0..job.nodes()).step_by(step).collect();
        every_register(job, &nodes, every);
    }
}

/// A word that is flipped before the first bit time is another word, and what comes of it is what the model makes of that.
#[test]
fn a_flip_before_the_beginning_is_another_word() {
    for job in all() {
        if !matches!(job.operation, Operation::Reduce(..) | Operation::Sort(..)) {
            continue;
        }
        let mut faulted = Faulted::new(job, 3, false);
        let nodes = job.nodes();
        let mut changed = 0;
        for node in 0..nodes {
            for number in 0..faulted.names().len() {
                let everywhere = faulted.everywhere(node);
                let mut words = faulted.patterns.clone();
                let mut flip = |machine: &mut dyn Lockstep| {
                    if machine.bit_time() == 0 {
                        for (words, &place) in words.iter_mut().zip(&everywhere) {
                            machine.flip_register(place, number);
                            words[node] = read(machine, place, job.bits).unwrap();
                        }
                    }
                };
                let found = faulted.run(&mut flip, &mut |_| ()).found;
                let is_changed = words != faulted.patterns;
                changed += usize::from(is_changed);
                let due = words.iter().flat_map(|words| job.due(words).words);
                let due: Vec<_> = due.map(|(_, due)| Some(due)).collect();
                // What is no word, a comparator or a slot that is empty, is written before it is read.
                assert!(found == due, "{job:?}: register {number} of node {node}");
            }
        }
        assert_eq!(changed, nodes * job.keys() * job.bits, "{job:?}");
    }
}
