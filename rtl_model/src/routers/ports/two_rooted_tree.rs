//! The two-rooted complete binary tree: a complete binary tree of `2^n - 1` nodes whose root is replaced by two that are joined.
//! It spans the cube (Ho & Johnsson 1986, section 3.4, after Bhatt & Ipsen and Deshpande & Jenevein).
//!
//! ```text
//!   n = 2:   x --- L --- R --- y          L = 0, the source
//!
//!   n + 1:   R and L' are the roots; L' is L of a second copy in the new dimension
//!            R's child is L, with x and x'; the child of L' is R', with y' and y
//! ```
//!
//! The second copy is the first under a symmetry of the cube that takes x to L, L to R and R to y. `R-y` of the first copy and
//! `x'-L'` of the second are left out; `L-x'`, `R'-y` and `R-L'` join them.
//!
//! No closed rule gives a node its place in it: it is worked out here, beside the hardware, and written into registers
//! ([`configuration`](super::configuration)).

use crate::machine::topology::hypercube::Dimensions;
use crate::routers::ports::broadcast::Turns;

/// A node's place in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeNode {
    /// The port of the parent; none at the source.
    pub parent: Option<usize>,
    /// The ports of the children, in the order in which they are served.
    pub children: [Option<usize>; 2],
    /// The step from which it sends; the source from step 0.
    pub sends_from: usize,
}

/// The tree while it is being built: edges, and the path x, L, R, y about its roots.
struct Built {
    edges: Vec<(usize, usize)>,
    path: [usize; 4],
}

/// The dimension in which two neighbours differ.
fn dimension(a: usize, b: usize) -> usize {
    (a ^ b).trailing_zeros() as usize
}

impl Built {
    fn of_two_dimensions() -> Self {
        Built {
            edges: vec![(0b01, 0b00), (0b00, 0b10), (0b10, 0b11)],
            path: [0b01, 0b00, 0b10, 0b11],
        }
    }

    /// The symmetry, of a cube of `n` dimensions: dimensions change places, and L goes to R.
    fn symmetry(&self, n: usize) -> impl Fn(usize) -> usize {
        let [x, left, right, y] = self.path;
        let mut to: Vec<Option<usize>> = vec![None; n];
        to[dimension(x, left)] = Some(dimension(left, right));
        to[dimension(left, right)] = Some(dimension(right, y));
        let taken: Vec<usize> = to.iter().copied().flatten().collect();
        let mut free = (0..n).filter(|place| !taken.contains(place));
        let to: Vec<usize> = (to.iter())
            .map(|place| place.or_else(|| free.next()).unwrap_or(0))
            .collect();
        move |node| {
            let moved = to.iter().enumerate();
            moved.fold(right, |image, (from, place)| {
                image ^ ((node ^ left) >> from & 1) << place
            })
        }
    }

    /// The tree of one dimension more.
    fn grown(self, n: usize) -> Self {
        let image = self.symmetry(n);
        let copy = |node| image(node) | 1 << n;
        let [x, left, right, y] = self.path;
        let is = |edge: (usize, usize), a, b| edge == (a, b) || edge == (b, a);
        let second = self.edges.iter().map(|&(a, b)| (copy(a), copy(b)));
        let second = second.filter(|edge| !is(*edge, copy(x), copy(left)));
        let mut edges: Vec<(usize, usize)> = (self.edges.iter().copied())
            .filter(|edge| !is(*edge, right, y))
            .chain(second)
            .collect();
        edges.extend([(left, copy(x)), (copy(right), y), (right, copy(left))]);
        Built {
            edges,
            path: [left, right, copy(left), copy(right)],
        }
    }
}

/// The tree without turns: by relative address, ports of parents and children.
pub(in crate::routers) fn shape(cube: Dimensions) -> Vec<TreeNode> {
    let turns = Turns {
        phases: 1,
        last: 0,
        has_halves: false,
    };
    places(cube, &turns)
}

/// The place of each node, by relative address. The source is one of the roots; it serves the other root first.
pub(super) fn places(cube: Dimensions, turns: &Turns) -> Vec<TreeNode> {
    let n = cube.count();
    let mut built = match n {
        1 => Built {
            edges: vec![(0, 1)],
            path: [0, 0, 1, 1],
        },
        _ => (2..n).fold(Built::of_two_dimensions(), Built::grown),
    };
    // The source has relative address 0.
    let [_, source, other, _] = built.path;
    for (a, b) in &mut built.edges {
        (*a, *b) = (*a ^ source, *b ^ source);
    }
    let other = other ^ source;
    let mut neighbours = vec![Vec::new(); cube.nodes()];
    for &(a, b) in &built.edges {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    neighbours[0].sort_by_key(|&child| child != other);
    let mut places = vec![TreeNode::default(); cube.nodes()];
    let mut left = vec![(0, None)];
    while let Some((node, parent)) = left.pop() {
        let sends_from = places[node].sends_from;
        places[node].parent = parent.map(|parent| dimension(node, parent));
        let children = neighbours[node]
            .iter()
            .filter(|child| Some(**child) != parent);
        for (number, &child) in children.enumerate() {
            places[node].children[number] = Some(dimension(node, child));
            let waits = if turns.phases > 1 { number } else { 0 };
            places[child].sends_from = sends_from + waits + 1;
            left.push((child, Some(node)));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two roots with a complete binary tree each, all nodes once.
    #[test]
    fn it_is_a_two_rooted_complete_binary_tree_that_spans_the_cube() {
        for n in 2..=12 {
            let cube = Dimensions::new(n).unwrap();
            let turns = Turns {
                phases: 1,
                last: 0,
                has_halves: false,
            };
            let places = places(cube, &turns);
            let mut reached = vec![0; cube.nodes()];
            let child = |node: usize, number: usize| {
                places[node].children[number].map(|port| node ^ 1 << port)
            };
            let other = child(0, 0).unwrap();
            assert_eq!(child(other, 1), None);
            reached[0] += 1;
            reached[other] += 1;
            let mut left = vec![(child(0, 1).unwrap(), 1), (child(other, 0).unwrap(), 1)];
            while let Some((node, depth)) = left.pop() {
                reached[node] += 1;
                let children: Vec<usize> =
                    (0..2).filter_map(|number| child(node, number)).collect();
                assert_eq!(children.len(), if depth < n - 1 { 2 } else { 0 });
                for child in children {
                    assert_eq!(places[child].parent, Some(dimension(node, child)));
                    left.push((child, depth + 1));
                }
            }
            assert!(reached.iter().all(|times| *times == 1), "{n}");
        }
    }
}
