//! Lists of sends on the hardware: those that were found by search, those of all algorithms, and such as make no sense.

use std::fs::File;

use hosts::ports::engine::Engine;
use hosts::ports::message::Message;
use hosts::ports::monitor::Sent;
use reference_models::broadcast as reference;
use rtl_model::machine::device::Device;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::PortMachine;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use rtl_model::routers::ports::broadcast::Broadcast;
use rtl_model::routers::ports::sends::Send;
use rtl_model::routers::ports::sends::read::read_sends;

use crate::broadcast::common::{broadcast, each, holds, packets, ports, referred};

/// Start-ups and packets of all kinds: (B, T).
const SIZES: [(usize, usize); 6] = [(1, 0), (1, 3), (2, 0), (3, 1), (70, 2), (128, 0)];

/// Runs a list, whatever it says.
fn run(broadcast: Broadcast, sends: &[Send]) -> Engine {
    let bits = broadcast.packets * broadcast.packet_bits - broadcast.packet_bits / 2;
    let message = Message::drawn(bits, broadcast.packet_bits, 1);
    let mut engine = Engine::listed(broadcast, sends, message).unwrap();
    engine.monitor.list_sends();
    engine.run(|_| Ok::<(), ()>(())).unwrap();
    engine
}

/// Runs a list that makes sense, and holds it to what it says.
fn runs(broadcast: Broadcast, sends: &[Send]) -> Engine {
    let engine = run(broadcast, sends);
    holds(&engine);
    let mut listed: Vec<Sent> = (sends.iter())
        .map(|send| Sent {
            step: send.step,
            from: send.from,
            to: send.to,
            packet: send.packet,
        })
        .collect();
    listed.sort_unstable();
    assert_eq!(engine.monitor.sends(), listed);
    engine
}

/// A list from a cube's node 0, by step, sender, receiver and packet.
fn list(sends: &[[usize; 4]]) -> Vec<Send> {
    let send = |&[step, from, to, packet]: &[usize; 4]| Send {
        step,
        from,
        to,
        packet,
    };
    sends.iter().map(send).collect()
}

/// A list of the reference model.
fn taken_over(sends: &[reference::Send]) -> Vec<Send> {
    let rows = sends.iter();
    let rows: Vec<[usize; 4]> = rows
        .map(|send| [send.step, send.from, send.to, send.packet])
        .collect();
    list(&rows)
}

/// The same as a file.
fn written(sends: &[Send]) -> String {
    let rows = sends.iter().map(|send| {
        let Send {
            step,
            from,
            to,
            packet,
        } = send;
        format!("{step},{from},{to},{packet}\n")
    });
    "step,from,to,packet\n".to_owned() + &rows.collect::<String>()
}

#[test]
fn lists_that_beat_the_bounds_of_ho_and_johnsson() {
    for (file, model, packets, steps, strict) in [
        ("beats_two_way_p2.csv", PortModel::TwoWay, 2, 3, 4),
        ("beats_one_way_p2.csv", PortModel::OneWay, 2, 4, 5),
        ("beats_one_way_p3.csv", PortModel::OneWay, 3, 5, 7),
        ("beats_one_way_p4.csv", PortModel::OneWay, 4, 7, 9),
    ] {
        let path = format!("{}/examples/sends/{file}", env!("CARGO_MANIFEST_DIR"));
        for size in SIZES {
            let trees = broadcast((Algorithm::MultipleTrees, model), 2, 0, packets, size);
            let sends = read_sends(file, File::open(&path).unwrap(), &trees).unwrap();
            let engine = runs(trees, &sends);
            let (packet_bits, start_up) = size;
            let bit_times = steps * (start_up + packet_bits) as u64;
            assert_eq!(engine.machine.bit_time(), bit_times);
            assert_eq!(engine.monitor.steps() as u64, steps);
            // What the paper calls a strict lower bound.
            assert_eq!(trees.routing_steps().value, strict);
        }
    }
}

/// Every schedule of the reference model that sends nothing twice, as a file.
fn schedules(n: usize) {
    let mut number = 0;
    for kind in each() {
        for source in 0..1 << n {
            for packets in packets(kind.0, n, 4) {
                number += 1;
                let size = SIZES[number % 4];
                let broadcast = broadcast(kind, n, source, packets, size);
                let schedule = referred(&broadcast).sends();
                let model = ports(broadcast.ports);
                let is_sound = reference::check(n, source, packets, model, false, &schedule);
                let sends = taken_over(&schedule);
                let read = read_sends("list.csv", written(&sends).as_bytes(), &broadcast);
                assert_eq!(read.is_ok(), is_sound.is_ok(), "{broadcast:?}");
                let Ok(read) = read else { continue };
                let engine = runs(broadcast, &read);
                let steps = engine.broadcast().routing_steps().value;
                assert_eq!(steps, broadcast.routing_steps().value);
            }
        }
    }
}

#[test]
fn schedules_of_all_algorithms_in_one_and_two_dimensions() {
    schedules(1);
    schedules(2);
}

#[test]
fn schedules_of_all_algorithms_in_three_dimensions() {
    schedules(3);
}

#[test]
fn schedules_of_all_algorithms_in_four_dimensions() {
    schedules(4);
}

#[test]
fn in_more_nodes_than_a_host_serves_at_once() {
    for n in [7, 9] {
        for model in PortModel::EACH {
            let trees = broadcast((Algorithm::MultipleTrees, model), n, 77, 3, (2, 1));
            let sends = taken_over(&referred(&trees).sends());
            runs(trees, &sends);
        }
    }
}

/// A schedule with one send changed is refused by both, or by neither.
#[test]
fn the_judge_of_the_reference_model_is_of_one_mind() {
    let n = 3;
    let mut refused = 0;
    for kind in each() {
        for packets in packets(kind.0, n, 4) {
            let broadcast = broadcast(kind, n, 5, packets, (1, 0));
            let schedule = referred(&broadcast).sends();
            for place in 0..schedule.len() {
                for change in 0..12 {
                    let mut changed = schedule.clone();
                    let send = &mut changed[place];
                    match change {
                        0..=3 => send.step = change,
                        4..=6 => send.to = send.from ^ 1 << (change - 4),
                        7..=9 => send.from = send.to ^ 1 << (change - 7),
                        10 => send.packet = (send.packet + 1) % packets,
                        _ => std::mem::swap(&mut send.from, &mut send.to),
                    }
                    let model = ports(broadcast.ports);
                    let judged = reference::check(n, 5, packets, model, false, &changed);
                    let sends = taken_over(&changed);
                    let read = read_sends("list.csv", written(&sends).as_bytes(), &broadcast);
                    assert_eq!(read.is_ok(), judged.is_ok(), "{read:?} {judged:?}");
                    refused += usize::from(read.is_err());
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// Steps in which nothing is sent are run as well.
#[test]
fn empty_steps_take_their_time() {
    for model in PortModel::EACH {
        let sends = list(&[[2, 0, 1, 0], [4, 1, 3, 0], [7, 0, 2, 0]]);
        let broadcast = broadcast((Algorithm::BinomialTree, model), 2, 0, 1, (5, 1));
        let sends = read_sends("list.csv", written(&sends).as_bytes(), &broadcast).unwrap();
        assert_eq!(runs(broadcast, &sends).machine.bit_time(), 8 * 6);
    }
}

/// The arbiters find what the check would have refused.
#[test]
fn a_violation_is_found_by_the_hardware() {
    let two_way = list(&[
        [0, 0, 1, 0],
        [1, 0, 2, 1],
        [1, 1, 3, 0],
        [2, 0, 1, 1],
        [2, 2, 3, 1],
        [2, 3, 2, 0],
    ]);
    let all = list(&[[0, 0, 1, 0], [1, 0, 2, 0], [3, 1, 3, 0], [3, 2, 3, 1]]);
    for (model, sends, step, node, sending, receiving) in [
        (PortModel::OneWay, &two_way, 2, 2, vec![0], vec![0]),
        (PortModel::TwoWay, &all, 3, 3, vec![], vec![0, 1]),
        (PortModel::OneWay, &all, 3, 3, vec![], vec![0, 1]),
    ] {
        for size in SIZES {
            let broadcast = broadcast((Algorithm::BinomialTree, model), 2, 0, 2, size);
            let engine = run(broadcast, sends);
            let violation = engine.monitor.violation().unwrap();
            assert_eq!(violation.node, node);
            assert_eq!(violation.sending, sending);
            assert_eq!(violation.receiving, receiving);
            let (packet_bits, start_up) = size;
            let bit_time = (step * (start_up + packet_bits)) as u64;
            assert_eq!(violation.bit_time, bit_time);
            assert_eq!(violation.what, model.allows());
        }
    }
}

/// A node sends whatever lies in its memory.
#[test]
fn what_a_node_does_not_have_it_does_not_send() {
    for model in PortModel::EACH {
        // Node 1 sends packet 0 in step 0, in which it gets it at the earliest.
        let too_early = list(&[[0, 1, 3, 0], [1, 0, 1, 0], [2, 0, 2, 0]]);
        let broadcast = broadcast((Algorithm::BinomialTree, model), 2, 0, 1, (64, 1));
        let read = read_sends("list.csv", written(&too_early).as_bytes(), &broadcast);
        assert!(read.is_err());
        let engine = run(broadcast, &too_early);
        assert_eq!(engine.monitor.violation(), None);
        let complete = [0, 1, 2, 3].map(|node| engine.hosts.is_complete(node));
        assert_eq!(complete, [true, true, true, false]);
        assert!(engine.hosts.message_at(3).not_any());
    }
}

/// A node that sends a packet in the step in which it comes sends what was in its place before.
#[test]
fn what_comes_cannot_be_sent_in_the_same_step() {
    let at_once = list(&[[0, 0, 1, 0], [0, 1, 3, 0], [1, 0, 2, 0]]);
    let broadcast = broadcast((Algorithm::BinomialTree, PortModel::All), 2, 0, 1, (64, 0));
    let engine = run(broadcast, &at_once);
    assert!(engine.hosts.is_complete(1) && !engine.hosts.is_complete(3));
    assert!(engine.hosts.message_at(3).not_any());
}

#[test]
fn storage_is_its_closed_form() {
    for model in PortModel::EACH {
        for n in 1..=4 {
            for (packets, packet_bits, steps) in [(1, 1, 1), (2, 5, 3), (4, 1, 7), (3, 70, 2)] {
                let kind = (Algorithm::Listed { steps }, model);
                let broadcast = broadcast(kind, n, 0, packets, (packet_bits, 1));
                let machine = PortMachine::new(broadcast).unwrap();
                let channels = if model == PortModel::All { n } else { 1 };
                let expected = packets * packet_bits + 2 * n * packets * steps;
                let expected = expected + 2 * n + 3 * channels;
                let device: &dyn Device = &machine;
                assert_eq!(device.storage().total, expected);
                assert_eq!(device.storage_bits().value, expected as u64);
                assert!(broadcast.forwarding_buffer().is_none());
            }
        }
    }
}

/// Machines of different lists are different, and of equal lists equal.
#[test]
fn the_list_is_part_of_a_machine() {
    let of = |sends: &[[usize; 4]]| {
        let broadcast = Broadcast {
            cube: Dimensions::new(1).unwrap(),
            algorithm: Algorithm::BinomialTree,
            ports: PortModel::OneWay,
            source: 0,
            packets: 2,
            packet_bits: 1,
            start_up: 0,
        };
        PortMachine::listed(broadcast, &list(sends)).unwrap()
    };
    let machine = of(&[[0, 0, 1, 0], [1, 0, 1, 1]]);
    assert_eq!(machine, of(&[[0, 0, 1, 0], [1, 0, 1, 1]]));
    assert_ne!(machine, of(&[[0, 0, 1, 1], [1, 0, 1, 0]]));
}
