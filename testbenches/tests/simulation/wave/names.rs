//! Names of messages in dumps: what the dump alone says of them agrees with itself and with the traffic.

use std::collections::HashSet;

use testbenches::families::testbench;
use testbenches::lockstep::Schedule;

use crate::common::dump::{Dump, options};
use crate::common::on_each_schedule;

const DIMENSIONS: usize = 4;

/// A run of 16 nodes, all in the dump; and the names of its messages.
fn dumped(
    schedule: Schedule,
    trace_message: Option<&str>,
) -> (Dump, u64, Vec<(usize, usize, String)>) {
    dumped_at(schedule, (DIMENSIONS, 6), trace_message)
}

/// The same of a cube of so many dimensions, and of so many payload bits.
fn dumped_at(
    schedule: Schedule,
    (dimensions, payload_bits): (usize, usize),
    trace_message: Option<&str>,
) -> (Dump, u64, Vec<(usize, usize, String)>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.vcd");
    let load = if schedule.is_full_only() { 1.0 } else { 0.7 };
    let mut options = options(dimensions, payload_bits, load, &path).on(Some(schedule.name()));
    options.trace_message = trace_message.map(str::to_owned);
    let bench = testbench(schedule.bench).unwrap();
    let report = options.run(bench);
    let traffic = options.setup.traffic(bench);
    let names = traffic.messages().iter().map(|message| {
        let (source, destination) = (message.source, message.destination);
        (source, destination, format!("{source}->{destination}"))
    });
    (Dump::read(&path), report.bit_times + 1, names.collect())
}

/// Both ends of a wire name the same message; nothing is named that was not sent; every message is at its source in the first bit
/// time and at its destination in the last; and one that is nowhere in registers is on no wire.
fn names_agree(schedule: Schedule) {
    let (dump, end, messages) = dumped(schedule, None);
    let known: HashSet<&str> = messages.iter().map(|(_, _, name)| name.as_str()).collect();
    let paths: Vec<&String> = dump
        .signals
        .keys()
        .filter(|path| path.ends_with("message"))
        .collect();
    assert!(paths.len() > 16, "{paths:?}");
    let said = |path: &str| dump.by_bit_time(path, 0, end);
    for path in &paths {
        for text in said(path).into_iter().filter(|text| !text.is_empty()) {
            assert!(
                text.split(',').all(|name| known.contains(name)),
                "{path}: {text}"
            );
        }
    }
    let mut crossed = 0;
    for node in 0..1usize << DIMENSIONS {
        for dimension in 0..DIMENSIONS {
            let sends = said(&format!("cube.node_{node}.dim_{dimension}.tx_message"));
            let other = node ^ 1 << dimension;
            let receives = said(&format!("cube.node_{other}.dim_{dimension}.rx_message"));
            assert_eq!(sends, receives, "{node} {dimension}");
            crossed += sends.iter().filter(|text| !text.is_empty()).count();
        }
    }
    assert!(crossed > 100);
    let held = |node: usize, bit_time: usize| -> HashSet<&str> {
        let begin = format!("cube.node_{node}.");
        let modules = paths
            .iter()
            .filter(|path| path.starts_with(&begin) && path.ends_with(".message"));
        modules
            .flat_map(|path| said(path)[bit_time].split(','))
            .collect()
    };
    for (source, destination, name) in &messages {
        assert!(held(*source, 0).contains(name.as_str()), "{name}");
        assert!(
            held(*destination, end as usize - 1).contains(name.as_str()),
            "{name}"
        );
    }
}

/// What is followed is asked for by its name or by its number, and says where it is.
fn a_message_is_followed(schedule: Schedule) {
    let (_, _, messages) = dumped(schedule, None);
    let (source, destination, name) = &messages[3];
    for asked in [name.as_str(), "3"] {
        let (dump, end, _) = dumped(schedule, Some(asked));
        is_followed(&dump, end, name, (*source, *destination));
    }
}

/// It is at its source first, at its destination in the end, and gets next where it was said to: to a node that it comes to in a later
/// bit time, and to no other before.
pub fn is_followed(dump: &Dump, end: u64, name: &str, (source, destination): (usize, usize)) {
    let said = |text: &str| dump.by_bit_time(&format!("cube.followed.{text}"), 0, end);
    assert!(said("message").iter().all(|text| *text == name));
    let at = said("at");
    assert_eq!(
        (at[0], at[end as usize - 1]),
        (&*source.to_string(), &*destination.to_string())
    );
    let comes_to = |bit_time: usize| -> Vec<&str> {
        let [before, now] = [at[bit_time - 1], at[bit_time]].map(|text| text.split(','));
        let is_new = |node: &&str| before.clone().all(|other| other != *node);
        now.filter(is_new).collect()
    };
    for (bit_time, next) in said("next").into_iter().enumerate() {
        let later = (bit_time + 1..at.len()).map(comes_to);
        let expected = later.into_iter().find(|nodes| !nodes.is_empty());
        match expected {
            Some(nodes) => assert!(nodes.contains(&next), "{bit_time}: {next}, {nodes:?}"),
            None => assert_eq!(next, "", "{bit_time}"),
        }
    }
}

/// Bit times in which a wire carries what is named, as long as its bits come one by one or take turns with those of one other, and
/// are no more than a whole message has: a node may send it twice without a pause.
fn bursts(sent: &[&str], name: &str, message_bits: usize) -> Vec<Vec<usize>> {
    let is_sent = |bit_time: &usize| sent[*bit_time].split(',').any(|sent| sent == name);
    let mut bursts: Vec<Vec<usize>> = Vec::new();
    for bit_time in (0..sent.len()).filter(is_sent) {
        match bursts.last_mut() {
            Some(burst) if burst[burst.len() - 1] + 2 >= bit_time && burst.len() < message_bits => {
                burst.push(bit_time);
            }
            _ => bursts.push(vec![bit_time]),
        }
    }
    bursts
}

/// In every bit time in which a wire carries bits of what is followed, header or payload, that link is said to be crossed, and in
/// no other. A copy that nobody takes is on the wire all the same: then no register of the receiver has it when all has crossed.
/// Given the dimensions of the cube and the bits of a message; returns in how many bit times links are crossed, over all links.
pub fn crosses_what_wires_carry(
    dump: &Dump,
    end: u64,
    name: &str,
    (dimensions, message_bits): (usize, usize),
) -> usize {
    let said = |path: &str| dump.by_bit_time(path, 0, end);
    let crosses = said("cube.followed.crosses");
    let named = |begin: String, ending: &'static str| {
        let paths = dump.signals.keys();
        paths.filter(move |path| path.starts_with(&begin) && path.ends_with(ending))
    };
    let has = |node: usize, bit_time: usize| {
        let mut own = named(format!("cube.node_{node}."), ".message");
        own.any(|path| said(path)[bit_time].split(',').any(|held| held == name))
    };
    let mut crossed = 0;
    for node in 0..1usize << dimensions {
        for dimension in 0..dimensions {
            let receiver = node ^ 1 << dimension;
            let link = format!("{node}->{receiver}");
            let mut due = Vec::new();
            for path in named(format!("cube.node_{node}.dim_{dimension}.tx"), "message") {
                let bursts = bursts(&said(path), name, message_bits).into_iter();
                due.extend(bursts.filter(|burst| has(receiver, burst[burst.len() - 1] + 1)));
            }
            let mut due = due.concat();
            due.sort_unstable();
            let is_said = |bit_time: &usize| {
                let text = crosses[*bit_time].replace("\\040", " ");
                text.split(' ').any(|said| said == link)
            };
            let is_said: Vec<usize> = (0..crosses.len()).filter(is_said).collect();
            assert_eq!(is_said, due, "{name}: {link}");
            crossed += is_said.len();
        }
    }
    crossed
}

fn what_crosses_is_on_wires(schedule: Schedule) {
    let mut crossed = 0;
    for size in [(1, 2), (2, 4), (3, 1), (3, 4), (4, 3)] {
        let (_, _, messages) = dumped_at(schedule, size, None);
        for (_, _, name) in messages.iter().step_by(1 + messages.len() / 6) {
            let (dump, end, _) = dumped_at(schedule, size, Some(name));
            crossed += crosses_what_wires_carry(&dump, end, name, (size.0, 1 + size.0 + size.1));
        }
    }
    assert!(crossed > 100, "{crossed}");
}
on_each_schedule!(names_agree, a_message_is_followed, what_crosses_is_on_wires);
