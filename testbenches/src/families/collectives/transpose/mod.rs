//! Transposing a matrix that is spread over all nodes.
//!
//! ```text
//!   by rows, N/P rows a node             by submatrices, N/2^c x N/2^c a node, c = d/2
//!
//!   node 0   | 0>0 | 0>1 | 0>2 | 0>3 |   (0,0)>(0,0) | (0,1)>(1,0)
//!   node 1   | 1>0 | 1>1 | 1>2 | 1>3 |   ------------+------------
//!   node 2   | 2>0 | 2>1 | 2>2 | 2>3 |   (1,0)>(0,1) | (1,1)>(1,1)
//!   node 3   | 3>0 | 3>1 | 3>2 | 3>3 |   node (x,y) is x 2^c + y
//! ```
//!
//! A block crosses wires as it is stored, row by row, and the host of the node where it ends up transposes it there. A block whose
//! node keeps it is no message.

mod files;
mod form;
mod matrix;

pub use matrix::Matrix;

use crate::error::Error;
use crate::families::collectives::job::Extent;
use crate::families::collectives::options::{MOST_NODE_BITS, Setup};
use crate::report::counted;
use form::Form;

/// The most rows of a matrix, as a power of two.
const MOST_ROWS_LOG: usize = 12;
/// The most rows of a matrix.
const MOST_ROWS: usize = 1 << MOST_ROWS_LOG;

/// A matrix, spread over nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows, and columns.
    pub side: usize,
    /// Rows of a block, and columns.
    pub block: usize,
    /// Of submatrices: columns of nodes, as a power of two. None if nodes have whole rows.
    columns: Option<usize>,
    /// What entries are.
    pub form: Form,
}

/// Where an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Home {
    /// The node that has it.
    pub from: usize,
    /// The node that is to have it.
    pub to: usize,
    /// Which entry of their block it is.
    pub place: usize,
}

impl Shape {
    /// Of so many rows.
    ///
    /// # Errors
    /// Why that cannot be, and what can.
    fn of(setup: &Setup, side: usize) -> Result<Result<Self, String>, Error> {
        let form = Form::of_bits(setup.word_bits)?;
        check_dimensions(setup)?;
        let (algorithm, dims) = (setup.algorithm()?, setup.cube()?.count());
        let columns = algorithm.stores_submatrices().then_some(dims / 2);
        let least = 1 << columns.unwrap_or(dims);
        let most = most_rows(dims, columns, form);
        if side.is_power_of_two() && (least..=most).contains(&side) {
            return Ok(Ok(Shape {
                side,
                block: side / least,
                columns,
                form,
            }));
        }
        Ok(Err(format!(
            "{side} rows are not taken: {} of a cube of {dims} dimensions takes a power of two, {least} to {most} with entries \
             of {}; choose {}",
            algorithm.name(),
            counted(form.bits(), "bit"),
            nearest(side, [least, most])
        )))
    }

    /// How much is sent.
    pub fn extent(&self) -> Extent {
        Extent {
            message_bits: self.form.bits() * self.block * self.block,
            bins: 0,
        }
    }

    /// Where an entry is.
    pub fn home(&self, row: usize, column: usize) -> Home {
        let block = self.block;
        let (x, y) = (row / block, column / block);
        let (from, to) = match self.columns {
            None => (x, y),
            Some(columns) => (x << columns | y, y << columns | x),
        };
        Home {
            from,
            to,
            place: row % block * block + column % block,
        }
    }
}

/// Refuses cubes of more nodes than a matrix has rows, where every node has some.
///
/// # Errors
/// With the most dimensions.
pub fn check_dimensions(setup: &Setup) -> Result<(), Error> {
    let (algorithm, dims) = (setup.algorithm()?, setup.cube()?.count());
    if algorithm.stores_submatrices() || dims <= MOST_ROWS_LOG {
        return Ok(());
    }
    Err(Error::List {
        option: "--dims",
        why: format!(
            "{} takes at most {MOST_ROWS_LOG} dimensions, and not {dims}: every node has a row, and {MOST_ROWS} rows are the most",
            algorithm.name()
        ),
    })
}

/// The most rows of which a node can have its share.
fn most_rows(dims: usize, columns: Option<usize>, form: Form) -> usize {
    let (nodes_log, most_bits) = match columns {
        None => (dims, MOST_NODE_BITS),
        // There is room for packets of others beside the submatrix.
        Some(columns) => (2 * columns, MOST_NODE_BITS - 1),
    };
    let fits = |log: &usize| form.bits() << (2 * log) >> nodes_log <= most_bits;
    1 << (0..=MOST_ROWS_LOG).rev().find(fits).unwrap_or(0)
}

/// Rows where none are asked for: as many as nodes, if there can be as many.
pub fn default_rows(nodes: usize) -> usize {
    nodes.min(MOST_ROWS)
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

/// The shape of a matrix that has been read, or of one that is to be drawn.
///
/// # Errors
/// A size that is not taken.
pub fn shape(setup: &Setup, read: Option<&Matrix>) -> Result<Shape, Error> {
    if let Some(matrix) = read {
        return Ok(matrix.shape());
    }
    let side = match setup.size {
        Some(side) => side,
        None => default_rows(setup.cube()?.nodes()),
    };
    Shape::of(setup, side)?.map_err(|why| Error::List {
        option: "--size",
        why,
    })
}

#[cfg(test)]
mod tests;
