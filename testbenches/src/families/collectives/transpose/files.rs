//! A matrix from a file and into one: CSV without a header, a line a row.

use std::path::Path;

use crate::error::Error;
use crate::families::collectives::transpose::MOST_ROWS;
use crate::families::collectives::transpose::form::Form;
use crate::values::{Table, refused};

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
    let (mut entries, mut rows, mut columns) = (Vec::new(), 0, 0);
    let last_line = table.read_all(|row| {
        let refused = |why| refused(path, row.line, why);
        if rows == 0 {
            columns = row.len();
        }
        check_length(row.len(), rows, columns).map_err(refused)?;
        for (column, text) in row.fields().enumerate() {
            let entry = form.read(text);
            let entry = entry.map_err(|why| refused(format!("column {}: {why}", column + 1)))?;
            entries.push(entry);
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
