//! What the seeds of a point say together: averages with confidence intervals.

use crate::families::wormhole::entries::{
    ACCEPTED, ACCEPTED_OF_SEEDS, BIT_TIMES_OF_SEEDS, DEADLOCKS_OF_SEEDS, LATENCY_AVERAGE,
    LATENCY_OF_SEEDS, MIDDLE, SATURATION_OF_SEEDS,
};
use crate::families::wormhole::sweep::readings::{NETWORK_COLUMN, PARAMETERS, are_alike};
use crate::measure::row::{Row, Value};
use crate::measure::seeds::groups;
use crate::measure::sweep::Point;
use crate::measure::table::{Filled, filled, lines};
use crate::report::{BIT_TIMES, Entry};
use crate::statistics::interval::Interval;

/// What is averaged over seeds: what it is of, the average and half of its interval's width, its heading, and the digits behind the
/// point that are shown.
const AVERAGED: [(Entry, [Entry; 2], &str, usize); 4] = [
    (BIT_TIMES.of, BIT_TIMES_OF_SEEDS, "bit times", 1),
    (LATENCY_AVERAGE, LATENCY_OF_SEEDS, "latency", 1),
    (ACCEPTED, ACCEPTED_OF_SEEDS, "accepted", 4),
    (MIDDLE, SATURATION_OF_SEEDS, "carries", 4),
];

/// How many of a point's runs ended in a deadlock, where it has several seeds.
const DEADLOCKS: &str = DEADLOCKS_OF_SEEDS.in_rows();

/// Whether a value of a row counts: bit times only of a run in which all messages arrived, nothing of a deadlock, nor how long was
/// measured and how sure a single run is.
pub(super) fn counts(row: &Row, name: &str) -> bool {
    let says = match name {
        "bit_times" => row.has("bit_times_per_message_bit"),
        "warm_up" | "measurement" => false,
        name => !name.ends_with("half_width"),
    };
    says && !row.has("deadlock")
}

/// Adds to each row the averages over all seeds of its point, where there are several.
pub(super) fn conclude(points: &[Point], rows: &mut [Row]) {
    for group in groups(points) {
        let rows = &mut rows[group];
        if rows.len() > 1 {
            let deadlocks = rows.iter().filter(|row| row.has("deadlock")).count();
            rows.iter_mut()
                .for_each(|row| row.set(DEADLOCKS, deadlocks));
        }
        for (of, [average, half_width], ..) in AVERAGED {
            let column = of.in_rows();
            let values: Vec<f64> = rows
                .iter()
                .filter(|row| counts(row, column))
                .filter_map(|row| row.number(column))
                .collect();
            let Some(interval) = Interval::of(&values) else {
                continue;
            };
            for row in rows.iter_mut() {
                row.set(average.in_rows(), interval.mean);
                row.set(half_width.in_rows(), interval.half_width);
            }
        }
    }
}

/// The first row of each point that has several seeds, without its seed, and the verdicts of all its rows. The seeds of a point
/// come one after the other.
fn told_together(rows: &[Row]) -> Vec<(Row, Vec<String>)> {
    let mut groups: Vec<(Row, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| row.has(DEADLOCKS)) {
        let mut row = row.clone();
        row.set("seed", Value::Nothing);
        let verdict = row.text("verdict");
        match groups.last_mut() {
            Some((first, verdicts)) if are_alike(first, &row) => verdicts.push(verdict),
            _ => groups.push((row, vec![verdict])),
        }
    }
    groups
}

/// How many of a point's runs have which verdict.
fn counted(verdicts: &[String]) -> String {
    let mut known: Vec<(&str, usize)> = Vec::new();
    for verdict in verdicts.iter().filter(|verdict| !verdict.is_empty()) {
        match known.iter_mut().find(|(one, _)| one == verdict) {
            Some((_, amount)) => *amount += 1,
            None => known.push((verdict, 1)),
        }
    }
    let parts = known
        .iter()
        .map(|(verdict, amount)| format!("{amount} {verdict}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// As a table: a line for all seeds of a point. Nothing, where each has one.
pub(super) fn text(rows: &[Row]) -> String {
    let (groups, verdicts): (Vec<Row>, Vec<Vec<String>>) = told_together(rows).into_iter().unzip();
    if groups.is_empty() {
        return String::new();
    }
    let (mut columns, _) = filled(&[NETWORK_COLUMN], &groups);
    columns.extend(filled(&PARAMETERS, &groups).0);
    if groups.iter().any(|row| row.number(DEADLOCKS) > Some(0.0)) {
        let cell =
            |(row, all): (&Row, &Vec<String>)| format!("{} of {}", row.text(DEADLOCKS), all.len());
        let cells = groups.iter().zip(&verdicts).map(cell).collect();
        columns.push(Filled::new("deadlocks", cells));
    }
    if verdicts.iter().flatten().any(|verdict| !verdict.is_empty()) {
        // What latencies of a saturated network are worth, the verdict says.
        let cells = verdicts.iter().map(|of_point| counted(of_point)).collect();
        columns.push(Filled::new("verdicts", cells));
    }
    for (_, [average, half_width], heading, digits) in AVERAGED {
        if !groups.iter().any(|row| row.has(average.in_rows())) {
            continue;
        }
        let cell = |name: &str| -> Vec<String> {
            let cell = |row: &Row| crate::measure::table::or_dash(row.number(name), digits);
            groups.iter().map(cell).collect()
        };
        columns.push(Filled::new(heading, cell(average.in_rows())));
        columns.push(Filled::new("+-", cell(half_width.in_rows())));
    }
    format!(
        "\nover all seeds: averages, with half of the width of their 95 % confidence intervals (Student's t)\n\n{}",
        lines(&columns)
    )
}
