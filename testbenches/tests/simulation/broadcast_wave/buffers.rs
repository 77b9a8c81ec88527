//! What is said of packet buffers: what lies in them, bit by bit, and that it is all there is to be sent on.

use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};

use crate::broadcast_wave::dumped::Dumped;
use crate::broadcast_wave::port;

/// Where a packet is said to be held, the register has its bits in the first bit time of the step; nothing changes within a step.
pub fn hold_what_is_said(dumped: &Dumped) {
    let case = &dumped.case;
    let contents = case.contents();
    for node in 0..case.nodes() {
        let texts = dumped.paths_in(node, ".holds");
        let registers = dumped.paths_in(node, ".held");
        let modules = |paths: &[&str]| -> Vec<String> {
            let modules = paths.iter().map(|path| path.rsplit_once('.').unwrap().0);
            modules.map(str::to_owned).collect()
        };
        assert_eq!(modules(&texts), modules(&registers));
        assert!(!texts.is_empty());
        for (text, register) in texts.iter().zip(registers) {
            let (text, register) = (
                format!("node_{node}.{text}"),
                format!("node_{node}.{register}"),
            );
            let (says, held) = (dumped.of(&text), dumped.of(&register));
            for step in 0..dumped.steps() {
                let begin = step * case.step();
                let within = &says[begin..begin + case.step()];
                assert!(within.iter().all(|text| *text == within[0]), "{within:?}");
                if let Some(packet) = case.packet(&says[begin]) {
                    // The first bit is the next one out, which a dump has last.
                    let bits: String = held[begin].chars().rev().collect();
                    assert_eq!(bits, contents[packet], "{case:?} {register} step {step}");
                }
            }
            assert_eq!(says[dumped.steps() * case.step()], "");
        }
    }
}

/// The packets that a node holds in a step.
fn held(dumped: &Dumped, node: usize, step: usize) -> Vec<usize> {
    let begin = step * dumped.case.step();
    let texts = dumped.paths_in(node, ".holds");
    let texts = texts.iter().map(|text| format!("node_{node}.{text}"));
    texts
        .filter_map(|text| dumped.named(&text, begin))
        .collect()
}

fn crossing(dumped: &Dumped, node: usize, step: usize, what: &str) -> Vec<usize> {
    let begin = step * dumped.case.step();
    let ports = 0..dumped.case.n;
    ports
        .filter_map(|at| dumped.named(&port(node, at, what), begin))
        .collect()
}

/// A node sends only what it holds. What it holds, and what is coming to it to be held, are the bits that the simulator counts.
pub fn hold_what_is_sent_and_what_is_counted(dumped: &Dumped) {
    let case = &dumped.case;
    // A phase may have two halves: what comes in the first one is held after the second.
    let has_halves = case.algorithm == Algorithm::MultipleTrees && case.ports == PortModel::OneWay;
    for node in 0..case.nodes() {
        let steps: Vec<Vec<usize>> = (0..dumped.steps())
            .map(|step| held(dumped, node, step))
            .collect();
        let mut in_flight = vec![0; steps.len()];
        for step in 0..steps.len() {
            if node != case.source {
                for packet in crossing(dumped, node, step, "sends") {
                    let holds = &steps[step];
                    assert!(holds.contains(&packet), "{case:?} {node} {step} {packet}");
                }
            }
            for packet in crossing(dumped, node, step, "receives") {
                let is_held =
                    |later: usize| steps.get(later).is_some_and(|at| at.contains(&packet));
                if is_held(step + 1) {
                    in_flight[step] += 1;
                } else if has_halves && is_held(step + 2) {
                    in_flight[step] += 1;
                    in_flight[step + 1] += 1;
                }
            }
        }
        let occupied = dumped.of(&format!("node_{node}.occupied_bits"));
        for (step, holds) in steps.iter().enumerate() {
            // It is counted from the second bit time of a step to the first of the next.
            for bit_time in step * case.step() + 1..=(step + 1) * case.step() {
                let occupied = usize::from_str_radix(&occupied[bit_time], 2).unwrap();
                let expected = (holds.len() + in_flight[step]) * case.bits.0;
                assert_eq!(occupied, expected, "{case:?} node {node} step {step}");
            }
        }
    }
}
