//! Files of values that nodes begin with, or end up with: CSV with the header `node,value`, values hexadecimal. What has values
//! may be something else than nodes, by another name in the header. And how such files are read, whatever their columns are:
//! by the rules of [`rtl_model::csv_file`].

use std::fmt::Display;
use std::path::Path;

use rtl_model::csv_file::{Broken, Malformed, Rows, hexadecimal, whole};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::options::{file_name, open_file};

pub use rtl_model::csv_file::{Row as Fields, shown};

/// The first column of a file whose values are those of nodes.
pub const NODE: &str = "node";

/// A row of such a file, not yet understood.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The node, or whatever else has the value, as it is written.
    pub whose: &'a str,
    /// The value, as it is written.
    pub value: &'a str,
    /// The heading of the first column.
    column: &'a str,
}

impl Row<'_> {
    /// Whose the value is, as a number below `amount`.
    ///
    /// # Errors
    /// That there is none so called; `none` says of what, as in "there is no node".
    pub fn owner(&self, none: &str, amount: usize) -> Result<usize, Refusal> {
        let number = whole(self.whose).filter(|number| *number < amount);
        number.ok_or_else(|| {
            let (whose, last) = (shown(self.whose), amount.saturating_sub(1));
            self.not_of_it(format!("{none} `{whose}`"))
                .instead(format!("they are 0 to {last}"))
        })
    }

    /// The refusal of whose the value is.
    pub fn not_of_it(&self, why: impl Display) -> Refusal {
        Refusal::why(why).at_column(1, self.column)
    }

    /// The refusal of the value.
    pub fn not_this_value(&self, why: impl Display) -> Refusal {
        Refusal::why(why).at_column(2, "value")
    }
}

/// The refusal of a file, at a line.
pub fn at_line(path: &Path, line: u64, refusal: Refusal) -> Error {
    refusal.about(file_name(path)).at_line(line).into()
}

/// The same, for a reason.
pub fn refused(path: &Path, line: u64, why: impl Display) -> Error {
    at_line(path, line, Refusal::why(why))
}

/// Reads all rows, in order; returns the last line. The first column is called `column`, and values have up to `most_bits` bits.
/// What `row` says of one is the refusal of its line.
///
/// # Errors
/// A line that is refused; a file that cannot be read.
pub fn read_rows(
    path: &Path,
    column: &str,
    most_bits: usize,
    mut row: impl FnMut(Row<'_>) -> Result<(), Refusal>,
) -> Result<u64, Error> {
    let refused = |line, why: String| refused(path, line, why);
    let table = Table {
        path,
        // Twice as many digits as it takes, and room for the rest of the line.
        longest_line: most_bits.div_ceil(2) + (1 << 10),
        broken: &|line, malformed| refused(line, malformed.to_string()),
    };
    let header = |line, header: Option<&Fields>| {
        let must = format!("it has to be `{column},value`");
        match header {
            Some(header) if header.fields().eq([column, "value"]) => Ok(()),
            Some(header) => {
                let why = format!("the header is `{}`: {must}", header.shown());
                Err(refused(line, why))
            }
            None => Err(refused(1, format!("there is no header: {must}"))),
        }
    };
    table.read(header, |fields| {
        if fields.len() != 2 {
            let article = if column.starts_with('e') { "an" } else { "a" };
            let why = format!("a row is {article} {column} and its value, with a comma between");
            return Err(refused(fields.line, why));
        }
        let [whose, value] = [0, 1].map(|index| fields.field(index));
        let row = row(Row {
            whose,
            value,
            column,
        });
        row.map_err(|refusal| at_line(path, fields.line, refusal))
    })
}

/// A CSV file, whatever its columns are.
pub struct Table<'a> {
    /// The file; `-` is standard input.
    pub path: &'a Path,
    /// Bytes that no line is longer than.
    pub longest_line: usize,
    /// The refusal of a line that is no row.
    pub broken: &'a dyn Fn(u64, Malformed) -> Error,
}

impl Table<'_> {
    /// Shows the header, with its line, if there is one; then each row, in order; returns the last line. Rows may have any number of
    /// fields.
    ///
    /// # Errors
    /// Those of `header` and `row`; [`Table::broken`]; a file that cannot be read.
    pub fn read(
        &self,
        header: impl FnOnce(u64, Option<&Fields>) -> Result<(), Error>,
        row: impl FnMut(&Fields) -> Result<(), Error>,
    ) -> Result<u64, Error> {
        let mut rows = self.open()?;
        let first = rows.headings().map_err(|broken| self.refused(broken))?;
        header(first.map_or(1, |first| first.line), first)?;
        let header_line = rows.lines().max(1);
        Ok(self.rest(rows, row)?.unwrap_or(header_line))
    }

    /// Shows each row of a file that has no header; returns the last line.
    ///
    /// # Errors
    /// Those of `row`; [`Table::broken`]; a file that cannot be read.
    pub fn read_all(&self, row: impl FnMut(&Fields) -> Result<(), Error>) -> Result<u64, Error> {
        Ok(self.rest(self.open()?, row)?.unwrap_or(1))
    }

    fn open(&self) -> Result<Rows<Box<dyn std::io::Read>>, Error> {
        let file = open_file(self.path)?;
        Ok(Rows::of_long_lines(file, self.longest_line))
    }

    /// The last line that has a row, if there is one.
    fn rest(
        &self,
        mut rows: Rows<Box<dyn std::io::Read>>,
        mut row: impl FnMut(&Fields) -> Result<(), Error>,
    ) -> Result<Option<u64>, Error> {
        let mut last = None;
        while let Some(fields) = rows.next_row().map_err(|broken| self.refused(broken))? {
            last = Some(fields.line);
            row(fields)?;
        }
        Ok(last)
    }

    fn refused(&self, broken: Broken) -> Error {
        (self.broken)(broken.line, broken.malformed)
    }
}

/// The digits of a hexadecimal number, the least significant first.
///
/// # Errors
/// That it is none, or empty: `least` says what to write instead.
pub fn digits(value: &str, least: &str) -> Result<impl Iterator<Item = u32>, String> {
    if value.is_empty() {
        return Err(format!("the value is empty: {least}"));
    }
    let digits = hexadecimal(value).ok_or_else(|| {
        format!(
            "the value `{}` is no hexadecimal number, as 2f and 0x2f are",
            shown(value)
        )
    })?;
    Ok(digits.rev())
}
