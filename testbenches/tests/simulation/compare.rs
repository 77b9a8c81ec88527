//! `cubewave compare`, from what `run` and `measure` print to its exit status.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs a command line in a folder.
pub fn cubewave(folder: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Writes what a command prints into a file.
fn keep(folder: &Path, words: &str, file: &str) {
    let output = cubewave(folder, words);
    assert!(output.stderr.is_empty(), "{output:?}");
    std::fs::write(folder.join(file), output.stdout).unwrap();
}

/// What a comparison prints as JSON, and its exit status.
fn compared(folder: &Path, words: &str) -> (Value, i32) {
    let output = cubewave(folder, &format!("compare {words} --format json"));
    let text = String::from_utf8(output.stdout).unwrap();
    let told = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{words}: {text}"));
    (told, output.status.code().unwrap())
}

#[test]
fn a_worse_schedule_is_worse_and_the_same_run_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for schedule in ["plain", "spread"] {
        let words = format!("run kuszmaul --dims 4 --schedule {schedule} --format json");
        keep(folder, &words, &format!("{schedule}.json"));
        keep(folder, &words, &format!("{schedule}-again.json"));
    }
    let (same, status) = compared(folder, "plain.json plain-again.json");
    assert_eq!((&same["different"], status), (&serde_json::json!([]), 0));
    let (told, status) = compared(folder, "spread.json plain.json");
    assert_eq!(status, 1);
    let pair = &told["different"][0];
    let chosen = serde_json::json!([{ "name": "schedule", "old": "spread", "new": "plain" }]);
    assert_eq!(told["settings"], chosen);
    let readings = pair["readings"].as_array().unwrap();
    let bit_times = readings
        .iter()
        .find(|one| one["name"] == "bit_times")
        .unwrap();
    assert_eq!(bit_times["verdict"], "worse");
    let (old, new) = (
        bit_times["old"].as_u64().unwrap(),
        bit_times["new"].as_u64().unwrap(),
    );
    assert!(old < new);
    let refused = cubewave(folder, "compare plain.json nowhere.json");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn rows_are_compared_point_by_point_in_either_form() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut compared_points = Value::Null;
    // Of the first, costs are texts in JSON.
    for sweep in [
        "measure embedding --guest gray-cycle,cycle --dims 4 --message-bits 1,16",
        "measure kuszmaul,bitonic --dims 2..4 --schedule all --seeds 2",
    ] {
        for form in ["json", "csv"] {
            let words = format!("{sweep} --format {form}");
            keep(folder, &words, &format!("rows.{form}"));
        }
        let (same, status) = compared(folder, "rows.json rows.csv");
        let nothing = serde_json::json!([]);
        assert_eq!((&same["different"], status), (&nothing, 0), "{same}");
        compared_points = same["compared"].clone();
    }
    let rows = std::fs::read_to_string(folder.join("rows.csv")).unwrap();
    assert_eq!(compared_points, rows.lines().count() - 1);
    // One message of one point does not arrive.
    let broken = rows.replacen(",4,4,", ",4,3,", 1);
    let broken = if broken == rows {
        rows.replacen(",3,3,", ",3,2,", 1)
    } else {
        broken
    };
    assert_ne!(broken, rows);
    std::fs::write(folder.join("broken.csv"), broken).unwrap();
    let (told, status) = compared(folder, "rows.json broken.csv");
    assert_eq!((status, &told["worse"]), (1, &Value::from(1)), "{told}");
    assert_eq!(told["different"][0]["readings"][0]["name"], "delivered");
}
