//! What `verilog --properties` writes is proved, and a planted mistake makes each kind of it fail; Verilator, which finds names
//! inside of instances in its own way, reads it too. Needs Yosys with ABC, and Verilator; without them it fails.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::verilog::{text, tool};

/// A project with properties.
struct Project(tempfile::TempDir);

impl Project {
    fn of(machine: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let asked = format!("verilog {machine} --rounds 1 --properties --out project");
        let exported = tool(folder.path(), env!("CARGO_BIN_EXE_cubewave"), &asked);
        assert!(exported.status.success(), "{}", text(&exported.stderr));
        Project(folder)
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("project")
    }

    /// The verdicts on each kind of property, and whether `scripts/prove` finds nothing that fails.
    fn verdicts(&self) -> ([String; 3], bool) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let proved = Command::new(root.join("scripts/prove"))
            .arg("--project")
            .arg(self.path())
            .output()
            .unwrap();
        let said = text(&proved.stdout);
        let rows = said.lines().filter(|row| row.starts_with("| project |"));
        let verdicts: Vec<String> = rows
            .map(|row| row.split(" | ").nth(3).unwrap().to_owned())
            .collect();
        let all = <[String; 3]>::try_from(verdicts);
        let all = all.unwrap_or_else(|_| panic!("{said}{}", text(&proved.stderr)));
        (all, proved.status.success())
    }

    /// With this line of a file as another; the verdicts then, of which one must be that something fails.
    fn with(&self, file: &str, [line, mistake]: [&str; 2]) -> [String; 3] {
        let path = self.path().join(file);
        let right = std::fs::read_to_string(&path).unwrap();
        assert!(right.contains(line), "{file}: {right}");
        std::fs::write(&path, right.replacen(line, mistake, 1)).unwrap();
        let (verdicts, none_fails) = self.verdicts();
        assert!(!none_fails, "{file}: {mistake}");
        std::fs::write(&path, right).unwrap();
        verdicts
    }
}

const NONE: &str = "none to prove";

#[test]
fn all_partial_permutations_of_4_nodes_are_proved_and_a_mistake_of_each_kind_is_found() {
    let project = Project::of("kuszmaul --schedule plain --dims 2 --payload-bits 1");
    let proved = ["proved"; 3].map(str::to_owned);
    assert_eq!(project.verdicts(), (proved, true));

    let crosses = "assign exchange[1] = iteration & step_is_1;";
    let always = project.with("sequencer.v", [crosses, "assign exchange[1] = 1'b1;"]);
    assert_eq!(always[0], "FAILED");

    // A node that gets one and keeps one has none.
    let valid = "first_message_valid <= arriving | message_stays;";
    let lost = project.with("node.v", [valid, &valid.replace('|', "^")]);
    assert_eq!(lost[..2], ["proved", "FAILED"]);

    let done = "assign done = step_is_7;";
    let late =
        "reg late;\n  always @(posedge clk) late <= ~reset & step_is_7;\n  assign done = late;";
    let late = project.with("sequencer.v", [done, late]);
    assert_eq!(late, ["proved", "proved", "FAILED"]);

    // What is assumed is needed: two messages for one node, of which one gets lost.
    let assumed = "for_every_node_at_most_one: assume (&at_most_one_is_for);";
    let two = project.with("properties.sv", [assumed, ""]);
    assert_eq!(two, ["proved", "FAILED", "FAILED"]);
}

#[test]
fn a_machine_without_contended_wires_is_proved_and_a_payload_that_is_another_is_found() {
    let project = Project::of("kuszmaul --schedule radix4 --dims 2 --payload-bits 1");
    let proved = [NONE, "proved", "proved"].map(str::to_owned);
    assert_eq!(project.verdicts(), (proved, true));

    let payload = "assign unload_payload = first_message_bits[0];";
    let another = project.with("node.v", [payload, &payload.replace("[0]", "[1]")]);
    assert_eq!(another, [NONE, "proved", "FAILED"]);
}

#[test]
fn worms_are_proved_in_all_bit_times_and_a_mistake_of_each_kind_is_found() {
    let project = Project::of("wormhole --network hypercube --dims 1 --message-bits 8");
    let proved = ["proved"; 3].map(str::to_owned);
    assert_eq!(project.verdicts(), (proved, true));

    let ready = "wire out_0_ready = out_0_credits[0] & out_0_holds_bit;";
    let without = "wire out_0_ready = out_0_holds_bit;";
    assert_eq!(project.with("node.v", [ready, without])[0], "FAILED");

    // No credit comes back for the end of a worm.
    let back = "assign tx[3] = in_0_leaves;";
    let fewer = "assign tx[3] = in_0_leaves & ~in_0_ends;";
    let fewer = project.with("node.v", [back, fewer]);
    assert_eq!(fewer, ["proved", "FAILED", "proved"]);

    let grant = "wire eject_grant_0 = eject_request_0 & ~eject_in_turn_1;";
    let both = project.with("node.v", [grant, "wire eject_grant_0 = eject_request_0;"]);
    assert_eq!(both[2], "FAILED");
}

#[test]
fn verilator_has_nothing_to_say_against_properties() {
    let permutations = [
        "bitonic --dims 3 --payload-bits 3",
        "node.v sequencer.v cube.v",
    ];
    let worms = ["wormhole --network hypercube --dims 2", "node.v cube.v"];
    for [machine, files] in [permutations, worms] {
        // Some bits are not looked at, and some bounds cannot fail.
        let lint = "--lint-only -Wall -Wno-UNUSEDSIGNAL -Wno-CMPCONST --assert -sv --top-module properties";
        let asked = format!("{lint} {files} properties.sv");
        let said = tool(&Project::of(machine).path(), "verilator", &asked);
        assert_eq!(text(&said.stderr), "", "{machine}");
        assert!(said.status.success());
    }
}
