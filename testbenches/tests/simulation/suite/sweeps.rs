//! Rows of sweeps: that of a point says of it what the run says, and CSV, JSON and the table have the same rows.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Args, Command, FromArgMatches};
use serde_json::Value;
use testbenches::families::testbenches;
use testbenches::measure::{Grid, RowFormat, Sweep, SweepOptions};
use testbenches::report::Meta;
use testbenches::testbench::parameter::{Parameter, Scope};

use crate::common::sample::{Sampled, quietly, ran};
use crate::suite::comes_from::words_of;
use crate::suite::dumped::run;
use crate::suite::reports::json;

/// What a row has of each node and a report of all together.
const OF_EACH_NODE: [&str; 1] = ["samples"];

/// Traffic that a run has, and a point has not, since it would not be of the size that the point is about.
const NOT_MEASURED: [&str; 2] = ["uniform", "hotspot"];

/// The words that measure what a run has run, and those that it is run with to be what a point is; none where it was asked for
/// something that is no axis.
fn words(sampled: &Sampled) -> Option<[String; 2]> {
    let chosen = sampled.chosen();
    let bench = sampled.bench;
    let is_axis = |name: &str| bench.sweep.axes.iter().any(|axis| axis.name == name);
    let at_point = |parameter: &'static Parameter| {
        let left = chosen.clone().at_point().with(parameter, None);
        left.shown(parameter)
    };
    let (mut words, mut further) = (Vec::new(), String::new());
    for parameter in bench.parameters {
        let named = bench.parameters.iter().find(|other| {
            let in_runs = other.called_in_runs.filter(|_| other.scope == Scope::Sweep);
            in_runs.is_some_and(|in_runs| in_runs.name == parameter.name)
        });
        let axis = named.unwrap_or(parameter);
        if matches!(parameter.scope, Scope::Sweep | Scope::Fixed) {
            continue;
        }
        let value = chosen.shown(parameter);
        match value {
            Some(value) if is_axis(axis.name) && axis.axis.is_some() => {
                words.push(format!("{} {value}", axis.option).trim_end().to_owned());
            }
            Some(value) if parameter.name == "seed" => words.push(format!("--seed {value}")),
            // What is no axis has the value that any point has.
            value if value != at_point(parameter) => match at_point(parameter) {
                Some(value) if !chosen.has(parameter) => {
                    further = format!("{} {value}", parameter.option);
                }
                _ => return None,
            },
            _ => {}
        }
    }
    Some([words.join(" "), further])
}

/// The sweep of these words.
fn measured(sampled: &Sampled, words: &str) -> Result<Sweep, testbenches::error::Error> {
    let names = [sampled.bench.name];
    let family = sampled.bench.sweep;
    let command = Command::new("measure").no_binary_name(true);
    let command = SweepOptions::augment_args(family.arguments(command, &names));
    let matches = command.try_get_matches_from(words.split_whitespace())?;
    let mut options = SweepOptions::from_arg_matches(&matches)?;
    options.threads = Some(1);
    family.grid(&matches, &names).sweep(&options, None)
}

/// What the report has under the name of a value of a row, if it has such; of a formula or a total its value.
/// What is no parameter here, though it is one of other testbenches, may be something else in this report.
fn reported<'r>(sampled: &Sampled, report: &'r Value, name: &str) -> Option<&'r Value> {
    let is_others = testbenches().any(|bench| bench.parameter(name).is_some());
    let own = sampled.bench.parameter(name);
    if is_others && own.is_none_or(|own| !sampled.chosen().takes(own)) {
        return None;
    }
    let single = |value: &'r Value| match value {
        Value::Object(of) => of.get("value").or(of.get("total")),
        Value::Array(_) => None,
        value => Some(value),
    };
    let peak = name.strip_prefix("peak_").unwrap_or(name);
    let told = report.get(name).and_then(single);
    let text = name.strip_suffix("_text");
    let text = text.and_then(|name| report.get(name)?.get("text"));
    // What is asked for of a network need not be all that there is to it.
    let of_network = report["topology"].get(name).filter(|_| own.is_none());
    told.or(text)
        .or_else(|| report["peak"].get(peak))
        .or(of_network)
}

/// Whether a row is of what the run has chosen, where the sweep goes over more than that.
fn is_of_run(sampled: &Sampled, row: &Value, report: &Value) -> bool {
    let chosen = sampled.chosen();
    let axes = sampled.bench.sweep.axes.iter();
    // Others are as they were asked for, all of them.
    let mut left = axes.filter(|axis| chosen.shown(axis).is_none());
    left.all(|axis| {
        let told = reported(sampled, report, axis.name);
        let value = &row[axis.name];
        told.is_none_or(|told| value.is_null() || value == told)
    })
}

fn rows(sweep: &Sweep) -> Vec<Value> {
    serde_json::from_str(&sweep.formatted(RowFormat::Json).unwrap()).unwrap()
}

#[test]
fn the_row_of_a_point_says_what_the_run_says() {
    let mut compared: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut differences = Vec::new();
    for (sampled, report) in ran() {
        let Some([words, further]) = words(sampled) else {
            continue;
        };
        let other = (!further.is_empty()).then(|| run(sampled, &further, quietly()));
        let report = other.as_ref().unwrap_or(report);
        let sweep = measured(sampled, &words);
        let sweep = match sweep {
            Ok(sweep) => sweep,
            Err(_) if NOT_MEASURED.iter().any(|name| words.contains(name)) => continue,
            Err(error) => {
                differences.push(format!("{}: measure {words}: {error}", sampled.name()));
                continue;
            }
        };
        let of_bench = format!("{:?} {:?}", sampled.bench, sampled.bench.chosen_by);
        let compared = compared.entry(of_bench).or_default();
        let (rows, json) = (rows(&sweep), json(report));
        let mut own = rows.iter().filter(|row| is_of_run(sampled, row, &json));
        let Some(row) = own.next() else {
            differences.push(format!(
                "{}: measure {words}: no row is of the run",
                sampled.name()
            ));
            continue;
        };
        if let Some(why) = comes_from_elsewhere(sampled, &row["meta"], &json["meta"]) {
            differences.push(format!("{}: measure {words}: {why}", sampled.name()));
        }
        for (name, value) in row.as_object().unwrap() {
            let Some(told) = reported(sampled, &json, name) else {
                continue;
            };
            // Checks of single runs do not count in a sweep.
            let passes = Value::from(
                report
                    .checks
                    .iter()
                    .all(|check| check.passed || !check.is_of_points),
            );
            let told = if name == "passed" { &passes } else { told };
            if value != told && !OF_EACH_NODE.contains(&name.as_str()) {
                differences.push(format!(
                    "{}: measure {words}: {name} is {value} in the row, {told} in the report",
                    sampled.name()
                ));
            }
            compared.insert(name.clone());
        }
        if !is_the_same_as_csv(&sweep, &rows) {
            differences.push(format!("{}: CSV and JSON differ", sampled.name()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    let all: Vec<_> = compared.keys().collect();
    assert_eq!(compared.len(), testbenches().count(), "{all:?}");
    let few = compared.iter().find(|(_, names)| names.len() < 8);
    assert_eq!(few, None);
}

/// What a row says of the run that gives it that is not so: that of the report, whose settings it may say although they are defaults.
fn comes_from_elsewhere(sampled: &Sampled, row: &Value, report: &Value) -> Option<String> {
    let command = row["command"].as_str()?;
    let words = words_of(command, sampled.bench);
    let (chosen, options) = sampled.bench.asked_with_options(&words).unwrap();
    let again = chosen.meta(&options, options.date.date().unwrap());
    let again = serde_json::to_value(again).unwrap();
    let of_report = report["parameters"].as_object().unwrap().iter();
    let mut other = of_report.filter(|(name, value)| row["parameters"][name.as_str()] != **value);
    match other.next() {
        Some((name, value)) => Some(format!("{name} is not {value}: {command}")),
        _ if ["command", "parameters", "seed"]
            .iter()
            .all(|name| again[name] == row[name]) =>
        {
            None
        }
        _ => Some(format!("it gives another: {command}")),
    }
}

/// Values of a row in CSV, as they stand there.
fn in_csv(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn is_the_same_as_csv(sweep: &Sweep, rows: &[Value]) -> bool {
    let text = sweep.formatted(RowFormat::Csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let is_row = |(record, row): (&csv::StringRecord, &Value)| {
        let row = row.as_object().unwrap();
        let own = row.iter().filter(|(name, _)| *name != "meta");
        let own = own.map(|(name, value)| (name.clone(), in_csv(value)));
        let meta = Meta::COLUMNS.map(|name| {
            let key = name.strip_prefix("meta.").unwrap();
            (name.to_owned(), in_csv(&row["meta"][key]))
        });
        let due = own.chain(meta);
        let told = header.iter().zip(record);
        let told = told.map(|(name, value)| (name.to_owned(), value.to_owned()));
        due.eq(told)
    };
    records.len() == rows.len() && records.iter().zip(rows).all(is_row)
}
