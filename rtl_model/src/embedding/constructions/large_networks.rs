//! Lemma 9: one large copy of the cube-connected cycles, the butterfly or the FFT, with `n` levels of `2^n` columns, in the
//! hypercube of `n` dimensions. Column `c` lies on node `c`, all `n` levels of it, so its straight edges are inside a node and
//! take paths of no hops. A cross edge of level `l` crosses dimension `l`:
//!
//! ```text
//!                        node c           node c ^ 2          n = 3
//!   level 0              o--dim 0--        o--dim 0--
//!           straight     |                 |
//!   level 1              o-----dim 1-------o
//!           straight     |                 |
//!   level 2              o--dim 2--        o--dim 2--
//! ```
//!
//! | network   | cross edge of level `l`                | after the last level            |
//! |-----------|----------------------------------------|---------------------------------|
//! | CCC       | `<l, c>` to `<l, c ^ 2^l>`             | level 0 again                   |
//! | butterfly | `<l, c>` to `<l + 1, c ^ 2^l>`         | level 0 again                   |
//! | FFT       | `<l, c>` to `<l + 1, c ^ 2^l>`         | nothing: `n - 1` ranks of edges |
//!
//! - Every wire has one cross edge: the paper's congestion of 2 for the butterfly and the FFT is that of the two wires between
//!   two nodes together. (Of two levels the butterfly's two ranks have both straight edges between the same columns, one each
//!   way.)
//! - The paper gives the FFT `n 2^n` vertices, and so it is here: `n` levels. The FFT of `2^n` points has a level more. With `n`
//!   levels nothing crosses dimension `n - 1`, and the guest is two FFTs of `2^(n - 1)` points, side by side.

use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

#[cfg(test)]
mod tests;

/// A network whose columns are the hypercube's nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LargeNetwork {
    /// Cube-connected cycles.
    Ccc,
    /// The butterfly, its last level joined to the first.
    Butterfly,
    /// The FFT: the butterfly that is open at its ends.
    Fft,
}

/// The most dimensions: two million edges.
const MOST: usize = 16;

impl Construction for LargeNetwork {
    fn name(&self) -> &'static str {
        match self {
            LargeNetwork::Ccc => "large-ccc",
            LargeNetwork::Butterfly => "large-butterfly",
            LargeNetwork::Fft => "large-fft",
        }
    }

    fn models(&self) -> &'static str {
        match self {
            LargeNetwork::Ccc => "the cube-connected cycles of n * 2^n vertices, a cycle on a node",
            LargeNetwork::Butterfly => "the butterfly of n * 2^n vertices, a column on a node",
            LargeNetwork::Fft => "the FFT of n levels of 2^n vertices, a column on a node",
        }
    }

    fn theorem(&self) -> &'static str {
        "Lemma 9"
    }

    fn default_dimensions(&self) -> usize {
        6
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &[4, 8]
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        ask.dimensions_of(self, 2..=MOST)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let levels = self.host(ask)?;
        let host = Dimensions::new(levels)?;
        let columns = host.nodes();
        let vertex = |level: usize, column: usize| level % levels * columns + column;
        let places = (0..levels * columns).map(|vertex| (vertex % columns) as u32);
        let mut embedding = Embedding::new(host, places.collect());
        let ranks = match self {
            LargeNetwork::Fft => levels - 1,
            LargeNetwork::Ccc | LargeNetwork::Butterfly => levels,
        };
        for level in 0..ranks {
            let across = match self {
                LargeNetwork::Ccc => level,
                LargeNetwork::Butterfly | LargeNetwork::Fft => level + 1,
            };
            for column in 0..columns {
                let from = vertex(level, column);
                embedding.add_edge([from, vertex(level + 1, column)], [[]]);
                let cross = vertex(across, column ^ 1 << level);
                embedding.add_edge([from, cross], [[level as u8]]);
            }
        }
        Ok(embedding)
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let corrected = self.corrected(ask)?;
        Ok(Claim {
            congestion: Figure::Is(match self {
                LargeNetwork::Ccc => 1,
                LargeNetwork::Butterfly | LargeNetwork::Fft => 2,
            }),
            ..corrected
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        self.host(ask)?;
        Ok(Claim::ONE_WIRE_EACH)
    }
}
