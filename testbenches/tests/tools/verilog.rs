//! The example of the page on Verilog. Needs Icarus; without it it fails.

use std::process::Command;

use crate::common::verilog::{text, tool};

/// The example of the page on Verilog, in a fresh folder, with the two commands that it prints.
#[test]
fn the_example_of_the_page_passes() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/verilog.md");
    let page = std::fs::read_to_string(page).unwrap();
    let example = page
        .lines()
        .find_map(|line| line.strip_prefix("$ cubewave verilog "))
        .unwrap();
    let fresh = tempfile::tempdir().unwrap();
    let printed = tool(
        fresh.path(),
        env!("CARGO_BIN_EXE_cubewave"),
        &format!("verilog {example}"),
    );
    assert!(printed.status.success(), "{}", text(&printed.stderr));
    let printed = text(&printed.stdout);
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    let [compile, run] = lines[lines.len() - 2..] else {
        panic!("{printed}");
    };
    let project = fresh.path().join(example.rsplit(' ').next().unwrap());
    let output = Command::new("sh")
        .args(["-c", &format!("{compile} && {run}")])
        .current_dir(&project)
        .output()
        .unwrap();
    assert_eq!(
        text(&output.stdout),
        "PASS: 16 of 16 nodes hold what they should after 153 bit times, in each of 12 rounds\n"
    );
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        !project.join("tb.vcd").exists(),
        "waves are written when asked for"
    );
}
