//! Dumps of machines with several messages a node, audited from outside: what one node sends is what its neighbour receives, batches march
//! through the stages an interval apart, and messages that are put together again from the wires are those that were sent.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::common::dump::Dump;
use crate::common::relation::{SEVERAL, Several};
use crate::wave::names::{crosses_what_wires_carry, is_followed};

/// A run of which every node is in the dump.
fn dumped(several: &Several, further: &str, folder: &Path) -> (Value, Dump) {
    let traced = format!("--wave run.vcd --trace-nodes all {further}");
    let report = several.told("run", &traced, folder);
    assert_eq!(report["passed"], true, "{several:?}");
    (report, Dump::read(&folder.join("run.vcd")))
}

fn number(report: &Value, name: &str) -> usize {
    report[name].as_u64().unwrap() as usize
}

/// The wires that a node drives, as they are numbered: the dimension and the stage of each; no stage where there is one wire each.
fn wires(dump: &Dump) -> Vec<(usize, Option<usize>)> {
    let sent = dump
        .signals
        .keys()
        .filter_map(|path| path.strip_prefix("cube.node_0.dim_"));
    let mut wires: Vec<_> = sent
        .filter_map(|wire| {
            let (dimension, wire) = wire.split_once(".tx").unwrap_or(("", ""));
            // Whose bits are there is told beside the wire.
            if wire.ends_with("message") {
                return None;
            }
            let stage = wire.strip_prefix('_').map(|stage| stage.parse().unwrap());
            Some((dimension.parse().ok()?, stage))
        })
        .collect();
    wires.sort_by_key(|&(dimension, stage)| (stage, dimension));
    wires
}

/// What a wire is called at a node, or who drives it.
fn called((dimension, stage): (usize, Option<usize>), [before, after]: [&str; 2]) -> String {
    let stage = stage.map_or(String::new(), |stage| format!("_{stage}"));
    format!("{before}{dimension}{after}{stage}")
}

/// In every bit time every wire has one bit, the same at both ends, and 0 where nobody drives it; whoever drives it has a name.
#[test]
fn what_is_received_is_what_the_neighbour_sends() {
    for several in &SEVERAL {
        let folder = tempfile::tempdir().unwrap();
        let (report, dump) = dumped(several, "", folder.path());
        let (until, wires) = (number(&report, "bit_times"), wires(&dump));
        assert_eq!(
            wires.len(),
            number(&report, "wires_per_node"),
            "{several:?}"
        );
        let by_bit_time = |path: &str| dump.by_bit_time(path, 0, until as u64);
        let driven = by_bit_time("cube.driven");
        let (mut ones, mut driven_bit_times) = (0, 0);
        for (place, &wire) in wires.iter().enumerate() {
            let user = by_bit_time(&called(wire, ["cube.user_", ""]));
            let is_driven: Vec<bool> = (driven.iter())
                .map(|bits| bits.as_bytes()[bits.len() - 1 - place] == b'1')
                .collect();
            for (bit_time, is_driven) in is_driven.iter().enumerate() {
                assert_eq!(
                    *is_driven,
                    !user[bit_time].is_empty(),
                    "{several:?}: {wire:?}"
                );
            }
            driven_bit_times += is_driven.iter().filter(|is_driven| **is_driven).count();
            for node in 0..several.nodes() {
                let at = |node: usize, end: &str| {
                    by_bit_time(&called(
                        wire,
                        [&format!("cube.node_{node}.dim_"), &format!(".{end}")],
                    ))
                };
                let (sent, received) = (at(node, "tx"), at(node ^ 1 << wire.0, "rx"));
                assert_eq!(sent, received, "{several:?}: node {node}, {wire:?}");
                for (bit, is_driven) in sent.iter().zip(&is_driven) {
                    assert!(matches!((*bit, is_driven), ("0", _) | ("1", true)), "{bit}");
                    ones += usize::from(*bit == "1");
                }
            }
        }
        assert!(
            ones > several.nodes() && driven_bit_times > wires.len(),
            "{several:?}"
        );
    }
}

/// What is said of a stage in each bit time: the batch and its step.
fn said(dump: &Dump, stage: usize, until: usize) -> Vec<Option<(usize, &str)>> {
    let texts = dump.by_bit_time(&format!("cube.sequencer.stage_{stage}"), 0, until as u64);
    let told = texts.into_iter().map(|text| {
        let (batch, step) = text.split_once(':')?;
        Some((batch.parse().unwrap(), step))
    });
    told.collect()
}

/// The bit time in which each batch begins at a stage.
fn begins(said: &[Option<(usize, &str)>], batches: usize) -> Vec<usize> {
    let of = |batch| {
        said.iter()
            .position(|told| told.is_some_and(|(of, _)| of == batch))
    };
    (0..batches).map(|batch| of(batch).unwrap()).collect()
}

#[test]
fn batches_march_through_the_stages_an_interval_apart() {
    let several = SEVERAL
        .iter()
        .filter(|several| several.options.contains("--batches"));
    for several in several {
        let folder = tempfile::tempdir().unwrap();
        let (report, dump) = dumped(several, "", folder.path());
        let (until, interval) = (
            number(&report, "bit_times"),
            number(&report, "interval_bit_times"),
        );
        let batches = number(&report, "batches");
        let stages = (0..several.dims).filter(|stage| {
            dump.signals
                .contains_key(&format!("cube.sequencer.stage_{stage}"))
        });
        let mut before = None;
        for stage in stages {
            let said = said(&dump, stage, until);
            let begins = begins(&said, batches);
            // Batch 0 is at stage 0 from the first bit time on, and at each stage after it has been at the one before.
            match before {
                None => assert_eq!((stage, begins[0]), (0, 0), "{several:?}"),
                Some(before) => assert!(begins[0] > before, "{several:?}"),
            }
            before = Some(begins[0]);
            for (batch, &begins_at) in begins.iter().enumerate() {
                assert_eq!(
                    begins_at,
                    begins[0] + batch * interval,
                    "{several:?}: stage {stage}"
                );
                // What happens to the first batch happens to each, until the next one begins.
                let steps = |from: usize, batch: usize| {
                    let told = said.iter().skip(from).take(interval.min(until - begins_at));
                    told.map(|told| told.map(|(of, step)| (of - batch, step)))
                        .collect::<Vec<_>>()
                };
                assert_eq!(
                    steps(begins_at, batch),
                    steps(begins[0], 0),
                    "{several:?}: stage {stage}"
                );
            }
        }
        assert!(before.is_some());
    }
}

/// A message of this batch from each node but some: where it goes and what it carries. No two payloads are alike.
fn sent(batch: usize, k: usize) -> Vec<(usize, usize, u32)> {
    let nodes = 1usize << k;
    let is_there = |node: &usize| (node + batch) % 5 != 4;
    let target = |node: usize| match batch {
        0 => nodes - 1 - node,
        1 => (3 * node + 1) % nodes,
        _ => node ^ 1 << (batch % k),
    };
    let messages = (0..nodes).filter(is_there);
    messages
        .map(|node| (node, target(node), (batch * nodes + node) as u32))
        .collect()
}

/// In the last stage messages cross the highest dimension or stay: a bit that says which, then the payload. What comes over the wire, and
/// else what stood before the stage, is what was sent to this node.
#[test]
fn messages_put_together_from_the_wires_of_the_last_stage_are_those_that_were_sent() {
    const PAYLOAD_BITS: usize = 6;
    const BATCHES: usize = 4;
    for (k, schedule) in [
        (3, "spread"),
        (4, "spread"),
        (3, "overlapped"),
        (4, "overlapped"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut file = "batch,source,destination,payload\n".to_owned();
        for batch in 0..BATCHES {
            for (source, destination, payload) in sent(batch, k) {
                writeln!(file, "{batch},{source},{destination},{payload:x}").unwrap();
            }
        }
        std::fs::write(folder.path().join("sent.csv"), file).unwrap();
        let several = Several {
            dims: k,
            options: "kuszmaul --batches 4 --payload-bits 6",
        };
        let further = format!("--schedule {schedule} --traffic-file sent.csv");
        let (report, dump) = dumped(&several, &further, folder.path());
        let (until, last) = (number(&report, "bit_times"), k - 1);
        let begins = begins(&said(&dump, last, until), BATCHES);
        let mut crossed = 0;
        for (batch, &begins_at) in begins.iter().enumerate() {
            let messages = sent(batch, k);
            for node in 0..several.nodes() {
                let signal = |name: &str| {
                    let path = format!("cube.node_{node}.{name}");
                    let bits = dump.by_bit_time(
                        &path,
                        begins_at as u64,
                        (begins_at + PAYLOAD_BITS + 1) as u64,
                    );
                    bits.into_iter().map(|bit| bit == "1").collect::<Vec<_>>()
                };
                // The address bit is there when it is decided who crosses, the payload behind it.
                let (valid, bits) = (
                    signal(&format!("stages.stage_{last}.input.valid"))[0],
                    signal(&format!("stages.stage_{last}.input.bit")),
                );
                let stays = valid && bits[0] == (node >> last & 1 == 1);
                let wire = signal(&format!("dim_{last}.rx_{last}"));
                let came = wire[0];
                assert!(!(stays && came), "two messages for node {node}");
                crossed += usize::from(came);
                let from = if came { &wire } else { &bits };
                let value = |bits: &[bool]| {
                    let places = bits.iter().enumerate();
                    places.fold(0, |value, (place, bit)| value | u32::from(*bit) << place)
                };
                let arrived = (stays || came).then(|| value(&from[1..]));
                let due = messages
                    .iter()
                    .find(|(_, destination, _)| *destination == node);
                let due = due.map(|(_, _, payload)| *payload);
                assert_eq!(
                    arrived, due,
                    "{schedule}, k={k}: batch {batch} at node {node}"
                );
            }
        }
        assert!(crossed > BATCHES, "{crossed}");
    }
}

/// A message of a batch, of a relation, or of one of several processors is followed as one of a permutation is.
#[test]
fn one_of_several_messages_is_followed() {
    for several in &SEVERAL {
        let folder = tempfile::tempdir().unwrap();
        let (_, dump) = dumped(several, "", folder.path());
        let held = (dump.signals.iter()).filter(|(path, _)| path.ends_with(".message"));
        let names =
            held.flat_map(|(_, changes)| changes.iter().flat_map(|(_, said)| said.split(',')));
        let names: BTreeSet<&str> = names.filter(|name| name.contains("->")).collect();
        assert!(names.len() > several.nodes(), "{several:?}: {names:?}");
        let mut crossed = 0;
        for name in names.iter().step_by(1 + names.len() / 5) {
            let further = format!("--trace-message {name}");
            let (report, dump) = dumped(several, &further, folder.path());
            let end = report["bit_times"].as_u64().unwrap() + 1;
            let ends = name.split('/').next().unwrap().split_once("->").unwrap();
            let ends = (ends.0.parse().unwrap(), ends.1.parse().unwrap());
            is_followed(&dump, end, name, ends);
            let message_bits = 1 + several.dims + number(&report, "payload_bits");
            crossed += crosses_what_wires_carry(&dump, end, name, (several.dims, message_bits));
        }
        assert!(crossed > 5, "{several:?}: {crossed}");
    }
}

/// Every signal that the view beside a dump shows is in the dump.
#[test]
fn every_name_in_the_view_is_in_the_dump() {
    for several in &SEVERAL {
        for name in ["run.vcd", "run.fst"] {
            let folder = tempfile::tempdir().unwrap();
            several.told("run", &format!("--wave {name}"), folder.path());
            let path = folder.path().join(name);
            let dump = Dump::read(&path);
            let view = std::fs::read_to_string(path.with_extension("gtkw")).unwrap();
            let rows =
                (view.lines()).filter(|line| line.contains("cube.") && !line.starts_with('['));
            let signals = rows.filter_map(|row| row.rsplit(' ').next()?.split('[').next());
            let mut shown = 0;
            for signal in signals {
                assert!(dump.signals.contains_key(signal), "{several:?}: {signal}");
                shown += 1;
            }
            assert!(shown > 10, "{several:?}: {shown}");
        }
    }
}
