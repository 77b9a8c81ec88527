//! What holds for every schedule.

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::machine::arrivals::{self, Arrivals};
use crate::machine::device::Device;
use crate::machine::fabric::Fabric;
use crate::machine::meter::Storage;
use crate::machine::router::{Machine, Router};
use crate::machine::simulation::Lockstep;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::permutation::{PermutationRouter, Schedule};
use crate::traffic::{Message, Traffic};

/// Every test below, for each schedule.
macro_rules! on_each_schedule {
    ($($name:ident: $schedule:ty),+ $(,)?) => { $(
        mod $name {
            #[test]
            fn every_partial_injection_of_two_and_four_nodes_arrives() {
                super::every_partial_injection_of_two_and_four_nodes_arrives::<$schedule>();
            }
            #[test]
            fn larger_cubes_route_full_and_partial_loads() {
                super::larger_cubes_route_full_and_partial_loads::<$schedule>();
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
    plain: crate::routers::kuszmaul::plain::Plain,
    overlapped: crate::routers::kuszmaul::overlapped::Overlapped,
    folded: crate::routers::kuszmaul::folded::Folded,
    spread: crate::routers::kuszmaul::spread::Spread,
    radix4: crate::routers::kuszmaul::radix4::Radix4,
    bitonic_sort_and_unpack: crate::routers::sorting::bitonic::SortAndUnpack,
    bitonic_sort: crate::routers::sorting::bitonic::Sort,
    radix_sort_and_unpack: crate::routers::sorting::radix::SortAndUnpack,
    radix_sort: crate::routers::sorting::radix::Sort,
}

fn payload_of(node: usize, bits: usize) -> BitVec<u64> {
    (0..bits)
        .map(|bit| (node * 0x9e37 + 7) >> (bit % 13) & 1 == 1)
        .collect()
}

/// Routes `destinations[source]` and returns what arrives where, having checked in every bit
/// time that no message bit is lost or doubled.
fn route(
    machine: &mut dyn Lockstep,
    payload_bits: usize,
    destinations: &[Option<usize>],
) -> Vec<Option<BitVec<u64>>> {
    let cube = Dimensions::new(machine.topology().dims()).unwrap();
    let sent = destinations.iter().enumerate();
    let sent = sent.filter_map(|(source, destination)| {
        Some(Message {
            source,
            destination: (*destination)?,
        })
    });
    let sent: Vec<Message> = sent.collect();
    let mut traffic = Traffic::new(cube, payload_bits, sent.clone(), 1).unwrap();
    for (index, message) in sent.iter().enumerate() {
        let payload = payload_of(message.source, payload_bits);
        traffic.payload_mut(index).copy_from_bitslice(&payload);
    }
    arrivals::load(machine, &[traffic]).unwrap();
    while !machine.is_done() {
        let position = Some(machine.position());
        machine.tick().unwrap();
        let left = machine.device().live_bits_per_message(position).unwrap();
        let live = machine.occupancy(position).live_bits;
        assert_eq!(live, sent.len() as u64 * u64::from(left), "{position:?}");
    }
    assert_eq!(machine.bit_time(), machine.device().bit_times().value);
    let arrivals = Arrivals::read(machine, payload_bits).unwrap();
    (0..cube.nodes())
        .map(|node| arrivals.at(node).map(BitSlice::to_bitvec))
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

fn check<S: Schedule>(k: usize, payload_bits: usize, destinations: &[Option<usize>]) {
    let router = PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), payload_bits).unwrap();
    let mut machine = Device::build(&router, 1).unwrap();
    check_in::<S>(&mut *machine, (k, payload_bits), destinations);
}

fn check_in<S: Schedule>(
    machine: &mut dyn Lockstep,
    (k, payload_bits): (usize, usize),
    destinations: &[Option<usize>],
) {
    let destinations = &served::<S>(destinations);
    let mut expected = vec![None; 1 << k];
    for (source, destination) in destinations.iter().enumerate() {
        if let Some(destination) = *destination {
            expected[destination] = Some(payload_of(source, payload_bits));
        }
    }
    assert_eq!(route(machine, payload_bits, destinations), expected);
}

fn every_partial_injection_of_two_and_four_nodes_arrives<S: Schedule>() {
    fn extend<S: Schedule>(chosen: &mut Vec<Option<usize>>, nodes: usize, all: &mut usize) {
        if chosen.len() == nodes {
            *all += 1;
            let k = nodes.ilog2() as usize;
            let router = PermutationRouter::<S>::new(Dimensions::new(k).unwrap(), 3).unwrap();
            let mut single = Fabric::<_, bool>::new(router, 1).unwrap();
            check_in::<S>(&mut single, (k, 3), chosen);
            check::<S>(k, 3, chosen);
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

fn larger_cubes_route_full_and_partial_loads<S: Schedule>() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for k in [3usize, 5, 6, 7, 8, 9, 10] {
        let nodes = 1 << k;
        let mut drawn: Vec<usize> = (0..nodes).collect();
        drawn.shuffle(&mut random);
        let complement = random.random_range(0..nodes);
        let to: [&dyn Fn(usize) -> usize; 3] = [
            &|node| (node * 5 + 3) % nodes,
            &|node| (node.reverse_bits() >> (usize::BITS as usize - k)) ^ complement,
            &|node| drawn[node],
        ];
        for payload_bits in [1, k, 2 * k + 1] {
            for (load, to) in (1..=3).flat_map(|load| to.map(|to| (load, to))) {
                let destinations: Vec<_> = (0..nodes)
                    .map(|node| (node % load == 0).then(|| to(node)))
                    .collect();
                check::<S>(k, payload_bits, &destinations);
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
            assert_eq!(storage.total as u64, Router::storage_bits(&router).value);
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
                    check::<S>(k, payload_bits, &destinations);
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
            let mut machine = Device::build(&router, 1).unwrap();
            while !machine.is_done() {
                machine.tick().unwrap();
            }
            assert_eq!(machine.bit_time(), Router::bit_times(&router).value);
        }
    }
}
