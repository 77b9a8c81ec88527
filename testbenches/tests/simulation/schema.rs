//! One schema for all results: what the frozen command lines print fits it, in JSON and in CSV, nothing in it is never printed, and the
//! page of it is the one in `docs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use testbenches::families::names;
use testbenches::schema::{page, schema};

use crate::common::sample::ran;
use crate::suite::reports::json;

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
        let begin = printed.find(['{', '[']).unwrap_or(printed.len());
        // What is another figure on each machine is left out.
        let figures = printed[begin..].replace(": ...", ": 1.5");
        // Digests of files stand behind it.
        let mut read = serde_json::Deserializer::from_str(&figures).into_iter();
        match read.next() {
            Some(Ok(Value::Array(rows))) => {
                all.extend(rows.into_iter().map(|row| (command.clone(), row)))
            }
            Some(Ok(report @ Value::Object(_))) => all.push((command, report)),
            other => panic!("{command}: {other:?}"),
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

/// The paths of what an object holds, each with what stands there.
fn paths<'a>(of: &'a Value, path: &str, all: &mut Vec<(String, &'a Value)>) {
    let whole = of["anyOf"].get(0).unwrap_or(of);
    for (name, part) in whole["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        paths(part, &path, all);
        all.push((path, part));
    }
}

/// An entry that no result has is one too many, or a test too few. Tests with several ranks have what these send; that a list of sends
/// has a bound, and that a view is left as it is, takes files that are no sample's.
#[test]
fn no_entry_of_a_schema_is_in_no_result() {
    const OF_RANKS: &str = "/between_ranks";
    let mut met: BTreeSet<String> = BTreeSet::new();
    let reports = ran().map(|(_, report)| json(report));
    let all = results()
        .into_iter()
        .map(|(_, result)| result)
        .chain(reports);
    for result in all {
        let schema = schema(result["bench"].as_str());
        let mut known = Vec::new();
        paths(&schema, "", &mut known);
        let known = known.into_iter().map(|(path, _)| path);
        met.extend(known.filter(|path| result.pointer(path).is_some()));
    }
    let whole = schema(None);
    let mut all = Vec::new();
    paths(&whole, "", &mut all);
    let is_parameter = |path: &str| path.starts_with("/meta/parameters/");
    let missing = all.iter().map(|(path, _)| path);
    let missing: Vec<_> = missing
        .filter(|path| !met.contains(*path) && !path.starts_with(OF_RANKS) && !is_parameter(path))
        .collect();
    assert_eq!(
        missing,
        [
            "/outputs/kept_view",
            "/paper_bound/text",
            "/paper_bound/value"
        ]
    );
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
        fs::write(&file, page(None)).unwrap();
    }
    let kept = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        kept == page(None),
        "docs/results-format.md is another one: cubewave schema --format markdown prints it"
    );
}
