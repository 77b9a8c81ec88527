//! The schema as a page for people: a table of what all results have, and one of what a testbench has beside.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::families::names;
use crate::schema::{ROUTE, schema};

/// Above the tables.
const BEGINNING: &str = "\
# What is in results

`cubewave run --format json` prints a report, `cubewave measure --format json` a list of rows, each with the same names, types and \
units as a report. CSV has the same rows; a column is called as the third column of these tables says. `cubewave schema` prints all of \
this as JSON Schema, `cubewave schema BENCH` what one testbench has, and `cubewave schema --format markdown` this page, which is made \
by it. What other commands print as JSON is [below](#what-cubewave-plan-prints), and `cubewave schema --command COMMAND` prints its schema.

A name with dots is a part of an object: `logic_depth.total` is `\"logic_depth\": {\"total\": 26}`. `[]` stands for each item of a \
list. What nobody measured, and what a point has none of, is `null`, and empty in CSV; an object of which a row has nothing at all is \
`null` too. Where less or more of something is better, `cubewave compare` says of a value that has changed whether it is worse.
";

/// Above the tables of what only some testbenches have.
const BESIDE: &str = "
## Some testbenches

Each table has what the testbenches above it have alike; so a testbench stands above several. `cubewave schema BENCH --format markdown` \
prints all of one in one table.
";

/// The page of a testbench; without a name, of all: what they have in common, and what each has beside.
pub fn page(name: Option<&str>) -> String {
    if let Some(name) = name {
        return format!(
            "# What is in results of {name}\n\n{}",
            table(RESULTS, &properties(Some(name)))
        );
    }
    let mut page = BEGINNING.to_owned();
    let of_all: Vec<Map<String, Value>> =
        names().iter().map(|name| properties(Some(name))).collect();
    let mut common = properties(None);
    common.retain(|name, property| {
        let means = meaning(property);
        let is_same =
            |one: &Map<String, Value>| one.get(name).map(meaning).as_ref() == Some(&means);
        // Those that follow a message say its route alike; parameters are left out below.
        ["meta", ROUTE].contains(&name.as_str()) || of_all.iter().all(is_same)
    });
    // `cubewave list` has the parameters of each.
    if let Some(meta) = common.get_mut("meta") {
        meta["properties"]["parameters"] = serde_json::json!({
            "type": "object",
            "description": "What was chosen, defaults included: options by their names, with underscores",
        });
    }
    let _ = write!(page, "\n## All testbenches\n\n{}", table(RESULTS, &common));
    let own = names().into_iter().zip(of_all).map(|(name, mut own)| {
        own.retain(|property, _| !common.contains_key(property));
        (name, own)
    });
    let shared = shared(own);
    if !shared.is_empty() {
        page += BESIDE;
    }
    for (names, own) in &shared {
        let _ = write!(
            page,
            "\n### {}\n\n{}",
            names.join(", "),
            table(RESULTS, own)
        );
    }
    page
}

/// What testbenches have, each property once, with the names of all that have it alike.
fn shared<'a>(
    of_all: impl Iterator<Item = (&'a str, Map<String, Value>)>,
) -> Vec<(Vec<&'a str>, Map<String, Value>)> {
    let mut alike: Vec<(Vec<&str>, String, Value)> = Vec::new();
    for (name, own) in of_all {
        for (property, value) in own {
            let mut known = alike.iter_mut();
            match known.find(|(_, one, of)| *one == property && *of == value) {
                Some((names, ..)) => names.push(name),
                None => alike.push((vec![name], property, value)),
            }
        }
    }
    let mut shared: Vec<(Vec<&str>, Map<String, Value>)> = Vec::new();
    for (names, property, value) in alike {
        match shared.iter_mut().find(|(known, _)| *known == names) {
            Some((_, all)) => {
                all.insert(property, value);
            }
            None => shared.push((names, Map::from_iter([(property, value)]))),
        }
    }
    shared
}

fn properties(name: Option<&str>) -> Map<String, Value> {
    match schema(name)["properties"].take() {
        Value::Object(properties) => properties,
        _ => Map::new(),
    }
}

/// What a property says, wherever it stands and whatever rows call it.
fn meaning(property: &Value) -> Value {
    match property {
        Value::Object(all) => {
            let said = all
                .iter()
                .filter(|(name, _)| !["in", "column", "required"].contains(&name.as_str()));
            said.map(|(name, value)| (name.clone(), meaning(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        other => other.clone(),
    }
}

/// The columns of tables of results, beside name, type, unit, and what it says.
const RESULTS: &[&str] = &["in", "column"];

/// What a command prints that is no result, as a table below what is said of it; the schema of it is given.
pub fn page_of_printed(schema: &Value) -> String {
    let said = |key: &str| schema[key].as_str().unwrap_or_default();
    let mut page = format!("## {}\n\n{}\n", said("title"), said("description"));
    for one in either(schema) {
        let properties = one["properties"].as_object().cloned();
        let _ = write!(page, "\n{}", table(&[], &properties.unwrap_or_default()));
    }
    page
}

/// What a value is one of: of one kind, that itself.
fn either(property: &Value) -> Vec<&Value> {
    match property["anyOf"].as_array() {
        Some(all) => all.iter().collect(),
        None => vec![property],
    }
}

fn table(further: &[&str], properties: &Map<String, Value>) -> String {
    let head = [&["name"], further, &["type", "unit", "what it says"]].concat();
    let mut rows = format!("| {} |\n{}|\n", head.join(" | "), "|---".repeat(head.len()));
    for (name, property) in properties {
        add(&mut rows, further, (name, property));
    }
    rows
}

/// What stands in a column of a table, of a property.
fn cell(column: &str, property: &Value) -> String {
    let said = |key: &str| property[key].as_str().unwrap_or_default().to_owned();
    match column {
        "in" => {
            let all = property["in"].as_array().into_iter().flatten();
            let all: Vec<&str> = all.filter_map(Value::as_str).collect();
            all.join(", ")
        }
        "type" => kind(property),
        "column" => match said("column") {
            column if column.is_empty() => column,
            column => format!("`{column}`"),
        },
        "what it says" => match said("better") {
            better if better.is_empty() => said("description"),
            better => format!("{}; {better} is better", said("description")),
        },
        column => said(column),
    }
}

/// A row of the table, and below it one for each part.
fn add(rows: &mut String, further: &[&str], (name, property): (&str, &Value)) {
    let columns = further.iter().chain(&["type", "unit", "what it says"]);
    let cells: Vec<String> = columns.map(|column| cell(column, property)).collect();
    let _ = writeln!(rows, "| `{name}` | {} |", cells.join(" | "));
    for (whole, list) in [(property, ""), (&property["items"], "[]")] {
        for one in either(whole) {
            for (part, property) in one["properties"].as_object().into_iter().flatten() {
                add(rows, further, (&format!("{name}{list}.{part}"), property));
            }
        }
    }
}

/// The type, in words.
fn kind(property: &Value) -> String {
    let word = |kind_of: &str| match kind_of {
        "integer" => "whole number".to_owned(),
        "boolean" => "true or false".to_owned(),
        "string" => "text".to_owned(),
        "array" => match &property["items"] {
            items if items["properties"].is_object() => "list of objects".to_owned(),
            items => format!("list of {}", kind(items)),
        },
        other => other.to_owned(),
    };
    match (&property["type"], &property["anyOf"]) {
        (Value::String(one), _) => word(one),
        (Value::Array(all), _) => {
            let all: Vec<String> = all.iter().filter_map(Value::as_str).map(word).collect();
            all.join(" or ")
        }
        (_, Value::Array(all)) => {
            let all: Vec<String> = all.iter().map(kind).collect();
            all.join(" or ")
        }
        // Words, each with what it means.
        _ if property["oneOf"].is_array() => word("string"),
        _ => "any".to_owned(),
    }
}
