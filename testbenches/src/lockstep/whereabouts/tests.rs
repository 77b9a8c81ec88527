//! Every router of messages: routes are whole, and what a wire carries while a message is on it is that message.

use hosts::whereabouts::{Location, Stay};
use rtl_model::machine::simulation::Lockstep;
use rtl_model::machine::topology::Tap;
use rtl_model::traffic::Traffic;

use super::*;
use crate::families;
use crate::lockstep;
use crate::lockstep::parameters::PAYLOAD_BITS;
use crate::lockstep::stimulus::Stimulus;
use crate::testbench::bench;

/// All testbenches in lockstep that send messages, on all their schedules.
fn all(dims: usize, payload_bits: usize, load: f64, seed: u64) -> Vec<(String, Box<dyn Stimulus>)> {
    let mut found = Vec::new();
    for bench in lockstep::benches().filter(|bench| bench.parameter(PAYLOAD_BITS.name).is_some()) {
        let schedules = bench.schedules.iter().map(Some);
        for schedule in schedules.chain(bench.schedules.is_empty().then_some(None)) {
            let load = match schedule.is_some_and(|schedule| schedule.is_full_only()) {
                true => 1.0,
                false => load,
            };
            let name = schedule.map_or("", |schedule| schedule.name());
            let option = schedule.map_or(String::new(), |_| format!("--schedule {name}"));
            let words = format!(
                "--dims {dims} --payload-bits {payload_bits} {option} --load {load} --seed {seed}"
            );
            found.push((
                format!("{} {name}", bench.name),
                bench::stimulus(bench, &words),
            ));
        }
    }
    assert!(found.len() >= 10);
    found
}

/// The routes of all messages lead from their sources over wires to their destinations.
fn routes_lead_to_destinations(name: &str, stimulus: &dyn Stimulus) {
    let Some(found) = find(stimulus, true).unwrap() else {
        panic!("{name}: nothing is found");
    };
    let end = found.bit_times();
    assert_eq!(
        u64::from(end),
        stimulus.device().bit_times().value + 1,
        "{name}"
    );
    for (message, sent) in found.messages.iter().enumerate() {
        let route = found.at_nodes(message);
        let what = format!("{name}, {}: {route:?}", sent.name);
        let (first, last) = (route.first().unwrap(), route.last().unwrap());
        assert_eq!((first.0, first.1.start), (sent.source, 0), "{what}");
        assert_eq!((last.0, last.1.end), (sent.destination, end), "{what}");
        // It gets to each next node over a wire from one where it was.
        let crossings: Vec<_> = found.crossings(message).collect();
        for (node, times) in route.iter().skip(1) {
            let came = crossings.iter().any(|(stay, wire)| {
                let sender = stay.node as usize;
                found.receiver(sender, *wire) == *node
                    && (stay.from..stay.to).contains(&(times.start - 1))
            });
            assert!(came, "{what}: node {node} at {times:?}");
        }
    }
}

#[test]
fn a_route_leads_from_the_source_over_wires_to_the_destination() {
    for (dims, payload_bits, load, seed) in [(1, 1, 1.0, 1), (3, 2, 0.6, 2), (5, 8, 0.75, 3)] {
        for (name, stimulus) in all(dims, payload_bits, load, seed) {
            routes_lead_to_destinations(&name, &*stimulus);
        }
    }
}

/// So many that they are looked at by parts, on several threads, and their messages by several blocks.
#[test]
fn routes_among_many_nodes_lead_to_destinations() {
    let bench = families::testbench("kuszmaul").unwrap();
    let stimulus = bench::stimulus(bench, "--dims 11 --payload-bits 2 --load 0.5 --seed 7");
    routes_lead_to_destinations("kuszmaul", &*stimulus);
}

/// A second machine runs with the traffic itself: while a message is on a wire, its payload crosses, and before it go a valid bit,
/// if there is one, and those address bits of its destination that are left.
#[test]
fn bits_on_a_wire_are_those_of_the_message_that_is_on_it() {
    for (name, stimulus) in all(4, 12, 0.8, 5) {
        let found = find(&*stimulus, true).unwrap().unwrap();
        let wires = record(&*stimulus);
        let traffic: &Traffic = &stimulus.sent()[0];
        // Sorts have the most significant bit first, and before the unpacking all of them.
        let most_significant_first = name.contains("sort");
        let (mut whole, mut valid, mut addressed) = (0, 0, 0);
        for (message, sent) in found.messages.iter().enumerate() {
            let payload: Vec<bool> = traffic.payload(message).iter().by_vals().collect();
            for (stay, wire) in found.crossings(message) {
                let times = stay.from as usize..stay.to as usize;
                let bits: Vec<bool> = times
                    .map(|bit_time| wires[bit_time][stay.node as usize][wire])
                    .collect();
                let what = format!(
                    "{name}, {} on wire {wire} of {}: {bits:?}",
                    sent.name, stay.node
                );
                let Some(header) = bits.len().checked_sub(payload.len()) else {
                    continue; // Two take turns.
                };
                whole += 1;
                assert_eq!(bits[header..], payload, "{what}");
                let address =
                    |bits: &[bool]| {
                        let (count, left) = (bits.len(), 4usize.checked_sub(bits.len())?);
                        let order = |place: usize| match most_significant_first {
                            true => count - 1 - place,
                            false => left + place,
                        };
                        let mut bits = bits.iter().enumerate();
                        Some(bits.all(|(place, bit)| {
                            *bit == (sent.destination >> order(place) & 1 == 1)
                        }))
                    };
                let with_valid = header > 0 && bits[0] && address(&bits[1..header]) == Some(true);
                let without = address(&bits[..header]) == Some(true);
                valid += usize::from(with_valid && !without);
                addressed += usize::from(header > 1);
                assert!(with_valid || without, "{what}");
            }
        }
        let takes_turns = name == "kuszmaul radix4";
        assert!(
            takes_turns || whole > 0 && valid > 0 && addressed > 0,
            "{name}"
        );
    }
}

/// Where two messages take turns, every other bit on a wire is of the one: first a valid bit, if there is one, then those address
/// bits that are left, then the payload.
#[test]
fn bits_of_a_message_that_takes_turns_are_its_header_and_its_payload() {
    let mut all = all(4, 12, 1.0, 5);
    let turns = all.iter().position(|(name, _)| name == "kuszmaul radix4");
    let (_, stimulus) = all.remove(turns.unwrap());
    let found = find(&*stimulus, true).unwrap().unwrap();
    let wires = record(&*stimulus);
    let traffic: &Traffic = &stimulus.sent()[0];
    let mut addressed = 0;
    for (message, sent) in found.messages.iter().enumerate() {
        let payload: Vec<bool> = traffic.payload(message).iter().by_vals().collect();
        let mut by_wire: std::collections::BTreeMap<(u32, Location), Vec<&Stay>> =
            Default::default();
        for stay in found
            .of(message)
            .iter()
            .filter(|stay| stay.to == stay.from + 1)
        {
            by_wire
                .entry((stay.node, stay.location))
                .or_default()
                .push(stay);
        }
        for ((node, place), stays) in by_wire {
            let Location::Wire(wire) = place else {
                continue;
            };
            let bit = |stay: &&Stay| wires[stay.from as usize][node as usize][usize::from(wire)];
            let what = format!("{} on wire {wire} of {node}: {stays:?}", sent.name);
            assert!(
                stays.windows(2).all(|two| two[0].from + 2 == two[1].from),
                "{what}"
            );
            let bits: Vec<bool> = stays.iter().map(bit).collect();
            let header = bits.len() - payload.len();
            assert_eq!(bits[header..], payload, "{what}");
            let address: Vec<bool> = (0..4).map(|bit| sent.destination >> bit & 1 == 1).collect();
            let with_valid = header > 0 && bits[0] && address.ends_with(&bits[1..header]);
            assert!(
                with_valid || address.ends_with(&bits[..header]),
                "{what}: {bits:?}"
            );
            addressed += usize::from(header > 2);
        }
    }
    assert!(addressed > 10, "{addressed}");
}

/// By bit time, node and wire, what is on it.
fn record(stimulus: &dyn Stimulus) -> Vec<Vec<Vec<bool>>> {
    let mut machine: Box<dyn Lockstep> = stimulus.device().build(1).unwrap();
    stimulus.load(&mut *machine, &mut |_| Ok(())).unwrap();
    let (nodes, links) = (machine.nodes(), machine.topology().links());
    let mut wires = Vec::new();
    while !machine.is_done() {
        machine.transmit().unwrap();
        let of_node = |node| {
            (0..links)
                .map(|wire| machine.tapped(node, Tap::Driven(wire)))
                .collect()
        };
        wires.push((0..nodes).map(of_node).collect());
        machine.clock();
    }
    wires
}

/// `out` of each dimension has a text of its own.
#[test]
fn modules_of_the_same_name_are_told_apart() {
    let found = all(4, 4, 1.0, 1).into_iter();
    let spread = found.filter(|(name, _)| name == "kuszmaul spread");
    let [(_, stimulus)] = &spread.collect::<Vec<_>>()[..] else {
        panic!("one schedule is called so");
    };
    let modules = find(&**stimulus, true).unwrap().unwrap().modules;
    for dimension in ["dim_1", "dim_2"] {
        let path = ["packing", dimension, "out"].map(str::to_owned);
        assert!(modules.contains(&path.to_vec()), "{modules:?}");
    }
}

#[test]
fn a_message_is_called_by_its_ends_or_by_its_number() {
    let (_, stimulus) = all(3, 4, 0.5, 1).remove(0);
    let found = find(&*stimulus, true).unwrap().unwrap();
    assert_eq!(found.messages.len(), 4);
    for (number, sent) in found.messages.iter().enumerate() {
        assert_eq!(sent.name, format!("{}->{}", sent.source, sent.destination));
        assert_eq!(found.named(&sent.name), Some(number));
        assert_eq!(found.named(&number.to_string()), Some(number));
    }
    for none in ["4", "-1", "8->9", "", "x"] {
        assert_eq!(found.named(none), None, "{none}");
    }
    assert_eq!(
        no_message("8->9", &found.messages).to_string(),
        format!(
            "--trace-message: there is no message `8->9`: give SOURCE->DESTINATION, as in \"{}\", or a number in the \
             order of traffic, 0 to 3",
            found.messages[0].name
        )
    );
    assert_eq!(
        no_message("0", &[]).to_string(),
        "--trace-message: there is no message `0`: none is sent"
    );
}

/// What is shown without being asked for keeps to some seconds.
#[test]
fn a_run_that_would_be_looked_at_for_long_is_told_from_others() {
    let takes = |dims: usize, payload_bits: usize| {
        let words = format!("--dims {dims} --payload-bits {payload_bits}");
        takes_long(&*bench::stimulus(
            families::testbench("kuszmaul").unwrap(),
            &words,
        ))
    };
    assert!(!takes(3, 16) && !takes(12, 16) && !takes(6, 1024));
    assert!(takes(13, 64) && takes(14, 16) && takes(6, 8192));
}
