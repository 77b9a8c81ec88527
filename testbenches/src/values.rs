//! Files of values that nodes begin with, or end up with: CSV with the header `node,value`, values hexadecimal. What has values
//! may be something else than nodes, by another name in the header. And how such files are read, whatever their columns are.

use std::path::Path;

use crate::error::Error;
use crate::options::{file_name, open_file};

/// The first column of a file whose values are those of nodes.
pub const NODE: &str = "node";

/// A row of such a file, not yet understood.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The node, or whatever else has the value, as it is written.
    pub whose: &'a str,
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

/// Reads all rows, in order; returns the last line. The first column is called `column`. What `row` says of one is the refusal of
/// its line.
///
/// # Errors
/// [`Error::Values`] with the line, [`Error::Unreadable`].
pub fn read_rows(
    path: &Path,
    column: &str,
    mut row: impl FnMut(Row<'_>) -> Result<(), String>,
) -> Result<u64, Error> {
    let refused = |line, why| refused(path, line, why);
    let table = Table {
        path,
        broken: &|line, reason| refused(line, format!("it cannot be read as CSV: {reason}")),
    };
    let header = |header: &csv::StringRecord| match header.iter().eq([column, "value"]) {
        true => Ok(()),
        false => {
            let found: Vec<&str> = header.iter().collect();
            let why = format!(
                "the header is `{}`: it has to be `{column},value`",
                found.join(",")
            );
            Err(refused(1, why))
        }
    };
    table.read(header, |line, record| {
        let (Some(whose), Some(value), 2) = (record.get(0), record.get(1), record.len()) else {
            let article = if column.starts_with('e') { "an" } else { "a" };
            let why = format!("a row is {article} {column} and its value, with a comma between");
            return Err(refused(line, why));
        };
        row(Row { whose, value }).map_err(|why| refused(line, why))
    })
}

/// A CSV file with a header, whatever its columns are. Spaces around fields do not count.
pub struct Table<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// The refusal of a line that is no CSV, from what the reader says.
    pub broken: &'a dyn Fn(u64, String) -> Error,
}

impl Table<'_> {
    /// Shows the fields of the header, and those of each row with its line, in order; returns the last line. Rows may have
    /// any number of fields.
    ///
    /// # Errors
    /// Those of `header` and `row`; [`Table::broken`], [`Error::Unreadable`].
    pub fn read(
        &self,
        header: impl FnOnce(&csv::StringRecord) -> Result<(), Error>,
        mut row: impl FnMut(u64, &csv::StringRecord) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(true)
            .from_reader(open_file(self.path)?);
        let broken = |error: csv::Error| {
            let line = error.position().map_or(1, csv::Position::line);
            (self.broken)(line, error.to_string())
        };
        header(reader.headers().map_err(broken)?)?;
        let mut last = 1;
        for record in reader.records() {
            let record = record.map_err(broken)?;
            last = record.position().map_or(1, csv::Position::line);
            row(last, &record)?;
        }
        Ok(last)
    }
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
