//! Waveforms, read back through another library: a run that is looked at is the run that nobody looks at, both ends of every wire
//! agree in every bit time, every register is the one that ran, and a window is the same wave cut out.

use std::collections::BTreeMap;

use rtl_model::machine::topology::{Labelled, Tap, Topology};
use serde_json::Value;
use testbenches::testbench::bench::RunOptions;

use crate::common::dump::{Dump, TICKS_PER_BIT_TIME, text_of};
use crate::common::sample::{Sampled, ran_of_choices};
use crate::suite::dumped::{Dumped, dumped, run, with_wave};
use crate::suite::reports::but_for_time_and_files;

/// As compiled programs, and bit time by bit time with somebody who looks on.
#[test]
fn a_run_that_is_looked_at_is_the_same_run() {
    for dumped in dumped() {
        let alone = but_for_time_and_files(dumped.sampled.report().unwrap());
        let watched = but_for_time_and_files(&dumped.report);
        for (name, value) in alone.as_object().unwrap() {
            let of = (dumped.name(), name);
            match (name.as_str(), &watched[name], value) {
                // Files that are written may be checked, too.
                ("checks", Value::Array(watched), Value::Array(alone)) => {
                    assert!(watched.starts_with(alone), "{of:?}");
                }
                (_, watched, alone) => assert_eq!(watched, alone, "{of:?}"),
            }
        }
    }
    assert!(dumped().len() > 300, "{}", dumped().len());
}

/// From tick 0 to the end of the bit time that shows what the run leaves, with a clock that rises at the beginning of each.
#[test]
fn the_axis_and_the_clock_are_as_promised() {
    for dumped in dumped() {
        let name = dumped.name();
        let ticks = &dumped.dump.ticks;
        let last = *ticks.last().unwrap();
        assert_eq!(ticks.first(), Some(&0), "{name}");
        // What is told in words in the end is held for a tenth of the run, in which nothing changes.
        let held = last.checked_sub(dumped.last_tick());
        let held = held.unwrap_or_else(|| panic!("{name} ends at {last}"));
        let is_told = dumped
            .dump
            .signals
            .keys()
            .any(|path| path.ends_with(".in_words"));
        let tenth = dumped.end().saturating_sub(1).div_ceil(10) * TICKS_PER_BIT_TIME;
        assert!(held == 0 || is_told && held == tenth, "{name}: {held}");
        let halves = (0..2 * dumped.end()).map(|half| {
            let tick = half * TICKS_PER_BIT_TIME / 2;
            (tick, (1 - half % 2).to_string())
        });
        let clock = format!("{}.clk", dumped.topology().machine_name());
        let clock = &dumped.dump.signals[&clock];
        assert!(clock.iter().cloned().eq(halves), "{name}");
    }
}

/// What each wire at each node carries, bit time by bit time.
fn wires(dumped: &Dumped, topology: &dyn Topology) -> BTreeMap<(usize, bool, usize), Vec<u8>> {
    let mut wires = BTreeMap::new();
    for node in 0..topology.nodes() {
        for Labelled {
            scope,
            name,
            wires: taps,
        } in topology.labelled()
        {
            let (machine, of) = (topology.machine_name(), topology.node_name(node));
            let path = format!("{machine}.node_{of}.{scope}.{name}");
            let values = dumped.signal(&path);
            let values = values.unwrap_or_else(|| panic!("{}: no {path}", dumped.name()));
            for (place, tap) in taps.iter().enumerate() {
                let bits = values.iter().map(|bits| {
                    assert_eq!(bits.len(), taps.len(), "{}: {path}", dumped.name());
                    bits.as_bytes()[taps.len() - 1 - place]
                });
                let (is_driven, number) = match *tap {
                    Tap::Driven(number) => (true, number),
                    Tap::Received(number) => (false, number),
                };
                wires.insert((node, is_driven, number), bits.collect());
            }
        }
    }
    wires
}

/// Links between nodes; those to hosts have one end in the dump.
#[test]
fn both_ends_of_every_wire_agree_in_every_bit_time() {
    let (mut carried, mut silent) = (0, 0);
    for dumped in dumped() {
        let topology = dumped.topology();
        let wires = wires(dumped, &*topology);
        let mut ones = 0;
        for node in 0..topology.nodes() {
            for link in 0..topology.links() {
                let sender = topology.sender(node, link);
                let (sent, received) =
                    (&wires[&(sender, true, link)], &wires[&(node, false, link)]);
                assert_eq!(
                    sent,
                    received,
                    "{}: {} from node {sender} to node {node}",
                    dumped.name(),
                    topology.describe(link)
                );
                assert!(
                    sent.iter().all(|bit| b"01".contains(bit)),
                    "{}",
                    dumped.name()
                );
                ones += sent.iter().filter(|bit| **bit == b'1').count();
            }
        }
        *if ones > 0 { &mut carried } else { &mut silent } += 1;
        // Nothing is on wires that nobody drives.
        if let Some(driven) = dumped.signal(&format!("{}.driven", topology.machine_name())) {
            for (node, link) in (0..topology.nodes())
                .flat_map(|node| (0..driven[0].len()).map(move |link| (node, link)))
            {
                let sent = &wires[&(node, true, link)];
                for (bit_time, driven) in driven.iter().enumerate() {
                    let is_driven = driven.as_bytes()[driven.len() - 1 - link] == b'1';
                    assert!(is_driven || sent[bit_time] == b'0', "{}", dumped.name());
                }
            }
        }
    }
    assert!(carried > 300 && carried > 10 * silent, "{carried} {silent}");
}

/// The most that a node holds of what is counted, in the dump and in the report.
#[test]
fn the_peak_of_a_dump_is_that_of_the_report() {
    let mut held = [0; 2];
    for dumped in dumped() {
        let peak = &dumped.report.peak;
        let told = [peak.occupied_bits_per_node, peak.forwarding_buffer_bits];
        for (place, (name, told)) in ["occupied_bits", "bits_to_send_on"]
            .into_iter()
            .zip(told)
            .enumerate()
        {
            let ending = format!(".{name}");
            let paths = dumped
                .dump
                .signals
                .keys()
                .filter(|path| path.ends_with(&ending) && path.split('.').count() == 3);
            let number = |bits: &str| u32::from_str_radix(bits, 2).unwrap();
            let most = paths.flat_map(|path| {
                dumped
                    .dump
                    .by_bit_time(path, 0, dumped.end())
                    .into_iter()
                    .map(number)
            });
            let most = most.max();
            assert!(
                most.is_none() || most == told,
                "{}: {name}: {most:?} {told:?}",
                dumped.name()
            );
            held[place] += usize::from(most.is_some());
        }
    }
    assert!(held.iter().all(|held| *held > 30), "{held:?}");
}

/// Each signal of a dump in each bit time of a window.
pub fn within(dump: &Dump, from: u64, to: u64) -> BTreeMap<&str, Vec<&str>> {
    let paths = dump.signals.keys();
    paths
        .map(|path| (path.as_str(), dump.by_bit_time(path, from, to)))
        .collect()
}

fn dump_of(sampled: &Sampled, options: RunOptions) -> Dump {
    let wave = options.wave.clone().unwrap();
    run(sampled, "", options);
    Dump::read(&wave)
}

/// Some nodes for some time, as in the whole dump.
#[test]
fn a_window_is_the_same_wave_cut_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.vcd");
    for whole in dumped() {
        if !whole.sampled.is_of_choice() || whole.report.bit_times < 4 {
            continue;
        }
        let name = whole.name();
        let topology = whole.topology();
        let nodes = [0, topology.nodes() - 1].map(|node| topology.node_name(node));
        let (from, to) = (whole.report.bit_times / 3, 2 * whole.report.bit_times / 3);
        let part = dump_of(
            whole.sampled,
            RunOptions {
                trace_nodes: Some(nodes.join(",")),
                trace_from: Some(from),
                trace_to: Some(to),
                ..with_wave(&path)
            },
        );
        let ends = (part.ticks.first().copied(), part.ticks.last().copied());
        let due = [from, to].map(|bit_time| Some(bit_time * TICKS_PER_BIT_TIME));
        assert_eq!([ends.0, ends.1], due, "{name}");
        let of_node = |path: &str| {
            let scope = path.split('.').nth(1).unwrap_or_default();
            scope.strip_prefix("node_").map(str::to_owned)
        };
        // Which message a view follows goes by the nodes that are in it.
        let is_followed = |path: &str| path.contains(".followed.") || path.ends_with(".colours");
        let traced = |path: &&String| {
            let node = of_node(path);
            node.is_none_or(|node| nodes.contains(&node)) && !is_followed(path)
        };
        let due = whole.dump.signals.keys().filter(traced);
        let missing: Vec<_> = due
            .filter(|path| !part.signals.contains_key(*path))
            .collect();
        assert!(missing.is_empty(), "{name}: {missing:?}");
        let in_whole = within(&whole.dump, from, to);
        for (path, values) in within(&part, from, to) {
            if is_followed(path) {
                continue;
            }
            assert_eq!(values, in_whole[path], "{name}: {path}");
        }
    }
}

/// Every signal of one is in the other, and all changes are the same; how many of the signals are text.
fn say_the_same(vcd: &Dump, fst: &Dump, name: &str) -> usize {
    assert_eq!(fst.ticks.last(), vcd.ticks.last(), "{name}");
    assert_eq!(fst.signals.len(), vcd.signals.len(), "{name}");
    assert!(fst.texts.is_empty(), "the format has vectors alone");
    for (path, changes) in &vcd.signals {
        let is_text = vcd.texts.contains(path);
        // FST begins at tick 0, with x before the window.
        let is_in_window = |change: &&(u64, String)| change.0 >= vcd.ticks[0];
        let in_fst = fst.signals[path].iter().filter(is_in_window);
        let in_fst = in_fst.map(|(tick, value)| match is_text {
            true => (*tick, text_of(value)),
            false => (*tick, value.clone()),
        });
        assert_eq!(in_fst.collect::<Vec<_>>(), *changes, "{name}: {path}");
    }
    vcd.texts.len()
}

/// The same run in both formats, whole and cut out in its middle.
#[test]
fn an_fst_says_the_same_as_a_vcd() {
    let folder = tempfile::tempdir().unwrap();
    let [vcd, fst] = ["run.vcd", "run.fst"].map(|name| folder.path().join(name));
    let mut texts = 0;
    for dumped in dumped() {
        if !dumped.sampled.is_of_choice() {
            continue;
        }
        let (sampled, name) = (dumped.sampled, dumped.name());
        let whole = dump_of(sampled, with_wave(&fst));
        texts += say_the_same(&dumped.dump, &whole, &name);
        let part = |path| RunOptions {
            trace_from: Some(dumped.report.bit_times / 3),
            trace_to: Some(2 * dumped.report.bit_times / 3 + 1),
            ..with_wave(path)
        };
        let [vcd, fst] = [&vcd, &fst].map(|path| dump_of(sampled, part(path)));
        say_the_same(&vcd, &fst, &name);
    }
    assert!(texts > 500, "{texts}");
}

/// Byte for byte.
#[test]
fn the_same_run_writes_the_same_dump() {
    let folder = tempfile::tempdir().unwrap();
    for (sampled, report) in ran_of_choices() {
        if report.topology.nodes > 4 {
            continue;
        }
        // A dump has its name in the command that it says.
        let [one, two] = [1, 2].map(|_| {
            let path = folder.path().join("run.vcd");
            let mut options = with_wave(&path);
            options.date.no_date = true;
            run(sampled, "", options);
            let text = std::fs::read_to_string(path).unwrap();
            assert!(text.contains("$timescale 100 ps $end"), "{text}");
            text
        });
        assert!(one == two, "{}", sampled.name());
    }
}
