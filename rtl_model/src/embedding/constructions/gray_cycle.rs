//! The cycle along the binary reflected Gray code (section 2, figure 1): each edge on the one wire that joins its ends. An edge's
//! packets go one behind the other, and the other wires have nothing to do.

use crate::embedding::constructions::construction::{Ask, Claim, Construction};
use crate::embedding::gray_code::{gray, transition};
use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

/// The construction.
pub struct GrayCycle;

/// The most dimensions: a cycle of 65,536 vertices.
const MOST: usize = 16;

impl Construction for GrayCycle {
    fn name(&self) -> &'static str {
        "gray-cycle"
    }

    fn models(&self) -> &'static str {
        "the cycle of 2^n vertices along the Gray code, one path an edge"
    }

    fn theorem(&self) -> &'static str {
        "section 2"
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[4, 8]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        ask.dimensions_of(self, 1..=MOST)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let dimensions = self.host(ask)?;
        let host = Dimensions::new(dimensions)?;
        let nodes = host.nodes();
        let places = (0..nodes).map(|at| gray(at) as u32).collect();
        let mut embedding = Embedding::new(host, places);
        for at in 0..nodes {
            let dimension = transition(dimensions, at) as u8;
            embedding.add_edge([at, (at + 1) % nodes], [[dimension]]);
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
