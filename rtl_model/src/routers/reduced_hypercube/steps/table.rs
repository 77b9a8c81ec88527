//! A step table: what all nodes do, one row after the other. A collective operation is oblivious: what happens when does not depend
//! on the words, so it can be written down before it runs, and the sequencer walks through it.
//!
//! ```text
//!   row   kind           words   orders
//!    0    in blocks        1     wire 0: nodes with address bit 0 = 1 send, the others combine
//!    1    in blocks        1     wire 1: ...
//!    2    between blocks   1     the wire between building blocks, at sub-block 0
//! ```
//!
//! A row is one or several words, one behind the other, and each word is as many bit times as it has bits.

use std::ops::Range;

/// Nodes by some bits of their addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    /// The bits that are looked at,
    pub mask: usize,
    /// and what they are.
    pub value: usize,
}

impl Nodes {
    /// Those too of whose addresses these bits spell `value`, the lowest first.
    #[must_use]
    pub fn with(self, bits: Range<usize>, value: usize) -> Self {
        let mask = ((1 << bits.len()) - 1) << bits.start;
        Nodes {
            mask: self.mask | mask,
            value: (self.value & !mask) | (value << bits.start & mask),
        }
    }

    /// Whether a node is one of them.
    pub fn contain(self, node: usize) -> bool {
        (node ^ self.value) & self.mask == 0
    }
}

/// The way of a word: over which wire, and who sends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// The wire.
    pub wire: usize,
    /// The address bit in which its two ends differ.
    pub crossed: usize,
    /// Who sends. Those at the other end receive; where the crossed bit is not looked at, both ends do both.
    pub senders: Nodes,
}

impl Way {
    /// Whether a node receives.
    pub fn reaches(&self, node: usize) -> bool {
        self.senders.contain(node ^ 1 << self.crossed)
    }
}

/// A row of a step table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow<O> {
    /// Which of the steps that have names it is.
    pub kind: usize,
    /// Words, one behind the other.
    pub words: usize,
    /// The steps that it counts for: 0 where nothing crosses a wire.
    pub steps: usize,
    /// The way over wires, if it goes over any that is told so.
    pub way: Option<Way>,
    /// What else the nodes are told.
    pub orders: O,
}

/// All rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<O> {
    /// One after the other.
    pub rows: Vec<TableRow<O>>,
}

impl<O> Table<O> {
    /// Steps, as the thesis counts them: a word over a wire.
    pub fn steps(&self) -> u64 {
        self.rows.iter().map(|row| row.steps as u64).sum()
    }

    /// Words, one behind the other.
    pub fn words(&self) -> u64 {
        self.rows.iter().map(|row| row.words as u64).sum()
    }

    /// The most words of a row.
    pub fn longest(&self) -> usize {
        self.rows.iter().map(|row| row.words).max().unwrap_or(1)
    }
}
