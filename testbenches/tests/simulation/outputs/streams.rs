//! Standard output and standard error, by all their names; standard input.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::process::{Output, Stdio};

use crate::outputs::folder::{Folder, is_refused, text};
use crate::outputs::{KUSZMAUL, WORMS};

const DELIVERIES: &str = "node,source,payload,bit_time\n";

/// By all names of standard output, whatever it is: the report goes to standard error, and no file gets such a name.
#[test]
fn deliveries_can_go_to_standard_output() {
    let folder = Folder::new();
    for (run, header) in [
        (KUSZMAUL, DELIVERIES),
        (WORMS, "node,source,payload,bit_time,created"),
    ] {
        for name in [
            "-",
            "/dev/stdout",
            "/dev/fd/1",
            "/proc/self/fd/1",
            "here.csv",
        ] {
            let arguments = format!("{run} --deliveries {name}");
            let kept = File::create(folder.path("here.csv")).unwrap();
            let number = kept.metadata().unwrap().ino();
            let output = folder.command(&arguments).stdout(kept).output().unwrap();
            let report = text(&output.stderr);
            assert!(output.status.success(), "{arguments}: {report}");
            let rows = folder.read("here.csv");
            assert!(rows.starts_with(header), "{arguments}: {rows}");
            assert!(rows.lines().count() > 2, "{arguments}: {rows}");
            let written = fs::metadata(folder.path("here.csv")).unwrap();
            assert_eq!(
                written.ino(),
                number,
                "{arguments}: written to, and not replaced"
            );
            // The whole report, and no note before it.
            assert!(
                report.starts_with(run.split(' ').nth(1).unwrap()),
                "{report}"
            );
            let shown = if name == "-" { "standard output" } else { name };
            assert!(
                report.ends_with(&format!("  deliveries  {shown}\n")),
                "{report}"
            );
            assert_eq!(folder.files(), ["here.csv"]);
        }
        let output = folder.run(&format!("{run} --deliveries - --format json"));
        assert!(text(&output.stdout).starts_with(header), "through a pipe");
        let report: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!(report["outputs"]["deliveries"], "-");
    }
}

#[test]
fn deliveries_can_go_to_standard_error() {
    let folder = Folder::new();
    for run in [KUSZMAUL, WORMS] {
        let output = folder.run(&format!("{run} --deliveries /dev/stderr"));
        assert!(output.status.success());
        assert!(text(&output.stderr).starts_with(DELIVERIES.trim_end()));
        assert!(text(&output.stdout).ends_with("  deliveries  /dev/stderr\n"));
        assert!(folder.files().is_empty());
    }
}

#[test]
fn a_plot_can_go_to_standard_output() {
    let folder = Folder::new();
    for measure in [
        "measure kuszmaul --dims 2..=4",
        "measure wormhole --dims 3 --network hypercube --message-bits 16,32",
    ] {
        for name in ["-", "/dev/stdout"] {
            let output = folder.run(&format!("{measure} --plot {name} --format csv"));
            let rows = text(&output.stderr);
            assert!(output.status.success(), "{rows}");
            assert!(text(&output.stdout).starts_with("<svg"));
            assert!(text(&output.stdout).trim_end().ends_with("</svg>"));
            assert!(rows.lines().nth(1).unwrap().contains(",true,"), "{rows}");
        }
    }
    assert!(folder.files().is_empty());
}

/// Where one file, or one pipe, takes both.
#[test]
fn what_would_be_mixed_with_the_report_is_refused() {
    let folder = Folder::new();
    let why = |what: &str| {
        format!(
            "{what} and the report would get mixed: standard output and standard error are the same file: send one \
             of them elsewhere, or name a file for {what}"
        )
    };
    for (arguments, what) in [
        (format!("{KUSZMAUL} --deliveries -"), "the deliveries"),
        (
            format!("{WORMS} --deliveries /dev/stderr"),
            "the deliveries",
        ),
        (
            "measure kuszmaul --dims 2,3 --plot -".to_owned(),
            "the plot",
        ),
    ] {
        let both = File::create(folder.path("both")).unwrap();
        let mut command = folder.command(&arguments);
        command.stdout(both.try_clone().unwrap()).stderr(both);
        assert_eq!(command.status().unwrap().code(), Some(2));
        assert_eq!(folder.read("both"), format!("error: {}\n", why(what)));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let mut command = folder.command("run kuszmaul --dims 10 --deliveries -");
    let mut run = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(run.stdout.take());
    assert!(run.wait().unwrap().success());
}

/// A waveform has a view beside it, and a project is a folder.
#[test]
fn what_needs_files_is_refused_on_standard_output() {
    let why = |what: &str, path: &str| {
        format!(
            "cannot write {what} to {path}: that is standard output, and a file of its own is needed"
        )
    };
    for run in [KUSZMAUL, WORMS] {
        for (wave, to, what, path) in [
            ("-", "out", "the waveform", "-"),
            ("/dev/stdout", "out", "the waveform", "/dev/stdout"),
            ("run.vcd", "run.vcd", "the waveform", "run.vcd"),
            (
                "run.fst",
                "run.gtkw",
                "the view of the waveform",
                "run.gtkw",
            ),
        ] {
            let folder = Folder::new();
            let output = folder.redirected(&format!("{run} --wave {wave} --trace-nodes 0"), to);
            let said = text(&output.stderr);
            let said = said
                .lines()
                .find(|line| line.starts_with("error: "))
                .unwrap();
            assert_eq!(said, format!("error: {}", why(what, path)));
            assert_eq!(output.status.code(), Some(2));
            assert_eq!(folder.read(to), "");
            assert_eq!(folder.files(), [to]);
        }
    }
    let folder = Folder::new();
    let output = folder.redirected(&format!("{KUSZMAUL} --wave run.vcd"), "run.step.filter");
    is_refused(&output, &why("the names of the steps", "run.step.filter"));

    let folder = Folder::new();
    for bench in ["kuszmaul", "wormhole"] {
        let output =
            folder.redirected(&format!("verilog {bench} --dims 2 --out . --force"), "tb.v");
        is_refused(&output, &why("a file of the project", "./tb.v"));
        assert_eq!(folder.files(), ["tb.v"]);
        is_refused(
            &folder.run(&format!("verilog {bench} --dims 2 --out -")),
            &why("a folder", "-"),
        );
    }
}

#[test]
fn traffic_can_come_from_standard_input() {
    let folder = Folder::new();
    let traffic = "source,destination,payload\n0,5,2\n3,0,1\n";
    fs::write(folder.path("mine.csv"), traffic).unwrap();
    let with_input = |arguments: &str, input: &str| {
        let mut command = folder.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut run = command.spawn().unwrap();
        run.stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        run.wait_with_output().unwrap()
    };
    for run in [
        "run kuszmaul --dims 3 --payload-bits 4",
        "run enumeration --dims 3",
        "run wormhole --dims 2 --message-bits 4",
    ] {
        let from_file = folder.run(&format!("{run} --traffic-file mine.csv"));
        let from_input = with_input(&format!("{run} --traffic-file -"), traffic);
        assert!(from_input.status.success(), "{}", text(&from_input.stderr));
        let lines = |output: &Output| -> Vec<String> {
            let report = text(&output.stdout).replace("mine.csv", "standard input");
            let is_timed = |line: &&str| line.contains("ticking took");
            report
                .lines()
                .filter(|line| !is_timed(line))
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(lines(&from_input), lines(&from_file));
        assert!(
            lines(&from_input)
                .iter()
                .any(|line| line.contains("standard input"))
        );
    }
    for bench in ["kuszmaul", "wormhole"] {
        let export = format!("verilog {bench} --dims 3 --out {bench} --traffic-file -");
        assert!(with_input(&export, traffic).status.success());
        assert!(
            folder
                .read(&format!("{bench}/traffic.csv"))
                .contains("\n3,0,")
        );
    }
    // An error has the place.
    let wrong = with_input(
        "run kuszmaul --dims 3 --traffic-file -",
        "source,destination\n0,5\n1,5\n",
    );
    let said = text(&wrong.stderr);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said.starts_with("error: standard input, line 3"), "{said}");
}
