//! Reports: all checks hold, text and JSON say the same, and figures agree with each other.

use std::collections::BTreeSet;

use serde_json::Value;
use testbenches::report::Report;
use testbenches::testbench::bench;

use crate::common::sample::{quietly, ran};

/// What every report has, in this order; what a testbench adds stands between.
const KEYS: [&str; 25] = [
    "bench",
    "models",
    "source",
    "topology",
    "payload_bits",
    "schedule",
    "traffic",
    "load",
    "seed",
    "messages",
    "delivered",
    "bit_times",
    "bit_times_formula",
    "storage_bits_per_node",
    "storage_bits_formula",
    "logic_depth",
    "peak",
    "serial_adders_per_node",
    "wire_use",
    "bytes_per_node",
    "simulation_seconds",
    "outputs",
    "checks",
    "passed",
    "meta",
];

pub fn json(report: &Report) -> Value {
    serde_json::to_value(report).unwrap()
}

/// Without what is another one in each run, and without files and the memory that looking at messages takes.
pub fn but_for_time_and_files(report: &Report) -> Value {
    let mut json = json(report);
    for name in ["simulation_seconds", "outputs", "bytes_per_node"] {
        assert!(json.as_object_mut().unwrap().remove(name).is_some());
    }
    let meta = json["meta"].as_object_mut().unwrap();
    // A command names files.
    for name in ["date", "command"] {
        assert!(meta.remove(name).is_some());
    }
    json
}

/// Checks of single runs apart, of which a sweep asks how often they fail.
#[test]
fn all_checks_hold() {
    let mut fewest = BTreeSet::new();
    for (sampled, report) in ran() {
        let failed = report.checks.iter().filter(|check| !check.passed);
        let failed: Vec<_> = failed.filter(|check| check.is_of_points).collect();
        assert!(failed.is_empty(), "{}: {failed:?}", sampled.name());
        let all_passed = report.checks.iter().all(|check| check.passed);
        assert_eq!(report.passed, all_passed, "{}", sampled.name());
        fewest.insert(report.checks.len());
    }
    assert!(fewest.first() >= Some(&4), "{fewest:?}");
}

#[test]
fn every_report_has_the_keys_that_all_have_in_their_order() {
    for (sampled, report) in ran() {
        let json = json(report);
        let keys = json.as_object().unwrap().keys();
        let mut all = BTreeSet::new();
        assert!(keys.clone().all(|key| all.insert(key)), "twice the same");
        let own = keys.map(String::as_str).filter(|key| KEYS.contains(key));
        assert_eq!(own.collect::<Vec<_>>(), KEYS, "{}", sampled.name());
        assert_eq!(json["bench"], sampled.bench.name);
    }
}

/// Figures that are told in two places, or bound each other.
#[test]
fn figures_of_a_report_agree_with_each_other() {
    for (sampled, report) in ran() {
        let (name, json) = (sampled.name(), json(report));
        let number = |path: &str| json.pointer(path).and_then(Value::as_u64);
        let form = number("/bit_times_formula/value");
        assert!(form.is_none_or(|form| form == report.bit_times), "{name}");
        let total = number("/storage_bits_per_node/total");
        assert_eq!(total, number("/storage_bits_formula/value"), "{name}");
        let parts = json["storage_bits_per_node"]["by_part"].as_object();
        let parts = parts.unwrap().values();
        let sum = parts.map(|bits| bits.as_u64().unwrap()).sum();
        assert_eq!(total, Some(sum), "{name}");
        assert!(report.delivered <= report.messages, "{name}");
        assert!(
            (0.0..=1.0).contains(&report.wire_use),
            "{name}: {}",
            report.wire_use
        );
        let job = (sampled.bench.job)(&sampled.chosen()).unwrap();
        if let Some(device) = job.machine().device() {
            let wires = report.topology.nodes * device.topology().links();
            assert_eq!(report.topology.directed_wires, wires, "{name}");
            assert_eq!(
                report.storage_bits_per_node.total,
                device.storage().total,
                "{name}"
            );
            assert_eq!(report.bit_times, device.bit_times().value, "{name}");
            assert_eq!(job.requirement().bit_times, device.bit_times(), "{name}");
        }
        let peak = &report.peak;
        let most = peak.occupied_bits_per_node;
        assert!(most.is_none_or(|most| u64::from(most) <= total.unwrap()));
        assert_eq!(most.is_some(), peak.messages_per_node.is_some(), "{name}");
        let depth = report.logic_depth;
        let is_sum = depth.is_none_or(|depth| depth.total >= depth.node.max(depth.sequencer));
        assert!(is_sum, "{name}: {depth:?}");
    }
}

/// A peak and a mean over all nodes and bit times of a step, summed: a whole number, and no more than the peak allows.
fn is_mean_of_whole_numbers(step: &Value, of: &str, nodes: usize, name: &str) {
    let peak = step[format!("peak_{of}")].as_u64();
    let mean = step[format!("mean_{of}")].as_f64();
    assert_eq!(peak.is_some(), mean.is_some(), "{name}");
    let (Some(peak), Some(mean)) = (peak, mean) else {
        return;
    };
    assert!(mean <= peak as f64, "{name}: {step}");
    let looks = nodes as u64 * step["bit_times"].as_u64().unwrap().max(1);
    let sum = mean * looks as f64;
    assert!((sum - sum.round()).abs() < 1e-3, "{name}: {step}");
}

/// What is loaded, counted from what messages are: address and payload, or the one message of a broadcast; nothing where none takes part.
fn bits_as_loaded(report: &Value) -> f64 {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let dims = &report["topology"]["dims"];
    match (
        report["message_bits"].as_f64(),
        number(&report["payload_bits"]),
    ) {
        (Some(bits), _) => bits,
        (None, 0.0) => 0.0,
        (None, bits) => number(&report["messages"]) * (number(dims) + bits),
    }
}

/// The steps of a run take all of its bit times, and what is highest in one of them is the peak of the run.
#[test]
fn occupancies_by_step_are_those_of_the_run() {
    let (mut occupied, mut to_send_on, mut nothing) = (0, 0, 0);
    for (sampled, report) in ran() {
        let (name, json) = (sampled.name(), json(report));
        let peaks = ["occupied_bits_per_node", "forwarding_buffer_bits"];
        let of_run = peaks.map(|peak| json["peak"][peak].as_u64());
        match of_run {
            [Some(_), _] => occupied += 1,
            [None, Some(_)] => to_send_on += 1,
            [None, None] => nothing += 1,
        }
        let Some(steps) = json["occupancy_by_step"].as_array() else {
            continue;
        };
        assert_eq!(steps[0]["step"], "as loaded", "{name}");
        // Nothing has arrived yet that is to be sent on.
        let due = [bits_as_loaded(&json), 0.0];
        for (peak, due) in peaks.into_iter().zip(due) {
            let mean = steps[0][format!("mean_{peak}")].as_f64();
            let sum = mean.map(|mean| mean * report.topology.nodes as f64);
            assert!(
                sum.is_none_or(|sum| (sum - due).abs() < 1e-6),
                "{name}: {peak} {sum:?}"
            );
        }
        let bit_times = steps.iter().map(|step| step["bit_times"].as_u64().unwrap());
        assert_eq!(bit_times.sum::<u64>(), report.bit_times, "{name}");
        for (peak, of_run) in peaks.into_iter().zip(of_run) {
            for step in steps {
                is_mean_of_whole_numbers(step, peak, report.topology.nodes, &name);
            }
            let of_steps = steps
                .iter()
                .map(|step| step[format!("peak_{peak}")].as_u64());
            assert_eq!(of_steps.max().flatten(), of_run, "{name}: {peak}");
        }
    }
    assert!(
        occupied > 100 && to_send_on > 50 && nothing > 20,
        "{occupied} {to_send_on} {nothing}"
    );
}

/// Rows of a text: those behind a heading, or of the summary, up to the next empty line, each as its name and the rest.
fn rows<'t>(text: &'t str, heading: &str) -> Vec<(&'t str, &'t str)> {
    let (_, rest) = text
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no {heading:?} in {text}"));
    let lines = rest.lines().take_while(|line| !line.is_empty());
    let lines = lines.map(|line| line.trim_start().split_once("  "));
    let rows = lines.map(|row| row.unwrap_or_else(|| panic!("{heading}: {text}")));
    rows.map(|(name, rest)| (name, rest.trim())).collect()
}

/// What people read is what scripts read: the network, bit times, storage by part, the logic depth and every check.
#[test]
fn text_and_json_say_the_same() {
    for (sampled, report) in ran() {
        let (text, json, name) = (report.text(), json(report), sampled.name());
        let begin = format!("{}: {}\n{}\n", report.bench, report.models, report.source);
        assert!(text.starts_with(&begin), "{text}");
        let summary = rows(&text, "");
        let row = |name: &str| {
            let mut rows = summary.iter().filter(|(known, _)| *known == name);
            let found = rows.next().map(|(_, rest)| *rest);
            assert!(rows.next().is_none(), "{name} twice: {text}");
            found
        };
        let told = |row: Option<&str>, due: String| {
            assert!(
                row.is_some_and(|row| row.contains(&due)),
                "{name}: {due:?}: {text}"
            );
        };
        let formula = |of: &str| {
            let (form, value) = (&json[of]["text"], &json[of]["value"]);
            form.as_str().map(|form| (form.to_owned(), value.clone()))
        };
        let network = &json["topology"];
        told(
            row("network"),
            format!(
                ": {} nodes, {} ",
                network["nodes"], network["directed_wires"]
            ),
        );
        let measured = json["bit_times"].to_string();
        let bit_times = match formula("bit_times_formula") {
            Some((form, value)) if json["bit_times_bounds"].is_null() => {
                format!("{measured} measured; {form} = {value}")
            }
            _ => measured,
        };
        told(row("bit times"), bit_times);
        if let Some(depth) = report.logic_depth {
            let gates = format!("{} gates between registers", depth.total);
            told(row("logic depth"), gates);
        }
        if let Some(bits) = json.get("sequencer_storage_bits") {
            told(row("sequencer"), format!("{bits} bits"));
        }
        let share = format!("{:.1} %", 100.0 * json["wire_use"].as_f64().unwrap());
        told(row("wire use").or(row("links")), share);
        is_storage_of(&rows(&text, "storage, in bits a node"), &json, &name);
        let checks = rows(&text, "checks");
        let due = report.checks.iter().map(|check| {
            let verdict = if check.passed { "pass" } else { "FAIL" };
            (verdict, format!("{}|{}", check.name, check.detail))
        });
        let told = checks.iter().map(|(verdict, rest)| {
            let (check, detail) = rest.split_once("  ").unwrap();
            (*verdict, format!("{check}|{}", detail.trim_start()))
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            due.collect::<Vec<_>>(),
            "{name}: {text}"
        );
    }
}

fn is_storage_of(rows: &[(&str, &str)], json: &Value, name: &str) {
    let storage = &json["storage_bits_per_node"];
    let parts = storage["by_part"].as_object().unwrap();
    let parts = parts
        .iter()
        .map(|(part, bits)| (part.clone(), bits.to_string()));
    let form = &json["storage_bits_formula"];
    let closed = format!("closed form {}", form["text"].as_str().unwrap());
    let further = [
        ("total".to_owned(), storage["total"].to_string()),
        (closed, form["value"].to_string()),
    ];
    let due: Vec<(String, String)> = parts.chain(further).collect();
    let told: Vec<(String, String)> = rows
        .iter()
        .map(|(part, bits)| ((*part).to_owned(), (*bits).to_owned()))
        .collect();
    assert!(told.starts_with(&due), "{name}: {told:?} {due:?}");
}

#[test]
fn the_same_run_and_more_threads_give_the_same_report() {
    for (sampled, report) in crate::common::sample::ran_of_choices() {
        let due = but_for_time_and_files(report);
        for threads in [1, 3] {
            let mut options = quietly();
            options.threads = Some(threads);
            let again = bench::run(sampled.chosen(), &options).unwrap();
            assert_eq!(but_for_time_and_files(&again), due, "{}", sampled.name());
        }
    }
}
