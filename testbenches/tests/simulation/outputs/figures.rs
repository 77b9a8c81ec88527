//! Figures that all testbenches report: they agree with each other, what nobody counts is nothing in place of 0, and `run` and
//! `measure` say the same. Options that a testbench offers can be taken.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::outputs::runs;

fn cubewave(folder: &Path, command: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(command.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

fn told(command: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let output = cubewave(folder.path(), &format!("{command} --format json"));
    assert!(output.status.success(), "{command}: {output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What is loaded, counted from what the messages are: address and payload, or the one message of a broadcast.
fn loaded_bits(report: &Value) -> u64 {
    let number = |name: &str| report[name].as_u64().unwrap();
    match report["bench"].as_str().unwrap() {
        // No message takes part.
        "enumeration" => 0,
        "broadcast" => number("message_bits"),
        _ => {
            number("messages")
                * (report["topology"]["dims"].as_u64().unwrap() + number("payload_bits"))
        }
    }
}

/// A peak and a mean over all nodes and bit times of a step, summed: a whole number, and no more than the peak allows.
fn sum_of(step: &Value, what: &str, nodes: u64, note: &str) -> Option<u64> {
    let peak = step[format!("peak_{what}")].as_u64();
    let mean = step[format!("mean_{what}")].as_f64();
    assert_eq!(peak.is_some(), mean.is_some(), "{note}");
    let (peak, mean) = (peak?, mean?);
    assert!(mean <= peak as f64, "{note}: {step}");
    let looks = nodes * step["bit_times"].as_u64().unwrap().max(1);
    let sum = mean * looks as f64;
    assert!((sum - sum.round()).abs() < 1e-3, "{note}: {step}");
    Some(sum.round() as u64)
}

/// A machine of less than a lane group, and one of two words of four.
#[test]
fn occupancies_agree_with_each_other_and_with_what_is_loaded() {
    let larger = |run: &'static str| {
        run.replace("--dims 3", "--dims 7")
            .replace("--dims 4", "--dims 7")
    };
    let of_128_nodes = runs::OF_MESSAGES.iter().chain(
        [
            "scatter --dims 3",
            "inversion --dims 3",
            "permuted-send --dims 3",
        ]
        .iter(),
    );
    let of_128_nodes =
        of_128_nodes.filter(|run| run.contains("--dims 3") || run.contains("--dims 4"));
    let all = runs::all()
        .map(str::to_owned)
        .chain(of_128_nodes.map(|run| larger(run)));
    let (mut occupied, mut to_send_on, mut nothing) = (0, 0, 0);
    for run in all.chain(["permuted-send --dims 3 --message-bits 480".to_owned()]) {
        let report = told(&format!("run {run}"));
        let nodes = report["topology"]["nodes"].as_u64().unwrap();
        let storage = report["storage_bits_per_node"]["total"].as_u64().unwrap();
        let peak = &report["peak"];
        let most = peak["occupied_bits_per_node"].as_u64();
        assert!(most.is_none_or(|most| most <= storage), "{run}: {peak}");
        assert_eq!(most.is_some(), peak["messages_per_node"].is_u64(), "{run}");
        let buffer = peak["forwarding_buffer_bits"].as_u64();
        match (most, buffer) {
            (Some(_), _) => occupied += 1,
            (None, Some(_)) => to_send_on += 1,
            (None, None) => nothing += 1,
        }
        let Some(steps) = report["occupancy_by_step"].as_array() else {
            continue;
        };
        let mut highest = [None; 2];
        for (number, step) in steps.iter().enumerate() {
            let readings = ["occupied_bits_per_node", "forwarding_buffer_bits"];
            for (reading, highest) in readings.into_iter().zip(&mut highest) {
                let sum = sum_of(step, reading, nodes, &run);
                *highest = step[format!("peak_{reading}")].as_u64().max(*highest);
                if number == 0 {
                    assert_eq!(step["step"], "as loaded", "{run}");
                    // Nothing has arrived yet that is to be sent on.
                    let due = match reading {
                        "forwarding_buffer_bits" => 0,
                        _ => loaded_bits(&report),
                    };
                    assert!(sum.is_none_or(|sum| sum == due), "{run}: {step}, {due}");
                }
            }
        }
        assert_eq!(highest, [most, buffer], "{run}");
    }
    assert!(
        occupied > 25 && to_send_on > 10 && nothing > 5,
        "{occupied} {to_send_on} {nothing}"
    );
}

/// A row of a sweep that is of the very run, or nothing of what both say of a node.
#[test]
fn runs_and_sweeps_say_the_same_of_a_node() {
    let peaks = [
        ("peak_messages_per_node", "messages_per_node"),
        ("peak_occupied_bits_per_node", "occupied_bits_per_node"),
        ("forwarding_buffer_bits", "forwarding_buffer_bits"),
    ];
    let mut compared = BTreeSet::new();
    for run in runs::all() {
        let bench = run.split(' ').next().unwrap();
        // Whose defaults differ, or that sweep what a run decides.
        let further = match bench {
            "broadcast" if !run.contains("--network") => {
                " --message-bits 66 --packet-bits 22 --start-up 2"
            }
            _ if ["--batches", "--h ", "--processors"]
                .iter()
                .any(|option| run.contains(option)) =>
            {
                " --load 0.75"
            }
            _ => "",
        };
        // A message there is a word in a sweep, beside other operations on words.
        let [of_run, of_sweep] = match bench == "broadcast" && run.contains("--network") {
            true => [" --message-bits 16", " --word-bits 16"],
            false => [further; 2],
        };
        let report = told(&format!("run {run}{of_run}"));
        let rows = told(&format!("measure {run}{of_sweep}"));
        for row in rows.as_array().unwrap() {
            for (of_row, of_report) in peaks {
                let Some(measured) = row.get(of_row) else {
                    continue;
                };
                let reported = report["peak"].get(of_report).unwrap_or(&Value::Null);
                assert_eq!(measured.is_null(), reported.is_null(), "{run}: {of_row}");
            }
            let alike = [
                "algorithm",
                "ports",
                "schedule",
                "bit_times",
                "nodes",
                "network",
                "seed",
            ];
            let is_of_run = alike.iter().all(|key| {
                let reported = match *key {
                    "nodes" => &report["topology"]["nodes"],
                    key => &report[key],
                };
                row[*key].is_null()
                    || !(reported.is_string() || reported.is_u64())
                    || row[*key] == *reported
            });
            let storage = &report["storage_bits_per_node"]["total"];
            if is_of_run && row["storage_bits_per_node"] == *storage {
                compared.insert(bench);
                for (of_row, of_report) in peaks {
                    if let (Some(measured), Some(reported)) =
                        (row.get(of_row), report["peak"].get(of_report))
                    {
                        assert_eq!(measured, reported, "{run}: {of_row}");
                    }
                }
            }
        }
    }
    let all: BTreeSet<&str> = runs::all()
        .map(|run| run.split(' ').next().unwrap())
        .collect();
    let missing: Vec<_> = all.difference(&compared).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Of all testbenches, those that offer `--checkpoint`, and no others, run with it and go on from what it wrote.
#[test]
fn checkpoints_that_are_offered_can_be_taken() {
    // One with each option that may choose among testbenches of a name.
    let chooses = ["--batches", "--h", "--network", "--processors"];
    let mut seen = BTreeSet::new();
    let first = runs::all().filter(|run| {
        let words = run.split(' ').enumerate();
        let choice = words.filter(|(place, word)| *place == 0 || chooses.contains(word));
        seen.insert(choice.map(|(_, word)| word.to_owned()).collect::<Vec<_>>())
    });
    can_be_taken(first.collect());
}

#[test]
#[ignore = "long: every run"]
fn checkpoints_that_are_offered_can_be_taken_in_every_run() {
    can_be_taken(runs::all().collect());
}

fn can_be_taken(runs: Vec<&str>) {
    let (mut taken, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for run in runs {
        let bench = run.split(' ').next().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let help = cubewave(folder.path(), &format!("run {run} --help")).stdout;
        let help = String::from_utf8(help).unwrap();
        let [has_it, can_resume] =
            ["--checkpoint", "--resume"].map(|option| help.contains(&format!(" {option} <DIR>")));
        assert_eq!(has_it, can_resume, "{run}");
        let output = cubewave(
            folder.path(),
            &format!("run {run} --checkpoint kept --every 0.0000001"),
        );
        let error = String::from_utf8_lossy(&output.stderr);
        match has_it {
            true => {
                assert!(output.status.success(), "{run}: {error}");
                let output = cubewave(folder.path(), &format!("run {run} --resume kept"));
                assert!(output.status.success(), "{run}: {output:?}");
                taken.insert(bench);
            }
            false => {
                assert_eq!(output.status.code(), Some(2), "{run}");
                assert!(
                    error.contains("unexpected argument '--checkpoint'"),
                    "{run}: {error}"
                );
                refused.insert(bench);
            }
        }
    }
    assert!(
        taken.len() > 7 && refused.len() > 7,
        "{taken:?} {refused:?}"
    );
}
