//! What holds for every schedule.

use bitvec::vec::BitVec;

use crate::fabric::Fabric;
use crate::lanes::{Lanes, Words};
use crate::meter::{Storage, Tally};
use crate::permutation::{PermutationRouter, Schedule};
use crate::router::{Machine, MessageRouter, Router};
use crate::topology::hypercube::Dimensions;

/// Every test below, for each schedule.
macro_rules! on_each_schedule {
    ($($name:ident: $schedule:ty),+ $(,)?) => { $(
        mod $name {
            #[test]
            fn every_partial_injection_of_two_and_four_nodes_arrives() {
                super::every_partial_injection_of_two_and_four_nodes_arrives::<$schedule>();
            }
            #[test]
            fn larger_cubes_route_full_and_partial_loads_in_lanes_of_any_width() {
                super::larger_cubes_route_full_and_partial_loads_in_lanes_of_any_width::<$schedule>();
            }
            #[test]
            fn long_messages_are_still_coming_when_they_are_sent_on() {
                super::long_messages_are_still_coming_when_they_are_sent_on::<$schedule>();
            }
            #[test]
            fn bit_times_are_their_closed_form() {
                super::bit_times_are_their_closed_form::<$schedule>();
            }
            #[test]
            fn storage_is_its_closed_form_and_within_the_bound() {
                super::storage_is_its_closed_form_and_within_the_bound::<$schedule>();
            }
        }
    )+ };
}
on_each_schedule! {
    plain: crate::kuszmaul::plain::Plain,
    overlapped: crate::kuszmaul::overlapped::Overlapped,
    folded: crate::kuszmaul::folded::Folded,
    spread: crate::kuszmaul::spread::Spread,
    radix4: crate::kuszmaul::radix4::Radix4,
    bitonic_sort_and_unpack: crate::sorting::bitonic::SortAndUnpack,
    bitonic_sort: crate::sorting::bitonic::Sort,
    radix_sort_and_unpack: crate::sorting::radix::SortAndUnpack,
    radix_sort: crate::sorting::radix::Sort,
}

fn payload_of(node: usize, bits: usize) -> BitVec<u64> {
    (0..bits)
        .map(|bit| (node * 0x9e37 + 7) >> (bit % 13) & 1 == 1)
        .collect()
}

/// Routes `destinations[source]` and returns what arrives where, having checked in every bit
/// time that no message bit is lost or doubled.
fn route<S: Schedule, B: Lanes>(
    k: usize,
    payload_bits: usize,
    destinations: &[Option<usize>],
) -> Vec<Option<BitVec<u64>>> {
    let router = PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), payload_bits).unwrap();
    let mut fabric = Fabric::<_, B>::new(router, 1).unwrap();
    let mut messages = 0;
    for (source, destination) in destinations.iter().enumerate() {
        if let Some(destination) = *destination {
            let (node, place) = fabric.node_mut(source);
            router.load(node, place, destination, &payload_of(source, payload_bits));
            messages += 1;
        }
    }
    let mut tally = Tally::<B>::new(4 * (k + payload_bits));
    while !fabric.is_done() {
        let position = fabric.position();
        fabric.tick().unwrap();
        let live: u64 = fabric
            .node_groups()
            .iter()
            .map(|node| {
                tally.clear();
                router.occupancy(node, Some(position), &mut |flag, bits| {
                    tally.add(flag, bits)
                });
                tally.sum()
            })
            .sum();
        let left = router.live_bits_per_message(Some(position));
        assert_eq!(live, messages * u64::from(left), "{position:?}");
    }
    assert_eq!(fabric.bit_time(), router.bit_times().value);
    (0..1 << k)
        .map(|node| {
            let (group, place) = fabric.node(node);
            let mut payload = BitVec::repeat(false, payload_bits);
            router.unload(group, place, &mut payload).then_some(payload)
        })
        .collect()
}

/// The same routing; where a schedule carries nothing else, a full one that agrees with it.
fn served<S: Schedule>(destinations: &[Option<usize>]) -> Vec<Option<usize>> {
    if !S::FULL_ONLY {
        return destinations.to_vec();
    }
    let is_free = |destination: &usize| !destinations.contains(&Some(*destination));
    let mut free = (0..destinations.len()).filter(is_free);
    let completed = |sent: &Option<usize>| sent.or_else(|| free.next());
    destinations.iter().map(completed).collect()
}

fn check<S: Schedule, B: Lanes>(k: usize, payload_bits: usize, destinations: &[Option<usize>]) {
    let destinations = &served::<S>(destinations);
    let mut expected = vec![None; 1 << k];
    for (source, destination) in destinations.iter().enumerate() {
        if let Some(destination) = *destination {
            expected[destination] = Some(payload_of(source, payload_bits));
        }
    }
    assert_eq!(route::<S, B>(k, payload_bits, destinations), expected);
}

fn every_partial_injection_of_two_and_four_nodes_arrives<S: Schedule>() {
    fn extend<S: Schedule>(chosen: &mut Vec<Option<usize>>, nodes: usize, all: &mut usize) {
        if chosen.len() == nodes {
            *all += 1;
            check::<S, bool>(nodes.ilog2() as usize, 3, chosen);
            check::<S, u64>(nodes.ilog2() as usize, 3, chosen);
            return;
        }
        for destination in std::iter::once(None).chain((0..nodes).map(Some)) {
            if destination.is_none() || !chosen.contains(&destination) {
                chosen.push(destination);
                extend::<S>(chosen, nodes, all);
                chosen.pop();
            }
        }
    }
    for (nodes, injections) in [(2, 7), (4, 209)] {
        let mut all = 0;
        extend::<S>(&mut Vec::new(), nodes, &mut all);
        assert_eq!(all, injections);
    }
}

fn larger_cubes_route_full_and_partial_loads_in_lanes_of_any_width<S: Schedule>() {
    for k in [3usize, 5, 6, 7, 9] {
        let nodes = 1 << k;
        for payload_bits in [1, k, 2 * k + 1] {
            for load in [1, 2, 3] {
                let destinations: Vec<_> = (0..nodes)
                    .map(|node| (node % load == 0).then_some((node * 5 + 3) % nodes))
                    .collect();
                check::<S, u64>(k, payload_bits, &destinations);
                check::<S, Words<2>>(k, payload_bits, &destinations);
            }
        }
    }
}

fn storage_is_its_closed_form_and_within_the_bound<S: Schedule>() {
    for k in 1..=24usize {
        for payload_bits in [1, 8, 24, 100] {
            let router =
                PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), payload_bits).unwrap();
            let storage = Storage::of::<bool>(&router.node::<bool>());
            assert_eq!(storage.total as u64, router.storage_bits().value);
            assert!(storage.total as u64 <= router.storage_bound().value);
            assert_eq!(storage.serial_adders as u64, router.serial_adders().value);
        }
    }
}

/// Messages so long that step 1 still streams when the steps behind it send the same messages on.
fn long_messages_are_still_coming_when_they_are_sent_on<S: Schedule>() {
    for k in 2..=5usize {
        let nodes = 1 << k;
        for payload_bits in [2 * k, 3 * k - 2, 3 * k - 1, 3 * k, 4 * k + 3, 40] {
            for multiplier in [3, 5, 7] {
                for load in [1, 2, 3] {
                    let destinations: Vec<_> = (0..nodes)
                        .map(|node| (node % load == 0).then_some((node * multiplier + 1) % nodes))
                        .collect();
                    check::<S, u64>(k, payload_bits, &destinations);
                }
            }
        }
    }
}

fn bit_times_are_their_closed_form<S: Schedule>() {
    for k in 1..=10usize {
        for payload_bits in [1, 2, 3, 8, k, 2 * k + 1, 3 * k, 100] {
            let router =
                PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), payload_bits).unwrap();
            let mut fabric = Fabric::<_, Words<8>>::new(router, 1).unwrap();
            while !fabric.is_done() {
                fabric.tick().unwrap();
            }
            assert_eq!(fabric.bit_time(), router.bit_times().value);
        }
    }
}
