//! The hypercube: node `x` and node `x ^ 2^d` are joined across dimension `d`, one wire each way.

use crate::language::lanes::Lanes;
use crate::machine::topology::{Crossing, Labelled, Tap, Topology};

pub use crate::machine::topology::dimensions::{Dimensions, MAX_DIMENSIONS};

/// One wire a dimension each way; bit `d` of an address is that of dimension `d`.
///
/// In lanes, the highest dimensions lie within a group and the others lead from group to group, dimension 0 the farthest:
///
/// ```text
///   address   k-1 ... g | g-1 .. 1 0        2^g groups of a cube
///   place     <- its bits, in order
///   group                 0 .. g-2 g-1      its bits, in reverse
/// ```
///
/// Most routers pass the dimensions upwards, and what is behind them they never use again: so the halves of a range of
/// groups, and the halves of these, become independent of each other as a run goes on (see
/// [`Fabric::advance`](crate::machine::fabric::Fabric::advance)). Cubes smaller than a group lie side by side in it.
impl Topology for Dimensions {
    fn nodes(&self) -> usize {
        Dimensions::nodes(*self)
    }

    fn address_bits(&self) -> usize {
        self.count()
    }

    fn links(&self) -> usize {
        self.count()
    }

    fn kind(&self) -> &'static str {
        "hypercube"
    }

    fn describe(&self, wire: usize) -> String {
        format!("across dimension {wire}")
    }

    fn labelled(&self) -> Vec<Labelled> {
        let wire = |dimension, name: &str, tap| Labelled {
            scope: format!("dim_{dimension}"),
            name: name.to_owned(),
            wires: vec![tap],
        };
        (0..self.count())
            .flat_map(|dimension| {
                [
                    wire(dimension, "tx", Tap::Driven(dimension)),
                    wire(dimension, "rx", Tap::Received(dimension)),
                ]
            })
            .collect()
    }

    fn sender(&self, node: usize, wire: usize) -> usize {
        neighbour(node, wire)
    }

    fn groups<B: Lanes>(&self, machines: usize) -> usize {
        (machines * self.nodes()).div_ceil(B::NODES)
    }

    fn seat<B: Lanes>(&self, node: usize) -> (usize, usize) {
        let between = self.between_groups::<B>();
        let machine_and_place = node >> between;
        match between {
            0 => (node / B::NODES, node % B::NODES),
            _ => (
                ((machine_and_place / B::NODES) << between) | reversed(node, between),
                machine_and_place % B::NODES,
            ),
        }
    }

    fn node_at<B: Lanes>(&self, group: usize, place: usize) -> usize {
        let between = self.between_groups::<B>();
        let low = reversed(group & ((1 << between) - 1), between);
        ((group >> between) * B::NODES + place) << between | low
    }

    fn as_hypercube(&self) -> Option<Dimensions> {
        Some(*self)
    }

    fn crossings(&self, link: usize, log2_nodes: usize) -> Option<Vec<Crossing>> {
        let all_nodes = |flips| Crossing {
            flips,
            mask: 0,
            value: 0,
        };
        self.seat_bit(link, log2_nodes)
            .map(|flips| vec![all_nodes(flips)])
    }

    fn seat_bit(&self, bit: usize, log2_nodes: usize) -> Option<usize> {
        let between = self.count().saturating_sub(log2_nodes);
        Some(match bit.checked_sub(between) {
            Some(place) => place,
            None => log2_nodes + between - 1 - bit,
        })
    }

    #[inline]
    fn receive<B: Lanes>(&self, wires: &[B], group: usize, wire: usize) -> B {
        self.across(wires, self.count(), (group, wire), wire)
    }

    #[inline]
    fn address<B: Lanes>(&self, group: usize, before: Option<usize>, address: &mut [B]) {
        let between = self.between_groups::<B>();
        let changed = match before {
            Some(before) => group ^ before,
            None => {
                for (place, bit) in address[between..].iter_mut().enumerate() {
                    *bit = B::place_bit(place);
                }
                usize::MAX
            }
        };
        let mut left = changed & ((1 << between) - 1);
        while left != 0 {
            let bit = left.trailing_zeros() as usize;
            address[between - 1 - bit] = B::from_strobe(group >> bit & 1 == 1);
            left &= left - 1;
        }
    }
}

impl Dimensions {
    /// Dimensions, the lowest, that lead from group to group.
    #[inline]
    pub(crate) fn between_groups<B: Lanes>(self) -> usize {
        self.count().saturating_sub(B::LOG2_NODES)
    }

    /// What comes to a group across `dimension` on a wire, where `wires[group * driven + wire]` is what each group
    /// drives.
    #[inline]
    pub(crate) fn across<B: Lanes>(
        self,
        wires: &[B],
        driven: usize,
        (group, wire): (usize, usize),
        dimension: usize,
    ) -> B {
        match self.between_groups::<B>().checked_sub(dimension + 1) {
            Some(bit) => wires[(group ^ 1 << bit) * driven + wire],
            None => wires[group * driven + wire].across(dimension - self.between_groups::<B>()),
        }
    }
}

/// The lowest `width` bits, the other way round.
fn reversed(number: usize, width: usize) -> usize {
    match width {
        0 => 0,
        _ => number.reverse_bits() >> (usize::BITS as usize - width),
    }
}

/// The node at the other end of the wire of `dimension`.
#[inline]
pub fn neighbour(node: usize, dimension: usize) -> usize {
    node ^ 1 << dimension
}

/// Bit `dimension` of an address.
#[inline]
pub fn address_bit(node: usize, dimension: usize) -> bool {
    node >> dimension & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_the_range_are_checked() {
        assert!(Dimensions::new(0).is_err());
        assert!(Dimensions::new(35).is_err());
        let cube = Dimensions::new(3).unwrap();
        assert_eq!((cube.count(), cube.nodes(), cube.wires()), (3, 8, 24));
        assert_eq!(Dimensions::new(34).unwrap().nodes(), 1 << 34);
    }

    #[test]
    fn a_wire_joins_two_nodes_that_differ_in_one_bit() {
        assert_eq!(neighbour(0b101, 1), 0b111);
        assert_eq!(neighbour(0b111, 1), 0b101);
        assert!(address_bit(0b100, 2) && !address_bit(0b100, 1));
    }
}
