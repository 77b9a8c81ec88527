//! Theorem 2: the directed cycle of `2^(n+1)` vertices, two on a node, which keeps nearly all wires busy.
//!
//! The address is [divided](super::split) into two halves, and now both rows and columns have special cycles. Each node is on
//! one of either, so two edges lead on from it, and the cycle is an Eulerian tour of them all:
//!
//! ```text
//!        |       |
//!   -----+-------+---->     Column edges go by detours over neighbouring columns, row edges over neighbouring rows: the
//!        |       |          first hops of the ones are in columns' dimensions, those of the others in rows' dimensions. No
//!   -----+-------+---->     edge goes straight: its wire is in another edge's detour.
//!        v       v
//! ```
//!
//! There are two:
//!
//! - [`DoubleCycle::InThreeSteps`]: as many detours as there are cycles for all moments. With `n = 4k + r` and rows of `2k`
//!   bits they are `2k`, as in the theorem, where that is a power of two: for `n = 4..=11` and 16. For `n = 12..=15` they
//!   are 4, and not the 6 of the theorem. Where `n` is 4, 8 or 16, every wire carries a packet in every step.
//! - [`DoubleCycle::Wide`]: `floor(n/2)` detours, and moments modulo the number of cycles. At most two of them name the same
//!   cycle, so the second hops take two steps, and the cost is 4. Where `n` is 4, 5, 8, 9 or 16 no two do, and the cost is 3.

use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::split::Split;
use crate::embedding::hamiltonian::{Decomposition, MOST};
use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

#[cfg(test)]
mod tests;

/// The construction, in its two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoubleCycle {
    /// Cost 3.
    InThreeSteps,
    /// Width `floor(n/2)`.
    Wide,
}

impl DoubleCycle {
    /// The address of so many dimensions, 4 and more.
    fn split(self, dimensions: usize) -> Split {
        let (k, half) = (dimensions / 4, dimensions / 2);
        let (rows, detours) = match self {
            // The highest power of two that is not above 2k.
            DoubleCycle::InThreeSteps => (2 * k, 1 << (2 * k).ilog2()),
            DoubleCycle::Wide => (half, half),
        };
        Split {
            rows,
            columns: dimensions - rows,
            detours,
        }
    }
}

impl Construction for DoubleCycle {
    fn name(&self) -> &'static str {
        match self {
            DoubleCycle::InThreeSteps => "double-cycle",
            DoubleCycle::Wide => "double-cycle-wide",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            DoubleCycle::InThreeSteps => {
                "the directed cycle of 2^(n+1) vertices, two on a node, a phase in 3 steps"
            }
            DoubleCycle::Wide => {
                "the directed cycle of 2^(n+1) vertices, two on a node, each edge over floor(n/2) paths"
            }
        }
    }

    fn theorem(&self) -> &'static str {
        "Theorem 2"
    }

    fn default_dimensions(&self) -> usize {
        8
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        match self {
            DoubleCycle::InThreeSteps => &[4, 8],
            DoubleCycle::Wide => &[6, 7],
        }
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        ask.dimensions_of(self, 4..=MOST)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let dimensions = self.host(ask)?;
        let split = self.split(dimensions);
        let tour = tour(split)?;
        let host = Dimensions::new(dimensions)?;
        let vertices = 2 * host.nodes();
        if tour.len() != vertices + 1 || tour[vertices] != tour[0] {
            return Err(self.refused(
                dimensions,
                "the special cycles have no Eulerian tour",
                "choose 4 to 11 dimensions".to_owned(),
            ));
        }
        let detours = split.paths();
        let mut embedding = Embedding::new(host, tour[..vertices].to_vec());
        for (vertex, ends) in tour.windows(2).enumerate() {
            let dimension = (ends[0] ^ ends[1]).trailing_zeros() as usize;
            embedding.add_edge([vertex, (vertex + 1) % vertices], &detours[dimension]);
        }
        Ok(embedding)
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let dimensions = self.host(ask)?;
        let half = dimensions / 2;
        let (width, cost) = match (self, dimensions % 4) {
            (_, 0 | 1) => (half, 3),
            (DoubleCycle::InThreeSteps, _) => (half - 1, 3),
            (DoubleCycle::Wide, _) => (half, 4),
        };
        Ok(claim(width, cost, Figure::Unsaid))
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        let dimensions = self.host(ask)?;
        let width = self.split(dimensions).detours;
        let cost = match (self, dimensions) {
            (DoubleCycle::InThreeSteps, _) | (_, 4 | 5 | 8 | 9 | 16) => 3,
            (DoubleCycle::Wide, _) => 4,
        };
        Ok(claim(width, cost, Figure::Is(cost)))
    }
}

fn claim(width: usize, cost: usize, congestion: Figure) -> Claim {
    Claim {
        width: Figure::Is(width),
        dilation: Figure::Is(3),
        congestion,
        packets: Figure::Is(width),
        cost: Figure::Is(cost),
    }
}

/// The nodes of an Eulerian tour of all special cycles, from node 0 to node 0: Hierholzer's way, which goes on until it is stuck
/// at node 0, and from nodes behind it, where an edge is left, adds other closed walks.
fn tour(split: Split) -> Result<Vec<u32>, Error> {
    let of_columns = Decomposition::new(split.rows)?;
    let of_rows = Decomposition::new(split.columns)?;
    let mut gone = vec![0u8; 1 << split.dimensions()];
    let mut way = vec![0u32];
    let mut backwards = Vec::new();
    while let Some(&top) = way.last() {
        let node = top as usize;
        let next = match gone[node] {
            0 => split.down_column(&of_columns, node),
            1 => split.along_row(&of_rows, node),
            _ => {
                way.pop();
                backwards.push(top);
                continue;
            }
        };
        gone[node] += 1;
        way.push(next as u32);
    }
    backwards.reverse();
    Ok(backwards)
}
