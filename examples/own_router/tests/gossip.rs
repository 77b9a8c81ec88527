//! Gossip runs and is checked, and is exported as Verilog.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod program;

use serde_json::Value;

use program::{printed, program};

/// Sets of every load, cubes of one tile and of several: all nodes know the parity.
#[test]
fn it_runs_and_is_checked() {
    let folder = tempfile::tempdir().unwrap();
    for dims in [1, 3, 6, 8, 9, 13] {
        for load in ["0", "0.3", "1"] {
            let run = format!("run gossip --dims {dims} --load {load} --format json");
            let report: Value =
                serde_json::from_str(&printed(&program(folder.path(), &run))).unwrap();
            assert_eq!(report["bit_times"], dims);
            assert_eq!(report["bit_times_formula"]["value"], dims);
            assert_eq!(report["storage_bits_per_node"]["total"], 1);
            assert_eq!(report["delivered"], 1 << dims);
            assert_eq!(report["passed"], true);
            assert!(report["logic_depth"]["total"].as_u64() > Some(0));
        }
    }
}

/// Two ones are even, one is odd: a wrong parity would be seen.
#[test]
fn the_set_may_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ones.csv"), "source\n0\n5\n6\n").unwrap();
    let run = "run gossip --dims 3 --traffic-file ones.csv --wave gossip.vcd --trace-nodes all";
    let text = printed(&program(folder.path(), run));
    assert!(text.contains("  ones           3, ones.csv"), "{text}");
    assert!(text.contains("8 nodes know the parity; 2^k = 8"), "{text}");
    let dump = std::fs::read_to_string(folder.path().join("gossip.vcd")).unwrap();
    assert_eq!(dump.matches(" parity $end").count(), 8);
    let view = std::fs::read_to_string(folder.path().join("gossip.gtkw")).unwrap();
    assert!(view.contains("parity"));
}

#[test]
fn it_is_exported_as_verilog() {
    let folder = tempfile::tempdir().unwrap();
    let told = printed(&program(
        folder.path(),
        "verilog gossip --dims 3 --out gossip3",
    ));
    assert!(told.contains("flip-flops"), "{told}");
    for file in ["node.v", "sequencer.v", "cube.v", "tb.v", "README.md"] {
        assert!(folder.path().join("gossip3").join(file).exists(), "{file}");
    }
}
