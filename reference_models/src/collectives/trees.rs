//! Spanning trees of personalized communication (Ho & Johnsson, sections 3 and 4.1). Addresses are
//! relative to the root, which is node 0.

use super::Tree;
use crate::broadcast::two_rooted;

/// A spanning tree of node 0, and the order in which the root sends to its nodes.
#[derive(Clone, Debug)]
pub(super) struct Spanning {
    /// The parent of each node. That of node 0 is node 0.
    parents: Vec<usize>,
    /// The nodes, those whose messages the root sends first before the others.
    pub(super) order: Vec<usize>,
}

impl Spanning {
    /// The tree of a cube.
    pub(super) fn new(tree: Tree, dims: usize) -> Spanning {
        match tree {
            Tree::Binomial => Spanning {
                parents: (0..1 << dims).map(below_highest).collect(),
                order: (1..1 << dims).rev().collect(),
            },
            Tree::Balanced => Spanning {
                parents: (0..1 << dims)
                    .map(|node| balanced_parent(node, dims))
                    .collect(),
                order: by_necklaces(dims),
            },
            Tree::TwoRooted => two_rooted_tree(dims),
        }
    }

    /// The nodes from node 0 to a node, both included.
    pub(super) fn path(&self, node: usize) -> Vec<usize> {
        let mut path = vec![node];
        let mut at = node;
        while at != 0 {
            at = self.parents[at];
            path.push(at);
        }
        path.reverse();
        path
    }

    /// The children of a node, the largest subtree first, and of the same size the lowest first.
    pub(super) fn children(&self, node: usize) -> Vec<usize> {
        let is_child = |child: &usize| *child != 0 && self.parents[*child] == node;
        let mut children: Vec<usize> = (0..self.parents.len()).filter(is_child).collect();
        children.sort_by_key(|child| (std::cmp::Reverse(self.subtree(*child).len()), *child));
        children
    }

    /// The nodes of the subtree of a node, itself included, in ascending order.
    pub(super) fn subtree(&self, node: usize) -> Vec<usize> {
        (0..self.parents.len())
            .filter(|other| self.path(*other).contains(&node))
            .collect()
    }
}

/// The parent in the spanning binomial tree: the address without its highest 1. The subtree across
/// dimension 0 is the largest.
fn below_highest(node: usize) -> usize {
    node.checked_ilog2()
        .map_or(0, |highest| node ^ (1 << highest))
}

/// An address rotated to the right.
pub(super) fn rotated_right(address: usize, dims: usize, by: usize) -> usize {
    (address >> by | address << (dims - by)) & ((1 << dims) - 1)
}

/// Which subtree of the balanced spanning tree a node is in: the fewest rotations to the right that make
/// its address the least.
pub(super) fn base(node: usize, dims: usize) -> usize {
    (0..dims)
        .min_by_key(|by| rotated_right(node, dims, *by))
        .unwrap_or(0)
}

/// The parent in the balanced spanning tree: the address without the first 1 to the right of its base,
/// around the end.
fn balanced_parent(node: usize, dims: usize) -> usize {
    let base = base(node, dims);
    let is_one = |place: &usize| node >> place & 1 == 1;
    (1..=dims)
        .map(|right| (base + dims - right) % dims)
        .find(is_one)
        .map_or(0, |place| node ^ (1 << place))
}

/// The order in which the root of a balanced spanning tree sends: one necklace after the other, those of
/// most ones first, and of each the node of every subtree that has one.
fn by_necklaces(dims: usize) -> Vec<usize> {
    let mut first: Vec<usize> = (1..1 << dims)
        .filter(|node| base(*node, dims) == 0)
        .collect();
    first.sort_by_key(|node| std::cmp::Reverse((node.count_ones(), *node)));
    let mut order = Vec::new();
    for node in first {
        let turned = |by| rotated_right(node, dims, (dims - by) % dims);
        let period = (1..dims).find(|by| turned(*by) == node).unwrap_or(dims);
        order.extend((0..period).map(turned));
    }
    order
}

/// The two-rooted complete binary tree. Its root sends to its subtrees in turn, and so on in each, and to
/// the root of each subtree last.
fn two_rooted_tree(dims: usize) -> Spanning {
    let mut parents = vec![0; 1 << dims];
    for (parent, child) in two_rooted::tree(dims).edges {
        parents[child] = parent;
    }
    let mut spanning = Spanning {
        parents,
        order: Vec::new(),
    };
    spanning.order = in_turn(&spanning, 0);
    spanning.order.pop();
    spanning
}

/// The subtrees of a node in turn, and then the node.
fn in_turn(spanning: &Spanning, node: usize) -> Vec<usize> {
    let mut subtrees: Vec<_> = spanning
        .children(node)
        .into_iter()
        .map(|child| in_turn(spanning, child).into_iter())
        .collect();
    let mut order = Vec::new();
    loop {
        let round: Vec<usize> = subtrees.iter_mut().filter_map(Iterator::next).collect();
        if round.is_empty() {
            break;
        }
        order.extend(round);
    }
    order.push(node);
    order
}
