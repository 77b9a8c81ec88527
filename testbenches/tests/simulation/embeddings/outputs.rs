//! What runs write, and what is refused: with exit status 2, a reason, and nothing written.

use std::path::Path;
use std::process::{Command, Output};

use crate::embeddings::bench::values;
use crate::embeddings::patterns::{drawn, structured};

pub fn cubewave(folder: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cubewave"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn results_are_the_values_that_were_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (options, edges, bits) in [
        ("--guest cycle --dims 4", 16, 7),
        ("--guest cycle --dims 4 --both-ways --packets 3", 32, 65),
        (
            "--guest large-fft --dims 2 --order greedy --start-up 3",
            8,
            1,
        ),
    ] {
        for messages in structured(edges, bits)
            .into_iter()
            .chain([drawn(edges, bits, 2)])
        {
            let sent = values(&messages);
            std::fs::write(path("sent.csv"), &sent).unwrap();
            let command =
                format!("run embedding {options} --message-bits {bits} --values sent.csv");
            let output = cubewave(folder.path(), &format!("{command} --results came.csv"));
            assert!(output.status.success(), "{output:?}");
            assert_eq!(std::fs::read_to_string(path("came.csv")).unwrap(), sent);
        }
    }
    // Printed, with the report on the other stream; and read from there.
    let command = "run embedding --guest cycle --dims 4 --message-bits 7 --seed 5 --results -";
    let output = cubewave(folder.path(), command);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.lines().count(), 17, "{printed}");
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("16 of 16 as they were sent")
    );
    assert_eq!(files(folder.path()), ["came.csv", "sent.csv"]);
}

/// Refused: exit status 2, these words, no file that was not there before.
fn refused(arguments: &str, values: Option<&str>, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    if let Some(values) = values {
        std::fs::write(folder.path().join("sent.csv"), values).unwrap();
    }
    let before = files(folder.path());
    let output = cubewave(folder.path(), arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
    assert!(output.stdout.is_empty(), "{arguments}");
    for word in words {
        assert!(
            said.contains(word),
            "{arguments}: {word:?} is not in {said}"
        );
    }
    assert_eq!(files(folder.path()), before, "{arguments}");
}

#[test]
fn hosts_that_there_are_not_are_refused_with_the_nearest() {
    for (guest, dims, instead) in [
        ("gray-cycle", 0, "choose 1"),
        ("gray-cycle", 17, "choose 16"),
        ("cycles", 1, "choose 2"),
        ("cycle", 1, "choose 2"),
        ("cycle", 17, "choose 16"),
        ("double-cycle", 3, "choose 4"),
        ("double-cycle-wide", 17, "choose 16"),
        ("ccc-copies", 2, "choose 3"),
        ("ccc-copies", 7, "choose 6 or 11"),
        ("butterfly-copies", 12, "choose 11"),
        ("ccc-product", 8, "choose 6 or 12"),
        ("butterfly-product", 5, "choose 6"),
        ("tree", 13, "choose 12"),
        ("large-cycle", 5, "choose 4 or 6"),
        ("large-cycle", 0, "choose 2"),
        ("large-ccc", 1, "choose 2"),
        ("large-butterfly", 17, "choose 16"),
        ("large-fft", 0, "choose 2"),
    ] {
        for verb in ["run", "verilog"] {
            let out = if verb == "run" {
                "--wave run.vcd"
            } else {
                "--out project"
            };
            let arguments = format!("{verb} embedding --guest {guest} --dims {dims} {out}");
            let named =
                format!("the guest {guest} is not embedded in a hypercube of {dims} dimensions");
            refused(&arguments, None, &[&named, instead]);
        }
    }
}

#[test]
fn options_that_cannot_be_are_refused() {
    for (options, words) in [
        ("--guest cycl", "did you mean `cycle`?"),
        ("--order gredy", "did you mean `greedy`?"),
        ("--guest cycle --sides 4,x", "`4,x` is no list of numbers"),
        ("--guest cycle --sides 4,4", "it is no grid"),
        ("--guest tree --axes 2", "it is no grid"),
        (
            "--packets 0",
            "--packets: 0 is out of range: choose 1 to 4096",
        ),
        ("--packets 4097", "choose 1 to 4096"),
        ("--packets -1", "a whole number is wanted"),
        ("--message-bits 0", "choose 1 to 1048576"),
        ("--message-bits 1048577", "choose 1 to 1048576"),
        ("--start-up 1048577", "choose 0 to 1048576"),
        ("--dims four", "a whole number is wanted"),
        ("--dims 4 --sides 4,4", "cannot be used with"),
        ("--threads 0", "--threads: 0 is out of range"),
        (
            "--dims 4 --trace-nodes 16 --wave run.vcd",
            "node 16 is out of range",
        ),
        ("--dims 4 --results no/such/came.csv", "no/such"),
        ("--dims 4 --wave no/such/run.vcd", "no/such"),
        (
            "--dims 4 --wave same.vcd --results same.vcd",
            "cannot be both",
        ),
        (
            "--dims 4 --values missing.csv --wave run.vcd",
            "cannot read missing.csv",
        ),
        (
            "--guest gray-cycle --dims 16 --message-bits 1048576 --both-ways",
            "this machine has",
        ),
    ] {
        refused(
            &format!("run embedding {options}"),
            None,
            &["error: ", words],
        );
    }
}

#[test]
fn values_that_do_not_fit_are_refused_with_line_and_column() {
    let rows = |first: &str| {
        let rest: String = (1..4).map(|edge| format!("{edge},0\n")).collect();
        format!("edge,value\n{first}{rest}")
    };
    for (values, words) in [
        (rows("0,g\n"), ["line 2", "column 2"]),
        (rows("0,20\n"), ["line 2", "does not fit into 5 bits"]),
        (rows("4,1\n"), ["line 2", "column 1"]),
        (rows("1,1\n"), ["line 3", "edge 1 has a message already"]),
        (rows(""), ["line 4", "no row is of edge 0"]),
        (rows("0,1,2\n"), ["line 2", "sent.csv"]),
        (
            rows("0,1\n").replace("edge", "node"),
            ["line 1", "`edge,value`"],
        ),
        (String::new(), ["sent.csv", "line 1"]),
    ] {
        let options =
            "--guest gray-cycle --dims 2 --message-bits 5 --values sent.csv --results came.csv";
        refused(&format!("run embedding {options}"), Some(&values), &words);
    }
    let sent = rows("0,1\n");
    let same = "run embedding --guest gray-cycle --dims 2 --message-bits 5 --values sent.csv --results sent.csv";
    refused(same, Some(&sent), &["cannot be both"]);
}
