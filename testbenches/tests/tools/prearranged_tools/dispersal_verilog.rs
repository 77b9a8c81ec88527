//! The exported Verilog of messages in shares is the machine: Icarus gives the same value to every register and wire in every bit
//! time, and its testbench passes. Needs Icarus; without it it fails.

use crate::common::bit_for_bit::first_difference;
use crate::common::dump::Dump;
use crate::common::verilog::{icarus, replace, text, tool};
use rtl_model::machine::topology::hypercube::Dimensions;
use serde_json::Value;

/// As JSON, what a command says.
fn told(folder: &std::path::Path, command: &str) -> Value {
    let output = tool(
        folder,
        env!("CARGO_BIN_EXE_cubewave"),
        &format!("{command} --format json"),
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    for (machine, dims) in [
        ("--dims 4 --message-bits 9 --needed 2 --start-up 1", 4),
        (
            "--over copies --dims 3 --message-bits 5 --traffic bitcomp",
            3,
        ),
    ] {
        let outside = tempfile::tempdir().unwrap();
        let run = format!("run dispersal {machine} --wave run.vcd --trace-nodes all");
        let report = told(outside.path(), &run);
        let export = format!("verilog dispersal {machine} --rounds 3 --out project");
        let project = told(outside.path(), &export);
        let folder = outside.path().join("project");
        let output = icarus(&folder);
        let (nodes, bit_times) = (1 << dims, &report["bit_times"]);
        let passed = format!(
            "PASS: {nodes} of {nodes} nodes hold what they should after {bit_times} bit times, in each of 3 rounds\n"
        );
        let printed = text(&output.stdout);
        assert!(printed.ends_with(&passed), "{machine}: {printed}");
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(&project["bit_times_formula"]["value"], bit_times);
        let (difference, compared) = first_difference(
            &Dump::read(&outside.path().join("run.vcd")),
            &Dump::read(&folder.join("tb.vcd")),
            bit_times.as_u64().unwrap(),
            &Dimensions::new(dims).unwrap(),
        );
        assert_eq!(difference, None, "{machine}");
        assert!(compared > nodes * dims * 2);

        // The messages of the project are those of the run again.
        let again = format!("run dispersal {machine} --values project/values.csv --results r.csv");
        assert_eq!(told(outside.path(), &again)["passed"], true);
        let [values, results] = ["project/values.csv", "r.csv"]
            .map(|name| std::fs::read_to_string(outside.path().join(name)).unwrap());
        assert_eq!(values, results);

        // A wire that is stuck fails the testbench.
        replace(&folder, "cube.v", "].tx", "].tx & 1'b0");
        let output = icarus(&folder);
        assert!(!text(&output.stdout).contains("PASS"), "{machine}");
        assert_eq!(output.status.code(), Some(1));
    }
}
