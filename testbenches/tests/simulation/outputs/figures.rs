//! Figures that all testbenches report: they agree with each other and with what is loaded, and what nobody counts is nothing in
//! place of 0. That `run` and `measure` say the same is held by the suite.

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
