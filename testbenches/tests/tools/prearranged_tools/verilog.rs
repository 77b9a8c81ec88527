//! The exported Verilog of a phase is the machine: Icarus gives the same value to every register and wire in every bit time, and its
//! testbench passes where it should and only there. Needs Icarus; without it it fails.

use std::path::Path;

use crate::common::bit_for_bit::first_difference;
use crate::common::dump::Dump;
use crate::common::embedding::{PHASES, Phase};
use crate::common::verilog::{icarus_of, text};
use rayon::prelude::*;
use rtl_model::machine::topology::hypercube::Dimensions;
use serde_json::json;

fn agrees(phase: &Phase) {
    let rounds = if phase.dims < 4 { 6 } else { 3 };
    let outside = tempfile::tempdir().unwrap();
    let report = phase.told("run", "--wave run.vcd --trace-nodes all", outside.path());
    let project = phase.export(rounds, outside.path());
    let folder = outside.path().join("project");
    let output = icarus_of(&folder, "cube");
    let bit_times = &report["bit_times"];
    let (difference, compared) = first_difference(
        &Dump::read(&outside.path().join("run.vcd")),
        &Dump::read(&folder.join("tb.vcd")),
        bit_times.as_u64().unwrap(),
        &Dimensions::new(phase.dims).unwrap(),
    );
    if let Some(difference) = difference {
        panic!("{phase:?}: {difference}");
    }
    let (nodes, printed) = (phase.nodes(), text(&output.stdout));
    let passed = format!(
        "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times, in each of {rounds} rounds\n"
    );
    assert!(printed.ends_with(&passed), "{phase:?}: {printed}");
    assert_eq!(output.status.code(), Some(0), "{phase:?}");
    assert_eq!(
        &project["bit_times_formula"]["value"], bit_times,
        "{phase:?}"
    );
    // The clock, the sequencer's registers, wires at both ends and registers of every node: all of them.
    let flip_flops = |module: &str| project["flip_flops"][module].as_u64().unwrap() as usize;
    let node = 2 * phase.dims + flip_flops("node");
    assert_eq!(
        compared,
        1 + flip_flops("sequencer") + nodes * node,
        "{phase:?}"
    );
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
        "{phase:?}"
    );
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    PHASES.par_iter().for_each(agrees);
}

/// Runs a project in which something has been replaced; what its testbench says.
fn with(phase: &Phase, edit: impl Fn(&Path)) -> (String, Option<i32>) {
    let outside = tempfile::tempdir().unwrap();
    phase.export(2, outside.path());
    let folder = outside.path().join("project");
    edit(&folder);
    let output = icarus_of(&folder, "cube");
    (text(&output.stdout), output.status.code())
}

/// Changes, in the line of a node, the lowest bit of cell 0: the last digit before the blank, but for digits of orders.
fn change_cell(folder: &Path, file: &str, (node, orders): (usize, usize)) {
    let path = folder.join(file);
    let before = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    // The first line says which round it is.
    let line = &mut lines[1 + node];
    let place = line.find(' ').unwrap() - 1 - orders;
    let digit = u8::from_str_radix(&line[place..=place], 16).unwrap() ^ 1;
    line.replace_range(place..=place, &format!("{digit:x}"));
    std::fs::write(&path, lines.join("\n") + "\n").unwrap();
}

/// What is loaded, and what is due: any of them that is another is noticed. Every node begins and ends with a packet in cell 0.
#[test]
fn a_project_that_is_changed_fails() {
    let phase = &PHASES[5];
    let (_, status) = with(phase, |_| ());
    assert_eq!(status, Some(0));
    // Both orders have 4 ports, 3 steps and 3 bits: 18 digits.
    for (file, orders) in [("traffic.hex", 18), ("expected.hex", 0)] {
        for node in [0, 3, 15] {
            let (said, status) = with(phase, |folder| change_cell(folder, file, (node, orders)));
            assert!(
                said.contains("FAIL") && !said.contains("PASS"),
                "{file} {node}: {said}"
            );
            assert_ne!(status, Some(0), "{file} {node}");
        }
    }
}

#[test]
fn a_project_says_how_it_is_run_and_written_again() {
    let outside = tempfile::tempdir().unwrap();
    let phase = &PHASES[2];
    let project = phase.export(2, outside.path());
    assert_eq!(project["guest"], "cycle");
    let folder = outside.path().join("project");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let machine = "--guest cycle --dims 3 --order greedy --message-bits 5 --start-up 2";
    for part in [
        format!("cubewave verilog embedding {machine} --out DIR\n"),
        format!("`cubewave run embedding {machine} --values values.csv`"),
    ] {
        assert!(readme.contains(&part), "{part:?} is not in {readme}");
    }
    // The same messages give the same first round.
    let again = "--seed 9 --values project/values.csv --rounds 2 --out again";
    assert!(
        phase
            .command("verilog", again, outside.path())
            .status
            .success()
    );
    for file in [
        "node.v",
        "sequencer.v",
        "cube.v",
        "tb.v",
        "traffic.hex",
        "expected.hex",
        "values.csv",
    ] {
        let [one, two] = ["project", "again"]
            .map(|name| std::fs::read(outside.path().join(name).join(file)).unwrap());
        assert!(one == two, "{file}");
    }
}
