//! What is said and how: `--quiet`, and colours.

use std::path::Path;
use std::process::{Command, Output};

/// A command, with these variables in its environment.
fn with(folder: &Path, words: &str, variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(words.split_whitespace())
        .current_dir(folder)
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

fn cubewave(folder: &Path, words: &str) -> Output {
    with(folder, words, &[])
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A run of which a check fails, and which says something beforehand.
const DEADLOCK: &str = "run wormhole --dims 4 --virtual-channels 1 --no-date";

#[test]
fn who_wants_quiet_hears_nothing_of_a_run_that_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::write(folder.join("my.toml"), "quiet = true\ndims = 2\n").unwrap();
    std::fs::write(folder.join("not.toml"), "quiet = false\ndims = 2\n").unwrap();
    let report = cubewave(folder, "run kuszmaul --dims 2 --format json --no-date");
    std::fs::write(folder.join("report.json"), &report.stdout).unwrap();
    for words in [
        "-q",
        "--quiet run kuszmaul --dims 2",
        "run -q kuszmaul --dims 2",
        "run kuszmaul --dims 2 -q",
        "-q run kuszmaul --dims 2 --quiet",
        "run kuszmaul --config my.toml",
        "run kuszmaul -q --config my.toml",
        "run kuszmaul -q --config not.toml",
        // A note says which size it takes.
        "run scatter --wave w.vcd -q",
    ] {
        let output = cubewave(folder, words);
        assert!(output.status.success(), "{words}: {output:?}");
        assert!(
            output.stdout.is_empty() && output.stderr.is_empty(),
            "{words}: {output:?}"
        );
    }
    assert!(folder.join("kuszmaul.vcd").exists() && folder.join("w.vcd").exists());
    let heard = cubewave(folder, "run kuszmaul --config not.toml");
    assert!(!heard.stdout.is_empty());
    assert!(
        !cubewave(folder, "run scatter --wave w.vcd")
            .stderr
            .is_empty()
    );
    let again = cubewave(folder, "repeat -q report.json");
    assert_eq!(again.stdout, report.stdout);
}

#[test]
fn who_wants_quiet_hears_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let heard = cubewave(folder, DEADLOCK);
    assert!(text(&heard.stderr).starts_with("note: "), "{heard:?}");
    let failed = text(&heard.stdout).lines();
    let words = |line: &str| {
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let failed = failed
        .filter(|line| line.starts_with("  FAIL  "))
        .map(words);
    let failed: Vec<_> = failed.collect();
    let quiet = cubewave(folder, &format!("{DEADLOCK} -q"));
    assert_eq!(quiet.status.code(), Some(1));
    assert!(quiet.stderr.is_empty() && !failed.is_empty(), "{quiet:?}");
    let lines: Vec<_> = text(&quiet.stdout).lines().map(words).collect();
    assert_eq!(lines, failed);
    let refused = cubewave(folder, "-q run kuszmaul --dims 35");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        refused.stderr,
        cubewave(folder, "run kuszmaul --dims 35").stderr
    );
    assert!(text(&refused.stderr).starts_with("error: "));
}

#[test]
fn what_was_asked_for_is_printed_however_quiet() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for words in [
        &format!("{DEADLOCK} --format json"),
        "measure kuszmaul,radix --dims 2,3 --no-date",
        "measure kuszmaul,radix --dims 2,3 --format csv --no-date",
        // A note says what was left out.
        "measure wormhole --network ccc,copies --dims 2,3 --load 0.1 --message-bits 4 --no-date",
        "run kuszmaul --dims 2 --deliveries -",
        "topology ccc --dims 3",
        "list",
        "embedding",
    ] {
        let heard = cubewave(folder, words);
        let quiet = cubewave(folder, &format!("{words} --quiet"));
        assert_eq!(text(&quiet.stdout), text(&heard.stdout), "{words}");
        assert!(!quiet.stdout.is_empty(), "{words}");
        assert_eq!(quiet.status.code(), heard.status.code(), "{words}");
        assert!(quiet.stderr.is_empty(), "{words}: {quiet:?}");
    }
}

/// A text without what turns colours on and off.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let (sequence, rest) = part.split_once('m').unwrap();
        assert!(sequence.starts_with('['), "{part}");
        plain + rest
    })
}

const RED: &str = "\u{1b}[1m\u{1b}[31m";
const FORCED: (&str, &str) = ("CLICOLOR_FORCE", "1");

#[test]
fn verdicts_have_colours_where_they_are_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (schedule, file) in [("spread", "old.json"), ("plain", "new.json")] {
        let words = format!("run kuszmaul --dims 3 --schedule {schedule} --format json");
        let report = with(folder, &words, &[FORCED]).stdout;
        assert!(!report.contains(&0x1b));
        std::fs::write(folder.join(file), report).unwrap();
    }
    for (words, red) in [
        (DEADLOCK, "FAIL"),
        (&*format!("{DEADLOCK} -q"), "FAIL"),
        (
            "measure wormhole --dims 4 --virtual-channels 1,3 --no-date",
            "FAIL",
        ),
        ("compare old.json new.json", "WORSE"),
    ] {
        let heard = cubewave(folder, words);
        assert!(!heard.stdout.contains(&0x1b), "{words}");
        let coloured = with(folder, words, &[FORCED]);
        let said = text(&coloured.stdout);
        let has = said.contains(&format!("{RED}{red}\u{1b}[0m"));
        assert!(has, "{words}: {said}");
        // Of what depends on the computer, memory.
        let but_memory = |text: &str| {
            let lines = text.lines().filter(|line| !line.starts_with("  memory "));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            but_memory(&plain(said)),
            but_memory(text(&heard.stdout)),
            "{words}"
        );
        let unwanted = with(folder, words, &[FORCED, ("NO_COLOR", "1")]);
        assert!(!unwanted.stdout.contains(&0x1b), "{words}");
    }
    for (words, red) in [
        ("run kuszmaul --dims 35", "error:"),
        ("run kuszmaul --nonsense", "error:"),
    ] {
        let refused = with(folder, words, &[FORCED]);
        let said = text(&refused.stderr);
        assert!(said.starts_with(&format!("{RED}{red}\u{1b}[0m")), "{said}");
        let unwanted = with(folder, words, &[FORCED, ("NO_COLOR", "1")]);
        assert_eq!(plain(said), text(&unwanted.stderr));
    }
}

#[test]
fn scripts_and_files_get_no_colours() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for words in [
        &*format!("{DEADLOCK} --format json"),
        "measure wormhole --dims 4 --virtual-channels 1 --format csv",
        "measure kuszmaul --dims 2,3 --format json --junit rows.xml --plot plot.svg",
        "run kuszmaul --dims 2 --deliveries a.csv --junit run.xml --format json",
        "run kuszmaul --dims 2 --junit -",
        "list --format json",
    ] {
        let output = with(folder, words, &[FORCED]);
        assert!(!output.stdout.contains(&0x1b), "{words}");
        assert!(!output.stdout.is_empty(), "{words}");
    }
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        assert!(!bytes.contains(&0x1b), "{}", path.display());
    }
}
