//! How a reduced hypercube is wired: what its parts are called, and how its nodes lie in lanes.
//!
//! The bits of the sub-block lie in the group's number, or in a place's, or some here and some there. Those in the group's
//! number are the same for all nodes of the group. So the wire between building blocks looks only at the dimensions that
//! sub-blocks of the group cross, and at each with the places whose other bits name that sub-block:
//!
//! ```text
//!   received = or, over sub-blocks m of the group:   what comes across dimension k + m  &  places of sub-block m
//! ```

use crate::csv_file::whole;
use crate::language::lanes::Lanes;
use crate::machine::topology::hypercube::address_bit;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;
use crate::machine::topology::{Crossing, Labelled, Tap, Topology};

/// Its `dims` are `k`, as one gives them: the dimensions that each have a link in all nodes. `n` is told by
/// [`ReducedHypercube::subblock_bits`], and both by the name that it is displayed with. An address has `k + 2^n` bits.
///
/// A node is called `<block>_<sub-block>_<low>`, in decimal; `<block>_<sub-block>` where a sub-block is one node.
impl Topology for ReducedHypercube {
    fn nodes(&self) -> usize {
        self.cube.nodes()
    }

    fn address_bits(&self) -> usize {
        self.cube.count()
    }

    fn links(&self) -> usize {
        self.block_dimensions + 1
    }

    fn kind(&self) -> &'static str {
        "reduced-hypercube"
    }

    fn dims(&self) -> usize {
        self.block_dimensions
    }

    fn summary(&self) -> String {
        format!("reduced hypercube {self}")
    }

    fn machine_name(&self) -> &'static str {
        "rh"
    }

    fn describe(&self, wire: usize) -> String {
        if wire == self.between_blocks() {
            "between building blocks".to_owned()
        } else {
            self.cube.describe(wire)
        }
    }

    fn node_name(&self, node: usize) -> String {
        let (block, subblock) = (self.block(node), self.subblock(node));
        match self.low_bits() {
            0 => format!("{block}_{subblock}"),
            _ => format!("{block}_{subblock}_{}", self.low(node)),
        }
    }

    fn node_name_fields(&self) -> &'static str {
        match self.low_bits() {
            0 => "block and sub-block",
            _ => "block, sub-block and low bits",
        }
    }

    fn node_named(&self, name: &str) -> Option<usize> {
        let fields: Option<Vec<usize>> = name.split('_').map(whole).collect();
        let (block, subblock, low) = match (fields.as_deref()?, self.low_bits()) {
            ([node], _) => return Some(*node).filter(|node| *node < self.cube.nodes()),
            ([block, subblock], 0) => (*block, *subblock, 0),
            ([block, subblock, low], 1..) => (*block, *subblock, *low),
            _ => return None,
        };
        let is_there = block < 1 << self.blocks_dimensions()
            && subblock < self.blocks_dimensions()
            && low < 1 << self.low_bits();
        is_there.then(|| self.node(block, subblock, low))
    }

    /// As in `node_2_1_3 = 10|1|11`: the fields in binary.
    fn node_title(&self, node: usize) -> String {
        let (of_block, of_subblock) = (self.blocks_dimensions(), self.subblock_bits);
        let (block, subblock) = (self.block(node), self.subblock(node));
        let title = format!(
            "node_{} = {block:0of_block$b}|{subblock:0of_subblock$b}",
            self.node_name(node)
        );
        match self.low_bits() {
            0 => title,
            of_low => format!("{title}|{:0of_low$b}", self.low(node)),
        }
    }

    fn labelled(&self) -> Vec<Labelled> {
        let wire = |wire, name: &str, tap| Labelled {
            scope: match wire == self.between_blocks() {
                true => "between_blocks".to_owned(),
                false => format!("dim_{wire}"),
            },
            name: name.to_owned(),
            wires: vec![tap],
        };
        (0..self.links())
            .flat_map(|number| {
                [
                    wire(number, "tx", Tap::Driven(number)),
                    wire(number, "rx", Tap::Received(number)),
                ]
            })
            .collect()
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        self.neighbour(node, wire)
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        self.cube.groups::<B>(machines)
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        self.cube.seat::<B>(node)
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        self.cube.node_at::<B>(group, place)
    }

    fn crossings(&self, link: usize, log2_nodes: usize) -> Option<Vec<Crossing>> {
        if link != self.between_blocks() {
            return self.cube.crossings(link, log2_nodes);
        }
        let seat_bits: Option<Vec<usize>> = (self.low_bits()..self.block_dimensions)
            .map(|bit| self.cube.seat_bit(bit, log2_nodes))
            .collect();
        let seat_bits = seat_bits?;
        let bits_of = |subblock: usize| {
            let ones = seat_bits.iter().enumerate();
            ones.filter(|(bit, _)| address_bit(subblock, *bit))
                .fold(0, |bits, (_, seat_bit)| bits | 1 << seat_bit)
        };
        (0..self.blocks_dimensions())
            .map(|subblock| {
                Some(Crossing {
                    flips: self
                        .cube
                        .seat_bit(self.block_dimensions + subblock, log2_nodes)?,
                    mask: bits_of(self.blocks_dimensions() - 1),
                    value: bits_of(subblock),
                })
            })
            .collect()
    }

    fn seat_bit(&self, bit: usize, log2_nodes: usize) -> Option<usize> {
        self.cube.seat_bit(bit, log2_nodes)
    }

    #[inline]
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        if wire == self.between_blocks() {
            self.receive_between_blocks(wires, group)
        } else {
            let driven = self.block_dimensions + 1;
            self.cube.across(wires, driven, (group, wire), wire)
        }
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B]) {
        self.cube.address(group, before, address);
    }
}

impl ReducedHypercube {
    /// The lowest bits of a group's sub-blocks that are the same in all its nodes: how many, and what they are.
    #[inline]
    fn subblock_of_group<B: Lanes>(self, group: usize) -> (usize, usize) {
        let between = self.cube.between_groups::<B>();
        let shared = between
            .saturating_sub(self.low_bits())
            .min(self.subblock_bits);
        // There are such bits only where `between` is larger than the bits below them.
        let bits =
            (0..shared).map(|bit| (group >> (between - 1 - self.low_bits() - bit) & 1) << bit);
        (shared, bits.sum())
    }

    /// What a group's nodes receive on the wire between building blocks.
    #[inline]
    fn receive_between_blocks<B: Lanes>(self, wires: &[B], group: usize) -> B {
        let wire = self.between_blocks();
        let (shared, lowest) = self.subblock_of_group::<B>(group);
        let between = self.cube.between_groups::<B>();
        let mut received = B::ZERO;
        for highest in 0..1 << (self.subblock_bits - shared) {
            let subblock = highest << shared | lowest;
            let across = self.block_dimensions + subblock;
            let driven = self.block_dimensions + 1;
            let came = (self.cube).across(wires, driven, (group, wire), across);
            let here = (shared..self.subblock_bits).fold(B::ONE, |here, bit| {
                let place = B::place_bit(self.low_bits() + bit - between);
                here & if address_bit(subblock, bit) {
                    place
                } else {
                    !place
                }
            });
            received = received | came & here;
        }
        received
    }
}
