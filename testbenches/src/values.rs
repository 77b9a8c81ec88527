//! Files of values that nodes begin with, or end up with: CSV with the header `node,value`, values hexadecimal.

use std::path::Path;

use crate::error::Error;
use crate::options::{file_name, open_file};

/// A row of such a file, not yet understood.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The node, as it is written.
    pub node: &'a str,
    /// The value, as it is written.
    pub value: &'a str,
}

/// A refusal of a file, at a line.
pub fn refused(path: &Path, line: u64, why: String) -> Error {
    Error::Values {
        file: file_name(path),
        line,
        why,
    }
}

/// Reads all rows, in order; returns the last line. What `row` says of one is the refusal of its line.
///
/// # Errors
/// [`Error::Values`] with the line, [`Error::Unreadable`].
pub fn read_rows(
    path: &Path,
    mut row: impl FnMut(Row<'_>) -> Result<(), String>,
) -> Result<u64, Error> {
    let refused = |line, why| refused(path, line, why);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(open_file(path)?);
    let broken = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        refused(line, format!("it cannot be read as CSV: {error}"))
    };
    let header = reader.headers().map_err(broken)?;
    if header.iter().ne(["node", "value"]) {
        let found: Vec<&str> = header.iter().collect();
        let why = format!(
            "the header is `{}`: it has to be `node,value`",
            found.join(",")
        );
        return Err(refused(1, why));
    }
    let mut last = 1;
    for record in reader.records() {
        let record = record.map_err(broken)?;
        let line = record.position().map_or(1, csv::Position::line);
        last = line;
        let (Some(node), Some(value), 2) = (record.get(0), record.get(1), record.len()) else {
            let why = "a row is a node and its value, with a comma between".to_owned();
            return Err(refused(line, why));
        };
        row(Row { node, value }).map_err(|why| refused(line, why))?;
    }
    Ok(last)
}

/// As much of a value as an error should repeat.
pub fn shown(value: &str) -> String {
    const MOST: usize = 40;
    match value.chars().count() <= MOST {
        true => value.to_owned(),
        false => value.chars().take(MOST).chain("...".chars()).collect(),
    }
}

/// The digits of a hexadecimal number, the least significant first.
///
/// # Errors
/// That it is none, or empty: `least` says what to write instead.
pub fn digits(value: &str, least: &str) -> Result<Vec<u32>, String> {
    if value.is_empty() {
        return Err(format!("the value is empty: {least}"));
    }
    let digits = value.chars().rev().map(|digit| digit.to_digit(16));
    digits
        .collect::<Option<Vec<u32>>>()
        .ok_or_else(|| format!("the value `{}` is no hexadecimal number", shown(value)))
}
