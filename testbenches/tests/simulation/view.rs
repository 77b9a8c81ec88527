//! `cubewave view`: which viewer is started on what, and what is refused. A viewer in these tests is a script that writes down its
//! arguments; `tests/tools/view_gtkwave.rs` has the real one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use tempfile::TempDir;

/// A folder with `bin`, the only folder on PATH but those of the system's shell, and `here`.
struct Place(TempDir);

impl Place {
    fn new(viewers: &[&str]) -> Self {
        let place = Place(tempfile::tempdir().unwrap());
        fs::create_dir(place.0.path().join("bin")).unwrap();
        fs::create_dir(place.here("")).unwrap();
        for viewer in viewers {
            // It goes on, as a viewer does.
            place.viewer(
                viewer,
                "echo \"${0##*/}\" \"$@\" > started\nexec /bin/sleep 2",
            );
        }
        place
    }

    fn viewer(&self, name: &str, script: &str) {
        let path = self.0.path().join("bin").join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn here(&self, name: &str) -> PathBuf {
        self.0.path().join("here").join(name)
    }

    fn is_there(&self, name: &str) -> bool {
        self.here(name).exists()
    }

    /// Without the variables of any display but this.
    fn run_on(&self, display: Option<(&str, &str)>, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_cubewave"))
            .args(arguments.split(' '))
            .current_dir(self.here(""))
            .env("PATH", self.0.path().join("bin"))
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .envs(display)
            .output()
            .unwrap()
    }

    fn run(&self, arguments: &str) -> Output {
        self.run_on(Some(("DISPLAY", ":0")), arguments)
    }

    /// The program that was started, and its arguments; it may not have come to writing them down yet. None if none was.
    fn started(&self) -> Option<String> {
        for _ in 0..200 {
            let words = fs::read_to_string(self.here("started")).unwrap_or_default();
            if words.ends_with('\n') {
                fs::remove_file(self.here("started")).unwrap();
                return Some(words.trim_end().replace('\n', " "));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        None
    }

    /// No viewer was, nor is one starting: the command has ended.
    fn none_was_started(&self) -> bool {
        !self.is_there("started")
    }
}

fn said(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn is_refused(output: &Output, says: &str) {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(said(&output.stderr), format!("error: {says}\n"));
}

const GTKWAVE: &str = "gtkwave packing.vcd packing.gtkw";
const SURFER: &str = "surfer packing.vcd -c packing.surfer.sucl";

#[test]
fn a_testbench_is_run_and_its_waveform_opened() {
    let place = Place::new(&["gtkwave", "surfer"]);
    let output = place.run("view packing --dims 3");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(place.started().as_deref(), Some(GTKWAVE));
    assert_eq!(said(&output.stderr), format!("opened: {GTKWAVE}\n"));
    let report = said(&output.stdout);
    assert!(report.starts_with("packing: ") && report.contains("\n  surfer  packing.surfer.sucl"));

    // The options are those of a run, the waveform's among them; what is said of the viewer does not come among what a script reads.
    let output = place.run("view --viewer surfer packing --dims 3 --wave mine.fst --format json");
    let expected = "surfer mine.fst -c mine.surfer.sucl";
    assert_eq!(place.started().as_deref(), Some(expected), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["outputs"]["wave"], "mine.fst");
    assert_eq!(report["outputs"]["surfer_view"], "mine.surfer.sucl");

    // A view that somebody edited stands beside the new one.
    fs::write(place.here("packing.gtkw"), "[*] mine\n").unwrap();
    place.run("view packing --dims 3 --trace-nodes 0,1");
    let new = "gtkwave packing.vcd packing.new.gtkw";
    assert_eq!(place.started().as_deref(), Some(new));
}

#[test]
fn the_first_viewer_that_is_installed_is_taken() {
    for (viewers, wanted, expected) in [
        (&["surfer"][..], "", Some(SURFER)),
        (&["gtkwave", "surfer"], "", Some(GTKWAVE)),
        (&["gtkwave", "surfer"], " --viewer surfer", Some(SURFER)),
        (&["gtkwave", "surfer"], " --viewer none", None),
    ] {
        let place = Place::new(viewers);
        place.run("run packing --dims 2 --wave packing.vcd");
        let output = place.run(&format!("view packing.vcd{wanted}"));
        assert!(output.status.success(), "{output:?}");
        match expected {
            Some(_) => assert_eq!(place.started().as_deref(), expected, "{wanted}"),
            None => assert!(place.none_was_started(), "{wanted}"),
        }
        let printed = expected.map_or(format!("{GTKWAVE}\n"), |_| String::new());
        assert_eq!(said(&output.stdout), printed);
    }
}

#[test]
fn a_dump_by_itself_is_opened_alone() {
    let place = Place::new(&["gtkwave", "surfer"]);
    place.run("run packing --dims 2 --wave packing.vcd");
    fs::remove_file(place.here("packing.gtkw")).unwrap();
    let output = place.run("view packing.vcd");
    assert_eq!(place.started().as_deref(), Some("gtkwave packing.vcd"));
    assert_eq!(
        said(&output.stderr),
        "there is no view of packing.vcd beside it, so it is opened alone\nopened: gtkwave packing.vcd\n"
    );
    place.run("view packing.vcd --viewer surfer");
    assert_eq!(place.started().as_deref(), Some(SURFER));
}

#[test]
fn without_a_viewer_or_a_display_the_files_are_there() {
    let files = ["packing.vcd", "packing.gtkw", "packing.surfer.sucl"];
    let place = Place::new(&[]);
    is_refused(
        &place.run("view packing --dims 2"),
        &format!(
            "none of gtkwave, surfer is installed, as far as PATH says: install GTKWave (Debian: apt-get install gtkwave) or \
             Surfer (https://surfer-project.org); then type: {GTKWAVE}"
        ),
    );
    assert!(files.iter().all(|name| place.is_there(name)));

    let place = Place::new(&["gtkwave"]);
    is_refused(
        &place.run("view packing --dims 2 --viewer surfer"),
        &format!(
            "surfer is not installed, as far as PATH says: install Surfer (https://surfer-project.org); then type: {SURFER}"
        ),
    );
    let place = Place::new(&["gtkwave"]);
    for display in [None, Some(("DISPLAY", ""))] {
        let output = place.run_on(display, "view packing --dims 2");
        assert_eq!(output.status.code(), Some(2));
        let refusal = said(&output.stderr);
        assert!(
            refusal.starts_with("error: there is no display: "),
            "{refusal}"
        );
        assert!(refusal.contains(GTKWAVE), "{refusal}");
        assert!(files.iter().all(|name| place.is_there(name)));
        assert!(place.none_was_started());
    }
    let wayland = Some(("WAYLAND_DISPLAY", "wayland-0"));
    assert!(place.run_on(wayland, "view packing.vcd").status.success());
    assert_eq!(place.started().as_deref(), Some(GTKWAVE));
    // Who asks for the command alone needs neither.
    let output = Place::new(&[]).run_on(None, "view packing --dims 2 --viewer none");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(said(&output.stderr), format!("{GTKWAVE}\n"));
}

#[test]
fn a_viewer_that_fails_is_reported() {
    let place = Place::new(&["gtkwave"]);
    place.run("run packing --dims 2 --wave packing.vcd");
    place.viewer("gtkwave", "echo 'no room' >&2\nexit 3");
    let failed = format!("`{GTKWAVE}` ended at once with exit status: 3: no room");
    is_refused(&place.run("view packing.vcd"), &failed);
    place.viewer("gtkwave", "echo 'Could not initialize GTK!' >&2");
    let failed =
        format!("`{GTKWAVE}` ended at once with exit status: 0: Could not initialize GTK!");
    is_refused(&place.run("view packing.vcd"), &failed);
    // One that hands the files on to another window ends too.
    place.viewer("gtkwave", "echo \"$@\" > started");
    assert!(place.run("view packing.vcd").status.success());
    assert_eq!(place.started().as_deref(), Some("packing.vcd packing.gtkw"));
}

#[test]
fn what_is_no_dump_is_refused() {
    let place = Place::new(&["gtkwave"]);
    fs::write(place.here("notes.txt"), "$date").unwrap();
    fs::write(place.here("notes.vcd"), "mine").unwrap();
    fs::write(place.here("empty.fst"), "").unwrap();
    fs::write(place.here("notes"), "").unwrap();
    let by_name = "is no dump by its name: viewers are given VCD (ending .vcd) or FST (.fst)";
    for (name, refusal) in [
        ("notes.txt", format!("notes.txt {by_name}")),
        ("notes", format!("notes {by_name}")),
        (
            "notes.vcd",
            "notes.vcd is no VCD: it does not begin as one does".to_owned(),
        ),
        (
            "empty.fst",
            "empty.fst is no FST: it does not begin as one does".to_owned(),
        ),
        (
            "no.vcd",
            "cannot read no.vcd: No such file or directory (os error 2)".to_owned(),
        ),
    ] {
        is_refused(&place.run(&format!("view {name}")), &refusal);
        assert!(place.none_was_started(), "{name}");
    }
    let output = place.run("view pakcing");
    assert_eq!(output.status.code(), Some(2));
    let refusal = said(&output.stderr);
    assert!(refusal.contains("there is no testbench `pakcing` (did you mean `packing`?)"));

    let output = place.run("view packing.vcd --dims 3");
    assert_eq!(output.status.code(), Some(2), "a dump has no dimensions");
    let output = place.run("view packing --dims 99");
    assert_eq!(output.status.code(), Some(2));
    assert!(
        !place.is_there("packing.vcd"),
        "nothing is run that is refused"
    );
}

/// What was written in one place is opened from another.
#[test]
fn files_are_found_from_elsewhere() {
    let place = Place::new(&["gtkwave"]);
    fs::create_dir(place.here("waves of mine")).unwrap();
    let dump = Path::new("waves of mine/-run.fst");
    let cubewave = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cubewave"));
        command.args(words).arg(dump).current_dir(place.here(""));
        let command = command.env("PATH", place.0.path().join("bin"));
        command.env("DISPLAY", ":0").output().unwrap()
    };
    assert!(
        cubewave(&["run", "packing", "--dims", "2", "--wave"])
            .status
            .success()
    );
    let output = cubewave(&["view"]);
    let expected = "gtkwave waves of mine/-run.fst waves of mine/-run.gtkw";
    assert_eq!(place.started().as_deref(), Some(expected));
    let shown = "opened: gtkwave 'waves of mine/-run.fst' 'waves of mine/-run.gtkw'\n";
    assert_eq!(said(&output.stderr), shown);
}
