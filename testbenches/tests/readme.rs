//! What the README says a command prints is what it prints.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;
use std::process::Command;

/// Runs one `$` line of the README and returns what it prints.
fn run(folder: &Path, command: &str) -> String {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("cubewave") => {
            let output = Command::new(env!("CARGO_BIN_EXE_cubewave"))
                .args(words)
                .current_dir(folder)
                .output()
                .unwrap();
            assert!(output.status.success(), "{command}");
            String::from_utf8(output.stdout).unwrap()
        }
        Some("cat") => std::fs::read_to_string(folder.join(words.next().unwrap())).unwrap(),
        _ => panic!("the README runs `{command}`"),
    }
}

/// Compares line by line; `[..]` stands for the rest of a line, `...` for any lines.
fn assert_matches(printed: &str, shown: &[&str], command: &str) {
    if shown == ["..."] {
        return;
    }
    let printed: Vec<&str> = printed.lines().collect();
    assert_eq!(printed.len(), shown.len(), "{command} prints {printed:#?}");
    for (printed, shown) in printed.iter().zip(shown) {
        match shown.strip_suffix("[..]") {
            Some(start) => assert!(printed.starts_with(start), "{command}: {printed}"),
            None => assert_eq!(printed, shown, "{command}"),
        }
    }
}

#[test]
fn every_console_block_is_true() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut blocks = readme.split("```");
    let mut commands = 0;
    blocks.next();
    while let (Some(block), Some(_prose)) = (blocks.next(), blocks.next()) {
        let (kind, content) = block.split_once('\n').unwrap();
        if let Some(file) = kind.strip_prefix("csv ") {
            std::fs::write(folder.path().join(file), content).unwrap();
        }
        if kind != "console" {
            continue;
        }
        for step in content.split("$ ").skip(1) {
            let (command, shown) = step.split_once('\n').unwrap();
            let shown: Vec<&str> = shown.lines().collect();
            assert_matches(&run(folder.path(), command), &shown, command);
            commands += 1;
        }
    }
    assert_eq!(commands, 3);
    for written in ["kuszmaul.vcd", "kuszmaul.gtkw", "mine.vcd", "arrived.csv"] {
        assert!(folder.path().join(written).exists(), "{written}");
    }
}
