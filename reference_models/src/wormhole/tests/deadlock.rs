//! Fewer virtual channels than three.

use super::*;

fn with_channels(virtual_channels: usize) -> Machine {
    Machine {
        virtual_channels,
        ..machine(ccc(4))
    }
}

/// Of twenty random permutations of the CCC of four levels, 64 bits each.
fn deadlocks(virtual_channels: usize) -> usize {
    let deadlock = |seed| {
        let messages = permutation(64, 64, seed);
        let run = run(with_channels(virtual_channels), &messages, LIMIT).unwrap();
        match run.outcome {
            Outcome::Deadlock { cycle, .. } => {
                assert!(cycle.len() >= 2);
                let tails = run.arrivals.iter().map(|arrival| arrival.tail_arrived);
                assert!(tails.into_iter().any(|tail| tail.is_none()));
                true
            }
            Outcome::Done { .. } => false,
            Outcome::OutOfTime => panic!("seed {seed}: out of time"),
        }
    };
    (0..20).filter(|&seed| deadlock(seed)).count()
}

#[test]
fn one_channel_deadlocks() {
    assert_eq!(deadlocks(1), 20);
}

#[test]
fn two_channels_can_deadlock() {
    let count = deadlocks(2);
    assert!(count > 0 && count < 20, "{count} of 20");
}

#[test]
fn three_channels_do_not() {
    assert_eq!(deadlocks(3), 0);
}

/// Up to three levels two channels are enough: no dependency of channels on each other closes a cycle.
#[test]
fn two_channels_are_enough_for_three_levels() {
    for levels in [2, 3] {
        for seed in 0..100 {
            let machine = Machine {
                virtual_channels: 2,
                ..machine(ccc(levels))
            };
            let messages = permutation(levels << levels, 40, seed);
            bit_times(&run(machine, &messages, LIMIT).unwrap());
        }
    }
}

/// The column 0 cycle of the CCC of four levels with one channel: every node sends two levels on, so
/// every worm holds the channel that the one before it needs.
#[test]
fn a_cycle_of_straight_links() {
    let levels = 4;
    let messages: Vec<Message> = (0..levels)
        .map(|level| message(level << levels, ((level + 2) % levels) << levels, 0, 64))
        .collect();
    let run = run(with_channels(1), &messages, LIMIT).unwrap();
    let Outcome::Deadlock { bit_time, cycle } = run.outcome else {
        panic!("{:?}", run.outcome);
    };
    let channel = |level: usize| Channel {
        node: level << levels,
        copy: 0,
        port: Port::StraightIn(0),
    };
    assert_eq!(cycle, [0, 1, 2, 3].map(channel));
    // Sent from 4 on; B2 and B3 are read in 5 and 6 and make room for B4 and B5, which leave in 6 and 7
    // and stay. The injection channels are full again, of B6 and B7, when these have come in 7 and 8;
    // nothing moves in 9.
    assert_eq!(bit_time, 9);
    let other = super::run(with_channels(2), &messages, LIMIT).unwrap();
    bit_times(&other);
}
