//! Where one broadcast becomes faster than another: by the number of dimensions, the shortest message of the sweep from which on
//! it is.

use crate::measure::axes::Series;
use crate::measure::plot::{Curve, Mark};
use crate::measure::row::Row;

/// For each dimension that the rows have, and each message with which another broadcast becomes the fastest of all on any of the
/// swept ports: a mark on the series of the one that takes over.
pub(super) fn curves(series: &Series, rows: &[Row]) -> Vec<Curve> {
    let number = |row: &Row, name: &str| row.number(name).unwrap_or(0.0) as u64;
    let mut sizes: Vec<u64> = rows.iter().map(|row| number(row, "message_bits")).collect();
    let mut dims: Vec<u64> = rows.iter().map(|row| number(row, "dims")).collect();
    for list in [&mut sizes, &mut dims] {
        list.sort_unstable();
        list.dedup();
    }
    // What a series is called without its message: rows of one broadcast.
    let of = |row: &Row| (row.text("algorithm"), row.text("ports"));
    let time = |who: &(String, String), n: u64, bits: u64| {
        let mine = rows.iter().filter(|row| {
            of(row) == *who && number(row, "dims") == n && number(row, "message_bits") == bits
        });
        mine.map(|row| number(row, "bit_times")).min()
    };
    let mut broadcasts: Vec<(String, String)> = Vec::new();
    for row in rows {
        if !broadcasts.contains(&of(row)) {
            broadcasts.push(of(row));
        }
    }
    let fastest = |n: u64, bits: u64| {
        let times = broadcasts
            .iter()
            .filter_map(|who| Some((time(who, n, bits)?, who)));
        // Of equal ones, the first of the list.
        times
            .min_by_key(|(time, _)| *time)
            .map(|(_, who)| who.clone())
    };
    let mut lines: Vec<Vec<(f64, f64)>> = vec![Vec::new(); series.names.len()];
    for &n in &dims {
        let mut before = None;
        for &bits in &sizes {
            let now = fastest(n, bits);
            if now != before
                && let Some(who) = &now
            {
                let row = rows.iter().position(|row| {
                    of(row) == *who
                        && number(row, "dims") == n
                        && number(row, "message_bits") == bits
                });
                if let Some(row) = row {
                    lines[series.of[row]].push((n as f64, bits as f64));
                }
            }
            before = now;
        }
    }
    let marks = |line: &[(f64, f64)]| {
        let mark = |&at: &(f64, f64)| Mark {
            at,
            is_hollow: false,
        };
        line.iter().map(mark).collect()
    };
    (lines.into_iter().enumerate())
        .map(|(series, line)| Curve {
            series,
            marks: marks(&line),
            line,
            form: String::new(),
        })
        .collect()
}
