//! A reading of a run, as rows have it: the value of an entry of results, or what was chosen of a parameter, and its column in the
//! table. Rows, and so JSON and CSV, have readings in the order of their list; those with a heading are the columns of the table.

use crate::measure::row::{Row, Value};
use crate::measure::table::Column;
use crate::report::{Entry, Heading, Quantity, Report, of_all, value};
use crate::setters::setters;
use crate::testbench::chosen::Chosen;
use crate::testbench::parameter::{Kind, Parameter};

/// A reading.
#[derive(Clone, Copy)]
pub struct Reading {
    /// Its name in rows.
    pub name: &'static str,
    of: Of,
    /// Of which runs it is read, if not of all: of the others it is nothing.
    only_of: Option<fn(&Finished<'_>) -> bool>,
    /// Its column, if it has one.
    pub column: Option<Column>,
}

/// Where it is read.
#[derive(Clone, Copy)]
enum Of {
    /// What was chosen.
    Parameter(&'static Parameter),
    /// What the report has there.
    Report(Entry),
    /// The text of a closed form that it has there.
    Text(Entry),
    /// What a finished run gives for it.
    Run(Entry, fn(&Finished<'_>) -> Value),
    /// What follows for it from what was chosen and from the readings before it.
    Row(Entry, Follows),
    /// What is known only of several rows together, or of what is measured beside.
    Later(Entry),
}

/// Wires that a node drives.
pub const WIRES_PER_NODE: Reading =
    Reading::run(of_all::WIRES_PER_NODE, |run| run.wires_of_node().into());

/// The time of the run, in gates.
pub const GATE_DELAYS: Reading = Reading::run(of_all::GATE_DELAYS, |run| {
    let depth = run.report.logic_depth.as_ref();
    depth
        .map(|depth| run.report.bit_times * depth.total as u64)
        .into()
});

/// What follows from what was chosen and from other readings.
pub type Follows = fn(&Chosen, &Row) -> Value;

/// A run that is over.
pub struct Finished<'a> {
    /// What was chosen.
    pub chosen: &'a Chosen,
    /// What it says.
    pub report: &'a Report,
    /// The same as JSON.
    json: serde_json::Value,
}

impl<'a> Finished<'a> {
    /// The run that gave a report.
    pub fn new(chosen: &'a Chosen, report: &'a Report) -> Self {
        let json = value(report);
        Finished {
            chosen,
            report,
            json,
        }
    }

    /// What the report has of an entry.
    pub fn told(&self, entry: &Entry) -> Value {
        Value::of_json(entry.found(&self.json))
    }

    /// Register bits, and whatever else a node has one each of for each of its wires.
    pub fn wires_of_node(&self) -> usize {
        self.report.topology.directed_wires / self.report.topology.nodes
    }
}

impl Reading {
    const fn new(name: &'static str, of: Of, heading: Option<Heading>) -> Self {
        let column = match heading {
            Some(heading) => Some(Column::new(heading, name)),
            None => None,
        };
        Reading {
            name,
            of,
            only_of: None,
            column,
        }
    }

    const fn of_entry(entry: Entry, of: Of) -> Self {
        Reading::new(entry.in_rows(), of, entry.heading)
    }

    /// What the report has of an entry; of a closed form, its value.
    pub const fn of(entry: Entry) -> Self {
        Reading::of_entry(entry, Of::Report(entry))
    }

    /// The text of a closed form; without a column.
    pub const fn text(form: Entry) -> Self {
        let name = match form.text {
            Some(name) => name,
            None => panic!("it is no closed form"),
        };
        Reading::new(name, Of::Text(form), None)
    }

    /// What a finished run gives for an entry that reports do not have.
    pub const fn run(entry: Entry, of: fn(&Finished<'_>) -> Value) -> Self {
        Reading::of_entry(entry, Of::Run(entry, of))
    }

    /// What follows for an entry from what was chosen and from the readings before it, of a run and of what is measured beside it alike.
    pub const fn following(entry: Entry, of: Follows) -> Self {
        Reading::of_entry(entry, Of::Row(entry, of))
    }

    /// An entry that is known only of several rows together, or of what is measured beside.
    pub const fn later(entry: Entry) -> Self {
        Reading::of_entry(entry, Of::Later(entry))
    }

    /// What was measured of a quantity, its closed form, and the text of that.
    pub const fn quantity(of: &Quantity) -> [Self; 3] {
        [
            Reading::of(of.of),
            Reading::of(of.form),
            Reading::text(of.form),
        ]
    }

    /// What was chosen of a parameter: its column is headed by its symbol, and said in words where all rows have the same.
    pub const fn parameter(parameter: &'static Parameter) -> Self {
        let heading = Heading::of(parameter.symbol);
        let heading = match parameter.kind {
            Kind::Name(..) | Kind::Text => heading.left(),
            _ => heading.or_in_words(parameter.in_words),
        };
        let of = Of::Parameter(parameter);
        Reading::new(parameter.name, of, Some(heading))
    }

    /// The entry of results whose value it is; none of a parameter, nor of a text.
    pub fn entry(&self) -> Option<&Entry> {
        match &self.of {
            Of::Report(entry) | Of::Run(entry, _) | Of::Row(entry, _) | Of::Later(entry) => {
                Some(entry)
            }
            Of::Parameter(_) | Of::Text(_) => None,
        }
    }

    /// In a column of that heading.
    pub const fn headed(self, text: &'static str) -> Self {
        self.heading(Heading::of(text))
    }

    /// In such a column.
    pub const fn heading(self, heading: Heading) -> Self {
        Reading {
            column: Some(Column::new(heading, self.name)),
            ..self
        }
    }

    /// With what is made of the row in its column.
    pub const fn made(self, cell: fn(&Row) -> String) -> Self {
        match self.column {
            Some(column) => self.column(column.made(cell)),
            None => self,
        }
    }

    /// With its column only where rows are such.
    pub const fn only_if(self, rows: fn(&[Row]) -> bool) -> Self {
        match self.column {
            Some(column) => self.column(column.only_if(rows)),
            None => self,
        }
    }

    setters! {
        /// Read of such runs alone.
        only_of(is_read: fn(&Finished<'_>) -> bool) { only_of: Some(is_read) }
        /// With that column.
        column(column: Column) { column: Some(column) }
        /// Without a column.
        hidden() { column: None }
    }

    /// What was chosen of it, of what has no report.
    pub fn chosen(&self, of: &Chosen) -> Value {
        match self.of {
            Of::Parameter(parameter) => chosen(of, parameter),
            _ => Value::Nothing,
        }
    }

    /// Its value.
    pub fn read(&self, run: &Finished<'_>) -> Value {
        if self.only_of.is_some_and(|is_read| !is_read(run)) {
            return Value::Nothing;
        }
        match self.of {
            Of::Parameter(parameter) => chosen(run.chosen, parameter),
            Of::Report(entry) => run.told(&entry),
            Of::Text(form) => Value::of_json(form.found_text(&run.json)),
            Of::Run(_, of) => of(run),
            Of::Row(..) | Of::Later(_) => Value::Nothing,
        }
    }
}

/// Puts into a row what follows from its other readings.
pub fn put_what_follows(readings: &[Reading], of: &Chosen, row: &mut Row) {
    for reading in readings {
        if let Of::Row(_, follows) = reading.of {
            let value = follows(of, row);
            row.set(reading.name, value);
        }
    }
}

/// What was chosen of a parameter.
fn chosen(chosen: &Chosen, parameter: &Parameter) -> Value {
    if !chosen.takes(parameter) {
        return Value::Nothing;
    }
    match parameter.kind {
        Kind::Whole | Kind::Range(..) => chosen.whole(parameter).into(),
        Kind::Share | Kind::Amount => chosen.share(parameter).into(),
        Kind::Switch => chosen.is_on(parameter).into(),
        _ => chosen.shown(parameter).into(),
    }
}
