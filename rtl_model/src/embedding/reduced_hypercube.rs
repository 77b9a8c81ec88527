//! What is known of the reduced hypercube (Mukherjee 1994, section 1.3.1, after Ziavras), counted, beside its closed forms.
//!
//! - [`emulation`] has the hypercube with as many nodes laid into it: how many wires stand for a link.
//! - [`cycles`] finds cube-connected cycles in it, side by side.
//! - [`symmetry`] shows that all its nodes are alike.
//!
//! The diameter is not in the paper. Of the furthest node all `2^n` bits of the block differ, so a way to it visits all
//! sub-blocks, and crosses the dimension of each. A walk through all corners of a cube of `n` dimensions has `2^n` steps at
//! the most, and as many where it ends in the corner where it began. Together with the bits of the low field:
//!
//! ```text
//!   2^n crossings  +  2^n steps from sub-block to sub-block  +  k - n steps in one   =   2^(n+1) + k - n
//! ```

use crate::embedding::distances::Distances;
use crate::machine::topology::Topology;
use crate::machine::topology::reduced_hypercube::ReducedHypercube;

pub mod cycles;
pub mod emulation;
pub mod symmetry;

/// How many links lead to the furthest node of RH(k,n): the closed form.
pub const DIAMETER: &str = "2^(n+1)+k-n";

/// How far all nodes are from one, by search.
pub fn distances(network: ReducedHypercube, source: usize) -> Distances {
    Distances::from(source, network.nodes(), |node| {
        (0..network.links()).map(move |wire| network.neighbour(node, wire))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closed_form::ClosedForm;
    use crate::embedding::distances::MOST_SEARCHED;

    #[test]
    fn the_diameter_is_what_the_search_finds() {
        for (k, n, furthest) in [
            (1, 1, 4),
            (3, 1, 6),
            (2, 2, 8),
            (3, 2, 9),
            (5, 2, 11),
            (7, 1, 10),
            (3, 3, 16),
            (8, 3, 21),
            (4, 4, 32),
        ] {
            let network = ReducedHypercube::new(k, n).unwrap();
            assert!(network.nodes() <= MOST_SEARCHED);
            let from_0 = distances(network, 0);
            let closed_form = ClosedForm::of(DIAMETER, &network.letters());
            assert_eq!(
                (from_0.furthest() as u64, closed_form.value),
                (furthest, furthest),
                "{network}"
            );
            assert_eq!(from_0.reached(), network.nodes());
        }
    }

    #[test]
    fn the_search_finds_the_same_from_every_node() {
        for (k, n) in [(1, 1), (3, 1), (2, 2), (3, 2)] {
            let network = ReducedHypercube::new(k, n).unwrap();
            let first = distances(network, 0);
            for source in 1..network.nodes() {
                let here = distances(network, source);
                assert_eq!(
                    here.by_distance(),
                    first.by_distance(),
                    "{network}, {source}"
                );
            }
        }
    }
}
