//! The view of every testbench, opened in GTKWave: all its rows are found, something happens on the first screen, a marker is
//! there and names of markers can be read; and docs/waves-names.md describes whatever a dump holds. Needs `gtkwave` and a virtual
//! display; without them it fails.

use crate::common::dump;
use crate::common::gtkwave;
use crate::common::runs;
mod defaults;
mod page;
mod screen;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use dump::{Dump, text_of};
use gtkwave::{PICOSECONDS_PER_TICK, Shown};
use rayon::prelude::*;
use screen::View;

/// Flags of a row of text.
const TEXT: &str = "820";

/// A view takes fewer bytes.
const MOST_BYTES: u64 = 1_000_000;

/// Runs a testbench; returns where its dump is.
fn run(folder: &Path, arguments: &str, dump: &str) -> PathBuf {
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .arg("run")
        .args(arguments.split(' '))
        .args(["--wave", dump])
        .current_dir(folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {said}");
    folder.join(dump)
}

/// Rows of the first screen, but for the clock, that change while they can be seen.
fn changing<'a>(view: &'a View, dump: &Dump, (from, to): (u64, u64)) -> Vec<&'a str> {
    let changes = |path: &&String| {
        let signal = dump.signals.get(*path);
        let signal = signal.unwrap_or_else(|| panic!("{path} is not in the dump"));
        let mut times = signal.iter().map(|(tick, _)| tick * PICOSECONDS_PER_TICK);
        times.any(|time| from < time && time < to)
    };
    let rows = view.in_sight.iter().filter(|path| !path.ends_with(".clk"));
    rows.filter(changes).map(String::as_str).collect()
}

/// Rows that GTKWave shows as text, where the cursor stands, are what the dump says there, those of folded groups apart; and a
/// step is called by its name, the one whose beginning is marked there.
fn values_are_those_of_the_dump(shown: &Shown, view: &View, dump: &Dump, what: &str) {
    let (tick, mut texts) = (view.cursor / PICOSECONDS_PER_TICK, 0);
    assert_eq!(shown.rows.len(), view.rows.len(), "{what}");
    for (row, signal) in shown.rows.iter().zip(&view.rows) {
        let Some((flags, path)) = signal else {
            continue;
        };
        let (name, value) = row.split_once(" = ").unwrap();
        if value.is_empty() {
            continue;
        }
        if flags == TEXT {
            let changes = dump.signals[path].iter();
            let (_, due) = changes
                .take_while(|change| change.0 <= tick)
                .last()
                .unwrap();
            let due = match dump.texts.contains(path) {
                true => due.clone(),
                false => text_of(due),
            };
            assert_eq!(value.trim_matches('"'), due, "{what}: {row}");
            texts += 1;
        } else if name.split('[').next() == Some("step") {
            let is_here = |(time, name): &&(u64, String)| {
                *time == view.cursor && name.bytes().all(|byte| byte.is_ascii_digit())
            };
            let marked = view.markers.iter().find(is_here);
            let begin = marked.map_or(String::new(), |(_, step)| format!("{step}_"));
            let is_name =
                value.contains(|c: char| c.is_ascii_alphabetic() && !c.is_ascii_hexdigit());
            assert!(is_name && value.starts_with(&begin), "{what}: {row}");
        }
    }
    assert!(texts > 0, "{what}: {:?}", shown.rows);
}

fn tells_something(arguments: &str, dump: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = run(folder.path(), arguments, dump);
    let view = View::read(&path.with_extension("gtkw"));
    assert!(
        !view.machine.is_empty() && !view.in_sight.is_empty(),
        "{arguments}: {view:?}"
    );
    // Every row is found; and GTKWave says what time it opens on.
    let shown = gtkwave::opens(&path, (&view.machine, 15));
    let window = shown.window;
    assert!(window.0 < window.1, "{arguments}: {window:?}");
    let dump = Dump::read(&path);
    let changing = changing(&view, &dump, window);
    assert!(
        !changing.is_empty(),
        "{arguments}: nothing happens in {window:?}"
    );
    assert!(
        !view.seen(window).is_empty(),
        "{arguments}: no marker in {window:?}: {view:?}"
    );
    assert_eq!(view.collision(window), None, "{arguments}: {view:?}");
    values_are_those_of_the_dump(&shown, &view, &dump, arguments);
}

/// In both formats by turns. GTKWave waits for its display more than it works, so there are more of them than cores.
fn tell_something(runs: &[&str]) {
    let several = rayon::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .unwrap();
    let runs = runs.par_iter().enumerate();
    several.install(|| {
        runs.for_each(|(number, run)| tells_something(run, ["run.vcd", "run.fst"][number % 2]));
    });
}

#[test]
fn routers_of_whole_messages() {
    tell_something(runs::OF_MESSAGES);
}

#[test]
fn routers_of_several_messages() {
    tell_something(runs::OF_SEVERAL);
}

#[test]
fn wormhole_routers() {
    tell_something(runs::OF_WORMS);
}

#[test]
fn operations() {
    tell_something(runs::OF_OPERATIONS);
}

/// A run on a machine of 256 nodes or more; on a network from a file, of those that it has.
fn of_many_nodes(run: &str) -> String {
    if run.contains("--network-file") {
        return run.to_owned();
    }
    let bench = run.split(' ').next().unwrap();
    let dims = match run {
        // Levels of as many columns; cubes that hold copies of them; blocks of as many nodes, and four of those.
        _ if run.contains("--network ccc") => 6,
        _ if run.contains("--network copies") => 11,
        _ if run.contains("--network butterflies") => 12,
        _ if run.contains("--network reduced-hypercube") => 4,
        _ => 8,
    };
    let options: Vec<&str> = run.split(" --").skip(1).collect();
    let kept = options.iter().filter(|option| !option.starts_with("dims"));
    let kept: String = kept.map(|option| format!(" --{option}")).collect();
    format!("{bench} --dims {dims}{kept}")
}

/// Whether it is asked for all nodes or not: a dump may be large, its view not.
#[test]
fn views_of_many_nodes_are_small() {
    // One of every third testbench.
    let mut seen = HashSet::new();
    let one_of_each = runs::all().filter(|run| seen.insert(run.split(' ').next()));
    of_many_nodes_are_small(one_of_each.step_by(3));
}

#[test]
#[ignore = "long: every testbench"]
fn views_of_many_nodes_of_every_testbench_are_small() {
    of_many_nodes_are_small(runs::all());
}

fn of_many_nodes_are_small(runs: impl Iterator<Item = &'static str>) {
    for one in runs {
        let folder = tempfile::tempdir().unwrap();
        let arguments = of_many_nodes(one) + " --trace-nodes all --trace-to 3";
        let path = run(folder.path(), &arguments, "run.vcd").with_extension("gtkw");
        let bytes = std::fs::metadata(&path).unwrap().len();
        assert!(bytes < MOST_BYTES, "{arguments}: {bytes} bytes");
        assert!(bytes > 10_000, "{arguments}: {bytes} bytes");
    }
}
