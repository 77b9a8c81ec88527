//! The same run as VCD and as FST, read back through another library: every signal of one is in the other and all
//! changes are the same, names of steps, units and worms among them.

use crate::common::dump::{Dump, options, text_of};
use crate::common::{on_each_schedule, worms};
use testbenches::families::ports;
use testbenches::families::{enumeration, kuszmaul, packing, sorting};
use testbenches::lockstep::Schedule;
use testbenches::testbench::bench::{self, RunOptions};

/// Runs what `run` runs into a VCD and an FST, and compares them. Returns the signals that are text, by name, with
/// all that they ever say.
fn texts(run: impl Fn(&std::path::Path)) -> Vec<(String, Vec<String>)> {
    let folder = tempfile::tempdir().unwrap();
    let [vcd, fst] = ["run.vcd", "run.fst"].map(|name| {
        let path = folder.path().join(name);
        run(&path);
        Dump::read(&path)
    });
    assert_eq!(vcd.ticks.last(), fst.ticks.last());
    assert!(fst.texts.is_empty(), "the format has vectors alone");
    for (path, changes) in &vcd.signals {
        // FST begins at tick 0, with x before the window.
        let is_in_window = |change: &&(u64, String)| change.0 >= vcd.ticks[0];
        let in_fst = fst.signals[path].iter().filter(is_in_window);
        let in_fst: Vec<(u64, String)> = in_fst
            .map(|(tick, value)| match vcd.texts.contains(path) {
                true => (*tick, text_of(value)),
                false => (*tick, value.clone()),
            })
            .collect();
        assert_eq!(in_fst, *changes, "{path}");
    }
    assert_eq!(fst.signals.len(), vcd.signals.len());
    let said = |path: &String| {
        let changes = vcd.signals[path].iter();
        changes.map(|(_, text)| text.clone()).collect()
    };
    let texts = vcd.texts.iter().map(|path| (path.clone(), said(path)));
    texts.collect()
}

#[test]
fn steps_and_units_of_routers_in_lockstep() {
    for (bench, schedule, window, signals, says) in [
        (&enumeration::BENCH, None, (None, None), 1, "enumerate"),
        (&packing::BENCH, None, (None, None), 1, "pack"),
        (
            &kuszmaul::BENCH,
            Some("plain"),
            (None, None),
            1,
            "4_enumerate_empties",
        ),
        (
            &kuszmaul::BENCH,
            Some("plain"),
            (Some(17), Some(60)),
            1,
            "3_pack_messages",
        ),
        (&kuszmaul::BENCH, Some("overlapped"), (None, None), 5, "ci"),
        (&kuszmaul::BENCH, Some("folded"), (Some(20), None), 5, "en"),
        (&kuszmaul::BENCH, Some("spread"), (None, None), 5, "pa"),
        (&kuszmaul::BENCH, Some("radix4"), (None, None), 5, "gr1"),
        (&sorting::BITONIC, None, (None, None), 5, "co"),
        (&sorting::RADIX, None, (None, None), 5, "1_enumerate"),
    ] {
        let texts = texts(|path| {
            let mut options = options(4, 3, 0.7, path).on(schedule);
            (options.trace_from, options.trace_to) = window;
            options.run(bench);
        });
        // Beside what runs, and names of messages, of which there are as many as places.
        let names = |path: &str| path.ends_with("message") || path.contains(".followed.");
        let texts: Vec<_> = (texts.into_iter())
            .filter(|(path, _)| path != "cube.about")
            .collect();
        let others = texts.iter().filter(|(path, _)| !names(path));
        assert_eq!(others.count(), signals, "{bench:?} {schedule:?}");
        let has_names = texts.iter().any(|(path, _)| names(path));
        assert_eq!(
            has_names,
            bench.name != enumeration::BENCH.name,
            "{bench:?} {schedule:?}"
        );
        let mut said = texts.iter().flat_map(|(_, said)| said);
        assert!(said.any(|text| text == says), "{texts:?}");
    }
}

/// All nodes of every network, each worm in a channel by name; and continuous injection, cut out in its middle.
#[test]
fn worms() {
    for (network, name) in [
        ("ccc --message-bits 24", "0_0->"),
        ("copies --message-bits 48", "/3"),
        ("ecube --message-bits 24", "0->"),
        (
            "copies --message-bits 48 --offered-load 0.05 --trace-from 400 --trace-to 700",
            "/0",
        ),
    ] {
        let texts = texts(|path| {
            worms::run(&format!(
                "--dims 4 --seed 5 --network {network} --trace-nodes all --wave {}",
                path.display()
            ));
        });
        let of_channels = texts.iter().filter(|(path, _)| path.ends_with(".worm"));
        assert!(of_channels.count() >= 5 * 64);
        let is_known = |path: &str| {
            let names = [".worm", ".waits_for", ".tx_worm", ".rx_worm", ".about"];
            names.iter().any(|name| path.ends_with(name)) || path.contains(".followed.")
        };
        assert!(texts.iter().all(|(path, _)| is_known(path)));
        let mut said = texts.iter().flat_map(|(_, said)| said);
        assert!(said.any(|text| text.contains(name)), "{name}");
    }
}

/// All nodes of every broadcast, each packet by name where it is sent, received and held; and one cut out in its middle.
#[test]
fn packets() {
    use rtl_model::routers::ports::algorithm::Algorithm;
    let models = |algorithm: Algorithm| {
        algorithm
            .port_models()
            .iter()
            .map(move |ports| (algorithm, ports))
    };
    for (algorithm, model) in Algorithm::EACH.into_iter().flat_map(models) {
        for window in [(None, None), (Some(9), Some(25))] {
            let texts = texts(|path| {
                let words = format!(
                    "--algorithm {algorithm} --ports {model} --dims 3 --source 5 --message-bits 12 --start-up 2"
                );
                let options = RunOptions {
                    wave: Some(path.to_owned()),
                    trace_nodes: Some("all".to_owned()),
                    trace_from: window.0,
                    trace_to: window.1,
                    quiet: true,
                    ..RunOptions::default()
                };
                let chosen = ports::BENCH.asked(&words).unwrap();
                bench::run(chosen, &options).unwrap();
            });
            for (name, says) in [
                (".step_name", "SHIFT"),
                (".sends", "packet_0"),
                (".receives", "packet_0"),
                (".holds", "packet_0"),
            ] {
                let mut said = (texts.iter())
                    .filter(|(path, _)| path.ends_with(name))
                    .flat_map(|(_, said)| said);
                assert!(said.any(|text| text.ends_with(says)), "{algorithm} {name}");
            }
        }
    }
}

/// Collective operations on the reduced hypercube, all nodes, whole and cut out in the middle.
#[test]
fn ways() {
    for (run, name, says) in [
        ("reduce --algorithm short", ".way", "SB_1->BB_bit_1"),
        ("prefix", ".sent", "preceding"),
        ("sort --keys 2", ".slots", "2<->7"),
        (
            "broadcast --network reduced-hypercube",
            ".tree_program",
            "prepare",
        ),
    ] {
        for window in ["", "--trace-from 2 --trace-to 40"] {
            let texts = texts(|path| {
                let status = std::process::Command::new(env!("CARGO_BIN_EXE_cubewave"))
                    .arg("run")
                    .args(run.split(' ').chain(window.split_whitespace()))
                    .args([
                        "--dims",
                        "2",
                        "--blocks",
                        "2",
                        "--trace-nodes",
                        "all",
                        "--wave",
                    ])
                    .arg(path)
                    .stdout(std::process::Stdio::null())
                    .status();
                assert!(status.unwrap().success());
            });
            let mut said = (texts.iter())
                .filter(|(path, _)| path.ends_with(name))
                .flat_map(|(_, said)| said);
            let is_said = said.any(|text| text == says);
            assert!(is_said || !window.is_empty(), "{run}: {texts:?}");
        }
    }
}

/// The width of `user_<d>` is declared beforehand: a schedule names all units that drive its wires, and no others.
fn the_units_are_those_that_drive_wires(schedule: Schedule) {
    let mut seen: Vec<&str> = Vec::new();
    for k in 1..=8 {
        let mut machine = crate::common::device(schedule, k, 5).build(1).unwrap();
        while !machine.is_done() {
            machine.transmit().unwrap();
            seen.extend((0..k).filter_map(|dimension| machine.driver(dimension)));
            seen.sort_unstable();
            seen.dedup();
            machine.clock();
        }
    }
    let mut units = crate::common::device(schedule, 1, 5).steps().units.to_vec();
    units.sort_unstable();
    assert_eq!(seen, units, "{}", schedule.name());
}
on_each_schedule!(the_units_are_those_that_drive_wires);
