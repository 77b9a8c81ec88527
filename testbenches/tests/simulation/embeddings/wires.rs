//! Wires: packets that are rebuilt from bits on wires alone are those of the schedule, and a wire has one value at both its ends.

use std::collections::HashMap;

use rtl_model::embedding::phase::Order;
use rtl_model::machine::topology::Tap;
use rtl_model::machine::topology::hypercube::neighbour;

use crate::embeddings::case::{Case, Hardware, all};
use crate::embeddings::patterns::{Messages, drawn};
use crate::embeddings::phase::{Configuration, loaded, run};

/// By bit time, node and dimension, what is on each wire; its other end has the same.
fn on_wires(hardware: &Hardware, messages: &Messages) -> Vec<Vec<bool>> {
    let mut machine = loaded(hardware, &mut Configuration::of(hardware, messages));
    let host = hardware.embedding.host();
    let mut recorded = Vec::new();
    run(&mut *machine, &mut |machine| {
        let mut now = Vec::new();
        for node in 0..host.nodes() {
            for dimension in 0..host.count() {
                let sent = machine.tapped(node, Tap::Driven(dimension));
                let other = neighbour(node, dimension);
                assert_eq!(machine.tapped(other, Tap::Received(dimension)), sent);
                now.push(sent);
            }
        }
        recorded.push(now);
    });
    recorded
}

/// What the wires carry is what the schedule says, in every step on every wire; and nothing else.
fn is_as_scheduled(case: &Case) {
    let hardware = Hardware::of(case);
    let messages = drawn(hardware.embedding.edges(), case.bits, 5);
    let recorded = on_wires(&hardware, &messages);
    let (dims, bits) = (case.dims, hardware.machine.packet_bits());
    let mut told: HashMap<(usize, usize, usize), usize> = HashMap::new();
    for hop in hardware.phase.hops() {
        let at = (
            hop.step as usize,
            hop.from as usize,
            usize::from(hop.dimension),
        );
        assert_eq!(
            told.insert(at, hop.packet as usize),
            None,
            "{case:?} {at:?}"
        );
    }
    let per_step = case.start_up + bits;
    assert_eq!(
        recorded.len(),
        per_step * hardware.phase.steps(),
        "{case:?}"
    );
    for (step, of_step) in recorded.chunks(per_step).enumerate() {
        for wire in 0..dims << dims {
            let at = (step, wire / dims, wire % dims);
            let came: Vec<bool> = of_step.iter().map(|now| now[wire]).collect();
            let packet = told
                .get(&at)
                .map(|packet| hardware.packet(&messages, *packet));
            let mut due = vec![false; case.start_up];
            due.extend(packet.unwrap_or_else(|| vec![false; bits]));
            assert_eq!(came, due, "{case:?}: step, node and dimension {at:?}");
        }
    }
}

#[test]
fn wires_carry_what_the_schedule_says() {
    for case in all(4, 9).into_iter().chain(all(6, 5)) {
        for (order, start_up, packets) in [
            (Order::HopByHop, 0, None),
            (Order::Greedy, 2, None),
            (Order::Greedy, 1, Some(3)),
        ] {
            let case = Case {
                order,
                start_up,
                packets,
                both_ways: start_up == 1,
                ..case.clone()
            };
            is_as_scheduled(&case);
        }
    }
}
