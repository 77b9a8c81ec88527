//! A sweep: rows say what runs say.

use std::collections::HashMap;

use serde_json::Value;

use crate::embeddings::dispersal::machine::{cubewave, number, run};

const SWEEP: &str = "measure dispersal --dims 4 --message-bits 16 --needed 1..3 --cut-wires 0,8,40";

const COLUMNS: [&str; 32] = [
    "bench",
    "over",
    "guest",
    "dims",
    "nodes",
    "message_bits",
    "shares",
    "needed",
    "share_bits",
    "cut_wires",
    "seed",
    "messages",
    "delivered",
    "survived",
    "lost",
    "wrong",
    "lost_share",
    "damaged_shares",
    "most_damaged_shares_of_a_message",
    "routing_steps",
    "overhead",
    "bit_times",
    "bit_times_formula",
    "bit_times_text",
    "bit_times_without_shares",
    "storage_bits_per_node",
    "peak_occupied_bits_per_node",
    "serial_adders_per_node",
    "wire_use",
    "passed",
    "failed",
    "wall_seconds",
];

fn measured(sweep: &str, format: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = cubewave(folder.path(), &format!("{sweep} --format {format}"));
    // Messages that are lost are what is measured, and no failure.
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_row_is_a_run_and_losses_fail_no_check() {
    let csv = measured(SWEEP, "csv");
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header, COLUMNS);
    let mut lost = Vec::new();
    for needed in 1..=3 {
        for cut_wires in [0, 8, 40] {
            let row: HashMap<&str, &str> = header
                .iter()
                .copied()
                .zip(lines.next().unwrap().split(','))
                .collect();
            let line =
                format!("--dims 4 --message-bits 16 --needed {needed} --cut-wires {cut_wires}");
            let report = run(&line).unwrap();
            for name in [
                "bench",
                "over",
                "guest",
                "message_bits",
                "shares",
                "needed",
                "share_bits",
                "messages",
                "delivered",
                "survived",
                "lost",
                "wrong",
                "damaged_shares",
                "most_damaged_shares_of_a_message",
                "routing_steps",
                "bit_times",
                "bit_times_without_shares",
            ] {
                let value = &report[name];
                let value = value.as_str().map_or(value.to_string(), str::to_owned);
                assert_eq!(row[name], value, "{line}: {name}");
            }
            assert_eq!(row["cut_wires"], cut_wires.to_string());
            assert_eq!((row["passed"], row["failed"]), ("true", ""));
            let share = number(&report, "lost") as f64 / 16.0;
            assert_eq!(row["lost_share"].parse(), Ok(share));
            lost.push(number(&report, "lost"));
        }
    }
    assert_eq!(lines.next(), None);
    // Who needs more shares loses more messages, and so does who has more wires fail.
    assert!(lost[2] < lost[8] && lost[7] < lost[8], "{lost:?}");
    assert_eq!([lost[0], lost[3], lost[6]], [0; 3]);
}

#[test]
fn rows_in_json_have_the_same_columns() {
    let json: Value = serde_json::from_str(&measured(SWEEP, "json")).unwrap();
    let rows = json.as_array().or(json["rows"].as_array()).unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows {
        let mut names: Vec<&str> = row
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        let mut expected = COLUMNS.to_vec();
        expected.sort_unstable();
        assert_eq!(names, expected);
    }
}

#[test]
fn over_copies_there_are_rows_as_well() {
    let csv = measured(
        "measure dispersal --over all --guest cycle --dims 6 --message-bits 16 --cut-wires 10",
        "csv",
    );
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(rows.len(), 2);
    assert!(
        rows[0].starts_with("dispersal,edge,cycle,6,64,16,3,2,"),
        "{csv}"
    );
    assert!(
        rows[1].starts_with("dispersal,copies,,6,64,16,4,3,"),
        "{csv}"
    );
}
