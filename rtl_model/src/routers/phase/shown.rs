//! What a waveform shows of a phase beside wires and registers: how many packets move, whose packet each port of a node sends and
//! receives, and packets in the order of their bits.
//!
//! ```text
//!   way              1_of_3:12_packets                  | 2_of_3:8_packets
//!   port_0_sends     e0_p3                              |      told: the packet of edge 0 that takes path 3
//!   port_0_sends     2    (cell 1)                      | 0    (nothing)
//!   port_0_receives  1    (to cell 0)                   | 2
//!   cell_0           5A   5A   52   12   10   ... 3C    | 3C   the packet that comes takes the place of the one that was there
//! ```

use crate::language::bit::Bit;
use crate::machine::shown::{Counted, Digits, Number, Shown, Text, Told};
use crate::machine::topology::hypercube::neighbour;
use crate::routers::phase::node::PhaseNode;
use crate::routers::phase::plan::PhasePlan;

/// Steps of the schedule that a view of a waveform opens on at most: so many names can be read beside each other, however many bits
/// packets have.
pub(super) const FIRST_SCREEN_STEPS: usize = 8;

/// Which step it is, counted from 1, and how many packets cross a wire in it.
pub(super) fn way(plan: &PhasePlan, step: usize) -> String {
    let (number, packets) = (step + 1, plan.crossing(step));
    let s = if packets == 1 { "" } else { "s" };
    format!("{number}_of_{}:{packets}_packet{s}", plan.steps())
}

/// Appends the name of the packet that a port of a node sends or receives in a step, if there is one: (node, number of the text).
pub(super) fn told(
    plan: &PhasePlan,
    (node, number): (usize, usize),
    step: usize,
    text: &mut String,
) {
    let port = number / Told::OF_A_PORT.len();
    let sender = match number % Told::OF_A_PORT.len() {
        0 => node,
        _ => neighbour(node, port),
    };
    if let Some(packet) = plan.crosses(sender, port, step) {
        plan.append_name(packet, text);
    }
}

/// What there is to be shown, where packets have so many bits.
pub(super) fn shown(plan: &PhasePlan, packet_bits: usize) -> Shown {
    let ways = (0..plan.steps()).map(|step| way(plan, step).len());
    let number = |name: String, width| Number {
        name,
        width,
        digits: Digits::Hexadecimal,
    };
    let told = Told::of_ports(plan.host().count(), plan.longest_name());
    let ports = (told.iter()).map(|told| number(told.name.clone(), plan.code_bits()));
    let cells = (0..plan.cells()).map(|cell| number(format!("cell_{cell}"), packet_bits));
    Shown {
        texts: vec![Text {
            name: "way",
            longest: ways.max().unwrap_or(0),
        }],
        numbers: ports.chain(cells).collect(),
        told,
        occupancy: Counted::Nothing,
    }
}

/// The bits of all numbers of a node, whose cells have shifted so far.
pub(super) fn numbers<B: Bit>(node: &PhaseNode<B>, shifted: usize, bit: &mut dyn FnMut(B)) {
    for port in 0..node.sends().ports() {
        for codes in [node.sends(), node.receives()] {
            codes.code(port).for_each(&mut *bit);
        }
    }
    for cell in node.cells() {
        let width = cell.width();
        for place in 0..width {
            bit(cell.bit((place + width - shifted % width) % width));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::embedding::paths::Embedding;
    use crate::embedding::phase::{Order, Phase};
    use crate::machine::device::Device;
    use crate::machine::host::Field;
    use crate::machine::topology::hypercube::Dimensions;
    use crate::routers::phase::{CELLS, PhaseMachine};

    /// Two packets from node 0 to node 1, and two from node 2 that come via node 0.
    fn machine() -> PhaseMachine {
        let mut embedding = Embedding::new(Dimensions::new(2).unwrap(), vec![0, 1, 2]);
        embedding.add_edge([0, 1], [vec![0u8]]);
        embedding.add_edge([2, 1], [vec![1, 0]]);
        let embedding = embedding.with_packets(2);
        let phase = Phase::of(&embedding, Order::HopByHop);
        PhaseMachine::new(Arc::new(PhasePlan::of(&embedding, &phase)), 4, 1).unwrap()
    }

    #[test]
    fn a_step_says_how_many_packets_cross() {
        let machine = machine();
        let told: Vec<String> = (0..4).map(|step| way(machine.plan(), step)).collect();
        let due = [
            "1_of_4:2_packets",
            "2_of_4:2_packets",
            "3_of_4:1_packet",
            "4_of_4:1_packet",
        ];
        assert_eq!(told, due);
        let shown = Device::shown(&machine);
        assert_eq!(shown.texts[0].longest, due[0].len());
        assert_eq!(shown.occupancy, Counted::Nothing);
        let names: Vec<&str> = shown.numbers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(
            names[..5],
            [
                "port_0_sends",
                "port_0_receives",
                "port_1_sends",
                "port_1_receives",
                "cell_0"
            ]
        );
        assert_eq!(names.len(), 4 + machine.plan().cells());
    }

    /// What each port is told to send and to receive, in every step.
    #[test]
    fn a_port_says_whose_packet_crosses_it() {
        let machine = machine();
        let names: Vec<String> = (Device::shown(&machine).told.iter())
            .map(|told| format!("{} {}", told.name, told.longest))
            .collect();
        let due = [
            "port_0_sends 7",
            "port_0_receives 7",
            "port_1_sends 7",
            "port_1_receives 7",
        ];
        assert_eq!(names, due);
        let said = |node, step| {
            let each = (0..4).map(|number| {
                let mut text = String::new();
                told(machine.plan(), (node, number), step, &mut text);
                text
            });
            each.collect::<Vec<_>>().join(" ")
        };
        // Node 0 sends its own across dimension 0, and then what comes from node 2 across dimension 1.
        let of_node_0 = [0, 1, 2, 3].map(|step| said(0, step));
        assert_eq!(
            of_node_0,
            [
                "e0_p0_0   e1_p0_0",
                "e0_p0_1   e1_p0_1",
                "e1_p0_0   ",
                "e1_p0_1   "
            ]
        );
        assert_eq!(
            [0, 1, 2, 3].map(|step| said(1, step)),
            [" e0_p0_0  ", " e0_p0_1  ", " e1_p0_0  ", " e1_p0_1  "]
        );
        assert_eq!(
            [0, 1, 2].map(|step| said(2, step)),
            ["  e1_p0_0 ", "  e1_p0_1 ", "   "]
        );
        assert_eq!([0, 1, 2, 3].map(|step| said(3, step)), ["   "; 4]);

        // A machine that runs says the same, and nothing once it is done.
        let mut run = machine.build(2).unwrap();
        let mut text = String::new();
        let bit_times = 4 + 1;
        for bit_time in 0..4 * bit_times {
            for (node, number) in (0..8).flat_map(|node| (0..4).map(move |number| (node, number))) {
                text.clear();
                run.append_told(node, number, &mut text);
                let mut due = String::new();
                told(
                    machine.plan(),
                    (node % 4, number),
                    bit_time / bit_times,
                    &mut due,
                );
                assert_eq!(text, due);
            }
            run.tick().unwrap();
        }
        text.clear();
        (0..4).for_each(|number| run.append_told(0, number, &mut text));
        assert!(run.is_done() && text.is_empty());
    }

    /// A packet that goes round reads the same in every bit time, however far it has turned.
    #[test]
    fn packets_are_shown_in_the_order_of_their_bits() {
        let machine = machine();
        let plan = machine.plan();
        let mut run = machine.build(1).unwrap();
        let node = 0;
        let bits = run.host_writes(node).into_iter();
        let mut values = Vec::new();
        let mut at: std::collections::HashMap<Field, usize> = Default::default();
        for (field, _) in bits {
            let bit = at.entry(field).or_default();
            values.push(match field {
                // Both cells hold 0xb; nobody sends to this node, and it sends nothing.
                CELLS => 0xb >> (*bit % 4) & 1 == 1,
                _ => false,
            });
            *bit += 1;
        }
        // Registers are listed in the order in which the host writes them.
        let mut number = 0;
        run.change_registers(node, &mut |_, _| {
            number += 1;
            values[number - 1]
        });
        assert_eq!(number, values.len());
        while !run.is_done() {
            let mut shown = Vec::new();
            run.append_numbers(node, &mut shown);
            let codes = 4 * plan.code_bits();
            assert!(shown[..codes].iter().all(|bit| !bit));
            let cells: Vec<bool> = (0..4 * plan.cells())
                .map(|bit| 0xb >> (bit % 4) & 1 == 1)
                .collect();
            assert_eq!(shown[codes..], cells);
            run.tick().unwrap();
        }
    }
}
