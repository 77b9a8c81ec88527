//! Faults. A wire that is stuck is noticed exactly if some packet that crosses it has another bit, and a register that flips before
//! the first bit time does exactly what such a configuration does, cell by cell.

use std::collections::BTreeMap;

use rtl_model::embedding::phase::Order;
use rtl_model::machine::host::Field;
use rtl_model::routers::phase::CELLS;

use crate::embeddings::case::{Case, Hardware};
use crate::embeddings::cells::carried_out;
use crate::embeddings::patterns::{Messages, drawn, structured};
use crate::embeddings::phase::{Configuration, all_cells, arrived, loaded, run};

/// Different guests, orders, packets, and one whose last packet has padding.
fn small() -> Vec<Case> {
    vec![
        Case::new("gray-cycle", 2, 3),
        Case {
            order: Order::Greedy,
            packets: Some(2),
            start_up: 1,
            ..Case::new("cycle", 3, 3)
        },
        Case {
            both_ways: true,
            ..Case::new("cycles", 3, 2)
        },
        Case::new("double-cycle", 4, 5),
        Case {
            order: Order::Greedy,
            start_up: 2,
            ..Case::new("butterfly-copies", 3, 2)
        },
    ]
}

fn messages(hardware: &Hardware) -> Vec<Messages> {
    let edges = hardware.embedding.edges();
    let drawn = drawn(edges, hardware.bits, 11);
    let mut all = structured(edges, hardware.bits);
    all.truncate(3);
    all.push(drawn);
    all
}

#[test]
fn a_stuck_wire_is_noticed_if_a_packet_has_another_bit() {
    let (mut noticed, mut unnoticed) = (0, 0);
    for case in small() {
        let hardware = Hardware::of(&case);
        for messages in messages(&hardware) {
            for node in 0..1 << case.dims {
                for wire in 0..case.dims {
                    for value in [false, true] {
                        let mut machine =
                            loaded(&hardware, &mut Configuration::of(&hardware, &messages));
                        run(&mut *machine, &mut |machine| {
                            machine.force_wire(node, wire, value);
                        });
                        let crossing = hardware.phase.hops().iter().filter(|hop| {
                            (hop.from as usize, usize::from(hop.dimension)) == (node, wire)
                        });
                        let mut bits = crossing
                            .flat_map(|hop| hardware.packet(&messages, hop.packet as usize));
                        let is_due = bits.any(|bit| bit != value);
                        let came = arrived(&hardware, &all_cells(&*machine));
                        let is_noticed = came != (messages.clone(), 0);
                        assert_eq!(is_noticed, is_due, "{case:?}: {node} {wire} at {value}");
                        *if is_noticed {
                            &mut noticed
                        } else {
                            &mut unnoticed
                        } += 1;
                    }
                }
            }
        }
    }
    assert!(noticed > 100 && unnoticed > 100, "{noticed} {unnoticed}");
}

/// Where the host writes the register that is so far behind the first one of its field. Registers of an order come bit by bit and then
/// step by step; the host writes them step by step.
fn place(hardware: &Hardware, field: Field, number: usize) -> usize {
    let plan = hardware.machine.plan();
    let (steps, bits) = (plan.steps(), plan.code_bits());
    match field {
        CELLS => number,
        _ => {
            let (port, bit, step) = (number / steps / bits, number / steps % bits, number % steps);
            (port * steps + step) * bits + bit
        }
    }
}

/// Each register bit of each node, flipped after loading: the hardware ends with the cells that such a configuration ends with, and
/// the verdict is that of these cells.
#[test]
fn a_flip_before_the_first_bit_time_is_noticed_or_idle() {
    for case in small() {
        let hardware = Hardware::of(&case);
        let messages = messages(&hardware).pop().unwrap();
        let right = Configuration::of(&hardware, &messages);
        let mut idle: BTreeMap<&str, usize> = BTreeMap::new();
        let mut noticed: BTreeMap<&str, usize> = BTreeMap::new();
        for node in 0..1 << case.dims {
            let mut at: BTreeMap<&str, usize> = BTreeMap::new();
            let fields = loaded(&hardware, &mut right.clone()).host_writes(node);
            for (number, (field, _)) in fields.into_iter().enumerate() {
                let before = at.entry(field.0).or_default();
                let bit = place(&hardware, field, *before);
                *before += 1;
                let mut flipped = right.clone();
                flipped.field(field, node)[bit] ^= true;
                let mut machine = loaded(&hardware, &mut right.clone());
                machine.flip_register(node, number);
                run(&mut *machine, &mut |_| ());
                let cells = all_cells(&*machine);
                let what = format!("{case:?}: {} {number} of node {node}", field.0);
                assert_eq!(cells, carried_out(&hardware, &flipped), "{what}");
                let is_noticed = arrived(&hardware, &cells) != (messages.clone(), 0);
                *if is_noticed { &mut noticed } else { &mut idle }
                    .entry(field.0)
                    .or_default() += 1;
                // A bit of a packet that has a way is a bit of a message, or of the zeros behind it.
                let packet_bits = hardware.machine.packet_bits();
                let holds = |packet: usize| {
                    let plan = hardware.machine.plan();
                    (plan.source(packet), plan.begins(packet)) == (node, bit / packet_bits)
                };
                if field == CELLS && (0..hardware.packets()).any(holds) {
                    assert!(is_noticed, "{what}");
                }
            }
        }
        for field in ["sends", "receives", "cells"] {
            assert!(noticed.get(field) > Some(&0), "{case:?}: {noticed:?}");
        }
        // What fills a cell that nothing lies in, or leaves for nobody, changes nothing.
        assert!(idle.get("sends") > Some(&0), "{case:?}: {idle:?}");
    }
}

/// The cell model itself: of a configuration as planned it makes what has to arrive.
#[test]
fn what_is_planned_carries_messages_cell_by_cell() {
    for case in small() {
        let hardware = Hardware::of(&case);
        for messages in messages(&hardware) {
            let cells = carried_out(&hardware, &Configuration::of(&hardware, &messages));
            assert_eq!(arrived(&hardware, &cells), (messages, 0), "{case:?}");
        }
    }
}
