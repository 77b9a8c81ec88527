//! A square matrix in square blocks, each of them a message: where its entries lie in messages.
//!
//! ```text
//!   by rows, a block for each node          by submatrices, 2^c of them side by side, one a node
//!
//!   node 0   | 0>0 | 0>1 | 0>2 | 0>3 |     (0,0)>(0,0) | (0,1)>(1,0)
//!   node 1   | 1>0 | 1>1 | 1>2 | 1>3 |     ------------+------------
//!   ...                                    (1,0)>(0,1) | (1,1)>(1,1)       node (x,y) is x 2^c + y
//! ```

use crate::collectives::compared::Faults;
use crate::collectives::ends::Ends;
use crate::words::Words;

/// A matrix in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks {
    /// Rows, and columns.
    pub side: usize,
    /// Rows of a block, and columns: a power of two.
    pub block: usize,
    /// Of submatrices: columns of nodes, as a power of two. None if nodes have whole rows.
    pub columns: Option<usize>,
    /// Bits of an entry, up to 64.
    pub bits: usize,
}

impl Blocks {
    /// Where an entry is: the node that has it and the one that is to have it, and which entry of their block it is.
    #[inline]
    pub fn home(&self, row: usize, column: usize) -> ([usize; 2], usize) {
        // Of a power of two, which no division has to find.
        let (log, inside) = (self.block.trailing_zeros(), self.block - 1);
        let (x, y) = (row >> log, column >> log);
        let ends = match self.columns {
            None => [x, y],
            Some(columns) => [x << columns | y, y << columns | x],
        };
        (ends, (row & inside) << log | column & inside)
    }

    /// Entries, row by row, as messages of so many bits by the numbers of what is sent.
    pub fn sent(&self, entries: &[u64], ends: &Ends, word_bits: usize) -> Words {
        let (nodes, each) = ends.sent_shape();
        let mut words = Words::zeros(nodes, each, word_bits);
        for (row, entries) in entries.chunks(self.side).enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                let ([from, to], place) = self.home(row, column);
                let chunk = (self.bits, *entry);
                words.set_chunk(ends.sent(from, to), place * self.bits, chunk);
            }
        }
        words
    }

    /// The entry that arrived of what stood in a row and a column.
    pub fn arrived(&self, arrived: &Words, ends: &Ends, (row, column): (usize, usize)) -> u64 {
        let ([from, to], place) = self.home(row, column);
        arrived.chunk(ends.arrived(from, to), place * self.bits, self.bits)
    }

    /// Of entries, row by row, those that arrived as something else.
    pub fn faults(&self, entries: &[u64], arrived: &Words, ends: &Ends) -> Faults {
        Faults::of(self.side, self.side, |row, column| {
            entries[row * self.side + column] != self.arrived(arrived, ends, (row, column))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collectives::ends::Pattern;

    #[test]
    fn every_entry_that_arrives_is_compared() {
        let ends = Ends {
            pattern: Pattern::EachToEach,
            nodes: 4,
        };
        let blocks = Blocks {
            side: 8,
            block: 2,
            columns: None,
            bits: 9,
        };
        let entries: Vec<u64> = (0..64).map(|number| number * 7 % 512).collect();
        let sent = blocks.sent(&entries, &ends, 36);
        let mut arrived = Words::zeros(4, 4, 36);
        for from in 0..4 {
            for to in 0..4 {
                let word = sent.word(ends.sent(from, to));
                (arrived.word_mut(ends.arrived(from, to))).copy_from_slice(word);
            }
        }
        let none = blocks.faults(&entries, &arrived, &ends);
        assert_eq!((none.amount, none.first), (0, None));
        for number in 0..64 {
            let mut other = entries.clone();
            other[number] ^= 1 << (number % 9);
            let faults = blocks.faults(&other, &arrived, &ends);
            let first = Some([number / 8, number % 8]);
            assert_eq!((faults.amount, faults.first), (1, first));
        }
    }
}
