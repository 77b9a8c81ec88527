//! What holds for the stages of schedule `radix4` side by side, whatever the traffic is.

use super::*;
use crate::machine::device::Device;
use crate::machine::topology::hypercube::{Dimensions, MAX_DIMENSIONS};
use crate::routers::kuszmaul::batches::tests::{load, random_batches, router};
use crate::routers::kuszmaul::batches::{AnyPipeline, Plan};

/// Of all cubes, with short payloads and long ones.
fn plans() -> impl Iterator<Item = Plan<Radix4>> {
    (1..=MAX_DIMENSIONS).flat_map(|dimensions| {
        [1, 2, 5, 40].map(|payload_bits| {
            let size = Size {
                dimensions,
                payload_bits,
            };
            Plan::new(size, 1, Some(1))
        })
    })
}

#[test]
fn an_input_holds_one_bit_at_most_and_no_bit_is_taken_before_it_is_there() {
    for plan in plans() {
        for pair in plan.stages.windows(2) {
            let [(before, begins), (extent, later)] = [pair[0], pair[1]];
            let ends = Radix4::delivers(before).to + 2;
            let mut held = 0;
            for t in 0..=ends {
                let delivered = Radix4::delivers(before).over(t);
                let taken = Plan::<Radix4>::taken(extent, t + (begins as i64) - later as i64);
                // What is taken in a bit time was there before it.
                let was_there = Radix4::delivers(before).over(t - 1);
                assert!(taken <= was_there, "{extent:?} {t}");
                held = held.max(delivered - taken);
            }
            assert_eq!(held, 1, "{extent:?}");
            let bits = Radix4::takes(extent).map(Window::length);
            let left = Radix4::delivers(before).length();
            assert_eq!(bits.iter().sum::<usize>(), left, "{extent:?}");
        }
    }
}

#[test]
fn two_address_bits_are_consumed_in_a_stage_and_the_others_in_the_greedy_end() {
    for plan in plans() {
        let consumed = plan.stages.iter();
        let consumed: Vec<usize> = consumed
            .map(|(extent, _)| Radix4::consumed(*extent, i64::MAX))
            .collect();
        assert_eq!(consumed.iter().sum::<usize>(), plan.size.dimensions);
        let (end, pairs) = consumed.split_last().unwrap();
        assert!(pairs.iter().all(|bits| *bits == 2) && (1..=4).contains(end));
    }
}

#[test]
fn a_dimension_has_a_wire_for_every_second_stage_of_those_that_there_could_be() {
    for k in 1..=MAX_DIMENSIONS {
        let wires = AnyPipeline::wires(&Radix4, Dimensions::new(k).unwrap());
        let greedy = groups(Size {
            dimensions: k,
            payload_bits: 1,
        })
        .greedy;
        let expected = (0..k).map(|dimension| dimension.min(k - greedy) / 2 + 1);
        assert!(wires.iter().copied().eq(expected), "{k}: {wires:?}");
    }
}

/// A message is counted at one node, from the outbox to the inbox.
#[test]
fn in_every_bit_time_there_are_as_many_messages_as_there_were() {
    for (k, payload_bits) in [
        (1, 2),
        (2, 1),
        (2, 3),
        (3, 1),
        (4, 1),
        (5, 2),
        (6, 1),
        (7, 3),
        (8, 1),
    ] {
        let router = router::<Radix4>(k, payload_bits, 4, None);
        let mut machine = Device::build(&router, 1).unwrap();
        let batches = random_batches(k, 4, (k * 100 + payload_bits) as u32);
        let messages = batches.iter().flatten().flatten().count();
        load(&mut *machine, router.plan().size, &batches);
        let mut after = None;
        loop {
            let here = (0..1 << k).map(|node| machine.messages(node, after) as usize);
            assert_eq!(
                here.sum::<usize>(),
                messages,
                "k={k} D={payload_bits} {after:?}"
            );
            if machine.is_done() {
                break;
            }
            after = Some(machine.position());
            machine.tick().unwrap();
        }
    }
}
