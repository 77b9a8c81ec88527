//! Theorem 4 of the cycle: the induced cross product (`product`) of the `n` directed Hamiltonian cycles of `Q_n`, in `Q_2n`. It
//! is `2^(n+1)` cycles, one in every row and column. Every vertex has one edge in its row and one in its column, and no two
//! copies share a wire, so the `n` packets of an edge take 3 steps, `1 + 1 + 1`: with `n` a power of two, as the labels of a
//! node's neighbours must be different.

use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::product::{self, Link};
use crate::embedding::constructions::sizes;
use crate::embedding::hamiltonian::Decomposition;
use crate::embedding::paths::Embedding;
use crate::error::Error;

#[cfg(test)]
mod tests;

/// The construction.
pub struct CycleProduct;

/// Twice 2 and 4 dimensions: 8 would be a host of 16.
const HOSTS: [usize; 2] = [4, 8];

impl Construction for CycleProduct {
    fn name(&self) -> &'static str {
        "cycle-product"
    }

    fn models(&self) -> &'static str {
        "the induced cross product of the cycle: one in every row and every column"
    }

    fn theorem(&self) -> &'static str {
        "Theorem 4"
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &HOSTS
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        let why = "rows and columns have 2 or 4 dimensions, a power of two";
        sizes::one_of(self, ask, &HOSTS, why)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let bits = self.host(ask)? / 2;
        let cycles = Decomposition::new(bits)?;
        let link = |cycle, node| Link {
            ends: [node, cycles.next(cycle, node)],
            path: vec![cycles.dimension(cycle, node) as u8],
        };
        let links = |cycle| (0..1 << bits).map(|node| link(cycle, node)).collect();
        let copies: Vec<Vec<Link>> = (0..cycles.cycles()).map(links).collect();
        product::induced(bits, &copies)
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let bits = self.host(ask)? / 2;
        Ok(Claim {
            width: Figure::Is(bits),
            dilation: Figure::Is(3),
            congestion: Figure::Unsaid,
            packets: Figure::Is(bits),
            cost: Figure::Is(3),
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        Ok(Claim {
            congestion: Figure::Is(3),
            ..self.paper(ask)?
        })
    }
}
