//! What arrives of several messages a node, as files and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What a command prints as JSON.
fn run(folder: &Path, arguments: &str) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split(' '))
        .args(["--format", "json"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Rows of a file, by the named columns.
fn rows(folder: &Path, file: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.join(file)).unwrap();
    let headers = reader.headers().unwrap().clone();
    let places: Vec<usize> = columns
        .iter()
        .map(|column| headers.iter().position(|one| one == *column).unwrap())
        .collect();
    let records = reader.records().map(Result::unwrap);
    records
        .map(|record| {
            places
                .iter()
                .map(|place| record[*place].to_owned())
                .collect()
        })
        .collect()
}

const BATCHES: &str = "batch,source,destination,payload\n\
    0,3,1,0a\n0,0,0,0b\n2,3,1,0c\n2,1,2,0d\n2,2,3,0a\n";
const SEVERAL: &str = "source,destination,payload\n\
    3,1,0a\n3,1,0b\n3,2,0c\n0,1,0d\n0,3,0e\n1,3,0a\n";

#[test]
fn a_batch_arrives_an_interval_after_the_one_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("batches.csv"), BATCHES).unwrap();
    for (schedule, latency, interval) in
        [("spread", 9, 7), ("overlapped", 17, 15), ("radix4", 7, 6)]
    {
        let report = run(
            folder,
            &format!(
                "run kuszmaul --schedule {schedule} --batches 4 --dims 2 --payload-bits 4 --traffic-file batches.csv --deliveries out.csv"
            ),
        );
        assert_eq!(report["interval_bit_times"], interval, "{schedule}");
        assert_eq!(report["smallest_interval_formula"]["value"], interval);
        assert_eq!(report["latency_formula"]["value"], latency, "{schedule}");
        assert_eq!(report["bit_times"], latency + 3 * interval);
        assert_eq!(
            (&report["messages"], &report["delivered"]),
            (&5.into(), &5.into())
        );
        assert_eq!(report["batches"], 4);
        let at = |batch: u64| (latency + batch * interval).to_string();
        let expected = [
            ["0", "0", "b", &at(0)],
            ["1", "3", "a", &at(0)],
            ["1", "3", "c", &at(2)],
            ["2", "1", "d", &at(2)],
            ["3", "2", "a", &at(2)],
        ];
        let columns = ["node", "source", "payload", "bit_time"];
        assert_eq!(rows(folder, "out.csv", &columns), expected);
    }
}

/// A batch is drawn as one routing is from a seed of its own: where its messages go, and their payloads, or these alone of a file.
#[test]
fn each_batch_is_drawn_from_a_seed_of_its_own() {
    const BATCHES: u64 = 5;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let messages = |batch: u64| (0..8).map(move |node| format!("{batch},{node},{}\n", node ^ 5));
    let all: String = (0..BATCHES).flat_map(messages).collect();
    let write = |file: &str, text| std::fs::write(folder.join(file), text).unwrap();
    write("batches.csv", format!("batch,source,destination\n{all}"));
    let one: String = messages(0).collect();
    write("one.csv", format!("batch,source,destination\n{one}"));
    for (of_batches, of_one) in [
        ("", ""),
        (" --load 0.5", " --load 0.5"),
        (
            " --traffic-file batches.csv",
            " --batches 1 --traffic-file one.csv",
        ),
    ] {
        let columns = ["bit_time", "node", "source", "payload"];
        let command =
            "run kuszmaul --schedule spread --dims 3 --payload-bits 32 --deliveries out.csv";
        run(
            folder,
            &format!("{command} --batches {BATCHES} --seed 40{of_batches}"),
        );
        let mut together = BTreeMap::<String, BTreeSet<Vec<String>>>::new();
        for mut row in rows(folder, "out.csv", &columns) {
            let bit_time = format!("{:>9}", row.remove(0));
            together.entry(bit_time).or_default().insert(row);
        }
        let alone: Vec<BTreeSet<Vec<String>>> = (40..40 + BATCHES)
            .map(|seed| {
                run(folder, &format!("{command} --seed {seed}{of_one}"));
                rows(folder, "out.csv", &columns[1..]).into_iter().collect()
            })
            .collect();
        assert_eq!(
            together.into_values().collect::<Vec<_>>(),
            alone,
            "{of_batches}"
        );
        assert!(
            alone
                .iter()
                .all(|one| alone.iter().filter(|other| *other == one).count() == 1)
        );
    }
    // Of processors that share a vertex as well.
    run(
        folder,
        "run packing --processors 4 --dims 3 --load 1.0 --payload-bits 32 --deliveries out.csv",
    );
    let payloads: BTreeSet<_> = rows(folder, "out.csv", &["payload"]).into_iter().collect();
    assert_eq!(payloads.len(), 4 * 8);
}

/// Files of messages that can be told apart, and of such that nobody can: each arrives once, named by its own source.
#[test]
fn an_h_relation_arrives_whichever_way_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("several.csv"), SEVERAL).unwrap();
    let pairs = (0..4).flat_map(|source| (0..3).map(move |step| (source, (source + step) % 4)));
    let alike = pairs.map(|(source, node)| format!("{source},{node},{:x}\n", 8 | node & 1));
    let alike = "source,destination,payload\n".to_owned() + &alike.collect::<String>();
    std::fs::write(folder.join("alike.csv"), &alike).unwrap();
    for (file, text) in [("several.csv", SEVERAL), ("alike.csv", &alike)] {
        let columns = ["source", "node", "payload"];
        let sent: BTreeSet<Vec<String>> = (text.lines().skip(1))
            .map(|row| row.split(',').map(without_zeros).collect())
            .collect();
        for schedule in ["counting", "spread", "overlapped", "radix4"] {
            let report = run(
                folder,
                &format!(
                    "run kuszmaul --schedule {schedule} --h 3 --dims 2 --payload-bits 4 --traffic-file {file} --deliveries out.csv"
                ),
            );
            assert_eq!(
                (&report["delivered"], &report["degree"]),
                (&sent.len().into(), &3.into())
            );
            let delivered = rows(folder, "out.csv", &columns);
            assert_eq!(delivered.len(), sent.len(), "{schedule}, {file}");
            let delivered: BTreeSet<Vec<String>> = delivered.into_iter().collect();
            assert_eq!(delivered, sent, "{schedule}, {file}");
            let check = report["checks"].as_array().unwrap();
            let check = check.iter().find(|check| check["name"] == "delivered");
            let detail = check.unwrap()["detail"].as_str().unwrap();
            // In a batch no payload of these files but the one is sent twice.
            let may_be_alike = file == "alike.csv" || schedule == "counting";
            assert_eq!(detail.contains("alike"), may_be_alike, "{schedule}, {file}");
        }
    }
}

/// A number as deliveries write it.
fn without_zeros(field: &str) -> String {
    match field.trim_start_matches('0') {
        "" => "0".to_owned(),
        field => field.to_owned(),
    }
}

#[test]
fn reports_count_wires_and_the_router_apart_from_the_processor() {
    let folder = tempfile::tempdir().unwrap();
    let report = run(
        folder.path(),
        "run kuszmaul --batches 5 --dims 4 --payload-bits 3",
    );
    assert_eq!(
        report["wires_by_dimension"],
        serde_json::json!([1, 2, 3, 4])
    );
    assert_eq!(
        (&report["wires_per_node"], &report["wire_cost"]),
        (&10.into(), &4.0.into())
    );
    assert_eq!(report["topology"]["directed_wires"], 160);
    let total = report["storage_bits_per_node"]["total"].as_u64().unwrap();
    let router = report["router_storage_bits_per_node"].as_u64().unwrap();
    assert_eq!(total - router, 5 * (4 + 2 * (1 + 3)));
    let parts = &report["storage_bits_per_node"]["by_part"];
    for part in ["outbox", "stages", "inbox"] {
        assert!(parts.to_string().contains(part), "{parts}");
    }
    let factor = run(
        folder.path(),
        "run packing --processors 4 --dims 4 --payload-bits 4 --load 1",
    );
    assert_eq!(
        (&factor["bit_times"], &factor["delivered"]),
        (&35.into(), &64.into())
    );
}
