//! What is drawn, refused and loaded.

use rand::RngCore;

use super::*;

fn traffic(pairs: &[(usize, usize)]) -> Result<Traffic, Error> {
    let messages = pairs
        .iter()
        .map(|&(source, destination)| Message {
            source,
            destination,
        })
        .collect();
    Traffic::new(Dimensions::new(3).unwrap(), 4, messages, 1)
}

#[test]
fn a_partial_permutation_is_accepted_and_nothing_else() {
    let accepted = traffic(&[(5, 0), (1, 2)]).unwrap();
    assert_eq!(accepted.messages().get(0).unwrap().source, 1);
    assert_eq!(accepted.messages().get(2), None);
    assert_eq!(accepted.index_from(5), Some(1));
    assert_eq!(accepted.index_from(0), None);
    assert_eq!(accepted.by_destination().at(2), [0]);

    assert_eq!(
        traffic(&[(5, 0), (1, 0)]).unwrap_err().to_string(),
        "sources 1 and 5 both send to destination 0: a node receives at most one message; several messages a node \
         need `--h H` (testbench kuszmaul)"
    );
    assert_eq!(
        traffic(&[(5, 0), (5, 1)]).unwrap_err().to_string(),
        "node 5 sends two messages: a node sends at most one; several messages a node need `--h H` (testbench kuszmaul)"
    );
    assert_eq!(traffic(&[(5, 8)]).unwrap_err(), node_out_of_range(8, 8));
}

#[test]
fn many_to_one_accepts_more_to_a_node_but_not_more_from_it() {
    let many_to_one = |pairs: &[(usize, usize)]| {
        let message = |&(source, destination)| Message {
            source,
            destination,
        };
        let messages = pairs.iter().map(message).collect();
        Traffic::many_to_one(Nodes::new(6).unwrap(), 4, messages, 1)
    };
    let accepted = many_to_one(&[(5, 0), (1, 2), (4, 0), (0, 0)]).unwrap();
    let by_destination = accepted.by_destination();
    assert_eq!(by_destination.at(0), [0, 2, 3]);
    assert_eq!(by_destination.at(2), [1]);
    assert!(by_destination.at(5).is_empty());
    assert!(accepted.payloads_are_distinct());
    assert_eq!(
        many_to_one(&[(5, 0), (5, 1)]).unwrap_err().to_string(),
        "node 5 sends two messages: a node sends at most one; several messages a node need `--h H` (testbench kuszmaul)"
    );
    assert_eq!(many_to_one(&[(5, 6)]).unwrap_err(), node_out_of_range(6, 6));
}

#[test]
fn a_semi_contraction_is_told_from_other_routings() {
    for accepted in [
        &[(0, 0), (3, 1), (4, 2)][..],
        &[(0, 7), (1, 6), (5, 2)],
        &[(2, 5)],
    ] {
        traffic(accepted).unwrap().check_semi_contraction().unwrap();
    }
    for refused in [&[(0, 0), (1, 2)][..], &[(0, 7), (1, 5)], &[(0, 0), (3, 4)]] {
        assert!(traffic(refused).unwrap().check_semi_contraction().is_err());
    }
    let error = traffic(&[(0, 0), (3, 1), (4, 4)])
        .unwrap()
        .check_semi_contraction()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "not a semi-contraction: messages 3 -> 1 and 4 -> 4 begin 1 apart and end 3 apart; \
         packing routes only what draws no two messages apart (see `kuszmaul` for the rest)"
    );
}

#[test]
fn payloads_are_distinct_where_that_is_possible_and_repeat_with_the_seed() {
    let cube = Dimensions::new(8).unwrap();
    let all: Vec<Message> = (0..256)
        .map(|node| Message {
            source: node,
            destination: 255 - node,
        })
        .collect();
    for payload_bits in [8, 9, 70] {
        let traffic = Traffic::new(cube, payload_bits, all.clone(), 7).unwrap();
        let second = traffic.payload(1).to_bitvec();
        let mut traffic = traffic;
        assert!(traffic.payloads_are_distinct());
        let first = traffic.payload(0).to_bitvec();
        traffic.payload_mut(0).copy_from_bitslice(&first);
        assert!(traffic.payloads_are_distinct(), "drawn distinct");
        traffic.payload_mut(1).copy_from_bitslice(&first);
        assert!(!traffic.payloads_are_distinct());
        traffic.payload_mut(1).copy_from_bitslice(&second);
        let again = Traffic::new(cube, payload_bits, all.clone(), 7).unwrap();
        assert_eq!(again.payloads, traffic.payloads);
        let other = Traffic::new(cube, payload_bits, all.clone(), 8).unwrap();
        assert_ne!(other.payloads, traffic.payloads);
    }
    let narrow = Traffic::new(cube, 7, all, 7).unwrap();
    assert!(!narrow.payloads_are_distinct());
}

#[test]
fn payloads_are_distinct_on_any_number_of_nodes() {
    for count in 1..=130 {
        let nodes = Nodes::new(count).unwrap();
        let senders: Vec<usize> = (0..count).collect();
        let messages = Pattern::Neighbor.messages(nodes, &senders, 1).unwrap();
        let payload_bits = nodes.number_bits().max(1);
        let mut traffic = Traffic::new(nodes, payload_bits, messages, 9).unwrap();
        assert!(traffic.labelled);
        traffic.labelled = false;
        assert!(traffic.payloads_are_distinct(), "compared");
    }
}

#[test]
fn the_load_is_a_share_of_the_nodes() {
    let cube = Dimensions::new(6).unwrap();
    for (load, amount) in [(0.0, 0), (0.25, 16), (0.5, 32), (1.0, 64)] {
        let senders = senders(cube, load, 3).unwrap();
        assert_eq!(senders.len(), amount);
        assert!(senders.is_sorted());
    }
    let all = Nodes::new(160).unwrap();
    for (load, amount) in [(0.0, 0), (0.5, 80), (0.016, 3), (1.0, 160)] {
        let senders = senders(all, load, 3).unwrap();
        assert_eq!(senders.len(), amount);
        assert!(senders.is_sorted() && senders.iter().all(|&node| node < 160));
    }
    for load in [-0.1, 1.1, f64::NAN] {
        assert!(senders(cube, load, 3).is_err());
    }
}

#[test]
fn drawn_traffic_is_that_of_the_messages_of_its_pattern() {
    for (_, pattern, _) in Pattern::entries() {
        for (count, load) in [(1, 1.0), (6, 0.5), (64, 0.75), (64, 0.0), (160, 1.0)] {
            let nodes = Nodes::new(count).unwrap();
            let senders = senders(nodes, load, 5).unwrap();
            let drawn = Traffic::drawn(nodes, 9, pattern, load, 5);
            let messages = match pattern.messages(nodes, &senders, 5) {
                Ok(messages) => messages,
                Err(error) => {
                    assert_eq!(drawn.err(), Some(error));
                    continue;
                }
            };
            let given = match pattern.is_permutation() {
                true => Traffic::new(nodes, 9, messages.clone(), 5).unwrap(),
                false => Traffic::many_to_one(nodes, 9, messages.clone(), 5).unwrap(),
            };
            let drawn = drawn.unwrap();
            assert_eq!(drawn.messages().to_vec(), messages);
            assert_eq!(drawn.messages(), given.messages());
            assert_eq!(drawn.payloads(), given.payloads());
        }
    }
    assert!(Traffic::drawn(Nodes::new(4).unwrap(), 9, Pattern::Identity, 1.1, 5).is_err());
}

/// As they were drawn before they were packed: bit by bit.
#[test]
fn a_payload_is_its_label_and_then_random_words() {
    let nodes = Nodes::new(20).unwrap();
    for payload_bits in [1, 4, 5, 6, 63, 64, 69, 70, 133] {
        let traffic = Traffic::drawn(nodes, payload_bits, Pattern::Identity, 0.8, 3).unwrap();
        let mut random = generator(3, Purpose::Payloads);
        let (factor, offset) = (random.next_u64() | 1, random.next_u64());
        for (index, message) in traffic.messages().iter().enumerate() {
            let mut bits = Vec::new();
            if payload_bits >= 5 {
                let label = (message.source as u64)
                    .wrapping_mul(factor)
                    .wrapping_add(offset);
                bits.extend((0..5).map(|bit| label >> bit & 1 == 1));
            }
            while bits.len() < payload_bits {
                let word = random.next_u64();
                bits.extend((0..64).map(|bit| word >> bit & 1 == 1));
                bits.truncate(payload_bits);
            }
            assert!(traffic.payload(index).iter().by_vals().eq(bits));
        }
    }
}
