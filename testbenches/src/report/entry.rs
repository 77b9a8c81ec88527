//! An entry of results, said once: where reports and rows have it, what kind of value it is, in which unit, what it says, whether
//! less of it is better, and how tables and plots call it. From it follow its place in the JSON of reports, the value and the name that
//! rows have, columns of tables, panels of plots, the schema, the page on results, and the verdicts of comparisons.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde_json::Value;

use crate::report::{Behind, Formula, Heading, value};
use crate::setters::setters;

/// An entry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Where JSON has it: names with dots between, the last one its own.
    pub path: &'static str,
    /// What it is called as a column of CSV, if not by its path.
    pub column: Option<&'static str>,
    /// What kind of value it is; none of a part, of which the type of the whole says it.
    pub kind: Option<fn(&mut SchemaGenerator) -> Schema>,
    /// In what it is counted; empty, where a number has no unit or the name says it.
    pub unit: &'static str,
    /// What it says; empty of a part of which the type of the whole says it.
    pub says: &'static str,
    /// Which is better, where anybody knows.
    pub better: Option<Better>,
    /// Rows have it, and reports do not.
    pub is_of_rows: bool,
    /// Of a closed form, what its text is called as a column; empty, where rows have none.
    pub text: Option<&'static str>,
    /// Behind what in the JSON of a report a testbench puts it.
    pub behind: Behind,
    /// How a table shows it, if tables do.
    pub heading: Option<Heading>,
    /// The title of its panel in a plot, and the unit there.
    pub panel: (&'static str, &'static str),
    /// The closed form that it is at the most, and the text of that, as rows call them.
    pub bounded_by: Option<(&'static str, &'static str)>,
}

/// Which of two values is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The smaller one.
    Less,
    /// The larger one.
    More,
}

impl Better {
    /// As schemas have it.
    pub fn name(self) -> &'static str {
        match self {
            Better::Less => "less",
            Better::More => "more",
        }
    }
}

impl Entry {
    /// One that holds such a value, and says this.
    pub const fn of<T: JsonSchema>(path: &'static str, says: &'static str) -> Self {
        Entry {
            kind: Some(SchemaGenerator::subschema_for::<T>),
            says,
            ..Entry::part(path)
        }
    }

    /// A part of another one, whose type says what it is; or the value of a parameter, which says it.
    pub const fn part(path: &'static str) -> Self {
        Entry {
            path,
            column: None,
            kind: None,
            unit: "",
            says: "",
            better: None,
            is_of_rows: false,
            text: None,
            behind: Behind::Network,
            heading: None,
            panel: ("", ""),
            bounded_by: None,
        }
    }

    /// A closed form: its value is called as it is in rows, its text so.
    pub const fn form(path: &'static str, text: &'static str, says: &'static str) -> Self {
        Entry {
            text: Some(text),
            ..Entry::of::<Option<Formula>>(path, says)
        }
    }

    setters! {
        /// Called so as a column.
        column(column: &'static str) { column: Some(column) }
        /// Put behind that in the JSON.
        behind(behind: Behind) { behind }
        /// Counted in that.
        unit(unit: &'static str) { unit }
        /// The less of it, the better.
        less() { better: Some(Better::Less) }
        /// The more of it, the better.
        more() { better: Some(Better::More) }
        /// Of rows alone.
        of_rows() { is_of_rows: true }
        /// In a column of that heading.
        headed(text: &'static str) { heading: Some(Heading::of(text)) }
        /// In such a column.
        heading(heading: Heading) { heading: Some(heading) }
        /// In a panel of that title, and with that unit there.
        panel(title: &'static str, unit: &'static str) { panel: (title, unit) }
        /// At the most what this closed form says, and its text.
        bounded_by(form: &'static str, text: &'static str) { bounded_by: Some((form, text)) }
    }

    /// Its name, and the value that it has.
    pub fn is(&self, of: &impl Serialize) -> (&'static str, Value) {
        (self.path, value(of))
    }

    fn at<'a>(&self, report: &'a Value) -> &'a Value {
        let names = self.path.split('.');
        names.fold(report, |whole, part| &whole[part])
    }

    /// Its value in the JSON of a report; of a closed form, its number.
    pub fn found<'a>(&self, report: &'a Value) -> &'a Value {
        match self.text {
            Some(_) => &self.at(report)["value"],
            None => self.at(report),
        }
    }

    /// The text of a closed form in the JSON of a report.
    pub fn found_text<'a>(&self, report: &'a Value) -> &'a Value {
        &self.at(report)["text"]
    }

    /// Where JSON has a column that is called so, if this entry has it.
    pub fn place_of(&self, column: &str) -> Option<Cow<'static, str>> {
        let path = self.path;
        match self.text {
            Some(text) if text == column && !text.is_empty() => Some(format!("{path}.text").into()),
            Some(_) if self.in_rows() == column => Some(format!("{path}.value").into()),
            // A whole has no column of its own name where a part of it is called so.
            None if self.column == Some(column) => Some(path.into()),
            _ => None,
        }
    }

    /// What it is called as a column.
    pub const fn in_rows(&self) -> &'static str {
        match self.column {
            Some(column) => column,
            None => self.path,
        }
    }
}
