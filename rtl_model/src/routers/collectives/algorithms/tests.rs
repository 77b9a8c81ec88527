use std::collections::BTreeMap;
use std::ops::Range;

use super::*;
use crate::machine::topology::hypercube::Dimensions;
use crate::routers::collectives::algorithms::scattering::tests::packets_are_whole;
use crate::routers::collectives::program::TransferProgram;
use crate::routers::collectives::rehearsal::rehearse;
use crate::routers::collectives::rules::nodes_of;

/// What an ask is in tests.
pub(super) fn ask(dims: usize, message_bits: usize, start_up: usize) -> Ask {
    Ask {
        start_up,
        ..Ask::of(Dimensions::new(dims).unwrap(), message_bits)
    }
}

/// Plans, works through the program and compares bit times and buffer with the closed forms.
pub(super) fn holds(algorithm: &dyn Algorithm, ask: &Ask) -> OperationPlan {
    let plan = algorithm.plan(ask).unwrap();
    let program = &plan.program;
    let rehearsed = rehearse(program, algorithm.operation() == Operation::AllGather);
    let name = algorithm.name();
    assert_eq!(rehearsed.fault, None, "{name} {ask:?}");
    assert_eq!(
        rehearsed.peak as u64, plan.forwarding_buffer.value,
        "{name} {ask:?}"
    );
    assert_eq!(
        program.bit_times as u64, plan.bit_times.value,
        "{name} {ask:?}"
    );
    assert_eq!(
        program.steps.len() as u64,
        plan.routing_steps.value,
        "{name} {ask:?}"
    );
    plan
}

/// Says whether of each message that is loaded anywhere, and of each that arrives, every bit is there once.
pub(super) fn are_whole(program: &TransferProgram, message_bits: usize) {
    for segments in [&program.loads, &program.arrivals] {
        let mut messages: BTreeMap<(usize, usize), Vec<Range<usize>>> = BTreeMap::new();
        for segment in segments {
            for node in nodes_of(program, segment) {
                let parts = messages.entry((node, segment.partner)).or_default();
                parts.push(segment.bit..segment.bit + segment.bits);
            }
        }
        for (of, mut parts) in messages {
            parts.sort_by_key(|part| part.start);
            let whole = parts.iter().try_fold(0, |end, part| {
                (part.start == end && !part.is_empty()).then_some(part.end)
            });
            assert_eq!(whole, Some(message_bits), "node xor partner: {of:?}");
        }
    }
}

#[test]
fn names_are_told_apart() {
    for (number, one) in ALGORITHMS.iter().enumerate() {
        let same = |other: &&dyn Algorithm| {
            (other.operation(), other.name()) == (one.operation(), one.name())
        };
        assert_eq!(
            ALGORITHMS.iter().position(same),
            Some(number),
            "{}",
            one.name()
        );
        assert!(!one.port_models().is_empty());
    }
}

/// What is asked of an operation, besides a size: of nodes, of what there is to add, or of how messages are cut. Not every algorithm
/// takes each.
fn asks(operation: Operation, one: &Ask) -> Vec<Ask> {
    let nodes = one.cube.nodes();
    let cut = |packet_bits| Ask {
        packet_bits,
        ..one.clone()
    };
    let to = |(destination, groups)| Ask {
        destination: Some(destination),
        groups,
        ..one.clone()
    };
    let bins = |bins| Ask {
        bins,
        ..one.clone()
    };
    let permuted = |goes_to: &dyn Fn(usize) -> usize| Ask {
        permutation: Some((0..nodes).map(goes_to).collect()),
        ..one.clone()
    };
    match operation {
        Operation::Scatter | Operation::Gather => [None, Some(1), Some(2)].map(cut).into(),
        Operation::Histogram => [1, 3, nodes, 2 * nodes + 3, one.cube.count() * nodes]
            .map(bins)
            .into(),
        Operation::PermutedSend => vec![
            permuted(&|node| nodes - 1 - node),
            permuted(&|node| (node + 1) % nodes),
            permuted(&|node| node),
            permuted(&|node| if node < 2 { 1 - node } else { node }),
            permuted(&|node| (node ^ node >> 1) * 5 % nodes),
        ],
        Operation::Send => [1, (nodes / 2) | 1, nodes - 1, nodes - 2]
            .into_iter()
            .flat_map(|destination| [None, Some(1), Some(2)].map(|groups| (destination, groups)))
            .map(to)
            .collect(),
        _ => vec![one.clone()],
    }
}

#[test]
fn each_takes_as_long_and_holds_as_much_as_its_closed_forms_say() {
    for &algorithm in ALGORITHMS {
        let mut planned = 0;
        for &ports in algorithm.port_models() {
            for d in 1..=5 {
                for (m, start_up) in [
                    (1, 0),
                    (1, 3),
                    (2, 1),
                    (3, 2),
                    (5, 0),
                    (6, 1),
                    (12, 2),
                    (13, 0),
                ] {
                    let mut one = ask(d, m, start_up);
                    one.ports = ports;
                    for ask in asks(algorithm.operation(), &one) {
                        if algorithm.plan(&ask).is_err() {
                            continue;
                        }
                        planned += 1;
                        let program = holds(algorithm, &ask).program;
                        match algorithm.operation() {
                            Operation::Scatter | Operation::Gather => packets_are_whole(&program),
                            Operation::AllGather
                            | Operation::AllToAll
                            | Operation::Inversion
                            | Operation::PermutedSend => are_whole(&program, m),
                            _ => {}
                        }
                    }
                }
            }
        }
        assert!(planned > 10, "{}", algorithm.name());
    }
}
