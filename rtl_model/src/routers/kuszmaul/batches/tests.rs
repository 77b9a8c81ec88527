//! What holds for every schedule of batches.

use crate::error::Error;
use crate::machine::device::Device;
use crate::machine::host::{Field, Loads, NODES_AT_ONCE, Seats, Square};
use crate::machine::simulation::Lockstep;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::kuszmaul::batches::BatchRouter;
use crate::routers::kuszmaul::batches::interval::conflict;
use crate::routers::kuszmaul::batches::stage::Pipelined;
use crate::routers::permutation::Size;

/// Destinations of each batch, by source.
pub(super) type Batches = Vec<Vec<Option<usize>>>;

fn payload_of(batch: usize, source: usize, bit: usize) -> bool {
    ((batch * 71 + source) * 0x9e37 + 7) >> (bit % 17) & 1 == 1
}

struct Host<'a> {
    k: usize,
    payload_bits: usize,
    batches: &'a Batches,
    seats: Seats,
}

impl Loads for Host<'_> {
    fn places(&mut self, seats: &Seats) -> Result<u64, Error> {
        self.seats = *seats;
        let there = |node: &usize| *node < 1 << self.k;
        let seats = seats.iter().enumerate().filter(|(_, node)| there(node));
        Ok(seats.fold(0, |places, (place, _)| places | 1 << place))
    }

    fn values(&mut self, field: Field, from: usize, values: &mut Square) -> Result<(), Error> {
        for (value, node) in values.iter_mut().zip(self.seats) {
            if node >= 1 << self.k {
                continue;
            }
            let bit = |bit: usize| match field {
                Field::VALID => self.batches.get(bit).is_some_and(|to| to[node].is_some()),
                Field::DESTINATION => self
                    .batches
                    .get(bit / self.k)
                    .is_some_and(|to| to[node].is_some_and(|to| to >> (bit % self.k) & 1 == 1)),
                _ => payload_of(bit / self.payload_bits, node, bit % self.payload_bits),
            };
            *value = (0..64).fold(0, |word, at| word | u64::from(bit(from + at)) << at);
        }
        Ok(())
    }
}

/// Fills the outboxes.
pub(super) fn load(machine: &mut dyn Lockstep, size: Size, batches: &Batches) {
    let Size {
        dimensions: k,
        payload_bits,
    } = size;
    let seats = [0; NODES_AT_ONCE];
    machine
        .load(&mut Host {
            k,
            payload_bits,
            batches,
            seats,
        })
        .unwrap();
}

/// Runs batches, checking in every bit time that no message bit is lost or doubled; and what has come.
fn check<P: Pipelined>(machine: &mut dyn Lockstep, router: &BatchRouter<P>, batches: &Batches) {
    let plan = router.plan();
    let Size {
        dimensions: k,
        payload_bits,
    } = plan.size;
    load(machine, plan.size, batches);
    let messages: Vec<usize> = batches
        .iter()
        .map(|to| to.iter().flatten().count())
        .collect();
    let left = |bit_time: i64| -> u64 {
        let since = plan.since(bit_time).zip(&messages);
        since
            .map(|(ago, messages)| (messages * plan.message_bits_left(ago)) as u64)
            .sum()
    };
    assert_eq!(machine.occupancy(None).live_bits, left(-1));
    while !machine.is_done() {
        let (position, bit_time) = (machine.position(), machine.bit_time() as i64);
        machine.tick().unwrap();
        let live = machine.occupancy(Some(position)).live_bits;
        assert_eq!(
            live,
            left(bit_time),
            "after bit time {bit_time}: {position:?}"
        );
    }
    assert_eq!(machine.bit_time(), Device::bit_times(router).value);
    for node in 0..1usize << k {
        let reads = machine.host_reads(node);
        let (valid, payload) = reads.split_at(batches.len());
        for (batch, to) in batches.iter().enumerate() {
            let source = to.iter().position(|to| *to == Some(node));
            assert_eq!(
                valid[batch].1,
                source.is_some(),
                "node {node} batch {batch}"
            );
            let Some(source) = source else { continue };
            for bit in 0..payload_bits {
                let arrived = payload[batch * payload_bits + bit].1;
                assert_eq!(
                    arrived,
                    payload_of(batch, source, bit),
                    "node {node} batch {batch}"
                );
            }
        }
    }
}

pub(super) fn random_batches(k: usize, batches: usize, seed: u32) -> Batches {
    let mut walk = seed;
    let mut draw = move |below: usize| {
        walk = walk.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (walk >> 8) as usize % below
    };
    (0..batches)
        .map(|_| {
            let nodes = 1 << k;
            let mut to: Vec<usize> = (0..nodes).collect();
            for at in (1..nodes).rev() {
                to.swap(at, draw(at + 1));
            }
            let load = draw(5);
            to.into_iter()
                .map(|to| (draw(4) < load).then_some(to))
                .collect()
        })
        .collect()
}

/// Every test below, for each schedule.
macro_rules! on_each_schedule {
    ($($name:ident: $schedule:ty),+ $(,)?) => { $(
        mod $name {
            #[test]
            fn batches_of_random_partial_permutations_arrive() {
                super::batches_of_random_partial_permutations_arrive::<$schedule>();
            }
            #[test]
            fn every_partial_permutation_of_four_nodes_arrives() {
                super::every_partial_permutation_of_four_nodes_arrives::<$schedule>();
            }
            #[test]
            fn closed_forms_are_those_of_what_is_built() {
                super::closed_forms_are_those_of_what_is_built::<$schedule>();
            }
            #[test]
            fn an_interval_of_one_less_raises_a_conflict() {
                super::an_interval_of_one_less_raises_a_conflict::<$schedule>();
            }
            #[test]
            fn wires_are_driven_when_they_are_claimed() {
                super::wires_are_driven_when_they_are_claimed::<$schedule>();
            }
        }
    )+ };
}
on_each_schedule! {
    overlapped: crate::routers::kuszmaul::overlapped::Overlapped,
    spread: crate::routers::kuszmaul::spread::Spread,
    radix4: crate::routers::kuszmaul::radix4::Radix4,
}

pub(super) fn router<P: Pipelined>(
    k: usize,
    payload_bits: usize,
    batches: usize,
    interval: Option<usize>,
) -> BatchRouter<P> {
    BatchRouter::new(Dimensions::new(k).unwrap(), payload_bits, batches, interval).unwrap()
}

fn payloads(k: usize) -> [usize; 6] {
    [1, 2, 5, k, 2 * k + 1, 40]
}

fn batches_of_random_partial_permutations_arrive<P: Pipelined>() {
    let small = (1..=6).flat_map(|k| payloads(k).map(|payload_bits| (k, payload_bits)));
    // Cubes with three stages and more that each take several dimensions.
    let large = [(7, 1), (7, 4), (8, 1), (8, 3), (9, 2), (10, 1)];
    for (k, payload_bits) in small.chain(large) {
        for amount in [1, 2, 5] {
            let seed = k * 1000 + payload_bits * 10 + amount;
            let batches = random_batches(k, amount, seed as u32);
            let mut intervals = vec![None];
            if amount == 2 {
                let smallest = router::<P>(k, payload_bits, 1, None).plan().interval;
                intervals.extend([Some(smallest + 1), Some(2 * smallest + 3)]);
            }
            for interval in intervals {
                let router = router::<P>(k, payload_bits, amount, interval);
                let mut machine = Device::build(&router, 1).unwrap();
                check(&mut *machine, &router, &batches);
            }
        }
    }
}

/// All 209 partial permutations of four nodes, one behind the other; and then in the opposite order, so that others are neighbours.
fn every_partial_permutation_of_four_nodes_arrives<P: Pipelined>() {
    let all = (0..5usize.pow(4)).map(|code| {
        let to = (0..4).map(|node| (code / 5usize.pow(node)) % 5);
        to.map(|to| to.checked_sub(1)).collect::<Vec<_>>()
    });
    let is_injective = |to: &Vec<Option<usize>>| {
        (0..4).all(|node| to.iter().filter(|to| **to == Some(node)).count() <= 1)
    };
    let mut batches: Batches = all.filter(is_injective).collect();
    assert_eq!(batches.len(), 209);
    for payload_bits in [1, 3] {
        batches.reverse();
        let router = router::<P>(2, payload_bits, batches.len(), None);
        let mut machine = Device::build(&router, 1).unwrap();
        check(&mut *machine, &router, &batches);
    }
}

fn closed_forms_are_those_of_what_is_built<P: Pipelined>() {
    for k in 1..=12 {
        for payload_bits in payloads(k) {
            for batches in [1, 3] {
                let router = router::<P>(k, payload_bits, batches, None);
                let (plan, size) = (router.plan(), router.plan().size);
                assert_eq!(plan.interval as u64, P::interval(size).value, "{size:?}");
                assert_eq!(plan.latency() as u64, P::latency(size).value, "{size:?}");
                let storage = Device::storage(&router);
                let bits = storage.total as u64;
                assert_eq!(bits, Device::storage_bits(&router).value, "{size:?}");
                assert_eq!(
                    storage.serial_adders as u64,
                    P::serial_adders(size).value,
                    "{size:?}"
                );
            }
        }
    }
}

/// Nothing is in anything's way at the smallest interval; one less, and two units have a wire. A unit that is in its own way is not
/// noticed, as it drives the wire once: then it is claims alone that conflict. It is so in small cubes only.
fn an_interval_of_one_less_raises_a_conflict<P: Pipelined>() {
    for k in 2..=8 {
        for payload_bits in payloads(k) {
            let smallest = router::<P>(k, payload_bits, 1, None).plan().interval;
            let router = router::<P>(k, payload_bits, 3, Some(smallest - 1));
            let stages = router.plan().stages.iter();
            let claims: Vec<_> = stages.map(|(extent, _)| P::claims(*extent)).collect();
            let conflicts = claims
                .iter()
                .filter_map(|claims| conflict(claims, smallest - 1));
            let units: Vec<_> = conflicts
                .map(|claims| claims.map(|claim| claim.unit))
                .collect();
            assert!(!units.is_empty(), "k={k} D={payload_bits}");
            if claims.len() == 1 && units.iter().all(|[one, other]| one == other) {
                continue;
            }
            let mut machine = Device::build(&router, 1).unwrap();
            let conflict = loop {
                assert!(!machine.is_done(), "k={k} D={payload_bits}");
                if let Err(conflict) = machine.tick() {
                    break conflict;
                }
            };
            assert!(matches!(conflict, Error::WireConflict { .. }), "{conflict}");
        }
    }
}

/// In every bit time, of a batch that is alone.
fn wires_are_driven_when_they_are_claimed<P: Pipelined>() {
    for (k, payload_bits) in [(1, 2), (2, 1), (4, 3), (5, 9)] {
        let router = router::<P>(k, payload_bits, 1, None);
        let mut machine = Device::build(&router, 1).unwrap();
        while !machine.is_done() {
            let t = machine.bit_time() as i64;
            machine.transmit().unwrap();
            let mut wire = 0;
            for &(extent, begins) in &router.plan().stages {
                for dimension in extent.lowest..k {
                    let claims = P::claims(extent).into_iter();
                    let mut of_wire = claims.filter(|claim| claim.dimension == dimension);
                    let claimed = of_wire.find(|claim| {
                        let window = claim.window.later(begins as i64);
                        window.contains(t)
                    });
                    let unit = claimed.map(|claim| claim.unit);
                    assert_eq!(machine.driver(wire), unit, "{extent:?} {dimension} {t}");
                    wire += 1;
                }
            }
            machine.clock();
        }
    }
}
