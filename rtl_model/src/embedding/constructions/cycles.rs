//! Lemma 1: copies of the directed cycle of `2^n` vertices, `n` of them, or `n - 1` if that is odd, one on each of the
//! [`hamiltonian`](crate::embedding::hamiltonian) cycles and directions. With even `n` every wire is an edge of one copy; with
//! odd `n` those of a perfect matching are left over.

use crate::embedding::constructions::construction::{Ask, Claim, Construction};
use crate::embedding::hamiltonian::{Decomposition, MOST};
use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

#[cfg(test)]
mod tests;

/// The construction.
pub struct Cycles;

impl Construction for Cycles {
    fn name(&self) -> &'static str {
        "cycles"
    }

    fn models(&self) -> &'static str {
        "n copies of the directed cycle of 2^n vertices (n - 1 if n is odd), which share no wire"
    }

    fn theorem(&self) -> &'static str {
        "Lemma 1"
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[4, 7, 8]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        ask.dimensions_of(self, 2..=MOST)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let host = Dimensions::new(self.host(ask)?)?;
        let cycles = Decomposition::new(host.count())?;
        let (places, dimensions) = one_after_another(&cycles, 1);
        let copies = cycles.cycles();
        let mut embedding = Embedding::new(host, places).with_copies(copies);
        for (vertex, dimension) in dimensions.into_iter().enumerate() {
            let first = vertex / host.nodes() * host.nodes();
            let next = first + (vertex + 1) % host.nodes();
            embedding.add_edge([vertex, next], [[dimension]]);
        }
        Ok(embedding)
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        self.host(ask)?;
        Ok(Claim::ONE_WIRE_EACH)
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        self.paper(ask)
    }
}

/// The nodes of directed cycles, each from node 0 on, and the dimension that leads on from each: of every cycle with `every` 1, of
/// those that go forward with 2.
pub(super) fn one_after_another(cycles: &Decomposition, every: usize) -> (Vec<u32>, Vec<u8>) {
    let mut nodes = Vec::new();
    let mut dimensions = Vec::new();
    for cycle in (0..cycles.cycles()).step_by(every) {
        let mut node = 0;
        for _ in 0..1usize << cycles.dimensions() {
            nodes.push(node as u32);
            dimensions.push(cycles.dimension(cycle, node) as u8);
            node = cycles.next(cycle, node);
        }
    }
    (nodes, dimensions)
}
