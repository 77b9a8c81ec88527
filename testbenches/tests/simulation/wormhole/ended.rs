//! Runs that end before all have arrived: when a deadlock began, and which worms are left.

use std::collections::BTreeMap;
use std::path::Path;

use bitvec::vec::BitVec;
use reference_models::wormhole::{Machine, Message, Network};
use rtl_model::routers::wormhole::machine::WormholeMachine;
use rtl_model::routers::wormhole::network;
use rtl_model::routers::wormhole::networks::butterflies::vertices::Butterflies;
use rtl_model::routers::wormhole::parameters::Parameters;
use testbenches::families::wormhole::engine::Engine;
use testbenches::families::wormhole::message::Message as HardwareMessage;

use crate::common::worms::{Run, run};
use crate::wormhole::machines::{
    LIMIT, SEED, ccc, copies, machine, nodes, permutation, plain_tick, run_hardware,
};

/// One virtual channel on everything: worms may wait in a circle.
fn one_channel(network: Network) -> Machine {
    Machine {
        virtual_channels: 1,
        ..machine(network)
    }
}

/// The same on the command line.
fn one_channel_of(network: &str) -> String {
    format!("--seed {SEED} --virtual-channels 1 --network {network}")
}

fn levels(machine: Machine) -> usize {
    match machine.network {
        Network::CubeConnectedCycles { levels } | Network::Copies { levels, .. } => levels,
        network => panic!("{network:?} has no levels"),
    }
}

/// Of these messages, from a file.
fn listed(machine: Machine, messages: &[Message], folder: &Path) -> Run {
    let path = folder.join("mine.csv");
    let mut text = "source,destination,time,bits\n".to_owned();
    for one in messages {
        let (from, to, time) = (one.source, one.destination, one.created);
        text += &format!("{from},{to},{time},{}\n", one.bits.len());
    }
    std::fs::write(&path, text).unwrap();
    let network = match machine.network {
        Network::Copies { levels, copies } => {
            let dimensions = levels + levels.ilog2() as usize;
            format!("copies --dims {dimensions} --copies {copies}")
        }
        _ => format!("ccc --dims {}", levels(machine)),
    };
    run(&format!(
        "{} --traffic-file {} --deliveries {}",
        one_channel_of(&network),
        path.display(),
        folder.join("arrived.csv").display()
    ))
}

/// Some at once, some later, so that a circle may close long before everything stands still.
fn some_later(machine: Machine, seed: u64) -> Vec<Message> {
    let mut messages = permutation(nodes(machine), 48, seed);
    let later = permutation(nodes(machine), 48, seed + 1000);
    messages.extend(
        later
            .into_iter()
            .enumerate()
            .map(|(number, message)| Message {
                created: 3 * number as u64,
                ..message
            }),
    );
    messages.sort_by_key(|message| message.created);
    messages
}

/// The first bit time in which there is a circle, looked for in every one of them.
fn first_circle(machine: Machine, messages: &[Message]) -> Option<u64> {
    let mut first = None;
    run_hardware::<u64>(machine, messages, LIMIT, |engine| {
        if first.is_none() && engine.wait_for_cycle().is_some() {
            first = Some(engine.fabric.bit_time());
        }
        plain_tick(engine);
    });
    first
}

#[test]
fn a_deadlock_is_dated_when_its_circle_closed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut deadlocks, mut long_before) = (0, 0);
    for network in [ccc(2), ccc(3), ccc(4), copies(2, 2), copies(4, 4)] {
        for seed in 0..6 {
            let machine = one_channel(network);
            let messages = some_later(machine, seed);
            let report = listed(machine, &messages, folder.path());
            let began = report.worms.deadlock.as_ref().map(|deadlock| {
                let began = deadlock.began.unwrap();
                assert!(began <= deadlock.bit_time && !deadlock.cycle.is_empty());
                long_before += usize::from(began + 10 < deadlock.bit_time);
                let text = format!("its circle closed in bit time {began}\n");
                assert!(report.text().contains(&text), "{}", report.text());
                began
            });
            assert_eq!(
                began,
                first_circle(machine, &messages),
                "{network:?}, {seed}"
            );
            deadlocks += usize::from(began.is_some());
        }
    }
    assert!(
        deadlocks > 10 && long_before > 5,
        "{deadlocks}, {long_before}"
    );
}

/// Continuous injection looks for circles now and then only. What it created is a file, and as such begins to deadlock in the same bit time.
#[test]
fn the_date_does_not_depend_on_when_the_circle_was_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    let arrived = folder.path().join("arrived.csv");
    let arrived = arrived.display();
    let mut dates = Vec::new();
    for (network, load) in [("ccc", 0.2), ("hypercube --routing valiant", 0.9)] {
        let of_network = one_channel_of(network);
        let first = run(&format!(
            "{of_network} --traffic uniform --offered-load {load} --deliveries {arrived}"
        ));
        let second = run(&format!("{of_network} --traffic-file {arrived}"));
        let [first, second] = [first, second].map(|run| run.worms.deadlock.unwrap());
        assert_eq!(first.began, second.began, "{network}");
        assert!(first.began.is_some_and(|began| began < first.bit_time));
        dates.push((first.bit_time, second.bit_time));
    }
    assert!(dates.iter().any(|(first, second)| first != second));
}

/// Worms that go round a column of the butterflies in two crowds, each of as many as there are lanes, until each crowd asks for
/// the lanes that the other one has: which lane they wait for is any of several, and the date is that of all of them.
#[test]
fn a_deadlock_of_lanes_is_dated_when_all_of_them_were_taken() {
    let folder = tempfile::tempdir().unwrap();
    let network = Butterflies::new(2).unwrap();
    let parameters = Parameters {
        virtual_channels: 1,
        buffer_bits: 2,
        wire_bits: 1,
        weak_switch: false,
    };
    let hardware =
        WormholeMachine::new(network::Network::Butterflies(network.clone()), parameters).unwrap();
    let (n, copies) = (network.lanes(), network.copies());
    let copy = network.label(0);
    let mut ends = Vec::new();
    for side in [0, 2] {
        let row = copies.map(copy, 0, side);
        let to = copies.map(copy, 1, side ^ 2) << n;
        let of_row = network.label(row);
        let mut near = vec![copies.unmap(of_row, 0)];
        for next in 0..n {
            let (level, at) = near[next];
            let before = (level + 1) % 2;
            near.extend([(before, at), (before, at ^ 1 << before)]);
        }
        let mut sources: Vec<usize> = Vec::new();
        for (level, at) in near {
            let source = row << n | copies.map(of_row, level, at);
            if !sources.contains(&source) && sources.len() < n {
                sources.push(source);
            }
        }
        ends.extend(sources.into_iter().map(|source| (source, to)));
    }
    let mut engine = Engine::<u64>::new(hardware, 1).unwrap();
    let mut text = "source,destination,bits\n".to_owned();
    for &(source, destination) in &ends {
        text += &format!("{source},{destination},60\n");
        engine.send(
            0,
            HardwareMessage {
                source,
                destination,
                created: 0,
                bits: BitVec::repeat(true, 60),
            },
        );
    }
    while engine.wait_for_cycle().is_none() {
        assert!(engine.fabric.bit_time() < LIMIT && engine.in_flight() > 0);
        plain_tick(&mut engine);
    }
    let path = folder.path().join("mine.csv");
    std::fs::write(&path, text).unwrap();
    let report = run(&format!(
        "{} --traffic-file {}",
        one_channel_of("butterflies"),
        path.display()
    ));
    let deadlock = report.worms.deadlock.unwrap();
    assert_eq!(deadlock.began, Some(engine.fabric.bit_time()));
    assert!(engine.fabric.bit_time() < deadlock.bit_time);
}

/// What the report lists is what the deliveries have no arrival of, and where their ways end.
#[test]
fn worms_that_did_not_arrive_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut counts = Vec::new();
    for (network, seed) in [
        (ccc(2), 1),
        (ccc(3), 3),
        (ccc(4), 1),
        (ccc(5), 2),
        (ccc(6), 1),
    ] {
        let machine = one_channel(network);
        let mut messages = some_later(machine, seed);
        // One that the run does not come to.
        let last = messages.last_mut().unwrap();
        last.created = 1_000_000;
        let report = listed(machine, &messages, folder.path());
        let Some(left) = report.worms.undelivered.as_ref() else {
            assert_eq!(report.delivered, report.messages);
            continue;
        };
        let mut rows = csv::Reader::from_path(folder.path().join("arrived.csv")).unwrap();
        let rows = rows.deserialize::<BTreeMap<String, String>>();
        let missing: BTreeMap<usize, _> = (rows.map(Result::unwrap))
            .filter(|row| row["tail_arrived"].is_empty())
            .map(|row| (row["message"].parse().unwrap(), row))
            .collect();
        assert_eq!(left.worms, missing.len());
        assert_eq!(left.worms, report.messages - report.delivered);
        assert_eq!(left.listed.len(), left.worms.min(100));
        counts.push(left.worms);
        let name = |number: &str| {
            let (number, columns): (usize, usize) = (number.parse().unwrap(), 1 << levels(machine));
            format!("{}_{}", number / columns, number % columns)
        };
        for worm in &left.listed {
            let row = &missing[&worm.message];
            assert_eq!(worm.source, name(&row["source"]));
            assert_eq!(worm.destination, name(&row["node"]));
            assert_eq!(worm.created.to_string(), row["created"]);
            let injected = worm.injected.map_or(String::new(), |time| time.to_string());
            assert_eq!(injected, row["injected"]);
            let end = row["path"].rsplit('>').next().filter(|end| !end.is_empty());
            assert_eq!(worm.head, end.map(name));
            assert_eq!(worm.head.is_some(), worm.head_since.is_some());
            // Nothing moves any more.
            let at_its_goal = worm.head.as_ref() == Some(&worm.destination);
            assert!(worm.head.is_none() || worm.head_waits || at_its_goal);
            assert!(worm.head_since.is_none_or(|since| since < report.bit_times));
        }
        let order: Vec<_> = (left.listed.iter())
            .map(|worm| {
                (
                    worm.injected.is_none(),
                    worm.created > report.bit_times,
                    worm.message,
                )
            })
            .collect();
        assert!(order.is_sorted());
        let text = report.text();
        let lines = text.lines().filter(|line| line.starts_with("  message "));
        assert_eq!(lines.count(), left.worms.min(10));
        assert!(text.contains(&format!("\nnot delivered: {} worm", left.worms)));
        let more = format!("\n  and {} more\n", left.worms.saturating_sub(10));
        assert_eq!(text.contains(&more), left.worms > 10, "{text}");
        if left.worms <= 100 {
            assert!(text.contains("not created yet") || left.worms > 10);
            assert_eq!(left.listed.last().unwrap().created, 1_000_000);
        }
    }
    assert!(counts.iter().any(|count| *count > 100), "{counts:?}");
    assert!(counts.iter().any(|count| *count < 100), "{counts:?}");
}

/// The head's bit time is the one in which its way was seen to become longer.
#[test]
fn a_head_is_where_its_way_ends_since_it_does() {
    let machine = one_channel(ccc(4));
    let messages = permutation(nodes(machine), 48, 1);
    let mut seen: Vec<(usize, u64)> = vec![(0, 0); messages.len()];
    let engine = run_hardware::<u64>(machine, &messages, LIMIT, |engine| {
        let look = |engine: &Engine<u64>| {
            for (worm, seen) in seen.iter_mut().enumerate() {
                let length = engine.tracker.path(worm).len();
                if length != seen.0 {
                    *seen = (length, engine.fabric.bit_time());
                }
            }
            Ok::<(), ()>(())
        };
        engine.tick(look).unwrap();
    });
    for (worm, seen) in seen.into_iter().enumerate() {
        // What the last clock edge brought was seen by nobody.
        if let Some((place, since)) = engine
            .tracker
            .head(worm)
            .filter(|(_, since)| *since < engine.fabric.bit_time())
        {
            assert_eq!(since, seen.1);
            assert_eq!(Some(&place.node), engine.tracker.path(worm).last());
        }
    }
}

/// Not drained: those that are left are listed too, and of a run in which all that counted came nothing is.
#[test]
fn what_was_not_drained_is_listed() {
    let of_load = |load: f64, drain: u64| {
        run(&format!(
            "--dims 4 --seed {SEED} --virtual-channels 3 --network ccc --traffic uniform --offered-load {load} --warm-up 0 \
             --measurement 130 --drain {drain}"
        ))
    };
    let report = of_load(1.0, 60);
    assert!(report.worms.deadlock.is_none());
    let left = report.worms.undelivered.as_ref().unwrap();
    assert_eq!(left.worms, report.messages - report.delivered);
    assert!(
        left.worms > 100
            && report
                .text()
                .contains(&format!("and {} more", left.worms - 10))
    );
    let report = of_load(0.02, 10_000);
    assert!(report.worms.undelivered.is_none() && !report.text().contains("not delivered"));
}
