//! What a program measures of all nodes, and of none that are not there, is what is counted bit time by bit time.

use std::collections::BTreeSet;

use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::{Fabric, How};
use rtl_model::machine::router::{Position, Router};
use rtl_model::machine::simulation::{Lockstep, ModuleEnds};
use rtl_model::machine::topology::Topology;
use rtl_model::routers::kuszmaul::plain::Plain;

use crate::program::common::{
    Family, Permutation, advance, generator, load, registers, restart_with,
};
use crate::program::networks::{Cycles, Joined, Scattered};

crate::program::on_each_router!(measures);

/// Nodes up to which each is looked at by itself.
const MOST_BY_NODE: usize = 32;

/// Words that are filled in part, tiles that are, and those that are full.
const SIZES: [(usize, usize); 5] = [(1, 1), (2, 3), (5, 1), (6, 3), (7, 1)];

fn measures<F: Family>() {
    for (k, machines) in SIZES {
        as_counted::<F, u64>(k, machines);
        as_counted::<F, Words<8>>(k, machines);
    }
    // Several tiles, of which the last is filled in part.
    as_counted::<F, u64>(9, 17);
}

/// How words are counted does not depend on the router: lanes that machines are not built in are for some.
#[test]
fn measures_in_lanes_of_other_widths() {
    fn on<F: Family>() {
        for (k, machines) in SIZES {
            as_counted::<F, bool>(k, machines);
            as_counted::<F, Words<2>>(k, machines);
        }
    }
    on::<Permutation<Plain>>();
    on::<Joined<Cycles>>();
    on::<Joined<Scattered>>();
}

fn as_counted<F: Family, B: Lanes>(k: usize, machines: usize) {
    let router = F::router(k, F::PAYLOAD_BITS[0]);
    let mut fabric = Fabric::<_, B>::new(router, machines).unwrap();
    load(&mut fabric, &mut generator(k as u64));
    measures_as_is_counted(&mut fabric);
}

/// Message bits and registers of all nodes at once are those of one node after the other.
fn is_the_same_at_once(machine: &dyn Lockstep, after: Option<Position>, bits: &[u32]) {
    let mut at_once = Vec::new();
    machine.append_occupied_bits(after, &mut at_once);
    let mut registers = Vec::new();
    machine.append_registers(0, &mut registers);
    let (count, words) = (registers.len(), machine.words());
    let seats = (0..words).flat_map(|word| machine.seats(word));
    let there = seats
        .enumerate()
        .filter(|(_, node)| *node < bits.len())
        .collect::<Vec<_>>();
    assert_eq!(there.len(), bits.len());
    assert!(
        there
            .iter()
            .all(|&(seat, node)| at_once[seat] == bits[node])
    );
    // All but every third register; those of some modules. The second time it is known where modules end.
    let (middle, mut ends) = (count / 3..count / 2, ModuleEnds::default());
    let not_third = |number: usize| !number.is_multiple_of(3);
    let in_middle = |number: usize| middle.contains(&number);
    for is_wanted in [&not_third, &in_middle, &not_third] as [&dyn Fn(usize) -> bool; 3] {
        let wanted: Vec<usize> = (0..count).filter(|number| is_wanted(*number)).collect();
        let mut rows = vec![!0; count * words];
        let mut changed = BTreeSet::new();
        machine.copy_registers((&wanted, &mut ends), &mut rows, &mut |number| {
            changed.insert(number);
        });
        for &(seat, node) in &there {
            registers.clear();
            machine.append_registers(node, &mut registers);
            for (number, register) in registers.iter().enumerate() {
                let copied = rows[number * words + seat / 64] >> (seat % 64) & 1 == 1;
                assert_eq!(copied, !is_wanted(number) || *register);
            }
        }
        let words_of = |number: usize| &rows[number * words..][..words];
        let has_zeros = |number: &usize| words_of(*number).iter().any(|word| *word != !0);
        assert!(changed.into_iter().eq((0..count).filter(has_zeros)));
        machine.copy_registers((&wanted, &mut ends), &mut rows, &mut |number| {
            panic!("{number} has not changed")
        });
    }
}

/// A loaded machine.
pub fn measures_as_is_counted<R: Router, B: Lanes>(fabric: &mut Fabric<R, B>) {
    let loaded = registers(fabric);
    let mut counted = vec![fabric.occupancy(None)];
    while !fabric.is_done() {
        let position = fabric.position();
        fabric.tick().unwrap();
        let occupancy = fabric.occupancy(Some(position));
        // Node by node, where they are few.
        let nodes = fabric.machines() * fabric.topology().nodes();
        if nodes <= MOST_BY_NODE {
            let of_nodes = (0..nodes).map(|node| fabric.occupied_bits(node, Some(position)));
            let bits: Vec<u32> = of_nodes.collect();
            let live: u64 = bits.iter().copied().map(u64::from).sum();
            assert_eq!(occupancy.live_bits, live);
            assert_eq!(Some(&occupancy.most_bits), bits.iter().max());
            is_the_same_at_once(fabric, Some(position), &bits);
        }
        counted.push(occupancy);
    }
    restart_with(fabric, &loaded);
    let readings = fabric.program(true).readings();
    let how = How {
        readings: Some(&readings),
        ..How::default()
    };
    advance(fabric, u64::MAX, &how);
    let [live_bits, most] = readings.words();
    let nodes = fabric.topology().nodes();
    let note = format!("{} of {nodes} nodes, {} lanes", fabric.machines(), B::NODES);
    let live = |occupancy: &rtl_model::machine::simulation::Occupancy| occupancy.live_bits;
    assert_eq!(
        live_bits,
        counted.iter().map(live).collect::<Vec<_>>(),
        "{note}"
    );
    // Of each step, and of messages last: the most of all is what matters here.
    let (messages, bits) = most.split_last().unwrap();
    let most_bits = counted.iter().map(|occupancy| occupancy.most_bits).max();
    let most_messages = counted
        .iter()
        .map(|occupancy| occupancy.most_messages)
        .max();
    assert_eq!(
        bits.iter().max().copied(),
        most_bits.map(u64::from),
        "{note}"
    );
    assert_eq!(Some(*messages), most_messages.map(u64::from), "{note}");
}
