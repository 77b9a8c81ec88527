//! A matrix from a file and into one: CSV without a header, a line a row.

use std::cell::RefCell;
use std::path::Path;

use crate::error::Error;
use crate::families::collectives::transpose::MOST_ROWS;
use crate::families::collectives::transpose::form::Form;
use crate::values::{Table, refused};

/// The entries of a square matrix, row by row, and its rows.
///
/// # Errors
/// [`Error::Values`] with the line and, where it is one entry, the column; [`Error::Unreadable`].
pub fn read(path: &Path, form: Form) -> Result<(Vec<u64>, usize, u64), Error> {
    let table = Table {
        path,
        broken: &|line, reason| refused(path, line, format!("it cannot be read as CSV: {reason}")),
    };
    let reading = RefCell::new(Reading {
        form,
        columns: 0,
        rows: 0,
        entries: Vec::new(),
    });
    // There is no header: the first record is a row like the others.
    let add = |line: u64, record: &csv::StringRecord| {
        let added = reading.borrow_mut().add(record);
        added.map_err(|why| refused(path, line, why))
    };
    let last_line = table.read(|record| add(1, record), |line, record| add(line, record))?;
    let Reading {
        columns,
        rows,
        entries,
        ..
    } = reading.into_inner();
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
    fn add(&mut self, record: &csv::StringRecord) -> Result<(), String> {
        // A file without any line has an empty first row.
        if record.is_empty() {
            return Ok(());
        }
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
        for (column, text) in record.iter().enumerate() {
            let entry = self.form.read(text);
            let entry = entry.map_err(|why| format!("column {}: {why}", column + 1))?;
            self.entries.push(entry);
        }
        self.rows += 1;
        Ok(())
    }
}
