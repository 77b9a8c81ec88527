//! Logs of messages: a row each, whose path begins at the source and ends at the destination, hop by hop in the order of time; and it is
//! the route that the report has of one message.

use std::collections::BTreeSet;

use serde_json::Value;
use testbenches::testbench::bench::{self, Offer};

use crate::common::sample::{quietly, ran};
use crate::suite::reports::json;

/// Nodes one behind the other on a path, part by part.
fn hops(path: &str) -> Vec<[&str; 2]> {
    let parts = path.split('|');
    let parts = parts.map(|part| part.split('>').collect::<Vec<_>>());
    let pairs = parts.flat_map(|nodes| {
        nodes
            .windows(2)
            .map(|pair| [pair[0], pair[1]])
            .collect::<Vec<_>>()
    });
    pairs.collect()
}

#[test]
fn every_message_has_its_row_and_its_way() {
    let folder = tempfile::tempdir().unwrap();
    let (mut files, mut messages, mut broadcasts) = (0, 0, 0);
    for (sampled, report) in ran() {
        let name = sampled.name();
        if !sampled.bench.offers(Offer::Log) || report.messages == 0 {
            continue;
        }
        let file = folder.path().join("log.csv");
        let mut options = quietly();
        options.log = Some(file.clone());
        let logged = bench::run(sampled.chosen(), &options);
        let logged = logged.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(logged.passed, report.passed, "{name}");
        assert_eq!(
            json(&logged)["outputs"]["log"],
            file.to_str().unwrap(),
            "{name}"
        );
        let mut reader = csv::Reader::from_path(&file).unwrap();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert!(!rows.is_empty(), "{name}");
        let ways: Vec<Vec<[&str; 2]>> = rows.iter().map(|row| hops(&row[7])).collect();
        // Where packets are sent on to all nodes, each sending is a hop.
        if let (Some(packets), Some(sent)) = (
            report.family.entry("packets").as_u64(),
            report.family.entry("packets_sent").as_u64(),
        ) {
            assert_eq!(rows.len() as u64, packets, "{name}");
            assert_eq!(ways.iter().flatten().count() as u64, sent, "{name}");
            for way in &ways {
                let reached = way.iter().map(|[_, to]| *to).collect::<BTreeSet<_>>();
                assert_eq!(reached.len(), report.topology.nodes - 1, "{name}");
            }
            broadcasts += 1;
        }
        for (row, way) in rows.iter().zip(ways) {
            let [source, destination] = [&row[1], &row[2]];
            assert_eq!(row[6].parse(), Ok(way.len()), "{name}: {row:?}");
            assert!(row[7].starts_with(source), "{name}: {row:?}");
            let arrived: Option<u64> = row[5].parse().ok();
            let injected: Option<u64> = row[4].parse().ok();
            if let (Some(arrived), false) = (arrived, way.is_empty()) {
                assert!(
                    destination.is_empty() || way.iter().any(|[_, to]| *to == destination),
                    "{name}: {row:?}"
                );
                assert!(
                    injected.is_some_and(|injected| injected < arrived),
                    "{name}: {row:?}"
                );
            }
            let times = row[8].split(' ').filter(|times| !times.is_empty());
            let times: Vec<[u64; 2]> = times
                .map(|times| {
                    let (first, last) = times.split_once('-').unwrap();
                    [first, last].map(|time| time.parse().unwrap())
                })
                .collect();
            assert!(
                times.is_empty() || times.len() == way.len(),
                "{name}: {row:?}"
            );
            assert!(
                times.is_sorted_by_key(|[first, _]| *first),
                "{name}: {row:?}"
            );
            let ends = times.iter().map(|[_, last]| last + 1).max();
            assert!(
                ends.is_none() || ends <= Some(report.bit_times),
                "{name}: {row:?}"
            );
            messages += 1;
        }
        files += 1;
    }
    assert!(broadcasts > 3, "{broadcasts}");
    assert!(files > 50 && messages > 500, "{files} {messages}");
}

/// Of each message of a machine, what its row says is what `--trace-message` says.
#[test]
fn a_row_is_the_route_of_its_message() {
    let folder = tempfile::tempdir().unwrap();
    let printed = |words: &str| {
        let command = std::process::Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(words.split(' '))
            .current_dir(folder.path())
            .output();
        String::from_utf8(command.unwrap().stdout).unwrap()
    };
    for words in [
        "kuszmaul --dims 3 --schedule spread",
        "bitonic --dims 3",
        "scatter --dims 3 --message-bits 6",
        "wormhole --dims 2",
    ] {
        let log = printed(&format!("run {words} --log -"));
        let mut reader = csv::Reader::from_reader(log.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert!(rows.len() > 3, "{words}");
        // All of these are sent in the order of their nodes, which are numbers but for worms.
        let numbers = rows
            .iter()
            .map(|row| [&row[1], &row[2]].map(|node| node.parse::<usize>().ok()));
        assert!(numbers.is_sorted(), "{words}");
        for row in rows.iter().take(5) {
            let mut command: Vec<String> = format!("run {words} --format json --trace-message")
                .split(' ')
                .map(str::to_owned)
                .collect();
            command.push(row[0].to_owned());
            let output = std::process::Command::new(env!("CARGO_BIN_EXE_cubewave"))
                .args(&command)
                .output()
                .unwrap();
            let report: Value = serde_json::from_slice(&output.stdout).unwrap();
            let route = &report["route"];
            let way = route["hops"].as_array().unwrap();
            let names = |key: &str| -> Vec<&str> {
                way.iter().map(|hop| hop[key].as_str().unwrap()).collect()
            };
            let told = hops(&row[7]);
            let [from, to]: [Vec<&str>; 2] =
                [0, 1].map(|end| told.iter().map(|hop| hop[end]).collect());
            assert_eq!([from, to], [names("from"), names("to")], "{words}: {row:?}");
            assert_eq!(
                row[5].parse().ok(),
                route["arrived"].as_u64(),
                "{words}: {row:?}"
            );
        }
    }
}
