//! Routers of permutations in hardware on every routing of small cubes, on each schedule, beside the reference model.

use crate::common::beside::run_beside_reference;
use crate::common::{device, generator, on_each_schedule, random_pairs_for, traffic};
use bitvec::vec::BitVec;
use rtl_model::machine::batch::{Batch, Sent};
use rtl_model::traffic::Traffic;
use testbenches::lockstep::Schedule;

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
    #[ignore = "long: a million routings, of which the others are a sample"]
    every_partial_injection_of_8_nodes_is_delivered,
    twenty_thousand_random_partial_routings_of_8_nodes,
);

/// Whether a schedule carries routings of so many messages.
fn is_carried(schedule: Schedule, messages: usize, k: usize) -> bool {
    !schedule.is_full_only() || messages == 1 << k
}

/// Of the longest messages some bits are still coming in when others are sent on.
fn every_partial_injection_of_2_and_4_nodes(schedule: Schedule) {
    for (k, amount) in [(1, 7), (2, 209)] {
        let routings = partial_injections(1 << k);
        assert_eq!(routings.len(), amount);
        for payload_bits in [1, 2, 3, 4, 7, 16] {
            let traffics: Vec<Traffic> = routings
                .iter()
                .filter(|pairs| is_carried(schedule, pairs.len(), k))
                .map(|pairs| traffic(k, payload_bits, pairs, 1))
                .collect();
            run_beside_reference(schedule, k, payload_bits, &traffics);
        }
    }
}

fn every_permutation_of_8_nodes(schedule: Schedule) {
    let permutations = permutations(8);
    assert_eq!(permutations.len(), 40_320);
    let traffics: Vec<Traffic> = permutations
        .iter()
        .map(|permutation| {
            let pairs: Vec<_> = permutation.iter().copied().enumerate().collect();
            traffic(3, 4, &pairs, 1)
        })
        .collect();
    run_beside_reference(schedule, 3, 4, &traffics);
}

/// Where each of 8 nodes sends a message, if it does.
type Destinations = [Option<u8>; 8];

/// Every partial injection of 8 nodes that agrees with `chosen` for the sources below `source`.
fn partial_injections_of_8(source: usize, chosen: Destinations, all: &mut Vec<Destinations>) {
    if source == chosen.len() {
        return all.push(chosen);
    }
    for destination in std::iter::once(None).chain((0..8).map(Some)) {
        if destination.is_none() || !chosen[..source].contains(&destination) {
            let mut chosen = chosen;
            chosen[source] = destination;
            partial_injections_of_8(source + 1, chosen, all);
        }
    }
}

/// These are too many for the reference model and the scoreboard: here every message has to arrive, whole,
/// and nothing else. Some bits of a message are still coming in when others are sent on.
fn every_partial_injection_of_8_nodes_is_delivered(schedule: Schedule) {
    const PAYLOAD_BITS: usize = 7;
    let mut routings = Vec::new();
    partial_injections_of_8(0, [None; 8], &mut routings);
    assert_eq!(routings.len(), 1_441_729);
    routings.retain(|routing| is_carried(schedule, routing.iter().flatten().count(), 3));
    let router = device(schedule, 3, PAYLOAD_BITS);
    // Any two differ in several bits.
    let payloads: Vec<BitVec<u64>> = [0, 91, 54, 17, 108, 71, 34, 125]
        .into_iter()
        .map(|payload: u64| {
            (0..PAYLOAD_BITS)
                .map(|bit| payload >> bit & 1 == 1)
                .collect()
        })
        .collect();
    let mut batch = Batch::new(&*router, PAYLOAD_BITS, 1 << 16).unwrap();
    for routings in routings.chunks(batch.machines()) {
        let messages = routings
            .iter()
            .enumerate()
            .flat_map(|(machine, destinations)| {
                let sent = destinations.iter().enumerate();
                sent.filter_map(move |(source, destination)| {
                    Some((machine, source, (*destination)?))
                })
            });
        let messages = messages.map(|(machine, source, destination)| Sent {
            machine,
            source,
            destination: usize::from(destination),
            payload: &payloads[source],
        });
        let arrivals = batch.run_messages(messages).unwrap();
        let mut looked_at = 0;
        for (machine, arrivals) in arrivals.iter().enumerate() {
            let Some(destinations) = routings.get(machine) else {
                assert_eq!(arrivals.count(), 0, "no machine that was not loaded");
                continue;
            };
            for node in 0..8 {
                let source = (destinations.iter()).position(|sent| *sent == Some(node as u8));
                let expected = source.map(|source| &*payloads[source]);
                assert_eq!(
                    arrivals.at(node),
                    expected,
                    "node {node} of {destinations:?}"
                );
                looked_at += 1;
            }
        }
        assert_eq!(looked_at, 8 * routings.len());
    }
}

fn twenty_thousand_random_partial_routings_of_8_nodes(schedule: Schedule) {
    for payload_bits in [1, 5, 9] {
        let mut random = generator(3);
        let traffics: Vec<Traffic> = (0..20_000)
            .map(|seed| {
                let pairs = random_pairs_for(schedule, 3, &mut random);
                traffic(3, payload_bits, &pairs, seed)
            })
            .collect();
        run_beside_reference(schedule, 3, payload_bits, &traffics);
    }
}
