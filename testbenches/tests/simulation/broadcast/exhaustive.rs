//! All sources, all ports, all numbers of packets up to 3n, in cubes of up to five dimensions.

use crate::broadcast::common::{beside_reference, broadcast, each, packets};

fn in_dimensions(n: usize) {
    for kind in each() {
        for source in 0..1 << n {
            for packets in packets(kind.0, n, 3 * n) {
                // Sizes that leave no phase of a packet unseen, in turn.
                let sizes = [(1, 0), (3, 0), (2, 1), (1, 2), (5, 3)];
                let size = sizes[(source + packets) % sizes.len()];
                let broadcast = broadcast(kind, n, source, packets, size);
                beside_reference(broadcast, (source * 31 + packets) as u64);
            }
        }
    }
}

#[test]
fn in_one_dimension() {
    in_dimensions(1);
}

#[test]
fn in_two_dimensions() {
    in_dimensions(2);
}

#[test]
fn in_three_dimensions() {
    in_dimensions(3);
}

#[test]
fn in_four_dimensions() {
    in_dimensions(4);
}

#[test]
#[ignore = "long: the largest"]
fn in_five_dimensions() {
    in_dimensions(5);
}
