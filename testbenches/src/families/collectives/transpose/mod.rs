//! Transposing a matrix that is spread over all nodes.
//!
//! [Blocks] of it are messages. A block crosses wires as it is stored, row by row, and the host of the node where it ends up transposes it there. A block whose
//! node keeps it is no message.

mod form;
mod matrix;

pub use matrix::Matrix;

use std::rc::Rc;

use hosts::collectives::matrix::Blocks;

use crate::error::Error;
use crate::families::collectives::job::{Amount, Extent};
use crate::families::collectives::parameters::{
    DIMS, ENTRIES, MATRIX, MOST_NODE_BITS, SIZE, algorithm, cube,
};
use crate::report::counted;
use crate::testbench::chosen::{Chosen, Given};
use crate::testbench::parameter::Parameter;
use form::Form;

/// The most rows of a matrix, as a power of two.
const MOST_ROWS_LOG: usize = 12;
/// The most rows of a matrix.
const MOST_ROWS: usize = 1 << MOST_ROWS_LOG;

/// How matrices are spread over nodes, of any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// What the algorithm is called that has them so.
    algorithm: &'static str,
    dims: usize,
    /// Of submatrices: columns of nodes, as a power of two. None if nodes have whole rows.
    columns: Option<usize>,
    /// What entries are.
    form: Form,
}

/// A matrix, spread over nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Where its entries lie.
    pub blocks: Blocks,
    layout: Layout,
}

impl Layout {
    /// As asked for.
    ///
    /// # Errors
    /// Entries of no known form; more nodes than a matrix has rows, where every node has some.
    fn of(chosen: &Chosen) -> Result<Self, Error> {
        let (algorithm, dims) = (algorithm(chosen)?, cube(chosen)?.count());
        let form = Form::of_bits(chosen.whole(&ENTRIES))?;
        let has_submatrices = algorithm.stores_submatrices();
        if !has_submatrices && dims > MOST_ROWS_LOG {
            return Err(DIMS.blamed(format!(
                "{} takes at most {MOST_ROWS_LOG} dimensions, and not {dims}: every node has a row, and {MOST_ROWS} rows are the most",
                algorithm.name()
            )));
        }
        Ok(Layout {
            algorithm: algorithm.name(),
            dims,
            columns: has_submatrices.then_some(dims / 2),
            form,
        })
    }

    /// The most rows of which a node can have its share.
    fn most_rows(&self) -> usize {
        let (nodes_log, most_bits) = match self.columns {
            None => (self.dims, MOST_NODE_BITS),
            // There is room for packets of others beside the submatrix.
            Some(columns) => (2 * columns, MOST_NODE_BITS - 1),
        };
        let fits = |log: &usize| self.form.bits() << (2 * log) >> nodes_log <= most_bits;
        1 << (0..=MOST_ROWS_LOG).rev().find(fits).unwrap_or(0)
    }

    /// A matrix of so many rows.
    ///
    /// # Errors
    /// Why that cannot be, and what can.
    fn of_rows(self, side: usize) -> Result<Shape, String> {
        let least = 1 << self.columns.unwrap_or(self.dims);
        let most = self.most_rows();
        if side.is_power_of_two() && (least..=most).contains(&side) {
            let blocks = Blocks {
                side,
                block: side / least,
                columns: self.columns,
                bits: self.form.bits(),
            };
            return Ok(Shape {
                blocks,
                layout: self,
            });
        }
        Err(format!(
            "{side} rows are not taken: {} of a cube of {} dimensions takes a power of two, {least} to {most} with entries of {}; \
             choose {}",
            self.algorithm,
            self.dims,
            counted(self.form.bits(), "bit"),
            nearest(side, [least, most])
        ))
    }
}

impl Shape {
    /// How much is sent.
    pub fn extent(&self) -> Extent {
        let Blocks { block, bits, .. } = self.blocks;
        Extent::of_messages(bits * block * block)
    }

    /// What entries are.
    fn form(&self) -> Form {
        self.layout.form
    }
}

/// The nearest numbers of rows that can be.
fn nearest(side: usize, [least, most]: [usize; 2]) -> String {
    match side.checked_next_power_of_two() {
        _ if side < least => least.to_string(),
        Some(above) if above <= most && above / 2 < least => above.to_string(),
        Some(above) if above <= most => format!("{} or {above}", above / 2),
        _ => most.to_string(),
    }
}

/// The shape of a matrix that is to be drawn.
///
/// # Errors
/// A size that is not taken.
pub fn shape(chosen: &Chosen) -> Result<Shape, Error> {
    let layout = Layout::of(chosen)?;
    // As many as nodes, if there can be as many.
    let rows = (1 << layout.dims).min(MOST_ROWS);
    let shape = layout.of_rows(chosen.whole(&SIZE).unwrap_or(rows));
    shape.map_err(|why| SIZE.blamed(why))
}

/// Rows and bits of an entry, where none are asked for.
pub fn found(chosen: &Chosen) -> Vec<(&'static Parameter, Given)> {
    let Ok(shape) = shape(chosen) else {
        return Vec::new();
    };
    vec![
        (&SIZE, Given::number(shape.blocks.side)),
        (&ENTRIES, Given::number(shape.form().bits())),
    ]
}

/// How much is sent, with the matrix, if it is read.
///
/// # Errors
/// A size that is not taken, and a file that cannot be used.
pub fn sized(chosen: &Chosen) -> Result<Amount, Error> {
    let Some(path) = chosen.path(&MATRIX) else {
        return Ok((shape(chosen)?.extent(), None));
    };
    let matrix = Matrix::read(chosen, path)?;
    Ok((matrix.shape().extent(), Some(Rc::new(matrix))))
}

#[cfg(test)]
mod tests;
