//! Names of messages in dumps: what the dump alone says of them agrees with itself and with the traffic.

use std::collections::HashSet;

use rtl_model::traffic::pattern::Pattern;
use testbenches::lockstep::options::RunOptions;
use testbenches::lockstep::{Schedule, run};

use crate::common::dump::{Dump, options};
use crate::common::{cube, on_each_schedule};

const DIMENSIONS: usize = 4;

/// A run of 16 nodes, all in the dump; and the names of its messages.
fn dumped(
    schedule: Schedule,
    trace_message: Option<&str>,
) -> (Dump, u64, Vec<(usize, usize, String)>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let load = if schedule.is_full_only() { 1.0 } else { 0.7 };
    let mut options: RunOptions = options(DIMENSIONS, 6, load, &path);
    options.setup.schedule = Some(schedule.name().to_owned());
    options.trace_message = trace_message.map(str::to_owned);
    let bench = testbenches::families::bench(schedule.0.bench).unwrap();
    let report = run(bench, &options).unwrap();
    let traffic = options
        .setup
        .traffic(cube(DIMENSIONS), Pattern::Randperm)
        .unwrap();
    let names = traffic.messages().iter().map(|message| {
        let (source, destination) = (message.source, message.destination);
        (source, destination, format!("{source}->{destination}"))
    });
    (Dump::read(&path), report.bit_times + 1, names.collect())
}

/// Both ends of a wire name the same message; nothing is named that was not sent; every message is at its source in the first bit
/// time and at its destination in the last; and one that is nowhere in registers is on no wire.
fn names_agree(schedule: Schedule) {
    let (dump, end, messages) = dumped(schedule, None);
    let known: HashSet<&str> = messages.iter().map(|(_, _, name)| name.as_str()).collect();
    let paths: Vec<&String> = dump
        .signals
        .keys()
        .filter(|path| path.ends_with("message"))
        .collect();
    assert!(paths.len() > 16, "{paths:?}");
    let said = |path: &str| dump.by_bit_time(path, 0, end);
    for path in &paths {
        for text in said(path).into_iter().filter(|text| !text.is_empty()) {
            assert!(
                text.split(',').all(|name| known.contains(name)),
                "{path}: {text}"
            );
        }
    }
    let mut crossed = 0;
    for node in 0..1usize << DIMENSIONS {
        for dimension in 0..DIMENSIONS {
            let sends = said(&format!("cube.node_{node}.dim_{dimension}.tx_message"));
            let other = node ^ 1 << dimension;
            let receives = said(&format!("cube.node_{other}.dim_{dimension}.rx_message"));
            assert_eq!(sends, receives, "{node} {dimension}");
            crossed += sends.iter().filter(|text| !text.is_empty()).count();
        }
    }
    assert!(crossed > 100);
    let held = |node: usize, bit_time: usize| -> HashSet<&str> {
        let begin = format!("cube.node_{node}.");
        let modules = paths
            .iter()
            .filter(|path| path.starts_with(&begin) && path.ends_with(".message"));
        modules
            .flat_map(|path| said(path)[bit_time].split(','))
            .collect()
    };
    for (source, destination, name) in &messages {
        assert!(held(*source, 0).contains(name.as_str()), "{name}");
        assert!(
            held(*destination, end as usize - 1).contains(name.as_str()),
            "{name}"
        );
    }
}

/// What is followed is asked for by its name or by its number, and says where it is.
fn a_message_is_followed(schedule: Schedule) {
    let (_, _, messages) = dumped(schedule, None);
    let (source, destination, name) = &messages[3];
    for asked in [name.as_str(), "3"] {
        let (dump, end, _) = dumped(schedule, Some(asked));
        let said = |text: &str| dump.by_bit_time(&format!("cube.followed.{text}"), 0, end);
        assert!(said("message").iter().all(|text| text == name));
        let at = said("at");
        assert_eq!(
            (at[0], at[end as usize - 1]),
            (&*source.to_string(), &*destination.to_string())
        );
        // It gets next where it was said to: to a node that it comes to in a later bit time, and to no other before.
        let comes_to = |bit_time: usize| -> Vec<&str> {
            let [before, now] = [at[bit_time - 1], at[bit_time]].map(|text| text.split(','));
            let is_new = |node: &&str| before.clone().all(|other| other != *node);
            now.filter(is_new).collect()
        };
        for (bit_time, next) in said("next").into_iter().enumerate() {
            let later = (bit_time + 1..at.len()).map(comes_to);
            let expected = later.into_iter().find(|nodes| !nodes.is_empty());
            match expected {
                Some(nodes) => assert!(nodes.contains(&next), "{bit_time}: {next}, {nodes:?}"),
                None => assert_eq!(next, "", "{bit_time}"),
            }
        }
    }
}
on_each_schedule!(names_agree, a_message_is_followed);
