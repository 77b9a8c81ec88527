//! Files that a run reads and writes, and its exit status.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::embeddings::dispersal::machine::{cubewave, number};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A report without what differs from run to run.
fn comparable(report: &[u8]) -> Value {
    let mut report: Value = serde_json::from_slice(report).unwrap();
    for name in ["simulation_seconds", "bytes_per_node", "outputs", "meta"] {
        report.as_object_mut().unwrap().remove(name);
    }
    report
}

#[test]
fn wires_that_failed_fail_again_from_their_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let machine = "run dispersal --dims 4 --message-bits 40 --seed 3 --format json";
    let first = cubewave(
        folder.path(),
        &format!("{machine} --cut-wires 24 --cuts-out cuts.csv --results first.csv"),
    );
    assert_eq!(first.status.code(), Some(1));
    let report = comparable(&first.stdout);
    let again = cubewave(
        folder.path(),
        &format!("{machine} --cut cuts.csv --cuts-out again.csv --results second.csv"),
    );
    assert_eq!(again.status.code(), Some(1));
    assert_eq!(comparable(&again.stdout), report);
    assert_eq!(file("again.csv"), file("cuts.csv"));
    assert_eq!(file("second.csv"), file("first.csv"));
    // The file and the report say the same.
    let cuts = report["cuts"].as_array().unwrap().iter().map(|cut| {
        let way = cut["stuck"].as_str().unwrap();
        format!(
            "{},{},{},{way}\n",
            cut["node"], cut["dimension"], cut["bit_time"]
        )
    });
    let cuts: String = cuts.collect();
    assert_eq!(
        file("cuts.csv"),
        format!("node,dimension,bit_time,stuck\n{cuts}")
    );
    assert_eq!(cuts.lines().count(), 24);
    // A lost message has no row.
    let (lost, restored) = (number(&report, "lost"), number(&report, "restored"));
    assert!(lost > 0 && restored > 0);
    assert_eq!(file("first.csv").lines().count(), 1 + restored);
    assert_eq!(lost + restored, 16);
    // Files that were written are listed.
    let report: Value = serde_json::from_slice(&first.stdout).unwrap();
    assert_eq!(report["outputs"]["results"], "first.csv");
    assert_eq!(report["outputs"]["failing"], "cuts.csv");
}

#[test]
fn results_are_messages_of_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let machine = "run dispersal --dims 4 --message-bits 9";
    let run = |further: &str| {
        let output = cubewave(folder.path(), &format!("{machine} {further}"));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    };
    run("--seed 8 --results one.csv");
    run("--seed 2 --values one.csv --results two.csv --cut-wires 1");
    assert_eq!(file("one.csv"), file("two.csv"));
    assert_eq!(file("one.csv").lines().count(), 17);
}

#[test]
fn a_file_on_standard_output_is_there_alone() {
    let folder = tempfile::tempdir().unwrap();
    let machine = "run dispersal --dims 4 --message-bits 9 --cut-wires 1";
    assert!(
        cubewave(
            folder.path(),
            &format!("{machine} --results r.csv --cuts-out c.csv")
        )
        .status
        .success()
    );
    for (option, name) in [("--results", "r.csv"), ("--cuts-out", "c.csv")] {
        let output = cubewave(folder.path(), &format!("{machine} {option} -"));
        let expected = fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text(&output.stdout), expected);
        assert!(text(&output.stderr).starts_with("dispersal: "));
    }
}

#[test]
fn wires_are_read_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let cuts = folder.path().join("cuts.csv");
    // Without a column that says how.
    fs::write(&cuts, "node,dimension,bit_time\n3,1,0\n0,2,17\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args("run dispersal --dims 4 --cut - --cuts-out out.csv".split(' '))
        .current_dir(folder.path())
        .stdin(Stdio::from(fs::File::open(&cuts).unwrap()))
        .output()
        .unwrap();
    assert!(text(&output.stdout).contains("  node 3 across dimension 1, cut from bit time 0 on\n"));
    assert_eq!(
        fs::read_to_string(folder.path().join("out.csv")).unwrap(),
        "node,dimension,bit_time,stuck\n3,1,0,cut\n0,2,17,cut\n"
    );
}
