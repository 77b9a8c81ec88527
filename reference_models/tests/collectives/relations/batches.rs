//! Batches beside the model: who holds which message of which batch, and how long it takes.

use bitvec::slice::BitSlice;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference_models::batches::{self, Schedule};
use rtl_model::machine::device::Device;
use rtl_model::machine::fabric::How;
use rtl_model::machine::slots::{self, SlotArrivals};
use rtl_model::routers::kuszmaul::batches::BatchRouter;
use rtl_model::routers::kuszmaul::batches::stage::Pipelined;
use rtl_model::traffic::pattern::Pattern;
use rtl_model::traffic::structured::Routing;
use rtl_model::traffic::{Message, Traffic, senders};

use super::{cube, wires};

/// Every test here and in [`wires`], for each schedule: its hardware, and its model.
macro_rules! on_each_schedule {
    ($($name:ident: $hardware:ty, $model:expr;)+) => { $(
        mod $name {
            #[test]
            fn batches_arrive_as_the_model_says() {
                super::batches_arrive_as_the_model_says::<$hardware>($model);
            }
            #[test]
            fn the_judge_lets_the_smallest_interval_pass_and_no_smaller_one() {
                super::wires::the_judge_lets_the_smallest_interval_pass_and_no_smaller_one::<$hardware>($model);
            }
            #[test]
            fn wires_are_driven_when_the_model_has_them() {
                super::wires::wires_are_driven_when_the_model_has_them::<$hardware>($model);
            }
        }
    )+ };
}
on_each_schedule! {
    overlapped: rtl_model::routers::kuszmaul::overlapped::Overlapped, reference_models::batches::Schedule::Overlapped;
    spread: rtl_model::routers::kuszmaul::spread::Spread, reference_models::batches::Schedule::Spread;
    radix4: rtl_model::routers::kuszmaul::radix4::Radix4, reference_models::batches::Schedule::Radix4;
}

/// Partial permutations: structured ones and named ones, whole and in part, and random ones.
fn routings(k: usize, random: &mut ChaCha8Rng) -> Vec<Vec<Message>> {
    let mut routings = vec![Vec::new()];
    for load in [0.5, 1.0] {
        for routing in Routing::ALL {
            routings.push(routing.messages(cube(k), load, random.random()).unwrap());
        }
        for (_, pattern, _) in Pattern::PERMUTATIONS {
            let senders = senders(cube(k), load, random.random()).unwrap();
            // Halves of an odd number of address bits cannot be swapped.
            routings.extend(pattern.messages(cube(k), &senders, random.random()));
        }
    }
    for _ in 0..6 {
        let senders = senders(cube(k), random.random(), random.random()).unwrap();
        let messages = Pattern::Randperm.messages(cube(k), &senders, random.random());
        routings.push(messages.unwrap());
    }
    routings
}

fn batches_arrive_as_the_model_says<P: Pipelined>(model: Schedule) {
    for k in 1..=8 {
        for (number, payload_bits) in [1, 2, k, 2 * k + 1].into_iter().enumerate() {
            let mut random = ChaCha8Rng::seed_from_u64((k * 10 + number) as u64);
            let all = routings(k, &mut random);
            for (place, some) in all.chunks([3, 5, 1, 9][number]).enumerate() {
                // Not only at the smallest interval.
                let smallest = BatchRouter::<P>::new(cube(k), payload_bits, 1, None).unwrap();
                let interval = match place % 4 {
                    3 => Some(smallest.pipeline().interval + 1 + place),
                    _ => None,
                };
                arrive::<P>(model, (k, payload_bits), some, interval, place % 3 == 0);
            }
        }
    }
}

/// Runs batches, and compares slot by slot.
fn arrive<P: Pipelined>(
    model: Schedule,
    (k, payload_bits): (usize, usize),
    messages: &[Vec<Message>],
    interval: Option<usize>,
    ticks: bool,
) {
    let what = format!("{model:?} k={k} D={payload_bits} interval {interval:?}: {messages:?}");
    let ends = batches::route(model, cube(k), payload_bits, messages)
        .unwrap_or_else(|violation| panic!("{violation}: {what}"));
    let traffics: Vec<Traffic> = (messages.iter().zip(0..))
        .map(|(messages, seed)| {
            Traffic::new(cube(k), payload_bits, messages.clone(), seed).unwrap()
        })
        .collect();
    let router = BatchRouter::<P>::new(cube(k), payload_bits, messages.len(), interval).unwrap();
    let mut machine = Device::build(&router, 1).unwrap();
    slots::load(&mut *machine, &traffics).unwrap();
    while ticks && !machine.is_done() {
        machine.tick().unwrap();
    }
    machine.advance(u64::MAX, &How::default()).unwrap();
    if interval.is_none()
        && let Some(due) = batches::bit_times_passed_on(model, k, payload_bits, messages.len())
    {
        assert_eq!(machine.bit_time(), due as u64, "{what}");
        // No later than if each iteration waited for messages to be whole.
        let whole = batches::bit_times(model, k, payload_bits, messages.len());
        assert!(whole.is_some_and(|whole| due <= whole), "{what}");
    }
    let arrivals = SlotArrivals::read(&*machine, messages.len(), payload_bits).unwrap();
    for (batch, held) in ends.iter().enumerate() {
        for (node, message) in held.iter().enumerate() {
            let payload = |message: usize| -> &BitSlice<u64> {
                let source = messages[batch][message].source;
                let index = traffics[batch].index_from(source).unwrap();
                traffics[batch].payload(index)
            };
            assert_eq!(
                arrivals.at(node, batch),
                message.map(payload),
                "node {node} batch {batch} of {what}"
            );
        }
    }
}
