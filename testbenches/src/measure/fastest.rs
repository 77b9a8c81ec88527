//! Where one becomes faster than all others: by the number of dimensions, the shortest message of the sweep from which on it is.

use crate::measure::axes::Series;
use crate::measure::plot::{Curve, Look, Mark};
use crate::measure::row::Row;

/// For each dimension that the rows have, and each size, as the column of that name says it, with which another becomes the
/// fastest of all: a mark on the series of the one that takes over. Rows are of one that are alike in the columns `who`.
pub fn curves(who: &[&str], size: &str, (series, rows): (&Series, &[Row])) -> Vec<Curve> {
    let number = |row: &Row, name: &str| row.number(name).unwrap_or(0.0) as u64;
    let mut sizes: Vec<u64> = rows.iter().map(|row| number(row, size)).collect();
    let mut dims: Vec<u64> = rows.iter().map(|row| number(row, "dims")).collect();
    for list in [&mut sizes, &mut dims] {
        list.sort_unstable();
        list.dedup();
    }
    // What a series is called without its size.
    let of = |row: &Row| -> Vec<String> { who.iter().map(|name| row.text(name)).collect() };
    let time = |who: &Vec<String>, n: u64, bits: u64| {
        let mine = rows
            .iter()
            .filter(|row| of(row) == *who && number(row, "dims") == n && number(row, size) == bits);
        mine.map(|row| number(row, "bit_times")).min()
    };
    let mut all: Vec<Vec<String>> = Vec::new();
    for row in rows {
        if !all.contains(&of(row)) {
            all.push(of(row));
        }
    }
    let fastest = |n: u64, bits: u64| {
        let times = all
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
                    of(row) == *who && number(row, "dims") == n && number(row, size) == bits
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
            half_width: 0.0,
            look: Look::Filled,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::row::values;

    #[test]
    fn a_mark_stands_where_another_takes_over() {
        // Bit times by broadcast, at 2 and 3 dimensions, of messages of 1, 2 and 4 bits.
        let times = [
            ("slow", [[5, 6, 9], [7, 7, 7]]),
            ("fast", [[6, 6, 7], [8, 7, 6]]),
        ];
        let (mut rows, mut of) = (Vec::new(), Vec::new());
        for (series, (name, by_dims)) in times.into_iter().enumerate() {
            for (dims, by_bits) in [2u64, 3].into_iter().zip(by_dims) {
                for (message_bits, bit_times) in [1u64, 2, 4].into_iter().zip(by_bits) {
                    let values = values! {
                        algorithm: name,
                        ports: "all",
                        dims: dims,
                        message_bits: message_bits,
                        bit_times: bit_times as u64,
                    };
                    rows.push(Row::new(values, &[]));
                    of.push(series);
                }
            }
        }
        let names = vec!["slow".to_owned(), "fast".to_owned()];
        let curves = curves(
            &["algorithm", "ports"],
            "message_bits",
            (&Series { names, of }, &rows),
        );
        // Of equal ones the first stays.
        assert_eq!(curves[0].line, [(2.0, 1.0), (3.0, 1.0)]);
        assert_eq!(curves[1].line, [(2.0, 4.0), (3.0, 4.0)]);
    }
}
