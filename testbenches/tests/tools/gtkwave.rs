//! GTKWave opens the views of what exported Verilog projects dump, and saves a view that is then kept. Needs `gtkwave`, a virtual
//! display and `iverilog`; without them it fails.

use std::path::Path;
use std::process::Command;

use testbenches::families::kuszmaul;
use testbenches::families::reduced_hypercube::PREFIX;
use testbenches::families::wormhole;
use testbenches::testbench::chosen::Chosen;

use crate::common::gtkwave::{opens, says};
use crate::suite::Exported;

/// Links that are numbered, that have names, and those of nodes whose hosts have wires.
#[test]
fn the_dumps_of_verilog_projects() {
    let plain = kuszmaul::BENCH.asked("--dims 3 --payload-bits 8");
    let rows = rows_of(plain.unwrap(), "tb.cube.");
    // The cursor stands where the third step begins.
    let is_third = |row: &String| row.starts_with("step") && row.ends_with("= 3_pack_messages");
    assert!(rows.iter().any(is_third), "{rows:#?}");
    let words = "--network reduced-hypercube --dims 2 --blocks 1 --word-bits 4";
    rows_of(PREFIX.asked(words).unwrap(), "tb.rh.");
    let cycles = wormhole::BENCH.asked("--network ccc --dims 2 --message-bits 8");
    rows_of(cycles.unwrap(), "tb.ccc.");
}

fn rows_of(chosen: Chosen, machine: &str) -> Vec<String> {
    let exported = Exported::of(&chosen, 1);
    exported.compile();
    exported.run("+vcd");
    opens(&exported.path().join("tb.vcd"), (machine, 30)).rows
}

/// Its head is not cubewave's any more, so it counts as edited.
#[test]
fn a_view_that_gtkwave_saved_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let there = |name: &str| folder.path().join(name);
    let run = |folder: &Path| {
        let mut cubewave = Command::new(env!("CARGO_BIN_EXE_cubewave"));
        let ran = cubewave.current_dir(folder).output().unwrap();
        assert!(ran.status.success());
    };
    run(folder.path());
    assert!(!there("kuszmaul.new.gtkw").exists());
    let save = "gtkwave::/File/Write_Save_File\ngtkwave::/File/Quit\n";
    says(&there("kuszmaul.vcd"), &there("kuszmaul.gtkw"), save);
    let saved = std::fs::read_to_string(there("kuszmaul.gtkw")).unwrap();
    assert!(saved.contains("GTKWave Analyzer"), "{saved}");
    run(folder.path());
    let after = std::fs::read_to_string(there("kuszmaul.gtkw")).unwrap();
    assert_eq!(after, saved);
    assert!(there("kuszmaul.new.gtkw").exists());
}
