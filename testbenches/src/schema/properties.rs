//! The properties of results of a testbench: its entries and those of all, with what rows call them, and its parameters.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::measure::row::{FAILED, PASSED, WALL_SECONDS};
use crate::report::{Entry, Meta};
use crate::schema::{entries, own_entries, path};
use crate::search::SEARCH;
use crate::testbench::Testbench;
use crate::testbench::parameter::{Kind, Parameter, Scope};

/// The properties of results of a testbench, as they are put down.
pub(super) struct Properties {
    bench: &'static Testbench,
    all: Map<String, Value>,
}

impl Properties {
    /// All of them.
    pub fn of(bench: &'static Testbench) -> Map<String, Value> {
        let all = Map::new();
        let mut properties = Properties { bench, all };
        properties.put_down();
        properties.all
    }

    fn put_down(&mut self) {
        // What all have comes first.
        let mut entries: Vec<&Entry> = entries(self.bench).collect();
        let own = own_entries(self.bench).count();
        entries.rotate_left(own);
        let mut generator = generator();
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
        let searched = self.all.get_mut(SEARCH.path);
        searched
            .into_iter()
            .for_each(|whole| whole["in"] = json!([SEARCH.path]));
        // An entry of rows alone that these rows do not have is none.
        self.all.retain(|_, whole| whole.get("in").is_some());
        let others = self.all.iter_mut().filter(|(name, _)| *name != SEARCH.path);
        for (_, whole) in others {
            let is_of_runs = whole["in"][0] == "run";
            let parts = object(whole).and_then(|whole| whole.get_mut("properties"));
            say_where(parts, is_of_runs);
            close(whole);
        }
    }

    /// Puts down what is no part of another entry.
    fn whole(&mut self, entry: &Entry, generator: &mut SchemaGenerator) {
        let Some(mut whole) = of_entry(entry, generator) else {
            return;
        };
        if !entry.is_of_rows {
            whole["in"] = json!(["run"]);
        }
        self.all.insert(entry.path.to_owned(), whole);
    }

    /// Says of what has this path what the entry says of it beside its type, and where rows have it.
    fn annotate(&mut self, path: &str, column: &str, entry: &Entry) {
        let is_in_rows = has_column(self.bench, column);
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

    /// Puts down what is chosen: in `meta`, and in rows what these have of it.
    fn parameters(&mut self) {
        for parameter in self.bench.parameters {
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
            let is_known = path(self.bench, parameter.name) != parameter.name
                || self.all.contains_key(parameter.name);
            if has_column(self.bench, parameter.name) && !is_known {
                seen_in_rows(&mut property);
                property["column"] = parameter.name.into();
                or_null(&mut property);
                self.all.insert(parameter.name.to_owned(), property);
            }
        }
    }
}

/// What makes schemas of types: of what is written down, each whole by itself.
pub(super) fn generator() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    settings.into_generator()
}

/// The property of an entry that is no part of another one.
pub(super) fn of_entry(entry: &Entry, generator: &mut SchemaGenerator) -> Option<Value> {
    let mut whole = (entry.kind?)(generator).to_value();
    plain(&mut whole);
    whole["description"] = entry.says.into();
    if !entry.unit.is_empty() {
        whole["unit"] = entry.unit.into();
    }
    Some(whole)
}

/// Whether rows of a testbench have a column that is called so.
pub(super) fn has_column(bench: &Testbench, column: &str) -> bool {
    let mut readings = bench.sweep.readings.iter().chain(bench.readings);
    // Those that are axes of this one alone are put in.
    let mut axes = bench.parameters.iter();
    let is_own = |one: &&&Parameter| one.name == column && one.axis.is_some_and(|axis| axis.is_own);
    [PASSED, FAILED, WALL_SECONDS].contains(&column)
        || Meta::COLUMNS.contains(&column)
        || readings.any(|reading| reading.name == column)
        || axes.any(|axis| is_own(&axis))
}

/// Says of parts which results have them: rows those that are columns, or have such.
fn say_where(parts: Option<&mut Value>, is_of_runs: bool) {
    let parts = parts.and_then(Value::as_object_mut).into_iter().flatten();
    for (_, part) in parts {
        let is_column = part.get("column").is_some() || part.to_string().contains("\"column\":");
        let places = [("run", is_of_runs), ("measure", is_column)];
        let places = places.into_iter().filter(|(_, is_there)| *is_there);
        part["in"] = places.map(|(place, _)| place).collect();
        let inner = object(part).and_then(|whole| whole.get_mut("properties"));
        say_where(inner, is_of_runs);
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
pub(super) fn is_number(property: &Value) -> bool {
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
pub(super) fn plain(schema: &mut Value) {
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
pub(super) fn close(schema: &mut Value) {
    match schema {
        Value::Object(all) => {
            let is_object = |kind: &Value| kind == "object";
            let kind = all.get("type");
            let may_be = kind
                .and_then(Value::as_array)
                .is_some_and(|kinds| kinds.iter().any(is_object));
            if all.get("properties").is_some_and(Value::is_object)
                && (may_be || kind.is_some_and(is_object))
            {
                all.entry("additionalProperties").or_insert(false.into());
            }
            all.values_mut().for_each(close);
        }
        Value::Array(all) => all.iter_mut().for_each(close),
        _ => {}
    }
}
