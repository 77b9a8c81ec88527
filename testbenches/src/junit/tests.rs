use roxmltree::{Document, Node};
use serde_json::json;

use super::*;

/// Elements below another, by their tag.
fn below<'a>(node: Node<'a, 'a>, tag: &'static str) -> Vec<Node<'a, 'a>> {
    let all = node.children().filter(move |child| child.has_tag_name(tag));
    all.collect()
}

/// A report of three checks, of which the second does not hold.
fn report() -> Report {
    Report {
        bench: "bench",
        simulation_seconds: Some(0.25),
        checks: vec![
            Check::new("storage", true, "12 bits"),
            Check::new(
                "delivered",
                false,
                "3 < 4 & \"one\" is lost\u{1b}[31m\nmore\u{ffff}",
            ),
            Check::new("order", true, "9"),
        ],
        meta: Meta {
            version: "7",
            command: Some("cubewave run bench --traffic-file 'a&b.csv'".to_owned()),
            parameters: [
                ("dims".to_owned(), json!(3)),
                ("schedule".to_owned(), json!("plain")),
            ]
            .into_iter()
            .collect(),
            date: Some("2026-01-02T03:04:05Z".to_owned()),
            ..Meta::default()
        },
        ..Report::default()
    }
}

#[test]
fn another_reader_finds_the_checks_and_which_of_them_fails() {
    let text = Suite::of_run(&report()).xml().unwrap();
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "));
    let document = Document::parse(&text).unwrap();
    let suites = document.root_element();
    assert!(suites.has_tag_name("testsuites"));
    let [suite] = below(suites, "testsuite")[..] else {
        panic!("{text}");
    };
    for node in [suites, suite] {
        let counts = ["tests", "failures", "errors"].map(|name| node.attribute(name));
        assert_eq!(counts, [Some("3"), Some("1"), Some("0")]);
    }
    let said = ["name", "time", "timestamp"].map(|name| suite.attribute(name));
    assert_eq!(
        said,
        [
            Some("bench"),
            Some("0.250000"),
            Some("2026-01-02T03:04:05Z")
        ]
    );
    let properties = below(below(suite, "properties")[0], "property");
    let properties: Vec<_> = properties
        .iter()
        .map(|one| ["name", "value"].map(|name| one.attribute(name).unwrap()))
        .collect();
    let due = [
        ["version", "7"],
        ["command", "cubewave run bench --traffic-file 'a&b.csv'"],
        ["dims", "3"],
        ["schedule", "plain"],
    ];
    assert_eq!(properties, due);
    let cases = below(suite, "testcase");
    let names: Vec<_> = cases
        .iter()
        .map(|case| ["name", "classname", "time"].map(|name| case.attribute(name)))
        .collect();
    let due = ["storage", "delivered", "order"].map(|name| [Some(name), Some("bench"), None]);
    assert_eq!(names, due);
    assert!(
        [0, 2]
            .map(|at| below(cases[at], "failure"))
            .concat()
            .is_empty()
    );
    let [failure] = below(cases[1], "failure")[..] else {
        panic!("{text}");
    };
    let line = "3 < 4 & \"one\" is lost\\u001b[31m";
    assert_eq!(failure.attribute("message"), Some(line));
    assert_eq!(failure.text(), Some(&*format!("{line}\nmore\u{fffd}")));
}

/// What is not told of the report is not told here, so that the bytes are the same.
#[test]
fn nothing_is_said_of_times_where_a_report_says_nothing_of_them() {
    let report = Report {
        simulation_seconds: None,
        ..report()
    };
    let text = Suite::of_run(&report).xml().unwrap();
    assert!(!text.contains("time"), "{text}");
}

#[test]
fn a_suite_of_nothing_is_one() {
    let text = Suite::default().xml().unwrap();
    let document = Document::parse(&text).unwrap();
    let suite = below(document.root_element(), "testsuite")[0];
    assert_eq!(suite.attribute("tests"), Some("0"));
}
