//! The exported Verilog of collective operations is the machine: Icarus gives the same value to every register and wire in every bit
//! time, and its testbench passes. GTKWave opens their views.

use std::path::Path;

use rtl_model::machine::topology::hypercube::Dimensions;
use serde_json::Value;

use crate::common::bit_for_bit::first_difference;
use crate::common::dump::Dump;
use crate::common::verilog::{icarus, text, tool};
use crate::prearranged_tools::opened;

/// One of each kind of view, order of lines and memory, and of each port model.
const MACHINES: [(&str, usize); 12] = [
    (
        "scatter --dims 3 --source 5 --message-bits 6 --start-up 1",
        3,
    ),
    (
        "scatter --algorithm bst --dims 3 --message-bits 4 --packet-bits 2 --ports one-way",
        3,
    ),
    (
        "scatter --algorithm tcbt --dims 2 --message-bits 3 --ports two-way",
        2,
    ),
    ("gather --dims 2 --source 1 --message-bits 5", 2),
    ("all-gather --dims 2 --message-bits 3", 2),
    ("all-to-all --dims 3 --message-bits 2 --start-up 0", 3),
    ("send --dims 3 --destination 5 --message-bits 30", 3),
    (
        "send --algorithm arbitrary-send-2 --dims 3 --destination 6 --message-bits 12",
        3,
    ),
    ("send --algorithm oc-send-3 --dims 3 --message-bits 12", 3),
    (
        "permuted-send --dims 2 --message-bits 8 --permutation bitrev",
        2,
    ),
    (
        "transpose --algorithm by-submatrices --dims 4 --size 4 --word-bits 8",
        4,
    ),
    ("histogram --dims 2 --bins 9 --samples 20", 2),
];

fn told(folder: &Path, command: &str) -> Value {
    let output = tool(
        folder,
        env!("CARGO_BIN_EXE_cubewave"),
        &format!("{command} --format json"),
    );
    assert!(
        output.status.success(),
        "{command}: {}",
        text(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    for (machine, dims) in MACHINES {
        let outside = tempfile::tempdir().unwrap();
        let report = told(
            outside.path(),
            &format!("run {machine} --wave run.vcd --trace-nodes all"),
        );
        told(
            outside.path(),
            &format!("verilog {machine} --rounds 3 --out project"),
        );
        let folder = outside.path().join("project");
        let output = icarus(&folder);
        let (nodes, bit_times) = (1 << dims, &report["bit_times"]);
        let passed = format!(
            "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times, in each of 3 rounds\n"
        );
        let printed = text(&output.stdout);
        assert!(printed.ends_with(&passed), "{machine}: {printed}");
        assert_eq!(output.status.code(), Some(0));
        let (difference, compared) = first_difference(
            &Dump::read(&outside.path().join("run.vcd")),
            &Dump::read(&folder.join("tb.vcd")),
            bit_times.as_u64().unwrap(),
            &Dimensions::new(dims).unwrap(),
        );
        assert_eq!(difference, None, "{machine}");
        assert!(compared > nodes * dims * 2, "{machine}");
    }
}

#[test]
fn views_name_messages_on_ports() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("run.vcd");
    let run = "run scatter --dims 3 --message-bits 12 --start-up 2 --wave run.vcd";
    told(folder.path(), run);
    // Where the message that is followed begins to come to another node.
    let rows = [
        "followed message = 0->7",
        "followed crosses = 0->1 0->2 0->4",
        "way = step_1_of_3",
        "step = SHIFT",
        "port_2_sends = 0_to_7:8",
    ];
    opened::shows_all(&dump, ("cube.", 20), &rows);
}
