//! Networks: addresses, what a wire joins, and how nodes lie in lanes.
//!
//! ```text
//!   driven by a node:    | wires to other nodes .......... | wires to its host |
//!   received by a node:  | wires from other nodes ........ | wires from its host |
//!                          0 .. links                        links ..
//! ```
//!
//! Wire `w < links` of a node leads to one other node, which receives it as its wire `w`.

use crate::csv_file::whole;
use crate::language::bit::Bit;
use crate::language::lanes::Lanes;
use crate::machine::topology::dimensions::Dimensions;

pub mod cube_connected_cycles;
mod dimensions;
pub mod grid;
pub mod hosted;
pub mod hypercube;
pub mod irregular;
pub mod lay;
pub mod quadratic_hypercube;
pub mod reduced_hypercube;

/// A wire at a node, by who drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tap {
    /// The node: its wire of that number.
    Driven(usize),
    /// Another node, or the host: as which wire the node receives it.
    Received(usize),
}

/// Wires at a node that are read as one value, and what they are called in a wave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labelled {
    /// The scope inside the node's: the link, or the host.
    pub scope: String,
    /// The name in it.
    pub name: String,
    /// The wires, the least significant first; one at least.
    pub wires: Vec<Tap>,
}

/// A step of the way of a link: in some nodes, where what they receive comes from. The number of a seat is its place, and
/// above that its group: `group * NODES + place`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// It comes from the seat whose number differs in this bit.
    pub flips: usize,
    /// In the nodes in whose seats' numbers these bits
    pub mask: usize,
    /// are these. Both are 0 for all nodes.
    pub value: usize,
}

/// A network, as the fabric needs it, and what its parts are called. Where nodes lie in lanes is for those who know which
/// network it is; all else can be asked of any, as `&dyn Topology`.
pub trait Topology {
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

    /// What a link is called among the others: its number, if the network has no other name for it. Without blanks or dots.
    fn link_name(&self, link: usize) -> String {
        link.to_string()
    }

    /// What kind of network it is, for reports.
    fn kind(&self) -> &'static str {
        self.machine_name()
    }

    /// Its size, as one gives it: dimensions or levels.
    fn dims(&self) -> usize {
        self.address_bits()
    }

    /// What it is and how large, in a few words, as in "hypercube of 6 dimensions".
    fn summary(&self) -> String {
        let (kind, dims) = (self.kind(), self.dims());
        let plural = if dims == 1 { "" } else { "s" };
        format!("{kind} of {dims} dimension{plural}")
    }

    /// What the machine is called where its parts are named: the outermost scope of a wave.
    fn machine_name(&self) -> &'static str {
        "cube"
    }

    /// What a node is called among the others: its number, if the network has no other name for it. Without
    /// blanks or dots.
    fn node_name(&self, node: usize) -> String {
        node.to_string()
    }

    /// What the fields of such a name are, as in "level and column".
    fn node_name_fields(&self) -> &'static str {
        "name"
    }

    /// The node of that name, or of that number.
    fn node_named(&self, name: &str) -> Option<usize> {
        whole::<usize>(name).filter(|node| *node < self.nodes())
    }

    /// A node's name and where it lies in the network, as in `node_5 = 0101`.
    fn node_title(&self, node: usize) -> String {
        let width = self.address_bits();
        format!("node_{} = {node:0width$b}", self.node_name(node))
    }

    /// All wires at a node, by name: those of one scope one after the other.
    fn labelled(&self) -> Vec<Labelled>;

    /// The node whose wire `wire` leads to `node`; any node where none does ([`Topology::is_there`]).
    fn sender(&self, node: usize, wire: usize) -> usize;

    /// Whether the wire leads to `node` at all: at the ends of a mesh some do not, and nothing is received there.
    fn is_there(&self, node: usize, wire: usize) -> bool {
        let _ = (node, wire);
        true
    }

    /// Lane groups that `machines` like machines side by side take.
    fn groups<B: Lanes>(&self, machines: usize) -> usize
    where
        Self: Sized;

    /// Group and place of a node; machine `m`'s node `x` is node `m * nodes + x`.
    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize)
    where
        Self: Sized;

    /// The node at a place of a group: what [`Topology::seat`] seats there. At a place that is left empty, a node of
    /// a machine that is not there: its number is beyond those of all machines.
    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize
    where
        Self: Sized;

    /// The hypercube that it is, if it is one: what its wires lead to is then known without asking for each.
    fn as_hypercube(&self) -> Option<Dimensions> {
        None
    }

    /// The way of a link, in lane groups of `2^log2_nodes` nodes: crossings of which each node is in one. They say in short
    /// what [`Topology::receive`] says, so that a program of a machine in lockstep can shuffle whole planes of nodes. A
    /// network that knows none, as by default, is run all the same: how a plane is put together is then found out seat by
    /// seat, once, and kept in a table of some twenty bytes for 64 nodes and more where nodes that lie together do not
    /// receive from nodes that lie together.
    ///
    /// Where all links have crossings, machine `m` is at the seats from `m * nodes` on. If its nodes are a power of two, its
    /// halves can be run apart in bit times in which no link that is driven crosses from one to the other.
    fn crossings(&self, link: usize, log2_nodes: usize) -> Option<Vec<Crossing>> {
        let _ = (link, log2_nodes);
        None
    }

    /// The bit of seats' numbers that is bit `bit` of the address, in lane groups of `2^log2_nodes` nodes; none where there is
    /// no such bit, as by default: addresses are then kept as [`Topology::address`] gives them.
    fn seat_bit(&self, bit: usize, log2_nodes: usize) -> Option<usize> {
        let _ = (bit, log2_nodes);
        None
    }

    /// What the nodes of a group receive on `wire`, a link. `wires[group * driven + wire]` is what each
    /// group drives.
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B
    where
        Self: Sized;

    /// The addresses of a group's nodes, bit by bit. `address` still holds those of the group `before`, if of any.
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B])
    where
        Self: Sized;

    /// The address of one node, bit by bit.
    fn address_of<B: Bit>(&self, node: usize) -> Vec<B>
    where
        Self: Sized,
    {
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

#[cfg(test)]
mod tests;
