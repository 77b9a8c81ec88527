//! GTKWave opens the views of phases, as VCD and as FST: every signal that the save file shows is found, ways and steps show by name,
//! packets that cross ports too. Needs `gtkwave` and a virtual display; without them it fails.

use std::process::Command;

/// What is shown where the third marker stands.
fn opens(arguments: &str, dump: &str, says: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join(dump);
    let status = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(["run", "embedding"])
        .args(arguments.split(' '))
        .arg("--wave")
        .arg(&dump)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    crate::prearranged_tools::opened::shows_all(&dump, ("cube.", 60), says);
}

#[test]
fn ways_steps_and_packets_by_name() {
    let rows = [
        "followed message = e0: vertex 0 to 1, node 0 to 4",
        "followed crosses = 1->5 2->6",
        "way = 2_of_3:32_packets",
        "step = SHIFT",
        "port_0_sends = e3_p1",
        "port_2_sends = e0_p1",
    ];
    opens("--guest cycle --dims 4", "run.vcd", &rows);
    let rows = ["way = 2_of_3:64_packets", "step = START"];
    let start_up = "--guest double-cycle --dims 4 --message-bits 8 --start-up 2";
    opens(start_up, "run.fst", &rows);
}
