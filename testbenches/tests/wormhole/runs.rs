//! Whole runs, as the command line makes them.

use testbenches::families::wormhole::options::{
    InjectionSetup, RunOptions, RunSetup, Setup, WormholeSetup,
};
use testbenches::families::wormhole::report::WormholeReport;
use testbenches::families::wormhole::run::run;

fn options(wormhole: WormholeSetup, injection: InjectionSetup) -> RunOptions {
    RunOptions {
        setup: RunSetup {
            setup: Setup {
                seed: 1,
                dims: Some(4),
                wormhole,
                ..Setup::default()
            },
            injection,
        },
        quiet: true,
        ..RunOptions::default()
    }
}

/// Uniform traffic at this load, measured from bit time 0 on.
fn continuous(virtual_channels: usize, load: f64, measurement: u64) -> WormholeReport {
    let wormhole = WormholeSetup {
        virtual_channels: Some(virtual_channels),
        ..WormholeSetup::default()
    };
    let injection = InjectionSetup {
        offered_load: Some(load),
        warm_up: Some(0),
        measurement: Some(measurement),
        drain: Some(60),
    };
    let mut options = options(wormhole, injection);
    options.setup.traffic = Some("uniform".to_owned());
    run(&options).unwrap()
}

#[test]
fn a_circle_is_found_however_short_the_run() {
    let report = continuous(1, 1.0, 130);
    let deadlock = report.family.deadlock.as_ref().unwrap();
    assert!(deadlock.cycle.len() > 2 && !report.passed);
    assert!(deadlock.bit_time <= 190, "before the time to drain is over");

    let report = continuous(3, 1.0, 130);
    assert!(report.family.deadlock.is_none() && report.passed);
    let throughput = report.family.throughput.unwrap();
    assert_eq!(throughput.saturated, Some(true));
    assert!(throughput.accepted < throughput.created);
}

#[test]
fn a_run_that_stops_early_says_nothing_of_its_measurement() {
    let report = continuous(1, 1.0, 100_000);
    assert!(report.family.deadlock.is_some());
    let throughput = report.family.throughput.as_ref().unwrap();
    assert_eq!(throughput.accepted, None);
    assert_eq!(throughput.saturated, None);
    assert!(!report.text().contains("accepted"));
}

#[test]
fn a_light_load_is_accepted_as_it_is_created() {
    let report = continuous(3, 0.02, 20_000);
    let throughput = report.family.throughput.as_ref().unwrap();
    assert_eq!(throughput.saturated, Some(false));
    let (accepted, created) = (throughput.accepted.unwrap(), throughput.created.unwrap());
    assert!(accepted > 0.95 * created && accepted < 1.05 * created);
    let latency = report.family.latency.unwrap();
    assert!(latency.average < latency.percentile_99 as f64);
    assert!(latency.percentile_99 <= latency.largest);
}

#[test]
fn deliveries_are_in_order_of_arrival_and_the_last_one_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(WormholeSetup::default(), InjectionSetup::default());
    options.deliveries = Some(folder.path().join("arrived.csv"));
    let report = run(&options).unwrap();
    let text = std::fs::read_to_string(folder.path().join("arrived.csv")).unwrap();
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
