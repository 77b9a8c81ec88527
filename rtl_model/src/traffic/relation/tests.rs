//! What is drawn, counted and divided.

use std::collections::HashMap;

use super::*;
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::Traffic;

fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

fn message(source: usize, destination: usize) -> Message {
    Message {
        source,
        destination,
    }
}

fn relation(pairs: &[(usize, usize)]) -> Relation {
    let messages = pairs.iter().map(|&(from, to)| message(from, to));
    Relation::new(cube(3), 6, messages.collect(), 1).unwrap()
}

/// Messages that each node sends and receives.
fn counts(relation: &Relation) -> [Vec<usize>; 2] {
    let mut counts = [(); 2].map(|()| vec![0; relation.nodes().count()]);
    for message in relation.messages() {
        counts[0][message.source] += 1;
        counts[1][message.destination] += 1;
    }
    counts
}

/// The messages of all parts, each with its payload, are those of the relation; how many times each is there.
fn assert_nothing_is_lost(relation: &Relation, parts: &[Traffic]) {
    let mut found = HashMap::new();
    for part in parts {
        assert_eq!(part.nodes(), relation.nodes());
        assert_eq!(part.payload_bits(), relation.payload_bits());
        for (index, message) in part.messages().iter().enumerate() {
            let ends = (message.source, message.destination);
            *found.entry((ends, part.payload(index))).or_insert(0) += 1;
        }
    }
    for (index, message) in relation.messages().iter().enumerate() {
        let ends = (message.source, message.destination);
        let left = found.get_mut(&(ends, relation.payload(index))).unwrap();
        *left -= 1;
    }
    assert!(found.values().all(|left| *left == 0));
}

#[test]
fn messages_are_in_order_of_source_and_within_one_as_given() {
    let relation = relation(&[(5, 2), (0, 7), (5, 1), (5, 2), (0, 0)]);
    let expected = [(0, 7), (0, 0), (5, 2), (5, 1), (5, 2)].map(|(from, to)| message(from, to));
    assert_eq!(relation.messages(), expected);
    for refused in [message(8, 0), message(0, 8)] {
        let error = Relation::new(cube(3), 6, vec![message(1, 1), refused], 1).unwrap_err();
        assert_eq!(error, node_out_of_range(8, 8));
    }
}

#[test]
fn the_degree_is_the_most_of_a_node_and_the_error_names_that_node() {
    assert_eq!(relation(&[]).degree(), 0);
    relation(&[]).check(0).unwrap();
    let text = |pairs: &[(usize, usize)], h| relation(pairs).check(h).unwrap_err().to_string();
    let sends = [(1, 0), (5, 2), (5, 1), (5, 2), (7, 2)];
    assert_eq!(
        text(&sends, 2),
        "node 5 sends 3 messages, and with H = 2 a node sends at most 2: give --h 3"
    );
    let receives = sends.map(|(from, to)| (to, from));
    assert_eq!(
        text(&receives[..4], 1),
        "node 5 receives 3 messages, and with H = 1 a node receives at most 1: give --h 3"
    );
    // Node 6 has too many as well, and with its number all would not be well.
    let two = [(6, 0), (6, 1), (2, 3), (3, 3), (4, 3)];
    assert!(text(&two, 1).starts_with("node 3 receives 3 messages, "));
    assert!(text(&two[..3], 1).starts_with("node 6 sends 2 messages, "));
    // Of two that have as many, the lower one.
    let alike = [(7, 0), (7, 1), (6, 2), (6, 3)];
    assert!(text(&alike, 1).starts_with("node 6 sends 2 messages, "));
    for pairs in [&sends[..], &receives, &two] {
        assert_eq!(relation(pairs).degree(), 3);
        relation(pairs).check(3).unwrap();
        assert!(relation(pairs).check(2).is_err());
    }
}

#[test]
fn what_is_drawn_has_at_most_h_of_each_node_and_at_full_load_exactly_so_many() {
    for count in [1, 2, 24, 64] {
        let nodes = Nodes::new(count).unwrap();
        for h in 0..=5 {
            for (load, amount) in [(0.0, 0), (0.5, (count as f64 / 2.0).round() as usize)] {
                let drawn = Relation::drawn(nodes, 12, h, load, 3).unwrap();
                assert_eq!(drawn.messages().len(), h * amount);
                drawn.check(h).unwrap();
            }
            let full = Relation::drawn(nodes, 12, h, 1.0, 3).unwrap();
            assert_eq!(counts(&full), [(); 2].map(|()| vec![h; count]));
            assert_eq!(full.degree(), h);
        }
    }
    assert!(Relation::drawn(cube(3), 12, 0, 1.1, 3).is_err());
    assert!(Relation::drawn(cube(3), 12, 2, f64::NAN, 3).is_err());
}

#[test]
fn the_first_permutation_is_randperm_and_others_are_added_to_it() {
    for load in [0.4, 1.0] {
        let traffic = Traffic::drawn(cube(6), 9, Pattern::Randperm, load, 7).unwrap();
        let drawn = |h, seed| Relation::drawn(cube(6), 9, h, load, seed).unwrap();
        assert_eq!(drawn(1, 7).messages(), traffic.messages().to_vec());
        if load == 1.0 {
            assert_eq!(drawn(1, 7).payloads(), traffic.payloads());
        }
        let mut fewer = drawn(1, 7).messages().to_vec();
        for h in 2..=4 {
            let more = drawn(h, 7);
            for source in 0..64 {
                let of = |messages: &[Message]| -> Vec<Message> {
                    let messages = messages.iter().filter(|one| one.source == source);
                    messages.copied().collect()
                };
                assert!(of(more.messages()).starts_with(&of(&fewer)));
            }
            fewer = more.messages().to_vec();
        }
        assert_eq!(drawn(4, 7).messages(), fewer);
        assert_ne!(drawn(4, 8).messages(), fewer);
    }
    let full = Relation::drawn(cube(6), 9, 3, 1.0, 7).unwrap();
    let [one, two, three] = &full.by_source(3).unwrap()[..] else {
        panic!("three slots");
    };
    let messages = [one, two, three].map(|slot| slot.messages());
    assert!(messages[0] != messages[1] && messages[1] != messages[2] && messages[0] != messages[2]);
    let thin = Relation::drawn(cube(6), 9, 2, 0.5, 7).unwrap();
    assert_ne!(thin.degree(), 1, "senders are drawn anew");
    assert!(counts(&thin)[0].contains(&1), "senders are drawn anew");
}

#[test]
fn a_repeated_pattern_has_each_message_of_it_so_many_times() {
    for (_, pattern, _) in Pattern::entries() {
        for (h, load) in [(0, 1.0), (1, 0.5), (3, 0.75), (4, 1.0)] {
            let once = Traffic::drawn(cube(4), 9, pattern, load, 5).unwrap();
            let repeated = Relation::repeated(cube(4), 9, pattern, h, load, 5).unwrap();
            let expected = once.messages().iter().flat_map(|one| vec![one; h]);
            assert_eq!(repeated.messages(), expected.collect::<Vec<_>>());
            if pattern.is_permutation() {
                assert_eq!(repeated.degree(), h);
            }
            for slot in repeated.by_source(h).unwrap() {
                assert_eq!(slot.messages(), once.messages());
            }
        }
    }
    let repeated = |nodes, load| Relation::repeated(nodes, 9, Pattern::Bitrev, 2, load, 5);
    assert!(repeated(Nodes::new(24).unwrap(), 1.0).is_err());
    assert!(repeated(Nodes::new(16).unwrap(), 1.5).is_err());
}

#[test]
fn payloads_are_distinct_wherever_there_are_as_many_values_as_messages() {
    for count in 0..=130_usize {
        let messages = (0..count).map(|index| message(index % 3, index % 8));
        let messages: Vec<Message> = messages.collect();
        for payload_bits in [1, 2, 3, 6, 7, 8, 64, 70] {
            let drawn =
                |seed| Relation::new(cube(3), payload_bits, messages.clone(), seed).unwrap();
            let mut relation = drawn(2);
            assert_eq!(relation.payloads(), drawn(2).payloads());
            let room = payload_bits >= 64 || count <= 1 << payload_bits;
            assert_eq!(relation.payloads_are_distinct(), room);
            relation.labelled = false;
            assert_eq!(relation.payloads_are_distinct(), room, "compared");
            if count > 1 {
                let first = relation.payload(0).to_bitvec();
                relation.payload_mut(1).copy_from_bitslice(&first);
                assert!(!relation.payloads_are_distinct());
            }
            if count * payload_bits > 200 {
                assert_ne!(drawn(2).payloads(), drawn(3).payloads());
            }
        }
    }
}

#[test]
fn slots_have_the_messages_of_each_source_in_turn() {
    let relation = relation(&[(5, 2), (0, 7), (5, 1), (5, 2), (0, 0), (3, 7)]);
    let slots = relation.by_source(5).unwrap();
    let pairs = |slot: &Traffic| -> Vec<(usize, usize)> {
        let messages = slot.messages().iter();
        messages.map(|one| (one.source, one.destination)).collect()
    };
    let expected = [
        vec![(0, 7), (3, 7), (5, 2)],
        vec![(0, 0), (5, 1)],
        vec![(5, 2)],
        vec![],
        vec![],
    ];
    assert_eq!(slots.iter().map(pairs).collect::<Vec<_>>(), expected);
    let one_to_each: Vec<bool> = slots.iter().map(Traffic::is_one_to_each).collect();
    assert_eq!(one_to_each, [false, true, true, true, true]);
    for (slot, index, of_relation) in [
        (0, 0, 0),
        (0, 1, 2),
        (0, 2, 3),
        (1, 0, 1),
        (1, 1, 4),
        (2, 0, 5),
    ] {
        assert_eq!(slots[slot].payload(index), relation.payload(of_relation));
    }
    assert_nothing_is_lost(&relation, &slots);
    assert_eq!(
        relation.by_source(2).unwrap_err().to_string(),
        "node 5 sends 3 messages, and with H = 2 a node sends at most 2: give --h 3"
    );
    // More to a node than it sends is no matter here.
    let many_to_one = (0..8).map(|source| message(source, 4)).collect();
    let many_to_one = Relation::new(cube(3), 6, many_to_one, 1).unwrap();
    assert_eq!(many_to_one.by_source(1).unwrap()[0].messages().len(), 8);
}

#[test]
fn matchings_are_partial_permutations_with_all_messages_and_payloads() {
    for payload_bits in [1, 9, 64, 133] {
        for relation in [
            Relation::drawn(cube(6), payload_bits, 5, 1.0, 2).unwrap(),
            Relation::drawn(cube(6), payload_bits, 7, 0.4, 2).unwrap(),
            Relation::repeated(cube(6), payload_bits, Pattern::Bitrev, 3, 1.0, 2).unwrap(),
            Relation::repeated(cube(6), payload_bits, Pattern::Uniform, 3, 1.0, 2).unwrap(),
            Relation::new(cube(6), payload_bits, Vec::new(), 2).unwrap(),
        ] {
            let matchings = relation.matchings();
            assert_eq!(matchings.len(), relation.degree());
            assert_nothing_is_lost(&relation, &matchings);
            for matching in &matchings {
                // Traffic takes nothing else.
                let messages = matching.messages().to_vec();
                Traffic::new(cube(6), payload_bits, messages, 1).unwrap();
                assert!(matching.is_one_to_each() && !matching.messages().is_empty());
                if relation.payloads_are_distinct() {
                    assert!(matching.payloads_are_distinct());
                }
            }
        }
    }
}

#[test]
fn payloads_that_were_replaced_go_along() {
    let mut relation = Relation::drawn(cube(3), 70, 3, 1.0, 2).unwrap();
    // The second messages of nodes 2 and 3.
    relation.payload_mut(7).fill(true);
    relation.payload_mut(10).fill(true);
    let all = |parts: &[Traffic]| -> usize {
        let payloads = parts.iter().map(|part| {
            let of_part = 0..part.messages().len();
            of_part.filter(|index| part.payload(*index).all()).count()
        });
        payloads.sum()
    };
    let slots = relation.by_source(3).unwrap();
    assert_eq!((all(&slots), all(&relation.matchings())), (2, 2));
    assert!(!relation.payloads_are_distinct());
    let distinct: Vec<bool> = slots.iter().map(Traffic::payloads_are_distinct).collect();
    assert_eq!(distinct, [true, false, true]);
}
