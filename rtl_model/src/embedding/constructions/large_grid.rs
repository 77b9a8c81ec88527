//! Sections 8.1 and 8.3: the large grid, a torus of `a 2^a` by `a 2^a` vertices in `Q_2a`, `a` even: the cross product of two
//! large cycles (Corollary 3), `cross_product`. A node has `a^2` vertices. A cycle passes each wire of its hypercube once; of the
//! lines along an axis that lie on the same nodes there are `a`, so the congestion is `a`: the "log N paths per hypercube link"
//! of section 8.3.

use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::cross_product::{self, Axis};
use crate::embedding::constructions::large_cycle::LargeCycle;
use crate::embedding::constructions::sizes;
use crate::embedding::paths::Embedding;
use crate::error::Error;

#[cfg(test)]
mod tests;

/// The construction.
pub struct LargeGrid;

/// Twice an even number of dimensions: of 16 there would be four million vertices.
const HOSTS: [usize; 3] = [4, 8, 12];

impl Construction for LargeGrid {
    fn name(&self) -> &'static str {
        "large-grid"
    }

    fn models(&self) -> &'static str {
        "the torus of a * 2^a by a * 2^a vertices in 2a dimensions, a * a on a node"
    }

    fn theorem(&self) -> &'static str {
        "section 8.3"
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[4, 8]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        let why = "it is made for twice 2, 4 or 6 dimensions";
        sizes::one_of(self, ask, &HOSTS, why)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let bits = self.host(ask)? / 2;
        let cycle = LargeCycle::Directed.embed(&Ask::of_dimensions(bits))?;
        let axis = Axis {
            cycle: &cycle,
            side: cycle.vertices(),
        };
        cross_product::grid(&[axis, axis])
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let bits = self.host(ask)? / 2;
        Ok(Claim {
            width: Figure::Is(1),
            dilation: Figure::Is(1),
            congestion: Figure::Is(bits),
            packets: Figure::Is(1),
            cost: Figure::Unsaid,
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        let bits = self.host(ask)? / 2;
        Ok(Claim {
            cost: Figure::Is(bits),
            ..self.paper(ask)?
        })
    }
}
