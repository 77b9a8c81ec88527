//! Section 5.4: the copies of the butterfly of `n` levels, laid into the copies of the cube-connected cycles (Theorem 3). The two
//! networks have the same vertices. A butterfly's straight edge is a straight link; its cross edge is a cross link and a straight
//! one behind it, so the dilation is 2:
//!
//! ```text
//!   <l, c> -------straight-------> <l + 1, c>
//!      |
//!    cross
//!      v
//!   <l, c ^ 2^l> --straight--> <l + 1, c ^ 2^l>
//! ```
//!
//! A straight link then has two edges and a cross link one: on the cycles the congestion is 2, as the paper says, and on the
//! hypercube it is 4 (the two straight links that share a wire across dimension 1).

use crate::embedding::constructions::ccc_copies::{HOSTS, WHY, copies_in, vertices};
use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::sizes;
use crate::embedding::copies::Copies;
use crate::embedding::paths::Embedding;
use crate::error::Error;

#[cfg(test)]
mod tests;

/// The construction.
pub struct ButterflyCopies;

/// The edges out of a vertex of a copy's butterfly, straight and cross: where each leads, and the dimensions that it crosses.
pub(super) fn edges_from(copies: &Copies, copy: usize, vertex: usize) -> [(usize, Vec<u8>); 2] {
    let network = copies.network();
    let level = network.level(vertex);
    let straight = copies.straight_dimension(copy, level) as u8;
    let cross = copies.cross_dimension(copy, level) as u8;
    let crossed = network.straight(network.cross(vertex));
    [
        (network.straight(vertex), vec![straight]),
        (crossed, vec![cross, straight]),
    ]
}

impl Construction for ButterflyCopies {
    fn name(&self) -> &'static str {
        "butterfly-copies"
    }

    fn models(&self) -> &'static str {
        "n copies of the butterfly of n levels"
    }

    fn theorem(&self) -> &'static str {
        "section 5.4"
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
        let nodes = copies.network().nodes();
        let mut embedding = vertices(&copies);
        for copy in 0..copies.copies() {
            let first = copy * nodes;
            for vertex in 0..nodes {
                for (to, path) in edges_from(&copies, copy, vertex) {
                    embedding.add_edge([first + vertex, first + to], [path]);
                }
            }
        }
        Ok(embedding)
    }

    /// The congestion on the cycles times that of the cycles.
    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        self.host(ask)?;
        Ok(Claim {
            width: Figure::Is(1),
            dilation: Figure::Is(2),
            congestion: Figure::Is(4),
            packets: Figure::Is(1),
            cost: Figure::Order("O(1)"),
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        Ok(Claim {
            cost: Figure::Is(COST),
            ..self.paper(ask)?
        })
    }
}

/// Hop by hop: first a wire's straight links, of straight edges, and its cross link, then the straight links of cross edges.
const COST: usize = 4;
