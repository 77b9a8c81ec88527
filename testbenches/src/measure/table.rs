//! Rows as a table for people: the columns that a family chooses, with headings.

use comfy_table::CellAlignment;

use crate::measure::row::{PASSED, Row, WALL_SECONDS};
use crate::report::{Entry, Heading, Shown, aligned};
use crate::setters::setters;

/// A column of a table.
#[derive(Clone, Copy)]
pub struct Column {
    heading: Heading,
    /// Of the row.
    name: &'static str,
    /// What stands in its cells, if not the value of that name.
    made: Option<fn(&Row) -> String>,
    /// Which rows it is shown for, if not those that its heading says.
    only_if: Option<fn(&[Row]) -> bool>,
}

/// The verdict on a row: whether all its checks hold.
pub fn verdict(row: &Row) -> String {
    let verdict = if row.passed() { "pass" } else { "FAIL" };
    verdict.to_owned()
}

/// A title: a name, and what the columns say that are left out.
pub fn titled(name: &str, in_words: &str) -> String {
    match in_words {
        "" => name.to_owned(),
        words => format!("{name}, {words}"),
    }
}

impl Column {
    /// What a row took.
    pub const SECONDS: Column = Column::new(Heading::of("seconds").digits(3), WALL_SECONDS);

    /// The verdicts on rows.
    pub const fn checks(verdict: fn(&Row) -> String) -> Self {
        Column::new(Heading::of("checks"), PASSED).made(verdict)
    }

    /// A value of the row, under its heading.
    pub const fn new(heading: Heading, name: &'static str) -> Self {
        Column {
            heading,
            name,
            made: None,
            only_if: None,
        }
    }

    /// What rows have of an entry that has a heading.
    pub const fn of(entry: Entry) -> Self {
        match entry.heading {
            Some(heading) => Column::new(heading, entry.in_rows()),
            None => panic!("the entry has no heading"),
        }
    }

    setters! {
        /// With what is made of the row, in place of its value.
        made(cell: fn(&Row) -> String) { made: Some(cell) }
        /// Where that is so.
        only_if(is_shown: fn(&[Row]) -> bool) { only_if: Some(is_shown) }
    }

    /// The value of rows that it shows.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What stands in it.
    pub fn cell(&self, row: &Row) -> String {
        match (self.made, self.heading.digits) {
            (Some(made), _) => made(row),
            (None, Some(digits)) => or_dash(row.number(self.name), digits),
            (None, None) => row.text(self.name),
        }
    }
}

/// A number with so many digits behind the point; a dash, where there is none.
pub fn or_dash(number: Option<f64>, digits: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.digits$}"))
}

/// Whether rows differ in the value of that name.
pub fn differ(rows: &[Row], name: &str) -> bool {
    rows.windows(2)
        .any(|pair| pair[0].get(name) != pair[1].get(name))
}

/// A column with its cells, by row.
pub struct Filled {
    /// Its heading.
    pub heading: String,
    /// Its cells stand to the left.
    pub is_left: bool,
    /// A cell a row.
    pub cells: Vec<String>,
}

impl Filled {
    /// To the right, as numbers are.
    pub fn new(heading: &str, cells: Vec<String>) -> Self {
        Filled {
            heading: heading.to_owned(),
            is_left: false,
            cells,
        }
    }
}

/// The columns that are to be seen, and the others in words.
pub fn filled(columns: &[Column], rows: &[Row]) -> (Vec<Filled>, String) {
    let (mut shown, mut words) = (Vec::new(), Vec::new());
    for column in columns {
        let cells: Vec<String> = rows.iter().map(|row| column.cell(row)).collect();
        let is_shown = match (column.only_if, column.heading.shown) {
            (Some(is_shown), _) => is_shown(rows),
            (None, Shown::Always) => true,
            (None, Shown::IfRowsDiffer) => differ(rows, column.name),
            (None, Shown::IfAnyHas) => rows.iter().any(|row| row.has(column.name)),
            (None, Shown::OrInWords(told)) => {
                let differs = cells.windows(2).any(|pair| pair[0] != pair[1]);
                let all = cells.first().filter(|cell| !differs && !cell.is_empty());
                words.extend(all.map(|cell| told.replace("{}", cell)));
                differs
            }
        };
        if is_shown {
            shown.push(Filled {
                is_left: column.heading.is_left,
                ..Filled::new(column.heading.text, cells)
            });
        }
    }
    (shown, words.join(", "))
}

/// Columns with their headings, aligned.
pub fn lines(columns: &[Filled]) -> String {
    let headings = columns
        .iter()
        .map(|column| column.heading.clone())
        .collect();
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let cells = (0..rows).map(|row| {
        columns
            .iter()
            .map(|column| column.cells[row].clone())
            .collect()
    });
    let alignment: Vec<CellAlignment> = (columns.iter())
        .map(|column| match column.is_left {
            true => CellAlignment::Left,
            false => CellAlignment::Right,
        })
        .collect();
    aligned(std::iter::once(headings).chain(cells).collect(), &alignment) + "\n"
}

/// All rows, and in words what is the same in all of them.
pub(super) fn table(columns: &[Column], rows: &[Row]) -> (String, String) {
    let (columns, words) = filled(columns, rows);
    (lines(&columns), words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::values;

    #[test]
    fn a_column_in_which_no_rows_differ_is_said_in_words_and_an_empty_one_not_at_all() {
        let row = |n: usize, v: usize, load: Option<f64>| {
            Row::new(values! { n: n, v: v, load: load, }, &[])
        };
        let columns = [
            Column::new(Heading::of("n").or_in_words("n = {}"), "n"),
            Column::new(Heading::of("v").or_in_words("v = {}"), "v"),
            Column::new(Heading::of("load").or_in_words("load {}"), "load"),
            Column::new(Heading::of("share").digits(2).left(), "load"),
            Column::checks(verdict).only_if(|rows| rows.len() > 2),
        ];
        let rows = [row(2, 3, None), row(10, 3, None)];
        let (text, words) = table(&columns, &rows);
        assert_eq!(words, "v = 3");
        assert_eq!(text, "   n  share\n   2  -\n  10  -\n");
        let rows = [row(2, 3, Some(0.5)), row(2, 4, None), row(2, 4, None)];
        let (text, words) = table(&columns, &rows);
        assert_eq!(words, "n = 2");
        assert_eq!(text.lines().next(), Some("  v  load  share  checks"));
        assert_eq!(text.lines().nth(1), Some("  3   0.5  0.50     pass"));
    }
}
