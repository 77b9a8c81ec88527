//! GTKWave opens the view of the main job, as VCD and as FST, and of what an exported Verilog project
//! dumps: every signal that the save file shows is found, and the steps show by name. Needs `gtkwave`, a
//! virtual display and `iverilog`; without them it fails.

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

fn run(folder: &Path, arguments: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments)
        .current_dir(folder)
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
}

/// What GTKWave shows.
fn traces(folder: &Path, dump: &str, view: &str) -> Vec<String> {
    let printed = gtkwave(folder, dump, view, LIST_TRACES);
    printed
        .lines()
        .filter_map(|line| line.strip_prefix("trace "))
        .map(str::to_owned)
        .collect()
}

/// What GTKWave prints when it runs a script, opened from another folder than the one the files are in.
fn gtkwave(folder: &Path, dump: &str, view: &str, commands: &str) -> String {
    let script = folder.join("commands.tcl");
    std::fs::write(&script, commands).unwrap();
    let output = Command::new("timeout")
        .args([
            "60",
            "xvfb-run",
            "-a",
            "gtkwave",
            "--rcvar",
            "splash_disable on",
            "--script",
        ])
        .arg(&script)
        .arg(folder.join(dump))
        .arg(folder.join(view))
        .current_dir("/")
        .output()
        .unwrap_or_else(|error| panic!("timeout, xvfb-run and gtkwave are needed here: {error}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn shows_every_signal_and_steps_by_name(arguments: &[&str], dump: &str) {
    let folder = tempfile::tempdir().unwrap();
    run(folder.path(), arguments);
    let traces = is_whole(folder.path(), dump, "kuszmaul.gtkw");
    // The message that is followed, by name, where something begins.
    let is_named = |row: &String| row.starts_with("followed message = ") && row.contains("->");
    assert!(traces.iter().any(is_named), "{traces:#?}");
    // Where steps overlap, units show by name too, and a row says what the names are short for.
    let (said, users): (Vec<&String>, Vec<&String>) =
        (traces.iter().filter(|row| row.starts_with("user_"))).partition(|row| row.contains(':'));
    for row in &users {
        let (name, unit) = row.split_once(" = ").unwrap();
        assert!(!name.contains('['), "{row}");
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(
            matches!(unit, "" | "\"\"") || unit.chars().all(is_name),
            "{row}"
        );
        assert!(!unit.starts_with(|c: char| c.is_ascii_digit()), "{row}");
    }
    let overlaps = arguments.contains(&"--schedule");
    assert_eq!(users.len(), if overlaps { 6 } else { 0 }, "{traces:#?}");
    let explains = said.iter().any(|row| row.contains("ex = exchange"));
    assert_eq!(explains, overlaps, "{traces:#?}");
}

fn is_whole(folder: &Path, dump: &str, view: &str) -> Vec<String> {
    let traces = traces(folder, dump, view);

    // A row whose signal is missing vanishes without a word: count signals, labels and group lines.
    let save = std::fs::read_to_string(folder.join(view)).unwrap();
    let (mut signals, mut headings) = (0, 0);
    for line in save.lines() {
        signals += usize::from(line.contains("cube.") && !line.starts_with('['));
        headings += usize::from(line.starts_with('-'));
    }
    assert!(signals > 100);
    assert_eq!(traces.len(), signals + headings, "{traces:#?}");

    // The cursor stands where a step goes on that has a name.
    let step = traces
        .iter()
        .find(|trace| trace.starts_with("step"))
        .unwrap();
    let (_, name) = step.split_once(" = ").unwrap();
    let is_name = name.contains('_') && name.chars().any(|c| c.is_ascii_lowercase());
    assert!(is_name, "{step}");
    traces
}

/// The exported Verilog, run in Icarus.
#[test]
fn the_dump_of_a_verilog_project() {
    let folder = tempfile::tempdir().unwrap();
    run(
        folder.path(),
        &["verilog", "kuszmaul", "--dims", "4", "--out", "."],
    );
    for [program, arguments] in [
        [
            "iverilog",
            "-g2005 -o tb.vvp node.v sequencer.v cube.v tb.v",
        ],
        ["vvp", "tb.vvp +vcd"],
    ] {
        let status = Command::new(program)
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .status()
            .unwrap_or_else(|error| panic!("{program} is needed here: {error}"));
        assert!(status.success());
    }
    let traces = is_whole(folder.path(), "tb.vcd", "tb.gtkw");
    // The cursor stands where the third step begins.
    let is_third = |row: &String| row.starts_with("step") && row.ends_with("= 3_pack_messages");
    assert!(traces.iter().any(is_third), "{traces:#?}");
}

#[test]
fn the_main_job() {
    shows_every_signal_and_steps_by_name(&[], "kuszmaul.vcd");
}

#[test]
fn the_same_as_fst() {
    let arguments = ["run", "kuszmaul", "--wave", "kuszmaul.fst"];
    shows_every_signal_and_steps_by_name(&arguments, "kuszmaul.fst");
}

/// Where steps overlap, the one that began last is shown, and who drives the wires of each dimension.
#[test]
fn schedules_whose_steps_overlap() {
    for (schedule, dump) in [
        ("overlapped", "kuszmaul.vcd"),
        ("folded", "kuszmaul.fst"),
        ("radix4", "kuszmaul.fst"),
        ("spread", "kuszmaul.vcd"),
        ("radix4", "kuszmaul.vcd"),
    ] {
        let arguments = ["run", "kuszmaul", "--schedule", schedule, "--wave", dump];
        shows_every_signal_and_steps_by_name(&arguments, dump);
    }
}

/// Its head is not cubewave's any more, so it counts as edited.
#[test]
fn a_view_that_gtkwave_saved_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let there = |name: &str| folder.path().join(name);
    run(folder.path(), &[]);
    assert!(!there("kuszmaul.new.gtkw").exists());
    let save = "gtkwave::/File/Write_Save_File\ngtkwave::/File/Quit\n";
    gtkwave(folder.path(), "kuszmaul.vcd", "kuszmaul.gtkw", save);
    let saved = std::fs::read_to_string(there("kuszmaul.gtkw")).unwrap();
    assert!(saved.contains("GTKWave Analyzer"), "{saved}");
    run(folder.path(), &[]);
    assert_eq!(
        std::fs::read_to_string(there("kuszmaul.gtkw")).unwrap(),
        saved
    );
    is_whole(folder.path(), "kuszmaul.vcd", "kuszmaul.new.gtkw");
}
