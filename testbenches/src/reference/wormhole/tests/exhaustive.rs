//! All permutations of the CCC of two levels.

use rayon::prelude::*;

use super::*;

/// The permutation of eight nodes with this number: a digit says which of the rest comes next.
fn numbered(mut number: usize) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..8).collect();
    (1..=8)
        .rev()
        .map(|left| {
            let digit = number % left;
            number /= left;
            rest.remove(digit)
        })
        .collect()
}

fn all(machine: Machine, bits: usize) {
    let count = (0..40_320)
        .into_par_iter()
        .map(|number| {
            let messages: Vec<Message> = (numbered(number).into_iter().enumerate())
                .map(|(source, destination)| message(source, destination, 0, bits))
                .collect();
            bit_times(&run(machine, &messages, LIMIT).unwrap())
        })
        .count();
    assert_eq!(count, 40_320);
}

#[test]
fn all_permutations_of_eight_nodes() {
    all(machine(ccc(2)), 16);
}

#[test]
fn all_permutations_of_eight_nodes_on_weak_switches_with_one_place() {
    let machine = Machine {
        buffer_bits: 1,
        switch: Switch::Weak,
        ..machine(ccc(2))
    };
    all(machine, 7);
}

#[test]
fn all_permutations_of_eight_nodes_on_copies_and_by_e_cube() {
    let (levels, copies) = (2, 2);
    all(machine(Network::Copies { levels, copies }), 16);
    all(machine(Network::ECube { levels }), 16);
}
