//! Theorem 5: the complete binary tree of `2^2n - 1` vertices, `2n` levels, in `Q_2n`, with `n` paths an edge. `2^n = m 2^m`, the
//! vertices of a butterfly of `m` levels, so `n = m + log m` (the paper prints `n = m 2^m`, and `2^2^n - 1` vertices), and the
//! tree grows in the induced cross product of the butterfly (`product`), every row and every column of which is a butterfly:
//!
//! ```text
//!            column 0     column 9
//!   row 0    root . . . . x . . .     levels 0 to n - 1, in the butterfly of row 0
//!                         |
//!   row 5                 y . .       levels n - 1 to 2n - 2, in the butterfly of each column that has a leaf x of these
//!                           z         level 2n - 1: two children for each leaf y of those, in the butterfly of its row
//! ```
//!
//! A tree of `n` levels lies in a butterfly so: from the root, wherever it lies, to both next vertices, by the straight edge and
//! by the cross one. After `m` rounds the level of the tree takes the butterfly's level of the root in every column once. For `n
//! = m + 1` these are the leaves; with `m = 4` there is a level more, and a vertex has one child by the straight edge onwards and
//! one by the straight edge that leads to it, backwards. So no two leaves meet, which the two parts of the tree rely on. The last
//! level's children are next vertices, by the straight edge and by the cross one.
//!
//! An edge's paths are those of the product, along its butterfly edge. The paper says of load, congestion and cost that they are
//! constant; the numbers are:
//!
//! | host | width | load | dilation | congestion | steps of `n` packets, hop by hop |
//! |------|-------|------|----------|------------|----------------------------------|
//! | 6    | 3     | 3    | 4        | 6          | 12 = 4 + 3 + 3 + 2               |
//! | 12   | 6     | 3    | 4        | 10         | 15 = 4 + 7 + 3 + 1               |

use crate::embedding::constructions::butterfly_copies::edges_from;
use crate::embedding::constructions::construction::{Ask, Claim, Construction, Figure};
use crate::embedding::constructions::network_product::HOSTS;
use crate::embedding::constructions::product::{Line, label};
use crate::embedding::constructions::{ccc_copies, sizes};
use crate::embedding::copies::Copies;
use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::Dimensions;

#[cfg(test)]
mod tests;

/// The construction.
pub struct Tree;

/// A tree in a butterfly: its vertices from the root down, level by level, and the children of vertex `v` are `2v + 1` and `2v +
/// 2`.
struct InButterfly {
    /// The butterfly's vertex on which a vertex lies.
    places: Vec<usize>,
    /// The dimensions that the edge to a vertex from its parent crosses; none of the root.
    paths: Vec<Vec<u8>>,
}

impl InButterfly {
    /// The tree of so many levels, at most two more than the butterfly.
    fn new(copies: &Copies, copy: usize, root: usize, levels: usize) -> Self {
        let network = copies.network();
        let mut tree = InButterfly {
            places: vec![root],
            paths: vec![Vec::new()],
        };
        for parent in 0..(1 << (levels - 1)) - 1 {
            let at = tree.places[parent];
            let depth = (parent + 1).ilog2() as usize;
            let [straight, cross] = edges_from(copies, copy, at);
            // Once round, all columns are there, on the root's level, and a second round would meet in them.
            let other = if depth < copies.levels() {
                cross
            } else {
                let before = network.straight_from(at);
                let dimension = copies.straight_dimension(copy, network.level(before));
                (before, vec![dimension as u8])
            };
            for (place, path) in [straight, other] {
                tree.places.push(place);
                tree.paths.push(path);
            }
        }
        tree
    }
}

impl Construction for Tree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn models(&self) -> &'static str {
        "the complete binary tree of 2^2n - 1 vertices in 2n dimensions"
    }

    fn theorem(&self) -> &'static str {
        "Theorem 5"
    }

    fn default_dimensions(&self) -> usize {
        6
    }

    fn shown_dimensions(&self) -> &'static [usize] {
        &HOSTS
    }

    fn host(&self, ask: &Ask) -> Result<usize, Error> {
        let why = "2n dimensions are those of butterflies of m levels, n = m + log m, m = 2 or 4";
        sizes::one_of(self, ask, &HOSTS, why)
    }

    fn embed(&self, ask: &Ask) -> Result<Embedding, Error> {
        let host = Dimensions::new(self.host(ask)?)?;
        let bits = host.count() / 2;
        let copies = ccc_copies::copies_in(bits)?;
        let network = copies.network();
        let on = |line| label(line, copies.copies());
        let node = |copy, vertex| copies.map(copy, network.level(vertex), network.column(vertex));
        let vertex_at = |copy, node| {
            let (level, column) = copies.unmap(copy, node);
            network.node(level, column)
        };

        let mut places = vec![0u32; host.nodes() - 1];
        // By vertex but the root: the line in which the edge from its parent lies, and its path there.
        let mut edges = vec![(Line::Row(0), Vec::new()); host.nodes() - 1];
        let mut lay = |line: Line, copy, root, tree: InButterfly| {
            for (at, (place, path)) in tree.places.into_iter().zip(tree.paths).enumerate() {
                let depth = (at + 1).ilog2();
                // Of the whole tree, the vertex that is as far below this part's root, and as far to the right.
                let vertex = ((root + 1) << depth) - 1 + (at + 1 - (1 << depth));
                places[vertex] = line.node(bits, node(copy, place)) as u32;
                if at > 0 {
                    edges[vertex] = (line, path);
                }
            }
        };

        let top = InButterfly::new(&copies, on(0), network.node(0, 0), bits);
        let leaves = top.places[(1 << (bits - 1)) - 1..].to_vec();
        lay(Line::Row(0), on(0), 0, top);
        for (number, &leaf) in leaves.iter().enumerate() {
            let column = node(on(0), leaf);
            let copy = on(column);
            let root = vertex_at(copy, 0);
            let below = InButterfly::new(&copies, copy, root, bits);
            let root = (1 << (bits - 1)) - 1 + number;
            lay(Line::Column(column), copy, root, below);
        }
        let leaves = (1 << (2 * bits - 2)) - 1..(1 << (2 * bits - 1)) - 1;
        for leaf in leaves {
            let (row, column) = (
                places[leaf] as usize >> bits,
                places[leaf] as usize & ((1 << bits) - 1),
            );
            let copy = on(row);
            let children = edges_from(&copies, copy, vertex_at(copy, column));
            for (number, (to, path)) in children.into_iter().enumerate() {
                let child = 2 * leaf + 1 + number;
                places[child] = Line::Row(row).node(bits, node(copy, to)) as u32;
                edges[child] = (Line::Row(row), path);
            }
        }

        let mut embedding = Embedding::new(host, places);
        for (child, (line, path)) in edges.iter().enumerate().skip(1) {
            embedding.add_edge([(child - 1) / 2, child], line.paths(bits, path));
        }
        Ok(embedding)
    }

    fn paper(&self, ask: &Ask) -> Result<Claim, Error> {
        let bits = self.host(ask)? / 2;
        Ok(Claim {
            width: Figure::Is(bits),
            dilation: Figure::Order("O(1)"),
            congestion: Figure::Order("O(1)"),
            packets: Figure::Is(bits),
            cost: Figure::Order("O(1)"),
        })
    }

    fn corrected(&self, ask: &Ask) -> Result<Claim, Error> {
        let (congestion, cost) = match self.host(ask)? {
            6 => (6, 12),
            _ => (10, 15),
        };
        Ok(Claim {
            dilation: Figure::Is(4),
            congestion: Figure::Is(congestion),
            cost: Figure::Is(cost),
            ..self.paper(ask)?
        })
    }
}
