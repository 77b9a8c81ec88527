//! Dumps of broadcasts: every packet comes to every node, bit by bit, and buffers hold what is said of them. The rest of what dumps and
//! views say is in the suite.

use std::collections::{BTreeMap, BTreeSet};

use rtl_model::routers::ports::algorithm::{Algorithm, PortModel};
use testbenches::families::broadcast::BENCH;

use crate::broadcast::common::each;
use crate::common::sample::one;
use crate::suite::dumped::Dumped;
use crate::suite::reports::json;
use crate::suite::texts::{Link, bits_of, links, of_node, said};

const PACKET_BITS: usize = 4;
const START_UP: usize = 2;
const STEP: usize = START_UP + PACKET_BITS;

/// All broadcasts on all ports that they are defined for, in as many packets as they take, or in two turns and one more.
fn words() -> Vec<(Algorithm, PortModel, String)> {
    let sizes = each().flat_map(|of| [(2, 2), (3, 6)].map(|size| (of, size)));
    let asked = sizes.map(|((algorithm, ports), (dims, source))| {
        let packets = algorithm.most_packets(dims).unwrap_or(2 * dims + 1);
        // The last one is not filled where some bits can be missing.
        let bits = packets * PACKET_BITS - usize::from(packets > 1);
        let words = format!(
            "--algorithm {algorithm} --ports {ports} --dims {dims} --source {source} --message-bits {bits} \
             --packet-bits {PACKET_BITS} --start-up {START_UP}"
        );
        (algorithm, ports, words)
    });
    asked.collect()
}

/// Packets by the bits that cross links, which are the same wherever one of them does; each comes to every node but the source, and more
/// than once where waves meet.
fn every_packet_comes_to_every_node(
    dumped: &Dumped,
    links: &[Link<'_>],
) -> BTreeMap<String, String> {
    let mut packets: BTreeMap<String, BTreeMap<usize, char>> = BTreeMap::new();
    for ((name, number), bit) in bits_of(dumped) {
        packets.entry(name).or_default().insert(number, bit);
    }
    let report = json(&dumped.report);
    assert_eq!(report["packets"], packets.len(), "{}", dumped.name());
    for node in 0..dumped.nodes.len() {
        let to_node = links.iter().filter(|link| link.receiver == node);
        let came = to_node.flat_map(|link| link.receives.iter());
        let came: BTreeSet<&String> = came.filter(|name| !name.is_empty()).collect();
        let is_source = report["source_node"] == node;
        let due = if is_source { 0 } else { packets.len() };
        assert_eq!(came.len(), due, "{}: node {node}", dumped.name());
    }
    let packets = packets.into_iter();
    packets
        .map(|(name, bits)| (name, bits.into_values().collect()))
        .collect()
}

/// The packet that each buffer of a node is said to hold, by step; its register has the bits of the packet when the step begins.
fn held(dumped: &Dumped, node: usize, packets: &BTreeMap<String, String>) -> Vec<BTreeSet<String>> {
    let begin = of_node(dumped, node, "");
    let texts = dumped.dump.texts.iter();
    let buffers = texts.filter_map(|path| {
        let buffer = path.strip_suffix(".holds")?;
        buffer.starts_with(&begin).then_some(buffer)
    });
    let mut held = vec![BTreeSet::new(); dumped.report.bit_times as usize / STEP];
    for buffer in buffers {
        let says = said(dumped, &format!("{buffer}.holds")).unwrap();
        let register = dumped.signal(&format!("{buffer}.held")).unwrap();
        for (step, held) in held.iter_mut().enumerate() {
            let within = &says[step * STEP..][..STEP];
            assert!(within.iter().all(|name| *name == within[0]), "{within:?}");
            if !within[0].is_empty() {
                // The first bit is the next one out, which a dump has last.
                let bits: String = register[step * STEP].chars().rev().collect();
                assert_eq!(
                    bits,
                    packets[&within[0]],
                    "{}: {buffer}, {step}",
                    dumped.name()
                );
                held.insert(within[0].clone());
            }
        }
    }
    held
}

/// A node sends only what it holds. What it holds, and what is coming to it to be held, are the bits that the simulator counts. A phase may
/// have two halves: what comes in the first one is held after the second.
fn what_is_held_is_sent_and_counted(
    dumped: &Dumped,
    links: &[Link<'_>],
    has_halves: bool,
    packets: &BTreeMap<String, String>,
) {
    for node in 0..dumped.nodes.len() {
        let steps = held(dumped, node, packets);
        let is_held =
            |step: usize, name: &String| steps.get(step).is_some_and(|held| held.contains(name));
        let mut in_flight = vec![0; steps.len() + 1];
        for (step, held) in steps.iter().enumerate() {
            let is_source = json(&dumped.report)["source_node"] == node;
            for link in links {
                let (sends, comes) = (&link.sends[step * STEP], &link.receives[step * STEP]);
                let is_sent = link.sender == node && !sends.is_empty();
                assert!(
                    !is_sent || is_source || held.contains(sends),
                    "{}: {sends}",
                    dumped.name()
                );
                if link.receiver != node || comes.is_empty() {
                    continue;
                }
                if is_held(step + 1, comes) {
                    in_flight[step] += 1;
                } else if has_halves && is_held(step + 2, comes) {
                    in_flight[step] += 1;
                    in_flight[step + 1] += 1;
                }
            }
        }
        let counted = dumped
            .signal(&of_node(dumped, node, "occupied_bits"))
            .unwrap();
        for (step, held) in steps.iter().enumerate() {
            // It is counted from the second bit time of a step to the first of the next.
            for counted in &counted[step * STEP + 1..=(step + 1) * STEP] {
                let due = (held.len() + in_flight[step]) * PACKET_BITS;
                assert_eq!(
                    usize::from_str_radix(counted, 2),
                    Ok(due),
                    "{}: {node}",
                    dumped.name()
                );
            }
        }
    }
}

#[test]
fn a_broadcast_can_be_followed_in_its_dump_alone() {
    for (algorithm, ports, words) in words() {
        let dumped = Dumped::of(one(&BENCH, &words));
        let links = links(&dumped);
        for link in &links {
            assert_eq!(link.sends, link.receives, "{words}");
        }
        let packets = every_packet_comes_to_every_node(&dumped, &links);
        let has_halves = algorithm == Algorithm::MultipleTrees && ports == PortModel::OneWay;
        what_is_held_is_sent_and_counted(&dumped, &links, has_halves, &packets);
    }
}

/// Every node keeps every packet, and nobody says of a memory what lies in it.
#[test]
fn so_can_a_list_of_sends() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sends.csv");
    // The packets one after the other along a path.
    let at = |rank: usize| rank ^ rank >> 1;
    let rows = (0..14).map(|step| {
        let (packet, rank) = (step / 7, step % 7);
        format!("{step},{},{},{packet}\n", at(rank), at(rank + 1))
    });
    let list = "step,from,to,packet\n".to_owned() + &rows.collect::<String>();
    std::fs::write(&path, list).unwrap();
    for ports in PortModel::EACH {
        let words = format!(
            "--sends {} --ports {ports} --dims 3 --start-up 2 --message-bits 8",
            path.display()
        );
        let dumped = Dumped::of(one(&BENCH, &words));
        let packets = every_packet_comes_to_every_node(&dumped, &links(&dumped));
        assert_eq!(packets.len(), 2);
        assert!(
            dumped
                .dump
                .texts
                .iter()
                .all(|path| !path.ends_with(".holds"))
        );
    }
}
