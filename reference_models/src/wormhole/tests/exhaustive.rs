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

/// Every `step`-th of them.
fn all(machine: Machine, bits: usize, step: usize) {
    let count = (0..40_320 / step)
        .into_par_iter()
        .map(|number| {
            let messages: Vec<Message> = (numbered(number * step).into_iter().enumerate())
                .map(|(source, destination)| message(source, destination, 0, bits))
                .collect();
            bit_times(&run(machine, &messages, LIMIT).unwrap())
        })
        .count();
    assert_eq!(count, 40_320 / step);
}

fn other_machines() -> [(Machine, usize); 3] {
    let weak = Machine {
        buffer_bits: 1,
        switch: Switch::Weak,
        ..machine(ccc(2))
    };
    let (levels, copies) = (2, 2);
    [
        (weak, 7),
        (machine(Network::Copies { levels, copies }), 16),
        (machine(hypercube(3, Routing::Order)), 8),
    ]
}

#[test]
fn all_permutations_of_eight_nodes() {
    all(machine(ccc(2)), 8, 1);
}

#[test]
fn permutations_of_eight_nodes_on_other_machines() {
    for (machine, bits) in other_machines() {
        all(machine, bits, 11);
    }
}

#[test]
#[ignore = "long: all permutations, not one in eleven"]
fn all_permutations_of_eight_nodes_on_other_machines() {
    for (machine, bits) in other_machines() {
        all(machine, bits, 1);
    }
}
