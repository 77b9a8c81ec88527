//! The trees of Ho & Johnsson, as lists of edges: the path, the binomial tree, and the multiple trees.

use std::collections::{BTreeSet, VecDeque};

use super::violation::Violation;

/// A spanning tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    /// The source.
    pub(crate) root: usize,
    /// Pairs of a parent and a child. Children of one parent stand in the order in which it serves them.
    pub(crate) edges: Vec<(usize, usize)>,
}

impl Tree {
    /// The same tree in the cube whose addresses are all combined with `source`.
    pub(super) fn translated(self, source: usize) -> Tree {
        Tree {
            root: self.root ^ source,
            edges: mapped(&self.edges, |node| node ^ source),
        }
    }

    /// Every edge that is reached from the root, parents first, with the step in which it is used. A node
    /// is ready in the step after it has received, and the root in step 0. It then waits for as many
    /// steps as `delay` says of the child's place among its children.
    fn timed(&self, delay: impl Fn(usize) -> usize) -> Vec<((usize, usize), usize)> {
        let nodes = self.edges.len() + 1;
        let mut children = vec![Vec::new(); nodes];
        for &(parent, child) in &self.edges {
            children[parent].push(child);
        }
        let mut timed = Vec::new();
        let mut waiting = VecDeque::from([(self.root, 0)]);
        while let Some((parent, ready)) = waiting.pop_front() {
            for (place, &child) in children[parent].iter().enumerate() {
                let step = ready + delay(place);
                timed.push(((parent, child), step));
                waiting.push_back((child, step + 1));
            }
        }
        timed
    }

    /// Every edge with the distance of its parent from the root.
    pub(super) fn by_level(&self) -> Vec<((usize, usize), usize)> {
        self.timed(|_| 0)
    }

    /// Every edge with its step when a node serves its children one after the other, beginning in the
    /// step after it has received.
    pub(super) fn one_by_one(&self) -> Vec<((usize, usize), usize)> {
        self.timed(|place| place)
    }

    /// Checks that the edges are links of the cube and reach each of `nodes` nodes once.
    pub(super) fn spans(&self, nodes: usize) -> Result<(), Violation> {
        let mut parents = vec![0; nodes];
        for &(parent, child) in &self.edges {
            let linked = (parent ^ child).is_power_of_two();
            if !linked || parent >= nodes || child >= nodes {
                return Err(Violation::NoSuchEdge { parent, child });
            }
            parents[child] += 1;
        }
        for (node, &found) in parents.iter().enumerate() {
            if found != usize::from(node != self.root) {
                return Err(Violation::Parents { node, found });
            }
        }
        let reached: BTreeSet<usize> = self.by_level().iter().map(|it| it.0.1).collect();
        match (0..nodes).find(|node| *node != self.root && !reached.contains(node)) {
            Some(node) => Err(Violation::NotReached { node }),
            None => Ok(()),
        }
    }
}

/// Checks that no two trees share an edge in the same direction.
pub(super) fn disjoint(trees: &[Tree]) -> Result<(), Violation> {
    let mut seen = BTreeSet::new();
    for &(parent, child) in trees.iter().flat_map(|tree| &tree.edges) {
        if !seen.insert((parent, child)) {
            return Err(Violation::SharedEdge { parent, child });
        }
    }
    Ok(())
}

/// The path of the binary reflected Gray code, from node 0. The code of one more bit is the code, and
/// then the code backwards with the new bit set.
pub(super) fn hamiltonian_path(dims: usize) -> Tree {
    let mut path = vec![0];
    for _ in 0..dims {
        let half = path.len();
        let backwards: Vec<usize> = path.iter().rev().map(|node| node + half).collect();
        path.extend(backwards);
    }
    Tree {
        root: 0,
        edges: path.windows(2).map(|pair| (pair[0], pair[1])).collect(),
    }
}

/// The spanning binomial tree of node 0: two trees of one dimension less, with an edge between their
/// roots. The copies differ in the lowest bit, so that the largest subtree, which is served first, is
/// across dimension 0, and what is complemented are leading zeroes.
pub(super) fn binomial(dims: usize) -> Tree {
    let mut edges = Vec::new();
    for _ in 0..dims {
        let even = mapped(&edges, |node| 2 * node);
        let odd = mapped(&edges, |node| 2 * node + 1);
        edges = [vec![(0, 1)], even, odd].concat();
    }
    Tree { root: 0, edges }
}

/// The multiple spanning binomial trees of node 0. Tree `j` is a binomial tree whose root is the
/// neighbour of node 0 across dimension `j`, rotated so that node 0 is its smallest subtree, with the
/// edge from that root to node 0 reversed.
pub(super) fn multiple(dims: usize) -> Vec<Tree> {
    let nodes = 1 << dims;
    let rotated = |tree: &Tree| Tree {
        root: 0,
        edges: mapped(&tree.edges, |node| rotated_left(node, nodes)),
    };
    let mut trees = Vec::new();
    let mut tree = binomial(dims);
    for dimension in 0..dims {
        tree = rotated(&tree);
        let root = 1 << dimension;
        let mut reversed = tree.clone().translated(root);
        for edge in &mut reversed.edges {
            if *edge == (root, 0) {
                *edge = (0, root);
            }
        }
        reversed.root = 0;
        trees.push(reversed);
    }
    trees
}

/// The address rotated to the left by one bit.
pub(super) fn rotated_left(address: usize, nodes: usize) -> usize {
    let doubled = 2 * address;
    doubled % nodes + doubled / nodes
}

/// The edges between other nodes.
pub(super) fn mapped(
    edges: &[(usize, usize)],
    node: impl Fn(usize) -> usize,
) -> Vec<(usize, usize)> {
    let both = |edge: &(usize, usize)| (node(edge.0), node(edge.1));
    edges.iter().map(both).collect()
}
