//! What the meters notice, and what wires do that fail.

mod faults;
mod pauses;

use rtl_model::machine::arrivals;
use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::routers::kuszmaul::plain::PLAIN;
use rtl_model::traffic::{Message, Traffic};

use super::*;

fn traffic(pairs: &[(usize, usize)]) -> Traffic {
    let sent = pairs.iter().map(|&(source, destination)| Message {
        source,
        destination,
    });
    let cube = Dimensions::new(3).unwrap();
    Traffic::new(cube, 2, sent.collect(), 1).unwrap()
}

/// A machine of 8 nodes with messages of 2 payload bits.
fn machine(pairs: &[(usize, usize)]) -> Box<dyn Lockstep> {
    let device = PLAIN.device(Dimensions::new(3).unwrap(), 2).unwrap();
    let mut machine = device.build(1).unwrap();
    arrivals::load(&mut *machine, &[traffic(pairs)]).unwrap();
    machine
}

/// What is found of 3 messages with 2 payload bits in 8 nodes, where so many were meant to be loaded: by ticks, and by a
/// program.
fn found(messages: u64) -> [Option<String>; 2] {
    let mut machines = [(); 2].map(|()| machine(&[(0, 5), (3, 0), (6, 6)]));
    let device = machines[0].device().another();
    let live_bits = |after| Some(messages * u64::from(device.live_bits_per_message(after)?));
    let held_to = Run::held_to(&live_bits);
    let [ticked, advanced] = &mut machines;
    let ticked = run(&mut **ticked, held_to, |_| Ok::<(), ()>(())).unwrap();
    let advanced = advance(&mut **advanced, held_to).unwrap();
    [ticked.not_conserved, advanced.not_conserved]
}

#[test]
fn bits_that_are_missing_are_noticed_and_bits_that_are_doubled_too() {
    assert_eq!(found(3), [None, None]);
    let said = |expected| {
        let text = format!("after bit time 0 15 message bits are live in place of {expected}");
        [Some(text.clone()), Some(text)]
    };
    assert_eq!(found(4), said(20));
    assert_eq!(found(2), said(10));
}

/// Not only as loaded: a message that comes to be in the middle of a run.
#[test]
fn a_message_that_is_doubled_on_its_way_is_noticed_in_that_bit_time() {
    let mut machine = machine(&[(1, 1)]);
    for _ in 0..20 {
        machine.tick().unwrap();
    }
    // Node 2 takes over all that node 1 has.
    let mut bits = Vec::new();
    machine.append_registers(1, &mut bits);
    machine.change_registers(2, &mut |number, bit| bit | bits[number]);
    let device = machine.device().another();
    let live_bits = |after| Some(u64::from(device.live_bits_per_message(after)?));
    let after = Some(machine.position());
    let occupancy = machine.occupancy(after);
    let mut measurement = Measurement::before(&*device);
    let when = (after, machine.bit_time());
    measurement.note(when, occupancy, Run::held_to(&live_bits));
    let said = measurement.not_conserved.unwrap();
    assert!(said.starts_with("after bit time 20 "), "{said}");
}
