//! Which machines with several messages a node have faults, and with which messages.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rtl_model::routers::kuszmaul::batches::AnyPipeline;
use rtl_model::routers::kuszmaul::batches::vertex_packing::VertexPacking;
use rtl_model::routers::kuszmaul::counting::CountingRouter;
use rtl_model::routers::kuszmaul::overlapped::Overlapped;
use rtl_model::routers::kuszmaul::radix4::Radix4;
use rtl_model::routers::kuszmaul::spread::Spread;
use rtl_model::traffic::{Message, Relation, Traffic, senders};

use super::several::Machine;
use crate::common::structured::Family;
use crate::common::{cube, generator, traffic};

fn pipeline(
    name: &'static str,
    schedule: &dyn AnyPipeline,
    (k, payload_bits, slots): (usize, usize, usize),
) -> Machine {
    Machine {
        name,
        k,
        payload_bits,
        slots,
        by_slot: true,
        device: schedule.device(cube(k), payload_bits, slots, None).unwrap(),
    }
}

fn counting(k: usize, payload_bits: usize, h: usize) -> Machine {
    Machine {
        name: "counting",
        k,
        payload_bits,
        slots: h,
        by_slot: false,
        device: Box::new(CountingRouter::new(cube(k), payload_bits, h).unwrap()),
    }
}

const PACKING: &str = "vertex packing";

/// Of each a small one, and one of a dimension more.
pub fn machines() -> Vec<Machine> {
    vec![
        pipeline("spread", &Spread, (2, 3, 3)),
        pipeline("spread", &Spread, (3, 4, 2)),
        pipeline("overlapped", &Overlapped, (2, 3, 3)),
        pipeline("overlapped", &Overlapped, (3, 4, 2)),
        pipeline("radix4", &Radix4, (2, 3, 3)),
        pipeline("radix4", &Radix4, (3, 4, 2)),
        counting(2, 3, 2),
        counting(3, 5, 2),
        pipeline(PACKING, &VertexPacking, (2, 3, 3)),
        pipeline(PACKING, &VertexPacking, (3, 4, 3)),
    ]
}

/// A routing with structure; of three, one is full, and of the others some messages are left out.
fn routing(k: usize, number: usize, random: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let family = Family::ALL[number % Family::ALL.len()];
    let mut pairs = family.drawn(k, random);
    if !number.is_multiple_of(3) {
        pairs.retain(|_| random.random_bool(0.75));
    }
    pairs
}

/// Messages of each slot, of so many runs: structured ones. Where they are packed, a set goes to its ranks from the bottom or from the
/// top; where they are counted, the routings together are a relation.
pub fn runs(machine: &Machine, amount: usize) -> Vec<Vec<Traffic>> {
    let Machine {
        k,
        payload_bits,
        slots,
        ..
    } = *machine;
    let mut random = generator(31);
    let mut pairs = |run: usize, slot: usize| match machine.name {
        PACKING => {
            let load = [1.0, 0.75, 0.5, 0.25][(run + slot) % 4];
            let set = senders(cube(k), load, (run * slots + slot) as u64).unwrap();
            let top = (1 << k) - 1;
            let target = |rank| {
                if run.is_multiple_of(2) {
                    rank
                } else {
                    top - rank
                }
            };
            let pairs = set.iter().enumerate();
            pairs
                .map(|(rank, &source)| (source, target(rank)))
                .collect()
        }
        _ => routing(k, run * slots + slot, &mut random),
    };
    let drawn = |run: usize| {
        let of_slots: Vec<Vec<(usize, usize)>> = (0..slots).map(|slot| pairs(run, slot)).collect();
        let seed = (run * slots) as u64;
        if machine.by_slot {
            let of_slots = of_slots.iter().zip(seed..);
            return of_slots
                .map(|(pairs, seed)| traffic(k, payload_bits, pairs, seed))
                .collect();
        }
        let messages = of_slots.concat().into_iter();
        let messages = messages.map(|(source, destination)| Message {
            source,
            destination,
        });
        let relation = Relation::new(cube(k), payload_bits, messages.collect(), seed).unwrap();
        relation.by_source(slots).unwrap()
    };
    (0..amount).map(drawn).collect()
}
