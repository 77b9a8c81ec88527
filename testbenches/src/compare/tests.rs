use serde_json::json;

use super::*;
use crate::compare::Form;

fn report(settings: Value, readings: Value) -> ReportOrRow {
    let map = |value: Value| value.as_object().unwrap().clone();
    ReportOrRow {
        bench: "kuszmaul".to_owned(),
        settings: map(settings),
        readings: map(readings),
    }
}

fn compared(
    old: &[ReportOrRow],
    new: &[ReportOrRow],
    tolerances: &Tolerances,
) -> Result<Comparison, Error> {
    let results = |name: &str, points: &[ReportOrRow]| Results {
        name: name.to_owned(),
        is_report: false,
        points: points.to_vec(),
    };
    Comparison::of(results("old", old), results("new", new), tolerances)
}

fn of(old: &[ReportOrRow], new: &[ReportOrRow]) -> Comparison {
    compared(old, new, &Tolerances::new()).unwrap()
}

#[test]
fn a_result_is_the_same_as_itself() {
    let all = [2, 3].map(|dims| report(json!({ "dims": dims }), json!({ "bit_times": 9 * dims })));
    let same = of(&all, &all);
    assert!(same.passed() && same.different.is_empty() && same.compared == 2);
    let text = same.formatted(Form::Text).unwrap();
    assert_eq!(
        text,
        "kuszmaul: new beside old\n\n2 points compared: 2 the same; 0 readings worse, 0 better\n"
    );
}

#[test]
fn one_result_beside_one_says_what_was_chosen_and_what_came_of_it() {
    let old = report(
        json!({ "dims": 3, "schedule": "plain" }),
        json!({ "bit_times": 100, "storage_bits_per_node.total": 41, "peak": null, "step": "a", "wall_seconds": 1.0 }),
    );
    let new = report(
        json!({ "dims": 3, "schedule": "spread" }),
        json!({ "bit_times": 40, "storage_bits_per_node.total": 43, "peak": 2, "step": "b", "wall_seconds": 9.0 }),
    );
    let comparison = of(&[old], &[new]);
    assert!(!comparison.passed());
    assert_eq!((comparison.worse, comparison.better), (1, 1));
    assert_eq!(
        comparison.formatted(Form::Text).unwrap(),
        "kuszmaul: new beside old\n\n\
         chosen otherwise\n  \
         schedule  plain  spread\n\n  \
         storage_bits_per_node.total   41  43   +4.9 %  WORSE\n  \
         bit_times                    100  40  -60.0 %  better\n  \
         peak                           -   2\n  \
         step                           a   b\n\n\
         1 point compared: 0 the same; 1 reading worse, 1 better\n"
    );
}

#[test]
fn points_are_found_by_their_settings_in_whatever_order() {
    let point = |dims: u64, bit_times: u64| {
        report(
            json!({ "dims": dims, "seed": 1 }),
            json!({ "bit_times": bit_times }),
        )
    };
    let comparison = of(
        &[point(2, 20), point(3, 30), point(4, 40)],
        &[point(4, 41), point(2, 20), point(5, 50)],
    );
    assert_eq!((comparison.compared, comparison.worse), (2, 1));
    let one = |dims: u64| json!({ "dims": dims });
    assert_eq!(json!(comparison.only_old), json!([one(3)]));
    assert_eq!(json!(comparison.only_new), json!([one(5)]));
    assert_eq!(json!(comparison.different[0].point), one(4));
    assert!(!comparison.passed());
    // What all of them have otherwise tells none from another.
    let seeded = |dims: u64| {
        let settings = json!({ "dims": dims, "seed": 2, "own": "x" });
        report(settings, json!({ "bit_times": 10 * dims }))
    };
    let other = of(&[point(2, 20), point(3, 30)], &[seeded(3), seeded(2)]);
    assert!(other.passed() && other.different.is_empty());
    let chosen =
        json!([{ "name": "own", "old": null, "new": "x" }, { "name": "seed", "old": 1, "new": 2 }]);
    assert_eq!(json!(other.settings), chosen);
    // A point more is no harm, and one less is.
    assert!(of(&[point(2, 20)], &[point(2, 20), point(3, 30)]).passed());
    assert!(!of(&[point(2, 20), point(3, 30)], &[point(2, 20)]).passed());
    // Two of the same settings go by their order.
    let twice = [point(2, 20), point(2, 25)];
    assert!(of(&twice, &twice).passed());
    assert_eq!(of(&twice, &[point(2, 25), point(2, 20)]).worse, 1);
}

#[test]
fn a_tolerance_is_of_one_reading_and_has_what_depends_on_the_computer_compared() {
    let point = |seconds: f64, bit_times: u64| {
        report(
            json!({}),
            json!({ "wall_seconds": seconds, "bit_times": bit_times }),
        )
    };
    let passes = |tolerances: &[(&str, &str)], seconds, bit_times| {
        let all = tolerances
            .iter()
            .map(|(name, text)| ((*name).to_owned(), Tolerance::read(text).unwrap()));
        let all: Tolerances = all.collect();
        let comparison = compared(&[point(1.0, 100)], &[point(seconds, bit_times)], &all);
        comparison.unwrap().passed()
    };
    assert!(passes(&[], 5.0, 100));
    assert!(!passes(&[("wall_seconds", "50%")], 5.0, 100));
    assert!(passes(&[("wall_seconds", "50%")], 1.4, 100));
    assert!(!passes(&[], 1.0, 101) && passes(&[("bit_times", "1%")], 1.0, 101));
    assert!(!passes(&[("bit_times", "1%")], 1.0, 102));
    // What was not measured cannot be near.
    let (old, mut new) = (point(1.0, 1), point(1.0, 1));
    new.readings.insert("wall_seconds".to_owned(), Value::Null);
    let half = Tolerances::from([("wall_seconds".to_owned(), Tolerance::Percent(50.0))]);
    for pair in [[&old, &new], [&new, &old]] {
        let [old, new] = pair.map(std::slice::from_ref);
        assert!(!compared(old, new, &half).unwrap().passed());
    }
    let slip = Tolerances::from([("bit_time".to_owned(), Tolerance::Absolute(1.0))]);
    let refused = compared(&[point(1.0, 1)], &[point(1.0, 1)], &slip).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "--tolerance bit_time: neither of both results has such a reading: did you mean `bit_times`?"
    );
}

#[test]
fn results_of_different_testbenches_are_refused() {
    let old = report(json!({}), json!({}));
    let new = ReportOrRow {
        bench: "sort".to_owned(),
        ..old.clone()
    };
    let refused = compared(&[old], &[new], &Tolerances::new()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "old is of kuszmaul, and new of sort: results of different testbenches have nothing in common: compare results of the same"
    );
}

#[test]
fn a_report_is_not_compared_with_rows() {
    let point = report(json!({}), json!({}));
    let [old, new] = [true, false].map(|is_report| Results {
        name: format!("{is_report}"),
        is_report,
        points: vec![point.clone()],
    });
    let refused = Comparison::of(old, new, &Tolerances::new()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "true is a report, and false rows: of what a report says, rows have only a part: compare two reports, or rows with rows"
    );
}

/// The cases of a comparison as JUnit: what each is called, and the first line of its failure.
fn cases(comparison: &Comparison) -> Vec<(String, Option<String>)> {
    let text = comparison.formatted(Form::Junit).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let all = document.descendants();
    let all = all.filter(|node| node.has_tag_name("testcase"));
    let case = |node: roxmltree::Node<'_, '_>| {
        let failure = node
            .children()
            .find(|child| child.has_tag_name("failure"))
            .map(|failure| failure.attribute("message").unwrap().to_owned());
        (node.attribute("name").unwrap().to_owned(), failure)
    };
    let cases: Vec<_> = all.map(case).collect();
    let failed = cases.iter().filter(|(_, failure)| failure.is_some());
    let failures = failed.count();
    let suite = document
        .descendants()
        .find(|node| node.has_tag_name("testsuite"))
        .unwrap();
    let counts = ["tests", "failures"].map(|name| suite.attribute(name).unwrap().to_owned());
    assert_eq!(
        counts,
        [cases.len(), failures].map(|count| count.to_string())
    );
    assert_eq!(failures == 0, comparison.passed());
    cases
}

#[test]
fn of_rows_a_case_is_a_point_and_fails_where_something_is_worse_or_it_is_missing() {
    let row = |dims: u32, readings: Value| report(json!({ "dims": dims }), readings);
    let old = [
        row(2, json!({ "bit_times": 9, "gate_delays": 0 })),
        row(3, json!({ "bit_times": 20, "gate_delays": 0 })),
        row(4, json!({ "bit_times": 30, "gate_delays": 0 })),
        row(5, json!({ "bit_times": 40, "gate_delays": 0 })),
    ];
    let new = [
        row(2, json!({ "bit_times": 8, "gate_delays": 0 })),
        row(3, json!({ "bit_times": 25, "gate_delays": 1 })),
        row(4, json!({ "bit_times": 33, "gate_delays": 0 })),
        row(6, json!({ "bit_times": 1, "gate_delays": 0 })),
    ];
    let due = [
        ("dims 2", None),
        ("dims 3", Some("2 readings worse")),
        ("dims 4", Some("bit_times: 30 -> 33 (+10.0 %)")),
        ("dims 5", Some("new has no such point")),
    ];
    let due = due.map(|(name, failure)| (name.to_owned(), failure.map(str::to_owned)));
    assert_eq!(cases(&of(&old, &new)), due);
    let allowed = [("bit_times".to_owned(), Tolerance::Percent(10.0))];
    let allowed = compared(&old[..1], &new[..1], &allowed.into_iter().collect());
    assert_eq!(cases(&allowed.unwrap()), [("kuszmaul".to_owned(), None)]);
}

#[test]
fn of_two_reports_a_case_is_a_reading_that_is_compared() {
    let read = |bit_times: u64, seconds: f64, new: &str| {
        let readings = json!({ "bit_times": bit_times, "checks.storage": true, "simulation_seconds": seconds, new: 1 });
        Results {
            name: new.to_owned(),
            is_report: true,
            points: vec![report(json!({ "schedule": new }), readings)],
        }
    };
    let of = |tolerances: &[(&str, Tolerance)]| {
        let tolerances = tolerances.iter();
        let tolerances = tolerances.map(|(name, most)| ((*name).to_owned(), *most));
        let (old, new) = (read(100, 1.0, "a"), read(101, 9.0, "b"));
        Comparison::of(old, new, &tolerances.collect()).unwrap()
    };
    let worse = Some("100 -> 101 (+1.0 %)");
    let due = [
        ("a", None),
        ("b", None),
        ("bit_times", worse),
        ("checks.storage", None),
    ];
    let due = due.map(|(name, failure)| (name.to_owned(), failure.map(str::to_owned)));
    assert_eq!(cases(&of(&[])), due);
    let timed = cases(&of(&[
        ("bit_times", Tolerance::Absolute(1.0)),
        ("simulation_seconds", Tolerance::Percent(50.0)),
    ]));
    let seconds = (
        "simulation_seconds".to_owned(),
        Some("1.0 -> 9.0 (+800.0 %)".to_owned()),
    );
    assert_eq!(timed[4], seconds);
    assert_eq!(timed[2].1, None);
    let text = of(&[]).formatted(Form::Junit).unwrap();
    assert!(
        text.contains("<property name=\"schedule\" value=\"a -&gt; b\"/>"),
        "{text}"
    );
}
