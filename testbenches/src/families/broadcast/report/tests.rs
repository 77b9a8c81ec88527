//! Every check can fail, and says why.

use hosts::ports::message::Message;
use hosts::tamper::Tampering;
use rtl_model::error::Error as ModelError;
use rtl_model::machine::simulation::Simulation;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::ports::algorithm::PortModel;
use rtl_model::routers::ports::sends::Send;

use super::*;

fn broadcast() -> Broadcast {
    Broadcast {
        cube: Dimensions::new(2).unwrap(),
        algorithm: Algorithm::MultipleTrees,
        ports: PortModel::TwoWay,
        source: 0,
        packets: 3,
        packet_bits: 4,
        start_up: 1,
    }
}

fn engine() -> Engine {
    Engine::new(broadcast(), Message::drawn(11, 4, 7)).unwrap()
}

/// The checks that fail, and what they say.
fn failed(engine: &Engine) -> Vec<String> {
    let checks = checks(engine);
    let failed = checks.iter().filter(|check| !check.passed);
    failed
        .map(|check| format!("{}: {}", check.name, check.detail))
        .collect()
}

fn ran(mut engine: Engine) -> Engine {
    engine.run(|_| Ok::<(), ()>(())).unwrap();
    engine
}

#[test]
fn a_run_in_which_nothing_is_wrong_passes() {
    let engine = ran(engine());
    assert_eq!(failed(&engine), [""; 0]);
    assert_eq!(checks(&engine).len(), 8);
}

#[test]
fn figures_that_are_not_their_closed_forms_fail() {
    let mut engine = ran(engine());
    engine.peak_bits += 1;
    assert_eq!(
        failed(&engine),
        ["forwarding: 9 bits measured, min(P, 2)B = 8"]
    );
    engine.peak_bits -= 1;
    engine.machine.clock();
    assert_eq!(
        failed(&engine),
        ["bit times: 26 measured, (P + n)(T + B) = 25"]
    );
}

/// A run that is broken off.
fn until(bit_time: u64) -> Engine {
    let mut engine = engine();
    let ended = engine.run(|engine| match engine.machine.bit_time() == bit_time {
        true => Err(()),
        false => Ok(()),
    });
    assert!(ended.is_err());
    engine
}

#[test]
fn a_run_that_ends_early_fails() {
    let engine = until(19);
    assert_eq!(
        failed(&engine),
        [
            "message: 0 of 3 nodes have the message, every bit once",
            "routing steps: 4 measured, P + n = 5",
            "bit times: 19 measured, (P + n)(T + B) = 25",
        ]
    );
    // In the last step only one node still lacks a packet.
    assert_eq!(
        failed(&until(21)),
        [
            "message: 2 of 3 nodes have the message, every bit once",
            "bit times: 21 measured, (P + n)(T + B) = 25",
        ]
    );
}

#[test]
fn one_bit_of_one_node_that_is_wrong_fails() {
    let mut engine = engine();
    // In the last step what is of tree 0 goes to nodes 0's neighbours across dimension 0 whose bit 0 is 0.
    let flip = |machine: &mut dyn Simulation| {
        if machine.bit_time() == 22 {
            let bit = machine.driven_word(0, 0) >> 3 & 1 == 1;
            machine.force_wire(3, 0, !bit);
        }
    };
    let mut flipping = Tampering {
        registers: |_: &mut dyn Simulation| (),
        wires: flip,
    };
    engine
        .run_with(&mut flipping, |_| Ok::<(), ()>(()))
        .unwrap();
    assert_eq!(
        failed(&engine),
        [
            "message: 2 of 3 nodes have the message, every bit once; node 2 got packet 2 with bits that were not sent"
        ]
    );
}

#[test]
fn two_drivers_on_a_wire_fail() {
    let mut engine = ran(engine());
    engine.conflict = Some(ModelError::BrokenOff);
    assert_eq!(
        failed(&engine),
        [format!("one bit a wire: {}", ModelError::BrokenOff)]
    );
}

#[test]
fn more_busy_ports_than_may_be_fail() {
    let send = |step, from, to| Send {
        step,
        from,
        to,
        packet: 0,
    };
    let list = [
        send(0, 0, 1),
        send(1, 0, 2),
        send(1, 1, 3),
        send(2, 1, 3),
        send(2, 1, 0),
    ];
    let broadcast = Broadcast {
        packets: 1,
        ..broadcast()
    };
    let engine = Engine::listed(broadcast, &list, Message::drawn(4, 4, 7)).unwrap();
    let failed = failed(&ran(engine));
    let ports = "ports: bit time 10: node 1 sends on ports 0, 1 and receives on ports none: a node sends on one port and \
                 receives on one at a time";
    assert!(failed.iter().any(|check| check == ports), "{failed:#?}");
}
