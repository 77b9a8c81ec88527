//! Crowds: all arrives, in as many flits as it should.

use super::super::adaptive::{crowd, enough, sizes, with_channels};
use super::super::grids::grid;
use super::super::lists::up_and_down;
use super::super::*;
use super::{WIRES, Way, ccc_way, check_crossings, cube_way, grid_way, table_way, with_wires};
use crate::wormhole::worm::cut;

/// What a crowd puts on wires does not depend on who waits for whom.
#[test]
fn crowds_arrive() {
    let (torus, mesh) = ((5, 2, true), (4, 2, false));
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let list: &'static Listed = Box::leak(Box::new(up_and_down(20, 8, 1, &mut random)));
    type Ways = Box<dyn Fn(&Message) -> Way>;
    let by_address = |network| -> (Network, usize, usize, Ways) {
        let (bits, hops) = sizes(network);
        let way = move |one: &Message| Way::address(hops(one.source, one.destination), bits, 0);
        (network, 25, enough(network), Box::new(way))
    };
    let cases: [(Network, usize, usize, Ways); 7] = [
        (ccc(3), 24, 3, Box::new(|one| ccc_way(3, one))),
        (
            hypercube(5, Routing::Order),
            32,
            1,
            Box::new(|one| cube_way(5, &[one.source, one.destination])),
        ),
        (
            grid(torus, Routing::Order),
            25,
            2,
            Box::new(move |one| grid_way(torus, one)),
        ),
        (
            grid(mesh, Routing::Order),
            16,
            1,
            Box::new(move |one| grid_way(mesh, one)),
        ),
        by_address(grid(torus, Routing::Adaptive)),
        by_address(hypercube(5, Routing::Adaptive)),
        (
            Network::Listed(list),
            20,
            1,
            Box::new(|one| table_way(list, one)),
        ),
    ];
    for (network, nodes, virtual_channels, way) in &cases {
        for (buffer_bits, switch) in [(1, Switch::Weak), (2, Switch::Strong), (5, Switch::Strong)] {
            for (seed, wires) in WIRES.into_iter().enumerate() {
                let machine = Machine {
                    buffer_bits,
                    switch,
                    ..with_wires(with_channels(*network, *virtual_channels), wires)
                };
                let messages = crowd(*nodes, seed as u64);
                let run = run(machine, &messages, LIMIT).unwrap();
                bit_times(&run);
                let worms: Vec<_> = messages
                    .iter()
                    .map(|one| (way(one), one.bits.len()))
                    .collect();
                check_crossings(machine, &worms, &run);
            }
        }
    }
}

/// Each piece of a message goes in flits of its own, and none is lost.
#[test]
fn crowds_of_pieces_arrive() {
    let network = Network::Copies {
        levels: 4,
        copies: 4,
    };
    for (seed, wire_bits) in WIRES.into_iter().enumerate() {
        for pieces in [Pieces::Even, Pieces::ByWay] {
            let machine = Machine {
                pieces,
                wire_bits,
                ..machine(network)
            };
            let messages = permutation(64, 131, seed as u64);
            let run = run(machine, &messages, LIMIT).unwrap();
            bit_times(&run);
            for arrival in &run.arrivals {
                let bits = arrival.pieces.iter().map(|piece| piece.body_bits);
                assert_eq!(bits.clone().sum::<usize>(), 131);
                match pieces {
                    Pieces::Even => assert!(bits.eq([33, 33, 33, 32])),
                    Pieces::ByWay => assert!(bits.filter(|bits| bits % wire_bits > 0).count() <= 1),
                }
            }
        }
    }
}

/// Three flits of four bits each before the second piece would be as early, a fourth for the first one, and then the second one's
/// first.
#[test]
fn pieces_by_way_fill_their_flits() {
    let lengths = |bits: usize, wires| -> Vec<usize> {
        let pieces = cut(&vec![true; bits], &[0, 3], wires);
        pieces.iter().map(Vec::len).collect()
    };
    assert_eq!(lengths(15, 4), [15, 0]);
    assert_eq!(lengths(18, 4), [16, 2]);
    assert_eq!(lengths(21, 4), [17, 4]);
    assert_eq!(lengths(5, 1), [4, 1]);
}
