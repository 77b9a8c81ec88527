//! The exported Verilog of broadcasts is the machine: Icarus gives the same value to every register and to every wire between
//! nodes and hosts in every bit time, and its testbench passes where it should and only there. Verilator has nothing to say,
//! and Yosys finds the storage. Needs all three; without them it fails.

use std::collections::HashMap;
use std::path::Path;

use crate::common::dump::Dump;
use crate::common::verilog::{
    flip_flops, icarus, replace, text, tool, verilator_is_silent,
    what_is_expected_is_compared_bit_by_bit,
};
use hosts::ports::engine::Engine;
use rayon::prelude::*;
use rtl_model::language::register::{Name, Visitor};
use rtl_model::machine::topology::Tap;
use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use testbenches::families::broadcast::BENCH;
use testbenches::families::broadcast::job::Job;
use testbenches::families::broadcast::verilog::MOST_DIMENSIONS;
use testbenches::options::VerilogOptions;
use testbenches::testbench::bench::{self, RunOptions};
use testbenches::verilog::Project;

/// A broadcast of so many packets; the last one of several lacks a bit, where a packet has several.
#[derive(Clone, Copy, Debug)]
struct Case {
    algorithm: Algorithm,
    ports: PortModel,
    dims: usize,
    packets: usize,
    packet_bits: usize,
    start_up: usize,
    source: usize,
}

impl Case {
    fn message_bits(self) -> usize {
        let lacks = usize::from(self.packet_bits > 1 && self.packets > 1);
        self.packets * self.packet_bits - lacks
    }

    /// As it is asked for.
    fn words(self) -> String {
        format!(
            "--algorithm {} --ports {} --dims {} --start-up {} --source {} --message-bits {} --packet-bits {} --seed 7",
            self.algorithm,
            self.ports,
            self.dims,
            self.start_up,
            self.source,
            self.message_bits(),
            self.packet_bits
        )
    }

    /// Flip-flops of a node that nothing reads, so that Yosys drops them: where there are two places for a packet, the oldest bit
    /// of what is arriving. The packet is taken over as its last bit comes in; not so where each phase has two halves.
    fn unread(self) -> usize {
        use Algorithm::{
            BinomialTree, Broadcast3B, Broadcast4, HamiltonianPath, MultipleTrees, TwoRootedTree,
        };
        use PortModel::{All, OneWay, TwoWay};
        match (self.algorithm, self.ports) {
            // And which ports receive: what comes is shifted in whether or not a packet does.
            (MultipleTrees, All) | (Broadcast3B | Broadcast4, _) => 2 * self.dims,
            (_, OneWay) | (BinomialTree, TwoWay) => 0,
            (TwoRootedTree, TwoWay) if self.dims == 2 => 0,
            (HamiltonianPath | BinomialTree | TwoRootedTree | MultipleTrees, _) => 1,
            _ => 0,
        }
    }
}

/// Every broadcast on all its ports.
fn broadcasts() -> Vec<(Algorithm, PortModel)> {
    let of = |algorithm: Algorithm| {
        let ports = algorithm.port_models().iter();
        ports.map(move |ports| (algorithm, *ports))
    };
    let all: Vec<_> = Algorithm::EACH.into_iter().flat_map(of).collect();
    assert_eq!(all.len(), 17);
    all
}

/// All of them in so many dimensions: few packets or one group and a part of another, of one bit and of several, with a start-up
/// and without, from node 0 and from another.
fn cases(dims: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    for (algorithm, ports) in broadcasts() {
        let most = algorithm.most_packets(dims).unwrap_or(usize::MAX);
        for (packets, packet_bits) in [(2 * dims + 1, 1), (dims + 1, 4)] {
            for start_up in [0, 2] {
                for source in [0, (1 << dims) - 2 + usize::from(dims == 1)] {
                    cases.push(Case {
                        algorithm,
                        ports,
                        dims,
                        packets: packets.min(most),
                        packet_bits,
                        start_up,
                        source,
                    });
                }
            }
        }
    }
    cases
}

/// One of the eight of each broadcast, another one from broadcast to broadcast, from size to size and for each `turn`.
fn some_cases(dims: usize, turn: usize) -> impl Iterator<Item = Case> {
    let each = cases(dims).into_iter().enumerate();
    each.filter(move |(number, _)| number % 8 == (number / 8 + dims + turn) % 8)
        .map(|(_, case)| case)
}

/// Writes what words ask for.
fn exported(words: &str, rounds: Option<usize>, folder: &Path) -> Result<Project, String> {
    let options = VerilogOptions {
        rounds,
        out: folder.to_owned(),
        ..VerilogOptions::default()
    };
    let project = bench::export(&BENCH.asked(words).unwrap(), &options);
    project.map_err(|error| error.to_string())
}

fn project(words: &str, rounds: Option<usize>, folder: &Path) -> Project {
    exported(words, rounds, folder).unwrap()
}

fn bit_times(project: &Project) -> u64 {
    project.fact("bit_times_formula")["value"].as_u64().unwrap()
}

/// Compiles with all warnings, which must be none, and runs without a dump.
fn printed(folder: &Path) -> (String, Option<i32>) {
    let files = "node.v sequencer.v cube.v tb.v";
    let compiled = tool(
        folder,
        "iverilog",
        &format!("-g2005 -Wall -o tb.vvp {files}"),
    );
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    assert_eq!(text(&compiled.stderr), "");
    let output = tool(folder, "vvp", "tb.vvp");
    (text(&output.stdout), output.status.code())
}

fn passes(case: Case, rounds: Option<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("project");
    let project = project(&case.words(), rounds, &folder);
    let (printed, status) = printed(&folder);
    let others = (1 << case.dims) - 1;
    let passed = format!(
        "PASS: {others} of {others} nodes have the message, every bit once, after {} bit times, in each of {} rounds\n",
        bit_times(&project),
        rounds.unwrap_or(12)
    );
    assert_eq!((&*printed, status), (&*passed, Some(0)), "{case:?}");
}

#[test]
fn every_broadcast_arrives_in_icarus() {
    let some: Vec<Case> = (1..=3).flat_map(|dims| some_cases(dims, 3)).collect();
    assert_eq!(some.len(), 3 * 17);
    some.into_par_iter().for_each(|case| passes(case, Some(3)));
}

#[test]
#[ignore = "long: all packets, start-ups and sources"]
fn every_broadcast_of_any_size_arrives_in_icarus() {
    let all: Vec<Case> = (1..=3).flat_map(cases).collect();
    assert_eq!(all.len(), 3 * 17 * 8);
    all.into_par_iter().for_each(|case| passes(case, Some(3)));
}

#[test]
#[ignore = "long: twelve rounds in four dimensions"]
fn in_four_dimensions_they_arrive_in_all_rounds() {
    let few = cases(4).into_iter().skip(2).step_by(8);
    let few: Vec<Case> = few.collect();
    assert_eq!(few.len(), 17);
    few.into_par_iter().for_each(|case| passes(case, None));
}

/// What a machine holds in a bit time: values by the names of the Verilog's dump, most significant bit first.
type Values = HashMap<String, String>;

/// Reads registers.
struct Reading<'a> {
    prefix: String,
    path: Vec<String>,
    values: &'a mut Values,
}

impl Visitor<bool> for Reading<'_> {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        self.path.push(name.to_string());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r bool) {
        let names = self.path.iter().skip(1).cloned().chain([name.to_string()]);
        let name = format!("{}.{}", self.prefix, names.collect::<Vec<_>>().join("_"));
        if width > 0 {
            let digit = |position: usize| char::from(b'0' + u8::from(*bit(position)));
            let value = (0..width).rev().map(digit).collect();
            assert!(self.values.insert(name, value).is_none());
        }
    }
}

/// Registers of all nodes and of the sequencer, and all wires that nodes drive.
fn values(engine: &Engine) -> Values {
    let mut values = Values::new();
    let machine = &*engine.machine;
    let mut reading = Reading {
        prefix: "tb.cube.sequencer".to_owned(),
        path: Vec::new(),
        values: &mut values,
    };
    machine
        .sequencer()
        .visit(Name::Field("sequencer"), &mut reading);
    for node in 0..machine.nodes() {
        let mut reading = Reading {
            prefix: format!("tb.cube.node[{node}].router"),
            path: Vec::new(),
            values: &mut values,
        };
        machine.show_registers(node, &mut reading);
    }
    let topology = machine.topology();
    let links = topology.links();
    for node in 0..machine.nodes() {
        let sent = (0..links)
            .rev()
            .map(|wire| machine.tapped(node, Tap::Driven(wire)));
        let sent = sent.map(|is_one| if is_one { '1' } else { '0' });
        values.insert(format!("tb.cube.node[{node}].sent"), sent.collect());
    }
    let mut ports: Vec<(String, Vec<usize>)> = Vec::new();
    ports.extend(topology.labelled().into_iter().filter_map(|label| {
        let driven = label.wires.iter().filter_map(|tap| match tap {
            Tap::Driven(wire) if *wire >= links => Some(*wire),
            _ => None,
        });
        let driven: Vec<usize> = driven.collect();
        let name = format!("{}_{}", label.scope, label.name);
        (!driven.is_empty()).then_some((name, driven))
    }));
    for (name, wires) in ports {
        let mut bits = String::new();
        for node in (0..machine.nodes()).rev() {
            for wire in wires.iter().rev() {
                let is_one = machine.tapped(node, Tap::Driven(*wire));
                bits.push(if is_one { '1' } else { '0' });
            }
        }
        values.insert(format!("tb.{name}"), bits);
    }
    values
}

/// The first difference between a run and its Verilog after `edit` had the folder, and what the testbench printed.
fn compare(case: Case, edit: impl FnOnce(&Path)) -> (Option<String>, String) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("project");
    let exported = project(&case.words(), Some(2), &folder);
    edit(&folder);
    let output = icarus(&folder);
    let dump = Dump::read(&folder.join("tb.vcd"));
    let job = Job::new(&BENCH.asked(&case.words()).unwrap()).unwrap();
    let mut engine = Engine::new(job.asked.broadcast, job.message()).unwrap();
    let mut all = Vec::new();
    engine
        .run(|engine| {
            all.push(values(engine));
            Ok::<(), ()>(())
        })
        .unwrap();
    assert_eq!(all.len() as u64, bit_times(&exported) + 1, "{case:?}");
    assert!((0..1 << case.dims).all(|node| engine.hosts.is_complete(node)));
    let compared: usize = all[0].values().map(String::len).sum();
    let (nodes, wires) = (1 << case.dims, engine.device.wires().driven());
    let node = flip_flops(&exported, "node") + wires;
    let expected = nodes * node + flip_flops(&exported, "sequencer");
    assert_eq!(compared, expected, "{case:?}: not all of them are compared");
    let mut names: Vec<&String> = all[0].keys().collect();
    names.sort();
    let mut first: Option<(usize, String)> = None;
    for name in names {
        let theirs = dump.by_bit_time(name, 1, all.len() as u64 + 1);
        for (bit_time, ours) in all.iter().enumerate() {
            let (ours, theirs) = (&ours[name], theirs[bit_time]);
            if ours != theirs && first.as_ref().is_none_or(|(first, _)| bit_time < *first) {
                let what =
                    format!("{name}, bit time {bit_time}: {ours} in cubewave, {theirs} in Verilog");
                first = Some((bit_time, what));
                break;
            }
        }
    }
    (first.map(|(_, what)| what), text(&output.stdout))
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    let some: Vec<Case> = (1..=3).flat_map(|dims| some_cases(dims, 0)).collect();
    assert_eq!(some.len(), 3 * 17);
    agrees(some);
}

#[test]
#[ignore = "long: more packets, start-ups and sources"]
fn icarus_agrees_on_more_broadcasts() {
    let few = (1..=4).flat_map(|dims| cases(dims).into_iter().skip(dims % 2 + 2).step_by(4));
    let few: Vec<Case> = few.collect();
    assert_eq!(few.len(), 4 * 34);
    agrees(few);
}

fn agrees(cases: Vec<Case>) {
    cases.into_par_iter().for_each(|case| {
        let (difference, printed) = compare(case, |_| {});
        assert_eq!(difference, None, "{case:?}");
        assert!(printed.contains("PASS: "), "{case:?}: {printed}");
    });
}

/// Trees of their own in three dimensions, in packets of four bits.
const TREES: Case = Case {
    algorithm: Algorithm::MultipleTrees,
    ports: PortModel::TwoWay,
    dims: 3,
    packets: 4,
    packet_bits: 4,
    start_up: 2,
    source: 5,
};

#[test]
fn what_is_wrong_fails_the_testbench() {
    let tree = Case {
        algorithm: Algorithm::TwoRootedTree,
        ..TREES
    };
    let all_ports = Case {
        ports: PortModel::All,
        ..TREES
    };
    let of_a_step = "FAIL: round 1 of 12: ";
    for (case, file, from, to, verdict) in [
        (
            TREES,
            "tb.v",
            "BIT_TIMES = 42;",
            "BIT_TIMES = 43;",
            "FAIL: round 1 of 12: done after 42 bit times, it should take 43; 0 of 8 nodes wrong, 0 other mistakes\n",
        ),
        (
            TREES,
            "sequencer.v",
            "assign done =",
            "assign done = 1'b0 &",
            "FAIL: round 1 of 12: not done after 142 bit times, it should take 42; 0 of 8 nodes wrong, 0 other mistakes\n",
        ),
        (
            TREES,
            "tb.v",
            "$readmemh(\"traffic.hex\"",
            "$readmemh(\"missing.hex\"",
            "FAIL: traffic.hex and expected.hex are not here: run in the folder of tb.v\n",
        ),
        (
            tree,
            "tb.v",
            "$readmemh(\"configuration.hex\"",
            "$readmemh(\"missing.hex\"",
            "FAIL: traffic.hex, configuration.hex and expected.hex are not here: run in the folder of tb.v\n",
        ),
        (
            TREES,
            "cube.v",
            "FROM_0[n * 3 +: 3]].sent[0]",
            "FROM_1[n * 3 +: 3]].sent[0]",
            of_a_step,
        ),
        (
            TREES,
            "node.v",
            "assign host_violation = ",
            "assign host_violation = decide | ",
            "bit time 0: node 0 says that too many of its ports are busy\n",
        ),
        (
            TREES,
            "node.v",
            "assign host_ask = ",
            "assign host_ask = decide | ",
            "bit time 0: node 0 asks its host, which has no message\n",
        ),
        (
            TREES,
            "node.v",
            "assign host_take = arrived",
            "assign host_take = decide | arrived",
            "bit time 0: 1 of 4 bits of packet 0 came to node 0\n",
        ),
        // The testbench does not rely on the arbiter.
        (
            all_ports,
            "tb.v",
            "sends <= DIMS && receives <= DIMS",
            "sends <= 1 && receives <= 1",
            "bit time 0: node 5 sends on 3 ports and receives on 0\n",
        ),
        (
            TREES,
            "node.v",
            "assign host_sending[0] = ",
            "assign host_sending[0] = decide & ~",
            "bit time 18: across dimension 0 node 0 sends, or its neighbour receives, alone\n",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        project(&case.words(), None, &folder);
        replace(&folder, file, from, to);
        let (printed, status) = printed(&folder);
        assert!(printed.contains(verdict), "{to}: {printed}");
        assert!(
            printed.contains("FAIL: ") && !printed.contains("PASS"),
            "{to}: {printed}"
        );
        assert_eq!(status, Some(1), "{to}");
    }
}

/// A bit of what is expected is another, of the message or of what the last packet is filled up with.
#[test]
fn what_is_not_expected_fails_the_testbench() {
    // 15 bits of 16.
    for digit in [0, 3] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        project(&TREES.words(), Some(1), &folder);
        let path = folder.join("expected.hex");
        let mut expected = std::fs::read(&path).unwrap();
        // The highest bit of a digit.
        let value = char::from(expected[digit]).to_digit(16).unwrap() ^ 8;
        expected[digit] = char::from_digit(value, 16).unwrap() as u8;
        std::fs::write(path, expected).unwrap();
        let (printed, status) = printed(&folder);
        let verdict = "FAIL: done after 42 bit times, it should take 42; 7 of 8 nodes wrong, 0 other mistakes\n";
        assert!(printed.ends_with(verdict), "{printed}");
        assert!(printed.contains("node 0 has "), "{printed}");
        assert_eq!(status, Some(1));
    }
}

#[test]
fn bits_that_are_to_be_0_are_compared_as_those_that_are_to_be_1() {
    broadcasts().into_par_iter().for_each(|(algorithm, ports)| {
        let case = cases(2).into_iter().filter(|case| case.packet_bits > 1);
        let mut case = case.filter(|case| (case.algorithm, case.ports) == (algorithm, ports));
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        let case = case.next().unwrap();
        project(&case.words(), Some(1), &folder);
        assert_eq!(printed(&folder).1, Some(0), "{algorithm:?}");
        let bits = case.message_bits();
        what_is_expected_is_compared_bit_by_bit(&folder, |_, bit, _| (bit < bits).then_some(true));
    });
}

#[test]
fn a_changed_gate_is_caught_by_the_comparison() {
    let (difference, printed) = compare(TREES, |folder| {
        replace(
            folder,
            "node.v",
            "supply <= host_supply",
            "supply <= ~host_supply",
        );
    });
    assert!(difference.unwrap().contains("router.supply"), "{printed}");
    assert!(printed.contains("FAIL: "), "{printed}");
}

#[test]
fn verilator_has_nothing_to_say() {
    nothing_is_said(
        [1, 3]
            .into_iter()
            .flat_map(|dims| some_cases(dims, 5))
            .collect(),
    );
}

#[test]
#[ignore = "long: more packets, start-ups and sources, and five dimensions"]
fn verilator_has_nothing_to_say_of_more_broadcasts() {
    let all = (1..=3)
        .flat_map(|dims| cases(dims).into_iter().skip(1).step_by(4))
        .chain(cases(5).into_iter().step_by(8));
    nothing_is_said(all.collect());
}

fn nothing_is_said(cases: Vec<Case>) {
    cases.into_par_iter().for_each(|case| {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        project(&case.words(), Some(1), &folder);
        let files = "cube.v node.v sequencer.v";
        verilator_is_silent(&folder, "cube", files, case.dims, &format!("{case:?}"));
    });
}

/// Flip-flops that Yosys finds in a module; there must be no latch.
fn flip_flops_found(folder: &Path, script: &str) -> usize {
    let script = format!("{script}; check -assert; tee -o yosys.log stat");
    let output = std::process::Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("yosys is needed here: {error}"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stat = std::fs::read_to_string(folder.join("yosys.log")).unwrap();
    assert!(!stat.contains("LATCH"), "{stat}");
    stat.lines()
        .filter_map(|line| line.trim().split_once(' '))
        .filter(|(cell, _)| cell.contains("DFF"))
        .map(|(_, amount)| amount.trim().parse::<usize>().unwrap())
        .sum()
}

/// Nothing writes the address of the source after the reset, so in the sequencer it is no flip-flops. In a node it comes as
/// strobes: so even nodes that are not the source keep what they would supply.
#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported() {
    are_counted(2..=2);
}

#[test]
#[ignore = "long: three and four dimensions"]
fn yosys_counts_as_many_flip_flops_as_are_reported_in_more_dimensions() {
    are_counted(3..=4);
}

fn are_counted(dims: std::ops::RangeInclusive<usize>) {
    let all: Vec<Case> = dims
        .flat_map(|dims| cases(dims).into_iter().skip(6).step_by(8))
        .collect();
    all.into_par_iter().for_each(|case| {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        let exported = project(&case.words(), Some(1), &folder);
        let last = (1 << case.dims) - 1;
        let node = flip_flops_found(
            &folder,
            &format!(
                "read_verilog node.v; chparam -set ADDRESS {last} node; synth -flatten -top node"
            ),
        );
        assert_eq!(
            node,
            flip_flops(&exported, "node") - case.unread(),
            "{case:?}"
        );
        let sequencer = "read_verilog sequencer.v; synth -flatten -top sequencer";
        let sequencer = flip_flops_found(&folder, sequencer);
        let reported = flip_flops(&exported, "sequencer");
        assert_eq!(sequencer, reported - case.dims, "{case:?}");
    });
}

/// The message that was written is the one that was asked for: a run takes it, and so does another export.
#[test]
fn the_message_can_be_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    project(&TREES.words(), None, &first);
    let values = first.join("values.csv");
    let again = format!("{} --values {}", TREES.words(), values.display());
    project(&again, None, &second);
    for file in [
        "traffic.hex",
        "expected.hex",
        "tb.v",
        "values.csv",
        "README.md",
    ] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(file)).unwrap();
        assert_eq!(read(&first), read(&second), "{file}");
    }
    let results = folder.path().join("results.csv");
    let words = format!("{again} --results {}", results.display());
    let options = RunOptions {
        quiet: true,
        ..RunOptions::default()
    };
    let report = bench::run(BENCH.asked(&words).unwrap(), &options).unwrap();
    assert!(report.passed);
    let results = std::fs::read_to_string(results).unwrap();
    let values = std::fs::read_to_string(first.join("values.csv")).unwrap();
    let (_, message) = values.trim_end().rsplit_once(',').unwrap();
    let traffic = std::fs::read_to_string(first.join("traffic.hex")).unwrap();
    assert_eq!(traffic.lines().nth(1), Some(message));
    let expected: String = (0..8).map(|node| format!("{node},{message}\n")).collect();
    assert_eq!(results, format!("node,value\n{expected}"));
}

#[test]
fn what_is_refused_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("project");
    let of = |words: &str, rounds| exported(words, rounds, &out).unwrap_err();
    let too_large = format!("--dims {}", MOST_DIMENSIONS + 1);
    for (words, rounds, refusal) in [
        (
            &too_large[..],
            None,
            "a Verilog project of 11 dimensions would be unreasonable: its testbench has a host for each of the 2048 nodes, \
             and a Verilog simulator builds every node from its gates: choose 1 to 10 dimensions (`cubewave run` goes further)",
        ),
        (
            "--dims 3 --message-bits 65537 --packet-bits 64",
            None,
            "a Verilog project of this message would be unreasonable: its packets have 65600 bits together, which its \
             testbench holds in a vector, and Verilog tools need not take more than 65536: use fewer --message-bits",
        ),
        (
            "--dims 10 --message-bits 4096 --packet-bits 1024",
            None,
            "a Verilog project of these packets would be unreasonable: 1024 nodes of 2072 flip-flops have 2121728, and \
             1048576 are the most: use fewer --dims or fewer --packet-bits (`cubewave run` goes further)",
        ),
        (
            "--dims 3 --message-bits 64 --packet-bits 1 --start-up 16384",
            None,
            "a Verilog project of this broadcast would be unreasonable: it takes 1097795 bit times, and with a Verilog \
             simulator 1048576 are the most: use fewer --message-bits, a shorter --start-up or other --packet-bits \
             (`cubewave run` goes further)",
        ),
        (
            "--dims 3",
            Some(65),
            "--rounds: 65 is out of range: choose 1 to 64",
        ),
        (
            "--dims 3 --source 8",
            None,
            "the source 8 is out of range: the nodes are 0 to 7",
        ),
    ] {
        let refused = of(words, rounds);
        assert_eq!(refused, refusal);
        assert!(!out.exists(), "{refused}");
    }
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("mine"), "").unwrap();
    assert!(of("--dims 3", None).contains("is not empty"));
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1);
}
