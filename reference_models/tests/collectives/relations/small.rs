//! Every relation of the smallest cubes.

use reference_models::relations::Listed;
use rtl_model::traffic::Message;

use super::run::Beside;

/// The relation of that number: each slot of each node empty or for one of the nodes; nothing, if a node would
/// receive more than `h` messages.
fn relation(nodes: usize, h: usize, mut number: usize) -> Option<Vec<Listed>> {
    let mut received = vec![0; nodes];
    let mut messages = Vec::new();
    for source in 0..nodes {
        for slot in 0..h {
            if let Some(destination) = (number % (nodes + 1)).checked_sub(1) {
                received[destination] += 1;
                messages.push(Listed {
                    message: Message {
                        source,
                        destination,
                    },
                    slot,
                });
            }
            number /= nodes + 1;
        }
    }
    received.iter().all(|count| *count <= h).then_some(messages)
}

fn every(k: usize, payload_bits: usize, h: usize, ticks: bool) -> usize {
    let mut beside = Beside::new(k, payload_bits, h);
    let nodes = 1 << k;
    let numbers = 0..(nodes + 1usize).pow((nodes * h) as u32);
    let relations = numbers.filter_map(|number| relation(nodes, h, number));
    relations
        .map(|messages| beside.holds(messages, ticks))
        .count()
}

#[test]
fn every_relation_of_two_nodes_is_routed_as_the_model_says() {
    for (h, amount) in [(1, 7), (2, 63), (3, 583)] {
        for payload_bits in [1, 3, 70] {
            for ticks in [true, false] {
                assert_eq!(every(1, payload_bits, h, ticks), amount);
            }
        }
    }
}

#[test]
fn every_partial_injection_of_four_nodes_is_routed_as_the_model_says() {
    for payload_bits in [1, 2, 5] {
        assert_eq!(every(2, payload_bits, 1, true), 209);
    }
}

/// Payloads of three bits tell all eight messages apart.
#[test]
fn every_2_relation_of_four_nodes_is_routed_as_the_model_says() {
    assert_eq!(every(2, 3, 2, false), 114_721);
}
