//! What arrived against what is due, word by word.

use rayon::prelude::*;

use crate::collectives::ends::Ends;
use crate::words::Words;

/// Rows that are compared together, where much lies in rows and is due in columns: the beginnings of these columns lie side by side.
const ROWS_AT_ONCE: usize = 8;

/// What is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Faults {
    /// How much.
    pub amount: usize,
    /// Row and column of the first of it, row by row.
    pub first: Option<[usize; 2]>,
}

impl Faults {
    /// Of so many rows and columns, those that are wrong.
    pub fn of(rows: usize, columns: usize, is_wrong: impl Fn(usize, usize) -> bool + Sync) -> Self {
        let of_block = |block: usize| {
            let rows = ROWS_AT_ONCE * block..rows.min(ROWS_AT_ONCE * (block + 1));
            let mut faults = Faults {
                amount: 0,
                first: None,
            };
            for column in 0..columns {
                for row in rows.clone().filter(|row| is_wrong(*row, column)) {
                    faults.amount += 1;
                    let before = faults.first.unwrap_or([row, column]);
                    faults.first = Some(before.min([row, column]));
                }
            }
            faults
        };
        let blocks = (0..rows.div_ceil(ROWS_AT_ONCE)).into_par_iter();
        let blocks: Vec<Faults> = blocks.map(of_block).collect();
        Faults {
            amount: blocks.iter().map(|block| block.amount).sum(),
            first: blocks.iter().find_map(|block| block.first),
        }
    }

    /// Of messages that arrived, by row and column of their [shape](Ends::arrived_shape): those that are not what was sent, or what is
    /// due where that is something else. Of nodes where that `stays`, the own message is left out.
    pub fn of_messages(
        (ends, stays): (&Ends, &[bool]),
        (sent, due): (&Words, Option<&Words>),
        arrived: &Words,
    ) -> Self {
        let (rows, each) = ends.arrived_shape();
        Faults::of(rows, each, |row, column| {
            let ([from, to], number) = (ends.way(row, column), each * row + column);
            let due = match due {
                Some(due) => (due, number),
                None => (sent, ends.sent(from, to)),
            };
            let is_own = from == to && stays[from];
            !is_own && !arrived.has(number, due)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fault_is_that_of_the_first_row() {
        for wrong in [
            vec![],
            vec![[3, 4]],
            vec![[20, 0], [9, 5], [9, 4], [15, 0]],
            vec![[7, 6], [8, 0]],
            vec![[20, 6]],
        ] {
            let faults = Faults::of(21, 7, |row, column| wrong.contains(&[row, column]));
            assert_eq!(faults.amount, wrong.len());
            assert_eq!(faults.first, wrong.iter().min().copied());
        }
    }
}
