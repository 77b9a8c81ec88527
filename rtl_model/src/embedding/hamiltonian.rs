//! The edges of a hypercube, divided into Hamiltonian cycles (Greenberg and Bhatt 1990, section 3.1, who cite Alspach, Bermond
//! and Sotteau): `floor(n/2)` of them, and with odd `n` a perfect matching, which no cycle has.
//!
//! The paper says that they are; here is how they are made. Two dimensions at a time, from the square on, a hypercube is
//! multiplied by a square. Of its four *layers*, each a copy, the next differs in one bit:
//!
//! ```text
//!   layer         0    1    2    3   (0)      each has the smaller hypercube's cycles A, B, C ...
//!   new bits     00   01   11   10
//!
//!   A x square    divided into two cycles, which are H1 and H2:
//!     H1   up 3 layers in column 0 of A, a step along A, up 3 layers in column 1, a step, ...
//!     H2   3 steps along A in layer 0, up a layer, 3 steps along A in layer 1, ...
//!
//!   B, C ...      four cycles each, one in a layer; a switch of two edges for two joins one and the next:
//!
//!        x ---B--- y           x ---H--- y
//!        |         |           |         |
//!        H         H    -->    B         B       H is H1 or H2. It stays one cycle if it passes its two edges in the
//!        |         |           |         |       same direction, both up or both down.
//!        x'---B--- y'          x'---H--- y'
//! ```
//!
//! With an odd number of dimensions the last factor is an edge: two layers, whose links are a perfect matching. One switch with
//! them joins the two copies of a cycle, and they remain a perfect matching.
//!
//! Which square is switched is the first that there is.

use crate::embedding::gray_code::{gray, transition};
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::machine::topology::hypercube::neighbour;

#[cfg(test)]
mod tests;

/// The most dimensions.
pub const MOST: usize = 16;

/// The cycles and what they leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    dimensions: usize,
    /// By directed cycle and node, the node that follows: cycle `2i + 1` is cycle `2i` backwards.
    next: Vec<Vec<u32>>,
    /// By node, the dimension of its edge that no cycle has; of an odd number of dimensions.
    matching: Option<Vec<u8>>,
}

impl Decomposition {
    /// Of the hypercube of so many dimensions. Of one dimension there is no cycle, and its only edge is the matching.
    ///
    /// # Errors
    /// Dimensions outside 1..=[`MOST`].
    pub fn new(dimensions: usize) -> Result<Self, Error> {
        let failed = |why| {
            Refusal::of(format!(
                "the edges of the hypercube of {dimensions} dimensions are not divided into Hamiltonian cycles"
            ))
            .because(why)
        };
        if !(1..=MOST).contains(&dimensions) {
            return Err(failed("choose 1 to 16 dimensions").into());
        }
        let owners = owners(dimensions).ok_or(failed("no square is left to switch"))?;
        let mut next = Vec::new();
        for cycle in 0..dimensions / 2 {
            let nodes = owners.walk(cycle as u8);
            if nodes.len() != 1 << dimensions {
                return Err(failed("a cycle closes before it has visited all nodes").into());
            }
            let mut forwards = vec![0; nodes.len()];
            let mut backwards = vec![0; nodes.len()];
            for (at, &node) in nodes.iter().enumerate() {
                let after = nodes[(at + 1) % nodes.len()];
                forwards[node as usize] = after;
                backwards[after as usize] = node;
            }
            next.extend([forwards, backwards]);
        }
        let left = |node| (0..dimensions).find(|&dimension| owners.of(node, dimension) == NOBODY);
        Ok(Decomposition {
            dimensions,
            next,
            // None of an even number of dimensions, where no node has an edge left.
            matching: (0..1 << dimensions)
                .map(|node| left(node).map(|dimension| dimension as u8))
                .collect(),
        })
    }

    /// Dimensions of the hypercube.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many directed cycles there are: `n`, or `n - 1` if that is odd.
    pub fn cycles(&self) -> usize {
        self.next.len()
    }

    /// The node that follows `node` on a directed cycle.
    #[inline]
    pub fn next(&self, cycle: usize, node: usize) -> usize {
        self.next[cycle][node] as usize
    }

    /// The dimension that leads there.
    #[inline]
    pub fn dimension(&self, cycle: usize, node: usize) -> usize {
        (self.next(cycle, node) ^ node).trailing_zeros() as usize
    }

    /// The dimension of the node's edge in the perfect matching; there is one if the number of dimensions is odd.
    pub fn matching(&self, node: usize) -> Option<usize> {
        let matching = self.matching.as_ref()?;
        Some(usize::from(matching[node]))
    }
}

/// The owner of an edge that is in no cycle.
const NOBODY: u8 = u8::MAX;

/// Which undirected cycle has which edge.
struct Owners {
    dimensions: usize,
    /// By node and dimension: an edge is in it twice.
    owner: Vec<u8>,
}

/// Those of a hypercube; none if a switch is not found.
fn owners(dimensions: usize) -> Option<Owners> {
    let mut owners = match dimensions {
        1 => return Some(Owners::nobody(1)),
        _ => Owners::square(),
    };
    while owners.dimensions + 1 < dimensions {
        owners = owners.times_square()?;
    }
    match dimensions % 2 {
        0 => Some(owners),
        _ => owners.times_edge(),
    }
}

impl Owners {
    fn nobody(dimensions: usize) -> Self {
        Owners {
            dimensions,
            owner: vec![NOBODY; dimensions << dimensions],
        }
    }

    /// The square, which is one cycle.
    fn square() -> Self {
        Owners {
            dimensions: 2,
            owner: vec![0; 8],
        }
    }

    #[inline]
    fn of(&self, node: usize, dimension: usize) -> u8 {
        self.owner[node * self.dimensions + dimension]
    }

    fn give(&mut self, node: usize, dimension: usize, to: u8) {
        for end in [node, neighbour(node, dimension)] {
            self.owner[end * self.dimensions + dimension] = to;
        }
    }

    /// Gives the edges of a closed walk to a cycle.
    fn give_walk(&mut self, nodes: impl ExactSizeIterator<Item = usize> + Clone, to: u8) {
        let after = nodes.clone().cycle().skip(1);
        for (node, after) in nodes.zip(after) {
            self.give(node, (node ^ after).trailing_zeros() as usize, to);
        }
    }

    /// The nodes of a cycle from node 0 on, first along the lower of its two dimensions.
    fn walk(&self, cycle: u8) -> Vec<u32> {
        let all = 1 << self.dimensions;
        let mut nodes = Vec::with_capacity(all);
        let (mut node, mut came_by) = (0, None);
        while nodes.len() < all {
            nodes.push(node as u32);
            let onward = |&dimension: &usize| {
                Some(dimension) != came_by && self.of(node, dimension) == cycle
            };
            let Some(dimension) = (0..self.dimensions).find(onward) else {
                break;
            };
            (node, came_by) = (neighbour(node, dimension), Some(dimension));
            if node == 0 {
                break;
            }
        }
        nodes
    }

    /// Where in its walk each node is.
    fn positions(&self, cycle: u8) -> Vec<u32> {
        let mut positions = vec![0; 1 << self.dimensions];
        for (at, node) in self.walk(cycle).into_iter().enumerate() {
            positions[node as usize] = at as u32;
        }
        positions
    }

    /// Exchanges the owners of opposite edges of a square: those from `corner` across the one dimension, and across the other.
    fn switch(&mut self, corner: usize, one: usize, other: usize) {
        let owners = [self.of(corner, one), self.of(corner, other)];
        for (across, beside, to) in [(one, other, owners[1]), (other, one, owners[0])] {
            self.give(corner, across, to);
            self.give(neighbour(corner, beside), across, to);
        }
    }

    /// Gives a layer the cycles of the smaller hypercube from `first` on, as cycles `first + by` and so on.
    fn give_layer(&mut self, layer: usize, of: &Owners, first: u8, by: u8) {
        for node in 0..1 << of.dimensions {
            for dimension in 0..of.dimensions {
                let cycle = of.of(node, dimension);
                if cycle >= first && cycle != NOBODY {
                    self.give(layer << of.dimensions | node, dimension, cycle + by);
                }
            }
        }
    }

    /// The first cycle times the square is cycles 0 and 1, and each other cycle a cycle.
    fn times_square(&self) -> Option<Owners> {
        let below = self.dimensions;
        let mut owners = Owners::nobody(below + 2);
        let first = self.walk(0);
        let long = first.len();
        let at =
            |column: usize, layer: usize| gray(layer % 4) << below | first[column % long] as usize;
        // A column further, a layer lower: 3 layers up are one down.
        let upwards = (0..4 * long).map(|x| at(x / 4, x % 4 + 3 * (x / 4)));
        let along = (0..4 * long).map(|x| at(3 * (x / 4) + x % 4, x / 4));
        owners.give_walk(upwards, 0);
        owners.give_walk(along, 1);
        for layer in 0..4 {
            owners.give_layer(gray(layer), self, 1, 1);
        }
        let mut positions = [owners.positions(0), owners.positions(1)];
        for cycle in 2..=(below / 2) as u8 {
            for layer in 0..3 {
                let changed = owners.join_layers(below, layer, cycle, &positions)?;
                positions[usize::from(changed)] = owners.positions(changed);
            }
        }
        Some(owners)
    }

    /// Joins what a cycle has in a layer with what it has in the next one, by a switch with cycle 0 or 1: which of them.
    fn join_layers(
        &mut self,
        below: usize,
        layer: usize,
        cycle: u8,
        positions: &[Vec<u32>; 2],
    ) -> Option<u8> {
        let upward = transition(2, layer);
        let all = 1 << (below + 2);
        for x in (0..1 << below).map(|node| gray(layer) << below | node) {
            let other = self.of(x, below + upward);
            if other > 1 {
                continue;
            }
            let position = &positions[usize::from(other)];
            let goes_up = |node: usize| {
                let above = neighbour(node, below + upward);
                (position[node] as usize + 1) % all == position[above] as usize
            };
            let fits = |&dimension: &usize| {
                let (y, above) = (neighbour(x, dimension), neighbour(x, below + upward));
                self.of(x, dimension) == cycle
                    && self.of(above, dimension) == cycle
                    && self.of(y, below + upward) == other
                    && goes_up(x) == goes_up(y)
            };
            if let Some(dimension) = (0..below).find(fits) {
                self.switch(x, dimension, below + upward);
                return Some(other);
            }
        }
        None
    }

    /// Both copies of each cycle become one by a switch with the links between the layers.
    fn times_edge(&self) -> Option<Owners> {
        let below = self.dimensions;
        let mut owners = Owners::nobody(below + 1);
        for layer in 0..2 {
            owners.give_layer(layer, self, 0, 0);
        }
        for cycle in 0..(below / 2) as u8 {
            let (x, dimension) = owners.free_square(below, cycle)?;
            owners.switch(x, dimension, below);
        }
        Some(owners)
    }

    /// An edge of a cycle from whose ends nobody's edges lead to its copy: a node and the dimension.
    fn free_square(&self, below: usize, cycle: u8) -> Option<(usize, usize)> {
        let free = |node| self.of(node, below) == NOBODY;
        let edges = (0..1 << below).flat_map(|x| (0..below).map(move |dimension| (x, dimension)));
        let mut edges = edges.filter(|&(x, dimension)| self.of(x, dimension) == cycle);
        edges.find(|&(x, dimension)| free(x) && free(neighbour(x, dimension)))
    }
}
