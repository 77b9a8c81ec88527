//! All nodes of a reduced hypercube are alike: for any two there is a renaming of all nodes that takes one to the other, and
//! wires to wires of the same number.

use crate::machine::topology::hypercube::address_bit;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;

/// Where `node` goes when node 0 goes to `origin`.
///
/// Each field is added to that of the origin, bit by bit. A sub-block `m` that becomes `m ^ s` crosses another dimension
/// then, so bit `m` of the block moves to bit `m ^ s` first.
pub fn carried(network: ReducedHypercube, origin: usize, node: usize) -> usize {
    let subblock = network.subblock(origin);
    let block = network.block(node);
    let moved = (0..network.blocks_dimensions())
        .filter(|bit| address_bit(block, *bit))
        .fold(0, |moved, bit| moved | 1 << (bit ^ subblock));
    network.node(
        moved ^ network.block(origin),
        network.subblock(node) ^ subblock,
        network.low(node) ^ network.low(origin),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::topology::Topology;

    #[test]
    fn every_node_can_take_the_place_of_node_0() {
        for (k, n) in [(1, 1), (3, 1), (2, 2), (5, 2), (3, 3)] {
            let network = ReducedHypercube::new(k, n).unwrap();
            for origin in 0..network.nodes() {
                let carried = |node| carried(network, origin, node);
                assert_eq!(carried(0), origin);
                let mut taken = vec![false; network.nodes()];
                for node in 0..network.nodes() {
                    assert!(!std::mem::replace(&mut taken[carried(node)], true));
                    for wire in 0..network.links() {
                        assert_eq!(
                            carried(network.neighbour(node, wire)),
                            network.neighbour(carried(node), wire),
                            "{network}: wire {wire} of node {node}, node 0 at {origin}"
                        );
                    }
                }
            }
        }
    }

    /// Adding the origin alone is no such renaming: the bits of the block have to move.
    #[test]
    fn blocks_have_to_move_with_their_subblocks() {
        let network = ReducedHypercube::new(1, 1).unwrap();
        let (origin, node) = (0b001, 0b000);
        let wire = network.between_blocks();
        let added = |node: usize| node ^ origin;
        assert_ne!(
            added(network.neighbour(node, wire)),
            network.neighbour(added(node), wire)
        );
    }
}
