//! The exported Verilog is the router: Icarus gives the same value to every register and wire in every
//! bit time, Verilator finds nothing to say about it and runs it, Yosys counts as many flip-flops as are
//! reported. Needs all three; without them it fails.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::{Command, Output};

use common::cube;
use common::dump::{Dump, options};
use common::hostile::HostileRouter;
use rtl_model::meter::Storage;
use rtl_model::router::Router;
use rtl_model::verilog::Design;
use testbenches::benches;
use testbenches::catalogue::Bench;
use testbenches::options::{RunOptions, Setup, VerilogOptions};
use testbenches::report::Report;
use testbenches::verilog::{self, Project};

/// Where the two disagree.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Difference {
    bit_time: usize,
    /// As in cubewave's dump.
    signal: String,
    cubewave: String,
    verilog: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            bit_time,
            signal,
            cubewave,
            verilog,
        } = self;
        write!(
            formatter,
            "{signal}, bit time {bit_time}: {cubewave} in cubewave, {verilog} in Verilog"
        )
    }
}

/// A program's output, which must be there; `arguments` are split at blanks.
fn tool(folder: &Path, program: &str, arguments: &str) -> Output {
    Command::new(program)
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed here: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn export(bench: Bench, setup: &Setup, folder: &Path) -> Project {
    let options = VerilogOptions {
        setup: setup.clone(),
        out: folder.to_owned(),
        ..VerilogOptions::default()
    };
    verilog::export(bench, &options).unwrap()
}

/// Compiles with all warnings, which must be none, and runs; writes `tb.vcd`.
fn icarus(folder: &Path) -> Output {
    let files = "node.v sequencer.v cube.v tb.v";
    let compiled = tool(
        folder,
        "iverilog",
        &format!("-g2005 -Wall -o tb.vvp {files}"),
    );
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    assert_eq!(text(&compiled.stderr), "");
    tool(folder, "vvp", "tb.vvp +vcd")
}

/// What a signal of cubewave's dump is called in the Verilog's, none for what the
/// simulator adds.
fn verilog_name(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.split('.').collect();
    match parts[1..] {
        ["clk"] => Some("tb.cube.clk".to_owned()),
        ["driven"] | ["sequencer", "step_name"] | [_, "occupied_bits"] => None,
        ["sequencer", ..] => Some(format!("tb.cube.sequencer.{}", parts[2..].join("_"))),
        [node, dimension, wire @ ("tx" | "rx")] => {
            let number = node.strip_prefix("node_").unwrap();
            let dimension = dimension.strip_prefix("dim_").unwrap();
            Some(format!("tb.cube.node[{number}].dim[{dimension}].{wire}"))
        }
        [node, ..] => {
            let number = node.strip_prefix("node_").unwrap();
            let register = parts[2..].join("_");
            Some(format!("tb.cube.node[{number}].router.{register}"))
        }
        [] => None,
    }
}

/// Compares all registers and wires, bit time by bit time; returns the first difference and how many
/// signals were compared. Bit time 0 follows the reset in the Verilog's dump.
fn first_difference(
    cubewave: &Dump,
    verilog: &Dump,
    bit_times: u64,
) -> (Option<Difference>, usize) {
    let mut first: Option<Difference> = None;
    let mut compared = 0;
    let sorted: BTreeMap<_, _> = cubewave.signals.iter().collect();
    for path in sorted.into_keys() {
        let Some(name) = verilog_name(path) else {
            continue;
        };
        assert!(verilog.signals.contains_key(&name), "no {name} in Verilog");
        compared += 1;
        let ours = cubewave.by_bit_time(path, 0, bit_times + 1);
        let theirs = verilog.by_bit_time(&name, 1, bit_times + 2);
        let until = first.as_ref().map_or(ours.len(), |first| first.bit_time);
        for bit_time in 0..until {
            if ours[bit_time] != theirs[bit_time] {
                first = Some(Difference {
                    bit_time,
                    signal: path.clone(),
                    cubewave: ours[bit_time].to_owned(),
                    verilog: theirs[bit_time].to_owned(),
                });
                break;
            }
        }
    }
    (first, compared)
}

/// Runs a testbench in cubewave and its Verilog in Icarus, after `edit` had the exported folder.
fn both(
    bench: Bench,
    run: &RunOptions,
    edit: impl FnOnce(&Path),
) -> (Report, Output, Option<Difference>, usize) {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let wave = folder.path().join("run.vcd");
    let run = RunOptions {
        wave: Some(wave.clone()),
        ..run.clone()
    };
    let report = benches::run(bench, &run).unwrap();
    assert!(report.passed);
    export(bench, &run.setup, &project);
    edit(&project);
    let output = icarus(&project);
    let verilog = Dump::read(&project.join("tb.vcd"));
    let (difference, compared) = first_difference(&Dump::read(&wave), &verilog, report.bit_times);
    (report, output, difference, compared)
}

/// A run of one testbench; enumerations take no payload.
fn a_run(bench: Bench, k: usize, payload_bits: usize, load: f64) -> RunOptions {
    let mut run = options(k, payload_bits, load, Path::new("run.vcd"));
    if bench == Bench::Enumeration {
        run.setup.payload_bits = None;
    }
    run
}

fn agrees(bench: Bench, k: usize, payload_bits: usize, load: f64, schedule: Option<&str>) {
    let mut run = a_run(bench, k, payload_bits, load);
    run.setup.schedule = schedule.map(str::to_owned);
    let what = format!(
        "{} {schedule:?} k={k} D={payload_bits} load {load}",
        bench.name()
    );
    let (report, output, difference, compared) = both(bench, &run, |_| {});
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
    // The clock, the sequencer's registers, wires at both ends and registers of every node.
    assert!(compared > nodes * (2 * k + 1) + 1, "{what}: {compared}");
}

const LOADS: [f64; 4] = [0.0, 0.3, 0.75, 1.0];

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    for bench in Bench::ALL {
        let payloads: &[usize] = match bench {
            Bench::Enumeration => &[0],
            _ => &[1, 3, 8],
        };
        let schedules: Vec<Option<&str>> = match bench.schedules() {
            [] => vec![None],
            schedules => schedules
                .iter()
                .map(|schedule| Some(schedule.name()))
                .collect(),
        };
        for schedule in schedules {
            for k in 1..=5 {
                for &payload_bits in payloads {
                    for load in LOADS {
                        agrees(bench, k, payload_bits, load, schedule);
                    }
                }
            }
        }
    }
}

/// Replaces the first `from` in a file of the project by `to`.
fn replace(project: &Path, file: &str, from: &str, to: &str) {
    let path = project.join(file);
    let before = std::fs::read_to_string(&path).unwrap();
    assert!(before.contains(from), "{file} has no `{from}`");
    std::fs::write(&path, before.replacen(from, to, 1)).unwrap();
}

#[test]
fn a_gate_that_is_flipped_is_caught() {
    let mut fail = 0;
    for (file, from, to) in [
        (
            "node.v",
            "switch_1_header_differs = ADDRESS[1] ^",
            "switch_1_header_differs = ADDRESS[1] &",
        ),
        (
            "node.v",
            "arriving = exchanged | delivered",
            "arriving = exchanged & delivered",
        ),
        (
            "node.v",
            "scan_1_before = ADDRESS[1] & rx[1]",
            "scan_1_before = ADDRESS[1] | rx[1]",
        ),
        ("node.v", "~address_differs", "address_differs"),
        ("sequencer.v", "step <= 3'b001", "step <= 3'b011"),
        (
            "sequencer.v",
            "t_is_0 = ~bit_time[0]",
            "t_is_0 = bit_time[0]",
        ),
        ("cube.v", "node[n ^ (1 << d)].dim", "node[n].dim"),
    ] {
        let run = a_run(Bench::Kuszmaul, 3, 4, 0.75);
        let (_, output, difference, _) = both(Bench::Kuszmaul, &run, |project| {
            replace(project, file, from, to)
        });
        let difference = difference.unwrap_or_else(|| panic!("`{to}` in {file} was not noticed"));
        assert!(
            difference.to_string().contains(", bit time "),
            "{difference}"
        );
        fail += usize::from(output.status.code() == Some(1));
    }
    // A comparison of registers sees more than the messages that arrive in one run.
    assert!(fail >= 4, "{fail} of them make the testbench fail");
}

/// A flipped bit that no message depends on: the testbench passes, the comparison does not.
#[test]
fn a_register_that_no_delivery_depends_on_is_compared_as_well() {
    let run = a_run(Bench::Kuszmaul, 3, 4, 0.75);
    let (_, output, difference, _) = both(Bench::Kuszmaul, &run, |project| {
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
    let run = a_run(Bench::Packing, 2, 4, 1.0);
    export(Bench::Packing, &run.setup, &project);
    let expected = std::fs::read_to_string(project.join("expected.hex")).unwrap();
    let (first, rest) = expected.split_once('\n').unwrap();
    let flipped = match first.split_at(1) {
        ("0", digits) => format!("1{digits}"),
        (_, digits) => format!("0{digits}"),
    };
    std::fs::write(project.join("expected.hex"), format!("{flipped}\n{rest}")).unwrap();
    let output = icarus(&project);
    assert_eq!(output.status.code(), Some(1));
    let printed = text(&output.stdout);
    assert!(printed.contains("node 0 holds "), "{printed}");
    assert!(
        printed.contains("FAIL: done after 7 bit times, it should take 7; 1 of 4 nodes wrong"),
        "{printed}"
    );
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
            "FAIL: done after 7 bit times, it should take 8; 0 of",
        ),
        (
            "tb.v",
            "BIT_TIMES = 7;",
            "BIT_TIMES = 6;",
            "FAIL: done after 7 bit times, it should take 6; 0 of",
        ),
        (
            "sequencer.v",
            "assign done =",
            "assign done = 1'b0 &",
            "FAIL: not done after 107 bit times, it should take 7; 0 of",
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
            Bench::Packing,
            &a_run(Bench::Packing, 2, 4, 1.0).setup,
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

/// A reset in the middle of a run begins anew.
#[test]
fn a_cube_can_be_reset_at_any_time() {
    for bench in Bench::ALL {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        export(bench, &a_run(bench, 3, 4, 0.75).setup, &project);
        let again = "#15 reset = 1'b0; #30 reset = 1'b1; #10 reset = 1'b0;";
        replace(&project, "tb.v", "#15 reset = 1'b0;", again);
        let output = icarus(&project);
        let printed = text(&output.stdout);
        assert!(printed.contains("PASS: 8 of 8 nodes"), "{printed}");
        assert_eq!(output.status.code(), Some(0));
    }
}

/// A router whose names are taken: by Verilog, by the modules around it.
#[test]
fn a_router_with_hostile_names_is_written_down_all_the_same() {
    let router = HostileRouter::new(cube(3));
    let design = Design::of(&router, "hostile");
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("node.v", &design.node),
        ("sequencer.v", &design.sequencer),
        ("cube.v", &design.cube),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let files = "cube.v node.v sequencer.v";
    let compiled = tool(
        folder.path(),
        "iverilog",
        &format!("-g2005 -Wall -o cube.vvp {files}"),
    );
    assert!(
        compiled.status.success() && compiled.stderr.is_empty(),
        "{}",
        text(&compiled.stderr)
    );
    let lint = tool(
        folder.path(),
        "verilator",
        &format!("--lint-only -Wall --top-module cube {files}"),
    );
    assert!(lint.status.success(), "{}", text(&lint.stderr));
    let stat = yosys(
        folder.path(),
        "read_verilog node.v; chparam -set ADDRESS 7 node; synth -flatten -top node; check -assert",
    );
    let storage = Storage::of::<bool>(&router.node::<bool>()).total;
    assert_eq!(cells(&stat, "DFF"), storage, "{}{stat}", design.node);
    // A bundle with a gap comes as lone strobes.
    assert!(
        design.node.contains("input wire received_0,"),
        "{}",
        design.node
    );
    assert!(!design.node.contains("received_1"));
    assert!(design.node.contains("received_2"));
}

/// The example of the README, in a fresh folder, with the two commands that it prints.
#[test]
fn the_example_of_the_readme_passes() {
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    let example = readme
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
        "PASS: 16 of 16 nodes hold what they should after 153 bit times\n"
    );
    assert_eq!(text(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        !project.join("tb.vcd").exists(),
        "waves are written when asked for"
    );
}

#[test]
fn verilator_has_nothing_to_say() {
    for bench in Bench::ALL {
        for k in 1..=6 {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            export(bench, &a_run(bench, k, 5, 0.75).setup, &project);
            let lint = tool(
                &project,
                "verilator",
                "--lint-only -Wall --top-module cube cube.v node.v sequencer.v",
            );
            assert!(
                lint.status.success(),
                "{} k={k}: {}",
                bench.name(),
                text(&lint.stderr)
            );
            assert_eq!(text(&lint.stderr), "");
        }
    }
}

#[test]
fn verilator_compiles_a_cube_of_64_nodes_that_delivers_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("project");
    let run = a_run(Bench::Kuszmaul, 6, 8, 0.75);
    export(Bench::Kuszmaul, &run.setup, &project);
    let compiled = tool(
        &project,
        "verilator",
        "--binary --timing -O0 -Wno-fatal -j 2 --top-module tb tb.v cube.v node.v sequencer.v",
    );
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    let output = tool(&project, "./obj_dir/Vtb", "");
    let printed = text(&output.stdout);
    let passed = "PASS: 64 of 64 nodes hold what they should after 319 bit times";
    assert!(printed.contains(passed), "{printed}");
    assert!(output.status.success());
}

/// Runs Yosys; returns what `stat` says.
fn yosys(folder: &Path, script: &str) -> String {
    let log = folder.join("yosys.log");
    let output = Command::new("yosys")
        .args(["-q", "-p", &format!("{script}; tee -o yosys.log stat")])
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("yosys is needed here: {error}"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    std::fs::read_to_string(log).unwrap()
}

/// Cells whose type has `kind` in its name.
fn cells(stat: &str, kind: &str) -> usize {
    stat.lines()
        .filter_map(|line| line.trim().split_once(' '))
        .filter(|(cell, _)| cell.contains(kind))
        .map(|(_, amount)| amount.trim().parse::<usize>().unwrap())
        .sum()
}

#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported() {
    for bench in Bench::ALL {
        for (k, payload_bits) in [(1, 2), (2, 1), (3, 8), (4, 5), (6, 16)] {
            let folder = tempfile::tempdir().unwrap();
            let project = folder.path().join("project");
            let setup = a_run(bench, k, payload_bits, 0.75).setup;
            let exported = export(bench, &setup, &project);
            let last = (1 << k) - 1;
            let stat = yosys(
                &project,
                &format!(
                    "read_verilog node.v; chparam -set ADDRESS {last} node; synth -flatten -top node; \
                     check -assert"
                ),
            );
            let what = format!("{} k={k} D={payload_bits}\n{stat}", bench.name());
            assert_eq!(cells(&stat, "DFF"), exported.flip_flops.node, "{what}");
            assert_eq!(cells(&stat, "LATCH"), 0, "{what}");
            let stat = yosys(
                &project,
                "read_verilog sequencer.v; synth -flatten -top sequencer; check -assert",
            );
            assert_eq!(cells(&stat, "LATCH"), 0, "{what}");
            assert_eq!(cells(&stat, "DFF"), exported.flip_flops.sequencer, "{what}");
        }
    }
}

#[test]
fn yosys_finds_the_cube_well_formed() {
    for bench in Bench::ALL {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("project");
        export(bench, &a_run(bench, 3, 4, 0.75).setup, &project);
        let stat = yosys(
            &project,
            "read_verilog cube.v node.v sequencer.v; hierarchy -check -top cube; synth -flatten; \
             check -assert",
        );
        assert!(
            cells(&stat, "DFF") > 8 && cells(&stat, "LATCH") == 0,
            "{stat}"
        );
    }
}
