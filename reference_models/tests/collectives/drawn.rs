//! Every algorithm with sizes, nodes and payloads that are drawn, in larger cubes.

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rtl_model::routers::collectives::algorithms::{
    ALGORITHMS, Algorithm, Ask, Operation, OperationPlan,
};

use crate::asks;
use crate::compare::holds;
use crate::delivery::delivers;

/// How many cases of each algorithm there are.
const CASES: usize = 6;

/// An ask that an algorithm takes, with its plan.
fn draw(of: &dyn Algorithm, random: &mut ChaCha8Rng) -> (Ask, OperationPlan) {
    for _ in 0..1000 {
        // All nodes with a message for each other are many bits.
        let most_dims = match of.operation() {
            Operation::AllToAll | Operation::PermutedSend | Operation::Histogram => 5,
            Operation::Transpose if of.name() == "by-rows" => 5,
            _ => 7,
        };
        let dims = random.random_range(2..=most_dims);
        let most = match of.operation() {
            Operation::AllToAll | Operation::AllGather | Operation::Transpose => 256 >> dims,
            Operation::PermutedSend | Operation::Send => 300,
            _ => 40,
        };
        let bits = random.random_range(1..=most);
        let plain = asks::plain(of, dims, bits, random.random_range(0..=5));
        let nodes = plain.cube.nodes();
        let one_node = [Operation::Scatter, Operation::Gather, Operation::Send];
        let source = match one_node.contains(&of.operation()) {
            true => random.random_range(0..nodes),
            false => 0,
        };
        let to_any = asks::takes_any_destination(of);
        let ask = Ask {
            source,
            destination: to_any.then(|| source ^ random.random_range(1..nodes)),
            permutation: plain.permutation.map(|mut permutation| {
                permutation.shuffle(random);
                permutation
            }),
            bins: match of.operation() {
                Operation::Histogram => random.random_range(1..=4 * nodes),
                _ => 0,
            },
            packet_bits: match of.name() {
                "sbt" | "bst" | "tcbt" => Some(random.random_range(bits.div_ceil(5)..=bits)),
                _ => None,
            },
            groups: random.random_bool(0.7).then(|| random.random_range(1..=12)),
            ports: *of.port_models().choose(random).unwrap(),
            ..plain
        };
        if let Ok(plan) = of.plan(&ask) {
            return (ask, plan);
        }
    }
    panic!("{} takes nothing that is drawn", of.name());
}

#[test]
fn every_algorithm_is_as_the_model_says_in_larger_cubes() {
    let cases: Vec<(usize, u64)> = (0..ALGORITHMS.len())
        .flat_map(|number| (0..CASES as u64).map(move |case| (number, case)))
        .collect();
    cases.into_par_iter().for_each(|(number, case)| {
        let of = ALGORITHMS[number];
        let mut random = ChaCha8Rng::seed_from_u64(case << 8 | number as u64);
        let (ask, plan) = draw(of, &mut random);
        let due = holds(of, &ask, &plan);
        delivers(of, &ask, &plan, &due.task, false, case);
    });
}
