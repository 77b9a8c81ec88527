//! The rows of a sweep as a suite of JUnit: a case a point, which fails where a check does not hold.

use crate::junit::{self, Case, Suite};
use crate::measure::row::{FAILED, Row, WALL_SECONDS};
use crate::report::{Date, Meta};

/// What a row calls its testbench.
const BENCH: &str = "bench";

/// Of points by what they are called, their rows and where these come from; and of the command that measured them.
pub(super) fn of(
    (names, rows, meta): (&[String], &[Row], &[Meta]),
    command: &str,
    date: Date,
) -> Suite {
    let mut benches: Vec<String> = Vec::new();
    let cases = names.iter().zip(rows).map(|(name, row)| {
        let bench = row.text(BENCH);
        if !benches.contains(&bench) {
            benches.push(bench.clone());
        }
        Case {
            name: name.clone(),
            class: bench,
            seconds: row.number(WALL_SECONDS),
            failure: (!row.passed()).then(|| row.text(FAILED)),
        }
    });
    let cases = cases.collect();
    let first = meta.first();
    let timestamp = first.and_then(|meta| meta.date.clone());
    Suite {
        name: benches.join(","),
        properties: first.map_or(Vec::new(), |meta| junit::properties(meta, Some(command))),
        timestamp: timestamp.filter(|_| date.is_timed()),
        seconds: None,
        cases,
    }
}
