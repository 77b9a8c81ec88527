//! GTKWave opens the view of a broadcast, as VCD and as FST: every signal that the save file shows is found, and packets show by
//! name. Needs `gtkwave` and a virtual display; without them it fails.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

/// Prints every shown trace with its value at the marker.
const LIST_TRACES: &str = r#"
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
    set name [gtkwave::getTraceNameFromIndex $i]
    puts "trace $name = [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
gtkwave::/File/Quit
"#;

/// What GTKWave shows, opened from another folder than the one the files are in; and all that it says.
fn traces(dump: &Path) -> (Vec<String>, String) {
    let script = dump.with_file_name("list.tcl");
    std::fs::write(&script, LIST_TRACES).unwrap();
    let output = Command::new("timeout")
        .args(["60", "xvfb-run", "-a", "gtkwave", "--rcvar"])
        .args(["splash_disable on", "--script"])
        .arg(&script)
        .arg(dump)
        .arg(dump.with_extension("gtkw"))
        .current_dir("/")
        .output()
        .unwrap_or_else(|error| panic!("timeout, xvfb-run and gtkwave are needed here: {error}"));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let traces = printed
        .lines()
        .filter_map(|line| line.strip_prefix("trace "))
        .map(str::to_owned)
        .collect();
    let said = printed + &String::from_utf8_lossy(&output.stderr);
    (traces, said)
}

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
    let (traces, said) = traces(&dump);

    // A row whose signal is missing vanishes without a word: count signals, labels and group lines.
    let save = std::fs::read_to_string(dump.with_extension("gtkw")).unwrap();
    let (mut signals, mut headings) = (0, 0);
    for line in save.lines() {
        signals += usize::from(line.contains("cube.") && !line.starts_with('['));
        headings += usize::from(line.starts_with('-'));
    }
    assert!(signals > 50);
    assert_eq!(traces.len(), signals + headings, "{traces:#?}\n{said}");
    for row in says {
        assert!(
            traces.iter().any(|trace| trace == row),
            "{row}: {traces:#?}"
        );
    }
    let said = said.to_lowercase();
    for complaint in ["could not", "not found", "unsupported", "syntax"] {
        assert!(!said.contains(complaint), "{said}");
    }
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
        "port 0 receives = tree_1_packet_1",
        "port 0 holds = tree_0_packet_3",
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
