//! Corollary 3: with even `n`, the directed cycle of `n 2^n` vertices, which passes every wire of the hypercube once. It is the
//! directed cycles of Lemma 1, one after another: all pass node 0, so each begins and ends there.
//!
//! And the undirected cycle of `n 2^(n-1)` vertices: those cycles alone that go forward, and every edge both ways.

use crate::embedding::constructions::construction::{Ask, Claim, Construction};
use crate::embedding::constructions::cycles::one_after_another;
use crate::embedding::hamiltonian::{Decomposition, MOST};
use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

#[cfg(test)]
mod tests;

/// The construction, of either cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargeCycle {
    /// Of `n 2^n` vertices.
    Directed,
    /// Of `n 2^(n-1)` vertices, whose edges lead both ways.
    Undirected,
}

impl Construction for LargeCycle {
    fn name(&self) -> &'static str {
        match self {
            LargeCycle::Directed => "large-cycle",
            LargeCycle::Undirected => "large-cycle-undirected",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            LargeCycle::Directed => {
                "the directed cycle of n 2^n vertices over every wire once, n on a node"
            }
            LargeCycle::Undirected => {
                "the undirected cycle of n 2^(n-1) vertices over every wire once, n/2 on a node"
            }
        }
    }

    fn theorem(&self) -> &'static str {
        "Corollary 3"
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[4, 8]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        let dimensions = ask.dimensions_of(self, 2..=MOST)?;
        match dimensions % 2 {
            0 => Ok(dimensions),
            _ => Err(self.refused(
                dimensions,
                "their number is odd, and Hamiltonian cycles then leave wires of every node over",
                format!("choose {} or {}", dimensions - 1, dimensions + 1),
            )),
        }
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let host = Dimensions::new(self.host(ask)?)?;
        let (places, dimensions) = match self {
            LargeCycle::Directed => one_after_another(&Decomposition::new(host.count())?, 1),
            LargeCycle::Undirected => one_after_another(&Decomposition::new(host.count())?, 2),
        };
        let vertices = places.len();
        let mut embedding = Embedding::new(host, places);
        for (vertex, dimension) in dimensions.into_iter().enumerate() {
            embedding.add_edge([vertex, (vertex + 1) % vertices], [[dimension]]);
        }
        Ok(match self {
            LargeCycle::Directed => embedding,
            LargeCycle::Undirected => embedding.both_ways(),
        })
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        self.host(ask)?;
        Ok(Claim::ONE_WIRE_EACH)
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        self.paper(ask)
    }
}
