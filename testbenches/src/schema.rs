//! What is in results, by the tables of entries and parameters: as JSON Schema, as a page, and for whoever reads results.
//!
//! ```text
//!   Entry, of a testbench and of all ----+
//!   Parameter, of its options -----------+--> schema of a report and of a row alike --> page
//!   Reading, of its rows: columns -------+
//! ```

mod page;

use std::borrow::Cow;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::families::{names, namesakes};
use crate::measure::row::{FAILED, PASSED, WALL_SECONDS};
use crate::report::{Better, Entry, Meta, OF_ALL, SCHEMA};
use crate::testbench::Testbench;
use crate::testbench::parameter::{Kind, Parameter, Scope};
pub use page::page;

/// What every result has, of a run and of a sweep.
const REQUIRED: [&str; 7] = [
    "bench",
    "topology",
    "messages",
    "delivered",
    "bit_times",
    PASSED,
    "meta",
];

/// The entries of results of the testbenches of a name: their own, and behind them those of all.
pub fn entries(name: &str) -> impl Iterator<Item = &'static Entry> + Clone {
    let own = namesakes(name).into_iter().flat_map(|bench| bench.entries);
    own.copied().flatten().chain(OF_ALL)
}

/// Where JSON has a column of rows of the testbenches of that name.
pub fn path<'a>(name: &str, column: &'a str) -> Cow<'a, str> {
    let found = entries(name).find_map(|entry| entry.place_of(column));
    found.unwrap_or(column.into())
}

/// Whether results of the testbenches of that name have a column that is called so.
pub fn has(name: &str, column: &str) -> bool {
    let is_told = |entry: &Entry| entry.path == column || entry.place_of(column).is_some();
    let mut benches = namesakes(name).into_iter();
    entries(name).any(is_told) || benches.any(|bench| bench.parameter(column).is_some())
}

/// Puts a value into an object where a path says.
pub fn put(all: &mut Map<String, Value>, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            all.insert(path.to_owned(), value);
        }
        Some((whole, part)) => {
            let whole = all.entry(whole).or_insert_with(|| Map::new().into());
            if let Value::Object(parts) = whole {
                put(parts, part, value);
            }
        }
    }
}

/// Which is better of two values that a result has there.
pub fn better(name: &str, path: &str) -> Option<Better> {
    let of_form =
        |entry: &Entry| entry.text.is_some() && path.strip_suffix(".value") == Some(entry.path);
    entries(name).find_map(|entry| {
        entry
            .better
            .filter(|_| entry.path == path || of_form(entry))
    })
}

/// The schema of results of the testbenches of a name, or of all.
pub fn schema(name: Option<&str>) -> Value {
    let names = name.map_or_else(names, |name| vec![namesakes(name)[0].name]);
    let mut properties = Map::new();
    for name in &names {
        Properties::of(name, &mut properties).all();
    }
    let (of, title) = match name {
        Some(name) => (format!(" of {name}"), format!("Results of cubewave {name}")),
        None => (String::new(), "Results of cubewave".to_owned()),
    };
    let description = format!(
        "A report{of} as `cubewave run --format json` prints it, or a row of those that `cubewave measure --format json` prints as a \
         list. Of an entry, `in` says which of both has it, `column` what CSV calls it, `unit` in what it is counted, `better` whether \
         less or more of it is better. What nobody measured, and what a point has none of, is null."
    );
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "description": description,
        "version": SCHEMA,
        "type": "object",
        "properties": properties,
        "required": REQUIRED,
        "additionalProperties": false,
    })
}

/// The properties of a schema, as they are put down.
struct Properties<'a> {
    name: &'a str,
    benches: Vec<&'static Testbench>,
    all: &'a mut Map<String, Value>,
}

impl<'a> Properties<'a> {
    fn of(name: &'a str, all: &'a mut Map<String, Value>) -> Self {
        Properties {
            name,
            benches: namesakes(name),
            all,
        }
    }

    fn all(mut self) {
        // What all have comes first; what a testbench has otherwise is its own.
        let own = || {
            self.benches
                .clone()
                .into_iter()
                .flat_map(|bench| bench.entries)
                .copied()
                .flatten()
        };
        let is_own = |entry: &Entry| {
            own().any(|one| one.path == entry.path || one.in_rows() == entry.in_rows())
        };
        let of_all = OF_ALL.iter().filter(|entry| !is_own(entry));
        let entries: Vec<&Entry> = of_all.chain(own()).collect();
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut generator = settings
            .with(|settings| settings.inline_subschemas = true)
            .into_generator();
        for entry in &entries {
            self.whole(entry, &mut generator);
        }
        for entry in &entries {
            let part = |name: &str| format!("{}.{name}", entry.path);
            match entry.text {
                Some(text) => {
                    self.annotate(&part("value"), entry.in_rows(), entry);
                    self.annotate(&part("text"), text, &Entry::part(""));
                }
                None => self.annotate(entry.path, entry.in_rows(), entry),
            }
        }
        for column in Meta::COLUMNS {
            self.annotate(column, column, &Entry::part(column));
        }
        self.parameters();
        for one in self.all.values_mut() {
            close(one);
        }
    }

    /// Puts down what is no part of another entry.
    fn whole(&mut self, entry: &Entry, generator: &mut SchemaGenerator) {
        let Some(kind) = entry.kind else {
            return;
        };
        let mut whole = kind(generator).to_value();
        plain(&mut whole);
        whole["description"] = entry.says.into();
        if !entry.unit.is_empty() {
            whole["unit"] = entry.unit.into();
        }
        if !entry.is_of_rows {
            whole["in"] = json!(["run"]);
        }
        self.all.entry(entry.path).or_insert(whole);
    }

    /// Says of what has this path what the entry says of it beside its type, and where rows have it.
    fn annotate(&mut self, path: &str, column: &str, entry: &Entry) {
        let is_in_rows = self.is_in_rows(column);
        let mut names = path.split('.');
        let Some(whole) = names.next().and_then(|name| self.all.get_mut(name)) else {
            return;
        };
        if is_in_rows {
            seen_in_rows(whole);
        }
        let unit_of_whole = whole.get("unit").cloned();
        let mut place = whole;
        for name in names {
            // Rows have some of the parts only.
            let part = object(place).and_then(|whole| {
                whole.remove("required");
                whole.get_mut("properties")?.get_mut(name)
            });
            match part {
                Some(part) => place = part,
                None => return,
            }
        }
        // A whole that has the name of a column has a part of which that is the column.
        let has_parts = |of: &Value| of["properties"].is_object();
        if is_in_rows && !has_parts(place) && !has_parts(&place["anyOf"][0]) {
            place["column"] = column.into();
        }
        if !entry.unit.is_empty() {
            place["unit"] = entry.unit.into();
        } else if let Some(unit) = unit_of_whole.filter(|_| is_number(place)) {
            place["unit"] = unit;
        }
        if let Some(better) = entry.better {
            place["better"] = better.name().into();
        }
    }

    /// Whether rows have a column that is called so.
    fn is_in_rows(&self, column: &str) -> bool {
        let of_rows = |bench: &Testbench| {
            let readings = bench.sweep.readings.iter().chain(bench.readings);
            readings
                .filter(|one| one.is_in_rows())
                .any(|one| one.name == column)
        };
        [PASSED, FAILED, WALL_SECONDS].contains(&column)
            || Meta::COLUMNS.contains(&column)
            || self.benches.iter().any(|bench| of_rows(bench))
            || self.axes().any(|axis| axis.name == column)
    }

    /// Parameters that rows have since they are axes of a testbench of its own.
    fn axes(&self) -> impl Iterator<Item = &'static Parameter> + '_ {
        let all = self
            .benches
            .iter()
            .flat_map(|bench| bench.parameters)
            .copied();
        all.filter(|one| one.axis.is_some_and(|axis| axis.is_own))
    }

    /// Puts down what is chosen: in `meta`, and in rows what these have of it.
    fn parameters(&mut self) {
        let all = self
            .benches
            .iter()
            .flat_map(|bench| bench.parameters)
            .copied();
        for parameter in all.collect::<Vec<_>>() {
            let mut property = of_parameter(parameter);
            if let Some(chosen) = self
                .all
                .get_mut("meta")
                .and_then(|meta| meta["properties"].get_mut("parameters"))
            {
                if chosen.get("properties").is_none() {
                    chosen["properties"] = json!({});
                    chosen["additionalProperties"] = false.into();
                }
                let is_output = matches!(parameter.kind, Kind::Output(_));
                if !is_output && parameter.scope != Scope::Fixed {
                    chosen["properties"][parameter.name] = property.clone();
                }
            }
            let is_known = path(self.name, parameter.name) != parameter.name
                || self.all.contains_key(parameter.name);
            if self.is_in_rows(parameter.name) && !is_known {
                seen_in_rows(&mut property);
                property["column"] = parameter.name.into();
                or_null(&mut property);
                self.all.insert(parameter.name.to_owned(), property);
            }
        }
    }
}

/// What is chosen of a parameter, as JSON has it.
fn of_parameter(parameter: &Parameter) -> Value {
    let kind = match parameter.kind {
        Kind::Whole | Kind::Range(..) => "integer",
        Kind::Share | Kind::Amount => "number",
        Kind::Switch => "boolean",
        Kind::Name(..) | Kind::Text | Kind::File(_) | Kind::Output(_) => "string",
    };
    json!({ "type": kind, "description": parameter.help })
}

/// Whether it is counted.
fn is_number(property: &Value) -> bool {
    let kinds = &property["type"];
    let is_one = |kind: &Value| kind == "integer" || kind == "number";
    is_one(kinds)
        || kinds
            .as_array()
            .is_some_and(|kinds| kinds.iter().any(is_one))
}

/// Says that rows have it.
fn seen_in_rows(property: &mut Value) {
    match property.get_mut("in").and_then(Value::as_array_mut) {
        Some(places) if places.iter().any(|place| place == "measure") => {}
        Some(places) => places.push("measure".into()),
        None => property["in"] = json!(["measure"]),
    }
}

/// Lets it be null too.
fn or_null(property: &mut Value) {
    property["type"] = json!([property["type"], "null"]);
}

/// What is said of the object that a value is, if it is not null.
fn object(property: &mut Value) -> Option<&mut Map<String, Value>> {
    match property.get("anyOf").is_some() {
        true => property["anyOf"][0].as_object_mut(),
        false => property.as_object_mut(),
    }
}

/// Leaves out what says how wide a number is in the program, and has what is said in one line.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(all) => {
            if all.get("format").is_some_and(Value::is_string) {
                all.remove("format");
            }
            if let Some(Value::String(said)) = all.get_mut("description") {
                *said = said.trim_end_matches('.').replace('\n', " ");
            }
            all.values_mut().for_each(plain);
        }
        Value::Array(all) => all.iter_mut().for_each(plain),
        _ => {}
    }
}

/// Lets objects have nothing else.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(all) => {
            if all.get("properties").is_some_and(Value::is_object)
                && all.get("type").is_some_and(|kind| kind == "object")
            {
                all.entry("additionalProperties").or_insert(false.into());
            }
            all.values_mut().for_each(close);
        }
        Value::Array(all) => all.iter_mut().for_each(close),
        _ => {}
    }
}
