//! What arrives in runs of the hardware, and what crosses its wires.

use std::collections::BTreeMap;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference_models::collectives::{Message, Task};
use rtl_model::routers::collectives::algorithms::{Algorithm, Ask, Operation, OperationPlan};
use rtl_model::routers::collectives::rules::{nodes_of, part};

use crate::compare::{crossed, floods};
use crate::followed::{arrived, loaded};
use crate::run::{Memories, Ran, run};

/// Drawn bits, by the node that has them, the message and the number of the bit.
type Payload = BTreeMap<(usize, Message, u64), bool>;

/// Runs a plan with drawn messages, bit time by bit time or all at once, and holds what arrives against what
/// the model's messages are.
pub fn delivers(
    of: &dyn Algorithm,
    ask: &Ask,
    plan: &OperationPlan,
    task: &Task,
    ticks: bool,
    seed: u64,
) {
    let what = format!("{} {} {ask:?}", of.operation(), of.name());
    let (memories, payload) = drawn(of, plan, seed);
    let ran = run(plan, memories, ticks);
    assert_eq!(ran.bit_times, plan.bit_times.value, "bit times of {what}");
    assert_eq!(ran.violations, 0, "{what}");
    if ticks {
        assert_eq!(ran.peak, plan.forwarding_buffer.value, "peak of {what}");
    }
    arrives(of, ask, plan, (task, &payload, &ran), &what);
}

/// Memories with drawn messages, and anything elsewhere.
fn drawn(of: &dyn Algorithm, plan: &OperationPlan, seed: u64) -> (Memories, Payload) {
    let program = &plan.program;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    // Adders find zeros behind the end of the bins.
    let is_free = of.operation() != Operation::Histogram;
    let mut payload = Payload::new();
    let mut memories: Memories = (0..program.cube.nodes())
        .map(|_| {
            let bits = 0..program.memory_bits;
            bits.map(|_| is_free && random.random()).collect()
        })
        .collect();
    for segment in &program.loads {
        for node in nodes_of(program, segment) {
            let message = loaded((of.operation(), floods(of)), program, node, segment);
            let node = node ^ program.source;
            for index in 0..segment.bits {
                let bit = random.random();
                memories[node][segment.address + index] = bit;
                payload.insert((node, message, (segment.bit + index) as u64), bit);
            }
        }
    }
    (memories, payload)
}

/// Every bit of every message of the model is found where it is to be, and the hardware has no other.
fn arrives(
    of: &dyn Algorithm,
    ask: &Ask,
    plan: &OperationPlan,
    (task, payload, ran): (&Task, &Payload, &Ran),
    what: &str,
) {
    let program = &plan.program;
    let mut found: BTreeMap<(usize, Message, u64), bool> = BTreeMap::new();
    for segment in &program.arrivals {
        for node in nodes_of(program, segment) {
            let message = arrived((of.operation(), floods(of)), program, node, segment);
            let node = node ^ program.source;
            for index in 0..segment.bits {
                let value = ran.memories[node][segment.address + index];
                let place = (node, message, (segment.bit + index) as u64);
                assert_eq!(found.insert(place, value), None, "{place:?} of {what}");
            }
        }
    }
    let sums = match of.operation() {
        Operation::Histogram => sums(ask.message_bits as u64, payload),
        _ => BTreeMap::new(),
    };
    let mut due: BTreeMap<(usize, Message, u64), bool> = BTreeMap::new();
    for &(message, bits) in &task.messages {
        match message {
            Message::Personal {
                source,
                destination,
            }
            | Message::Flooded {
                source,
                destination,
            } => {
                for bit in 0..bits {
                    due.insert(
                        (destination, message, bit),
                        payload[&(source, message, bit)],
                    );
                }
            }
            Message::Broadcast { source } => {
                // The node that has the message reads nothing.
                let others = (0..program.cube.nodes()).filter(|node| *node != source);
                for node in others {
                    for bit in 0..bits {
                        due.insert((node, message, bit), payload[&(source, message, bit)]);
                    }
                }
            }
            Message::PartialSum { owner } => {
                let value_bits = ask.message_bits as u64;
                for bit in 0..bits {
                    let sum = sums[&(message, bit / value_bits)];
                    due.insert((owner, message, bit), sum >> (bit % value_bits) & 1 == 1);
                }
            }
        }
    }
    assert!(found == due, "something else arrives of {what}");
}

/// The sums of all nodes' values of so many bits, by message and number of the value. What is carried out of
/// a value is lost.
fn sums(value_bits: u64, payload: &Payload) -> BTreeMap<(Message, u64), u64> {
    let mut sums: BTreeMap<(Message, u64), u64> = BTreeMap::new();
    for (&(_, message, bit), &value) in payload {
        let sum = sums.entry((message, bit / value_bits)).or_default();
        *sum = sum.wrapping_add(u64::from(value) << (bit % value_bits));
    }
    sums
}

/// With ones everywhere, wires are 1 in as many bit times as bits cross them, and 0 in all others.
pub fn drives(of: &dyn Algorithm, ask: &Ask, plan: &OperationPlan) {
    // Sums of ones are not all ones.
    if of.operation() == Operation::Histogram {
        return;
    }
    let what = format!("{} {} {ask:?}", of.operation(), of.name());
    let program = &plan.program;
    let ran = run(
        plan,
        vec![vec![true; program.memory_bits]; program.cube.nodes()],
        true,
    );
    assert_eq!(ran.ones, crossed(program), "{what}");
    // The same strobes go to all nodes, so that a port counts as driven wherever some node sends on it.
    let dims = program.cube.count();
    let mut driven = vec![0_u64; program.bit_times];
    for transfer in &program.transfers {
        let sends = |port: &usize| {
            let mut nodes = 0..program.cube.nodes();
            nodes.any(|node| part(program, (&transfer.sends, true), node, *port).is_some())
        };
        let ports = (0..dims)
            .filter(sends)
            .fold(0, |ports, port| ports | 1 << port);
        for now in transfer.shifts() {
            driven[now] |= ports;
        }
    }
    let least: u64 = driven
        .iter()
        .map(|ports| u64::from(ports.count_ones()))
        .sum();
    assert!(least <= ran.driven, "{least} and {} of {what}", ran.driven);
    assert!(ran.driven <= plan.bit_times.value * dims as u64, "{what}");
}
