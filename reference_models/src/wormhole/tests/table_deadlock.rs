//! Worms by tables that wait for each other, and tables with which none do.

use super::adaptive::with_channels;
use super::lists::{has_cycle, network, ring, shortest, up_and_down};
use super::tables::check;
use super::*;

/// Every node of a ring sends a long worm `shift` nodes on.
fn shifted(nodes: usize, shift: usize) -> Vec<Message> {
    (0..nodes)
        .map(|node| message(node, (node + shift) % nodes, 0, 64))
        .collect()
}

/// In a ring of five each worm holds the link that the one behind it needs. Addresses are read up to 3, looked up in 4, and
/// ask in 5; they leave from 6 to 8, B3 and B4 in 9 and 10. At the next node they are read up to 9 and looked up in 10, and
/// B3 asks in 11. The hosts send what fills the injection channels up to 11; nothing moves in 12.
#[test]
fn a_ring_of_one_class_deadlocks() {
    let machine = with_channels(network(ring(5, 1)), 1);
    assert_deadlock_of_five(machine, 64, 12);
}

/// With buffers that hold whole worms of one body bit: B3 leaves in 9. In 10 nothing happens but that addresses are looked
/// up, which is not yet a standstill; nothing moves in 11.
#[test]
fn a_lookup_is_no_standstill() {
    let machine = Machine {
        buffer_bits: 8,
        ..with_channels(network(ring(5, 1)), 1)
    };
    assert_deadlock_of_five(machine, 1, 11);
}

/// Every node of five sends so many bits two nodes on, and each waits for the next.
fn assert_deadlock_of_five(machine: Machine, bits: usize, bit_time: u64) {
    let messages: Vec<Message> = (0..5)
        .map(|node| message(node, (node + 2) % 5, 0, bits))
        .collect();
    let run = run(machine, &messages, LIMIT).unwrap();
    let channel = |node| Channel {
        node,
        copy: 0,
        port: Port::LinkIn {
            link: 0,
            channel: 0,
        },
    };
    let cycle = [0, 1, 2, 3, 4].map(channel).to_vec();
    assert_eq!(run.outcome, Outcome::Deadlock { bit_time, cycle });
}

#[test]
fn rings_with_a_dateline_do_not() {
    for nodes in [3, 5, 8] {
        for shift in 0..nodes {
            let messages = shifted(nodes, shift);
            let machine = with_channels(network(ring(nodes, 1)), 1);
            let run_of_one = run(machine, &messages, LIMIT).unwrap();
            match shift {
                0 | 1 => check(machine, &messages, &run_of_one),
                _ => assert!(matches!(run_of_one.outcome, Outcome::Deadlock { .. })),
            }
            for virtual_channels in [2, 3, 4] {
                let machine = with_channels(network(ring(nodes, 2)), virtual_channels);
                check(machine, &messages, &run(machine, &messages, LIMIT).unwrap());
            }
        }
    }
}

/// Several messages from every node to random ones.
fn crowd(nodes: usize, random: &mut ChaCha8Rng) -> Vec<Message> {
    (0..6 * nodes)
        .map(|number| {
            let bits = random.random_range(1..60);
            message(
                number % nodes,
                random.random_range(0..nodes),
                random.random_range(0..100),
                bits,
            )
        })
        .collect()
}

/// Whether a crowd in a network ends in a deadlock, with random channels and buffers.
fn deadlocks(listed: Listed, random: &mut ChaCha8Rng) -> bool {
    let messages = crowd(listed.nodes, random);
    let most = (64 / listed.slots).min(4);
    let machine = Machine {
        buffer_bits: random.random_range(1..5),
        switch: [Switch::Strong, Switch::Weak][random.random_range(0..2)],
        ..with_channels(
            network(listed.clone()),
            random.random_range(listed.classes..=most),
        )
    };
    let run = run(machine, &messages, LIMIT).unwrap();
    match run.outcome {
        Outcome::Deadlock { cycle, .. } => {
            assert!(cycle.len() >= 2);
            true
        }
        _ => {
            check(machine, &messages, &run);
            false
        }
    }
}

#[test]
fn ways_up_and_down_never_deadlock() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..150 {
        let nodes = random.random_range(2..25);
        let more = random.random_range(0..=nodes / 2);
        let classes = random.random_range(1..4);
        let listed = up_and_down(nodes, more, classes, &mut random);
        assert!(!deadlocks(listed, &mut random));
    }
}

/// Shortest ways do; but never where no channels could wait for each other in a cycle.
#[test]
fn shortest_ways_deadlock_in_cycles_only() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let (mut with_deadlock, mut without_cycle) = (0, 0);
    for _ in 0..150 {
        let nodes = random.random_range(2..12);
        let more = match random.random() {
            true => random.random_range(0..2),
            false => random.random_range(nodes..nodes * nodes),
        };
        let listed = shortest(nodes, more, &mut random);
        let has_cycle = has_cycle(&listed);
        let deadlocks = deadlocks(listed, &mut random);
        assert!(has_cycle || !deadlocks);
        with_deadlock += usize::from(deadlocks);
        without_cycle += usize::from(!has_cycle);
    }
    assert!(with_deadlock > 10, "{with_deadlock} {without_cycle}");
    assert!(without_cycle > 10, "{without_cycle}");
}
