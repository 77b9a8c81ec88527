//! Networks: addresses, what a wire joins, and how nodes lie in lanes.
//!
//! ```text
//!   driven by a node:    | wires to other nodes .......... | wires to its host |
//!   received by a node:  | wires from other nodes ........ | wires from its host |
//!                          0 .. links                        links ..
//! ```
//!
//! Wire `w < links` of a node leads to one other node, which receives it as its wire `w`.

use crate::bit::Bit;
use crate::lanes::Lanes;

pub mod cube_connected_cycles;
pub mod hypercube;

/// A network, as the fabric needs it.
pub trait Topology: Clone {
    /// Number of nodes.
    fn nodes(&self) -> usize;

    /// Bits of a node's address.
    fn address_bits(&self) -> usize;

    /// Wires from a node to other nodes, as many as come from others.
    fn links(&self) -> usize;

    /// Wires from a node to its host.
    fn wires_to_host(&self) -> usize {
        0
    }

    /// Wires from a node's host to it.
    fn wires_from_host(&self) -> usize {
        0
    }

    /// Wires that a node drives.
    fn driven(&self) -> usize {
        self.links() + self.wires_to_host()
    }

    /// Wires that a node receives.
    fn received(&self) -> usize {
        self.links() + self.wires_from_host()
    }

    /// What the wire is called in a sentence, as in "across dimension 2".
    fn describe(&self, wire: usize) -> String;

    /// The node whose wire `wire` leads to `node`.
    fn sender(&self, node: usize, wire: usize) -> usize;

    /// Lane groups that `machines` like machines side by side take.
    fn groups<B: Lanes>(&self, machines: usize) -> usize;

    /// Group and place of a node; machine `m`'s node `x` is node `m * nodes + x`.
    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize);

    /// What the nodes of a group receive on `wire`, a link. `wires[group * driven + wire]` is what each
    /// group drives.
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B;

    /// The addresses of a group's nodes, bit by bit. Groups are asked for in ascending order: `address` still holds
    /// those of the group before.
    fn address<B: Lanes>(&self, group: usize, address: &mut [B]);

    /// The address of one node, bit by bit.
    fn address_of<B: Bit>(&self, node: usize) -> Vec<B> {
        (0..self.address_bits())
            .map(|bit| {
                if node >> bit & 1 == 1 {
                    B::ONE
                } else {
                    B::ZERO
                }
            })
            .collect()
    }
}
