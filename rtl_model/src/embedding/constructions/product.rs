//! Theorem 4: the induced cross product `X(G)`, made of copies of a guest `G` that each take every node of `Q_n` once.
//!
//! The vertices of `X(G)` are the nodes of `Q_2n`: `2^n` rows, named by the upper `n` bits, and `2^n` columns, named by the lower
//! ones. Row `i` has the edges of the copy with the label of `i`, and so has column `i`. The label of `i` is its moment `M(i)`,
//! modulo the number of copies where there are fewer of them than moments. The moments of a node's `n` neighbours differ, so what
//! they have together are the copies, side by side.
//!
//! Path `k` of an edge in a row crosses into the neighbouring row `i ^ 2^k`, follows the edge there, and crosses back; path `k`
//! of one in a column goes via the neighbouring column:
//!
//! ```text
//!   row i            x . . . . . y
//!                    |           ^       dimension n + k
//!                    v           |
//!   row i ^ 2^k      . --edge--> .
//! ```
//!
//! So the width is `n`. In a phase of one packet a path, hop by hop, the first hops and the last ones take as many steps as a
//! vertex has edges out of and into it in its row, and those in between as many as the copies with their labels do.
//!
//! The theorem has `n` copies, `n` a power of two, and dilation 1. The cube-connected cycles and the butterfly have only `m`
//! copies in `m + log m` dimensions, so some of their labels are among a node's neighbours twice.

use crate::embedding::constructions::butterfly_copies::edges_from;
use crate::embedding::copies::Copies;
use crate::embedding::moment::moment;
use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

#[cfg(test)]
mod tests;

/// An edge of a copy in `Q_n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The nodes that it leads from and to.
    pub(super) ends: [usize; 2],
    /// The dimensions that it crosses.
    pub(super) path: Vec<u8>,
}

/// Where an edge of a product lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// In the row of that number.
    Row(usize),
    /// In the column of that number.
    Column(usize),
}

impl Line {
    /// The node of `Q_2n` that is node `at` of the line.
    pub(super) fn node(self, bits: usize, at: usize) -> usize {
        match self {
            Line::Row(row) => row << bits | at,
            Line::Column(column) => at << bits | column,
        }
    }

    /// The `n` paths of an edge whose path in the line is this.
    pub(super) fn paths(self, bits: usize, path: &[u8]) -> impl Iterator<Item = Vec<u8>> {
        let (along, aside) = match self {
            Line::Row(_) => (0, bits),
            Line::Column(_) => (bits, 0),
        };
        (aside..aside + bits).map(move |detour| {
            let there = path.iter().map(|&dimension| dimension + along as u8);
            let detour = detour as u8;
            std::iter::once(detour)
                .chain(there)
                .chain([detour])
                .collect()
        })
    }
}

/// The copy that row `line` has, and column `line`, of so many.
pub(super) fn label(line: usize, copies: usize) -> usize {
    moment(line) % copies
}

/// `X(G)` of copies of a guest in `Q_bits`, by label.
///
/// # Errors
/// A hypercube of twice the dimensions that is too large.
pub(super) fn induced(bits: usize, copies: &[Vec<Link>]) -> Result<Embedding, Error> {
    let host = Dimensions::new(2 * bits)?;
    let mut embedding = Embedding::new(host, (0..host.nodes() as u32).collect());
    for line in 0..1 << bits {
        for at in [Line::Row(line), Line::Column(line)] {
            for link in &copies[label(line, copies.len())] {
                let ends = link.ends.map(|end| at.node(bits, end));
                embedding.add_edge(ends, at.paths(bits, &link.path));
            }
        }
    }
    Ok(embedding)
}

/// The copies of the cube-connected cycles, for [`induced`].
pub(super) fn ccc_links(copies: &Copies) -> Vec<Vec<Link>> {
    let network = copies.network();
    links(copies, |copy, node| {
        let level = network.level(node);
        [
            (
                network.straight(node),
                vec![copies.straight_dimension(copy, level) as u8],
            ),
            (
                network.cross(node),
                vec![copies.cross_dimension(copy, level) as u8],
            ),
        ]
    })
}

/// The copies of the butterfly, for [`induced`].
pub(super) fn butterfly_links(copies: &Copies) -> Vec<Vec<Link>> {
    links(copies, |copy, vertex| edges_from(copies, copy, vertex))
}

fn links(
    copies: &Copies,
    edges_from: impl Fn(usize, usize) -> [(usize, Vec<u8>); 2],
) -> Vec<Vec<Link>> {
    let network = copies.network();
    let place = |copy, node| copies.map(copy, network.level(node), network.column(node));
    let of_copy = |copy| {
        let link = |node, (to, path)| Link {
            ends: [place(copy, node), place(copy, to)],
            path,
        };
        (0..network.nodes())
            .flat_map(|node| edges_from(copy, node).map(|edge| link(node, edge)))
            .collect()
    };
    (0..copies.copies()).map(of_copy).collect()
}
