//! Every small relation is routed, and each mistake is caught.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::Message;

use super::{Listed, Outcome, Variant, Violation, route};

mod mistakes;
mod passes;

fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

/// Messages of which each is named by source, slot and destination.
fn listed(named: &[(usize, usize, usize)]) -> Vec<Listed> {
    let named = named.iter();
    named
        .map(|&(source, slot, destination)| Listed {
            message: Message {
                source,
                destination,
            },
            slot,
        })
        .collect()
}

/// What must be true of every outcome, worked out of the messages alone.
fn holds(k: usize, h: usize, messages: &[Listed]) -> Outcome {
    let outcome = route(cube(k), h, messages, Variant::CORRECT)
        .unwrap_or_else(|violation| panic!("{violation}: {messages:?}"));
    assert_eq!(outcome.after_iteration.len(), k);
    for (iteration, lists) in outcome.after_iteration.iter().enumerate() {
        let mut seen = vec![false; messages.len()];
        for (node, slots) in lists.iter().enumerate() {
            assert_eq!(slots.len(), h);
            // In the lowest slots.
            let held: Vec<usize> = slots.iter().map_while(|slot| *slot).collect();
            assert_eq!(slots.iter().flatten().count(), held.len());
            for message in held {
                assert!(!std::mem::replace(&mut seen[message], true));
                let destination = messages[message].message.destination;
                assert_eq!(destination % (2 << iteration), node % (2 << iteration));
            }
        }
        assert!(seen.iter().all(|seen| *seen));
    }
    assert!(outcome.most_in_a_pass <= 2 && outcome.most_messages <= h);
    outcome
}

/// Every way to fill `nodes * h` slots with destinations or nothing, such that no node receives more than `h`.
fn every_relation(nodes: usize, h: usize, mut each: impl FnMut(&[Listed])) -> usize {
    let slots = nodes * h;
    let mut amount = 0;
    for mut number in 0..(nodes + 1).pow(slots as u32) {
        let mut received = vec![0; nodes];
        let mut messages = Vec::new();
        for place in 0..slots {
            if let Some(destination) = (number % (nodes + 1)).checked_sub(1) {
                received[destination] += 1;
                messages.push((place / h, place % h, destination));
            }
            number /= nodes + 1;
        }
        if received.iter().all(|count| *count <= h) {
            amount += 1;
            each(&listed(&messages));
        }
    }
    amount
}

#[test]
fn every_small_relation_is_routed() {
    for (k, h, amount) in [
        (1, 1, 7),
        (1, 2, 63),
        (1, 3, 583),
        (2, 1, 209),
        (2, 2, 114_721),
    ] {
        let found = every_relation(1 << k, h, |messages| {
            holds(k, h, messages);
        });
        assert_eq!(found, amount, "k={k} H={h}");
    }
}

/// With a message a node it is schedule `spread`, whatever slot it is in.
#[test]
fn one_message_a_node_goes_where_spread_takes_it() {
    let mut walk = 1u32;
    let mut draw = |below: usize| {
        walk = walk.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (walk >> 8) as usize % below
    };
    for _ in 0..300 {
        let k = 1 + draw(6);
        let mut ends: Vec<usize> = (0..1 << k).collect();
        for at in (1..ends.len()).rev() {
            ends.swap(at, draw(at + 1));
        }
        let load = draw(5);
        let sources = ends.iter().enumerate().filter(|_| draw(4) < load);
        let named: Vec<_> = sources.map(|(source, &end)| (source, 0, end)).collect();
        let messages = listed(&named);
        let plain: Vec<Message> = messages.iter().map(|listed| listed.message).collect();
        let expected = crate::spread::route(cube(k), &plain, crate::spread::Variant::CORRECT);
        let lists = holds(k, 1, &messages).after_iteration;
        let first: Vec<Vec<Option<usize>>> = lists
            .iter()
            .map(|lists| lists.iter().map(|slots| slots[0]).collect())
            .collect();
        assert_eq!(first, expected.unwrap().after_iteration);
    }
}

/// Four nodes with two messages each. In iteration 0 the even nodes keep theirs and those of nodes 1 and 3
/// cross to them, in each of two passes: two messages at nodes 0 and 2 each time, numbers 0 to 3 and 4 to 7 of
/// a subcube of two. So each of its nodes gets two messages of each pass, four altogether, and `H` must be 4.
#[test]
fn slots_are_filled_pass_by_pass_with_what_stayed_first() {
    let mut named = Vec::new();
    for slot in 0..2 {
        for source in 0..4 {
            named.push((source, slot, 2 * (source % 2)));
        }
    }
    let messages = listed(&named);
    let after = holds(2, 4, &messages).after_iteration;
    // Pass 0: at node 0 messages 0 and 1 (which came), numbers 0 and 1; at node 2 messages 2 and 3, numbers 2 and
    // 3. Even numbers go to node 0, odd ones to node 2; 0 and 3 stay.
    let some = |messages: [usize; 4]| messages.map(Some).to_vec();
    assert_eq!(after[0][0], some([0, 2, 4, 6]));
    assert_eq!(after[0][2], some([3, 1, 7, 5]));
    assert_eq!(after[0][1], [None; 4]);
    // In pass 0 of iteration 1 message 0 stays at node 0 and 3, for node 2, at node 2; in pass 1 message 2 stays
    // at node 0 and message 1 at node 2; and so on.
    assert_eq!(after[1][0], some([0, 2, 4, 6]));
    assert_eq!(after[1][2], some([3, 1, 7, 5]));
}

#[test]
fn what_is_no_relation_is_refused() {
    let refused = |h, named: &[_]| {
        let outcome = route(cube(2), h, &listed(named), Variant::CORRECT);
        outcome.unwrap_err()
    };
    assert_eq!(
        refused(2, &[(0, 0, 4)]),
        Violation::NoSuchNode { node: 4, nodes: 4 }
    );
    assert_eq!(
        refused(2, &[(1, 2, 0)]),
        Violation::NoSuchSlot {
            node: 1,
            slot: 2,
            h: 2
        }
    );
    assert_eq!(
        refused(2, &[(1, 1, 0), (1, 1, 2)]),
        Violation::SlotTaken { node: 1, slot: 1 }
    );
    let crowded = refused(1, &[(0, 0, 3), (1, 0, 3)]);
    assert_eq!(
        crowded.to_string(),
        "2 messages are for node 3, and it receives 1 at most; choose a larger H"
    );
}
