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
use crate::common::worms;
use rayon::prelude::*;
use rtl_model::language::lanes::Lanes as _;
use rtl_model::language::register::{Name, Registers, Visitor};
use rtl_model::machine::fabric::Fabric;
use rtl_model::machine::topology::Topology as _;
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network::Network;
use rtl_model::routers::wormhole::plan::host_wires::{FROM_HOST, TO_HOST};
use testbenches::families::wormhole::BENCH;
use testbenches::families::wormhole::engine::Engine;
use testbenches::families::wormhole::job::Job;
use testbenches::families::wormhole::message;
use testbenches::families::wormhole::traffic;
use testbenches::options::VerilogOptions;
use testbenches::testbench::bench;
use testbenches::testbench::chosen::{Chosen, Given};
use testbenches::verilog::Project;

/// Network, levels, virtual channels, bits of a buffer, weak switch, message bits.
type Size = (&'static str, usize, usize, usize, bool, usize);

fn words((network, dims, virtual_channels, buffer_bits, weak, message_bits): Size) -> String {
    let switch = if weak { "weak" } else { "strong" };
    format!(
        "--dims {dims} --seed 5 --network {network} --message-bits {message_bits} --virtual-channels {virtual_channels} \
         --buffer-bits {buffer_bits} --switch {switch}"
    )
}

fn of(size: Size) -> Chosen {
    BENCH.asked(&words(size)).unwrap()
}

/// With such traffic.
fn sending(size: Size, traffic: &str) -> Chosen {
    BENCH.asked(&format!("{} {traffic}", words(size))).unwrap()
}

/// With the default number of rounds.
fn project(chosen: &Chosen, folder: &Path) -> Project {
    project_of_rounds(chosen, None, folder)
}

fn project_of_rounds(chosen: &Chosen, rounds: Option<usize>, folder: &Path) -> Project {
    let options = VerilogOptions {
        rounds,
        out: folder.to_owned(),
        ..VerilogOptions::default()
    };
    bench::export(chosen, &options).unwrap()
}

/// The module that joins the nodes.
fn network(chosen: &Chosen) -> &'static str {
    match Job::new(chosen).unwrap().machine.network() {
        Network::CubeConnectedCycles(_) => "ccc",
        _ => "cube",
    }
}

/// Compiles with all warnings, which must be none, and runs; writes `tb.vcd`.
fn icarus(chosen: &Chosen, folder: &Path) -> Output {
    let files = format!("node.v {}.v tb.v", network(chosen));
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
fn compare(chosen: &Chosen, edit: impl FnOnce(&Path)) -> (Option<String>, Output, usize) {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("project");
    let job = Job::new(chosen).unwrap();
    // A second round is enough to see that it begins, and ends, as it should; in the largest machine it would take as long
    // as all others together.
    let rounds = if job.machine.wiring().nodes() > 32 {
        1
    } else {
        2
    };
    project_of_rounds(chosen, Some(rounds), &folder);
    edit(&folder);
    let output = icarus(chosen, &folder);
    let dump = Dump::read(&folder.join("tb.vcd"));
    let messages = traffic::messages(&job).unwrap();
    let mut engine = Engine::<u64>::new(job.machine, 1).unwrap();
    let mut waiting = messages.into_iter().peekable();
    let (mut run, network) = (Vec::new(), network(chosen));
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
                run.push(values(&engine.fabric, network));
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
    let mut sizes = Vec::new();
    for buffer_bits in [1, 2] {
        for weak in [false, true] {
            for virtual_channels in 1..=3 {
                for (network, dims) in [("ccc", 2), ("ccc", 3), ("copies", 2)] {
                    sizes.push((network, dims, virtual_channels, buffer_bits, weak, 11));
                }
            }
            for dims in [2, 4] {
                sizes.push(("ecube", dims, 1, buffer_bits, weak, 7));
            }
            for virtual_channels in 1..=2 {
                sizes.push(("valiant", 2, virtual_channels, buffer_bits, weak, 7));
            }
        }
    }
    sizes.push(("copies", 4, 3, 2, true, 6));
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
        let chosen = of(size);
        let (difference, output, compared) = compare(&chosen, |_| {});
        if let Some(difference) = difference {
            panic!("{size:?}: {difference}");
        }
        let job = Job::new(&chosen).unwrap();
        let machine = &job.machine;
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
                let messages = traffic::messages(&job).unwrap();
                let messages = messages.iter().enumerate();
                let worms: usize = messages
                    .map(|(number, message)| message::worms(&job.machine, number, message).count())
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
        let enough = match size.0 {
            "ecube" => 1,
            "valiant" => 2,
            _ => 3,
        };
        assert!(output.status.success() || size.2 < enough, "{size:?}");
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
        let chosen = of(("ccc", 3, 3, 2, false, 11));
        let (difference, ..) = compare(&chosen, |folder| replace(folder, file, from, to));
        assert!(difference.is_some(), "`{to}` in {file} was not noticed");
    }
}

/// Any number of messages to one node, in any order; and none at all.
#[test]
fn worms_to_one_node_may_come_in_any_order() {
    for (traffic, load, worms) in [("uniform", 1.0, 24), ("randperm", 0.0, 0)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        let traffic = format!("--traffic {traffic} --load {load}");
        let chosen = sending(("ccc", 3, 3, 2, false, 9), &traffic);
        let exported = project(&chosen, &folder);
        assert!(exported.files.contains(&"traffic.csv".to_owned()));
        let output = icarus(&chosen, &folder);
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
        path
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
    let of_run = ("copies", 2, 3, 2, false, 9);
    worms::run(&format!(
        "{} --traffic uniform --offered-load 0.1 --injection request-reply --reply-bits 5 --warm-up 50 --measurement 50 --drain 60 \
         --deliveries {}",
        words(of_run),
        delivered.display()
    ));
    let hot = sending(
        ("ccc", 3, 3, 2, false, 9),
        "--traffic hotspot --hot-share 0.6",
    );
    let hot_spots = BENCH.parameter("hot_spots").unwrap();
    let hot = hot.with(hot_spots, Given::Text("1_3, 5".to_owned()));
    let mut all = vec![(hot, "PASS: ")];
    for (traffic_file, size, verdict) in [
        (&timed, ("ccc", 3, 3, 2, false, 9), "PASS: "),
        (&timed, ("copies", 2, 3, 1, true, 9), "PASS: "),
        (&crowd, ("ccc", 3, 1, 1, false, 30), "FAIL: deadlock: "),
        (&delivered, of_run, "PASS: "),
    ] {
        let traffic = format!("--traffic-file {}", traffic_file.display());
        all.push((sending(size, &traffic), verdict));
    }
    all.par_iter().for_each(|(chosen, verdict)| {
        let (difference, output, _) = compare(chosen, |_| {});
        let printed = text(&output.stdout);
        assert_eq!(difference, None, "{chosen:?}: {printed}");
        assert!(printed.contains(verdict), "{chosen:?}: {printed}");
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
    let traffic = format!("--traffic-file {}", path.display());
    let chosen = sending(("ecube", 2, 1, 2, false, 9), &traffic);
    for (from, to) in [
        ("traffic[4 * worm + 1] <= bit_time\n", "1'b1\n"),
        (
            "traffic[4 * worm + 1] <= bit_time\n",
            "traffic[4 * worm + 1] < bit_time\n",
        ),
        ("next[port] = worm + 1;", "next[port] = worm;"),
        ("first_to[port] = worm;", "first_to[port] = first_to[port];"),
    ] {
        let (difference, output, _) = compare(&chosen, |folder| replace(folder, "tb.v", from, to));
        let is_noticed = difference.is_some() || !output.status.success();
        assert!(is_noticed, "`{to}` was not noticed");
    }
}

/// Another bit, another node, another time, no end.
#[test]
fn what_is_not_expected_fails_the_testbench() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = of(("copies", 2, 3, 2, false, 16));
    let bit_times = project(&chosen, &folder.path().join("as it is"))
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
        project(&chosen, &project_folder);
        replace(&project_folder, file, from, to);
        let output = icarus(&chosen, &project_folder);
        let printed = text(&output.stdout);
        assert!(printed.contains(&verdict), "{to}: {printed}");
        assert!(!printed.contains("PASS"), "{to}: {printed}");
        assert_eq!(output.status.code(), Some(1), "{to}");
    }
}

#[test]
fn bits_that_are_to_be_0_are_compared_as_those_that_are_to_be_1() {
    are_compared_alike("ccc");
}

#[test]
#[ignore = "long: pieces of messages too"]
fn bits_of_pieces_that_are_to_be_0_are_compared_as_those_that_are_to_be_1() {
    are_compared_alike("copies");
}

fn are_compared_alike(network: &'static str) {
    const WORMS: usize = 3;
    let folder = tempfile::tempdir().unwrap();
    let chosen = of((network, 2, 3, 2, false, 16));
    project_of_rounds(&chosen, Some(1), folder.path());
    assert!(icarus(&chosen, folder.path()).status.success());
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
    let chosen = of(("ecube", 2, 1, 2, false, 9));
    let folder = folder.path().join("project");
    project(&chosen, &folder);
    let again = "reset = 1'b0; #150 reset = 1'b1; #10 reset = 1'b0;";
    replace(&folder, "tb.v", "reset = 1'b0;", again);
    let output = icarus(&chosen, &folder);
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
        let chosen = of(size);
        project_of_rounds(&chosen, Some(1), &folder);
        let name = network(&chosen);
        let files = format!("{name}.v node.v");
        let nodes = Job::new(&chosen).unwrap().machine.wiring().nodes();
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
    for size in [
        ("ccc", 3, 3, 2, false, 9),
        ("ccc", 2, 1, 1, true, 9),
        ("ecube", 2, 1, 2, true, 9),
        ("valiant", 2, 2, 2, true, 9),
        ("copies", 2, 3, 2, false, 9),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("project");
        let exported = project(&of(size), &folder);
        let found = flip_flops(&folder);
        assert_eq!(
            found,
            exported.fact("flip_flops")["node"].as_u64().unwrap() as usize,
            "{size:?}"
        );
    }
}
