//! What commands print as JSON that is no result: the schema of a struct, from what is said of its fields, and of Verilog projects, of
//! which families say a part.

use schemars::JsonSchema;
use serde_json::{Map, Value, json};

use crate::families::testbenches;
use crate::report::{Entry, Meta, SCHEMA};
use crate::schema::merged::merge;
use crate::schema::properties::{close, generator, is_number, of_entry, plain};
use crate::schema::{DRAFT, entries};
use crate::testbench::Testbench;
use crate::verilog::OF_PROJECTS;

/// The schema of what a type is written down as; its objects have nothing else.
pub fn described<T: JsonSchema>() -> Value {
    let mut schema = generator().subschema_for::<T>().to_value();
    plain(&mut schema);
    hand_down_units(&mut schema);
    close(&mut schema);
    schema
}

/// Gives numbers of an object the unit of that.
fn hand_down_units(of: &mut Value) {
    let unit = of.get("unit").cloned();
    for whole in ["/properties", "/anyOf/0/properties"] {
        let parts = of.pointer_mut(whole).and_then(Value::as_object_mut);
        for (_, part) in parts.into_iter().flatten() {
            let is_counted = is_number(part) || part["properties"].is_object();
            if let Some(unit) = unit
                .as_ref()
                .filter(|_| is_counted && part.get("unit").is_none())
            {
                part["unit"] = unit.clone();
            }
            hand_down_units(part);
        }
    }
    if let Some(items) = of.get_mut("items") {
        hand_down_units(items);
    }
}

/// The same of what a command prints, with what is said of it.
pub fn printed(command: &str, says: &str, mut schema: Value) -> Value {
    // What is no row comes from no sweep.
    leave_out(&mut schema, "sweep");
    let mut all = json!({
        "$schema": DRAFT,
        "title": format!("What cubewave {command} prints"),
        "description": says,
        "version": SCHEMA,
    });
    if let (Value::Object(all), Value::Object(schema)) = (&mut all, schema) {
        let said = schema.into_iter().filter(|(name, _)| name != "description");
        all.extend(said);
    }
    all
}

/// The same where only the command says what was chosen.
pub fn without_parameters(mut schema: Value) -> Value {
    leave_out(&mut schema, "parameters");
    schema
}

/// Leaves a part out of `meta`.
fn leave_out(schema: &mut Value, part: &str) {
    let meta = schema.pointer_mut("/properties/meta");
    let Some(Value::Object(meta)) = meta else {
        return;
    };
    if let Some(Value::Object(parts)) = meta.get_mut("properties") {
        parts.remove(part);
    }
    if let Some(Value::Array(required)) = meta.get_mut("required") {
        required.retain(|name| name != part);
    }
}

/// What a project of a testbench says beside what all say: what was chosen, and facts of the machine and its traffic.
fn of_project(bench: &'static Testbench) -> impl Iterator<Item = &'static Entry> {
    let choice = entries(bench).find(|entry| entry.path == bench.project.choice);
    let facts = bench.project.facts.iter().copied().flatten();
    choice.into_iter().chain(facts)
}

/// What two testbenches say of the same.
fn both(known: &Value, other: &str) -> String {
    match known.as_str() {
        Some(known) if known.contains(other) => known.to_owned(),
        Some(known) => format!("{known}. Or: {other}"),
        None => other.to_owned(),
    }
}

/// The schema of Verilog projects of all testbenches.
pub fn projects() -> Value {
    let mut generator = generator();
    let mut properties = Map::new();
    let own = testbenches().flat_map(of_project);
    for entry in OF_PROJECTS.iter().chain(own) {
        let Some(mut property) = of_entry(entry, &mut generator) else {
            continue;
        };
        hand_down_units(&mut property);
        let known = properties.entry(entry.path).or_insert(Value::Null);
        let said = both(&known["description"], entry.says);
        merge(known, property);
        known["description"] = said.into();
    }
    properties.insert("meta".to_owned(), described::<Meta>());
    let of_some = |name: &&str| ["kept_view", "bit_times_formula"].contains(name);
    let required = OF_PROJECTS.iter().map(|entry| entry.path);
    let required: Vec<&str> = required
        .filter(|name| !of_some(name))
        .chain(["meta"])
        .collect();
    let mut schema = json!({ "type": "object", "properties": properties, "required": required });
    close(&mut schema);
    schema
}
