//! Cross products of cycles (section 4.5): grids and tori. Each axis lies in dimensions of its own, so every line of the grid
//! along an axis lies in a hypercube of its own, in the way that the axis does, and nothing that holds of the axis is lost:
//!
//! ```text
//!   address    | axis 1 | axis 0 |         vertex (x, y) of sides 3 and 4 is number x + 3 y
//! ```

use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

/// An axis of a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis<'a> {
    /// A cycle in its hypercube: vertex `x` has an edge to the next one, and no other.
    pub(super) cycle: &'a Embedding,
    /// The first vertices of the cycle: a path, or with all of them the cycle.
    pub(super) side: usize,
}

impl Axis<'_> {
    /// By coordinate, the edge onwards: the coordinate to which it leads, and its paths, in dimensions from `lowest` on.
    fn onwards(self, lowest: usize) -> Vec<Option<(usize, Vec<Vec<u8>>)>> {
        let mut onwards = vec![None; self.side];
        for edge in 0..self.cycle.edges() {
            let [from, to] = self.cycle.edge(edge);
            // Only the whole cycle has its last vertex, and so the edge back to the first.
            if from < self.side && to < self.side {
                let shifted = |path: &[u8]| path.iter().map(|hop| hop + lowest as u8).collect();
                onwards[from] = Some((to, self.cycle.paths(edge).map(shifted).collect()));
            }
        }
        onwards
    }
}

/// The grid of these axes, at least one, all as wide, with the packets of the first.
///
/// # Errors
/// A hypercube that is too large.
pub(super) fn grid(axes: &[Axis<'_>]) -> Result<Embedding, Error> {
    let bits = |axis: &Axis<'_>| axis.cycle.host().count();
    let host = Dimensions::new(axes.iter().map(bits).sum())?;
    let mut places = vec![0u32];
    let mut lowest = 0;
    for axis in axes {
        let smaller = places;
        places = (0..axis.side)
            .flat_map(|x| {
                let place = (axis.cycle.place(x) << lowest) as u32;
                smaller.iter().map(move |rest| place | rest)
            })
            .collect();
        lowest += bits(axis);
    }

    let vertices = places.len();
    let mut embedding = Embedding::new(host, places);
    let (mut lowest, mut stride) = (0, 1);
    for axis in axes {
        let onwards = axis.onwards(lowest);
        for vertex in 0..vertices {
            let x = vertex / stride % axis.side;
            if let Some((next, paths)) = &onwards[x] {
                let end = vertex - x * stride + next * stride;
                embedding.add_edge([vertex, end], paths);
            }
        }
        lowest += bits(axis);
        stride *= axis.side;
    }
    if let Some(first) = axes.first() {
        embedding.set_packets(first.cycle.packets().iter().copied());
    }
    Ok(embedding)
}
