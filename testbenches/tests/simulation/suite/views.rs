//! Views beside waveforms: what they name is in the dump, all of it has a row, markers stand in the run, and Surfer shows what GTKWave
//! does. And the other files of a run.

use std::collections::BTreeSet;

use testbenches::testbench::bench::Offer;

use crate::common::dump::TICKS_PER_BIT_TIME;
use crate::common::surfer::What;
use crate::suite::dumped::{Dumped, dumped};

/// A save file counts picoseconds.
const BIT_TIME: i64 = 1000;

fn is_row(line: &str) -> bool {
    !line.is_empty() && !line.starts_with(['[', '@', '^', '-', '*'])
}

/// The path of a row, without its range.
fn path(row: &str) -> &str {
    let path = row.rsplit_once(' ').map_or(row, |(_, path)| path);
    path.split('[').next().unwrap()
}

/// The node that a signal is at.
fn node(path: &str) -> Option<&str> {
    let scope = path.split('.').nth(1)?;
    scope.strip_prefix("node_")
}

fn rows(dumped: &Dumped) -> Vec<&str> {
    dumped
        .view
        .lines()
        .filter(|line| is_row(line))
        .map(path)
        .collect()
}

/// A view has room for so many nodes at least, if there are so many.
const FEWEST_NODES: usize = 2;

#[test]
fn every_row_of_a_view_is_in_its_dump() {
    for dumped in dumped() {
        let name = dumped.name();
        assert_eq!(dumped.missing, Vec::<String>::new(), "{name}");
        let rows = rows(dumped);
        let is_there = |row: &&&str| dumped.dump.signals.contains_key(**row);
        let missing: Vec<_> = rows.iter().filter(|row| !is_there(row)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
        let nodes: BTreeSet<&str> = rows.iter().filter_map(|row| node(row)).collect();
        let all = dumped.report.topology.nodes;
        assert!(nodes.len() >= all.min(FEWEST_NODES), "{name}: {nodes:?}");
        assert!(rows.len() > 10, "{name}: {rows:?}");
    }
}

/// Of a node just one; signals of nodes beyond those that there is room for apart.
#[test]
fn every_signal_has_a_row() {
    for dumped in dumped() {
        let rows = rows(dumped);
        let shown: BTreeSet<&str> = rows.iter().copied().collect();
        let of_nodes = |path: &&&str| node(path).is_some();
        assert_eq!(
            rows.iter().filter(of_nodes).count(),
            shown.iter().filter(of_nodes).count(),
            "{}: twice the same",
            dumped.name()
        );
        let nodes: BTreeSet<&str> = shown.iter().filter_map(|row| node(row)).collect();
        let signals = dumped.dump.signals.keys().map(String::as_str);
        let due: BTreeSet<&str> = signals
            .filter(|path| node(path).is_none_or(|node| nodes.contains(node)))
            .collect();
        // A step that a register holds is shown by that, with names for its values.
        let is_shown = |path: &&&str| match path.strip_suffix(".step_name") {
            Some(scope) => shown.contains(format!("{scope}.step").as_str()),
            None => false,
        };
        let without: Vec<_> = due
            .difference(&shown)
            .filter(|path| !is_shown(path))
            .collect();
        assert!(without.is_empty(), "{}: {without:?}", dumped.name());
    }
}

/// What stands behind the begin of a line, as numbers.
fn numbers(dumped: &Dumped, begin: &str) -> Vec<i64> {
    let lines = dumped.view.lines();
    let behind = lines.filter_map(|line| line.strip_prefix(begin));
    let words = behind.flat_map(|rest| rest.split(' '));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn a_view_opens_on_the_run() {
    let mut marked = 0;
    for dumped in dumped() {
        let name = dumped.name();
        let end = dumped.end() as i64 * BIT_TIME;
        let is_in_run = |time: &i64| (0..=end).contains(time);
        let begins = numbers(dumped, "[timestart] ");
        assert!(
            begins.len() == 1 && begins.iter().all(is_in_run),
            "{name}: {begins:?}"
        );
        // The scale stands first, and then the cursor; what is not there is -1.
        let marks = numbers(dumped, "*");
        let marks: Vec<i64> = marks.into_iter().filter(|time| *time != -1).collect();
        let names = dumped.view.lines();
        let names = names.filter(|line| line.starts_with("[markername] "));
        marked += names.count();
        assert!(marks.iter().all(is_in_run), "{name}: {marks:?}");
    }
    assert!(marked > 1000, "{marked}");
}

#[test]
fn surfer_shows_what_gtkwave_does() {
    for dumped in dumped() {
        let shown = dumped.shown.as_ref();
        let shown = shown.unwrap_or_else(|said| panic!("{}: {said}", dumped.name()));
        let variables = shown.rows.iter();
        let variables = variables.filter(|row| matches!(row.what, What::Variable(_)));
        assert!(variables.count() > 10, "{}", dumped.name());
        let last = shown.markers.iter().map(|(_, tick)| *tick).max();
        let end = dumped.end() * TICKS_PER_BIT_TIME;
        assert!(last.is_none_or(|last| last <= end), "{}", dumped.name());
    }
}

/// A row for what is delivered, of a node that there is, and not before it can be there.
#[test]
fn deliveries_are_a_row_for_each() {
    let mut rows = 0;
    for dumped in dumped() {
        let is_offered = dumped.sampled.bench.offers.contains(&Offer::Deliveries);
        assert_eq!(dumped.deliveries.is_some(), is_offered, "{}", dumped.name());
        let Some(text) = &dumped.deliveries else {
            continue;
        };
        let (name, report) = (dumped.name(), &dumped.report);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let headers: Vec<&str> = reader.headers().unwrap().iter().collect();
        assert_eq!(headers[..4], ["node", "source", "payload", "bit_time"]);
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(records.len(), report.delivered, "{name}: {text}");
        for record in &records {
            let number = |place: usize| record[place].parse::<u64>().unwrap();
            let nodes = report.topology.nodes as u64;
            assert!(number(0) < nodes && number(1) < nodes, "{name}: {text}");
            assert!(
                (1..=report.bit_times).contains(&number(3)),
                "{name}: {text}"
            );
            assert!(
                u128::from_str_radix(&record[2], 16).is_ok(),
                "{name}: {text}"
            );
        }
        rows += records.len();
    }
    assert!(rows > 500, "{rows}");
}

/// Each with a header, and rows of as many values.
#[test]
fn other_files_that_a_run_writes_are_there() {
    let mut written = BTreeSet::new();
    for dumped in dumped() {
        for (option, text) in &dumped.written {
            let name = format!("{} {option}", dumped.name());
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let columns = reader.headers().unwrap().len();
            assert!(columns > 0, "{name}");
            let rows = reader.records().map(Result::unwrap);
            let rows: Vec<_> = rows.map(|record| record.len()).collect();
            assert!(rows.iter().all(|row| *row == columns), "{name}: {text}");
            written.insert((dumped.sampled.bench.name, *option));
        }
    }
    assert!(written.len() > 10, "{written:?}");
}
