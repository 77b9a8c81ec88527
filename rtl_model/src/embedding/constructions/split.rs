//! An address in two halves, for Theorems 1 and 2 (section 4, figure 2): the hypercube as a grid, whose rows and columns are
//! hypercubes. Each half has a *position*, its upper bits, and the rest is the *block*.
//!
//! ```text
//!   address    row                  column
//!            | position | block  |  position | block |
//!              d bits     a - d     d bits     b - d        a rows' bits, b columns' bits, d detours
//! ```
//!
//! Columns are hypercubes of `a` dimensions, each with its *special cycle*: the one of the directed Hamiltonian cycles whose
//! number is the moment of the column's position. An edge of it, across dimension `i`, goes by `d` detours over the neighbours
//! in position `j`, and may go straight:
//!
//! ```text
//!   column c         u ----------- i ---------> v        neighbours of a column have different moments, so the cycles
//!                    | j                        ^ j      that make use of a neighbour's wires are different ones
//!   neighbour        . ----------- i ---------> .
//! ```
//!
//! So no wire is in two middle hops, as long as different moments name different cycles. Positions of `d` bits have
//! `2^ceil(log d)` moments, and a column has `2 floor(a/2)` cycles. Where they are fewer, a moment is taken modulo their number,
//! and the middle hops over a wire are as many as the moments that name a cycle. All the same holds of rows.

use crate::embedding::hamiltonian::Decomposition;
use crate::embedding::moment::moment;

/// How an address is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Split {
    /// Bits that name a row: dimensions of a column.
    pub rows: usize,
    /// Bits that name a column: dimensions of a row.
    pub columns: usize,
    /// Bits of a position: detours of an edge.
    pub detours: usize,
}

impl Split {
    /// Bits of an address.
    pub fn dimensions(self) -> usize {
        self.rows + self.columns
    }

    /// Row of a node.
    pub fn row(self, node: usize) -> usize {
        node >> self.columns
    }

    /// Column of a node.
    pub fn column(self, node: usize) -> usize {
        node & ((1 << self.columns) - 1)
    }

    /// The node that follows on the special cycle of the node's column, of the column's cycles.
    pub fn down_column(self, cycles: &Decomposition, node: usize) -> usize {
        let position = self.column(node) >> (self.columns - self.detours);
        let row = cycles.next(moment(position) % cycles.cycles(), self.row(node));
        row << self.columns | self.column(node)
    }

    /// The node that follows on the special cycle of the node's row, of the row's cycles.
    pub fn along_row(self, cycles: &Decomposition, node: usize) -> usize {
        let position = self.row(node) >> (self.rows - self.detours);
        let column = cycles.next(moment(position) % cycles.cycles(), self.column(node));
        self.row(node) << self.columns | column
    }

    /// By dimension, the detours of an edge across it: over the positions of the other half.
    pub fn paths(self) -> Vec<Vec<Vec<u8>>> {
        let all = self.dimensions();
        let of = |dimension| {
            let above = match dimension < self.columns {
                true => all,
                false => self.columns,
            };
            let over = above - self.detours..above;
            over.map(|beside| vec![beside as u8, dimension as u8, beside as u8])
                .collect()
        };
        (0..all).map(of).collect()
    }
}
