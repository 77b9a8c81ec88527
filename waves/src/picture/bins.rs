//! Nodes and bit times, several of them to a cell where there are many.
//!
//! ```text
//!   nodes 0..3    9 9 . . 4 4      --- 2 nodes a row, 3 bit times a column -->    9 | 4
//!                 . . . 1 1 1                                                     7 | .
//!                 7 . . . . .
//!                 . . . . . .      the largest of six values is the cell's
//! ```

use serde::Serialize;

use super::run::{Change, Run};

/// Which nodes share a row and which bit times a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bins {
    /// Nodes to a row: a power of two, so that rows of a hypercube are subcubes.
    pub nodes_a_row: usize,
    /// Rows; the last one may have fewer nodes.
    pub rows: usize,
    /// Bit times to a column.
    pub times_a_column: u32,
    /// Columns; the last one may have fewer bit times.
    pub columns: usize,
    /// Bit times of the run.
    pub bit_times: u32,
}

/// A row of cells, from left to right: each run of equal ones by its first column and their value. Before the first there is
/// nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cells(pub Vec<(u32, u32)>);

impl Serialize for Cells {
    /// One list, column and value in turn: there are many, and brackets are most of what they would take.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flat_map(|(column, value)| [*column, *value]))
    }
}

/// The fewest nodes to a row, of so many nodes, with which there are no more rows.
pub fn nodes_a_row(nodes: usize, most_rows: usize) -> usize {
    nodes.div_ceil(most_rows.max(1)).next_power_of_two()
}

impl Bins {
    /// The finest that have no more rows and columns.
    pub fn of(run: &Run, most_rows: usize, most_columns: usize) -> Bins {
        let nodes = run.nodes.len().max(1);
        let nodes_a_row = nodes_a_row(nodes, most_rows);
        let times = run.bit_times.max(1) as usize;
        let times_a_column = times.div_ceil(most_columns.max(1));
        Bins {
            nodes_a_row,
            rows: nodes.div_ceil(nodes_a_row),
            times_a_column: times_a_column as u32,
            columns: times.div_ceil(times_a_column),
            bit_times: times as u32,
        }
    }

    /// The row of a node.
    pub fn row(&self, node: u32) -> usize {
        node as usize / self.nodes_a_row
    }

    /// The cells of all rows: the largest value that any node of the row has in any bit time of the column. `changes` are
    /// those of the nodes, by number; where there are fewer, the others have nothing.
    pub fn cells(&self, changes: &[Vec<Change>]) -> Vec<Cells> {
        let mut rows: Vec<Cells> = changes
            .chunks(self.nodes_a_row)
            .map(|nodes| self.row_of(nodes))
            .collect();
        rows.resize_with(self.rows, Cells::default);
        rows
    }

    /// The cells of what is one thing after the other, and the more of it no larger: in each the last of its bit times counts.
    /// `cell` says what stands for a value.
    pub fn row_of_last(&self, changes: &[Change], mut cell: impl FnMut(u32) -> u32) -> Cells {
        let mut cells: Vec<(u32, u32)> = Vec::new();
        let mut known = changes.iter().peekable();
        while let Some(change) = known.next().filter(|it| it.from < self.bit_times) {
            let column = change.from / self.times_a_column;
            let next = known.peek().filter(|it| it.from < self.bit_times);
            if next.is_none_or(|next| next.from / self.times_a_column != column) {
                let value = cell(change.value);
                if cells.last().is_none_or(|(_, last)| *last != value) {
                    cells.push((column, value));
                }
            }
        }
        Cells(cells)
    }

    /// The cells of what changes so, all in one row.
    pub fn row_of<'a>(&self, all: impl IntoIterator<Item = &'a Vec<Change>>) -> Cells {
        let mut largest = vec![0; self.columns];
        for changes in all {
            for (index, change) in changes.iter().enumerate().filter(|(_, it)| it.value > 0) {
                let until = changes
                    .get(index + 1)
                    .map_or(self.bit_times, |next| next.from);
                let until = until.min(self.bit_times);
                if change.from >= until {
                    continue;
                }
                let first = (change.from / self.times_a_column) as usize;
                let last = ((until - 1) / self.times_a_column) as usize;
                for cell in &mut largest[first..=last] {
                    *cell = change.value.max(*cell);
                }
            }
        }
        let (mut cells, mut before) = (Vec::new(), 0);
        for (column, value) in largest.into_iter().enumerate() {
            if value != before {
                cells.push((column as u32, value));
            }
            before = value;
        }
        Cells(cells)
    }
}

/// How many messages are at each node, going by where they stay.
pub fn messages_present(run: &Run) -> Vec<Vec<Change>> {
    let mut begun_and_ended: Vec<Vec<(u32, i64)>> = vec![Vec::new(); run.nodes.len()];
    for route in &run.messages {
        // A message whose stays at a node overlap is there once.
        let mut stays: Vec<_> = route
            .stays
            .iter()
            .filter(|stay| stay.from < stay.to)
            .collect();
        stays.sort_by_key(|stay| (stay.node, stay.from));
        let mut joined: Vec<(u32, u32, u32)> = Vec::new();
        for stay in stays {
            match joined.last_mut() {
                Some((node, _, to)) if *node == stay.node && *to >= stay.from => {
                    *to = stay.to.max(*to);
                }
                _ => joined.push((stay.node, stay.from, stay.to)),
            }
        }
        for (node, from, to) in joined {
            begun_and_ended[node as usize].extend([(from, 1), (to, -1)]);
        }
    }
    begun_and_ended.into_iter().map(Change::counted).collect()
}

#[cfg(test)]
mod tests;
