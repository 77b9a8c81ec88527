//! A matrix from a file and into one: CSV without a header, a line a row.

use std::path::Path;

use crate::error::Error;
use crate::families::collectives::transpose::MOST_ROWS;
use crate::families::collectives::transpose::form::Form;
use crate::values::{Fields, Table, refused};

/// Bytes of an entry, with what is around it: the least double is written with some 330 digits.
const LONGEST_ENTRY: usize = 400;

/// The entries of a square matrix, row by row, and its rows.
///
/// # Errors
/// [`Error::Values`] with the line and, where it is one entry, the column; [`Error::Unreadable`].
pub fn read(path: &Path, form: Form) -> Result<(Vec<u64>, usize, u64), Error> {
    let table = Table {
        path,
        longest_line: MOST_ROWS * LONGEST_ENTRY,
        broken: &|line, malformed| refused(path, line, malformed.to_string()),
    };
    let mut reading = Reading {
        form,
        columns: 0,
        rows: 0,
        entries: Vec::new(),
    };
    let last_line = table.read_all(|row| {
        let added = reading.add(row);
        added.map_err(|why| refused(path, row.line, why))
    })?;
    let Reading {
        columns,
        rows,
        entries,
        ..
    } = reading;
    if rows != columns {
        let why = format!("the matrix has {rows} rows and {columns} columns: it has to be square");
        return Err(refused(path, last_line, why));
    }
    Ok((entries, rows, last_line))
}

struct Reading {
    form: Form,
    columns: usize,
    rows: usize,
    entries: Vec<u64>,
}

impl Reading {
    fn add(&mut self, record: &Fields) -> Result<(), String> {
        if record.len() > MOST_ROWS {
            return Err(format!(
                "the row has {} entries, and {MOST_ROWS} are the most",
                record.len()
            ));
        }
        match self.rows {
            0 => self.columns = record.len(),
            rows if rows == self.columns => {
                return Err(format!(
                    "the matrix has {rows} columns, and this is a row more: it has to be square"
                ));
            }
            _ if record.len() != self.columns => {
                return Err(format!(
                    "the row has {} entries, and the first one has {}: all have to have as many",
                    record.len(),
                    self.columns
                ));
            }
            _ => {}
        }
        for (column, text) in record.fields().enumerate() {
            let entry = self.form.read(text);
            let entry = entry.map_err(|why| format!("column {}: {why}", column + 1))?;
            self.entries.push(entry);
        }
        self.rows += 1;
        Ok(())
    }
}
