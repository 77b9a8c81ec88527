//! What GTKWave says of a dump and the view beside it.

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

/// All that the view of a dump shows is there, more than `least` signals of `machine`; and what these rows say where the third marker
/// stands. Returns all rows, with their values there.
pub fn shows_all(dump: &Path, (machine, least): (&str, usize), says: &[&str]) -> Vec<String> {
    let (traces, said) = traces(dump);
    // A row whose signal is missing vanishes without a word: count signals, labels and group lines.
    let save = std::fs::read_to_string(dump.with_extension("gtkw")).unwrap();
    let (mut signals, mut headings) = (0, 0);
    for line in save.lines() {
        signals += usize::from(line.contains(machine) && !line.starts_with('['));
        headings += usize::from(line.starts_with('-'));
    }
    assert!(signals > least, "{signals}");
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
    traces
}
