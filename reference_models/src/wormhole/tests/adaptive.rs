//! Worms by address: alone by hand and by their closed form, crowds, and what escape channels are for.

use std::collections::BTreeMap;

use super::grids::{SIZES, grid, nodes};
use super::*;

const ADAPTIVE: Routing = Routing::Adaptive;

pub fn with_channels(network: Network, virtual_channels: usize) -> Machine {
    Machine {
        virtual_channels,
        ..machine(network)
    }
}

/// From 0 to 1 in a square: the address is 10. Its bits are read in 1 and 2, and B2 asks in 3. The address leaves in 4
/// and 5, B2 and B3 in 6 and 7. At node 1 the address is read in 5 and 6; B2 asks in 7 and is ejected in 8.
#[test]
fn one_hop_in_a_square() {
    for bits in 1..20 {
        let machine = with_channels(hypercube(2, ADAPTIVE), 1);
        let run = run(machine, &[message(0, 1, 0, bits)], LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 8, 7 + bits as u64)]);
        let wire = |node, dimension| Wire::Dimension { node, dimension };
        assert_eq!(run.wires[&wire(0, 0)], bits as u64 + 2);
        assert_eq!(run.wires[&Wire::Eject { node: 1, copy: 0 }], bits as u64);
        assert_eq!(run.grants, 2);
    }
}

/// With one place a bit every other bit time: the address is read in 1 and 3; B2 comes in 4 and asks in 5; the address
/// leaves in 6 and 8, and B2 in 10. At node 1 B2 asks in 11, and is ejected in 12.
#[test]
fn one_hop_from_buffers_of_one_bit() {
    for bits in 1..20 {
        let machine = Machine {
            buffer_bits: 1,
            ..with_channels(hypercube(2, ADAPTIVE), 1)
        };
        let run = run(machine, &[message(0, 1, 0, bits)], LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 12, 10 + 2 * bits as u64)]);
    }
}

/// From 1 to 3 in a square, body B2 to B7, and from 0 by 1 to 3, body B2 and B3. The first has the channel of dimension 1
/// from 3 on, and the second asks for one in 7.
///
/// With one channel B2 to B7 of the first leave in 6, 7 and 9 to 12, and are ejected from 8 to 13. In 14 its channel is
/// empty, and the second has it: it sends the address in 15 and 16, and B2 in 17, which asks in 18 and is ejected in 19.
#[test]
fn a_worm_waits_for_the_only_channel() {
    let messages = [message(1, 3, 0, 6), message(0, 3, 0, 2)];
    let machine = with_channels(hypercube(2, ADAPTIVE), 1);
    let run = run(machine, &messages, LIMIT).unwrap();
    assert_eq!(times(&run), [(0, 8, 13), (0, 19, 20)]);
}

/// With two it takes the escape channel in 7, and with more another one. It sends the address in 8, when the first has no
/// credit, and in 10, and B2 and B3 in 12 and 14; the first B4 to B7 in 9, 11, 13, 15, which are ejected a bit time later.
/// The second asks for eject again in 17.
#[test]
fn a_worm_takes_the_escape() {
    let messages = [message(1, 3, 0, 6), message(0, 3, 0, 2)];
    for virtual_channels in 2..=8 {
        let machine = with_channels(hypercube(2, ADAPTIVE), virtual_channels);
        let run = run(machine, &messages, LIMIT).unwrap();
        assert_eq!(times(&run), [(0, 8, 16), (0, 18, 19)]);
    }
}

/// In a mesh of three by three addresses have four bits, so that a worm from 3 asks for plus at node 4 in 11. Alone a worm
/// from 4 to 8 goes by 5; created in 10 it asks in 15, when plus is taken, and goes by 7, which takes no longer.
#[test]
fn a_worm_goes_around_another() {
    let machine = with_channels(mesh(3, 2, ADAPTIVE), 1);
    let one = message(4, 8, 10, 4);
    let alone = run(machine, std::slice::from_ref(&one), LIMIT).unwrap();
    assert_eq!(alone.arrivals[0].pieces[0].path, [4, 5, 8]);
    assert_eq!(times(&alone), [(10, 28, 31)]);
    let both = run(machine, &[message(3, 5, 0, 60), one], LIMIT).unwrap();
    assert_eq!(both.arrivals[0].pieces[0].path, [3, 4, 5]);
    assert_eq!(both.arrivals[1].pieces[0].path, [4, 7, 8]);
    assert_eq!(times(&both), [(0, 18, 77), (10, 28, 31)]);
}

/// From 3 and from 4, created in 6, to 8: in 11 both ask for plus at node 4, and the injection channel is given it. The
/// other looks again in 12, and goes by 7. The first is ejected from 24 to 27, the other is given eject in 28.
#[test]
fn who_loses_looks_again() {
    let machine = with_channels(mesh(3, 2, ADAPTIVE), 1);
    let messages = [message(3, 8, 0, 4), message(4, 8, 6, 4)];
    let run = run(machine, &messages, LIMIT).unwrap();
    assert_eq!(run.arrivals[0].pieces[0].path, [3, 4, 7, 8]);
    assert_eq!(run.arrivals[1].pieces[0].path, [4, 5, 8]);
    assert_eq!(times(&run), [(0, 29, 32), (6, 24, 27)]);
}

/// Bits of an address, and hops between two nodes: a grid's by hand, a hypercube's by its bits.
pub fn sizes(network: Network) -> (usize, Box<dyn Fn(usize, usize) -> usize>) {
    match network {
        Network::Grid {
            radix,
            dimensions,
            wraps,
            ..
        } => {
            let bits = [3, 5, 9].iter().filter(|&&least| radix >= least).count() + 1;
            let hops = move |from: usize, to: usize| {
                (0..dimensions as u32)
                    .map(|dimension| {
                        let [from, to] = [from, to].map(|node| node / radix.pow(dimension) % radix);
                        match wraps {
                            true => (0..radix)
                                .find(|hops| {
                                    (from + hops) % radix == to || (to + hops) % radix == from
                                })
                                .unwrap(),
                            false => from.abs_diff(to),
                        }
                    })
                    .sum()
            };
            (bits * dimensions, Box::new(hops))
        }
        Network::Hypercube { dimensions, .. } => (
            dimensions,
            Box::new(|from, to| (from ^ to).count_ones() as usize),
        ),
        _ => panic!("has no addresses"),
    }
}

/// Everything arrived, by a shortest way, and every hop carried the address and the body.
fn check(machine: Machine, messages: &[Message], run: &Run) {
    bit_times(run);
    let (address_bits, hops) = sizes(machine.network);
    let mut carried: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    let mut total = 0;
    for (message, arrival) in messages.iter().zip(&run.arrivals) {
        let piece = &arrival.pieces[0];
        assert_eq!(piece.header_bits, address_bits);
        assert_eq!(piece.path.first(), Some(&message.source));
        assert_eq!(piece.path.last(), Some(&message.destination));
        let length = hops(message.source, message.destination);
        assert_eq!(piece.path.len() - 1, length);
        assert!(piece.path.windows(2).all(|hop| hops(hop[0], hop[1]) == 1));
        let bits = (address_bits + message.bits.len()) as u64;
        for &node in &piece.path[..length] {
            *carried.entry((node, 0)).or_default() += bits;
        }
        *carried.entry((message.destination, 1)).or_default() += message.bits.len() as u64;
        total += bits * length as u64 + message.bits.len() as u64;
    }
    assert_eq!(run.wires.values().sum::<u64>(), total);
    let mut found: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for (wire, &bits) in run.wires.iter().filter(|(_, bits)| **bits > 0) {
        let key = match *wire {
            Wire::Eject { node, .. } => (node, 1),
            Wire::Dimension { node, .. } | Wire::Grid { node, .. } => (node, 0),
            _ => panic!("{wire}"),
        };
        *found.entry(key).or_default() += bits;
    }
    assert_eq!(found, carried);
}

fn networks() -> Vec<(Network, usize)> {
    let cubes = [1, 2, 3, 4].map(|dimensions| (hypercube(dimensions, ADAPTIVE), 1 << dimensions));
    let grids = SIZES.map(|size| (grid(size, ADAPTIVE), nodes(size)));
    cubes.into_iter().chain(grids).collect()
}

/// At every node the address is read, a bit each, then the worm asks, and then it sends: with `A` bits of address that is
/// `A + 2` bit times a node. With one place a bit takes two.
#[test]
fn every_pair_alone_takes_its_closed_form() {
    for (network, nodes) in networks() {
        let (address_bits, hops) = sizes(network);
        for virtual_channels in [1, 2, 3, 4, 8] {
            for (buffer_bits, pace) in [(1, 2), (2, 1), (5, 1)] {
                let machine = Machine {
                    buffer_bits,
                    ..with_channels(network, virtual_channels)
                };
                let traffics: Vec<Vec<Message>> = (0..nodes * nodes)
                    .map(|pair| vec![message(pair / nodes, pair % nodes, 3, 9)])
                    .collect();
                let runs = run_each(machine, &traffics, LIMIT).unwrap();
                for (messages, run) in traffics.iter().zip(&runs) {
                    check(machine, messages, run);
                    let nodes = hops(messages[0].source, messages[0].destination) + 1;
                    let head = 3 + (pace * address_bits + 2) * nodes;
                    let expected = [3, head, head + pace * 8].map(|time| time as u64);
                    assert_eq!(times(run), [(expected[0], expected[1], expected[2])]);
                }
            }
        }
    }
}

/// Several worms from every node.
pub fn crowd(nodes: usize, seed: u64) -> Vec<Message> {
    let mut messages = permutation(nodes, 40, seed);
    messages.extend(permutation(nodes, 3, seed + 1000));
    messages.extend(permutation(nodes, 90, seed + 2000));
    messages
}

/// Channels with which the escape channels have no cycle.
pub fn enough(network: Network) -> usize {
    match network {
        Network::Grid { wraps: true, .. } => 3,
        _ => 2,
    }
}

#[test]
fn crowds_arrive_with_escapes() {
    for (network, nodes) in networks() {
        for more in [0, 1, 2, 4] {
            for (buffer_bits, switch) in [(2, Switch::Strong), (1, Switch::Weak), (5, Switch::Weak)]
            {
                let machine = Machine {
                    buffer_bits,
                    switch,
                    ..with_channels(network, enough(network) + more)
                };
                for seed in 0..6 {
                    let messages = crowd(nodes, seed);
                    let run = run(machine, &messages, LIMIT).unwrap();
                    check(machine, &messages, &run);
                }
            }
        }
    }
}

/// A hundred bits from every node to ten random nodes.
fn large_crowd(nodes: usize, seed: u64) -> Vec<Message> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..10 * nodes)
        .map(|number| message(number % nodes, random.random_range(0..nodes), 0, 100))
        .collect()
}

/// How many of large crowds end in a deadlock.
fn deadlocks(network: Network, virtual_channels: usize, nodes: usize, crowds: u64) -> usize {
    let machine = with_channels(network, virtual_channels);
    let deadlock = |seed: &u64| {
        let messages = large_crowd(nodes, *seed);
        let run = run(machine, &messages, LIMIT).unwrap();
        match run.outcome {
            Outcome::Deadlock { cycle, .. } => {
                assert!(cycle.len() >= 2);
                true
            }
            Outcome::Done { .. } => {
                check(machine, &messages, &run);
                false
            }
            Outcome::OutOfTime => panic!("out of time"),
        }
    };
    (0..crowds).filter(deadlock).count()
}

#[test]
fn worms_deadlock_without_escapes_only() {
    for (network, nodes) in [
        (mesh(6, 2, ADAPTIVE), 36),
        (torus(8, 1, ADAPTIVE), 8),
        (torus(7, 2, ADAPTIVE), 49),
    ] {
        assert!(deadlocks(network, 1, nodes, 10) > 0);
        assert_eq!(deadlocks(network, enough(network), nodes, 10), 0);
    }
}

#[test]
#[ignore = "long: many crowds"]
fn many_crowds_arrive_with_escapes() {
    let others = [
        (hypercube(6, ADAPTIVE), 64),
        (mesh(6, 2, ADAPTIVE), 36),
        (mesh(3, 3, ADAPTIVE), 27),
        (torus(8, 1, ADAPTIVE), 8),
        (torus(7, 2, ADAPTIVE), 49),
        (torus(4, 3, ADAPTIVE), 64),
    ];
    for (network, nodes) in networks().into_iter().chain(others) {
        assert_eq!(deadlocks(network, enough(network), nodes, 60), 0);
    }
}

/// Every node of a ring of seven sends a long worm three nodes on. Each holds the first link and, with two channels, the
/// second, and waits for the third, where others hold all channels: one escape is not enough where a wrap closes a cycle.
#[test]
fn one_escape_is_not_enough_in_a_torus() {
    let messages: Vec<Message> = (0..7)
        .map(|node| message(node, (node + 3) % 7, 0, 64))
        .collect();
    for virtual_channels in 1..=8 {
        let machine = with_channels(torus(7, 1, ADAPTIVE), virtual_channels);
        let run = run(machine, &messages, LIMIT).unwrap();
        match run.outcome {
            Outcome::Deadlock { cycle, .. } => {
                assert!(virtual_channels <= 2 && cycle.len() >= 2);
            }
            _ => {
                assert!(virtual_channels > 2);
                check(machine, &messages, &run);
            }
        }
    }
}
