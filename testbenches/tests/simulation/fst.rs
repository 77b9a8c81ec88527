//! The same run of worms as VCD and as FST, read back through another library: every signal of one is in the other and all
//! changes are the same, names of worms among them. Of all other testbenches the suite holds that. And the units of schedules.

use crate::common::dump::{Dump, text_of};
use crate::common::{on_each_schedule, worms};
use testbenches::lockstep::Schedule;

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
