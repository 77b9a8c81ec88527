//! The cross product of butterflies: lanes, worms alone by their closed form, and crowds on too few classes.

use super::super::butterflies::{Lane, Line, Product};
use super::*;

const NODES: usize = 64;

fn butterflies(buffer_bits: usize, virtual_channels: usize) -> Machine {
    Machine {
        virtual_channels,
        buffer_bits,
        ..machine(Network::Butterflies { levels: 2 })
    }
}

/// Links join neighbours, two links are in the line beside where an edge crosses and one where it does not, and all
/// lanes of an edge lead to the same node.
#[test]
fn lanes_of_an_edge_are_paths_to_one_node() {
    for (levels, bits) in [(2, 3), (4, 6)] {
        let product = Product::new(levels);
        for node in 0..1 << (2 * bits) {
            for (line, cross) in [
                (Line::Row, false),
                (Line::Row, true),
                (Line::Column, false),
                (Line::Column, true),
            ] {
                let mut ends = Vec::new();
                for number in 0..bits {
                    let lane = Lane {
                        line,
                        cross,
                        number,
                    };
                    let path = product.path(node, lane);
                    assert_eq!(path.len(), 4 + usize::from(cross));
                    let joins = |ends: &[usize]| (ends[0] ^ ends[1]).is_power_of_two();
                    assert!(path.windows(2).all(joins));
                    ends.push(path[path.len() - 1]);
                }
                ends.dedup();
                assert_eq!(ends.len(), 1);
            }
        }
    }
}

/// Except where a worm comes over a wire twice, and has it by turns.
#[test]
fn a_worm_alone_takes_its_closed_form() {
    takes_its_closed_form(&[2]);
}

#[test]
#[ignore = "long: other buffers"]
fn a_worm_alone_takes_its_closed_form_with_other_buffers() {
    takes_its_closed_form(&[1, 5]);
}

fn takes_its_closed_form(buffers: &[usize]) {
    let product = Product::new(2);
    for &buffer_bits in buffers {
        let traffics: Vec<Vec<Message>> = (0..NODES * NODES)
            .map(|pair| vec![message(pair / NODES, pair % NODES, 0, 30)])
            .collect();
        let runs = run_each(butterflies(buffer_bits, 2), &traffics, LIMIT).unwrap();
        let mut longer = 0;
        for (pair, run) in runs.iter().enumerate() {
            let (source, destination) = (pair / NODES, pair % NODES);
            let way = product.way(source, destination);
            let relays: usize = way.iter().map(|(_, cross)| 2 + usize::from(*cross)).sum();
            let (edges, header) = (
                way.len(),
                product.header(source, destination).concat().len(),
            );
            let alone = match buffer_bits {
                1 => 2 * (30 + edges + header) + relays + 1,
                _ => 30 + 2 * edges + relays + header + 2,
            };
            assert!(bit_times(run) >= alone as u64);
            longer += usize::from(bit_times(run) > alone as u64);
        }
        assert!(longer <= 544, "{buffer_bits}: {longer}");
    }
}

/// On two classes everything arrives.
#[test]
fn permutations_arrive() {
    for seed in 0..20 {
        for buffer_bits in [1, 2] {
            let machine = butterflies(buffer_bits, 2);
            bit_times(&run(machine, &permutation(NODES, 64, seed), LIMIT).unwrap());
        }
    }
}
