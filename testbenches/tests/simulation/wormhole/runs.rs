//! Whole runs, as the command line makes them.

use crate::common::worms::{Run, run};

/// Uniform traffic at this load, measured from bit time 0 on.
fn continuous(virtual_channels: usize, load: f64, measurement: u64) -> Run {
    run(&format!(
        "--dims 4 --virtual-channels {virtual_channels} --traffic uniform --offered-load {load} --warm-up 0 \
         --measurement {measurement} --drain 60"
    ))
}

#[test]
fn a_circle_is_found_however_short_the_run() {
    let report = continuous(1, 1.0, 130);
    let deadlock = report.worms.deadlock.as_ref().unwrap();
    assert!(deadlock.cycle.len() > 2 && !report.passed);
    assert!(deadlock.bit_time <= 190, "before the time to drain is over");

    let report = continuous(3, 1.0, 130);
    assert!(report.worms.deadlock.is_none() && report.passed);
    let throughput = report.worms.throughput.unwrap();
    // So short a run says nothing.
    assert_eq!(
        (throughput.saturated, throughput.verdict),
        (None, Some("undecided"))
    );
    assert!(throughput.accepted < throughput.created);
}

#[test]
fn a_run_of_given_length_says_what_it_can() {
    let report = continuous(3, 1.0, 8000);
    let throughput = report.worms.throughput.as_ref().unwrap();
    assert_eq!(throughput.saturated, Some(true));
    assert_eq!(throughput.phases, [0, 8000, 60]);
    let warm_up = throughput.warm_up.unwrap();
    assert!(warm_up.is_given && warm_up.is_long_enough.is_none());
    assert!(report.text().contains("no steady state to wait for"));
}

/// Uniform traffic in order of dimensions on 64 nodes.
fn ecube(load: f64, phases: &str) -> Run {
    run(&format!(
        "--dims 6 --network hypercube --traffic uniform --offered-load {load} {phases}"
    ))
}

#[test]
fn a_run_becomes_longer_until_it_can_tell_and_only_where_it_was_not_told_how_long() {
    let light = ecube(0.1, "").worms.throughput.unwrap();
    assert_eq!(light.phases, [3200, 6400, 64_000]);
    assert_eq!(light.verdict, Some("stable"));
    let near = ecube(0.41, "").worms.throughput.unwrap();
    let [warm_up, measurement, drain] = near.phases;
    assert_eq!(near.verdict, Some("stable"));
    let end = warm_up + measurement;
    assert!(end > 3000 && end.is_multiple_of(3000) && (end / 3000).is_power_of_two());
    assert!(warm_up == end / 3 || warm_up == end / 2);
    assert_eq!(drain, 20_000);
    let rule = near.warm_up.unwrap();
    assert!(!rule.is_given && rule.is_long_enough == Some(true));
    assert!(rule.truncation.is_some_and(|ends| ends <= warm_up));

    // Of the warm-up alone, and of the measurement alone.
    let [warm_up, measurement, _] = ecube(0.41, "--measurement 2000")
        .worms
        .throughput
        .unwrap()
        .phases;
    assert_eq!(measurement, 2000);
    assert!(warm_up > 1000 && ((warm_up + 2000) / 3000).is_power_of_two());
    let [warm_up, measurement, _] = ecube(0.41, "--warm-up 1000")
        .worms
        .throughput
        .unwrap()
        .phases;
    assert_eq!(warm_up, 1000);
    assert!(measurement > 2000 && ((measurement + 1000) / 3000).is_power_of_two());
    let given = ecube(0.41, "--warm-up 10 --measurement 1500");
    let throughput = given.worms.throughput.as_ref().unwrap();
    assert_eq!(throughput.phases, [10, 1500, 15_000]);
    assert_eq!(throughput.warm_up.unwrap().is_long_enough, Some(false));
    assert!(given.text().contains("give a longer --warm-up"));
}

#[test]
fn what_is_said_of_latencies_agrees_with_itself() {
    let report = ecube(0.2, "");
    let latency = report.worms.latency.as_ref().unwrap();
    let inside: u64 = latency.histogram.iter().map(|bin| bin.messages).sum();
    assert_eq!(inside, latency.messages);
    let last = latency.histogram.last().unwrap();
    assert!((last.from..last.below).contains(&latency.largest));
    let percentiles = [
        latency.percentile_50,
        latency.percentile_95,
        latency.percentile_99,
        latency.largest,
    ];
    assert!(percentiles.is_sorted());
    // Uniform traffic crosses half of six dimensions.
    assert!(
        (2.8..3.2).contains(&latency.average_hops),
        "{}",
        latency.average_hops
    );
    let half_width = latency.average_half_width.unwrap();
    assert!(half_width > 0.0 && half_width < 0.1 * latency.average);
    let throughput = report.worms.throughput.as_ref().unwrap();
    let half_width = throughput.accepted_half_width.unwrap();
    assert!(half_width > 0.0 && half_width < 0.02);
    assert!((throughput.accepted.unwrap() - 0.2).abs() < 3.0 * half_width);
}

#[test]
fn a_run_that_stops_early_says_nothing_of_its_measurement() {
    let report = continuous(1, 1.0, 100_000);
    assert!(report.worms.deadlock.is_some());
    let throughput = report.worms.throughput.as_ref().unwrap();
    assert_eq!(throughput.accepted, None);
    assert_eq!(throughput.saturated, None);
    assert!(!report.text().contains("accepted"));
}

#[test]
fn a_light_load_is_accepted_as_it_is_created() {
    let report = continuous(3, 0.02, 20_000);
    let throughput = report.worms.throughput.as_ref().unwrap();
    assert_eq!(throughput.saturated, Some(false));
    let (accepted, created) = (throughput.accepted.unwrap(), throughput.created.unwrap());
    assert!(accepted > 0.95 * created && accepted < 1.05 * created);
    let latency = report.worms.latency.unwrap();
    assert!(latency.average < latency.percentile_99 as f64);
    assert!(latency.percentile_99 <= latency.largest);
}

/// What fills flits is no message bit: of messages of less than a flit, and of several that do not come out even.
#[test]
fn what_fills_flits_is_not_accepted() {
    for (wire_bits, message_bits, load) in [(8, 20, 1.0), (8, 5, 0.2), (3, 64, 0.5), (64, 9, 0.5)] {
        let report = run(&format!(
            "--network mesh --radix 4 --traffic uniform --wire-bits {wire_bits} --message-bits {message_bits} --offered-load {load} \
             --warm-up 500 --measurement 20000"
        ));
        let throughput = report.worms.throughput.as_ref().unwrap();
        let (accepted, created) = (throughput.accepted.unwrap(), throughput.created.unwrap());
        assert!(
            (created / load - 1.0).abs() < 0.05,
            "{wire_bits}: {created}"
        );
        assert!(
            (accepted / created - 1.0).abs() < 0.01,
            "{wire_bits}: {accepted} of {created}"
        );
    }
}

#[test]
fn deliveries_are_in_order_of_arrival_and_the_last_one_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arrived.csv");
    let report = run(&format!("--dims 4 --deliveries {}", path.display()));
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..4], ["node", "source", "payload", "bit_time"]);
    assert_eq!(rows.len(), 1 + report.delivered);
    let bit_times: Vec<u64> = rows[1..]
        .iter()
        .map(|row| row[3].parse().unwrap())
        .collect();
    assert!(bit_times.is_sorted());
    assert_eq!(bit_times.last(), Some(&report.bit_times));
    for row in &rows[1..] {
        let path: Vec<&str> = row[8].split('>').collect();
        assert_eq!((path[0], path[path.len() - 1]), (row[1], row[0]));
    }
}

/// A small load on cube-connected cycles of two levels.
fn small_load(load: f64, injection: &str) -> String {
    format!("--dims 2 --message-bits 2 --offered-load {load} {injection}")
}

/// All of the report but how long it took and what was written.
fn measured(words: &str) -> serde_json::Value {
    let mut report = serde_json::to_value(run(words).report).unwrap();
    for told in ["simulation_seconds", "outputs", "meta"] {
        assert!(report.as_object_mut().unwrap().remove(told).is_some());
    }
    report
}

#[test]
fn idle_bit_times_left_out_change_nothing() {
    change_nothing(&["", "--warm-up 777 --measurement 20001"]);
}

#[test]
#[ignore = "long: requests, and phases that are given in part"]
fn idle_bit_times_left_out_change_nothing_however_messages_come() {
    change_nothing(&[
        "--injection request-reply",
        "--warm-up 777",
        "--measurement 20001",
    ]);
}

/// Where somebody looks on, no bit time is left out.
fn change_nothing(all: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let [blind, seen, wave] =
        ["blind.csv", "seen.csv", "run.fst"].map(|name| folder.path().join(name));
    for injection in all {
        let words = small_load(4e-4, injection);
        let left_out = measured(&format!("{words} --links {}", blind.display()));
        let looked_on = measured(&format!(
            "{words} --links {} --wave {} --trace-nodes 0",
            seen.display(),
            wave.display()
        ));
        assert_eq!(left_out, looked_on);
        let [blind, seen] = [&blind, &seen].map(|path| std::fs::read(path).unwrap());
        assert_eq!(blind, seen);
    }
}

/// Nobody waits for years in which nothing happens.
#[test]
fn a_run_of_next_to_no_load_ends() {
    let report = run(&small_load(1e-9, ""));
    assert!(report.passed && report.bit_times > 10_000_000_000);
    assert!(report.delivered > 0);
}
