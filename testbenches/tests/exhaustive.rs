//! Algorithm 2 in hardware on every routing of small cubes, on each schedule, beside the reference model.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::beside::run_beside_reference;
use common::{generator, on_each_schedule, random_pairs, traffic};
use rtl_model::kuszmaul;
use rtl_model::lanes::Words;
use rtl_model::traffic::Traffic;
use testbenches::catalogue::Schedule;

/// Every partial injection of `nodes` nodes.
fn partial_injections(nodes: usize) -> Vec<Vec<(usize, usize)>> {
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for source in 0..nodes {
        for routing in all.clone() {
            let is_free = |d: &usize| routing.iter().all(|(_, taken)| taken != d);
            let extended: Vec<_> = (0..nodes)
                .filter(is_free)
                .map(|destination| [routing.clone(), vec![(source, destination)]].concat())
                .collect();
            all.extend(extended);
        }
    }
    all
}

/// Every permutation of `nodes` nodes, in lexical order.
fn permutations(nodes: usize) -> Vec<Vec<usize>> {
    if nodes == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(nodes - 1);
    (0..nodes)
        .flat_map(|first| {
            shorter.iter().map(move |rest| {
                let rest = rest.iter().map(|&next| next + usize::from(next >= first));
                std::iter::once(first).chain(rest).collect()
            })
        })
        .collect()
}

on_each_schedule!(
    every_partial_injection_of_2_and_4_nodes,
    every_permutation_of_8_nodes,
    twenty_thousand_random_partial_routings_of_8_nodes,
);

/// Of the longest messages some bits are still coming in when others are sent on.
fn every_partial_injection_of_2_and_4_nodes<S: kuszmaul::router::Schedule>(schedule: Schedule) {
    for (k, amount) in [(1, 7), (2, 209)] {
        let routings = partial_injections(1 << k);
        assert_eq!(routings.len(), amount);
        for payload_bits in [1, 2, 3, 4, 7, 16] {
            let traffics: Vec<Traffic> = routings
                .iter()
                .map(|pairs| traffic(k, payload_bits, pairs, 1))
                .collect();
            run_beside_reference::<S, u64>(schedule, k, payload_bits, &traffics);
        }
    }
}

fn every_permutation_of_8_nodes<S: kuszmaul::router::Schedule>(schedule: Schedule) {
    let permutations = permutations(8);
    assert_eq!(permutations.len(), 40_320);
    let traffics: Vec<Traffic> = permutations
        .iter()
        .map(|permutation| {
            let pairs: Vec<_> = permutation.iter().copied().enumerate().collect();
            traffic(3, 4, &pairs, 1)
        })
        .collect();
    run_beside_reference::<S, Words<8>>(schedule, 3, 4, &traffics);
}

fn twenty_thousand_random_partial_routings_of_8_nodes<S: kuszmaul::router::Schedule>(
    schedule: Schedule,
) {
    for payload_bits in [1, 5, 9] {
        let mut random = generator(3);
        let traffics: Vec<Traffic> = (0..20_000)
            .map(|seed| traffic(3, payload_bits, &random_pairs(3, &mut random), seed))
            .collect();
        run_beside_reference::<S, Words<8>>(schedule, 3, payload_bits, &traffics);
    }
}
