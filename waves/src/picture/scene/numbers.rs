//! Numbers of nodes, as a page has them.

use serde::Serialize;

use crate::picture::bins::{Bins, Cells};
use crate::picture::run::{Change, Number, Run};

/// A number that every node has.
#[derive(Clone, Debug, Serialize)]
pub struct Numbered {
    /// What it is called.
    pub name: String,
    /// Whether it says how many.
    pub is_count: bool,
    /// What the cells stand for: a 1 in a cell is the first.
    pub values: Vec<String>,
    /// How large each is.
    pub sizes: Vec<u32>,
    /// The largest of these.
    pub most: u32,
    /// The rows' cells: that of the first node of a row, at the end of a column.
    pub cells: Vec<Cells>,
    /// The same of the second such number of a node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub second: Vec<Cells>,
}

impl Numbered {
    /// All that nodes have.
    pub fn all(run: &Run, bins: &Bins) -> Vec<Numbered> {
        let each = run.numbers.iter();
        each.map(|number| Numbered::of(number, bins)).collect()
    }

    /// With those values only that are seen.
    pub fn of(number: &Number, bins: &Bins) -> Numbered {
        let mut cell_of = vec![0; number.values.len()];
        let mut seen = Vec::new();
        let mut cell = |value: u32| {
            let cell = &mut cell_of[value as usize];
            if *cell == 0 {
                seen.push(value as usize);
                *cell = seen.len() as u32;
            }
            *cell
        };
        let mut rows = |nodes: &[Vec<Change>]| {
            let firsts = nodes.iter().step_by(bins.nodes_a_row);
            let rows = firsts.map(|changes| bins.row_of_last(changes, &mut cell));
            rows.collect::<Vec<Cells>>()
        };
        let (cells, second) = (rows(&number.nodes), rows(&number.second));
        let sizes: Vec<u32> = seen
            .iter()
            .map(|value| number.values[*value].size)
            .collect();
        Numbered {
            name: number.name.clone(),
            is_count: number.is_count,
            values: (seen.iter())
                .map(|value| number.values[*value].text.clone())
                .collect(),
            most: sizes.iter().copied().max().unwrap_or(0),
            sizes,
            cells,
            second,
        }
    }

    /// The cells with sizes in the place of values.
    pub fn sizes_of_cells(&self) -> Vec<Cells> {
        let size = |cell: u32| self.sizes[cell as usize - 1];
        let rows = self.cells.iter();
        rows.map(|row| Cells(row.0.iter().map(|(at, cell)| (*at, size(*cell))).collect()))
            .collect()
    }
}
