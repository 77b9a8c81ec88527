//! The exported Verilog of machines with several messages a node is the machine: Icarus gives the same value to every register and wire
//! in every bit time, and its testbench passes where it should and only there. Its README says how to get it again.

use std::path::Path;

use rayon::prelude::*;
use rtl_model::machine::topology::hypercube::Dimensions;
use serde_json::json;

use crate::common::bit_for_bit::first_difference;
use crate::common::dump::Dump;
use crate::common::relation::{SEVERAL, Several};
use crate::common::verilog::{icarus, replace, text, tool};
use crate::prearranged_tools::opened;

fn agrees(several: &Several) {
    const ROUNDS: usize = 3;
    let outside = tempfile::tempdir().unwrap();
    let report = several.told("run", "--wave run.vcd --trace-nodes all", outside.path());
    let project = several.export(ROUNDS, outside.path());
    let folder = outside.path().join("project");
    let output = icarus(&folder);
    let (nodes, bit_times, printed) = (several.nodes(), &report["bit_times"], text(&output.stdout));
    let passed = format!(
        "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times, in each of {ROUNDS} rounds\n"
    );
    assert!(printed.ends_with(&passed), "{several:?}: {printed}");
    assert_eq!(output.status.code(), Some(0), "{several:?}");
    let (difference, compared) = first_difference(
        &Dump::read(&outside.path().join("run.vcd")),
        &Dump::read(&folder.join("tb.vcd")),
        bit_times.as_u64().unwrap(),
        &Dimensions::new(several.dims).unwrap(),
    );
    if let Some(difference) = difference {
        panic!("{several:?}: {difference}");
    }
    // The clock, the sequencer's registers, wires at both ends and registers of every node: all of them.
    let flip_flops = |module: &str| project["flip_flops"][module].as_u64().unwrap() as usize;
    let wires = report["wires_per_node"].as_u64().unwrap() as usize;
    let node = 2 * wires + flip_flops("node");
    let all = 1 + flip_flops("sequencer") + nodes * node;
    assert_eq!(compared, all, "{several:?}");
    assert_eq!(
        (
            &report["passed"],
            &report["storage_bits_per_node"]["total"],
            &report["sequencer_storage_bits"]
        ),
        (
            &json!(true),
            &project["flip_flops"]["node"],
            &project["flip_flops"]["sequencer"]
        ),
        "{several:?}"
    );
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    SEVERAL.par_iter().for_each(agrees);
}

/// Runs a project in which something has been replaced; what its testbench says.
fn with(several: &Several, edit: impl Fn(&Path)) -> (String, Option<i32>) {
    let outside = tempfile::tempdir().unwrap();
    several.export(3, outside.path());
    let folder = outside.path().join("project");
    edit(&folder);
    let output = icarus(&folder);
    (text(&output.stdout), output.status.code())
}

fn fails(what: &str, (said, status): (String, Option<i32>)) {
    assert!(
        said.contains("FAIL") && !said.contains("PASS"),
        "{what}: {said}"
    );
    assert_ne!(status, Some(0), "{what}");
}

/// Turns round the lowest bit of a line of a file, which says whether there is a message in slot 0: the last digit before the blank.
fn change_slot(folder: &Path, file: &str, line: usize) {
    let path = folder.join(file);
    let before = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    let place = lines[line].find(' ').unwrap() - 1;
    let digit = u8::from_str_radix(&lines[line][place..=place], 16).unwrap() ^ 1;
    lines[line].replace_range(place..=place, &format!("{digit:x}"));
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
}

/// What is loaded, and what is due, in the first round and in the last.
#[test]
fn a_line_that_is_changed_is_noticed() {
    SWAPPED.par_iter().for_each(|(several, _)| {
        let several = &SEVERAL[*several];
        let (_, status) = with(several, |_| ());
        assert_eq!(status, Some(0), "{several:?}");
        // Each round has a line that says which it is.
        for line in [1, 3 * (several.nodes() + 1) - 1] {
            for file in ["traffic.hex", "expected.hex"] {
                let what = format!("{several:?}, {file}, line {line}");
                fails(
                    &what,
                    with(several, |folder| change_slot(folder, file, line)),
                );
            }
        }
    });
}

/// Operators of parts that only machines with several messages a node have, and wires that lead back to where they come from.
const SWAPPED: [(usize, &[[&str; 3]]); 5] = [
    (
        0,
        &[
            ["node.v", "stage_0_message_stays = outbox_valid[0] &", "|"],
            ["node.v", "stage_0_switch_2_merged = rx[2] |", "&"],
            ["node.v", "stage_0_scan_1_before = ADDRESS[1] &", "|"],
            [
                "node.v",
                "stage_1_exchange_1_address_differs = stages_stage_1_input_bit ^",
                "&",
            ],
            ["cube.v", "rx_1 = node[FROM_3[n * 3 +: 3]]", ""],
            ["sequencer.v", "assign done =", "1'b0 &"],
        ],
    ),
    (
        2,
        &[
            ["node.v", "stage_0_circuit_1_out = rx[1] |", "&"],
            ["node.v", "stage_0_delivered = stage_0_returned |", "&"],
            [
                "node.v",
                "n8 = stages_stage_0_iteration_settling_packing_dim_1_keeping &",
                "|",
            ],
            ["cube.v", "rx_2 = node[FROM_5[n * 3 +: 3]]", ""],
        ],
    ),
    (
        4,
        &[
            ["node.v", "stage_0_so_far_1 = stage_0_so_far_0 &", "|"],
            [
                "node.v",
                "stage_0_exchange_0_message_leaves = outbox_valid[0] &",
                "|",
            ],
            ["node.v", "stage_0_count_half = stage_0_kept_stays ^", "|"],
        ],
    ),
    (
        6,
        &[
            [
                "node.v",
                "switch_2_either_stays = switch_2_track_0_stays |",
                "&",
            ],
            ["node.v", "delivered_1 = delivered_received |", "&"],
            ["node.v", "header_1 = rank_adder_sum ^", "&"],
            [
                "node.v",
                "even_list_slot_1_takes_1 = even_list_slots_slot_1_valid &",
                "|",
            ],
        ],
    ),
    (
        8,
        &[
            ["node.v", "stage_0_switch_1_merged = rx[1] |", "&"],
            [
                "node.v",
                "stage_0_switch_0_crosses = outbox_valid[0] &",
                "|",
            ],
            ["cube.v", "rx_0 = node[FROM_1[n * 3 +: 3]]", ""],
        ],
    ),
];

#[test]
fn a_gate_that_is_swapped_is_noticed() {
    SWAPPED.par_iter().for_each(|(several, swaps)| {
        let several = &SEVERAL[*several];
        for [file, from, operator] in *swaps {
            let to = match *file {
                "cube.v" => from.split_once('[').unwrap().0.to_owned() + "[n]",
                "sequencer.v" => format!("{from} {operator}"),
                _ => from[..from.len() - 1].to_owned() + operator,
            };
            let said = with(several, |folder| replace(folder, file, from, &to));
            fails(&format!("{several:?}: `{to}` in {file}"), said);
        }
    });
}

/// What stands between two texts.
fn between<'t>(text: &'t str, before: &str, after: &str) -> &'t str {
    let (_, rest) = text
        .split_once(before)
        .unwrap_or_else(|| panic!("{before} is not in {text}"));
    rest.split_once(after).unwrap().0
}

/// The head of `tb.v` says which command writes all of it. That of a README runs its first round, and asks for the same messages.
#[test]
fn a_project_says_how_it_is_run_and_written_again() {
    SEVERAL.par_iter().for_each(|several| {
        let outside = tempfile::tempdir().unwrap();
        several.export(3, outside.path());
        let folder = outside.path().join("project");
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let cubewave = |command: &str| {
            let output = tool(&folder, env!("CARGO_BIN_EXE_cubewave"), command);
            let why = text(&output.stderr);
            assert!(output.status.success(), "{several:?}: {command}: {why}");
            text(&output.stdout)
        };
        let (bench, readme) = (read("tb.v"), read("README.md"));
        let written = between(&bench, ": cubewave ", " --out DIR");
        let told = between(&readme, "| `traffic.csv` |", " |\n");
        let run = between(told, "`cubewave ", "`");
        for (command, into) in [
            (written.to_owned(), "again"),
            (run.replacen("run", "verilog", 1), "first"),
        ] {
            cubewave(&format!("{command} --out ../{into}"));
        }
        let again = |into: &str, name: &str| {
            std::fs::read_to_string(outside.path().join(into).join(name)).unwrap()
        };
        for name in [
            "README.md",
            "node.v",
            "sequencer.v",
            "cube.v",
            "tb.v",
            "traffic.csv",
            "traffic.hex",
            "expected.hex",
        ] {
            assert!(read(name) == again("again", name), "{several:?}: {name}");
        }
        // The other rounds are of another seed where the messages are read.
        for name in ["traffic.hex", "expected.hex"] {
            let first_round = |text: &str| {
                let lines = text.lines().skip(1).take(several.nodes());
                lines.map(str::to_owned).collect::<Vec<_>>()
            };
            let (ours, theirs) = (read(name), again("first", name));
            assert_eq!(
                first_round(&ours),
                first_round(&theirs),
                "{several:?}: {name}"
            );
        }
        assert_eq!(
            read("traffic.csv"),
            again("first", "traffic.csv"),
            "{several:?}"
        );
        assert!(cubewave(run).contains("  pass  delivered"), "{several:?}");
    });
}

/// Batches by stage, and a run of the router that counts: all rows of their views are there.
#[test]
fn views_show_every_signal_and_stages_by_name() {
    for (several, dump, least) in [(&SEVERAL[2], "run.vcd", 40), (&SEVERAL[6], "run.fst", 40)] {
        let folder = tempfile::tempdir().unwrap();
        several.told("run", &format!("--wave {dump}"), folder.path());
        let rows = opened::shows_all(&folder.path().join(dump), ("cube.", least), &[]);
        let stages = rows
            .iter()
            .filter(|row| row.starts_with("stage_") && row.contains(':'));
        assert_eq!(
            stages.count() > 0,
            several.options.contains("--batches"),
            "{rows:#?}"
        );
    }
}
