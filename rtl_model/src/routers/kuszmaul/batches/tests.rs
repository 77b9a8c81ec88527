//! What holds for every schedule of batches.

use crate::error::Error;
use crate::machine::device::Device;
use crate::machine::simulation::Lockstep;
use crate::machine::slots::{self, SlotArrivals};
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::kuszmaul::batches::BatchRouter;
use crate::routers::kuszmaul::batches::interval::conflict;
use crate::routers::kuszmaul::batches::stage::Pipelined;
use crate::routers::kuszmaul::batches::vertex_packing::VertexPacking;
use crate::routers::permutation::Size;
use crate::traffic::{Message, Traffic};

/// Destinations of each batch, by source.
pub(super) type Batches = Vec<Vec<Option<usize>>>;

/// Fills the outboxes; gives what is in them, batch by batch.
pub(super) fn load(machine: &mut dyn Lockstep, size: Size, batches: &Batches) -> Vec<Traffic> {
    let cube = Dimensions::new(size.dimensions).unwrap();
    let of_batch = |(seed, to): (u64, &Vec<Option<usize>>)| {
        let sent = to.iter().enumerate().filter_map(|(source, to)| {
            Some(Message {
                source,
                destination: (*to)?,
            })
        });
        Traffic::new(cube, size.payload_bits, sent.collect(), seed).unwrap()
    };
    let all: Vec<Traffic> = (0..).zip(batches).map(of_batch).collect();
    slots::load(machine, &all).unwrap();
    all
}

/// Runs batches, checking in every bit time that no message bit is lost or doubled; and what has come.
fn check<P: Pipelined>(machine: &mut dyn Lockstep, router: &BatchRouter<P>, batches: &Batches) {
    let pipeline = router.pipeline();
    let traffic = load(machine, pipeline.size, batches);
    let messages: Vec<usize> = traffic.iter().map(|one| one.messages().len()).collect();
    let left = |bit_time: i64| -> u64 {
        let since = pipeline.since(bit_time).zip(&messages);
        since
            .map(|(ago, messages)| (messages * pipeline.message_bits_left(ago)) as u64)
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
    let arrived = SlotArrivals::read(machine, batches.len(), pipeline.size.payload_bits).unwrap();
    for (batch, traffic) in traffic.iter().enumerate() {
        assert_eq!(arrived.in_slot(batch).count(), messages[batch]);
        for (index, message) in traffic.messages().iter().enumerate() {
            let payload = arrived.at(message.destination, batch);
            assert_eq!(payload, Some(traffic.payload(index)), "batch {batch}");
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
                let smallest = router::<P>(k, payload_bits, 1, None).pipeline().interval;
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
                let (pipeline, size) = (router.pipeline(), router.pipeline().size);
                assert_eq!(
                    pipeline.interval as u64,
                    size.form(P::FORMS.interval).value,
                    "{size:?}"
                );
                assert_eq!(
                    pipeline.latency() as u64,
                    size.form(P::FORMS.latency).value,
                    "{size:?}"
                );
                let storage = Device::storage(&router);
                let bits = storage.total as u64;
                assert_eq!(bits, Device::storage_bits(&router).value, "{size:?}");
                assert_eq!(
                    storage.serial_adders as u64,
                    size.form(P::FORMS.serial_adders).value,
                    "{size:?}"
                );
            }
        }
    }
}

#[test]
fn closed_forms_of_a_packing_in_passes_are_those_of_what_is_built() {
    closed_forms_are_those_of_what_is_built::<VertexPacking>();
}

/// Nothing is in anything's way at the smallest interval; one less, and two units have a wire. A unit that is in its own way is not
/// noticed, as it drives the wire once: then it is claims alone that conflict. It is so in small cubes only.
fn an_interval_of_one_less_raises_a_conflict<P: Pipelined>() {
    for k in 2..=8 {
        for payload_bits in payloads(k) {
            let smallest = router::<P>(k, payload_bits, 1, None).pipeline().interval;
            let router = router::<P>(k, payload_bits, 3, Some(smallest - 1));
            let stages = router.pipeline().stages.iter();
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
            for &(extent, begins) in &router.pipeline().stages {
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
