//! A matrix: drawn, or read from a file, CSV without a header, a line a row; cut into messages, and put together again of those that
//! arrived.

use std::path::Path;
use std::rc::Rc;

use hosts::collectives::ends::Pattern;
use hosts::collectives::matrix::Blocks;
use hosts::words::Words;

use crate::deliveries::write_rows;
use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::collectives::data::{Data, origin};
use crate::families::collectives::entries;
use crate::families::collectives::job::Job;
use crate::families::collectives::transpose::form::Form;
use crate::families::collectives::transpose::{Layout, MOST_ROWS, Shape, shape};
use crate::output::Staged;
use crate::report::{Check, Section};
use crate::testbench::chosen::Chosen;
use crate::values::{Table, at_line, refused};
use crate::words::patterned;

/// Bytes of an entry, with what is around it: the least double is written with some 330 digits.
const LONGEST_ENTRY: usize = 400;

/// A matrix.
pub struct Matrix {
    shape: Shape,
    /// Bits of its entries, row by row.
    entries: Vec<u64>,
}

impl Matrix {
    /// From a file.
    ///
    /// # Errors
    /// A file that cannot be used, and a size that is not taken.
    pub fn read(chosen: &Chosen, path: &Path) -> Result<Self, Error> {
        let layout = Layout::of(chosen)?;
        let (entries, side, last_line) = read(path, layout.form)?;
        let shape = layout.of_rows(side);
        let shape = shape.map_err(|why| refused(path, last_line, why))?;
        Ok(Matrix { shape, entries })
    }

    /// Drawn from a seed.
    ///
    /// # Errors
    /// A size that is not taken.
    pub fn drawn(chosen: &Chosen) -> Result<Self, Error> {
        let shape = shape(chosen)?;
        let amount = shape.blocks.side * shape.blocks.side;
        let entries = shape.form().drawn(amount, chosen.seed());
        Ok(Matrix { shape, entries })
    }

    /// How it is spread over nodes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The entry that arrived of what stood in a row and a column.
    fn arrived(&self, job: &Job, arrived: &Words, place: (usize, usize)) -> u64 {
        self.shape.blocks.arrived(arrived, &job.ends, place)
    }

    fn line(&self, entries: impl Iterator<Item = u64>) -> Vec<String> {
        entries
            .map(|entry| self.shape.form().write(entry))
            .collect()
    }
}

impl Data for Matrix {
    fn sent(&self, job: &Job) -> Rc<Words> {
        let blocks = &self.shape.blocks;
        Rc::new(blocks.sent(&self.entries, &job.ends, job.word_bits))
    }

    fn in_words(&self, job: &Job) -> String {
        let Blocks { side, block, .. } = self.shape.blocks;
        let from = match (&job.ends.pattern, block) {
            (Pattern::EachToEach, 1) => "row i at node i, i->j its element in column j",
            (Pattern::EachToEach, _) => {
                "some rows a node, i->j their block in the columns of node j"
            }
            _ => "a submatrix a node, to the node across the diagonal",
        };
        format!("{side} x {side} matrix, {from}")
    }

    fn summary(&self, job: &Job) -> Vec<(&'static str, String)> {
        let (Blocks { side, block, .. }, form) = (self.shape.blocks, self.shape.form().text());
        let [_, origin] = origin(&job.chosen);
        let leaving = job.plan().program.loads.iter();
        let leaving = leaving.filter(|one| one.partner != 0 && one.bit == 0);
        let leaving = leaving.map(|one| one.at.map_or(job.cube.nodes(), |_| 1));
        let leaving: usize = leaving.sum();
        let blocks = format!(
            "blocks of {block} x {block} entries, {} bits; {leaving} of them leave their node",
            job.word_bits
        );
        vec![
            ("matrix", format!("{side} x {side} {form}, {origin}")),
            ("messages", blocks),
        ]
    }

    fn facts(&self) -> Section {
        vec![
            entries::MATRIX_ROWS.is(&self.shape.blocks.side),
            entries::BLOCK_ROWS.is(&self.shape.blocks.block),
            entries::WORD_BITS.is(&self.shape.form().bits()),
        ]
    }

    fn checks(&self, job: &Job, arrived: &Words) -> Vec<Check> {
        let all = self.entries.len();
        let blocks = &self.shape.blocks;
        let faults = blocks.faults(&self.entries, arrived, &job.ends);
        let right = all - faults.amount;
        let mut detail = format!("{right} of {all} entries are those of the transposed matrix");
        if let Some([row, column]) = faults.first {
            let found = self.arrived(job, arrived, (row, column));
            let entry = self.entries[row * blocks.side + column];
            detail += &format!(
                "; first: in row {column} and column {row} is {} in place of {}",
                self.shape.form().write(found),
                self.shape.form().write(entry)
            );
        }
        vec![Check::new("matrix", faults.first.is_none(), detail)]
    }

    fn file(&self, _job: &Job) -> String {
        let rows = self.entries.chunks(self.shape.blocks.side);
        let rows = rows.map(|row| self.line(row.iter().copied()).join(",") + "\n");
        rows.collect()
    }

    fn write(&self, job: &Job, output: Staged, arrived: &Words) -> Result<(), Error> {
        write_rows(output, |writer| {
            let side = self.shape.blocks.side;
            // A row of the transposed matrix was a column.
            (0..side).try_for_each(|column| {
                let row = (0..side).map(|row| self.arrived(job, arrived, (row, column)));
                writer.write_record(self.line(row))
            })
        })
    }

    fn later(&self, _job: &Job, round: usize, seed: u64) -> (Rc<dyn Data>, String) {
        let (amount, bits) = (self.entries.len(), self.shape.form().bits());
        let (words, name) = patterned(round, (amount, 1, bits), seed);
        let (shape, entries) = (self.shape, words.iter().map(|word| word[0]).collect());
        (Rc::new(Matrix { shape, entries }), name)
    }
}

/// The entries of a square matrix, row by row, and its rows.
///
/// # Errors
/// What is wrong, with the line and, where it is one entry, the column; a file that cannot be read.
fn read(path: &Path, form: Form) -> Result<(Vec<u64>, usize, u64), Error> {
    let table = Table {
        path,
        longest_line: MOST_ROWS * LONGEST_ENTRY,
        broken: &|line, malformed| refused(path, line, malformed.to_string()),
    };
    let (mut entries, mut rows, mut columns) = (Vec::new(), 0, 0);
    let last_line = table.read_all(|row| {
        if rows == 0 {
            columns = row.len();
        }
        check_length(row.len(), rows, columns).map_err(|why| refused(path, row.line, why))?;
        for (column, text) in row.fields().enumerate() {
            let entry = form.read(text).map_err(|why| {
                let refusal = Refusal::why(why).at_column(column + 1, "");
                at_line(path, row.line, refusal)
            });
            entries.push(entry?);
        }
        rows += 1;
        Ok(())
    })?;
    if rows != columns {
        let why = format!("the matrix has {rows} rows and {columns} columns: it has to be square");
        return Err(refused(path, last_line, why));
    }
    Ok((entries, rows, last_line))
}

/// Refuses a row that has another length than those before it, or is one too many.
fn check_length(length: usize, rows: usize, columns: usize) -> Result<(), String> {
    if length > MOST_ROWS {
        return Err(format!(
            "the row has {length} entries, and {MOST_ROWS} are the most"
        ));
    }
    if rows > 0 && rows == columns {
        return Err(format!(
            "the matrix has {rows} columns, and this is a row more: it has to be square"
        ));
    }
    if length != columns {
        return Err(format!(
            "the row has {length} entries, and the first one has {columns}: all have to have as many"
        ));
    }
    Ok(())
}
