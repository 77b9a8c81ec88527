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

    /// Each kind of property with its verdict, and whether `scripts/prove` finds nothing that fails.
    fn verdicts(&self) -> (Vec<String>, bool) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let proved = Command::new(root.join("scripts/prove"))
            .arg("--project")
            .arg(self.path())
            .output()
            .unwrap();
        let said = text(&proved.stdout);
        let rows = said.lines().filter(|row| row.starts_with("| project |"));
        let verdicts: Vec<String> = rows
            .map(|row| {
                row.split(" | ")
                    .skip(2)
                    .take(2)
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        assert!(!verdicts.is_empty(), "{said}{}", text(&proved.stderr));
        (verdicts, proved.status.success())
    }

    /// Asserts that all is proved of these kinds, and that there are no others.
    fn is_proved(&self, kinds: &[&str]) {
        let proved = kinds.iter().map(|kind| format!("{kind} proved"));
        assert_eq!(self.verdicts(), (proved.collect(), true));
    }

    /// Asserts that with these lines of a file as others just these kinds fail.
    fn fails(&self, file: &str, lines: &[[&str; 2]], kinds: &[&str]) {
        let path = self.path().join(file);
        let right = std::fs::read_to_string(&path).unwrap();
        let wrong = lines.iter().fold(right.clone(), |text, [line, mistake]| {
            assert!(text.contains(line), "{file}: {line}: {right}");
            text.replacen(line, mistake, 1)
        });
        std::fs::write(&path, wrong).unwrap();
        let (verdicts, none_fails) = self.verdicts();
        assert!(!none_fails, "{file}: {lines:?}");
        let failing = verdicts
            .iter()
            .filter_map(|one| one.strip_suffix(" FAILED"));
        assert_eq!(failing.collect::<Vec<_>>(), kinds, "{file}: {lines:?}");
        std::fs::write(&path, right).unwrap();
    }
}

#[test]
fn all_partial_permutations_of_4_nodes_are_proved_and_a_mistake_of_each_kind_is_found() {
    let project = Project::of("kuszmaul --schedule plain --dims 2 --payload-bits 1");
    project.is_proved(&["wires", "messages", "delivery"]);

    let crosses = "assign exchange[1] = iteration & step_is_1;";
    let always = [crosses, "assign exchange[1] = 1'b1;"];
    project.fails("sequencer.v", &[always], &["wires", "messages", "delivery"]);

    // A node that gets one and keeps one has none.
    let valid = "first_message_valid <= arriving | message_stays;";
    let lost = [valid, &valid.replace('|', "^")];
    project.fails("node.v", &[lost], &["messages", "delivery"]);

    let done = "assign done = step_is_7;";
    let late =
        "reg late;\n  always @(posedge clk) late <= ~reset & step_is_7;\n  assign done = late;";
    project.fails("sequencer.v", &[[done, late]], &["delivery"]);

    // What is assumed is needed: two messages for one node, of which one gets lost.
    let assumed = "for_every_node_at_most_one: assume (&at_most_one_is_for);";
    project.fails("properties.sv", &[[assumed, ""]], &["messages", "delivery"]);
}

#[test]
fn a_machine_without_contended_wires_is_proved_and_a_payload_that_is_another_is_found() {
    let project = Project::of("kuszmaul --schedule radix4 --dims 2 --payload-bits 1");
    project.is_proved(&["messages", "delivery"]);

    let payload = "assign unload_payload = first_message_bits[0];";
    let another = [payload, &payload.replace("[0]", "[1]")];
    project.fails("node.v", &[another], &["delivery"]);
}

#[test]
fn all_messages_of_two_batches_are_proved_and_a_mistake_of_each_kind_is_found() {
    let project = Project::of("kuszmaul --batches 2 --schedule spread --dims 2 --payload-bits 1");
    project.is_proved(&["wires", "messages", "delivery"]);

    let drives = "assign stage_0_spreading_enumerator_drive[1] = n7;";
    let always = [drives, &drives.replace("n7", "1'b1")];
    project.fails("sequencer.v", &[always], &["wires", "messages", "delivery"]);

    // What came of one batch is said to be of the other.
    let payload = "assign unload_payload = inbox_payload;";
    let swapped = [
        payload,
        "assign unload_payload = {inbox_payload[0], inbox_payload[1]};",
    ];
    project.fails("node.v", &[swapped], &["delivery"]);
}

#[test]
fn all_relations_of_two_messages_a_node_are_proved_and_mistakes_are_found() {
    let project = Project::of("kuszmaul --h 2 --dims 2 --payload-bits 1");
    project.is_proved(&["wires", "messages", "delivery"]);

    let arrives = "odd_list_slots_slot_1_valid <= 1'b1;";
    let lost = [arrives, &arrives.replace("1'b1", "1'b0")];
    project.fails("node.v", &[lost], &["messages", "delivery"]);

    // One payload is there twice, the other not at all.
    let twice = [
        "even_list_slots_slot_0_front};",
        "even_list_slots_slot_1_front};",
    ];
    project.fails("node.v", &[twice], &["delivery"]);
}

#[test]
fn all_data_of_an_operation_are_proved_and_a_mistake_of_each_kind_is_found() {
    let project = Project::of("scatter --algorithm distribute-1 --dims 2 --message-bits 3");
    project.is_proved(&["wires", "delivery"]);

    // One channel sends whenever another does.
    let of_first = [
        "shift = n5;",
        "line_0_sends = n6;",
        "senders_low[0] = n6;",
        "senders_any_high = n6;",
    ];
    let lines = of_first.map(|line| format!("assign channel_0_{line}"));
    let also = lines.each_ref().map(|line| {
        let (left, _) = line.split_once(" = ").unwrap();
        format!("{left} = channel_1_senders_any_high;")
    });
    let both: Vec<[&str; 2]> = lines
        .iter()
        .zip(&also)
        .map(|(line, also)| [&**line, also])
        .collect();
    project.fails("sequencer.v", &both, &["wires", "delivery"]);

    // A bit is written where one is that has not been read.
    let write = "assign channel_0_line_0_write[0] = n7;";
    project.fails(
        "sequencer.v",
        &[[write, &write.replace("n7", "~n7")]],
        &["delivery"],
    );
}

#[test]
fn all_messages_of_a_broadcast_are_proved_and_a_mistake_of_each_kind_is_found() {
    let project = Project::of(
        "broadcast --algorithm msbt --ports two-way --dims 2 --message-bits 4 --packet-bits 2 --start-up 1",
    );
    project.is_proved(&["ports", "arrivals", "delivery"]);

    let sending = "ports_port_1_sending <= n11;";
    let both = [sending, "ports_port_1_sending <= n11 | n4;"];
    project.fails("node.v", &[both], &["ports"]);

    let valid = "arrived_channel_0_valid <= n16;";
    let again = [
        valid,
        "arrived_channel_0_valid <= n16 | arrived_channel_0_valid;",
    ];
    project.fails("node.v", &[again], &["arrivals", "delivery"]);

    // A packet is overwritten while it is sent for the first time of two.
    let project = Project::of(
        "broadcast --algorithm sbt --ports two-way --dims 3 --message-bits 4 --packet-bits 2 --start-up 1",
    );
    let held = "? n19 : packets_buffer_held[0]";
    project.fails("node.v", &[[held, "? n19 : n19"]], &["delivery"]);
}

#[test]
fn worms_are_proved_in_all_bit_times_and_a_mistake_of_each_kind_is_found() {
    let project = Project::of("wormhole --network hypercube --dims 1 --message-bits 8");
    project.is_proved(&["buffers", "credits", "arbiters"]);

    let ready = "wire out_0_ready = out_0_credits[0] & out_0_holds_bit;";
    let without = "wire out_0_ready = out_0_holds_bit;";
    project.fails("node.v", &[[ready, without]], &["buffers"]);

    // No credit comes back for the end of a worm.
    let back = "assign tx[3] = in_0_leaves;";
    let fewer = "assign tx[3] = in_0_leaves & ~in_0_ends;";
    project.fails("node.v", &[[back, fewer]], &["credits"]);

    let grant = "wire eject_grant_0 = eject_request_0 & ~eject_in_turn_1;";
    let both = "wire eject_grant_0 = eject_request_0;";
    let all = ["buffers", "credits", "arbiters"];
    project.fails("node.v", &[[grant, both]], &all);
}

#[test]
fn verilator_has_nothing_to_say_against_properties() {
    let permutations = [
        "bitonic --dims 3 --payload-bits 3",
        "node.v sequencer.v cube.v",
    ];
    let worms = ["wormhole --network hypercube --dims 2", "node.v cube.v"];
    let of_data = "node.v sequencer.v cube.v";
    let stated = [
        ["kuszmaul --batches 2 --dims 2 --payload-bits 2", of_data],
        ["kuszmaul --h 2 --dims 2 --payload-bits 2", of_data],
        ["gather --dims 2 --message-bits 3", of_data],
        [
            "broadcast --algorithm tcbt --ports one-way --dims 2 --message-bits 5 --packet-bits 2",
            of_data,
        ],
    ];
    for [machine, files] in [permutations, worms].into_iter().chain(stated) {
        // Some bits are not looked at, and some bounds cannot fail; hosts reckon with 32 bits.
        let width = match machine.starts_with("broadcast") {
            true => "-Wno-WIDTH",
            false => "",
        };
        let lint = "--lint-only -Wall -Wno-UNUSEDSIGNAL -Wno-CMPCONST --assert -sv --top-module properties";
        let asked = format!("{lint} {width} {files} properties.sv");
        let said = tool(&Project::of(machine).path(), "verilator", &asked);
        assert_eq!(text(&said.stderr), "", "{machine}");
        assert!(said.status.success());
    }
}
