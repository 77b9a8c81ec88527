//! What holds for the stages of schedule `radix4` side by side, whatever the traffic is.

use super::*;
use crate::machine::device::Device;
use crate::machine::topology::hypercube::{Dimensions, MAX_DIMENSIONS};
use crate::routers::kuszmaul::batches::AnyPipeline;
use crate::routers::kuszmaul::batches::tests::{load, random_batches, router};

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
        load(&mut *machine, router.pipeline().size, &batches);
        let mut after = None;
        loop {
            assert_eq!(
                machine.messages(after).iter().sum::<u32>() as usize,
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
