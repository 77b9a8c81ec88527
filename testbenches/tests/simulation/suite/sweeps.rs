//! Rows of sweeps: that of a point says of it what the run says, and CSV, JSON and the table have the same rows.

use std::collections::{BTreeMap, BTreeSet};

use clap::{Args, Command, FromArgMatches};
use serde_json::Value;
use testbenches::families::testbenches;
use testbenches::measure::{Grid, RowFormat, Sweep, SweepOptions};
use testbenches::report::Check;
use testbenches::schema;
use testbenches::testbench::parameter::{Parameter, Scope};

use crate::common::sample::{Sampled, quietly, ran};
use crate::compare::cubewave;
use crate::schema::misfits;
use crate::suite::comes_from::words_of;
use crate::suite::dumped::run;
use crate::suite::reports::json;

/// Traffic that a run has, and a point has not, since it would not be of the size that the point is about.
const NOT_MEASURED: [&str; 2] = ["uniform", "hotspot"];

/// Whether a row has nothing of an object of which it has nothing at all.
fn is_null_of(value: &Value, told: &Value) -> bool {
    value.is_null() && told.is_object()
}

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

/// Where JSON has a column.
fn pointer(sampled: &Sampled, column: &str) -> String {
    let path = schema::path(sampled.bench, column);
    format!("/{}", path.replace('.', "/"))
}

/// What a row has, each by its place; not where it comes from.
fn leaves<'r>(value: &'r Value, place: &str, all: &mut Vec<(String, &'r Value)>) {
    match value {
        Value::Object(parts) => {
            for (name, part) in parts.iter().filter(|(name, _)| *name != "meta") {
                leaves(part, &format!("{place}/{name}"), all);
            }
        }
        value => all.push((place.to_owned(), value)),
    }
}

/// Whether a row is of what the run has chosen, where the sweep goes over more than that.
fn is_of_run(sampled: &Sampled, row: &Value, report: &Value) -> bool {
    let chosen = sampled.chosen();
    let axes = sampled.bench.sweep.axes.iter();
    // Others are as they were asked for, all of them.
    let mut left = axes.filter(|axis| chosen.shown(axis).is_none());
    left.all(|axis| {
        let at = pointer(sampled, axis.name);
        let told = report.pointer(&at).filter(|told| !told.is_array());
        let value = row.pointer(&at).unwrap_or(&Value::Null);
        told.is_none_or(|told| value.is_null() || value == told)
    })
}

fn rows(sweep: &Sweep) -> Vec<Value> {
    serde_json::from_str(&sweep.formatted(RowFormat::Json).unwrap()).unwrap()
}

/// Rows of a sweep over what a run has chosen; none where it is not measured.
pub fn rows_of(sampled: &Sampled) -> Vec<Value> {
    let sweep = words(sampled).and_then(|[words, _]| measured(sampled, &words).ok());
    sweep.map_or(Vec::new(), |sweep| rows(&sweep))
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
        let mut all = Vec::new();
        leaves(row, "", &mut all);
        for (place, value) in all {
            let Some(told) = json.pointer(&place) else {
                continue;
            };
            // Checks of single runs do not count in a sweep.
            let of_points = |check: &Check| check.passed || !check.is_of_points;
            let passes = Value::from(report.checks.iter().all(of_points));
            let told = if place == "/passed" { &passes } else { told };
            if value != told && !is_null_of(value, told) {
                differences.push(format!(
                    "{}: measure {words}: {place} is {value} in the row, {told} in the report",
                    sampled.name()
                ));
            }
            compared.insert(place);
        }
        differences.extend(rows.iter().flat_map(|row| misfits(&sampled.name(), row)));
        if !is_the_same_as_csv(sampled, &sweep, &rows) {
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

fn is_the_same_as_csv(sampled: &Sampled, sweep: &Sweep, rows: &[Value]) -> bool {
    let text = sweep.formatted(RowFormat::Csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let places: Vec<String> = header.iter().map(|name| pointer(sampled, name)).collect();
    let is_row = |(record, row): (&csv::StringRecord, &Value)| {
        let due = |place: &String| row.pointer(place).map_or(String::new(), in_csv);
        let mut all = Vec::new();
        leaves(row, "", &mut all);
        // An object of which there is nothing has no column of its own.
        let is_told = |(place, value): &(String, &Value)| value.is_null() || places.contains(place);
        all.iter().all(is_told) && places.iter().map(due).eq(record.iter())
    };
    records.len() == rows.len() && records.iter().zip(rows).all(is_row)
}

/// What a run with several seeds says of them is what the rows of a sweep have: of each number that differs its mean and its ends, and of
/// no other.
#[test]
fn what_seeds_say_together_is_what_rows_say() {
    let printed = |words: &str| {
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(words.split(' '))
            .output();
        String::from_utf8(command.unwrap().stdout).unwrap()
    };
    for words in [
        "kuszmaul --dims 4",
        "dispersal --dims 4 --cut-wires 9 --needed 2",
        "wormhole --dims 3 --load 1",
    ] {
        let run = printed(&format!("run {words} --seed 3 --seeds 4 --format json"));
        let report: Value = serde_json::from_str(&run).unwrap();
        let rows = printed(&format!(
            "measure {words} --seed 3 --seeds 4 --format csv --no-date"
        ));
        let mut reader = csv::Reader::from_reader(rows.as_bytes());
        let header = reader.headers().unwrap().clone();
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(
            (report["over_seeds"]["seeds"].as_u64(), records.len()),
            (Some(4), 4)
        );
        // Losing messages is no fault of a machine whose wires fail, and fails a single run all the same.
        let lost = header.iter().position(|name| name == "lost");
        let seeds = records.iter().zip(3u64..);
        let loses = |record: &csv::StringRecord| lost.is_some_and(|lost| &record[lost] != "0");
        let losing: Vec<u64> = seeds
            .filter(|(record, _)| loses(record))
            .map(|(_, seed)| seed)
            .collect();
        assert_eq!(
            report["over_seeds"]["failed"],
            Value::from(losing.clone()),
            "{words}"
        );
        assert_eq!(report["passed"], losing.is_empty(), "{words}");
        let mut due = BTreeMap::new();
        for (place, name) in header.iter().enumerate() {
            let numbers = records.iter().map(|record| record[place].parse::<f64>());
            let Ok(numbers) = numbers.collect::<Result<Vec<_>, _>>() else {
                continue;
            };
            let least = numbers.iter().copied().fold(f64::MAX, f64::min);
            let most = numbers.iter().copied().fold(f64::MIN, f64::max);
            let is_of_seeds = name.contains("seed");
            if least < most && !is_of_seeds {
                due.insert(name, [numbers.iter().sum::<f64>() / 4.0, least, most]);
            }
        }
        let told = report["over_seeds"]["readings"].as_array().unwrap();
        assert!(!told.is_empty(), "{words}");
        for reading in told {
            let name = reading["name"].as_str().unwrap();
            let is = ["mean", "least", "most"].map(|key| reading[key].as_f64().unwrap());
            let due = due
                .remove(name)
                .unwrap_or_else(|| panic!("{words}: {name}"));
            let is_near = |(is, due): (f64, f64)| (is - due).abs() <= 1e-9 * due.abs();
            assert!(
                is.into_iter().zip(due).all(is_near),
                "{words}: {name} {is:?} {due:?}"
            );
            assert!(
                reading["half_width"].as_f64().unwrap() > 0.0,
                "{words}: {name}"
            );
        }
        assert_eq!(due, BTreeMap::new(), "{words}");
    }
}

/// Files are of the first seed, runs that deadlock are not averaged, and what can be read only once is refused before anything is
/// written.
#[test]
fn further_seeds_leave_the_first_alone() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &str| cubewave(folder.path(), words);
    let first = run("run histogram --dims 2 --results - --seed 5").stdout;
    let all = run("run histogram --dims 2 --results - --seed 5 --seeds 3").stdout;
    assert!(!first.is_empty() && first == all);
    let stuck = run("run wormhole --dims 4 --virtual-channels 1 --seeds 3 --format json").stdout;
    let stuck: Value = serde_json::from_slice(&stuck).unwrap();
    assert_eq!(stuck["over_seeds"]["failed"], serde_json::json!([1, 2, 3]));
    assert_eq!(stuck["over_seeds"]["readings"], serde_json::json!([]));
    for words in ["--traffic-file -", "--checkpoint kept"] {
        let refused = run(&format!(
            "run kuszmaul --dims 3 --seeds 2 --deliveries d.csv {words}"
        ));
        assert_eq!(refused.status.code(), Some(2), "{words}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.starts_with("error: --seeds with "), "{said}");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{words}"
        );
    }
}
