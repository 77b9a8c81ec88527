use std::collections::BTreeMap;
use std::ops::Range;

use super::*;
use crate::routers::collectives::rehearsal::rehearse;
use crate::routers::collectives::rules::nodes_of;

/// What an ask is in tests.
pub(super) fn ask(dims: usize, message_bits: usize, start_up: usize) -> Ask {
    Ask {
        cube: Dimensions::new(dims).unwrap(),
        source: 0,
        destination: None,
        permutation: None,
        message_bits,
        bins: 0,
        packet_bits: None,
        groups: None,
        start_up,
        ports: PortModel::All,
    }
}

/// Plans, works through the program and compares bit times and buffer with the closed forms.
pub(super) fn holds(algorithm: &dyn Algorithm, ask: &Ask) -> Plan {
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
pub(super) fn are_whole(program: &Program, message_bits: usize) {
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
