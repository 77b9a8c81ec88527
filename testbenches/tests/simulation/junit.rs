//! `--junit` of runs and sweeps, and `compare --format junit`, read by another library.

use std::path::Path;
use std::process::Command;

use roxmltree::{Document, Node};

use crate::compare::cubewave;

fn files(folder: &Path) -> Vec<String> {
    let all = std::fs::read_dir(folder).unwrap();
    let all = all.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut all: Vec<String> = all.collect();
    all.sort();
    all
}

fn child<'a>(node: Node<'a, 'a>, tag: &str) -> Option<Node<'a, 'a>> {
    node.children().find(|child| child.has_tag_name(tag))
}

/// A suite as it is read.
struct Read {
    name: String,
    properties: Vec<(String, String)>,
    /// Each by its name, with the text of its failure and its time.
    cases: Vec<(String, Option<String>, Option<String>)>,
    timestamp: Option<String>,
}

/// Reads a suite, whose counts must be those of its cases.
fn read(text: &str) -> Read {
    let document = Document::parse(text).unwrap();
    let suites = document.root_element();
    let suite = child(suites, "testsuite").unwrap();
    let owned = |node: Node<'_, '_>, name: &str| node.attribute(name).map(str::to_owned);
    let cases = suite
        .children()
        .filter(|node| node.has_tag_name("testcase"))
        .map(|case| {
            let failure = child(case, "failure");
            let failure = failure.map(|failure| failure.text().unwrap().to_owned());
            assert!(case.attribute("classname").is_some());
            (owned(case, "name").unwrap(), failure, owned(case, "time"))
        });
    let cases: Vec<_> = cases.collect();
    let failures = cases.iter().filter(|case| case.1.is_some()).count();
    for node in [suites, suite] {
        let counts = ["tests", "failures"].map(|name| owned(node, name).unwrap());
        assert_eq!(counts, [cases.len(), failures].map(|n| n.to_string()));
    }
    let properties = child(suite, "properties").unwrap().children();
    let properties = properties
        .filter(Node::is_element)
        .map(|one| (owned(one, "name").unwrap(), owned(one, "value").unwrap()));
    Read {
        name: owned(suite, "name").unwrap(),
        properties: properties.collect(),
        timestamp: owned(suite, "timestamp"),
        cases,
    }
}

fn read_file(path: &Path) -> Read {
    read(&std::fs::read_to_string(path).unwrap())
}

#[test]
fn a_run_has_a_case_a_check_and_says_where_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = "run kuszmaul --dims 3 --seed 4 --format json --junit run.xml";
    let output = cubewave(folder, words);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
    assert_eq!(files(folder), ["run.xml"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["outputs"]["junit"], "run.xml");
    let suite = read_file(&folder.join("run.xml"));
    assert_eq!(suite.name, "kuszmaul");
    let checks = report["checks"].as_array().unwrap();
    let due: Vec<_> = checks
        .iter()
        .map(|check| check["name"].as_str().unwrap())
        .collect();
    let names: Vec<_> = suite.cases.iter().map(|case| case.0.as_str()).collect();
    assert_eq!(names, due);
    assert!(due.len() > 3 && suite.cases.iter().all(|case| case.1.is_none()));
    let command = report["meta"]["command"].as_str().unwrap();
    assert!(
        command.ends_with("--junit run.xml --format json"),
        "{command}"
    );
    let of = |name: &str| {
        let mut all = suite.properties.iter().filter(|(known, _)| known == name);
        let found = all.next().map(|(_, value)| value.as_str());
        assert!(all.next().is_none(), "{name}");
        found
    };
    assert_eq!(of("command"), Some(command));
    assert_eq!(of("version"), Some(env!("CARGO_PKG_VERSION")));
    let of_dims = [of("dims"), of("seed"), of("schedule"), of("load")];
    assert_eq!(of_dims, [Some("3"), Some("4"), Some("plain"), Some("0.75")]);
    assert_eq!(suite.timestamp.as_deref(), report["meta"]["date"].as_str());
}

/// One virtual channel is too few for these worms.
#[test]
fn a_check_that_fails_is_a_failure_with_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = "run wormhole --dims 4 --virtual-channels 1 --junit=run.xml --format json";
    let output = cubewave(folder, words);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let suite = read_file(&folder.join("run.xml"));
    let checks = report["checks"].as_array().unwrap();
    assert_eq!(checks.len(), suite.cases.len());
    let mut failed = 0;
    for (check, (name, failure, _)) in checks.iter().zip(&suite.cases) {
        assert_eq!(check["name"], **name);
        let detail = check["detail"]
            .as_str()
            .filter(|_| check["passed"] == false);
        assert_eq!(failure.as_deref(), detail);
        failed += usize::from(failure.is_some());
    }
    assert!(failed > 0 && failed < checks.len());
}

#[test]
fn a_sweep_has_a_case_a_row_by_its_coordinates() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let words = "measure kuszmaul,radix --dims 2,3 --seeds 2 --load 0.5 --junit rows.xml";
    let output = cubewave(folder, words);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("\nwritten\n  junit  rows.xml\n"), "{text}");
    let suite = read_file(&folder.join("rows.xml"));
    assert_eq!(suite.name, "kuszmaul,radix");
    let mut names: Vec<_> = suite.cases.iter().map(|case| &case.0).collect();
    assert!(
        names[0].contains("k = 2") && names[0].contains("seed 1"),
        "{names:?}"
    );
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 8, "{names:?}");
    let is_timed = |time: &Option<String>| {
        time.as_ref()
            .is_some_and(|time| time.parse::<f64>().is_ok())
    };
    assert!(
        suite
            .cases
            .iter()
            .all(|case| case.1.is_none() && is_timed(&case.2))
    );
    let command = "cubewave measure kuszmaul,radix --dims 2,3 --load 0.5 --seeds 2 --seed 1 --format table --junit rows.xml";
    assert!(
        suite
            .properties
            .contains(&("command".to_owned(), command.to_owned()))
    );
    let words = "measure wormhole --dims 4 --virtual-channels 1,3 --message-bits 64 --format json --junit rows.xml";
    let output = cubewave(folder, words);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let suite = read_file(&folder.join("rows.xml"));
    let failures: Vec<_> = suite.cases.iter().map(|case| case.1.as_deref()).collect();
    let due = rows.as_array().unwrap().iter();
    let due: Vec<_> = due
        .map(|row| row["failed"].as_str().filter(|_| row["passed"] == false))
        .collect();
    assert_eq!(failures, due);
    assert!(failures[0].is_some() && failures[1].is_none());
}

#[test]
fn bytes_are_the_same_where_no_date_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for words in [
        "run kuszmaul --dims 2 --no-date --junit all.xml --format json",
        "measure kuszmaul --dims 2,3 --no-date --junit all.xml --format json",
    ] {
        let output = cubewave(folder, words);
        let first = std::fs::read_to_string(folder.join("all.xml")).unwrap();
        assert!(
            !first.contains("time=") && !first.contains("timestamp"),
            "{first}"
        );
        std::fs::remove_file(folder.join("all.xml")).unwrap();
        std::fs::write(folder.join("report.json"), &output.stdout).unwrap();
        assert_eq!(cubewave(folder, "repeat report.json").stdout, output.stdout);
        let again = std::fs::read_to_string(folder.join("all.xml")).unwrap();
        assert_eq!(again, first);
    }
    for words in [
        "run kuszmaul --dims 2 --junit -",
        "measure kuszmaul --dims 2 --junit -",
    ] {
        let mut dated = Command::new(env!("CARGO_BIN_EXE_cubewave"));
        let dated = dated.args(words.split(' ')).env("SOURCE_DATE_EPOCH", "5");
        let suite = read(std::str::from_utf8(&dated.output().unwrap().stdout).unwrap());
        assert_eq!(suite.timestamp, None, "{words}");
        let mut timed = suite.cases.iter().filter(|case| case.2.is_some());
        assert!(timed.next().is_none(), "{words}");
    }
}

#[test]
fn a_report_that_is_printed_sends_the_other_to_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    for (words, begin) in [
        ("run kuszmaul --dims 2 --junit -", "kuszmaul: "),
        ("measure kuszmaul --dims 2 --junit -", "kuszmaul"),
    ] {
        let output = cubewave(folder.path(), words);
        assert_eq!(
            read(std::str::from_utf8(&output.stdout).unwrap()).name,
            "kuszmaul"
        );
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with(begin), "{said}");
        assert!(files(folder.path()).is_empty());
    }
}

#[test]
fn what_is_refused_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (words, why) in [
        ("run kuszmaul --dims 35 --junit run.xml", "dimensions"),
        (
            "run kuszmaul --junit no/such/run.xml",
            "there is no folder no/such",
        ),
        ("run kuszmaul --junit .", "a folder of that name is there"),
        (
            "run kuszmaul --wave run.vcd --junit ./run.vcd",
            "./run.vcd cannot be both the waveform and the JUnit report",
        ),
        (
            "run kuszmaul --wave run.vcd --junit run.gtkw",
            "cannot be both",
        ),
        (
            "run broadcast --deliveries a.csv --junit a.csv",
            "a.csv cannot be both the deliveries and the JUnit report",
        ),
        ("run wormhole --links a.csv --junit a.csv", "cannot be both"),
        (
            "run kuszmaul --deliveries - --junit -",
            "- cannot be both the deliveries and the JUnit report",
        ),
        (
            "measure kuszmaul --plot - --junit -",
            "- cannot be both the plot and the JUnit report",
        ),
        (
            "measure kuszmaul --dims 2,3 --plot a.svg --junit a.svg",
            "a.svg cannot be both the plot and the JUnit report",
        ),
        (
            "measure kuszmaul --junit no/such/rows.xml",
            "there is no folder no/such",
        ),
        (
            "measure kuszmaul --journal a.xml --junit a.xml",
            "a.xml cannot be both the JUnit report and the journal",
        ),
    ] {
        let output = cubewave(folder.path(), words);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}: {said}");
        assert!(
            output.stdout.is_empty() && said.contains(why),
            "{words}: {said}"
        );
        assert!(files(folder.path()).is_empty(), "{words}");
    }
}

#[test]
fn a_comparison_fails_where_something_is_worse() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for schedule in ["plain", "spread"] {
        for (command, file) in [("run", "report"), ("measure", "rows")] {
            let words = format!("{command} kuszmaul --dims 3 --schedule {schedule} --format json");
            let output = cubewave(folder, &words);
            std::fs::write(
                folder.join(format!("{file}-{schedule}.json")),
                output.stdout,
            )
            .unwrap();
        }
    }
    let compared = |words: &str| {
        let output = cubewave(folder, &format!("compare {words} --format junit"));
        assert!(output.stderr.is_empty(), "{output:?}");
        let suite = read(std::str::from_utf8(&output.stdout).unwrap());
        let failed = suite.cases.iter().any(|case| case.1.is_some());
        assert_eq!(output.status.code(), Some(i32::from(failed)));
        suite
    };
    let same = compared("report-plain.json report-plain.json");
    assert!(same.cases.len() > 20 && same.cases.iter().all(|case| case.1.is_none()));
    let worse = compared("report-spread.json report-plain.json");
    let mut cases = worse.cases.iter();
    let bit_times = cases.find(|case| case.0 == "bit_times").unwrap();
    assert!(bit_times.1.as_ref().unwrap().contains(" -> "));
    let schedule = ("schedule".to_owned(), "spread -> plain".to_owned());
    assert!(worse.properties.contains(&schedule));
    let rows = compared("rows-spread.json rows-plain.json");
    let [(name, Some(failure), None)] = &rows.cases[..] else {
        panic!("{:?}", rows.cases);
    };
    assert!(
        name == "kuszmaul" && failure.contains("bit_times: "),
        "{failure}"
    );
}
