//! The command file for Surfer shows what the view in GTKWave does: the same rows with the same names and colours, in the same groups,
//! folded or not, with the same markers and cursor. All that it names is in the dump, as the library finds it that Surfer reads dumps
//! with. Surfer itself is not needed: what it does with the commands is restated in `common/surfer.rs`.

use crate::common::surfer;
use std::path::Path;
use std::process::Command;

use surfer::{Row, Surfer, What};

/// What GTKWave's save file says, as Surfer has it.
fn save_file(path: &Path) -> Surfer {
    let (mut view, mut flags, mut level) = (Surfer::default(), String::new(), 0);
    let (mut colour, mut names, mut times) = (None, Vec::new(), Vec::new());
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let mut push = |what, name: &str, level, unfolded, colour| {
            view.rows.push(Row {
                what,
                name: name.to_owned(),
                level,
                unfolded,
                colour,
                format: None,
            });
        };
        if let Some(new) = line.strip_prefix('@') {
            (flags, colour) = (new.to_owned(), None);
        } else if let Some(number) = line.strip_prefix("[color] ") {
            let place: usize = number.parse().unwrap();
            let colours = [
                "Red", "Orange", "Yellow", "Green", "Blue", "Indigo", "Violet",
            ];
            colour = Some(colours[place - 1].to_owned());
        } else if let Some(name) = line.strip_prefix("[markername] ") {
            names.push(name[1..].to_owned());
        } else if let Some(zoom) = line.strip_prefix('*') {
            times = zoom
                .split(' ')
                .skip(1)
                .map(|time| time.parse().unwrap())
                .collect();
        } else if line.starts_with(['[', '^']) {
        } else if let Some(text) = line.strip_prefix('-') {
            match flags.as_str() {
                "800200" | "c00200" => {
                    push(What::Group, text, level, flags == "800200", None);
                    level += 1;
                }
                "1000200" | "1401200" => level -= 1,
                _ if text.is_empty() => {}
                _ => push(What::Divider, text, level, true, None),
            }
        } else {
            let (name, path) = match line.strip_prefix("+{") {
                Some(named) => named.split_once("} ").unwrap(),
                None => (line.rsplit('.').next().unwrap(), line),
            };
            // Without the range, which stands behind the name.
            let bare = |text: &str| match text.rsplit_once('[') {
                Some((bare, range)) if range.contains(':') => bare.to_owned(),
                _ => text.to_owned(),
            };
            push(
                What::Variable(bare(path)),
                &bare(name),
                level,
                true,
                colour.clone(),
            );
        }
    }
    // Groups with nothing in them, innermost first.
    for place in (0..view.rows.len()).rev() {
        let row = &view.rows[place];
        let next = view.rows.get(place + 1);
        if row.what == What::Group && next.is_none_or(|next| next.level <= row.level) {
            view.rows.remove(place);
        }
    }
    // Picoseconds, the cursor first.
    let ticks = |time: i64| u64::try_from(time).ok().map(|time| time / 100);
    view.cursor = ticks(times[0]);
    let times = times[1..].iter().map_while(|time| ticks(*time));
    view.markers = names.into_iter().zip(times).collect();
    view
}

/// The two views of a dump, which show the same.
pub fn views_agree(dump: &Path) -> Surfer {
    let shown = Surfer::shows(dump, &dump.with_extension("surfer.sucl"));
    let expected = save_file(&dump.with_extension("gtkw"));
    let bare = |row: &Row| {
        let mut row = row.clone();
        row.format = None;
        // The code of the step is shown by name: in GTKWave by a filter, in Surfer it is the text.
        if let What::Variable(path) = &mut row.what
            && let Some(scope) = path.strip_suffix(".step_name")
        {
            *path = format!("{scope}.step");
        }
        row
    };
    // Where a command ends, and where a line does.
    let plain = |name: &str| name.replace(['#', ';'], "_");
    assert_eq!(shown.rows.len(), expected.rows.len(), "{}", dump.display());
    let mut folded_above = usize::MAX;
    for (shown, expected) in shown.rows.iter().zip(&expected.rows) {
        let (mut shown, mut expected) = (bare(shown), bare(expected));
        expected.name = plain(&expected.name);
        // What is in a folded group is folded too, until somebody unfolds it.
        if expected.level > folded_above {
            shown.unfolded = expected.unfolded;
        } else {
            folded_above = match expected.unfolded {
                true => usize::MAX,
                false => expected.level,
            };
        }
        assert_eq!(shown, expected, "{}", dump.display());
    }
    let markers = expected.markers.iter();
    let markers: Vec<_> = markers.map(|(name, at)| (plain(name), *at)).collect();
    assert_eq!(shown.markers, markers);
    if expected.cursor.is_some() {
        assert_eq!(shown.cursor, expected.cursor);
    }
    shown
}

fn run(folder: &Path, arguments: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split(' '))
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments}: {output:?}");
}

/// Texts are strings in one format and characters in the other; each kind has its own format.
#[test]
fn values_are_shown_by_their_kind() {
    for (ending, of_text) in [("vcd", None), ("fst", Some("ASCII"))] {
        let folder = tempfile::tempdir().unwrap();
        run(
            folder.path(),
            &format!("run kuszmaul --dims 3 --wave run.{ending}"),
        );
        let dump = folder.path().join("run").with_extension(ending);
        let shown = views_agree(&dump);
        let format = |name: &str| {
            let row = shown.rows.iter().find(|row| row.name == name);
            row.unwrap_or_else(|| panic!("{name}")).format.as_deref()
        };
        assert_eq!(format("step"), of_text);
        assert_eq!(format("clk"), None);
        assert_eq!(format("driven"), Some("Binary"));
        assert_eq!(format("occupied_bits"), Some("Unsigned"));
        assert_eq!(format("rendezvous"), Some("Hexadecimal"));
        let step = shown.rows.iter().find(|row| row.name == "step").unwrap();
        assert_eq!(
            step.what,
            What::Variable("cube.sequencer.step_name".to_owned())
        );
    }
}

/// It is a file of the view as the others are: what somebody edited stays, and a new set stands beside it.
#[test]
fn an_edited_command_file_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let there = |name: &str| folder.path().join(name);
    let again = || run(folder.path(), "run kuszmaul --dims 2 --wave run.vcd");
    again();
    let first = std::fs::read_to_string(there("run.surfer.sucl")).unwrap();
    again();
    assert!(!there("run.new.surfer.sucl").exists());
    let edited = first + "zoom_fit\n";
    std::fs::write(there("run.surfer.sucl"), &edited).unwrap();
    again();
    assert_eq!(
        std::fs::read_to_string(there("run.surfer.sucl")).unwrap(),
        edited
    );
    for name in ["run.new.surfer.sucl", "run.new.gtkw", "run.new.step.filter"] {
        assert!(there(name).exists(), "{name}");
    }
}
