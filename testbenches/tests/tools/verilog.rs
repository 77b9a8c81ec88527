//! The exported Verilog is the router: Icarus gives the same value to every register and wire in every
//! bit time, and its testbench passes where it should and only there. Needs Icarus; without it it fails.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::asked::Asked;
use crate::common::bit_for_bit::{Difference, first_difference};
use crate::common::cube;
use crate::common::dump::Dump;
use crate::common::verilog::{
    Machine, export, export_rounds, icarus, replace, text, tool,
    what_is_expected_is_compared_bit_by_bit,
};
use rayon::prelude::*;
use testbenches::families::{kuszmaul, packing};
use testbenches::report::Report;
use testbenches::testbench::Testbench;

/// Runs a testbench in cubewave and its Verilog, which has one round, in Icarus, after `edit` had the exported folder.
fn both(
    bench: &'static Testbench,
    run: &Asked,
    edit: impl FnOnce(&Path),
) -> (Report, Output, Option<Difference>, usize) {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let wave = folder.path().join("run.vcd");
    let mut run = run.clone();
    run.wave = Some(wave.clone());
    let report = run.run(bench);
    assert!(report.passed);
    export_rounds(bench, &run.setup, Some(1), &project);
    edit(&project);
    let output = icarus(&project);
    let verilog = Dump::read(&project.join("tb.vcd"));
    let cube = cube(run.setup.dims.unwrap());
    let (difference, compared) =
        first_difference(&Dump::read(&wave), &verilog, report.bit_times, &cube);
    (report, output, difference, compared)
}

fn agrees(machine: Machine, k: usize, payload_bits: usize, load: f64) {
    let run = machine.run(k, payload_bits, load);
    let what = format!("{machine:?} k={k} D={payload_bits} load {load}");
    let (report, output, difference, compared) = both(machine.bench, &run, |_| {});
    if let Some(difference) = difference {
        panic!("{what}: {difference}");
    }
    let printed = text(&output.stdout);
    let nodes = 1 << k;
    let passed = format!(
        "PASS: {nodes} of {nodes} nodes hold what they should after {} bit times\n",
        report.bit_times
    );
    assert!(printed.ends_with(&passed), "{what}: {printed}");
    assert_eq!(output.status.code(), Some(0), "{what}");
    // The clock, the sequencer's registers, wires at both ends and registers of every node: all of them.
    let node = 2 * k + report.storage_bits_per_node.total;
    let sequencer = report.family.entry("sequencer_storage_bits").as_u64();
    let all = 1 + sequencer.unwrap() as usize + nodes * node;
    assert_eq!(compared, all, "{what}");
}

/// Fewer where there are many nodes, among which there are busy ones and idle ones anyway.
fn loads(k: usize) -> &'static [f64] {
    match k {
        0..=3 => &[0.0, 0.3, 0.75, 1.0],
        4 => &[0.3, 0.75, 1.0],
        _ => &[0.75, 1.0],
    }
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    Machine::all().into_par_iter().for_each(|machine| {
        let payloads = payloads(machine);
        for (k, load, payload) in [
            (1, 1.0, 1),
            (2, 0.3, 2),
            (4, 0.75, 0),
            (5, 1.0, 0),
            (3, 0.0, 1),
        ] {
            if machine.carries(load) {
                agrees(machine, k, payloads[payload % payloads.len()], load);
            }
        }
        for &(k, payload_bits) in machine.further_sizes().iter().take(1) {
            agrees(machine, k, payload_bits, 0.75);
        }
    });
}

fn payloads(machine: Machine) -> &'static [usize] {
    match machine.bench.name {
        "enumeration" => &[0],
        _ => &[1, 3, 8],
    }
}

#[test]
#[ignore = "long: all machines at all sizes"]
fn icarus_agrees_at_any_size() {
    Machine::all().into_par_iter().for_each(|machine| {
        for k in 1..=5 {
            for &payload_bits in payloads(machine) {
                for &load in loads(k).iter().filter(|load| machine.carries(**load)) {
                    agrees(machine, k, payload_bits, load);
                }
            }
        }
        for &(k, payload_bits) in machine.further_sizes() {
            agrees(machine, k, payload_bits, 0.75);
        }
    });
}

#[test]
fn a_gate_that_is_flipped_is_caught() {
    let mut fail = 0;
    for (file, from, to, first) in [
        (
            "node.v",
            "switch_1_header_differs = ADDRESS[1] ^",
            "switch_1_header_differs = ADDRESS[1] &",
            "cube.node_5.dim_1.tx, bit time 22: 1 in cubewave, 0 in Verilog",
        ),
        (
            "node.v",
            "arriving = exchanged | delivered",
            "arriving = exchanged & delivered",
            "cube.node_0.first_message.valid, bit time 1: 1 in cubewave, 0 in Verilog",
        ),
        (
            "node.v",
            "scan_1_before = ADDRESS[1] & scan_1_received",
            "scan_1_before = ADDRESS[1] | scan_1_received",
            "cube.node_2.enumeration.dim_1.offset, bit time 8: 0 in cubewave, 1 in Verilog",
        ),
        (
            "node.v",
            "~address_differs",
            "address_differs",
            "cube.node_1.exchange.staying, bit time 1: 0 in cubewave, 1 in Verilog",
        ),
        (
            "sequencer.v",
            "step <= 3'b001",
            "step <= 3'b011",
            "cube.node_0.dim_0.rx, bit time 0: 1 in cubewave, 0 in Verilog",
        ),
        (
            "sequencer.v",
            "t_is_0 = ~bit_time[0]",
            "t_is_0 = bit_time[0]",
            "cube.node_0.dim_0.rx, bit time 0: 1 in cubewave, 0 in Verilog",
        ),
        (
            "cube.v",
            "node[n ^ (1 << d)].dim",
            "node[n].dim",
            "cube.node_0.dim_0.rx, bit time 0: 1 in cubewave, 0 in Verilog",
        ),
    ] {
        let run = Machine::from(&kuszmaul::BENCH).run(3, 4, 0.75);
        let (_, output, difference, _) = both(&kuszmaul::BENCH, &run, |project| {
            replace(project, file, from, to)
        });
        let difference = difference.unwrap_or_else(|| panic!("`{to}` in {file} was not noticed"));
        assert_eq!(difference.to_string(), first, "`{to}` in {file}");
        fail += usize::from(output.status.code() == Some(1));
    }
    // A comparison of registers sees more than the messages that arrive in one run.
    assert!(fail >= 4, "{fail} of them make the testbench fail");
}

/// A flipped bit that no message depends on: the testbench passes, the comparison does not.
#[test]
fn a_register_that_no_delivery_depends_on_is_compared_as_well() {
    let run = Machine::from(&kuszmaul::BENCH).run(3, 4, 0.75);
    let (_, output, difference, _) = both(&kuszmaul::BENCH, &run, |project| {
        replace(
            project,
            "node.v",
            "{rendezvous[0], arriving}",
            "{rendezvous[0], arriving | ~selected}",
        );
    });
    let difference = difference.unwrap();
    assert!(difference.signal.contains("rendezvous"), "{difference}");
    let printed = text(&output.stdout);
    assert!(printed.contains("PASS: "), "{printed}");
}

#[test]
fn a_delivery_that_is_not_expected_fails_the_testbench() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let run = Machine::from(&packing::BENCH).run(2, 4, 1.0);
    export(&packing::BENCH, &run.setup, &project);
    let expected = std::fs::read_to_string(project.join("expected.hex")).unwrap();
    let (head, rest) = expected.split_once('\n').unwrap();
    let flipped = match rest.split_at(1) {
        ("0", digits) => format!("1{digits}"),
        (_, digits) => format!("0{digits}"),
    };
    std::fs::write(project.join("expected.hex"), format!("{head}\n{flipped}")).unwrap();
    let output = icarus(&project);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(printed.contains("node 0 holds "), "{printed}");
    assert!(
        printed.contains(
            "FAIL: round 1 of 12: done after 7 bit times, it should take 7; 1 of 4 nodes wrong"
        ),
        "{printed}"
    );
}

#[test]
fn bits_that_are_to_be_0_are_compared_as_those_that_are_to_be_1() {
    Machine::all().into_par_iter().for_each(|machine| {
        let folder = tempfile::tempdir().unwrap();
        let run = machine.run(2, 2, 0.75);
        export_rounds(machine.bench, &run.setup, Some(1), folder.path());
        assert!(icarus(folder.path()).status.success(), "{machine:?}");
        // A word of a node, and one that says which of its bits matter.
        what_is_expected_is_compared_bit_by_bit(folder.path(), |word, bit, words| {
            let matters = |word: usize| words[word + 1] >> bit & 1 == 1;
            let nodes = (0..words.len()).step_by(2);
            let exists = nodes.into_iter().any(matters);
            (word % 2 == 0 && exists).then(|| matters(word))
        });
    });
}

/// Right messages at the wrong time, or no end at all.
#[test]
fn a_run_that_takes_another_time_fails_the_testbench() {
    let folder = tempfile::tempdir().unwrap();
    for (number, (file, from, to, verdict)) in [
        (
            "tb.v",
            "BIT_TIMES = 7;",
            "BIT_TIMES = 8;",
            "FAIL: round 1 of 12: done after 7 bit times, it should take 8; 0 of",
        ),
        (
            "tb.v",
            "BIT_TIMES = 7;",
            "BIT_TIMES = 6;",
            "FAIL: round 1 of 12: done after 7 bit times, it should take 6; 0 of",
        ),
        (
            "sequencer.v",
            "assign done =",
            "assign done = 1'b0 &",
            "FAIL: round 1 of 12: not done after 107 bit times, it should take 7; 0 of",
        ),
        (
            "tb.v",
            "$readmemh(\"traffic.hex\"",
            "$readmemh(\"missing.hex\"",
            "FAIL: traffic.hex and expected.hex are not here",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let project = folder.path().join(number.to_string());
        export(
            &packing::BENCH,
            &Machine::from(&packing::BENCH).run(2, 4, 1.0).setup,
            &project,
        );
        replace(&project, file, from, to);
        let output = icarus(&project);
        let printed = text(&output.stdout);
        assert!(printed.contains(verdict), "{to}: {printed}");
        assert!(!printed.contains("PASS"), "{to}: {printed}");
        assert_eq!(output.status.code(), Some(1), "{to}");
    }
}

/// What is wrong in one round alone is found there, and named.
#[test]
fn every_round_is_loaded_and_compared() {
    Machine::all().into_par_iter().for_each(|machine| {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        let setup = machine.run(2, 4, 0.75).setup;
        export_rounds(machine.bench, &setup, Some(5), &project);
        let output = icarus(&project);
        assert_eq!(output.status.code(), Some(0), "{machine:?}");
        for file in ["traffic.hex", "expected.hex"] {
            let path = project.join(file);
            let sound = std::fs::read_to_string(&path).unwrap();
            assert_eq!(sound.matches("// round ").count(), 5);
            for round in 1..=5 {
                // The first node that sends, or is to hold a message, or an odd number, does not.
                let lines: Vec<&str> = sound.lines().collect();
                let is_odd = |line: &str| {
                    line.split(' ')
                        .next()
                        .unwrap()
                        .ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f'])
                };
                let place = (5 * round - 4..5 * round).find(|place| is_odd(lines[*place]));
                let place = place.unwrap();
                let (word, rest) = lines[place].split_once(' ').unwrap();
                let (high, low) = word.split_at(word.len() - 1);
                let low = u8::from_str_radix(low, 16).unwrap() - 1;
                let tampered = format!("{high}{low:x} {rest}");
                let mut wrong = lines;
                wrong[place] = &tampered;
                std::fs::write(&path, wrong.join("\n") + "\n").unwrap();
                let output = icarus(&project);
                let printed = text(&output.stdout);
                let verdict = format!("FAIL: round {round} of 5: ");
                assert!(printed.contains(&verdict), "{machine:?} {file}: {printed}");
                assert!(!printed.contains("PASS"), "{printed}");
                assert_eq!(output.status.code(), Some(1));
            }
            std::fs::write(&path, sound).unwrap();
        }
    });
}

/// The dump's first round is the run, the others follow after a reset each, and only the testbench knows of them.
#[test]
fn further_rounds_change_neither_the_machine_nor_the_first_round() {
    Machine::all().into_par_iter().for_each(|machine| {
        let folder = tempfile::tempdir().unwrap();
        let [one, several] = ["one", "several"].map(|name| folder.path().join(name));
        let setup = machine.run(3, 4, 0.75).setup;
        export_rounds(machine.bench, &setup, Some(1), &one);
        let project = export_rounds(machine.bench, &setup, Some(4), &several);
        let read = |folder: &Path, file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
        for file in &project.files {
            let [one, several] = [&one, &several].map(|folder| read(folder, file));
            match file.as_str() {
                "README.md" | "tb.v" => {}
                "traffic.hex" | "expected.hex" => {
                    let first = several
                        .strip_prefix("// round 1 of 4: as asked for\n")
                        .unwrap();
                    assert!(first.starts_with(&(one + "// round 2 of 4: ")), "{first}");
                }
                _ => assert_eq!(one, several, "{file}"),
            }
        }
        let bit_times = project.fact("bit_times_formula")["value"].as_u64().unwrap();
        let dumps = [&one, &several].map(|folder| {
            assert!(icarus(folder).status.success());
            Dump::read(&folder.join("tb.vcd"))
        });
        for signal in dumps[0]
            .signals
            .keys()
            .filter(|name| name.starts_with("tb.cube."))
        {
            if *signal == "tb.cube.reset" || signal.contains("load_") {
                continue;
            }
            let [one, several] =
                [&dumps[0], &dumps[1]].map(|dump| dump.by_bit_time(signal, 1, bit_times + 2));
            assert_eq!(one, several, "{machine:?}: {signal}");
        }
    });
}

/// A reset in the middle of a run begins anew.
#[test]
fn a_cube_can_be_reset_at_any_time() {
    Machine::all().into_par_iter().for_each(|machine| {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        export(machine.bench, &machine.run(3, 4, 0.75).setup, &project);
        // In every round.
        let begin = "#(round == 1 ? 15 : 10) reset = 1'b0;";
        let again = format!("{begin} #30 reset = 1'b1; #10 reset = 1'b0;");
        replace(&project, "tb.v", begin, &again);
        let output = icarus(&project);
        let printed = text(&output.stdout);
        assert!(printed.contains("PASS: 8 of 8 nodes"), "{printed}");
        assert!(printed.contains(", in each of 12 rounds"), "{printed}");
        assert_eq!(output.status.code(), Some(0));
    });
}

/// The example of the page on Verilog, in a fresh folder, with the two commands that it prints.
#[test]
fn the_example_of_the_page_passes() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/verilog.md");
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
