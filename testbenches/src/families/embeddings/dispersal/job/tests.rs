//! Shares of messages, and who loses them.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::families::embeddings::dispersal::cuts::{Stuck, drawn};
use crate::families::embeddings::testbench::DISPERSAL;
use crate::testbench::bench::asked;

fn of(words: &str) -> Dispersed {
    Dispersed::new(&asked(&DISPERSAL, words)).unwrap()
}

#[test]
fn messages_of_any_length_are_restored_from_their_shares() {
    for bits in [1, 7, 63, 64, 65, 130] {
        for needed in 1..=3 {
            let dispersed = of(&format!("--dims 4 --message-bits {bits} --needed {needed}"));
            assert_eq!(
                dispersed.job.machine.packet_bits(),
                dispersed.code.share_bits()
            );
            let messages = Words::drawn(16, 1, bits, 3);
            let shares = dispersed.shares_of(&messages).unwrap();
            assert_eq!((shares.nodes(), shares.per_node()), (16, 3));
            for (edge, message) in messages.iter().enumerate() {
                let restored = dispersed.restored(&shares, edge).unwrap();
                assert_eq!(restored.sound, [true; 3]);
                assert_eq!(as_word(&restored.message).as_deref(), Some(message));
            }
        }
    }
}

/// Share `i` is packet `i`, so it goes along path `i`: with one taken away, that one is not sound.
#[test]
fn shares_stand_in_the_order_of_their_paths() {
    let dispersed = of("--dims 4 --message-bits 20");
    let bits = dispersed.code.share_bits();
    let shares = dispersed.shares_of(&Words::drawn(16, 1, 20, 3)).unwrap();
    for share in 0..3 {
        let mut arrived = shares.clone();
        for bit in 0..bits {
            arrived.set_bit(5, share * bits + bit, false);
        }
        let restored = dispersed.restored(&arrived, 5).unwrap();
        let expected: Vec<bool> = (0..3).map(|other| other != share).collect();
        assert_eq!(restored.sound, expected);
    }
}

/// Counted bit time by bit time: a packet's bits leave in the last bit times of its steps.
#[test]
fn shares_that_are_hit_are_those_that_have_a_bit_left_to_send() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for start_up in [0, 3] {
        let dispersed = of(&format!("--dims 4 --message-bits 30 --start-up {start_up}"));
        let job = &dispersed.job;
        let packet_bits = job.machine.packet_bits();
        let step = start_up + packet_bits;
        for seed in 0..60 {
            let last = (job.phase.steps() * step) as u64 + 5;
            let count = random.random_range(0..20);
            let cuts = drawn(job.embedding.host(), count, seed, 0..last).unwrap();
            let mut is_hit = vec![[false; 3]; job.embedding.edges()];
            for hop in job.phase.hops() {
                for bit in 0..packet_bits {
                    let now = (hop.step as usize * step + start_up + bit) as u64;
                    let fails = cuts.iter().any(|cut| {
                        [cut.node, cut.dimension] == [hop.from as usize, hop.dimension.into()]
                            && cut.from_bit_time <= now
                    });
                    let packet = hop.packet as usize;
                    is_hit[packet / 3][packet % 3] |= fails;
                }
            }
            let expected = is_hit
                .iter()
                .map(|of| of.iter().filter(|hit| **hit).count());
            assert_eq!(dispersed.shares_hit(&cuts), expected.collect::<Vec<_>>());
        }
    }
}

#[test]
fn of_a_wire_that_is_listed_twice_the_earlier_failure_counts() {
    let dispersed = of("--dims 4 --message-bits 30");
    let cut = |from_bit_time| Cut {
        node: 0,
        dimension: 0,
        from_bit_time,
        stuck: Stuck::Cut,
    };
    let early = dispersed.shares_hit(&[cut(0)]);
    assert_eq!(early.iter().sum::<usize>(), 3);
    for cuts in [[cut(0), cut(u64::MAX)], [cut(u64::MAX), cut(0)]] {
        assert_eq!(dispersed.shares_hit(&cuts), early);
    }
}

#[test]
fn shares_that_are_needed_are_some_of_those_there_are() {
    let refusal = |guest: &str, needed: usize| {
        let words = format!("--dims 4 --message-bits 8 --guest {guest} --needed {needed}");
        Dispersed::new(&asked(&DISPERSAL, &words))
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    for needed in 1..=3 {
        assert_eq!(refusal("cycle", needed), Ok(()));
    }
    for needed in [0, 4, usize::MAX] {
        let why = format!(
            "--needed: {needed} is out of range: a message has 3 paths, and so as many shares: choose 1 to 3"
        );
        assert_eq!(refusal("cycle", needed), Err(why));
    }
    assert_eq!(refusal("gray-cycle", 1), Ok(()));
    assert_eq!(
        refusal("gray-cycle", 2).unwrap_err(),
        "--needed: 2 is out of range: a message has 1 path, and so as many shares: choose 1, which leaves none to spare"
    );
    // One to spare where nothing is said; of one path, none.
    let needed = |guest: &str| {
        let one = of(&format!("--dims 4 --message-bits 8 --guest {guest}"));
        one.code.needed()
    };
    assert_eq!(
        [
            needed("cycle"),
            needed("double-cycle"),
            needed("gray-cycle")
        ],
        [2, 1, 1]
    );
}

#[test]
fn without_shares_a_message_is_in_as_many_packets_as_it_has_paths() {
    for (bits, start_up, expected) in [
        (1, 0, 3),
        (3, 0, 3),
        (4, 0, 6),
        (256, 0, 258),
        (256, 5, 273),
    ] {
        let dispersed = of(&format!(
            "--dims 4 --message-bits {bits} --start-up {start_up}"
        ));
        assert_eq!(
            (dispersed.job.phase.steps(), dispersed.plain_bit_times),
            (3, expected)
        );
    }
}

/// The command line of a machine asks for one with the same schedule, shares and messages, and that one for itself.
#[test]
fn the_command_line_asks_for_the_same_machine() {
    for (line, expected) in [
        (
            "",
            "--over edge --guest cycle --dims 8 --order hop-by-hop --start-up 0 --needed 4 --message-bits 256",
        ),
        (
            "--dims 4 --needed 1 --message-bits 9 --start-up 2 --order greedy --both-ways --seed 8",
            "--over edge --guest cycle --dims 4 --order greedy --both-ways --start-up 2 --needed 1 --message-bits 9",
        ),
        (
            "--guest grid --sides 4,4",
            "--over edge --guest grid --sides 4,4 --order hop-by-hop --start-up 0 --needed 1 --message-bits 256",
        ),
        (
            "--guest gray-grid --dims 4 --axes 2",
            "--over edge --guest gray-grid --dims 4 --axes 2 --order hop-by-hop --start-up 0 --needed 1 --message-bits 256",
        ),
        (
            "--guest ccc-product",
            "--over edge --guest ccc-product --dims 6 --order hop-by-hop --start-up 0 --needed 2 --message-bits 256",
        ),
        (
            "--over copies",
            "--over copies --dims 6 --order greedy --start-up 0 --traffic randperm --needed 3 --message-bits 256 --seed 1",
        ),
        (
            "--over copies --dims 3 --traffic bitrev --seed 7 --order hop-by-hop",
            "--over copies --dims 3 --order hop-by-hop --start-up 0 --traffic bitrev --needed 1 --message-bits 256 --seed 7",
        ),
    ] {
        let one = of(line);
        let command = one.job.chosen.command("verilog");
        assert_eq!(command, format!("cubewave verilog dispersal {expected}"));
        let other = of(expected);
        assert_eq!(other.job.chosen.command("verilog"), command);
        assert_eq!(one.job.phase, other.job.phase);
        assert_eq!(one.code, other.code);
        assert_eq!(one.plain_bit_times, other.plain_bit_times);
        assert_eq!(one.job.machine.start_up(), other.job.machine.start_up());
    }
}

/// What may not be given together with something that is given is not said, whatever its default.
#[test]
fn a_command_line_says_nothing_that_it_cannot_have_beside_the_rest() {
    let command = |words| asked(&DISPERSAL, words).command("run");
    assert!(command("").ends_with(" --cut-wires 0"));
    assert!(!command("--cut mine.csv").contains("--cut"));
}

#[test]
fn names_of_none_are_refused() {
    let refusal = |words: &str| {
        let refused = Dispersed::new(&asked(&DISPERSAL, words)).map(|_| ());
        refused.unwrap_err().to_string()
    };
    assert!(refusal("--over copies --traffic bitrevv").contains("bitrevv"));
}
