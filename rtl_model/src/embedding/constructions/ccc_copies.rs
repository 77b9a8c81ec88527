//! Theorem 3: the `n` copies of the directed cube-connected cycles of `n` levels, in the hypercube of `n + log n` dimensions.
//! Where they lie is in [`copies`](crate::embedding::copies), which also says what is corrected. Every link lies on one wire, and
//! a wire has two links at the most.
//!
//! It is made for `n` = 2, 4 and 8. There are 16 copies of 16 levels too, in 20 dimensions: 33,554,432 links, too many to show.

use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::sizes;
use crate::embedding::copies::Copies;
use crate::embedding::paths::Embedding;
use crate::error::Error;

#[cfg(test)]
mod tests;

/// The construction.
pub struct CccCopies;

/// Dimensions of the hosts of 2, 4 and 8 copies.
pub(super) const HOSTS: [usize; 3] = [3, 6, 11];

/// Why there are no others.
pub(super) const WHY: &str = "copies of n levels, n = 2, 4 or 8, take n + log n dimensions";

/// The copies that fit into one of [`HOSTS`], exactly.
///
/// # Errors
/// As [`Copies::new`].
pub(super) fn copies_in(dimensions: usize) -> Result<Copies, Error> {
    let fits = |levels: &usize| levels + levels.ilog2() as usize >= dimensions;
    Copies::new([2, 4, 8].into_iter().find(fits).unwrap_or(16))
}

/// The guest of all copies without edges: node `v` of the network, in copy `c`, is vertex `c * nodes + v`.
pub(super) fn vertices(copies: &Copies) -> Embedding {
    let network = copies.network();
    let place = |copy, node| copies.map(copy, network.level(node), network.column(node)) as u32;
    let all = (0..copies.copies())
        .flat_map(|copy| (0..network.nodes()).map(move |node| place(copy, node)))
        .collect();
    Embedding::new(copies.dimensions(), all).with_copies(copies.copies())
}

impl Construction for CccCopies {
    fn name(&self) -> &'static str {
        "ccc-copies"
    }

    fn models(&self) -> &'static str {
        "n copies of the cube-connected cycles of n levels"
    }

    fn theorem(&self) -> &'static str {
        "Theorem 3"
    }

    fn default_dimensions(&self) -> usize {
        6
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[6, 11]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        sizes::one_of(self, ask, &HOSTS, WHY)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let copies = copies_in(self.host(ask)?)?;
        let network = copies.network();
        let mut embedding = vertices(&copies);
        for copy in 0..copies.copies() {
            let first = copy * network.nodes();
            for node in 0..network.nodes() {
                let level = network.level(node);
                let straight = copies.straight_dimension(copy, level) as u8;
                let cross = copies.cross_dimension(copy, level) as u8;
                embedding.add_edge([first + node, first + network.straight(node)], [[straight]]);
                embedding.add_edge([first + node, first + network.cross(node)], [[cross]]);
            }
        }
        Ok(embedding)
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        self.host(ask)?;
        Ok(Claim {
            width: Figure::Is(1),
            dilation: Figure::Is(1),
            congestion: Figure::Is(2),
            packets: Figure::Is(1),
            cost: Figure::Is(2),
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        self.paper(ask)
    }
}
