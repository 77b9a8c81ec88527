//! Dumps of collective operations, read back through another library: what a node receives is what its neighbour sends, on every
//! wire; words that are rebuilt from bits on wires are those that texts name, and add up to the result; nobody drives a wire who
//! is not told to; and the view names what is there.

mod dumped;
mod told;
mod view;

use crate::reduced_hypercube_wave::dumped::{Dumped, cases};
use crate::reduced_hypercube_wave::told::told;

#[test]
fn collective_operations_can_be_followed_in_their_dumps_alone() {
    for dumped in cases() {
        nobody_sends_who_is_not_told_to(&dumped);
        words_on_wires_are_those_that_are_named(&dumped);
        words_stand_still_while_registers_shift(&dumped);
        words_end_up_as_the_results_have_them(&dumped);
        view::begins_with_words(&dumped);
        view::marks_rows(&dumped);
    }
}

fn nobody_sends_who_is_not_told_to(dumped: &Dumped) {
    let ways = dumped.of("sequencer.way");
    let driven = dumped.of("driven");
    assert_eq!(ways[dumped.end], "");
    for (bit_time, way) in ways.iter().enumerate() {
        let told = told(dumped, way);
        let given: Vec<usize> = (0..dumped.links())
            .filter(|wire| driven[bit_time].as_bytes()[dumped.links() - 1 - wire] == b'1')
            .collect();
        let is_turn = way.contains("all_SBs");
        for wire in &given {
            assert!(told.wires.contains(wire), "{} {way}", dumped.name);
        }
        // In a turn those sub-blocks send whose turn it is.
        assert!(is_turn || given == told.wires, "{} {way}", dumped.name);
    }
    for (node, wire) in dumped.ends() {
        let sends = dumped.wire(node, wire, "tx");
        let ones = (0..=dumped.end).filter(|bit_time| sends[*bit_time] == "1");
        for bit_time in ones {
            let way = ways[bit_time];
            assert!(
                told(dumped, way).sends(dumped, node, wire),
                "{} {way} {node}",
                dumped.name
            );
        }
    }
}

/// What leaves a node, word by word, is the word that is named, as the node has it when the word begins; or nothing.
fn words_on_wires_are_those_that_are_named(dumped: &Dumped) {
    let ways = dumped.of("sequencer.way");
    let mut seen = 0;
    for (node, wire) in dumped.ends() {
        let sends = dumped.wire(node, wire, "tx");
        for begin in (0..dumped.end).step_by(dumped.word_bits) {
            let told = told(dumped, ways[begin]);
            let bits = &sends[begin..begin + dumped.word_bits];
            if !bits.contains(&"1") || told.is_turn {
                continue;
            }
            let named = dumped.named(node, told.crossed(dumped, node), begin);
            assert_eq!(dumped.spelled(bits), named, "{} {node}", dumped.name);
            seen += 1;
        }
    }
    assert!(seen >= dumped.nodes() / 2, "{}: {seen} words", dumped.name);
}

/// A node that nobody sends to shows one number from the first bit of a word to the last.
fn words_stand_still_while_registers_shift(dumped: &Dumped) {
    let ways = dumped.of("sequencer.way");
    let mut seen = 0;
    for node in 0..dumped.nodes() {
        let values = dumped.of_node(node, &format!("numbers.{}", dumped.moved_word()));
        for begin in (0..dumped.end).step_by(dumped.word_bits) {
            let told = told(dumped, ways[begin]);
            let [wire] = told.wires[..] else { continue };
            if told.sends(dumped, dumped.neighbour(node, wire), wire) {
                continue;
            }
            let shown = &values[begin..=begin + dumped.word_bits];
            assert!(
                shown.iter().all(|value| *value == shown[0]),
                "{}",
                dumped.name
            );
            seen += 1;
        }
    }
    // On a hypercube everybody sends, but in a reduction.
    assert!(
        seen > 0 || dumped.name.contains("hypercube"),
        "{}",
        dumped.name
    );
}

/// Of a reduction as printed, all that comes to node 0 is added; and everywhere the dump ends with what the results say.
fn words_end_up_as_the_results_have_them(dumped: &Dumped) {
    for (node, result) in &dumped.results {
        let word = dumped.number(*node, dumped.first_word(), dumped.end);
        assert_eq!(word, *result, "{} {node}", dumped.name);
    }
    if !dumped.adds_all_that_comes {
        return;
    }
    let begins = (0..dumped.end).step_by(dumped.word_bits);
    let came = begins.flat_map(|begin| {
        (0..dumped.links()).map(move |wire| {
            let bits = dumped.wire(0, wire, "rx");
            dumped.spelled(&bits[begin..begin + dumped.word_bits])
        })
    });
    let own = dumped.number(0, "word", 0);
    let sum = (own + came.sum::<u64>()) % (1 << dumped.word_bits);
    assert_eq!(dumped.results, [(0, sum)]);
}

/// Every node but the source gets the message over the wire of its parent, and sends it over those of its children.
#[test]
fn a_broadcast_takes_the_wires_that_nodes_have_found() {
    for arguments in [
        "--dims 2 --blocks 2 --message-bits 5 --source 0",
        "--dims 3 --blocks 1 --message-bits 4 --source 11",
        "--dims 3 --blocks 2 --message-bits 6 --source 77 --algorithm e-cube",
    ] {
        let dumped = Dumped::of_broadcast(arguments);
        let message_bits = dumped.word_bits;
        let message = dumped.number(dumped.source, "message", 0);
        for node in 0..dumped.nodes() {
            let over = |what: &str| -> Vec<usize> {
                let flags = dumped.of_node(node, &format!("numbers.{what}"))[dumped.end];
                let flags = flags.bytes().rev().enumerate();
                flags
                    .filter(|(_, flag)| *flag == b'1')
                    .map(|(wire, _)| wire)
                    .collect()
            };
            let used = |what: &str| -> Vec<usize> {
                let wires = 0..dumped.links();
                wires
                    .filter(|wire| dumped.wire(node, *wire, what).contains(&"1"))
                    .collect()
            };
            assert_eq!(over("parent"), used("rx"), "{arguments} {node}");
            assert_eq!(over("children"), used("tx"), "{arguments} {node}");
            assert_eq!(dumped.number(node, "message", dumped.end), message);
            for wire in over("parent") {
                let bits = dumped.wire(node, wire, "rx");
                let start = bits.iter().position(|bit| *bit == "1").unwrap() + 1;
                let came = dumped.spelled(&bits[start..start + message_bits]);
                assert_eq!(came, message, "{arguments} {node}");
            }
            assert_eq!(over("parent").is_empty(), node == dumped.source);
        }
        view::begins_with_words(&dumped);
    }
}
