//! The testbench fails where it should.

use rayon::prelude::*;

use crate::common::collective::Job;
use crate::common::verilog::{icarus_of, replace, text, tool};
use crate::reduced_hypercube_verilog::agreement::{Both, both};
use crate::reduced_hypercube_verilog::{SMALL, SMALLEST};

/// A change of an exported project: file, what is there, what is in its place.
type Change = (&'static str, &'static str, &'static str);

/// What reaches a node from another building block.
const BETWEEN: &str = "].between_blocks.tx;";

/// Gates that are others, a wire between building blocks that is stuck, a link that comes from elsewhere: all fail the testbench,
/// and the comparison says what is different first.
#[test]
fn a_fault_is_seen_where_it_is_and_fails_the_testbench() {
    let stuck = |file, at_0, at_1| [(file, BETWEEN, at_0), (file, BETWEEN, at_1)];
    let node_0 = stuck(
        "rh.v",
        "].between_blocks.tx & (n != 0);",
        "].between_blocks.tx | (n == 0);",
    );
    let node_4 = stuck(
        "rh.v",
        "].between_blocks.tx & (n != 4);",
        "].between_blocks.tx | (n == 4);",
    );
    let node_6 = stuck(
        "rh.v",
        "].between_blocks.tx & (n != 6);",
        "].between_blocks.tx | (n == 6);",
    );
    let dimension_0 = ("rh.v", "4'd0, 4'd1\n", "4'd0, 4'd2\n");
    let between = ("rh.v", "4'd5, 4'd4\n", "4'd5, 4'd2\n");
    let complete = (
        "node.v",
        "relay_message[0] | relations_sends_now",
        "relay_message[0] & relations_sends_now",
    );
    let half_sum = ("node.v", "half_sum = word[0] ^", "half_sum = word[0] |");
    let sends = ("node.v", "sends & outgoing", "sends | outgoing");
    let differ = ("node.v", "differ = own ^", "differ = own |");
    let [broadcast, reduce, prefix, sort] = &Job::of_each(SMALL);
    let faults: [(&Job, Change, &str); 16] = [
        (
            broadcast,
            complete,
            "rh.node_3_0_1.relay.message, bit time 9: 001001 in cubewave, 000100 in Verilog",
        ),
        (
            broadcast,
            node_6[0],
            "rh.node_1_1_0.between_blocks.rx, bit time 14: 1 in cubewave, 0 in Verilog",
        ),
        (
            broadcast,
            node_6[1],
            "rh.node_1_1_0.between_blocks.rx, bit time 0: 0 in cubewave, 1 in Verilog",
        ),
        (
            broadcast,
            between,
            "rh.node_0_0_0.between_blocks.rx, bit time 26: 1 in cubewave, 0 in Verilog",
        ),
        (
            reduce,
            half_sum,
            "rh.node_0_1_0.word, bit time 1: 0101 in cubewave, 1101 in Verilog",
        ),
        (
            reduce,
            node_0[0],
            "rh.node_0_0_0.between_blocks.rx, bit time 10: 1 in cubewave, 0 in Verilog",
        ),
        (
            reduce,
            node_0[1],
            "rh.node_0_0_0.between_blocks.rx, bit time 0: 0 in cubewave, 1 in Verilog",
        ),
        (
            reduce,
            dimension_0,
            "rh.node_0_0_0.dim_0.rx, bit time 1: 1 in cubewave, 0 in Verilog",
        ),
        (
            prefix,
            sends,
            "rh.node_0_0_0.dim_0.rx, bit time 0: 0 in cubewave, 1 in Verilog",
        ),
        (
            prefix,
            node_4[0],
            "rh.node_1_0_0.between_blocks.rx, bit time 9: 1 in cubewave, 0 in Verilog",
        ),
        (
            prefix,
            node_4[1],
            "rh.node_1_0_0.between_blocks.rx, bit time 0: 0 in cubewave, 1 in Verilog",
        ),
        (
            prefix,
            dimension_0,
            "rh.node_0_0_0.dim_0.rx, bit time 0: 0 in cubewave, 1 in Verilog",
        ),
        (
            sort,
            differ,
            "rh.node_0_1_0.comparator.decided, bit time 1: 0 in cubewave, 1 in Verilog",
        ),
        (
            sort,
            node_6[0],
            "rh.node_1_1_0.between_blocks.rx, bit time 96: 1 in cubewave, 0 in Verilog",
        ),
        (
            sort,
            node_6[1],
            "rh.node_1_1_0.between_blocks.rx, bit time 0: 0 in cubewave, 1 in Verilog",
        ),
        (
            sort,
            dimension_0,
            "rh.node_0_0_0.dim_0.rx, bit time 4: 0 in cubewave, 1 in Verilog",
        ),
    ];
    faults
        .into_par_iter()
        .for_each(|(job, (file, from, to), first)| {
            let Both {
                output, difference, ..
            } = both(job, 6, |project| replace(project, file, from, to));
            let what = format!("{} `{to}` in {file}", job.name);
            let difference = difference.map(|difference| difference.to_string());
            assert_eq!(difference.as_deref(), Some(first), "{what}");
            let printed = text(&output.stdout);
            assert!(printed.contains("FAIL: round "), "{what}: {printed}");
            assert!(!printed.contains("PASS"), "{what}: {printed}");
            assert_eq!(output.status.code(), Some(1), "{what}");
        });
}

/// Right words at the wrong time, no end at all, or no words.
#[test]
fn a_run_that_takes_another_time_fails_the_testbench() {
    Job::of_each(SMALLEST).into_par_iter().for_each(|job| {
        let outside = tempfile::tempdir().unwrap();
        let project = job.export(2, outside.path());
        let folder = outside.path().join("project");
        let bit_times = project["bit_times_formula"]["value"].as_u64().unwrap();
        let is = format!("BIT_TIMES = {bit_times};");
        let done = |should: u64| {
            let verdict = format!(
                "FAIL: round 1 of 2: done after {bit_times} bit times, it should take {should}; 0 of"
            );
            ("tb.v", &*is, format!("BIT_TIMES = {should};"), verdict)
        };
        let never = format!(
            "FAIL: round 1 of 2: not done after {} bit times, it should take {bit_times}; 0 of",
            bit_times + 100
        );
        for (file, from, to, verdict) in [
            done(bit_times + 1),
            done(bit_times - 1),
            ("sequencer.v", "assign done =", "assign done = 1'b0 &".to_owned(), never),
            (
                "tb.v",
                "$readmemh(\"traffic.hex\"",
                "$readmemh(\"missing.hex\"".to_owned(),
                "FAIL: traffic.hex and expected.hex are not here".to_owned(),
            ),
        ] {
            let path = folder.join(file);
            let sound = std::fs::read_to_string(&path).unwrap();
            replace(&folder, file, from, &to);
            let output = icarus_of(&folder, "rh");
            std::fs::write(&path, sound).unwrap();
            let printed = text(&output.stdout);
            assert!(printed.contains(&verdict), "{job:?} {to}: {printed}");
            assert!(!printed.contains("PASS"), "{job:?} {to}: {printed}");
            assert_eq!(output.status.code(), Some(1), "{job:?} {to}");
        }
    });
}

/// A line of a file with a bit changed: the lowest that matters.
fn changed(line: &str, is_expected: bool) -> Option<String> {
    let (word, rest) = line.split_once(' ').unwrap();
    let number = |digits: &str| u64::from_str_radix(digits, 16).unwrap();
    let matter = match is_expected {
        true => number(rest.split(' ').next().unwrap()),
        false => 1,
    };
    let wrong = number(word) ^ (matter & matter.wrapping_neg());
    (matter != 0).then(|| format!("{wrong:0width$x} {rest}", width = word.len()))
}

/// What is wrong in one round alone is found there, and named: of any node what is expected, and of a node what is loaded.
#[test]
fn every_round_is_loaded_and_compared() {
    const ROUNDS: usize = 6;
    Job::of_each(SMALLEST).into_par_iter().for_each(|job| {
        let outside = tempfile::tempdir().unwrap();
        job.export(ROUNDS, outside.path());
        let folder = outside.path().join("project");
        assert!(icarus_of(&folder, "rh").status.success());
        let nodes = job.network.topology().nodes();
        // Only the source has something to load; of a reduction only node 0 is looked at.
        let source = if job.name == "broadcast" {
            nodes - 3
        } else {
            0
        };
        let looked_at = if job.name == "reduce" { 1 } else { nodes };
        for (file, nodes_of) in [
            ("traffic.hex", source..source + 1),
            ("expected.hex", 0..looked_at),
        ] {
            let path = folder.join(file);
            let sound = std::fs::read_to_string(&path).unwrap();
            let lines: Vec<&str> = sound.lines().collect();
            assert_eq!(lines.len(), ROUNDS * (nodes + 1));
            // Each node in one of the rounds, each round with one of the nodes.
            for case in 0..ROUNDS.max(nodes_of.len()) {
                let (round, node) = (case % ROUNDS, nodes_of.start + case % nodes_of.len());
                let place = round * (nodes + 1) + 1 + node;
                let wrong = changed(lines[place], file == "expected.hex").unwrap();
                let mut lines = lines.clone();
                lines[place] = &wrong;
                std::fs::write(&path, lines.join("\n") + "\n").unwrap();
                let output = tool(&folder, "vvp", "tb.vvp");
                let printed = text(&output.stdout);
                let what = format!("{job:?} {file} round {round} node {node}: {printed}");
                let verdict = format!("FAIL: round {} of {ROUNDS}: done after ", round + 1);
                assert!(printed.contains(&verdict), "{what}");
                if file == "expected.hex" {
                    assert!(
                        printed.contains(&format!("; 1 of {nodes} nodes wrong\n")),
                        "{what}"
                    );
                    assert!(printed.contains(&format!("node {node} holds ")), "{what}");
                }
                assert!(!printed.contains("PASS"), "{what}");
                assert_eq!(output.status.code(), Some(1), "{what}");
            }
            std::fs::write(&path, sound).unwrap();
        }
    });
}

/// Of a reduction nothing is expected of a node but node 0.
#[test]
fn only_node_0_of_a_reduction_is_looked_at() {
    let [_, job, ..] = Job::of_each(SMALLEST);
    let outside = tempfile::tempdir().unwrap();
    job.export(1, outside.path());
    let expected = std::fs::read_to_string(outside.path().join("project/expected.hex")).unwrap();
    let lines: Vec<&str> = expected.lines().collect();
    let matters = |line: &&&str| changed(line, true).is_some();
    assert_eq!(lines.iter().filter(matters).count(), 1, "{expected}");
    assert!(matters(&&lines[0]), "{expected}");
}

/// A reset in the middle of a run begins anew.
#[test]
fn a_machine_can_be_reset_at_any_time() {
    Job::of_each(SMALLEST).into_par_iter().for_each(|job| {
        let outside = tempfile::tempdir().unwrap();
        job.export(6, outside.path());
        let folder = outside.path().join("project");
        // In every round.
        let begin = "#(round == 1 ? 15 : 10) reset = 1'b0;";
        let again = format!("{begin} #70 reset = 1'b1; #10 reset = 1'b0;");
        replace(&folder, "tb.v", begin, &again);
        let output = icarus_of(&folder, "rh");
        let printed = text(&output.stdout);
        assert!(printed.contains("PASS: 8 of 8 nodes"), "{job:?}: {printed}");
        assert!(printed.contains(", in each of 6 rounds"), "{printed}");
        assert_eq!(output.status.code(), Some(0));
    });
}
