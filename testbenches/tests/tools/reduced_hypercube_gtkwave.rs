//! GTKWave opens the views of collective operations, as VCD and as FST: every signal that the save file shows is found, steps and
//! ways show by name and words as numbers. Needs `gtkwave` and a virtual display; without them it fails.

use crate::common::gtkwave;
use std::process::Command;

/// What is shown where the third marker stands.
fn opens(arguments: &str, dump: &str, says: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join(dump);
    let status = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .arg("run")
        .args(arguments.split(' '))
        .args(["--dims", "3", "--blocks", "2", "--wave"])
        .arg(&dump)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    gtkwave::shows_all(&dump, ("rh.", 30), says);
}

/// The third marker is where the third row begins.
#[test]
fn ways_by_name_and_words_as_numbers() {
    let rows = [
        "step = 1_in_blocks",
        "way = SB_2->SB_0",
        "word[7:0] = C3",
        "between_blocks rx = 0",
    ];
    opens("reduce --word-bits 8", "run.vcd", &rows);
    let rows = ["way = dim_2:0<->1", "sent = message", "preceding[7:0] = 00"];
    opens("prefix --word-bits 8", "run.fst", &rows);
    let rows = ["way = dim_0:0<->1", "slots = 0", "slot_0[7:0] = 65"];
    opens("sort --word-bits 8", "run.fst", &rows);
}

/// The third marker is where the message begins.
#[test]
fn relations_bit_by_bit() {
    let rows = [
        "step = 3_broadcast",
        "message[7:0] = B1",
        "id[3:0] = 1",
        "parent[3:0] = 1000",
        "children[3:0] = 1111",
    ];
    let broadcast = "broadcast --network reduced-hypercube --message-bits 8";
    opens(broadcast, "run.vcd", &rows);
}
