//! The network of a collective operation: the reduced hypercube RH(k,n), or the full hypercube that it is held against.

use crate::closed_form::Letter;
use crate::language::bit::Bit;
use crate::language::lanes::Lanes;
use crate::machine::topology::hypercube::Dimensions;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;
use crate::machine::topology::{Crossing, Labelled, Topology};

/// A network of building blocks, or the hypercube with all its links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockNetwork {
    /// RH(k,n): of each node `k` links of set 1 and one of set 2.
    Reduced(ReducedHypercube),
    /// The hypercube.
    Full(Dimensions),
}

impl BlockNetwork {
    /// The hypercube with as many nodes.
    pub fn full(self) -> Self {
        match self {
            BlockNetwork::Reduced(network) => match Dimensions::new(network.address_bits()) {
                Ok(cube) => BlockNetwork::Full(cube),
                Err(_) => self,
            },
            BlockNetwork::Full(_) => self,
        }
    }

    /// What closed forms are in: the dimensions `K`; or those of a block `k`, and the bits `n` that tell sub-blocks apart.
    pub(super) fn letters(self) -> Vec<Letter<'static>> {
        match self {
            BlockNetwork::Full(cube) => vec![("K", cube.count() as u64)],
            BlockNetwork::Reduced(network) => network.letters().to_vec(),
        }
    }

    /// Bits of a node's address.
    pub fn bits(self) -> usize {
        match self {
            BlockNetwork::Reduced(network) => network.address_bits(),
            BlockNetwork::Full(cube) => cube.count(),
        }
    }

    /// Wires from a node to other nodes.
    pub fn wires(self) -> usize {
        match self {
            BlockNetwork::Reduced(network) => network.block_dimensions() + 1,
            BlockNetwork::Full(cube) => cube.count(),
        }
    }
}

macro_rules! of {
    ($network:expr, $topology:ident => $value:expr) => {
        match $network {
            BlockNetwork::Reduced($topology) => $value,
            BlockNetwork::Full($topology) => $value,
        }
    };
}

impl Topology for BlockNetwork {
    fn nodes(&self) -> usize {
        of!(self, network => Topology::nodes(network))
    }

    fn address_bits(&self) -> usize {
        self.bits()
    }

    fn links(&self) -> usize {
        self.wires()
    }

    fn describe(&self, wire: usize) -> String {
        of!(self, network => network.describe(wire))
    }

    fn kind(&self) -> &'static str {
        of!(self, network => network.kind())
    }

    fn dims(&self) -> usize {
        of!(self, network => network.dims())
    }

    fn summary(&self) -> String {
        of!(self, network => network.summary())
    }

    fn machine_name(&self) -> &'static str {
        of!(self, network => network.machine_name())
    }

    fn node_name(&self, node: usize) -> String {
        of!(self, network => network.node_name(node))
    }

    fn node_name_fields(&self) -> &'static str {
        of!(self, network => network.node_name_fields())
    }

    fn node_named(&self, name: &str) -> Option<usize> {
        of!(self, network => network.node_named(name))
    }

    fn node_title(&self, node: usize) -> String {
        of!(self, network => network.node_title(node))
    }

    fn labelled(&self) -> Vec<Labelled> {
        of!(self, network => network.labelled())
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        of!(self, network => network.sender(node, wire))
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        of!(self, network => network.groups::<B>(machines))
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        of!(self, network => network.seat::<B>(node))
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        of!(self, network => network.node_at::<B>(group, place))
    }

    fn as_hypercube(&self) -> Option<Dimensions> {
        of!(self, network => network.as_hypercube())
    }

    fn crossings(&self, link: usize, log2_nodes: usize) -> Option<Vec<Crossing>> {
        of!(self, network => network.crossings(link, log2_nodes))
    }

    fn seat_bit(&self, bit: usize, log2_nodes: usize) -> Option<usize> {
        of!(self, network => network.seat_bit(bit, log2_nodes))
    }

    #[inline]
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        of!(self, network => network.receive(wires, group, wire))
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B]) {
        of!(self, network => network.address(group, before, address));
    }

    fn address_of<B: Bit>(&self, node: usize) -> Vec<B> {
        of!(self, network => network.address_of(node))
    }
}
