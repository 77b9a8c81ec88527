//! What GTKWave says of a dump and the view beside it.

use std::path::Path;
use std::process::Command;

/// Prints what can be seen of time, and every shown trace with its value at the marker.
const LIST_TRACES: &str = r#"
puts "window [gtkwave::getWindowStartTime] [gtkwave::getWindowEndTime]"
for {set i 0} {$i < [gtkwave::getTotalNumTraces]} {incr i} {
    set name [gtkwave::getTraceNameFromIndex $i]
    puts "trace $name = [gtkwave::getTraceValueAtMarkerFromIndex $i]"
}
gtkwave::/File/Quit
"#;

/// Picoseconds in a tick of a dump; GTKWave counts time in those of a save file.
pub const PICOSECONDS_PER_TICK: u64 = 100;

/// What GTKWave shows of a dump through the view beside it.
pub struct Shown {
    /// All rows, with their values where the cursor stands.
    pub rows: Vec<String>,
    /// The time that can be seen without scrolling, as GTKWave counts it.
    pub window: (u64, u64),
    /// All that it says.
    pub said: String,
}

/// What GTKWave prints when it runs a script, opened from another folder than the one the files are in.
pub fn says(dump: &Path, view: &Path, script: &str) -> String {
    let commands = dump.with_file_name("commands.tcl");
    std::fs::write(&commands, script).unwrap();
    let output = Command::new("timeout")
        .args([
            "60",
            "xvfb-run",
            "-a",
            "-s",
            "-screen 0 1600x1100x24",
            "gtkwave",
            "--rcvar",
        ])
        .args(["splash_disable on", "--script"])
        .args([&commands, dump, view])
        .current_dir("/")
        .output()
        .unwrap_or_else(|error| panic!("timeout, xvfb-run and gtkwave are needed here: {error}"));
    let [printed, complained] = [output.stdout, output.stderr];
    String::from_utf8_lossy(&printed).into_owned() + &String::from_utf8_lossy(&complained)
}

/// What it shows of a dump through the view beside it.
fn open(dump: &Path) -> Shown {
    let said = says(dump, &dump.with_extension("gtkw"), LIST_TRACES);
    let lines = |begin: &'static str| {
        said.lines()
            .filter_map(move |line| line.strip_prefix(begin))
    };
    let rows = lines("trace ").map(str::to_owned).collect();
    let window = lines("window ")
        .next()
        .and_then(|times| times.split_once(' '));
    let (from, to) = window.unwrap_or_else(|| panic!("no window: {said}"));
    let window = (from.parse().unwrap(), to.parse().unwrap());
    Shown { rows, window, said }
}

/// Opens a dump: all that its view shows is there, more than `least` signals of `machine`.
pub fn opens(dump: &Path, (machine, least): (&str, usize)) -> Shown {
    let shown = open(dump);
    // A row whose signal is missing vanishes without a word: count signals, labels and group lines.
    let save = std::fs::read_to_string(dump.with_extension("gtkw")).unwrap();
    let (mut signals, mut headings) = (0, 0);
    for line in save.lines() {
        signals += usize::from(line.contains(machine) && !line.starts_with('['));
        headings += usize::from(line.starts_with('-'));
    }
    let (rows, said) = (&shown.rows, shown.said.to_lowercase());
    assert!(signals > least, "{signals}");
    assert_eq!(rows.len(), signals + headings, "{rows:#?}\n{said}");
    for complaint in ["could not", "not found", "unsupported", "syntax"] {
        assert!(!said.contains(complaint), "{said}");
    }
    shown
}
