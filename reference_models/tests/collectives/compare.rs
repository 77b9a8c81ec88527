//! Times, stages, wires and buffers of a plan, and what the model's judge says of its program.

use std::collections::BTreeMap;

use reference_models::collectives::{Judgement, Message, Task, check};
use rtl_model::routers::collectives::algorithms::{Algorithm, Ask, Operation, OperationPlan};
use rtl_model::routers::collectives::program::TransferProgram;
use rtl_model::routers::collectives::rules::part;
use rtl_model::routers::ports::algorithm::PortModel;

use crate::followed;
use crate::pairs::{Expected, by_wire, expected};

/// Bits by wire, which is named by its two nodes.
type Wires = BTreeMap<(usize, usize), u64>;

/// How many bits cross each wire, according to the rules by which nodes find out.
pub fn crossed(program: &TransferProgram) -> Wires {
    let mut wires = BTreeMap::new();
    for transfer in &program.transfers {
        for node in 0..program.cube.nodes() {
            for port in 0..program.cube.count() {
                if part(program, (&transfer.sends, true), node, port).is_some() {
                    let from = node ^ program.source;
                    let wire = (from, from ^ (1 << port));
                    *wires.entry(wire).or_default() += transfer.bits as u64;
                }
            }
        }
    }
    wires
}

/// Whether copies of a message are sent from one node to another.
pub fn floods(of: &dyn Algorithm) -> bool {
    of.name() == "arbitrary-send-2"
}

/// Holds a plan against the model.
pub fn holds(of: &dyn Algorithm, ask: &Ask, plan: &OperationPlan) -> Expected {
    let mut due = expected(of, ask, plan);
    due.task = task(of, ask, &due.task);
    let what = format!("{} {} {ask:?}", of.operation(), of.name());
    assert_eq!(
        plan.routing_steps.value, due.stages as u64,
        "stages of {what}"
    );
    times(of, ask, plan, &due, &what);
    wires(of, ask, plan, &due, &what);
    let sends = followed::sends((of.operation(), floods(of)), &plan.program);
    assert_eq!(by_wire(&sends), crossed(&plan.program), "{what}");
    match check(&due.task, &sends) {
        Err(violation) => panic!("the judge says of {what}: {violation}"),
        Ok(judgement) => {
            let end = plan.program.bit_times as u64;
            assert_eq!(judgement.bit_times, end, "last bit of {what}");
            buffers(of, ask, plan, (&due, &judgement), &what);
        }
    }
    due
}

/// What the judge is to find done. The hardware's histogram adds up no bins that only round up: the last
/// nodes have fewer.
fn task(of: &dyn Algorithm, ask: &Ask, task: &Task) -> Task {
    let share = ask.bins.div_ceil(ask.cube.nodes());
    let real = |owner: usize| share.min(ask.bins.saturating_sub(owner * share));
    let messages = task.messages.iter().map(|(message, bits)| match message {
        Message::PartialSum { owner } => (*message, (real(*owner) * ask.message_bits) as u64),
        _ => (*message, *bits),
    });
    match of.operation() {
        Operation::Histogram => Task {
            messages: messages.collect(),
            ..task.clone()
        },
        _ => task.clone(),
    }
}

/// Whether a permutation leaves nothing in its place.
fn moves_all(ask: &Ask) -> bool {
    let mut ends = ask.permutation.iter().flatten().enumerate();
    ends.all(|(node, to)| node != *to)
}

fn times(of: &dyn Algorithm, ask: &Ask, plan: &OperationPlan, due: &Expected, what: &str) {
    let found = plan.bit_times.value;
    assert_eq!(found, plan.program.bit_times as u64, "{what}");
    match of.name() {
        // A message that stays in its node goes to all others and back in the hardware, and nowhere in the
        // model: of the identity there is nothing left.
        "permuted-send" if due.sends.is_empty() => assert_eq!(due.bit_times, 0, "{what}"),
        // Where waves end within a level of messages, bits are rounded in different ways.
        "distribute-2" if found != due.bit_times => {
            assert!(
                !plan.divides || ask.dims() > 3,
                "{found} and {} of {what}",
                due.bit_times
            );
        }
        _ => assert_eq!(found, due.bit_times, "bit times of {what}"),
    }
}

fn wires(of: &dyn Algorithm, ask: &Ask, plan: &OperationPlan, due: &Expected, what: &str) {
    let (found, due) = (crossed(&plan.program), by_wire(&due.sends));
    let within = |some: &Wires, all: &Wires| {
        let mut some = some.iter();
        some.all(|(wire, bits)| all.get(wire).is_some_and(|more| bits <= more))
    };
    let sorted = |wires: &Wires| {
        let mut bits: Vec<u64> = wires.values().copied().collect();
        bits.sort_unstable();
        bits
    };
    match of.name() {
        // A tree of two roots can be laid into a cube in several ways.
        name if name.starts_with("tcbt") => assert_eq!(sorted(&found), sorted(&due), "{what}"),
        // The hardware leaves out what comes too late for the destination.
        "arbitrary-send-2" => assert!(within(&found, &due), "{what}"),
        // The hardware does not leave out messages that stay in their node.
        "permuted-send" if !moves_all(ask) => assert!(within(&due, &found), "{what}"),
        // In the hardware a part that starts across a port goes on in one piece for each other dimension; the
        // model cuts and puts together. Both go as far.
        "distribute-2" => {
            if plan.divides {
                assert_eq!(
                    found.values().sum::<u64>(),
                    due.values().sum::<u64>(),
                    "{what}"
                );
            }
        }
        _ => assert_eq!(found, due, "bits by wire of {what}"),
    }
}

/// What the hardware counts, and the judge of the same program, and the judge of the model's schedule.
///
/// The judge counts whole packets from the beginning of their arrival. The hardware counts the pieces of a
/// packet one by one, so that it holds less or as much, wherever nothing is rounded up.
fn buffers(
    of: &dyn Algorithm,
    ask: &Ask,
    plan: &OperationPlan,
    (due, judged): (&Expected, &Judgement),
    what: &str,
) {
    let (found, judged) = (plan.forwarding_buffer.value, judged.peak_forwarding_bits());
    // Without START nothing tells pieces from packets.
    if !plan.divides || ask.start_up == 0 {
        return;
    }
    let all = format!("{found}, {judged} and {} of {what}", due.peak);
    // PERMUTED SEND of the hardware counts the block that has come to its end by the first exchange, too: in
    // less than three dimensions that is more than it saves.
    assert!(
        found <= judged || of.name() == "permuted-send" && ask.dims() < 3,
        "{all}"
    );
    match of.name() {
        "permuted-send" if !moves_all(ask) => {}
        // On one port the hardware takes the subtrees in turns, so that no node waits with two packets.
        "bst" if ask.ports != PortModel::All => assert!(judged <= due.peak, "{all}"),
        // The hardware leaves out what comes too late for the destination.
        "arbitrary-send-2" => assert!(judged <= due.peak, "{all}"),
        "distribute-2" => {}
        _ => assert_eq!(judged, due.peak, "{all}"),
    }
}
