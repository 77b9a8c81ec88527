//! The two-rooted complete binary tree, as a list of edges.
//!
//! The cube of two dimensions is the path x-L-R-y with the roots L and R. A tree of one dimension more
//! is made of two copies. The first is the tree as it is. The second has the new bit set and is moved by
//! a symmetry of the cube, which takes x to L, L to R and R to y, so that its x, L and R (x1, L1 and R1)
//! are across the new dimension from the first's L, R and y. Then R-y and x1-L1 are taken out, L-x1,
//! R1-y and R-L1 are put in, and the roots are R and L1.

use super::trees::{Tree, mapped};

/// A tree in the making. Its edges have no direction yet.
struct Growing {
    /// Pairs of neighbours.
    edges: Vec<(usize, usize)>,
    /// x, L, R and y: a child of the left root, the roots, and a child of the right root.
    path: [usize; 4],
}

/// The tree of the cube of `dims` dimensions, one of whose roots is node 0. That root serves the other
/// root first.
pub(crate) fn tree(dims: usize) -> Tree {
    if dims < 2 {
        return Tree {
            root: 0,
            edges: vec![(0, 1)],
        };
    }
    let mut growing = Growing {
        edges: vec![(0b01, 0b00), (0b00, 0b10), (0b10, 0b11)],
        path: [0b01, 0b00, 0b10, 0b11],
    };
    for dimension in 2..dims {
        growing = growing.grown(dimension);
    }
    let [_, root, other, _] = growing.path;
    directed(&growing.edges, root, other).translated(root)
}

impl Growing {
    /// The tree of one dimension more.
    fn grown(&self, dimension: usize) -> Growing {
        let [_, left, right, y] = self.path;
        let second = |node| self.moved(node) + (1 << dimension);
        let [x1, left1, right1, _] = self.path.map(second);
        let mut edges = self.edges.clone();
        edges.retain(|edge| !joins(*edge, right, y));
        let mut copy = mapped(&self.edges, second);
        copy.retain(|edge| !joins(*edge, x1, left1));
        edges.extend(copy);
        edges.extend([(left, x1), (right1, y), (right, left1)]);
        Growing {
            edges,
            path: [left, right, left1, right1],
        }
    }

    /// Where the symmetry takes a node: its dimensions change places, and x goes to L.
    fn moved(&self, node: usize) -> usize {
        let [x, left, right, y] = self.path;
        let (first, second, third) = (x ^ left, left ^ right, right ^ y);
        let mut difference = 0;
        let mut rest = node ^ x;
        for bit in (0..usize::BITS).map(|place| 1 << place) {
            if rest & bit == 0 {
                continue;
            }
            rest -= bit;
            difference += if bit == first {
                second
            } else if bit == second {
                third
            } else if bit == third {
                first
            } else {
                bit
            };
        }
        left ^ difference
    }
}

/// Whether the edge is between these two nodes.
fn joins(edge: (usize, usize), one: usize, other: usize) -> bool {
    edge == (one, other) || edge == (other, one)
}

/// The edges with the direction away from `root`, which serves `other` first.
fn directed(edges: &[(usize, usize)], root: usize, other: usize) -> Tree {
    let mut left: Vec<(usize, usize)> = edges.to_vec();
    let mut away = vec![(root, other)];
    left.retain(|edge| !joins(*edge, root, other));
    let mut waiting = vec![root, other];
    while let Some(parent) = waiting.pop() {
        let (here, elsewhere): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|edge| edge.0 == parent || edge.1 == parent);
        for (one, end) in here {
            let child = if one == parent { end } else { one };
            away.push((parent, child));
            waiting.push(child);
        }
        left = elsewhere;
    }
    Tree { root, edges: away }
}
