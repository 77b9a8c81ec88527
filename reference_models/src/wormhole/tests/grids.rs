//! Tori and meshes, in order of dimensions and in two phases: worms alone by hand, all pairs, crowds, and what
//! datelines are for.

use std::collections::BTreeMap;

use super::*;

/// Radix, dimensions and whether it wraps.
pub type Size = (usize, usize, bool);

pub const SIZES: [Size; 8] = [
    (3, 1, true),
    (3, 2, true),
    (4, 2, true),
    (5, 1, true),
    (6, 1, true),
    (3, 2, false),
    (4, 2, false),
    (5, 1, false),
];

pub fn grid((radix, dimensions, wraps): Size, routing: Routing) -> Network {
    match wraps {
        true => torus(radix, dimensions, routing),
        false => mesh(radix, dimensions, routing),
    }
}

pub fn nodes((radix, dimensions, _): Size) -> usize {
    radix.pow(dimensions as u32)
}

fn alone(network: Network, virtual_channels: usize, message: Message) -> Run {
    let machine = Machine {
        virtual_channels,
        ..machine(network)
    };
    run(machine, &[message], LIMIT).unwrap()
}

fn bits_of(run: &Run, node: usize, link: usize) -> u64 {
    run.wires[&Wire::Grid { node, link }]
}

/// From 0 to 3 of a row of four, minus. Asked about plus, no, minus, yes; and at node 3 about minus again, and plus and
/// minus of the second dimension: header 01 000. 0 and 1 are read in 1 and 2, minus asked for in 3; B2, B3, B4 leave in
/// 4, 5, 6, and are read in 5, 6, 7; B5 is there in 8, asks, and is ejected in 9.
#[test]
fn one_hop_over_the_wrap_of_a_torus() {
    for bits in 1..20 {
        let run = alone(torus(4, 2, Routing::Order), 2, message(0, 3, 0, bits));
        assert_eq!(times(&run), [(0, 9, 8 + bits as u64)]);
        assert_eq!(run.arrivals[0].pieces[0].path, [0, 3]);
        assert_eq!(run.arrivals[0].pieces[0].header_bits, 5);
        assert_eq!(bits_of(&run, 0, 1), bits as u64 + 3);
        assert_eq!(run.wires.len(), 16 * 5);
    }
}

/// From 4 by 0 to 1 in a row of five: header 1, 1, 0. B0 is read in 1, plus asked for in 2; B1, B2, B3 leave in 3, 4, 5.
/// At node 0 B1 is read in 4, plus asked for in 5, of the other class; B2 leaves in 6, B3 in 7. At node 1 B2 is read
/// in 7; B3 asks for eject in 8, and is ejected in 9.
#[test]
fn two_hops_and_a_dateline_between() {
    for bits in 1..20 {
        let run = alone(torus(5, 1, Routing::Order), 2, message(4, 1, 0, bits));
        assert_eq!(times(&run), [(0, 9, 8 + bits as u64)]);
        assert_eq!(run.arrivals[0].pieces[0].path, [4, 0, 1]);
        assert_eq!(bits_of(&run, 4, 0), bits as u64 + 2);
        assert_eq!(bits_of(&run, 0, 0), bits as u64 + 1);
    }
}

/// From 0 by 1 to 4 in a mesh of three by three: header 1, 01, 0. B0 is read in 1, plus asked for in 2; B1, B2, B3 leave
/// in 3, 4, 5. At node 1 B1 and B2 are read in 4 and 5, plus of the second dimension asked for in 6; B3 leaves in 7, B4
/// in 8. At node 4 B3 is read in 8, B4 asks in 9 and is ejected in 10.
#[test]
fn a_turn_in_a_mesh() {
    for bits in 1..20 {
        let run = alone(mesh(3, 2, Routing::Order), 1, message(0, 4, 0, bits));
        assert_eq!(times(&run), [(0, 10, 9 + bits as u64)]);
        assert_eq!(run.arrivals[0].pieces[0].path, [0, 1, 4]);
        // Four nodes at corners have two links, four have three, and one four; and every node has a host.
        assert_eq!(run.wires.len(), 4 * 2 + 4 * 3 + 4 + 9);
    }
}

/// From 0 by 1 to 2, where the mesh ends: header 1, 1, 000, for also the link that is not there is asked about. B1 leaves
/// in 3, is read in 4, and plus asked for in 5; B2, B3, B4 leave node 1 in 6, 7, 8 and are read in 7, 8, 9; B5 asks in
/// 10 and is ejected in 11.
#[test]
fn to_the_end_of_a_mesh() {
    for bits in 1..20 {
        let run = alone(mesh(3, 2, Routing::Order), 1, message(0, 2, 0, bits));
        assert_eq!(times(&run), [(0, 11, 10 + bits as u64)]);
        assert_eq!(run.arrivals[0].pieces[0].header_bits, 5);
    }
}

/// The way from node to node in order of dimensions, each with the link by which it is left. Where both ways round a
/// torus are as long, plus from an even digit.
pub fn leg((radix, dimensions, wraps): Size, from: usize, to: usize) -> Vec<(usize, usize)> {
    let mut leg = Vec::new();
    let (mut node, mut place) = (from, 1);
    for dimension in 0..dimensions {
        let [start, end] = [from, to].map(|node| node / place % radix);
        let upwards = (end + radix - start) % radix;
        let plus = match wraps {
            true => 2 * upwards < radix || 2 * upwards == radix && start % 2 == 0,
            false => start < end,
        };
        let mut digit = start;
        while digit != end {
            leg.push((node, 2 * dimension + usize::from(!plus)));
            node -= digit * place;
            digit = match plus {
                true => (digit + 1) % radix,
                false => (digit + radix - 1) % radix,
            };
            node += digit * place;
        }
        place *= radix;
    }
    leg
}

/// In order of dimensions: how many answers are read at each node of the way. At the source no to all links before the first;
/// then yes to the same link, or no to it and to the links of the dimensions above that come before the next; at last no to all.
pub fn answers_in_order(size: Size, leg: &[(usize, usize)]) -> Vec<usize> {
    let links = 2 * size.1;
    let mut answers = Vec::new();
    let mut last: Option<usize> = None;
    for &(_, link) in leg {
        answers.push(match last {
            None => link + 1,
            Some(last) if last == link => 1,
            Some(last) => 1 + link + 1 - 2 * (last / 2 + 1),
        });
        last = Some(link);
    }
    answers.push(match last {
        None => links,
        Some(last) => 1 + links - 2 * (last / 2 + 1),
    });
    answers
}

/// Bits on each wire of that way.
fn wires_in_order(size: Size, leg: &[(usize, usize)], piece: &Piece) -> Vec<(Wire, u64)> {
    let answers = answers_in_order(size, leg);
    let mut left = piece.header_bits + piece.body_bits;
    let mut wires = Vec::new();
    for (&(node, link), answers) in leg.iter().zip(&answers) {
        left -= answers;
        wires.push((Wire::Grid { node, link }, left as u64));
    }
    left -= answers[leg.len()];
    assert_eq!(left, piece.body_bits);
    wires
}

/// Checks that everything arrives, on its way.
fn check(machine: Machine, size: Size, messages: &[Message], run: &Run) {
    bit_times(run);
    let mut wires: BTreeMap<Wire, u64> = run.wires.keys().map(|wire| (*wire, 0)).collect();
    let mut in_two_phases = false;
    for (message, arrival) in messages.iter().zip(&run.arrivals) {
        let via = message.intermediate.unwrap_or(message.destination);
        let mut way = leg(size, message.source, via);
        way.extend(leg(size, via, message.destination));
        let piece = &arrival.pieces[0];
        let mut path: Vec<usize> = way.iter().map(|(node, _)| *node).collect();
        path.push(message.destination);
        assert_eq!(piece.path, path);
        assert_eq!(piece.body_bits, message.bits.len());
        let Network::Grid { routing, .. } = machine.network else {
            panic!("a grid");
        };
        if routing == Routing::Valiant {
            in_two_phases = true;
            continue;
        }
        for (wire, bits) in wires_in_order(size, &way, piece) {
            *wires.get_mut(&wire).unwrap() += bits;
        }
        let node = message.destination;
        *wires.get_mut(&Wire::Eject { node, copy: 0 }).unwrap() += piece.body_bits as u64;
    }
    assert!(in_two_phases || run.wires == wires);
}

#[test]
fn every_pair_alone() {
    for size in SIZES {
        let nodes = nodes(size);
        for virtual_channels in [1, 2, 3, 4, 8] {
            for routing in [Routing::Order, Routing::Valiant] {
                let machine = Machine {
                    virtual_channels,
                    ..machine(grid(size, routing))
                };
                let traffics: Vec<Vec<Message>> = (0..nodes * nodes)
                    .map(|pair| {
                        let one = vec![message(pair / nodes, pair % nodes, 0, 12)];
                        match routing {
                            Routing::Valiant => through(one, nodes, pair as u64),
                            _ => one,
                        }
                    })
                    .collect();
                let runs = run_each(machine, &traffics, LIMIT).unwrap();
                for (messages, run) in traffics.iter().zip(&runs) {
                    check(machine, size, messages, run);
                }
            }
        }
    }
}

/// Virtual channels with which no worms wait for each other in a cycle.
fn enough((_, _, wraps): Size, routing: Routing) -> usize {
    match (routing, wraps) {
        (Routing::Valiant, true) => 4,
        (Routing::Valiant, false) | (Routing::Order, true) => 2,
        _ => 1,
    }
}

#[test]
fn crowds_arrive() {
    for size in SIZES {
        for routing in [Routing::Order, Routing::Valiant] {
            for more in [0, 1, 2, 4] {
                for (buffer_bits, switch) in [(2, Switch::Strong), (1, Switch::Weak)] {
                    let machine = Machine {
                        virtual_channels: enough(size, routing) + more,
                        buffer_bits,
                        switch,
                        ..machine(grid(size, routing))
                    };
                    for seed in 0..4 {
                        let mut messages = permutation(nodes(size), 40, seed);
                        messages.extend(permutation(nodes(size), 15, seed + 10));
                        if routing == Routing::Valiant {
                            messages = through(messages, nodes(size), seed);
                        }
                        let run = run(machine, &messages, LIMIT).unwrap();
                        check(machine, size, &messages, &run);
                    }
                }
            }
        }
    }
}

/// Every node of a ring sends a long worm two nodes on.
fn two_on(radix: usize, virtual_channels: usize) -> Outcome {
    let messages: Vec<Message> = (0..radix)
        .map(|node| message(node, (node + 2) % radix, 0, 64))
        .collect();
    let machine = Machine {
        virtual_channels,
        ..machine(torus(radix, 1, Routing::Order))
    };
    run(machine, &messages, LIMIT).unwrap().outcome
}

/// In a ring of five every worm holds the channel that the one before it needs.
///
/// Header 1, 1, 0. B1 and B2 leave in 3 and 4. B1 is read in 4, so that B3 leaves in 5, and B2 and B3 stay. The hosts
/// send B4 in 5 and B5 in 6, which stay, too: nothing moves in 7.
#[test]
fn a_ring_of_worms_without_datelines() {
    let Outcome::Deadlock { bit_time, cycle } = two_on(5, 1) else {
        panic!("no deadlock");
    };
    let port = Port::LinkIn {
        link: 0,
        channel: 0,
    };
    let channel = |node: usize| Channel {
        node,
        copy: 0,
        port,
    };
    assert_eq!(cycle, [0, 1, 2, 3, 4].map(channel));
    assert_eq!(bit_time, 7);
    for virtual_channels in 2..=8 {
        assert!(matches!(two_on(5, virtual_channels), Outcome::Done { .. }));
    }
}

/// In a ring of four no worm goes on from 1 to 2 or from 3 to 0 by plus, nor the other two by minus: from an odd digit
/// two hops go by minus, and from an even one by plus. So nothing closes a cycle, and one channel is enough.
#[test]
fn a_torus_of_radix_four_needs_no_dateline() {
    assert!(matches!(two_on(4, 1), Outcome::Done { .. }));
    let machine = Machine {
        virtual_channels: 1,
        ..machine(torus(4, 2, Routing::Order))
    };
    for seed in 0..100 {
        let messages = permutation(16, 200, seed);
        bit_times(&run(machine, &messages, LIMIT).unwrap());
    }
}
