//! Cube-connected cycles in a reduced hypercube: RH(k,n) holds `2^(k-n)` of `2^n` levels, which share no node and leave none
//! out, each link on one wire.
//!
//! A building block is a cube, and its sub-blocks are passed in the order of the Gray code, which is a cycle. Copy `x` has
//! the nodes whose low field is `x`. Its node `<l, c>`, of level `l` and column `c`, lies in
//!
//! ```text
//!   sub-block  gray(l)      straight links: to the next level, where the sub-block differs in one bit
//!   block      c, where bit l of c is bit gray(l) of the block
//!                           cross links: bit l of c, across the dimension that sub-block gray(l) crosses
//! ```
//!
//! RH(n,n) is one copy and nothing else from `n = 2` on: in RH(2,2) all wires are taken. With `n = 1` the cycle has two
//! nodes, and its two straight links are the two directions of one wire.

use crate::embedding::gray_code::{gray, transition};
use crate::error::Error;
use crate::machine::topology::Topology;
use crate::machine::topology::cube_connected_cycles::CubeConnectedCycles;
use crate::machine::topology::hypercube::address_bit;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;

/// The cube-connected cycles in a reduced hypercube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisjointCycles {
    network: ReducedHypercube,
    cycles: CubeConnectedCycles,
}

/// What was found when every link of all copies was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Links of all copies.
    pub links: usize,
    /// Of them, those whose ends no wire joins.
    pub without_wire: usize,
    /// Nodes of the reduced hypercube on which one node of one copy lies.
    pub nodes_taken_once: usize,
    /// Directed wires on which a link lies.
    pub wires_taken: usize,
}

impl DisjointCycles {
    /// Those of a network.
    ///
    /// # Errors
    /// Levels out of range; every reduced hypercube that can be made has cycles that can be.
    pub fn new(network: ReducedHypercube) -> Result<Self, Error> {
        Ok(DisjointCycles {
            network,
            cycles: CubeConnectedCycles::new(network.blocks_dimensions())?,
        })
    }

    /// The network of which these are copies, of `2^n` levels.
    pub fn cycles(self) -> CubeConnectedCycles {
        self.cycles
    }

    /// How many copies there are: `2^(k-n)`.
    pub fn copies(self) -> usize {
        1 << self.network.low_bits()
    }

    /// The node on which node `<level, column>` of a copy lies.
    pub fn map(self, copy: usize, level: usize, column: usize) -> usize {
        let block = (0..self.cycles.levels())
            .filter(|bit| address_bit(column, *bit))
            .fold(0, |block, bit| block | 1 << gray(bit));
        self.network.node(block, gray(level), copy)
    }

    /// The wire on which straight links out of a level lie.
    pub fn straight_wire(self, level: usize) -> usize {
        self.network.low_bits() + transition(self.network.subblock_bits(), level)
    }

    /// The wire on which cross links lie.
    pub fn cross_wire(self) -> usize {
        self.network.between_blocks()
    }

    /// Follows every link of all copies.
    pub fn follow(self) -> Followed {
        self.follow_as(|copy, level, column| self.map(copy, level, column))
    }

    /// The same, of copies that lie where `map` says.
    fn follow_as(self, map: impl Fn(usize, usize, usize) -> usize) -> Followed {
        let (network, cycles) = (self.network, self.cycles);
        let mut lying = vec![0u8; network.nodes()];
        let mut taken = vec![false; network.directed_wires()];
        let (mut links, mut without_wire) = (0, 0);
        for copy in 0..self.copies() {
            let on = |node| map(copy, cycles.level(node), cycles.column(node));
            for node in 0..cycles.nodes() {
                let from = on(node);
                lying[from] = lying[from].saturating_add(1);
                for end in [cycles.straight(node), cycles.cross(node)] {
                    let to = on(end);
                    let wire =
                        (0..network.links()).find(|wire| network.neighbour(from, *wire) == to);
                    links += 1;
                    match wire {
                        Some(wire) => taken[from * network.links() + wire] = true,
                        None => without_wire += 1,
                    }
                }
            }
        }
        Followed {
            links,
            without_wire,
            nodes_taken_once: lying.iter().filter(|nodes| **nodes == 1).count(),
            wires_taken: taken.iter().filter(|taken| **taken).count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: [(usize, usize); 9] = [
        (1, 1),
        (3, 1),
        (2, 2),
        (3, 2),
        (5, 2),
        (3, 3),
        (5, 3),
        (8, 3),
        (4, 4),
    ];

    fn disjoint(k: usize, n: usize) -> DisjointCycles {
        DisjointCycles::new(ReducedHypercube::new(k, n).unwrap()).unwrap()
    }

    #[test]
    fn every_link_lies_on_one_wire_and_every_node_is_taken_once() {
        for (k, n) in SIZES {
            let copies = disjoint(k, n);
            let nodes = copies.network.nodes();
            assert_eq!(
                (copies.copies(), copies.cycles().levels()),
                (1 << (k - n), 1 << n)
            );
            assert_eq!(copies.copies() * copies.cycles().nodes(), nodes);
            let followed = Followed {
                links: 2 * nodes,
                without_wire: 0,
                nodes_taken_once: nodes,
                wires_taken: 2 * nodes,
            };
            assert_eq!(copies.follow(), followed, "RH({k},{n})");
        }
    }

    #[test]
    fn links_lie_on_the_wires_that_are_said() {
        for (k, n) in SIZES.into_iter().filter(|(k, n)| k + (1 << n) <= 11) {
            let copies = disjoint(k, n);
            let (network, cycles) = (copies.network, copies.cycles());
            for copy in 0..copies.copies() {
                let on = |node| copies.map(copy, cycles.level(node), cycles.column(node));
                for node in 0..cycles.nodes() {
                    let level = cycles.level(node);
                    let straight = network.neighbour(on(node), copies.straight_wire(level));
                    assert_eq!(on(cycles.straight(node)), straight);
                    let cross = network.neighbour(on(node), copies.cross_wire());
                    assert_eq!(on(cycles.cross(node)), cross);
                }
            }
        }
    }

    /// RH(2,2) is the cube-connected cycles of four levels: straight links lie on one direction of their wires, and with the
    /// other direction all wires are taken.
    #[test]
    fn the_smallest_of_four_subblocks_is_one_copy() {
        let copies = disjoint(2, 2);
        let (network, cycles) = (copies.network, copies.cycles());
        assert_eq!(copies.copies(), 1);
        let on = |node| copies.map(0, cycles.level(node), cycles.column(node));
        for node in 0..cycles.nodes() {
            let ends = [
                cycles.straight(node),
                cycles.straight_from(node),
                cycles.cross(node),
            ];
            let mut ends = ends.map(on).to_vec();
            let mut neighbours: Vec<usize> = (0..network.links())
                .map(|wire| network.neighbour(on(node), wire))
                .collect();
            ends.sort_unstable();
            neighbours.sort_unstable();
            assert_eq!(ends, neighbours);
        }
    }

    /// In the order of their numbers sub-blocks are no cycle, and blocks whose bits do not follow are not joined.
    #[test]
    fn copies_that_lie_elsewhere_are_found_out() {
        let copies = disjoint(5, 2);
        let network = copies.network;
        let counted = copies.follow_as(|copy, level, column| network.node(column, level, copy));
        assert_eq!(counted.nodes_taken_once, network.nodes());
        assert_eq!(
            counted.without_wire,
            network.nodes() / 2,
            "from levels 1 and 3"
        );
        let crooked =
            copies.follow_as(|copy, level, column| network.node(column, gray(level), copy));
        assert_eq!(
            crooked.without_wire,
            network.nodes() / 2,
            "across from levels 2 and 3"
        );
        let same = copies.follow_as(|_, level, column| copies.map(0, level, column));
        assert_eq!((same.without_wire, same.nodes_taken_once), (0, 0));
        assert_eq!(same.wires_taken, 2 * network.nodes() / copies.copies());
    }
}
