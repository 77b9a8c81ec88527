//! GTKWave opens the view of a broadcast, as VCD and as FST: every signal that the save file shows is found, and packets show by
//! name. Needs `gtkwave` and a virtual display; without them it fails.

use crate::common::gtkwave;
use std::process::Command;

/// What is shown where the third marker stands.
fn opens(arguments: &str, dump: &str, says: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join(dump);
    let status = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(["run", "broadcast", "--message-bits", "36", "--wave"])
        .arg(&dump)
        .args(arguments.split(' '))
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    gtkwave::shows_all(&dump, ("cube.", 50), says);
}

#[test]
fn packets_by_name() {
    let trees = "--algorithm msbt --ports two-way --dims 3 --packet-bits 6 --start-up 2";
    // The third marker is where step 1 begins: the source sends across port 1.
    let rows = ["step = START", "port 1 sends = tree_1_packet_1"];
    opens(trees, "run.vcd", &rows);
    opens(trees, "run.fst", &rows);
    // Without a start-up, it is where step 2 does.
    let wave = "--algorithm msbt --ports all --dims 3 --packet-bits 6 --start-up 0";
    let rows = [
        "step = SHIFT",
        "followed at = 0,1,3,5",
        "followed crosses = 3->2 3->7 5->4",
        "port 1 holds = tree_0_packet_0",
        "port 1 receives = tree_1_packet_1",
    ];
    opens(wave, "run.vcd", &rows);
    let path = "--algorithm hp --ports one-way --dims 3 --packet-bits 6 --start-up 0";
    let rows = ["port 0 sends = packet_1", "step = SHIFT"];
    opens(path, "run.fst", &rows);
    let doubling = "--algorithm broadcast-2 --dims 3";
    opens(
        doubling,
        "run.vcd",
        &["step = START", "packet 0 holds = tree_0_packet_0"],
    );
}
