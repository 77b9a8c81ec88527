//! The cube-connected cycles (CCC), as in Greenberg and Bhatt, section 5: a hypercube of `n` dimensions with
//! a directed cycle of `n` nodes in the place of each of its nodes.
//!
//! A node is a *level* `l` of 0..n and a *column* `c` of 0..2^n; its number is `l * 2^n + c`. Two links leave it:
//!
//! ```text
//!   straight:  <l, c>  ->  <(l + 1) mod n, c>      one directed link, the next node of the column's cycle
//!   cross:     <l, c>  ->  <l, c ^ 2^l>            one directed link each way
//! ```
//!
//! A message visits levels in their order, each time over a straight link. At a level whose column bit is
//! wrong it crosses; at its destination it leaves; otherwise it goes straight on ([`CubeConnectedCycles::route`]).
//! After at most one round of the cycle all column bits are right, and the level is found in less than
//! another: at most `2n - 2` straight hops and `n` cross hops.
//!
//! The *dateline* is the straight link out of level `n - 1`. A route crosses it at most twice, and at most once
//! before its last cross hop. The number of times so far tells virtual channels apart.

use std::iter;

use bitvec::vec::BitVec;

use crate::error::Error;
use crate::error::refusal::Refusal;

mod lay;
#[cfg(test)]
mod tests;

pub use lay::Lay;

/// The fewest levels: with one, a straight link would lead from a node to itself.
pub const MIN_LEVELS: usize = 2;

/// The most levels: 2^20 nodes.
pub const MAX_LEVELS: usize = 16;

/// Cube-connected cycles of a checked number of levels, [`MIN_LEVELS`] to [`MAX_LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CubeConnectedCycles {
    levels: usize,
}

/// Which of the two links that leave a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// To the next level of the same column.
    Straight,
    /// To the other column whose number differs in the level's bit, at the same level.
    Cross,
}

/// A step of a route: one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The link.
    pub direction: Direction,
    /// The node that it leaves.
    pub from: usize,
    /// Datelines that the route has crossed before this hop: 0 to 2. If the hop itself crosses the dateline,
    /// that counts from the next hop on.
    pub datelines: usize,
}

impl CubeConnectedCycles {
    /// The network of `levels` levels.
    ///
    /// # Errors
    /// Levels outside 2..=16.
    pub fn new(levels: usize) -> Result<Self, Error> {
        if (MIN_LEVELS..=MAX_LEVELS).contains(&levels) {
            Ok(CubeConnectedCycles { levels })
        } else {
            Err(Refusal::of(format!(
                "cube-connected cycles of {levels} levels are out of range"
            ))
            .instead("choose 2 to 16")
            .into())
        }
    }

    /// Number of levels, `n`; also the bits of a column.
    #[inline]
    pub fn levels(self) -> usize {
        self.levels
    }

    /// Number of columns, `2^n`.
    #[inline]
    pub fn columns(self) -> usize {
        1 << self.levels
    }

    /// Number of nodes, `n * 2^n`.
    #[inline]
    pub fn nodes(self) -> usize {
        self.levels << self.levels
    }

    /// Number of directed wires: two leave each node.
    pub fn wires(self) -> usize {
        2 * self.nodes()
    }

    /// The number of the node at `level` of `column`.
    #[inline]
    pub fn node(self, level: usize, column: usize) -> usize {
        debug_assert!(level < self.levels && column < self.columns());
        level << self.levels | column
    }

    /// The level of a node.
    #[inline]
    pub fn level(self, node: usize) -> usize {
        node >> self.levels
    }

    /// The column of a node.
    #[inline]
    pub fn column(self, node: usize) -> usize {
        node & (self.columns() - 1)
    }

    /// Where the straight link of `node` leads.
    #[inline]
    pub fn straight(self, node: usize) -> usize {
        self.node(self.next_level(self.level(node)), self.column(node))
    }

    /// The node whose straight link leads to `node`.
    #[inline]
    pub fn straight_from(self, node: usize) -> usize {
        let level = self.level(node);
        let previous = if level == 0 { self.levels } else { level } - 1;
        self.node(previous, self.column(node))
    }

    /// Where the cross link of `node` leads; also the node whose cross link leads to `node`.
    #[inline]
    pub fn cross(self, node: usize) -> usize {
        node ^ 1 << self.level(node)
    }

    /// Where the link of that direction leads.
    #[inline]
    pub fn end(self, node: usize, direction: Direction) -> usize {
        match direction {
            Direction::Straight => self.straight(node),
            Direction::Cross => self.cross(node),
        }
    }

    /// The hops from `source` to `destination`, in order; none if they are the same node.
    pub fn route(self, source: usize, destination: usize) -> impl Iterator<Item = Hop> {
        let mut from = source;
        let mut datelines = 0;
        iter::from_fn(move || {
            let level = self.level(from);
            let hop = |direction| Hop {
                direction,
                from,
                datelines,
            };
            if self.crosses_at(level, from, destination) {
                let hop = hop(Direction::Cross);
                from = self.cross(from);
                return Some(hop);
            }
            if from == destination {
                return None;
            }
            let hop = hop(Direction::Straight);
            from = self.straight(from);
            datelines += usize::from(level + 1 == self.levels);
            Some(hop)
        })
    }

    /// The bits that lead a worm from `source` to `destination`, the first to be sent first. They are two for
    /// each level that is visited, so 2 to `4n - 2`:
    ///
    /// 1. the cross bit: 1 to cross here;
    /// 2. the eject bit, for the node in which the worm then is: 1 to leave, the header's last bit; 0 to go
    ///    straight on.
    pub fn header(self, source: usize, destination: usize) -> BitVec<u64> {
        let mut header = BitVec::with_capacity(4 * self.levels - 2);
        let mut node = source;
        loop {
            let cross = self.crosses_at(self.level(node), node, destination);
            if cross {
                node = self.cross(node);
            }
            let eject = node == destination;
            header.extend([cross, eject]);
            if eject {
                return header;
            }
            node = self.straight(node);
        }
    }

    fn next_level(self, level: usize) -> usize {
        if level + 1 == self.levels {
            0
        } else {
            level + 1
        }
    }

    /// The bit of the column that a cross link of `level` changes differs.
    fn crosses_at(self, level: usize, node: usize, destination: usize) -> bool {
        (node ^ destination) >> level & 1 == 1
    }
}
