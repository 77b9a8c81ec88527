//! The hypercube of `k + 2^n` dimensions in RH(k,n), node on node: by which wires a node reaches its neighbours there.
//!
//! A link across one of the `k` lowest dimensions is a wire. The link across dimension `k + j` is crossed in sub-block `j`
//! alone: from sub-block `m` it takes a walk there, the lowest dimension first, and the same way back.
//!
//! ```text
//!   sub-block   m  --- walk --->  j                 popcount(m ^ j) wires
//!                                 |  wire k         1
//!   sub-block   m  <--- walk ---  j                 popcount(m ^ j) wires, in the other building block
//! ```
//!
//! So the *dilation* of the link, the wires of its way, is `2 popcount(m ^ j) + 1`.

use std::collections::BTreeMap;

use crate::closed_form::fraction::Fraction;
use crate::machine::topology::hypercube::address_bit;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;

/// The wires by which a node reaches its neighbour across a dimension of the hypercube, in order.
pub fn path(network: ReducedHypercube, node: usize, dimension: usize) -> Vec<usize> {
    let Some(crossed) = dimension.checked_sub(network.block_dimensions()) else {
        return vec![dimension];
    };
    let differs = network.subblock(node) ^ crossed;
    let there = (0..network.subblock_bits())
        .filter(|bit| address_bit(differs, *bit))
        .map(|bit| network.low_bits() + bit);
    let back = there.clone().rev();
    let across = std::iter::once(network.between_blocks());
    there.clone().chain(across).chain(back).collect()
}

/// The node to which wires lead, one after the other.
pub fn end(network: ReducedHypercube, node: usize, wires: &[usize]) -> usize {
    wires
        .iter()
        .fold(node, |node, wire| network.neighbour(node, *wire))
}

/// The dilation of the link of a node across a dimension: the closed form.
pub fn dilation(network: ReducedHypercube, node: usize, dimension: usize) -> usize {
    match dimension.checked_sub(network.block_dimensions()) {
        None => 1,
        Some(crossed) => 2 * (network.subblock(node) ^ crossed).count_ones() as usize + 1,
    }
}

/// How many links of a node have which dilation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dilations {
    links: BTreeMap<usize, usize>,
}

impl Dilations {
    /// Of links with these.
    pub fn of(dilations: impl IntoIterator<Item = usize>) -> Self {
        let mut links = BTreeMap::new();
        for dilation in dilations {
            *links.entry(dilation).or_default() += 1;
        }
        Dilations { links }
    }

    /// Of the links of a node, counted along their paths.
    pub fn of_node(network: ReducedHypercube, node: usize) -> Self {
        let dimensions = 0..network.cube().count();
        Self::of(dimensions.map(|dimension| path(network, node, dimension).len()))
    }

    /// Of any node: `k + 1` links of dilation 1, and as many of dilation `2p + 1` as there are ways to choose `p` of `n`
    /// bits, for `p` from 1 to `n`.
    pub fn closed_form(network: ReducedHypercube) -> Self {
        let bits = network.subblock_bits();
        let further = (1..=bits).map(|differing| (2 * differing + 1, choices(bits, differing)));
        let nearest = (1, network.block_dimensions() + 1);
        Dilations {
            links: std::iter::once(nearest).chain(further).collect(),
        }
    }

    /// Dilations, each with the links that have it, the smallest first.
    pub fn links(&self) -> impl Iterator<Item = (usize, usize)> {
        self.links
            .iter()
            .map(|(dilation, links)| (*dilation, *links))
    }

    /// The largest; none of no links.
    pub fn largest(&self) -> Option<usize> {
        self.links.keys().next_back().copied()
    }

    /// Over all links; none of no links.
    pub fn average(&self) -> Option<Fraction> {
        let count: usize = self.links.values().sum();
        let total: usize = self.links().map(|(dilation, links)| dilation * links).sum();
        (count > 0).then(|| Fraction::new(total as u64, count as u64))
    }
}

/// The closed form of the average dilation in RH(k,n).
pub const AVERAGE_DILATION: &str = "(k+(n+1)2^n)/(k+2^n)";

/// How many ways there are to choose some of so many bits.
fn choices(bits: usize, chosen: usize) -> usize {
    (0..chosen).fold(1, |ways, place| ways * (bits - place) / (place + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closed_form;
    use crate::embedding::reduced_hypercube::distances;

    fn average_dilation(network: ReducedHypercube) -> Fraction {
        closed_form::exact_value(AVERAGE_DILATION, &network.letters())
    }

    const SIZES: [(usize, usize); 7] = [(1, 1), (3, 1), (2, 2), (5, 2), (3, 3), (8, 3), (4, 4)];

    fn networks() -> impl Iterator<Item = ReducedHypercube> {
        SIZES
            .into_iter()
            .map(|(k, n)| ReducedHypercube::new(k, n).unwrap())
    }

    fn table(k: usize, n: usize) -> (Vec<(usize, usize)>, String) {
        let network = ReducedHypercube::new(k, n).unwrap();
        let dilations = Dilations::of_node(network, network.nodes() - 1);
        let average = dilations.average().unwrap();
        assert_eq!(average, average_dilation(network));
        (dilations.links().collect(), average.to_string())
    }

    /// The paper's two examples; it has 1.88 for the first average, which is 1.888...
    #[test]
    fn the_tables_of_two_sizes() {
        assert_eq!(
            table(5, 2),
            (vec![(1, 6), (3, 2), (5, 1)], "17/9".to_owned())
        );
        let of_8_3 = vec![(1, 9), (3, 3), (5, 3), (7, 1)];
        assert_eq!(table(8, 3), (of_8_3, "5/2".to_owned()));
    }

    #[test]
    fn a_path_read_wire_by_wire() {
        let network = ReducedHypercube::new(4, 3).unwrap();
        let node = network.node(0, 0b001, 1);
        // Dimension 4 + 6 is crossed in sub-block 6 = 110, which differs from 001 in all three bits: dimensions 1 to 3.
        assert_eq!(path(network, node, 4 + 6), [1, 2, 3, 4, 3, 2, 1]);
        assert_eq!(path(network, node, 4 + 1), [4]);
        assert_eq!(path(network, node, 2), [2]);
    }

    #[test]
    fn every_path_leads_to_the_neighbour_and_is_as_long_as_its_dilation() {
        for network in networks().filter(|network| network.nodes() <= 1 << 16) {
            for node in 0..network.nodes() {
                for dimension in 0..network.cube().count() {
                    let path = path(network, node, dimension);
                    assert_eq!(end(network, node, &path), node ^ 1 << dimension);
                    assert_eq!(path.len(), dilation(network, node, dimension));
                }
            }
        }
    }

    #[test]
    fn there_is_no_shorter_path() {
        for network in networks() {
            for subblock in [0, 1, network.blocks_dimensions() - 1] {
                let node = network.node(1, subblock, 0);
                let shortest = distances(network, node);
                for dimension in 0..network.cube().count() {
                    let links = shortest.to(node ^ 1 << dimension);
                    assert_eq!(links, Some(dilation(network, node, dimension)), "{network}");
                }
            }
        }
    }

    #[test]
    fn dilations_of_every_node_are_those_of_the_closed_form() {
        for network in networks() {
            let closed_form = Dilations::closed_form(network);
            assert_eq!(closed_form.largest(), Some(2 * network.subblock_bits() + 1));
            assert_eq!(closed_form.average(), Some(average_dilation(network)));
            for subblock in 0..network.blocks_dimensions() {
                let node = network.node(0, subblock, 0);
                assert_eq!(Dilations::of_node(network, node), closed_form);
            }
        }
    }

    #[test]
    fn a_table_that_is_not_that_of_the_closed_form_is_told_apart() {
        let network = ReducedHypercube::new(5, 2).unwrap();
        let wrong = Dilations::of([1, 1, 1, 1, 1, 1, 3, 3, 7]);
        assert_ne!(wrong, Dilations::closed_form(network));
        assert_ne!(wrong.average(), Some(average_dilation(network)));
        assert_eq!(
            (
                Dilations::default().average(),
                Dilations::default().largest()
            ),
            (None, None)
        );
    }
}
