//! Results as they are read: a report, or rows of a sweep, from JSON or CSV, as settings and readings by name.
//!
//! ```text
//!   report.json     meta.parameters are the settings; all else is flat: "logic_depth.node", "checks.storage"
//!   rows.json       rows, in which what is a parameter of the testbench is a setting, wherever the schema has it
//!   rows.csv        the same, of which the schema says where JSON has each column
//! ```

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};

use crate::error::Error;
use crate::error::refusal::Refusal;
use crate::families::{namesakes, testbench};
use crate::options::{file_name, read_text};
use crate::report::Meta;
use crate::schema;

/// What says where a result comes from, what it is about in words, and which files were written: that is compared elsewhere or not at
/// all.
const BESIDE: [&str; 6] = ["meta", "topology", "models", "source", "outputs", "failed"];

/// What is in a file.
pub struct Results {
    /// What the file is called.
    pub name: String,
    /// It is a report, and no rows.
    pub is_report: bool,
    /// The report, or the rows in their order.
    pub points: Vec<ReportOrRow>,
}

/// A report or a row.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOrRow {
    /// The testbench.
    pub bench: String,
    /// What was chosen.
    pub settings: Map<String, Value>,
    /// What came of it.
    pub readings: Map<String, Value>,
}

impl Results {
    /// Reads a file; what begins like JSON is that, and all else CSV.
    ///
    /// # Errors
    /// A file that cannot be read, or is neither; results of another form, or of no testbench that there is.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let name = file_name(path);
        let (is_report, points) = points(&read_text(path)?).map_err(|why| {
            let instead =
                "give a report of `run --format json`, or rows of `measure --format json` or `csv`";
            Refusal::of(&name).because(why).instead(instead)
        })?;
        Ok(Results {
            name,
            is_report,
            points,
        })
    }
}

/// Whether it is a report, and what is in it.
fn points(text: &str) -> Result<(bool, Vec<ReportOrRow>), String> {
    let mut is_report = false;
    let all = match text.trim_start().chars().next() {
        Some('{' | '[') => match serde_json::from_str(text).map_err(|error| error.to_string())? {
            Value::Array(rows) => rows,
            report => {
                is_report = true;
                vec![report]
            }
        },
        _ => rows_of_csv(text)?,
    };
    if all.is_empty() {
        return Err("it has no results".to_owned());
    }
    let numbered = all.into_iter().enumerate();
    let points = numbered.map(|(number, result)| {
        let point = point(result, is_report);
        point.map_err(|why| format!("result {}: {why}", number + 1))
    });
    Ok((is_report, points.collect::<Result<_, String>>()?))
}

/// Rows with the values that JSON has.
fn rows_of_csv(text: &str) -> Result<Vec<Value>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let rows = reader.records().map(|record| {
        let record = record.map_err(|error| error.to_string())?;
        let cells = || header.iter().zip(&record);
        let bench = cells().find(|(name, _)| *name == "bench");
        let bench = bench.map_or("", |(_, bench)| bench);
        let mut row = Map::new();
        let bench = schema::of_columns(bench, header.iter());
        for (name, cell) in cells() {
            let path = bench.map_or(name.into(), |bench| schema::path(bench, name));
            schema::put(&mut row, &path, cell.into());
        }
        Ok(Value::Object(row))
    });
    rows.collect()
}

/// A value as all forms have it: what is spelled like a number is one, a whole number has no fraction, and what is empty is nothing.
fn plain(value: Value) -> Value {
    let value = match &value {
        Value::String(text) if text.is_empty() => Value::Null,
        Value::String(text) => match serde_json::from_str(text) {
            Ok(number @ (Value::Number(_) | Value::Bool(_))) => number,
            _ => value,
        },
        _ => value,
    };
    /// Beyond it not every whole number is a number of this kind.
    const EXACT: f64 = (1u64 << f64::MANTISSA_DIGITS) as f64;
    match value
        .as_f64()
        .filter(|_| !value.is_u64() && !value.is_i64())
    {
        Some(number) if number.fract() == 0.0 && number.abs() < EXACT => (number as i64).into(),
        _ => value,
    }
}

fn point(result: Value, is_report: bool) -> Result<ReportOrRow, String> {
    let Value::Object(mut result) = result else {
        return Err("it is no object".to_owned());
    };
    let bench = match result.remove("bench") {
        Some(Value::String(bench)) => bench,
        _ => return Err("it names no testbench (`bench`)".to_owned()),
    };
    testbench(&bench).map_err(|error| error.to_string())?;
    let meta = result.get("meta").unwrap_or(&Value::Null);
    Meta::check_schema(&plain(meta["schema"].clone()))?;
    let chosen = meta["parameters"]
        .as_object()
        .filter(|_| is_report)
        .cloned();
    let known = parameters(&bench);
    let mut settings = chosen.unwrap_or_default();
    if !is_report {
        for name in &known {
            // A row of another of these testbenches has it elsewhere.
            let mut paths = namesakes(&bench).into_iter();
            let value = paths.find_map(|bench| taken(&mut result, &schema::path(bench, name)));
            let value = value.map(plain).filter(|value| !value.is_null());
            settings.extend(value.map(|value| ((*name).to_owned(), value)));
        }
    }
    let is_setting = |name: &str| BESIDE.contains(&name) || known.contains(name);
    result.retain(|name, _| !is_setting(name));
    let mut readings = Map::new();
    for (name, value) in result {
        flatten(name, value, &mut readings);
    }
    Ok(ReportOrRow {
        bench,
        settings,
        readings,
    })
}

/// Takes out what is at a path.
fn taken(all: &mut Map<String, Value>, path: &str) -> Option<Value> {
    match path.split_once('.') {
        None => all.remove(path),
        Some((whole, part)) => taken(all.get_mut(whole)?.as_object_mut()?, part),
    }
}

/// What can be chosen of testbenches of that name, in runs and in sweeps.
fn parameters(bench: &str) -> BTreeSet<&'static str> {
    let all = namesakes(bench).into_iter();
    let all = all.flat_map(|bench| bench.parameters.iter().chain(bench.sweep.axes));
    all.map(|parameter| parameter.name).collect()
}

/// What has parts, part by part; of checks whether each holds. What nobody measured is left out.
fn flatten(name: String, value: Value, flat: &mut Map<String, Value>) {
    match value {
        Value::Object(parts) => {
            for (part, value) in parts {
                flatten(format!("{name}.{part}"), value, flat);
            }
        }
        Value::Array(parts) => {
            for (number, mut value) in parts.into_iter().enumerate() {
                // A name tells more than a number, which goes by what else is in the list.
                let called = value.as_object_mut().and_then(|value| value.remove("name"));
                let called = called.as_ref().and_then(Value::as_str);
                let name = match called {
                    Some(called) => format!("{name}.{called}"),
                    None => format!("{name}.{number}"),
                };
                match name.starts_with("checks.") {
                    true => {
                        let passed = value.get_mut("passed").map(Value::take);
                        flat.extend(passed.map(|passed| (name, passed)));
                    }
                    false => flatten(name, value, flat),
                }
            }
        }
        value => {
            let value = Some(plain(value)).filter(|value| !value.is_null());
            flat.extend(value.map(|value| (name, value)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_report_is_flat_and_its_settings_are_those_that_were_chosen() {
        let report = json!({
            "bench": "kuszmaul", "models": "m", "payload_bits": 8, "bit_times": 91, "storage": { "total": 4, "by": [7, 8] },
            "checks": [{ "name": "one", "passed": true, "detail": "d" }],
            "meta": { "schema": 2, "parameters": { "dims": 3, "payload_bits": 8 } },
        });
        let (is_report, all) = points(&report.to_string()).unwrap();
        let [point] = &all[..] else {
            panic!();
        };
        assert!(is_report);
        assert_eq!(
            json!(point.settings),
            json!({ "dims": 3, "payload_bits": 8 })
        );
        let due = json!({ "bit_times": 91, "storage.total": 4, "storage.by.0": 7, "storage.by.1": 8, "checks.one": true });
        assert_eq!(json!(point.readings), due);
    }

    #[test]
    fn rows_are_the_same_in_either_form() {
        let row = json!({ "bench": "kuszmaul", "topology": { "dims": 3 }, "load": 0.75, "bit_times": 91, "logic_depth": null, "cost": "3", "peak": { "messages_per_node": 2 }, "ratio": 2.0, "passed": true,
            "failed": "", "meta": { "schema": 2, "parameters": { "dims": 9 } } });
        let of_json = points(&json!([row, row]).to_string()).unwrap();
        let header = "bench,dims,load,bit_times,logic_depth,cost,peak_messages_per_node,ratio,passed,failed,meta.schema,meta.command\n";
        let line = "kuszmaul,3.0,0.75,91,,3,2,2.0,true,,2,\"cubewave run, or so\"\n";
        assert_eq!(points(&format!("{header}{line}{line}")).unwrap(), of_json);
        assert_eq!(
            json!(of_json.1[1].settings),
            json!({ "dims": 3, "load": 0.75 })
        );
    }

    #[test]
    fn what_is_no_result_is_refused_with_its_place() {
        for (text, why) in [
            ("", "it has no results"),
            ("[]", "it has no results"),
            ("[1]", "result 1: it is no object"),
            ("{", "EOF while parsing an object at line 1 column 1"),
            ("bench,dims\nkuszmaul,3\nkuszmaul\n", "line: 3"),
            (r#"{"dims": 3}"#, "result 1: it names no testbench"),
            (
                r#"{"bench": "nobody"}"#,
                "result 1: there is no testbench `nobody`",
            ),
            (
                r#"{"bench": "kuszmaul"}"#,
                "result 1: it has no `meta` with a schema",
            ),
            (
                "bench,meta.schema\nkuszmaul,2\nkuszmaul,7\n",
                "result 2: it is of schema 7, and this cubewave knows schema 2",
            ),
        ] {
            let refused = points(text).unwrap_err();
            assert!(refused.contains(why), "{text}: {refused}");
        }
    }
}
