//! Files of values that nodes begin with, or end up with: CSV with the header `node,value`, values hexadecimal. What has values
//! may be something else than nodes, by another name in the header. And how such files are read, whatever their columns are:
//! by the rules of [`rtl_model::csv_file`].

use std::cell::Cell;
use std::fmt::Display;
use std::path::Path;

use rtl_model::csv_file::{Broken, Malformed, Rows, hexadecimal, whole};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::options::{file_name, open_file};

pub use rtl_model::csv_file::{Fields, shown};

/// The first column of a file whose values are those of nodes.
pub const NODE: &str = "node";

/// A row of such a file, not yet understood.
#[derive(Clone, Copy, Debug)]
pub struct ValueRow<'a> {
    /// The node, or whatever else has the value, as it is written.
    pub whose: &'a str,
    /// The value, as it is written.
    pub value: &'a str,
    /// The columns of both, from 1, and their headings.
    columns: [(usize, &'a str); 2],
}

impl ValueRow<'_> {
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

    /// Whether it is a delivery, and so one of several of the same value.
    pub fn is_delivery(&self) -> bool {
        self.columns[0].1 == ARRIVED[1]
    }

    /// The refusal of whose the value is.
    pub fn not_of_it(&self, why: impl Display) -> Refusal {
        let (place, heading) = self.columns[0];
        Refusal::why(why).at_column(place, heading)
    }

    /// The refusal of the value.
    pub fn not_this_value(&self, why: impl Display) -> Refusal {
        let (place, heading) = self.columns[1];
        Refusal::why(why).at_column(place, heading)
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

/// The columns of deliveries.
const ARRIVED: [&str; 4] = ["node", "source", "payload", "bit_time"];

/// Reads all rows, in order; returns the last line. The first column is called `column`, and values have up to `most_bits` bits.
/// What `row` says of one is the refusal of its line.
///
/// # Errors
/// A line that is refused; a file that cannot be read.
pub fn read_rows(
    path: &Path,
    column: &str,
    most_bits: usize,
    row: impl FnMut(ValueRow<'_>) -> Result<(), Refusal>,
) -> Result<u64, Error> {
    read(path, (column, false), most_bits, row)
}

/// The same of values of nodes, or of deliveries: there the source has the value, which is told once for each node that it was for.
///
/// # Errors
/// As [`read_rows`].
pub fn read_rows_or_deliveries(
    path: &Path,
    most_bits: usize,
    row: impl FnMut(ValueRow<'_>) -> Result<(), Refusal>,
) -> Result<u64, Error> {
    read(path, (NODE, true), most_bits, row)
}

fn read(
    path: &Path,
    (column, may_be_arrived): (&str, bool),
    most_bits: usize,
    mut row: impl FnMut(ValueRow<'_>) -> Result<(), Refusal>,
) -> Result<u64, Error> {
    let is_arrived = Cell::new(false);
    let refused = |line, why: String| refused(path, line, why);
    let table = Table {
        path,
        // Twice as many digits as it takes, and room for the rest of the line.
        longest_line: most_bits.div_ceil(2) + (1 << 10),
        broken: &|line, malformed| refused(line, malformed.to_string()),
    };
    let header = |line, header: Option<&Fields>| {
        let arrived = match may_be_arrived {
            true => ", or that of deliveries",
            false => "",
        };
        let must = format!("it has to be `{column},value`{arrived}");
        match header {
            Some(header) if header.fields().eq([column, "value"]) => Ok(()),
            Some(header) if may_be_arrived && header.fields().eq(ARRIVED) => {
                is_arrived.set(true);
                Ok(())
            }
            Some(header) => {
                let why = format!("the header is `{}`: {must}", header.shown());
                Err(refused(line, why))
            }
            None => Err(refused(1, format!("there is no header: {must}"))),
        }
    };
    table.read(header, |fields| {
        let (columns, amount) = match is_arrived.get() {
            true => ([(2, ARRIVED[1]), (3, ARRIVED[2])], ARRIVED.len()),
            false => ([(1, column), (2, "value")], 2),
        };
        if fields.len() != amount && is_arrived.get() {
            let why = format!("a row has {amount} fields, as the header has");
            return Err(refused(fields.line, why));
        }
        if fields.len() != amount {
            let article = if column.starts_with('e') { "an" } else { "a" };
            let why = format!("a row is {article} {column} and its value, with a comma between");
            return Err(refused(fields.line, why));
        }
        let [whose, value] = columns.map(|(place, _)| fields.field(place - 1));
        let row = row(ValueRow {
            whose,
            value,
            columns,
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
