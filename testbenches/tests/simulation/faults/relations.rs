//! Faults in machines with several messages a node: every register bit of every node flipped, in every bit time, and every wire stuck.
//!
//! How it is decided that a fault has no effect: all that a processor reads is compared bit by bit with what was sent, beside the
//! scoreboard, which has to object exactly where there is a difference. For the registers that the host writes and reads it is known
//! beforehand which flips have one: before bit time 0 those in bits of a message, and not those in slots without one; after the
//! last bit time those in valid bits and in payloads that came, and no others.

use rayon::prelude::*;
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::fabric::How;
use rtl_model::machine::host::Field;
use rtl_model::traffic::Traffic;
use testbenches::lockstep::simulation::{self, Run};

use super::runs::{machines, runs};
use super::several::{Fault, Machine};

#[test]
fn every_stuck_wire_is_noticed_with_some_messages() {
    every_stuck_wire_is_noticed(of_dimensions(2));
}

#[test]
#[ignore = "long: of 8 nodes"]
fn every_stuck_wire_of_larger_machines_is_noticed_with_some_messages() {
    every_stuck_wire_is_noticed(of_dimensions(3));
}

fn of_dimensions(k: usize) -> Vec<Machine> {
    let all = machines().into_iter();
    all.filter(|machine| machine.k == k).collect()
}

fn every_stuck_wire_is_noticed(machines: Vec<Machine>) {
    machines.par_iter().for_each(|machine| {
        let wires = machine.device.topology().links();
        let nodes = 0..machine.nodes();
        let faults: Vec<Fault> = nodes
            .flat_map(|node| (0..wires).map(move |wire| (node, wire)))
            .flat_map(|(node, wire)| [false, true].map(|value| Fault::Stuck { node, wire, value }))
            .collect();
        let mut noticed = vec![false; faults.len()];
        for slots in runs(machine, 48) {
            for (noticed, now) in noticed.iter_mut().zip(machine.noticed(&slots, &faults)) {
                *noticed |= now;
            }
        }
        let unnoticed: Vec<&Fault> = faults
            .iter()
            .zip(&noticed)
            .filter(|(_, noticed)| !**noticed)
            .map(|(fault, _)| fault)
            .collect();
        assert!(
            unnoticed.is_empty(),
            "{} k={}: {unnoticed:?}",
            machine.name,
            machine.k
        );
    });
}

/// What the host has to do with a register bit of a node.
fn field_of(
    machine: &Machine,
    slots: &[Traffic],
    number: usize,
    writes: bool,
) -> Option<(Field, usize)> {
    let mut fabric = machine.loaded(slots, 1);
    if !writes {
        fabric.advance(u64::MAX, &How::default()).unwrap();
    }
    let mut bits = |flip: bool| {
        if flip {
            fabric.flip_register(0, number);
        }
        match writes {
            true => fabric.host_writes(0),
            false => fabric.host_reads(0),
        }
    };
    let (before, after) = (bits(false), bits(true));
    let place = before
        .iter()
        .zip(&after)
        .position(|(before, after)| before.1 != after.1)?;
    let field = before[place].0;
    let first = before
        .iter()
        .position(|(other, _)| *other == field)
        .unwrap();
    Some((field, place - first))
}

/// The slot of a bit of a field.
fn slot_of(machine: &Machine, (field, bit): (Field, usize)) -> usize {
    match field {
        Field::VALID => bit,
        Field::DESTINATION => bit / machine.k,
        _ => bit / machine.payload_bits,
    }
}

/// The meters object when they look on: message bits are lost or doubled in some bit time.
fn meters_object(
    machine: &Machine,
    slots: &[Traffic],
    (node, number): (usize, usize),
) -> Option<String> {
    let mut fabric = machine.loaded(slots, 1);
    fabric.flip_register(node, number);
    let live_bits = |after| {
        let slots = slots.iter().enumerate();
        let mut bits = slots.map(|(slot, traffic)| {
            let of_each = machine.device.live_bits_of_slot(after, slot)?;
            Some(traffic.messages().len() as u64 * u64::from(of_each))
        });
        bits.try_fold(0, |sum, bits| Some(sum + bits?))
    };
    let run = simulation::run(&mut *fabric, Run::held_to(&live_bits), |_| Ok::<(), ()>(()));
    let measured = run.unwrap();
    assert_eq!(measured.bit_times, machine.device.bit_times().value);
    assert!(measured.conflict.is_none());
    measured.not_conserved
}

/// A flip, whether it is noticed, and what is known of it beforehand.
fn is_as_foretold(
    machine: &Machine,
    slots: &[Traffic],
    fields: &[Vec<Option<(Field, usize)>>; 2],
    fault: Fault,
    noticed: bool,
) {
    let Fault::Flip { node, number, when } = fault else {
        return;
    };
    let what = || format!("{} k={}: {fault:?}, {slots:?}", machine.name, machine.k);
    if when == 0 {
        let Some(field) = fields[0][number] else {
            return;
        };
        let is_there = slots[slot_of(machine, field)].index_from(node).is_some();
        match field {
            // One more, of zeros, for node 0: it may be merged with the one that is due there, which bits that are live twice tell.
            (Field::VALID, _) => assert!(
                noticed || meters_object(machine, slots, (node, number)).is_some(),
                "{}",
                what()
            ),
            _ => assert_eq!(noticed, is_there, "{}", what()),
        }
    } else if when == machine.device.bit_times().value {
        let field = fields[1][number];
        let is_for_node = |slot: usize| {
            let messages = slots[slot].messages();
            messages.iter().any(|message| message.destination == node)
        };
        let is_read = match field {
            None => false,
            Some((Field::VALID, _)) => true,
            Some(field) if machine.by_slot => is_for_node(slot_of(machine, field)),
            // Messages stand in the lowest slots, and all slots together tell how many there are.
            Some(field) => {
                let all = slots.iter().flat_map(|traffic| traffic.messages().to_vec());
                slot_of(machine, field) < all.filter(|message| message.destination == node).count()
            }
        };
        assert_eq!(noticed, is_read, "{}", what());
    }
}

/// The registers of a node, bit by bit, by their names.
fn names(machine: &Machine) -> Vec<String> {
    #[derive(Default)]
    struct Listing {
        modules: Vec<String>,
        names: Vec<String>,
    }
    impl Visitor<bool> for Listing {
        fn enter(&mut self, name: Name, _kind: &'static str) {
            self.modules.push(name.to_string());
        }
        fn leave(&mut self) {
            self.modules.pop();
        }
        fn register<'r>(&mut self, name: Name, width: usize, _bit: &dyn Fn(usize) -> &'r bool) {
            // The first name is the node's own.
            let path = [&self.modules[1..], &[name.to_string()]].concat().join(".");
            self.names.extend(std::iter::repeat_n(path, width));
        }
    }
    let mut listing = Listing::default();
    let fabric = machine.device.build(1).unwrap();
    fabric.show_registers(0, &mut listing);
    listing.names
}

/// Registers that are never of use. Where a subcube has one dimension, a rank has one bit, and so does the header: nothing ever reads
/// what is carried to the next one.
fn carries_of_a_single_bit(machine: &Machine) -> Vec<String> {
    let names: &[&str] = match (machine.name, machine.k) {
        ("spread", 2) => &["stages.stage_0.iteration.spreading.increment"],
        ("spread", 3) => &["stages.stage_1.iteration.spreading.increment"],
        ("counting", 2) => &[
            "header.increment",
            "header.base.rank_adder.carry",
            "header.base.base_adder.carry",
        ],
        _ => &[],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The registers of which no flip was noticed, in any node, in any bit time, with any of these messages.
fn idle_registers(machine: &Machine) -> Vec<String> {
    let names = names(machine);
    let until = machine.device.bit_times().value;
    let faults: Vec<Fault> = (0..machine.nodes())
        .flat_map(|node| (0..names.len()).map(move |number| (node, number)))
        .flat_map(|(node, number)| (0..=until).map(move |when| Fault::Flip { node, number, when }))
        .collect();
    let mut matters = vec![false; names.len()];
    let runs = runs(machine, if machine.k == 2 { 8 } else { 4 });
    // Which register bit is which does not depend on the messages.
    let fields = [true, false].map(|writes| {
        let of = |number| field_of(machine, &runs[0], number, writes);
        (0..names.len()).map(of).collect::<Vec<_>>()
    });
    for slots in runs {
        let noticed = machine.noticed(&slots, &faults);
        for (fault, noticed) in faults.iter().zip(&noticed) {
            if let Fault::Flip { number, .. } = fault {
                matters[*number] |= noticed;
            }
            is_as_foretold(machine, &slots, &fields, *fault, *noticed);
        }
        // There are flips of both kinds.
        assert!(noticed.contains(&false) && noticed.contains(&true));
    }
    let idle = names.into_iter().zip(matters);
    idle.filter(|(_, matters)| !matters)
        .map(|(name, _)| name)
        .collect()
}

/// Every flip that changes what arrives is noticed, and there is one of every register bit but for the few that are known.
#[test]
fn every_register_matters_and_every_flip_that_does_is_noticed() {
    every_register_matters(&of_dimensions(2));
}

#[test]
#[ignore = "long: of 8 nodes"]
fn so_does_every_register_of_larger_machines() {
    every_register_matters(&of_dimensions(3));
}

fn every_register_matters(machines: &[Machine]) {
    let what = |machine: &Machine| format!("{} k={}", machine.name, machine.k);
    let idle: Vec<_> = machines
        .par_iter()
        .map(|machine| (what(machine), idle_registers(machine)))
        .collect();
    let known: Vec<_> = machines
        .iter()
        .map(|machine| (what(machine), carries_of_a_single_bit(machine)))
        .collect();
    assert_eq!(idle, known);
}

/// A message that is forgotten before the run begins is missing from the first bit time on, and at its destination.
#[test]
fn a_lost_message_is_noticed_in_the_bit_time_in_which_it_is_lost() {
    for machine in machines() {
        let slots = &runs(&machine, 1)[0];
        for slot in 0..machine.slots {
            let messages = slots[slot].messages().to_vec();
            let Some(source) = messages.first().map(|message| message.source) else {
                continue;
            };
            let number = (0..machine.device.storage().total)
                .find(|number| {
                    field_of(&machine, slots, *number, true) == Some((Field::VALID, slot))
                })
                .unwrap();
            let said = meters_object(&machine, slots, (source, number)).unwrap();
            assert!(
                said.starts_with("after bit time 0 "),
                "{}: {said}",
                machine.name
            );
            let flip = Fault::Flip {
                node: source,
                number,
                when: 0,
            };
            assert_eq!(machine.noticed(slots, &[flip]), [true], "{}", machine.name);
        }
    }
}
