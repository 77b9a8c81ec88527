//! First screens of runs that give nothing but what is to run, as GTKWave shows them: names and values are not cut, labels have room
//! in their cells, and what is followed begins on the screen.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use crate::common::gtkwave::{self, PICOSECONDS_PER_TICK, Shown};
use crate::views::dump::Dump;
use crate::views::screen::View;
use crate::views::{TEXT, run, runs};

/// Pixels of a character beside the waves, and of one in a cell.
const OF_NAMES: f64 = 8.0;
const OF_LABELS: f64 = 6.0;
/// Of the cells of texts on a screen, by their width, those that have to be as wide as their labels.
const LEGIBLE: f64 = 0.6;
/// Rows of text that hold all the time: they begin with blanks, and have the room of the waves.
const CAPTIONS: [&str; 3] = ["about", "colours", "names"];

/// Runs that are short enough for the end of what is shown to be on the screen.
const SHORT: [&str; 8] = [
    "radix",
    "bitonic",
    "packing",
    "permuted-send",
    "histogram",
    "prefix",
    "reduce",
    "sort",
];

/// The commands: each testbench with what chooses it and its schedule or network, without any size.
fn commands() -> BTreeSet<String> {
    let is_choice = |option: &&str| {
        let names = [
            "schedule",
            "network",
            "batches",
            "h",
            "processors",
            "ports",
            "algorithm",
        ];
        names
            .iter()
            .any(|name| option.starts_with(&format!("{name} ")))
    };
    let of = |run: &str| {
        let mut words = run.split(" --");
        let bench = words.next().unwrap_or_default().to_owned();
        words
            .filter(is_choice)
            .fold(bench, |all, option| format!("{all} --{option}"))
    };
    runs::all().map(of).collect()
}

/// What is wrong with the pane of names and values.
fn cut(view: &View, shown: &Shown) -> Option<String> {
    let (mut names, mut values) = (0, (0, ""));
    for ((row, signal), is_open) in shown.rows.iter().zip(&view.rows).zip(&view.is_open) {
        let (name, value) = match signal {
            Some(_) => row.split_once(" = ").unwrap_or((row, "")),
            None => (row.strip_suffix(" = ").unwrap_or(row), ""),
        };
        if *is_open {
            names = names.max(name.len());
            // Behind what it is called, a text has the room of the waves.
            let value = value.split("  ").next().unwrap_or_default();
            if value.len() > values.0 && !CAPTIONS.contains(&name) {
                values = (value.len(), value);
            }
        }
    }
    let needed = (names + 1 + values.0) as f64 * OF_NAMES;
    (needed > view.names_width).then(|| format!("{needed} pixels for `{}`", values.1))
}

/// The share of cells on the screen that are as wide as their labels.
fn legible(view: &View, dump: &Dump, (from, to): (u64, u64)) -> f64 {
    let pixel = |time: u64| (time.clamp(from, to) - from) as f64 / (to - from) as f64 * view.pixels;
    let (mut fitting, mut all) = (0.0, 0.0);
    let is_text = |path: &str| {
        view.rows
            .iter()
            .flatten()
            .any(|(flags, one)| flags == TEXT && one == path)
    };
    for path in view.in_sight.iter().filter(|path| is_text(path)) {
        let changes = &dump.signals[path];
        let ends = changes
            .iter()
            .skip(1)
            .map(|(tick, _)| *tick)
            .chain([u64::MAX / PICOSECONDS_PER_TICK]);
        for ((tick, label), end) in changes.iter().zip(ends) {
            let room = pixel(end * PICOSECONDS_PER_TICK) - pixel(tick * PICOSECONDS_PER_TICK);
            if label.is_empty() || room <= 0.0 {
                continue;
            }
            all += room;
            if label.len() as f64 * OF_LABELS <= room {
                fitting += room;
            }
        }
    }
    if all > 0.0 { fitting / all } else { 1.0 }
}

/// What is wrong with what is followed.
fn lost(dump: &Dump, (from, to): (u64, u64)) -> Option<String> {
    let said = |name: &str| {
        let end = format!(".followed.{name}");
        let mut signals = dump.signals.iter();
        Some(signals.find(|(path, _)| path.ends_with(&end))?.1)
    };
    // Worms do not say which links they cross, but where their heads are.
    let moves = said("crosses").or_else(|| said("head"))?;
    let first = moves.iter().find(|(_, text)| !text.is_empty());
    match first.map(|(tick, _)| tick * PICOSECONDS_PER_TICK) {
        None => Some("it does not move".to_owned()),
        Some(time) if (from..to).contains(&time) => None,
        Some(time) => Some(format!("it begins to move at {time}")),
    }
}

/// What is missing at the end of a short run. Asked before its panes have their widths, GTKWave tells of a window a fifth too short.
fn endless(command: &str, view: &View, (from, to): (u64, u64)) -> Option<String> {
    let seen = view.seen((from, to + (to - from) / 4));
    let is_end = |(_, name): &&(u64, String)| ["arrived", "done"].contains(&name.as_str());
    let is_ended = seen.into_iter().any(|mark| is_end(&mark));
    let is_short = SHORT.contains(&command);
    (is_short && !is_ended).then(|| "it does not end on the screen".to_owned())
}

/// What is wrong with the first screen of a run.
fn complaints(folder: &Path, command: &str) -> Vec<String> {
    let path = run(folder, command, "run.vcd");
    let view = View::read(&path.with_extension("gtkw"));
    let shown = gtkwave::opens(&path, (&view.machine, 15));
    let (dump, window) = (Dump::read(&path), shown.window);
    let share = legible(&view, &dump, window);
    let unreadable = (share < LEGIBLE).then(|| format!("{share:.2} of the labels can be read"));
    let verdict = "pass: ";
    let has_verdict = shown.rows.iter().any(|row| row.starts_with(verdict));
    let no_verdict = (!has_verdict).then(|| format!("no row begins with `{verdict}`"));
    let all = [
        cut(&view, &shown),
        unreadable,
        lost(&dump, window),
        endless(command, &view, window),
        no_verdict,
    ];
    all.into_iter()
        .flatten()
        .map(|what| format!("{command}: {what}"))
        .collect()
}

#[test]
fn first_screens_of_defaults_can_be_read() {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(4)
        .build()
        .unwrap();
    let short = SHORT.map(str::to_owned);
    let commands: BTreeSet<String> = commands().into_iter().chain(short).collect();
    let commands: Vec<String> = commands.into_iter().collect();
    let found: Vec<String> = pool.install(|| {
        let each = commands.par_iter().flat_map_iter(|command| {
            let folder = tempfile::tempdir().unwrap();
            complaints(folder.path(), command)
        });
        each.collect()
    });
    assert!(commands.len() > 40, "{commands:?}");
    assert!(found.is_empty(), "{found:#?}");
}
