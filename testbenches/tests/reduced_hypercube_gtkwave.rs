//! GTKWave opens the views of collective operations, as VCD and as FST: every signal that the save file shows is found, steps and
//! ways show by name and words as numbers. Needs `gtkwave` and a virtual display; without them it fails.
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
        .arg("run")
        .args(arguments.split(' '))
        .args(["--dims", "3", "--blocks", "2", "--wave"])
        .arg(&dump)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let (traces, said) = traces(&dump);

    // A row whose signal is missing vanishes without a word: count signals, labels and group lines.
    let save = std::fs::read_to_string(dump.with_extension("gtkw")).unwrap();
    let (mut signals, mut headings) = (0, 0);
    for line in save.lines() {
        signals += usize::from(line.contains("rh.") && !line.starts_with('['));
        headings += usize::from(line.starts_with('-'));
    }
    assert!(signals > 30, "{signals}");
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
