//! What is refused, with exit status 2 and nothing half-written.

use std::fs;

use crate::embeddings::dispersal::machine::{cubewave, run};

#[test]
fn what_cannot_be_is_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let input = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    input("no_node.csv", "node,dimension,bit_time\n0,0,0\n16,0,0\n");
    input(
        "no_dimension.csv",
        "node,dimension,bit_time,stuck\n0,4,0,1\n",
    );
    input("no_way.csv", "node,dimension,bit_time,stuck\n0,3,0,2\n");
    input("too_late.csv", "node,dimension,bit_time\n0,3,999\n");
    input("no_edge.csv", "edge,value\n16,0\n");
    input("cuts.csv", "node,dimension,bit_time\n0,0,0\n");
    let before = fs::read_dir(folder.path()).unwrap().count();
    for (options, refusal) in [
        (
            "--needed 0",
            "--needed: 0 is out of range: a message has 3 paths, and so as many shares: choose 1 to 3",
        ),
        (
            "--needed 4",
            "--needed: 4 is out of range: a message has 3 paths, and so as many shares: choose 1 to 3",
        ),
        (
            "--guest gray-cycle --needed 2",
            "--needed: 2 is out of range: a message has 1 path, and so as many shares: choose 1, which leaves none to spare",
        ),
        (
            "--cut-wires 65",
            "65 wires cannot fail: a cube of 4 dimensions has 64 directed wires: choose 0 to 64",
        ),
        (
            "--cut no_node.csv",
            "no_node.csv, line 3, column 1 (node): node 16 is out of range: the cube has nodes 0 to 15",
        ),
        (
            "--cut no_dimension.csv",
            "no_dimension.csv, line 2, column 2 (dimension): dimension 4 is out of range: the cube has dimensions 0 to 3",
        ),
        (
            "--cut too_late.csv",
            "too_late.csv, line 2, column 3 (bit_time): bit time 999 is out of range: the run has bit times 0 to ",
        ),
        (
            "--cut no_way.csv",
            "no_way.csv, line 2, column 4 (stuck): `2` is no way to fail: write `cut` for a wire on which 0 is read, or what it \
             is stuck at, `0` or `1`",
        ),
        ("--cut missing.csv", "cannot read missing.csv: "),
        (
            "--values no_edge.csv",
            "no_edge.csv, line 2, column 1 (edge): the guest has no edge `16`: they are 0 to 15",
        ),
        (
            "--message-bits 0",
            "--message-bits: 0 is out of range: choose 1 to 1048576",
        ),
        ("--packets 2", "unexpected argument '--packets'"),
        (
            "--traffic bitrev",
            "testbench dispersal takes no --traffic: every edge of the guest sends: ",
        ),
        (
            "--over copies --guest cycle",
            "testbench dispersal takes no --guest: over copies there is no guest",
        ),
        (
            "--over copies",
            "--dims: 4 dimensions have no copies of cube-connected cycles: choose 3, 6 or 11",
        ),
        (
            "--over paths",
            "there is no way to disperse `paths`; there are: edge, copies",
        ),
        (
            "--guest cycel",
            "there is no guest `cycel` (did you mean `cycle`?); there are: ",
        ),
        (
            "--cuts-out none/x.csv",
            "cannot write none/x.csv: there is no folder none",
        ),
        (
            "--cut cuts.csv --cuts-out cuts.csv",
            "cuts.csv cannot be both the wires that fail and the wires that failed",
        ),
        (
            "--cuts-out results.csv",
            "results.csv cannot be both the results and the wires that failed",
        ),
        (
            "--cut - --values -",
            "- cannot be both the messages and the wires that fail",
        ),
        (
            "--threads 0",
            "--threads: 0 is out of range: choose 1 to 256",
        ),
        (
            "--cut cuts.csv --cut-wires 1",
            "the argument '--cut <FILE.csv>' cannot be used with",
        ),
    ] {
        let line = format!("run dispersal --dims 4 --results results.csv --wave w.vcd {options}");
        let output = cubewave(folder.path(), &line);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{options}: {said}");
        assert!(
            said.starts_with(&format!("error: {refusal}")),
            "{options}: {said}"
        );
        assert!(output.stdout.is_empty(), "{options}");
        let after = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(after, before, "{options}");
    }
}

#[test]
fn traffic_in_which_nobody_sends_to_another_is_refused() {
    for traffic in ["identity", "packed"] {
        assert_eq!(
            run(&format!("--over copies --dims 3 --traffic {traffic}")).unwrap_err(),
            format!(
                "--traffic: with {traffic} every node sends to itself, and nothing crosses a wire: choose another pattern, such \
                 as randperm"
            )
        );
    }
    let transpose = run("--over copies --dims 3 --traffic transpose").unwrap_err();
    assert!(transpose.starts_with("transpose swaps the halves of an address"));
}
