//! A grid of two unequal sides, laid into a square one (section 4.5, Corollary 2): the paper needs it, as the width of an edge
//! depends on its axis's dimensions, and cites Aleliunas and Rosenberg. Here is a way of its own.
//!
//! The grid of `h` by `w`, `h < w`, becomes `h` *lanes* side by side that wind through the square of `L` by `L` in bands of `h`
//! rows. At a turn lanes take concentric ways. Lane `i` has the vertices `(i, 0)`, `(i, 1)`, ... on its cells, one after another:
//!
//! ```text
//!   lane 0   --------------------.
//!   lane 1   ----------------.   |       h = 2
//!            .-----------<---'   |       At this turn lane 0 has 4 cells more than lane 1,
//!            |   .-------<-------'       and at the next one lane 1 has 4 more.
//!            |   '--------->------
//!            '------------->------
//! ```
//!
//! Beginning together, neighbouring lanes would be together in one band and 4 cells apart in the next. So each lane begins 2
//! cells further on than the one after it: then they are 2 apart in every band, now the one in front and then the other, and an
//! edge from lane to lane has 3 grid edges at the most, everywhere. An edge along a lane is a grid edge.
//!
//! A square of twice the side that has as many cells as the grid, rounded up to a power of two, always has room.
//!
//! An edge thus is a walk of grid edges, and its path `p` consists of theirs: of path `p` of each, backwards where it goes
//! backwards, without what it would do for nothing, loops. Paths of an edge then mostly have no wire in common. They may where a
//! walk turns from one half of an axis's address to the other, because what is an edge there is a detour here. Such an edge takes
//! others of the paths between its two nodes that share no wire:
//!
//! ```text
//!   nodes differ in dimensions a, b, c      abc, bca, cab, and with each other dimension x before and behind, xabcx
//! ```
//!
//! These alone would be shorter, 5 hops for 9, and at these sizes cost less. But nothing bounds what they do to a wire, as
//! Theorem 1 does: a wire has a constant number of grid edges, and each of these is in a constant number of walks.

use crate::embedding::paths::Embedding;
use crate::error::Error;
use crate::machine::topology::hypercube::{Dimensions, neighbour};

#[cfg(test)]
mod tests;

/// A row and a column of the square.
type Cell = [usize; 2];

/// Bands and lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Squaring {
    /// Lanes, the shorter side.
    lanes: usize,
    /// Vertices of a lane, the longer side.
    length: usize,
    /// The square has sides of two to this power.
    bits: usize,
}

impl Squaring {
    /// The smallest square of a power of two that takes a grid of these sides in two bands or more.
    pub(super) fn new(lanes: usize, length: usize, most_bits: usize) -> Option<Self> {
        let fits = |&bits: &usize| Self::longest(lanes, bits).is_some_and(|most| length <= most);
        let bits = (1..=most_bits).find(fits)?;
        Some(Squaring {
            lanes,
            length,
            bits,
        })
    }

    /// The most vertices of a lane in a square of sides of two to this power; none if so many lanes do not turn in it.
    pub(super) fn longest(lanes: usize, bits: usize) -> Option<usize> {
        let bands = (1usize << bits) / lanes;
        // An average lane has a row of the square in every band. The last begins 2 cells a lane behind the first, or is as much
        // shorter than the average.
        let most = (bands << bits).checked_sub(2 * (lanes - 1))?;
        (bands >= 2).then_some(most)
    }

    /// Dimensions of a side of the square.
    pub(super) fn bits(self) -> usize {
        self.bits
    }

    /// The cells of a lane: those of its vertices.
    fn cells(self, lane: usize) -> Vec<Cell> {
        let side = 1 << self.bits;
        let bands = side / self.lanes;
        let begin = 2 * (self.lanes - 1 - lane);
        let mut cells = Vec::new();
        let mut column = 0;
        for band in 0..bands {
            // Lanes change their order from band to band.
            let order = |band: usize| match band % 2 {
                0 => lane,
                _ => self.lanes - 1 - lane,
            };
            let row = band * self.lanes + order(band);
            let last = band + 1 == bands;
            // The lane that is the farthest from the next band turns the last, at the edge.
            let before_edge = if last { 0 } else { order(band) };
            if band % 2 == 0 {
                let end = side - 1 - before_edge;
                cells.extend((column..=end).map(|at| [row, at]));
                column = end;
            } else {
                cells.extend((before_edge..=column).rev().map(|at| [row, at]));
                column = before_edge;
            }
            if !last {
                let next = (band + 1) * self.lanes + order(band + 1);
                cells.extend((row + 1..next).map(|row| [row, column]));
            }
        }
        cells.truncate(begin + self.length);
        cells.split_off(begin.min(cells.len()))
    }

    /// The grid, each axis of the square along this cycle. `sides` are those of the grid, in the order of its axes.
    ///
    /// # Errors
    /// A hypercube that is too large.
    pub(super) fn embed(self, sides: [usize; 2], cycle: &Embedding) -> Result<Embedding, Error> {
        let host = Dimensions::new(2 * self.bits)?;
        let lanes: Vec<Vec<Cell>> = (0..self.lanes).map(|lane| self.cells(lane)).collect();
        let square = Square { cycle, host };
        let cell = |vertex: usize| {
            let [x, y] = [vertex % sides[0], vertex / sides[0]];
            match sides[0] < sides[1] {
                true => lanes[x][y],
                false => lanes[y][x],
            }
        };
        let vertices = sides[0] * sides[1];
        let places = (0..vertices).map(|vertex| square.node(cell(vertex)) as u32);
        let mut embedding = Embedding::new(host, places.collect());
        for (stride, side) in [(1, sides[0]), (sides[0], sides[1])] {
            for vertex in 0..vertices {
                if vertex / stride % side + 1 < side {
                    let ends = [vertex, vertex + stride];
                    embedding.add_edge(ends, square.paths(ends.map(cell)));
                }
            }
        }
        Ok(embedding)
    }
}

/// The square, in its hypercube.
struct Square<'a> {
    /// A side's cycle: edge `x` leads from vertex `x` to the next.
    cycle: &'a Embedding,
    host: Dimensions,
}

impl Square<'_> {
    /// The node of a cell.
    fn node(&self, [row, column]: Cell) -> usize {
        self.cycle.place(row) << self.cycle.host().count() | self.cycle.place(column)
    }

    /// The paths between two cells.
    fn paths(&self, [from, to]: [Cell; 2]) -> Vec<Vec<u8>> {
        let ends = [self.node(from), self.node(to)];
        let width = self.cycle.width();
        let composed: Vec<Vec<u8>> = (0..width)
            .map(|path| without_loops(ends[0], &self.walk(path, from, to)))
            .collect();
        match share_a_wire(ends[0], &composed) {
            false => composed,
            true => apart(self.host, ends, width),
        }
    }

    /// From cell to cell by the path of that number of each grid edge: along the row, and then along the column.
    fn walk(&self, path: usize, from: Cell, to: Cell) -> Vec<u8> {
        let lowest = self.cycle.host().count() as u8;
        let mut hops = Vec::new();
        for (axis, lowest) in [(1, 0), (0, lowest)] {
            let (from, to) = (from[axis], to[axis]);
            for x in from..to {
                hops.extend(self.cycle.path(x, path).iter().map(|hop| hop + lowest));
            }
            for x in (to..from).rev() {
                let backwards = self.cycle.path(x, path).iter().rev();
                hops.extend(backwards.map(|hop| hop + lowest));
            }
        }
        hops
    }
}

/// A path without what leads back to a node where it was before.
fn without_loops(from: usize, path: &[u8]) -> Vec<u8> {
    let mut nodes = vec![from];
    let mut hops = Vec::new();
    for &hop in path {
        let node = neighbour(nodes[nodes.len() - 1], usize::from(hop));
        match nodes.iter().position(|&before| before == node) {
            Some(before) => {
                nodes.truncate(before + 1);
                hops.truncate(before);
            }
            None => {
                nodes.push(node);
                hops.push(hop);
            }
        }
    }
    hops
}

/// Whether a wire is in two of these paths, which all begin at a node.
fn share_a_wire(from: usize, paths: &[Vec<u8>]) -> bool {
    let mut wires = Vec::new();
    for path in paths {
        let mut node = from;
        for &hop in path {
            wires.push((node, hop));
            node = neighbour(node, usize::from(hop));
        }
    }
    wires.sort_unstable();
    wires.windows(2).any(|pair| pair[0] == pair[1])
}

/// So many paths from a node to another that share no wire, at most as many as dimensions.
fn apart(host: Dimensions, [from, to]: [usize; 2], width: usize) -> Vec<Vec<u8>> {
    let (differ, other): (Vec<u8>, Vec<u8>) =
        (0..host.count() as u8).partition(|&dimension| (from ^ to) >> dimension & 1 == 1);
    let turned = |by: usize| {
        let mut path = differ.clone();
        path.rotate_left(by);
        path
    };
    let around = |&beside: &u8| {
        let mut path = vec![beside];
        path.extend(&differ);
        path.push(beside);
        path
    };
    let direct = (0..differ.len()).map(turned);
    direct.chain(other.iter().map(around)).take(width).collect()
}
