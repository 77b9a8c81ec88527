//! All pairs of nodes, each worm alone by its closed form.

use super::super::adaptive::{sizes, with_channels};
use super::super::grids::{Size, grid, nodes};
use super::super::lists::{complete, fork, network, ring, shortest, up_and_down};
use super::super::*;
use super::{WIRES, Way, ccc_way, check_crossings, cube_way, grid_way, table_way, with_wires};
use crate::wormhole::butterflies::{Line, Product};

/// Every message in `machine` alone, with all numbers of wires and with buffers of one place and of more.
fn check_alone(machine: Machine, messages: &[Message], way: impl Fn(&Message) -> Way) {
    for wire_bits in WIRES {
        for buffer_bits in [1, 2, 5] {
            let machine = Machine {
                buffer_bits,
                wire_bits,
                ..machine
            };
            let traffics: Vec<_> = messages.iter().map(|one| vec![one.clone()]).collect();
            let runs = run_each(machine, &traffics, LIMIT).unwrap();
            for (message, run) in messages.iter().zip(&runs) {
                let (way, bits) = (way(message), message.bits.len());
                let [head, tail] = way
                    .times(machine, bits)
                    .map(|time| message.created + time as u64);
                assert_eq!(
                    times(run),
                    [(message.created, head, tail)],
                    "{machine:?} {message:?}"
                );
                let outcome = Outcome::Done {
                    bit_times: tail + 1,
                };
                assert_eq!(run.outcome, outcome);
                let piece = &run.arrivals[0].pieces[0];
                let header_bits = match way.address {
                    true => way.reads[0],
                    false => way.reads.iter().sum(),
                };
                assert_eq!((piece.header_bits, piece.body_bits), (header_bits, bits));
                check_crossings(machine, &[(way, bits)], run);
            }
        }
    }
}

/// From every node to every node, bodies of any size.
fn pairs(nodes: usize, created: u64) -> Vec<Message> {
    let bits = |pair: usize| [1, 2, 9, 64, 65][pair % 5];
    (0..nodes * nodes)
        .map(|pair| message(pair / nodes, pair % nodes, created, bits(pair)))
        .collect()
}

#[test]
fn every_pair_of_the_ccc_alone() {
    for levels in [2, 3] {
        check_alone(
            machine(ccc(levels)),
            &pairs(levels << levels, 4),
            |message| ccc_way(levels, message),
        );
    }
}

/// With two wires or more a channel of the CCC reads one flit: three bit times a node, whatever the way.
#[test]
fn three_bit_times_a_node_of_the_ccc() {
    for wires in WIRES.into_iter().skip(1) {
        let traffics: Vec<_> = pairs(24, 0).into_iter().map(|one| vec![one]).collect();
        let runs = run_each(with_wires(machine(ccc(3)), wires), &traffics, LIMIT).unwrap();
        for run in runs {
            let arrival = &run.arrivals[0];
            let nodes = arrival.pieces[0].path.len();
            assert_eq!(arrival.head_arrived, Some(3 * nodes as u64));
        }
    }
}

#[test]
fn every_pair_of_a_hypercube_in_order_alone() {
    for dimensions in [1, 3, 5] {
        let machine = machine(hypercube(dimensions, Routing::Order));
        check_alone(machine, &pairs(1 << dimensions, 4), |message| {
            cube_way(dimensions, &[message.source, message.destination])
        });
    }
}

/// In two phases, each of them with a channel of its own, and so with answers about all dimensions.
#[test]
fn every_way_in_two_phases_alone() {
    let machine = with_channels(hypercube(3, Routing::Valiant), 2);
    let messages: Vec<Message> = (0..512)
        .map(|way| Message {
            intermediate: Some(way >> 6),
            ..message(way & 7, way >> 3 & 7, 0, 20)
        })
        .collect();
    check_alone(machine, &messages, |message| {
        let via = message.intermediate.unwrap();
        cube_way(3, &[message.source, via, message.destination])
    });
}

const GRIDS: [Size; 4] = [(4, 2, true), (3, 2, false), (5, 1, true), (3, 3, true)];

#[test]
fn every_pair_of_a_grid_in_order_alone() {
    for size in GRIDS {
        let machine = machine(grid(size, Routing::Order));
        check_alone(machine, &pairs(nodes(size), 4), |message| {
            grid_way(size, message)
        });
    }
}

#[test]
fn every_pair_by_address_alone() {
    let grids = GRIDS.map(|size| (grid(size, Routing::Adaptive), nodes(size)));
    let cube = (hypercube(4, Routing::Adaptive), 16);
    for (network, nodes) in grids.into_iter().chain([cube]) {
        let (bits, hops) = sizes(network);
        check_alone(machine(network), &pairs(nodes, 4), |message| {
            Way::address(hops(message.source, message.destination), bits, 0)
        });
    }
}

#[test]
fn every_pair_by_tables_alone() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for list in [
        ring(2, 1),
        ring(6, 2),
        complete(5),
        fork(2),
        shortest(9, 4, &mut random),
        up_and_down(17, 8, 2, &mut random),
    ] {
        let machine = with_channels(network(list.clone()), list.classes);
        check_alone(machine, &pairs(list.nodes, 4), |message| {
            table_way(&list, message)
        });
    }
}

/// Butterflies: in a row, and at the source, four questions, in a column two, and every relay takes one bit time more. A worm that
/// comes over a wire twice takes longer, and does so with one wire.
#[test]
fn worms_of_butterflies_alone() {
    let product = Product::new(2);
    let messages: Vec<Message> = (0..64 * 64)
        .step_by(7)
        .map(|pair| message(pair / 64, pair % 64, 0, 48))
        .collect();
    let traffics: Vec<_> = messages.iter().map(|one| vec![one.clone()]).collect();
    let mut is_closed = vec![true; messages.len()];
    for wires in WIRES {
        let machine = with_channels(Network::Butterflies { levels: 2 }, 2);
        let machine = with_wires(machine, wires);
        let runs = run_each(machine, &traffics, LIMIT).unwrap();
        for ((message, run), is_closed) in messages.iter().zip(&runs).zip(&mut is_closed) {
            let (mut reads, mut relays, mut in_row) = (Vec::new(), 0, true);
            for (line, cross) in product.way(message.source, message.destination) {
                reads.push(match (in_row, line) {
                    (true, Line::Column) => 4 - usize::from(cross),
                    _ => 2 - usize::from(cross),
                });
                relays += 2 + u64::from(cross);
                in_row = line == Line::Row;
            }
            reads.push(if in_row { 4 } else { 2 });
            let [_, tail] = Way::answers(reads).times(machine, 48);
            let closed = tail as u64 + relays + 1;
            *is_closed &= wires > 1 || bit_times(run) == closed;
            assert!(
                !*is_closed || bit_times(run) == closed,
                "{wires}: {message:?}"
            );
        }
    }
    let closed = is_closed.iter().filter(|is_closed| **is_closed).count();
    assert!(closed > messages.len() * 8 / 10, "{closed}");
}
