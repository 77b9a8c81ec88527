//! A sweep that is killed goes on with its journal, and what is refused of journals.

use crate::common::journals;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use journals::{LONG, entries, rows, rows_but_for_seconds, wait_for_rows};

fn cubewave(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cubewave"));
    command.args(arguments.split(' ')).current_dir(folder);
    command
}

fn output(folder: &Path, arguments: &str) -> Output {
    cubewave(folder, arguments).output().unwrap()
}

#[test]
fn a_sweep_that_is_killed_goes_on_with_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let command = format!("{LONG} --threads 2 --format json --journal rows.jsonl");
    let mut killed = cubewave(folder.path(), &command);
    let mut killed = killed.stdout(Stdio::null()).spawn().unwrap();
    wait_for_rows(&path, 3);
    // As `kill -9` does.
    killed.kill().unwrap();
    killed.wait().unwrap();
    let before = std::fs::read_to_string(&path).unwrap();
    let again = rows(&output(folder.path(), &command));
    let alone = rows(&output(folder.path(), &format!("{LONG} --format json")));
    assert!(before.lines().count() < alone.len(), "it was over before");
    let [again, alone] = [&again, &alone].map(|rows| rows_but_for_seconds(rows));
    assert_eq!(again, alone);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with(&before[..=before.rfind('\n').unwrap()]));
    assert_eq!(entries(&text).len(), alone.len());
}

#[cfg(unix)]
#[test]
fn a_sweep_that_is_interrupted_says_where_its_rows_are() {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("{LONG} --threads 1 --journal rows.jsonl");
    let mut sweep = cubewave(folder.path(), &command);
    let sweep = sweep
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_rows(&folder.path().join("rows.jsonl"), 2);
    let interrupted = Command::new("kill")
        .args(["-INT", &sweep.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    let output = sweep.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: interrupted: the rows that are done are in rows.jsonl, and the same command goes on from there\n"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn a_whole_journal_gives_the_same_text_in_every_form_without_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = "measure kuszmaul,bitonic --dims 2..=6 --schedule plain,spread,sort-and-unpack --load 0.5,1";
    let path = folder.path().join("rows.jsonl");
    for sweep in [sweep, "measure wormhole --dims 2..=4 --seeds 2"] {
        let printed = |format: &str| {
            // Scripts are told the date: without it they are not told either what points took, but a table has that.
            let date = if matches!(format, "csv" | "json") {
                " --no-date"
            } else {
                ""
            };
            let command =
                format!("{sweep} --format {format} --journal rows.jsonl --plot drawn.svg{date}");
            let output = output(folder.path(), &command);
            assert!(output.status.success(), "{output:?}");
            let drawn = std::fs::read_to_string(folder.path().join("drawn.svg")).unwrap();
            // The date is in there.
            let (begin, rest) = drawn.split_once("<metadata>").unwrap();
            let (_, end) = rest.split_once("</metadata>").unwrap();
            (output.stdout, format!("{begin}{end}"))
        };
        for format in ["table", "summary", "csv", "json"] {
            let first = printed(format);
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(printed(format), first, "{sweep}, {format}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
            std::fs::remove_file(&path).unwrap();
        }
    }
}

#[test]
fn another_sweep_does_not_go_on_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    let begun = output(
        folder.path(),
        "measure wormhole --dims 2..=3 --journal rows.jsonl",
    );
    assert!(begun.status.success(), "{begun:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    for other in [
        "wormhole --dims 2..=4",
        "wormhole --dims 2..=3 --seed 2",
        "wormhole --dims 2..=3 --seeds 2",
        "wormhole --dims 2..=3 --message-bits 9",
        "wormhole --dims 2..=3 --buffer-bits 2",
        "kuszmaul --dims 2..=3",
    ] {
        let refused = output(
            folder.path(),
            &format!("measure {other} --journal rows.jsonl"),
        );
        assert_eq!(refused.status.code(), Some(2), "{other}: {refused:?}");
        assert_eq!(
            String::from_utf8(refused.stderr).unwrap(),
            "error: the journal rows.jsonl: it is of another sweep, of 2 points (wormhole --dims 2..=3): give that one's \
             options, or give --journal another file\n",
            "{other}"
        );
        assert!(refused.stdout.is_empty());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    // What is not measured may be another.
    let again = output(
        folder.path(),
        "measure wormhole --dims 2..=3 --threads 1 --yes --format csv --journal rows.jsonl",
    );
    assert!(again.status.success(), "{again:?}");
}

#[test]
fn a_refused_sweep_begins_no_journal() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        "measure kuszmaul --dims 2..=4 --threads 0 --journal rows.jsonl",
        "measure kuszmaul --dims 27,28 --load 1 --seeds 100 --journal rows.jsonl",
        "measure kuszmaul --dims 2 --plot drawn.svg --journal rows.jsonl",
    ] {
        let refused = output(folder.path(), arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments}: {refused:?}");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            0,
            "{arguments}"
        );
    }
}
