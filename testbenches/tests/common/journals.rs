//! Sweeps with a journal: what is in it, and rows to compare.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A sweep that takes some seconds, of points that take some tenths each.
pub const LONG: &str = "measure kuszmaul --dims 17 --schedule plain --seeds 45";

/// The rows that a sweep prints as JSON.
pub fn rows(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Without when they were made.
pub fn rows_but_for_date(rows: &[Value]) -> Vec<Value> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        let date = row["meta"].as_object_mut().unwrap().remove("date");
        assert!(date.unwrap().is_string());
    }
    rows
}

/// Without what each of them took either.
pub fn rows_but_for_seconds(rows: &[Value]) -> Vec<Value> {
    let mut rows = rows_but_for_date(rows);
    for row in &mut rows {
        let seconds = row.as_object_mut().unwrap().remove("wall_seconds");
        assert!(seconds.unwrap().is_number());
    }
    rows
}

/// The points that a journal has rows of, each of them once.
pub fn entries(journal: &str) -> Vec<u64> {
    let lines = journal.lines().skip(1);
    let mut points: Vec<u64> = lines
        .map(|line| {
            let entry: Value = serde_json::from_str(line).unwrap();
            entry["point"].as_u64().unwrap()
        })
        .collect();
    let count = points.len();
    points.sort_unstable();
    points.dedup();
    assert_eq!(points.len(), count, "a point was run twice: {journal}");
    points
}

/// Waits until a journal has so many rows.
pub fn wait_for_rows(path: &Path, rows: usize) {
    let begin = Instant::now();
    let has_rows = || {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.matches('\n').count() > rows
    };
    while !has_rows() {
        assert!(begin.elapsed() < Duration::from_secs(60), "no row comes");
        std::thread::sleep(Duration::from_millis(5));
    }
}
