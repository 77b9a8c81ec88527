//! Nodes that two units of which drive a wire, and hosts that drive wires: as a program and bit time by bit time.

use std::collections::HashSet;

use rand::Rng;
use rtl_model::error::Error;
use rtl_model::language::lanes::{Lanes, Words};
use rtl_model::machine::fabric::{Blocking, Fabric, How};
use rtl_model::machine::instructions::Instructions;
use rtl_model::machine::topology::Topology;

use crate::program::common::{
    Family, advance, assert_state, generator, load, registers, restart_with,
};
use crate::program::common::{state, ticked};
use crate::program::hearsay::Hearsay;
use crate::program::networks::{Cycles, Hosted, Joined, Kind, Quarrelling, Reduced, Ring};

/// One thread and three, with blocks as they are by themselves and as small as can be.
fn ways_to_run() -> Vec<How<'static>> {
    let deep = Blocking {
        cache: 0,
        shortest_pause: 1,
        bytes_per_thread: 1,
    };
    let mut ways = Vec::new();
    for threads in [1, 3] {
        for blocking in [Blocking::default(), deep] {
            for instructions in Instructions::ALL {
                ways.push(How {
                    threads,
                    blocking,
                    instructions,
                    ..How::default()
                });
            }
        }
    }
    ways
}

/// Gives the bit time of the conflict, if there is one, and its node.
fn quarrel<K: Kind, B: Lanes>(k: usize, machines: usize, seed: u64) -> Option<(u64, usize)> {
    let mut random = generator(seed);
    let router = Joined::<Quarrelling<K>>::router(k, 1);
    let mut fabric = Fabric::<_, B>::new(router, machines).unwrap();
    load(&mut fabric, &mut random);
    let loaded = registers(&mut fabric);
    let mut conflict = None;
    while !fabric.is_done() && conflict.is_none() {
        conflict = fabric.tick().err();
    }
    let expected = state(&mut fabric);
    let at = fabric.bit_time();
    for how in ways_to_run() {
        restart_with(&mut fabric, &loaded);
        assert_eq!(fabric.advance(u64::MAX, &how).err(), conflict, "k={k}");
        assert_eq!(state(&mut fabric), expected);
        // It is still there; and before it, there is none.
        assert_eq!(fabric.advance(u64::MAX, &how).err(), conflict);
        assert_eq!(state(&mut fabric), expected);
        restart_with(&mut fabric, &loaded);
        let middle = random.random_range(0..=at);
        advance(&mut fabric, middle, &how);
        advance(&mut fabric, at, &how);
        assert_eq!(state(&mut fabric), expected);
    }
    match conflict? {
        Error::WireConflict {
            node,
            bit_time,
            first,
            second,
            wire,
        } => {
            assert_eq!((first, second), ("the teller", "the other"));
            assert!(wire.starts_with("on link "), "{wire}");
            Some((bit_time, node))
        }
        other => panic!("{other}"),
    }
}

fn quarrels<K: Kind>() {
    let mut met = HashSet::new();
    let mut times = HashSet::new();
    for seed in 0..6 {
        for (k, machines) in [(1, 1), (2, 3), (3, 1), (4, 2), (6, 1), (7, 1)] {
            let outcomes = [
                quarrel::<K, bool>(k, machines, seed),
                quarrel::<K, u64>(k, machines, seed),
                quarrel::<K, Words<2>>(k, machines, seed),
                quarrel::<K, Words<8>>(k, machines, seed),
            ];
            for outcome in outcomes {
                times.extend(outcome.map(|(bit_time, _)| bit_time));
                met.extend(outcome.map(|(_, node)| node));
            }
        }
    }
    assert!(times.len() > 3, "always in bit times {times:?}");
    assert!(met.len() > 5, "always in nodes {met:?}");
}

#[test]
fn nodes_of_a_ring_that_quarrel_are_named_as_when_they_tick() {
    quarrels::<Ring>();
}

#[test]
fn nodes_of_a_reduced_hypercube_that_quarrel_are_named_as_when_they_tick() {
    quarrels::<Reduced>();
}

#[test]
fn nodes_of_cycles_that_quarrel_are_named_as_when_they_tick() {
    quarrels::<Cycles>();
}

fn let_hosts_drive<B: Lanes>(fabric: &mut Fabric<Hearsay, B>, random: &mut impl Rng) {
    for group in 0..fabric.groups() {
        for wire in 0..fabric.topology().wires_from_host() {
            let bits = fabric.from_host(group, wire);
            (0..B::WORDS).for_each(|word| bits.set_word(word, random.random()));
        }
    }
}

/// What hosts drive, they drive all the time while a machine advances; in between they change their minds.
fn hosts_are_heard<B: Lanes>(k: usize, machines: usize) {
    let mut random = generator(k as u64);
    let router = Joined::<Hosted>::router(k, 1);
    let mut fabric = Fabric::<_, B>::new(router, machines).unwrap();
    load(&mut fabric, &mut random);
    let loaded = registers(&mut fabric);
    let unheard = ticked(&mut fabric).pop();
    restart_with(&mut fabric, &loaded);
    let_hosts_drive(&mut fabric, &mut random);
    let states = ticked(&mut fabric);
    assert_ne!(states.last(), unheard.as_ref(), "nobody hears hosts");
    for how in ways_to_run() {
        restart_with(&mut fabric, &loaded);
        advance(&mut fabric, u64::MAX, &how);
        assert_state(&mut fabric, &states, "hosts that never change");
    }
    let mut ticks = Fabric::<_, B>::new(router, machines).unwrap();
    restart_with(&mut ticks, &loaded);
    restart_with(&mut fabric, &loaded);
    while !ticks.is_done() {
        let seed = random.random();
        let_hosts_drive(&mut fabric, &mut generator(seed));
        let_hosts_drive(&mut ticks, &mut generator(seed));
        let to = ticks.bit_time() + random.random_range(1..9);
        while ticks.bit_time() < to && !ticks.is_done() {
            ticks.tick().unwrap();
        }
        advance(&mut fabric, to, &How::default());
        assert_eq!(state(&mut fabric), state(&mut ticks));
    }
}

#[test]
fn hosts_are_heard_in_lanes_of_every_width() {
    for (k, machines) in [(1, 1), (3, 5), (4, 1), (6, 3), (8, 1)] {
        hosts_are_heard::<bool>(k, machines);
        hosts_are_heard::<u64>(k, machines);
        hosts_are_heard::<Words<8>>(k, machines);
    }
}

/// Nodes in lanes of all widths are the same nodes.
fn in_lanes<F: Family<Router = Hearsay>, B: Lanes>(k: usize, machines: usize) -> Vec<bool> {
    use rtl_model::language::register::Registers;
    let mut fabric = Fabric::<_, B>::new(F::router(k, 1), machines).unwrap();
    load(&mut fabric, &mut generator(k as u64));
    advance(&mut fabric, u64::MAX, &How::default());
    let mut bits = Vec::new();
    for node in 0..machines * fabric.topology().nodes() {
        let (group, place) = fabric.node_mut(node);
        group.visit_mut(&mut |register: &mut B| bits.push(register.get(place)));
    }
    bits
}

#[test]
fn networks_in_lanes_of_every_width_are_the_same_as_one_node_at_a_time() {
    fn on<K: Kind>() {
        for (k, machines) in [(2, 3), (5, 1), (8, 2), (10, 1)] {
            let expected = in_lanes::<Joined<K>, bool>(k, machines);
            assert!(expected.contains(&true));
            assert_eq!(in_lanes::<Joined<K>, u64>(k, machines), expected);
            assert_eq!(in_lanes::<Joined<K>, Words<2>>(k, machines), expected);
            assert_eq!(in_lanes::<Joined<K>, Words<8>>(k, machines), expected);
        }
    }
    on::<Ring>();
    on::<Cycles>();
    on::<crate::program::networks::Bare>();
    on::<crate::program::networks::Scattered>();
    on::<Reduced>();
    on::<crate::program::networks::Deciding>();
    on::<Hosted>();
}

/// Machines of several tiles in lanes of 64 nodes and more.
#[test]
fn large_networks_have_several_tiles() {
    fn on<K: Kind, B: Lanes>(k: usize, machines: usize) {
        let router = Joined::<K>::router(k, 1);
        let mut fabric = Fabric::<_, B>::new(router, machines).unwrap();
        load(&mut fabric, &mut generator(7));
        let loaded = registers(&mut fabric);
        while !fabric.is_done() {
            fabric.tick().unwrap();
        }
        let expected = state(&mut fabric);
        for how in ways_to_run() {
            restart_with(&mut fabric, &loaded);
            advance(&mut fabric, u64::MAX, &how);
            assert_eq!(state(&mut fabric), expected);
        }
    }
    on::<Ring, u64>(13, 1);
    on::<Cycles, Words<2>>(6, 25);
    on::<Reduced, Words<8>>(14, 1);
    on::<Reduced, u64>(13, 1);
    on::<crate::program::networks::Deciding, u64>(13, 1);
}
