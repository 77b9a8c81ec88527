//! The exported Verilog of wormhole machines is the machine: Icarus gives the same value to every register and to every
//! wire between nodes and hosts in every bit time, and its testbench passes where it should and only there. Verilator has
//! nothing to say, and Yosys finds the storage. Needs all three; without them it fails.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use crate::common::dump::Dump;
use crate::common::verilog::{
    replace, text, tool, verilator_is_silent, what_is_expected_is_compared_bit_by_bit,
};
use rayon::prelude::*;
use rtl_model::language::lanes::Lanes as _;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::topology::Topology as _;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::plan::host_wires::{FROM_HOST, TO_HOST};
use testbenches::families::wormhole::engine::Engine;
use testbenches::families::wormhole::message::worms;
use testbenches::families::wormhole::options::{
    InjectionName, InjectionSetup, NetworkName, RunOptions, RunSetup, Setup, SwitchName,
    VerilogOptions, WormholeSetup,
};
use testbenches::families::wormhole::traffic;
use testbenches::families::wormhole::verilog::export;
use testbenches::verilog::Project;

/// Network, levels, virtual channels, bits of a buffer, weak switch, message bits.
type Size = (NetworkName, usize, usize, usize, bool, usize);

fn setup((network, dims, virtual_channels, buffer_bits, weak, message_bits): Size) -> Setup {
    Setup {
        dims: Some(dims),
        seed: 5,
        wormhole: WormholeSetup {
            network: Some(network),
            message_bits: Some(message_bits),
            virtual_channels: Some(virtual_channels),
            buffer_bits: Some(buffer_bits),
            switch: Some(if weak {
                SwitchName::Weak
            } else {
                SwitchName::Strong
            }),
            copies: None,
            pieces: None,
        },
        ..Setup::default()
    }
}

/// With the default number of rounds.
fn project(setup: &Setup, folder: &Path) -> Project {
    project_of_rounds(setup, None, folder)
}

fn project_of_rounds(setup: &Setup, rounds: Option<usize>, folder: &Path) -> Project {
    let options = VerilogOptions {
        setup: setup.clone(),
        rounds,
        out: folder.to_owned(),
        ..VerilogOptions::default()
    };
    export(&options).unwrap()
}

/// The module that joins the nodes.
fn network(setup: &Setup) -> &'static str {
    match setup.wormhole.network.unwrap() {
        NetworkName::Ccc => "ccc",
        _ => "cube",
    }
}

/// Compiles with all warnings, which must be none, and runs; writes `tb.vcd`.
fn icarus(setup: &Setup, folder: &Path) -> Output {
    let files = format!("node.v {}.v tb.v", network(setup));
    let compiled = tool(
        folder,
        "iverilog",
        &format!("-g2005 -Wall -o tb.vvp {files}"),
    );
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    assert_eq!(text(&compiled.stderr), "");
    tool(folder, "vvp", "tb.vvp +vcd")
}

/// What a machine holds in a bit time: values by the names of the Verilog's dump, most significant bit first.
type Values = HashMap<String, String>;

/// Reads a node's registers.
struct Reading<'a> {
    prefix: String,
    path: Vec<String>,
    place: usize,
    values: &'a mut Values,
}

impl Visitor<u64> for Reading<'_> {
    fn enter(&mut self, name: Name, _kind: &'static str) {
        self.path.push(name.to_string());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn register<'r>(&mut self, name: Name, width: usize, bit: &dyn Fn(usize) -> &'r u64) {
        let names = self.path.iter().skip(1).cloned().chain([name.to_string()]);
        let name = format!("{}.{}", self.prefix, names.collect::<Vec<_>>().join("_"));
        if width > 0 {
            let digit =
                |position: usize| char::from(b'0' + u8::from(bit(position).get(self.place)));
            let value = (0..width).rev().map(digit).collect();
            assert!(self.values.insert(name, value).is_none());
        }
    }
}

fn values(fabric: &Fabric<WormholeMachine, u64>, network: &str) -> Values {
    let mut values = Values::new();
    let topology = fabric.topology();
    let (links, driven) = (topology.links(), topology.driven());
    let switches = fabric.router().plan().switches();
    let mut to_host = vec![String::new(); TO_HOST];
    for number in 0..topology.nodes() {
        let (node, place) = fabric.node(number);
        let (group, _) = topology.seat::<u64>(number);
        let mut reading = Reading {
            prefix: format!("tb.{network}.node[{number}].router"),
            path: Vec::new(),
            place,
            values: &mut values,
        };
        Registers::<u64>::visit(node, Name::Field("node"), &mut reading);
        let digit = |wire: usize| match fabric.group_wire(group, wire).get(place) {
            true => '1',
            false => '0',
        };
        let sent = (0..links).rev().map(digit).collect();
        values.insert(format!("tb.{network}.node[{number}].sent"), sent);
        for switch in 0..switches {
            for (kind, bits) in to_host.iter_mut().enumerate() {
                bits.insert(0, digit(links + switch * TO_HOST + kind));
            }
        }
        assert_eq!(driven, links + switches * TO_HOST);
    }
    let names = ["eject", "eject_valid", "eject_tail", "inject_credit"];
    for (name, bits) in names.iter().zip(to_host) {
        values.insert(format!("tb.{name}"), bits);
    }
    values
}

/// The first difference between a run and its Verilog after `edit` had the folder, what the testbench printed, and how
/// many bits were compared in each bit time.
fn compare(setup: &Setup, edit: impl FnOnce(&Path)) -> (Option<String>, Output, usize) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("project");
    let machine = setup.wormhole.machine(setup.dims, setup.seed).unwrap();
    // A second round is enough to see that it begins, and ends, as it should; in the largest machine it would take as long
    // as all others together.
    let rounds = if machine.wiring().nodes() > 32 { 1 } else { 2 };
    project_of_rounds(setup, Some(rounds), &folder);
    edit(&folder);
    let output = icarus(setup, &folder);
    let dump = Dump::read(&folder.join("tb.vcd"));
    let bits = setup.wormhole.checked_message_bits().unwrap();
    let messages = traffic::messages(setup, &machine, bits).unwrap();
    let mut engine = Engine::<u64>::new(machine, 1).unwrap();
    let mut waiting = messages.into_iter().peekable();
    let mut run = Vec::new();
    while engine.quiet() < 20 {
        let bit_time = engine.fabric.bit_time();
        while let Some(message) = waiting.next_if(|message| message.created <= bit_time) {
            engine.send(0, message);
        }
        if engine.in_flight() == 0 && waiting.peek().is_none() {
            break;
        }
        engine
            .tick(|engine| {
                run.push(values(&engine.fabric, network(setup)));
                Ok::<(), ()>(())
            })
            .unwrap();
    }
    let mut names: Vec<&String> = run[0].keys().collect();
    names.sort();
    let compared = run[0].values().map(String::len).sum();
    let mut first: Option<(usize, String)> = None;
    for name in names {
        let theirs = dump.by_bit_time(name, 1, run.len() as u64 + 1);
        for (bit_time, ours) in run.iter().enumerate() {
            let (ours, theirs) = (&ours[name], theirs[bit_time]);
            if ours != theirs && first.as_ref().is_none_or(|(first, _)| bit_time < *first) {
                let what =
                    format!("{name}, bit time {bit_time}: {ours} in cubewave, {theirs} in Verilog");
                first = Some((bit_time, what));
                break;
            }
        }
    }
    (first.map(|(_, what)| what), output, compared)
}

/// One in five, of every network and with every number of channels, that complete and that deadlock.
fn some_sizes() -> Vec<Size> {
    sizes().into_iter().step_by(5).collect()
}

fn sizes() -> Vec<Size> {
    use NetworkName::{Ccc, Copies, Ecube, Valiant};
    let mut sizes = Vec::new();
    for buffer_bits in [1, 2] {
        for weak in [false, true] {
            for virtual_channels in 1..=3 {
                for (network, dims) in [(Ccc, 2), (Ccc, 3), (Copies, 2)] {
                    sizes.push((network, dims, virtual_channels, buffer_bits, weak, 11));
                }
            }
            for dims in [2, 4] {
                sizes.push((Ecube, dims, 1, buffer_bits, weak, 7));
            }
            for virtual_channels in 1..=2 {
                sizes.push((Valiant, 2, virtual_channels, buffer_bits, weak, 7));
            }
        }
    }
    sizes.push((Copies, 4, 3, 2, true, 6));
    sizes
}

#[test]
fn icarus_agrees_on_every_register_and_wire_in_every_bit_time() {
    agrees(some_sizes());
}

#[test]
#[ignore = "long: the machines at all sizes"]
fn icarus_agrees_at_any_size() {
    agrees(sizes());
}

fn agrees(sizes: Vec<Size>) {
    let (completed, deadlocked) = (AtomicUsize::new(0), AtomicUsize::new(0));
    sizes.into_par_iter().for_each(|size| {
        let setup = setup(size);
        let (difference, output, compared) = compare(&setup, |_| {});
        if let Some(difference) = difference {
            panic!("{size:?}: {difference}");
        }
        let machine = setup.wormhole.machine(setup.dims, setup.seed).unwrap();
        let (_, storage) = machine.storage_bits();
        let topology = machine.wiring();
        let node = storage + topology.links() + machine.plan().switches() * TO_HOST;
        assert_eq!(compared, topology.nodes() * node, "{size:?}");
        assert_eq!(
            machine.plan().switches() * FROM_HOST,
            topology.wires_from_host()
        );
        let printed = text(&output.stdout);
        match output.status.code() {
            Some(0) => {
                let bits = setup.wormhole.checked_message_bits().unwrap();
                let messages = traffic::messages(&setup, &machine, bits).unwrap();
                let messages = messages.iter().enumerate();
                let worms: usize = messages
                    .map(|(number, message)| worms(&machine, number, message).count())
                    .sum();
                let passed =
                    format!("PASS: {worms} of {worms} worms arrived as they were sent, after ");
                assert!(printed.contains(&passed), "{size:?}: {printed}");
                completed.fetch_add(1, Relaxed);
            }
            Some(1) => {
                assert!(printed.contains("FAIL: deadlock: "), "{size:?}: {printed}");
                deadlocked.fetch_add(1, Relaxed);
            }
            status => panic!("{size:?}: {status:?} {printed}"),
        }
        // Worms never wait for each other in a circle where there are enough virtual channels.
        assert!(
            output.status.success() || size.2 < size.0.most_virtual_channels(size.1),
            "{size:?}"
        );
    });
    let (completed, deadlocked) = (completed.into_inner(), deadlocked.into_inner());
    assert!(
        completed > 0 && deadlocked > 0,
        "{completed} and {deadlocked}"
    );
}

#[test]
fn a_gate_that_is_flipped_is_caught() {
    for (file, from, to) in [
        ("node.v", "straight_in_0_asks =", "straight_in_0_asks = ~"),
        (
            "node.v",
            "wire straight_out_0_free = ",
            "wire straight_out_0_free = ~",
        ),
        (
            "ccc.v",
            "node[(n + 16) % 24].straight_link.tx;",
            "node[(n + 8) % 24].straight_link.tx;",
        ),
        (
            "ccc.v",
            "node[(n + 8) % 24].straight_link.tx_credit_0",
            "node[(n + 16) % 24].straight_link.tx_credit_0",
        ),
        (
            "ccc.v",
            "node[n ^ (1 << (n / 8))].cross_link.tx;",
            "node[n].cross_link.tx;",
        ),
        (
            "tb.v",
            "credits[port] == BUFFER_BITS :",
            "credits[port] == 1 :",
        ),
    ] {
        let setup = setup((NetworkName::Ccc, 3, 3, 2, false, 11));
        let (difference, ..) = compare(&setup, |folder| replace(folder, file, from, to));
        assert!(difference.is_some(), "`{to}` in {file} was not noticed");
    }
}

/// Any number of messages to one node, in any order; and none at all.
#[test]
fn worms_to_one_node_may_come_in_any_order() {
    for (traffic, load, worms) in [("uniform", 1.0, 24), ("randperm", 0.0, 0)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        let setup = Setup {
            traffic: Some(traffic.to_owned()),
            load: Some(load),
            ..setup((NetworkName::Ccc, 3, 3, 2, false, 9))
        };
        let exported = project(&setup, &folder);
        assert!(exported.files.contains(&"traffic.csv".to_owned()));
        let output = icarus(&setup, &folder);
        let printed = text(&output.stdout);
        let passed = format!(
            "PASS: {worms} of {worms} worms arrived as they were sent, after {} bit times, and all of 11 further \
             rounds as they should\n",
            exported.fact("bit_times").as_u64().unwrap()
        );
        assert!(printed.ends_with(&passed), "{printed}");
        assert_eq!(output.status.code(), Some(0));
    }
}

/// Files with times, several messages a node and of several lengths, hot spots, and what a run has delivered: every register
/// in every bit time, and with all that the testbench passes, unless worms wait for each other.
#[test]
fn traffic_of_any_kind_is_sent_at_its_times() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = 0;
    let mut file = |text: &str| {
        files += 1;
        let path = folder.path().join(format!("{files}.csv"));
        std::fs::write(&path, text).unwrap();
        Some(path)
    };
    let timed = file(
        "source,destination,time,bits\n0,5,0,9\n0,5,0,4\n7,5,0,9\n3,5,3,30\n0,0,61,9\n0,1,400,9\n7,1,400,2\n",
    );
    let rows = |time| {
        (0..64)
            .map(|one| format!("{},{},{time}\n", one % 24, 7 * one % 24))
            .collect::<String>()
    };
    // After a deadlock, more are to come, which nobody sends.
    let crowd = file(&format!(
        "source,destination,time\n{}{}",
        rows(0),
        rows(20_000)
    ));
    let delivered = folder.path().join("delivered.csv");
    let of_run = RunOptions {
        setup: RunSetup {
            setup: Setup {
                traffic: Some("uniform".to_owned()),
                ..setup((NetworkName::Copies, 2, 3, 2, false, 9))
            },
            injection: InjectionSetup {
                offered_load: Some(0.1),
                injection: Some(InjectionName::RequestReply),
                reply_bits: Some(5),
                warm_up: Some(50),
                measurement: Some(50),
                drain: Some(60),
                ..InjectionSetup::default()
            },
        },
        deliveries: Some(delivered.clone()),
        quiet: true,
        ..RunOptions::default()
    };
    testbenches::families::wormhole::run::run(&of_run).unwrap();
    let mut setups = vec![Setup {
        traffic: Some("hotspot".to_owned()),
        hot_spots: Some("1_3, 5".to_owned()),
        hot_share: Some(0.6),
        ..setup((NetworkName::Ccc, 3, 3, 2, false, 9))
    }];
    for (traffic_file, size) in [
        (timed.clone(), (NetworkName::Ccc, 3, 3, 2, false, 9)),
        (timed, (NetworkName::Copies, 2, 3, 1, true, 9)),
        (crowd, (NetworkName::Ccc, 3, 1, 1, false, 30)),
        (Some(delivered), (NetworkName::Copies, 2, 3, 2, false, 9)),
    ] {
        setups.push(Setup {
            traffic_file,
            ..setup(size)
        });
    }
    setups.par_iter().for_each(|setup| {
        let (difference, output, _) = compare(setup, |_| {});
        let printed = text(&output.stdout);
        assert_eq!(difference, None, "{setup:?}: {printed}");
        let deadlocks = setup.wormhole.virtual_channels == Some(1) && setup.dims == Some(3);
        let verdict = if deadlocks {
            "FAIL: deadlock: "
        } else {
            "PASS: "
        };
        assert!(printed.contains(verdict), "{setup:?}: {printed}");
    });
}

/// A host that begins a worm before its time, or another one first, is noticed.
#[test]
fn a_host_that_does_not_wait_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.csv");
    std::fs::write(
        &path,
        "source,destination,time\n0,3,0\n0,7,30\n0,2,30\n4,1,45\n",
    )
    .unwrap();
    let setup = Setup {
        traffic_file: Some(path),
        ..setup((NetworkName::Ecube, 2, 1, 2, false, 9))
    };
    for (from, to) in [
        ("traffic[4 * worm + 1] <= bit_time\n", "1'b1\n"),
        (
            "traffic[4 * worm + 1] <= bit_time\n",
            "traffic[4 * worm + 1] < bit_time\n",
        ),
        ("next[port] = worm + 1;", "next[port] = worm;"),
        ("first_to[port] = worm;", "first_to[port] = first_to[port];"),
    ] {
        let (difference, output, _) = compare(&setup, |folder| replace(folder, "tb.v", from, to));
        let is_noticed = difference.is_some() || !output.status.success();
        assert!(is_noticed, "`{to}` was not noticed");
    }
}

/// Another bit, another node, another time, no end.
#[test]
fn what_is_not_expected_fails_the_testbench() {
    let folder = tempfile::tempdir().unwrap();
    let setup = setup((NetworkName::Copies, 2, 3, 2, false, 16));
    let bit_times = project(&setup, &folder.path().join("as it is"))
        .fact("bit_times")
        .as_u64()
        .unwrap();
    let expected = std::fs::read_to_string(folder.path().join("as it is/expected.hex")).unwrap();
    let first = expected
        .lines()
        .nth(1)
        .unwrap()
        .split(" //")
        .next()
        .unwrap();
    let fields: Vec<usize> = first
        .split(' ')
        .map(|word| usize::from_str_radix(word, 16).unwrap())
        .collect();
    let [to, length, body] = fields[..] else {
        panic!("{first}")
    };
    let done = format!("FAIL: round 1 of 12: done after {bit_times} bit times, it should take ");
    let one_bit = format!("{to:x} {length:x} {:x}", body ^ 1 << (length - 1));
    let elsewhere = format!("{:x} {length:x} {body:x}", to ^ 2);
    let times = format!("bit_times = {bit_times};");
    let later = format!("bit_times = {};", bit_times + 1);
    for (number, (file, from, to, verdict)) in [
        (
            "expected.hex",
            first,
            &one_bit,
            format!("{done}{bit_times}; 1 of 16 worms wrong"),
        ),
        (
            "expected.hex",
            first,
            &elsewhere,
            format!("{done}{bit_times}; 1 of 16 worms wrong"),
        ),
        (
            "tb.v",
            &times,
            &later,
            format!("{done}{}; 0 of 16 worms wrong", bit_times + 1),
        ),
        (
            "tb.v",
            "reset = 1'b0;",
            &"reset = 1'b0; force inject_valid[3] = 1'b0;".to_owned(),
            format!(
                "FAIL: round 1 of 12: not done after {} bit times, it should take {bit_times};",
                bit_times + 100
            ),
        ),
        (
            "tb.v",
            "$readmemh(\"traffic.hex\"",
            &"$readmemh(\"missing.hex\"".to_owned(),
            "FAIL: traffic.hex and expected.hex are not here".to_owned(),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let project_folder = folder.path().join(number.to_string());
        project(&setup, &project_folder);
        replace(&project_folder, file, from, to);
        let output = icarus(&setup, &project_folder);
        let printed = text(&output.stdout);
        assert!(printed.contains(&verdict), "{to}: {printed}");
        assert!(!printed.contains("PASS"), "{to}: {printed}");
        assert_eq!(output.status.code(), Some(1), "{to}");
    }
}

#[test]
fn bits_that_are_to_be_0_are_compared_as_those_that_are_to_be_1() {
    are_compared_alike(NetworkName::Ccc);
}

#[test]
#[ignore = "long: pieces of messages too"]
fn bits_of_pieces_that_are_to_be_0_are_compared_as_those_that_are_to_be_1() {
    are_compared_alike(NetworkName::Copies);
}

fn are_compared_alike(network: NetworkName) {
    const WORMS: usize = 3;
    let folder = tempfile::tempdir().unwrap();
    let setup = setup((network, 2, 3, 2, false, 16));
    project_of_rounds(&setup, Some(1), folder.path());
    assert!(icarus(&setup, folder.path()).status.success());
    // Of a worm, where it is for, the length of its body and that.
    what_is_expected_is_compared_bit_by_bit(folder.path(), |word, bit, words| {
        let is_body = word % 3 == 2 && word < 3 * WORMS;
        (is_body && bit < words[word - 1] as usize).then_some(true)
    });
}

/// A reset in the middle of a run begins anew.
#[test]
fn a_machine_can_be_reset_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let setup = setup((NetworkName::Ecube, 2, 1, 2, false, 9));
    let folder = folder.path().join("project");
    project(&setup, &folder);
    let again = "reset = 1'b0; #150 reset = 1'b1; #10 reset = 1'b0;";
    replace(&folder, "tb.v", "reset = 1'b0;", again);
    let output = icarus(&setup, &folder);
    let printed = text(&output.stdout);
    assert!(printed.contains("PASS: 8 of 8 worms"), "{printed}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn verilator_has_nothing_to_say() {
    nothing_is_said(some_sizes());
}

#[test]
#[ignore = "long: the machines at all sizes"]
fn verilator_has_nothing_to_say_at_any_size() {
    nothing_is_said(sizes().into_iter().filter(|size| size.3 == 2).collect());
}

fn nothing_is_said(sizes: Vec<Size>) {
    sizes.into_par_iter().for_each(|size| {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        let setup = setup(size);
        project_of_rounds(&setup, Some(1), &folder);
        let name = network(&setup);
        let files = format!("{name}.v node.v");
        let nodes = setup
            .wormhole
            .machine(setup.dims, setup.seed)
            .unwrap()
            .wiring()
            .nodes();
        let address_bits = nodes.next_power_of_two().ilog2() as usize;
        verilator_is_silent(&folder, name, &files, address_bits, &format!("{size:?}"));
    });
}

/// Flip-flops that Yosys finds in a node whose address is a port: none folds with it.
fn flip_flops(folder: &Path) -> usize {
    let path = folder.join("node.v");
    let node = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = node.split_once("#(\n  parameter ").unwrap();
    let (address, rest) = rest.split_once(" ADDRESS").unwrap();
    let (_, rest) = rest.split_once("\n) (\n").unwrap();
    std::fs::write(
        path,
        format!("{head}(\n  input wire {address} ADDRESS,\n{rest}"),
    )
    .unwrap();
    let script =
        "read_verilog node.v; synth -flatten -top node; check -assert; tee -o yosys.log stat";
    let output = Command::new("yosys")
        .args(["-q", "-p", script])
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("yosys is needed here: {error}"));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let stat = std::fs::read_to_string(folder.join("yosys.log")).unwrap();
    assert!(!stat.contains("LATCH"));
    let cells = stat.lines().filter_map(|line| line.trim().split_once(' '));
    let flip_flops = cells.filter(|(cell, _)| cell.contains("DFF"));
    flip_flops
        .map(|(_, amount)| amount.trim().parse::<usize>().unwrap())
        .sum()
}

/// None is constant or stands there twice.
#[test]
fn yosys_counts_as_many_flip_flops_as_are_reported() {
    use NetworkName::{Ccc, Copies, Ecube, Valiant};
    for size in [
        (Ccc, 3, 3, 2, false, 9),
        (Ccc, 2, 1, 1, true, 9),
        (Ecube, 2, 1, 2, true, 9),
        (Valiant, 2, 2, 2, true, 9),
        (Copies, 2, 3, 2, false, 9),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        let exported = project(&setup(size), &folder);
        let found = flip_flops(&folder);
        assert_eq!(
            found,
            exported.fact("flip_flops_per_node").as_u64().unwrap() as usize,
            "{size:?}"
        );
    }
}
