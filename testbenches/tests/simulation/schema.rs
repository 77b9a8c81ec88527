//! One schema for all results: what the frozen command lines print fits it, in JSON and in CSV, nothing in it is never printed, and the
//! page of it is the one in `docs`.

mod printed;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use testbenches::cli::page;
use testbenches::families::names;
use testbenches::schema::schema;
use testbenches::testbench::bench::{self, Offer, RunOptions};

use crate::common::sample::{Sampled, quietly, ran};
use crate::suite::reports::json;
use crate::suite::sweeps::rows_of;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What each frozen command line prints, behind it.
fn frozen() -> Vec<(String, String)> {
    let files = fs::read_dir(folder().join("testbenches/tests/frozen")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let mut all = Vec::new();
    for text in texts {
        for part in format!("\n{text}").split("\n$ ").skip(1) {
            let (command, printed) = part.split_once('\n').unwrap();
            all.push((command.to_owned(), printed.to_owned()));
        }
    }
    all
}

/// The JSON with which what is printed begins.
fn begun(command: &str, printed: &str) -> Value {
    let begin = printed.find(['{', '[']).unwrap_or(printed.len());
    // What is another figure on each machine is left out.
    let figures = printed[begin..].replace(": ...", ": 1.5");
    // Digests of files stand behind it.
    let mut read = serde_json::Deserializer::from_str(&figures).into_iter();
    match read.next() {
        Some(Ok(json @ (Value::Array(_) | Value::Object(_)))) => json,
        other => panic!("{command}: {other:?}"),
    }
}

/// Results of those command lines: reports and rows.
fn results() -> Vec<(String, Value)> {
    let of_results = |command: &str| {
        let words: Vec<&str> = command.split(' ').collect();
        ["run", "measure"].contains(&words[1]) && command.contains("--format json")
    };
    let mut all = Vec::new();
    for (command, printed) in frozen()
        .into_iter()
        .filter(|(command, _)| of_results(command))
    {
        match begun(&command, &printed) {
            Value::Array(rows) => all.extend(rows.into_iter().map(|row| (command.clone(), row))),
            report => all.push((command, report)),
        }
    }
    all
}

/// The schema of each testbench, and behind no name that of all.
static SCHEMAS: LazyLock<BTreeMap<&str, jsonschema::Validator>> = LazyLock::new(|| {
    let named = names().into_iter().map(|name| (name, schema(Some(name))));
    let all = named.chain([("", schema(None))]);
    all.map(|(name, schema)| (name, jsonschema::validator_for(&schema).unwrap()))
        .collect()
});

/// What of a result does not fit the schema of its testbench, or that of all.
pub fn misfits(what: &str, result: &Value) -> Vec<String> {
    let bench = result["bench"].as_str().unwrap();
    let errors = [bench, ""]
        .into_iter()
        .flat_map(|name| SCHEMAS[name].iter_errors(result));
    errors
        .map(|error| format!("{what}: {} {error}", error.instance_path))
        .collect()
}

#[test]
fn schemas_are_schemas() {
    for name in names() {
        jsonschema::meta::validate(&schema(Some(name))).unwrap();
    }
    jsonschema::meta::validate(&schema(None)).unwrap();
}

#[test]
fn results_fit_the_schema_of_their_testbench() {
    let results = results();
    assert!(results.len() > 100, "{}", results.len());
    let of_frozen = results
        .iter()
        .flat_map(|(command, result)| misfits(command, result));
    let of_runs = ran().flat_map(|(sampled, report)| misfits(&sampled.name(), &json(report)));
    let all: Vec<String> = of_frozen.chain(of_runs).collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// The paths of what an object holds, each with what stands there; `[]` stands for the items of a list.
fn paths<'a>(of: &'a Value, path: &str, all: &mut Vec<(String, &'a Value)>) {
    for one in of["anyOf"].as_array().into_iter().flatten() {
        paths(one, path, all);
    }
    for (name, part) in of["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        paths(part, &path, all);
        all.push((path, part));
    }
    if of["items"].is_object() {
        paths(&of["items"], &format!("{path}/[]"), all);
    }
}

/// Whether something is there; of lists, any item may have it.
fn has(item: &Value, path: &str) -> bool {
    match path.split_once("/[]") {
        None => item.pointer(path).is_some(),
        Some((list, rest)) => {
            let items = item.pointer(list).and_then(Value::as_array);
            items.is_some_and(|items| items.iter().any(|item| has(item, rest)))
        }
    }
}

/// What only some testbenches ever fill in: an object of all others is null, and has no parts. Some designs have no bound of storage,
/// some algorithms none of the paper, and of some machines nobody counts what nodes hold.
const NULL: [&str; 3] = ["/storage_bound", "/paper_bound", "/peak"];

/// Of a testbench, the paths of its schema that no result has which is met here. An entry that no result has is one too many, or a
/// test too few.
fn missing(name: &str, met: &[Value]) -> Vec<String> {
    let schema = schema(Some(name));
    let mut all = Vec::new();
    paths(&schema, "", &mut all);
    let all = all.into_iter().map(|(path, _)| path);
    let is_met = |path: &str| met.iter().any(|result| has(result, path));
    let is_null = |whole: &str| {
        let mut told = met.iter().filter_map(|result| result.pointer(whole));
        told.all(Value::is_null)
    };
    let is_of_null = |path: &str| {
        let mut wholes = NULL.iter().filter(|whole| path.starts_with(**whole));
        wholes.any(|whole| is_null(whole))
    };
    all.filter(|path| !is_met(path) && !is_of_null(path))
        .collect()
}

/// A report of a testbench of which somebody has asked for more: for further seeds, a picture, coverage, and the route of a
/// message.
fn asked_for_more(sampled: &Sampled) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let follows = sampled.bench.offers(Offer::TraceMessage);
    let options = RunOptions {
        coverage: true,
        seeds: Some(2),
        picture: Some(folder.path().join("run.svg")),
        trace_message: follows.then(|| "0".to_owned()),
        ..quietly()
    };
    json(&bench::run(sampled.chosen(), &options).unwrap())
}

/// Tests with several ranks have what these send, a view that is left as it is was edited by hand, and searches have a test of their own.
const NEVER: [&str; 3] = ["/between_ranks", "/outputs/kept_view", "/search"];

/// What is said of all alike, and is there for some testbenches: only machines that tell what is sent on count its bits, readings are
/// spread only where they go by the seed, some runs leave nothing unchanged, and some machines have no sequencer.
const OF_SOME: [&str; 5] = [
    "forwarding_buffer_bits",
    "/over_seeds/readings/[]",
    "/coverage/unchanged/[]",
    "/coverage/sequencer/[]",
    "/coverage/states/[]",
];

#[test]
fn no_entry_of_a_schema_is_in_no_result_of_its_testbench() {
    let mut met: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut meet = |result: Value| {
        let bench = result["bench"].as_str().unwrap();
        met.entry(bench.to_owned()).or_default().push(result);
    };
    let mut met_rows = BTreeSet::new();
    for (sampled, report) in ran() {
        meet(json(report));
        if sampled.about.is_none() && met_rows.insert(std::ptr::from_ref(sampled.bench) as usize) {
            rows_of(sampled).into_iter().for_each(&mut meet);
            meet(asked_for_more(sampled));
        }
    }
    results().into_iter().for_each(|(_, result)| meet(result));
    let mut left: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names() {
        for path in missing(name, &met[name]) {
            left.entry(path).or_default().push(name);
        }
    }
    left.retain(|path, names| {
        // What is chosen is what somebody chooses.
        let is_exempt =
            path.starts_with("/meta/parameters/") || NEVER.iter().any(|one| path.starts_with(one));
        let is_of_some = OF_SOME.iter().any(|one| path.contains(one)) && names.len() < met.len();
        !is_exempt && !is_of_some
    });
    assert_eq!(left, BTreeMap::new());
}

/// One word for one thing: what two testbenches call the same is of one kind, in one unit, and better in one direction.
#[test]
fn a_name_means_the_same_of_all_testbenches() {
    let mut known: BTreeMap<String, (Value, &str)> = BTreeMap::new();
    for name in names() {
        let schema = schema(Some(name));
        let mut all = Vec::new();
        paths(&schema, "", &mut all);
        for (path, of) in all {
            if path.starts_with("/meta/parameters/") {
                continue;
            }
            let kinds = |of: &Value| match &of["type"] {
                Value::Array(kinds) => kinds[0].clone(),
                kind => kind.clone(),
            };
            let means = serde_json::json!([kinds(of), of["unit"], of["better"], of["column"]]);
            let (first, bench) = known.entry(path.clone()).or_insert((means.clone(), name));
            // One that has no rows with it says no column.
            if means[3].is_null() || first[3].is_null() {
                first[3] = means[3].clone();
            }
            assert_eq!(*first, means, "{path} of {bench} and {name}");
        }
    }
}

/// CSV has the columns that the schema says, and JSON a value for each of them.
#[test]
fn columns_are_those_of_the_schema() {
    let of_csv = |command: &str| command.contains("measure") && command.contains("--format csv");
    let mut met = 0;
    for (command, printed) in frozen().into_iter().filter(|(command, _)| of_csv(command)) {
        let header = printed
            .lines()
            .find(|line| line.starts_with("bench,"))
            .unwrap();
        let row = printed
            .lines()
            .skip_while(|line| !line.starts_with("bench,"))
            .nth(1)
            .unwrap();
        let schema = schema(row.split(',').next());
        let mut all = Vec::new();
        paths(&schema, "", &mut all);
        let columns: BTreeSet<&str> = all
            .iter()
            .filter_map(|(_, of)| of["column"].as_str())
            .collect();
        for column in header.split(',') {
            assert!(columns.contains(column), "{command}: {column}");
            met += 1;
        }
    }
    assert!(met > 100, "{met}");
}

/// `CUBEWAVE_GOLDEN=overwrite` writes it anew.
#[test]
fn the_page_of_the_schema_is_in_docs() {
    let file = folder().join("docs/results-format.md");
    if std::env::var_os("CUBEWAVE_GOLDEN").is_some_and(|how| how == "overwrite") {
        fs::write(&file, page()).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == page(),
        "docs/results-format.md is another one: cubewave schema --format markdown prints it"
    );
}
