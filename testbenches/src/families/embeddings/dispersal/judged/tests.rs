//! Every count, with what makes it so planted.

use super::*;
use crate::families::embeddings::testbench::DISPERSAL;
use crate::families::embeddings::work::Work;
use crate::testbench::bench::asked;

const BITS: usize = 70;

fn dispersed() -> Dispersed {
    let words = format!("--dims 4 --message-bits {BITS}");
    Dispersed::new(&asked(&DISPERSAL, &words)).unwrap()
}

/// Messages, and their shares.
fn sent(dispersed: &Dispersed) -> (Words, Words) {
    let messages = Words::drawn(16, 1, BITS, 5);
    let shares = dispersed.shares_of(&messages).unwrap();
    (messages, shares)
}

/// Makes shares of an edge zero.
fn lose(dispersed: &Dispersed, arrived: &mut Words, edge: usize, shares: &[usize]) {
    let bits = dispersed.code.share_bits();
    for share in shares {
        for bit in share * bits..(share + 1) * bits {
            arrived.set_bit(edge, bit, false);
        }
    }
}

fn judged(dispersed: &Dispersed, words: (&Words, &Words), hit: &[usize]) -> Judged {
    let mut shown = Vec::new();
    let judged = Judged::of(dispersed, words, hit, |edge, word| {
        assert_eq!(shown.len(), edge);
        shown.push(word.map(<[u64]>::to_vec));
    })
    .unwrap();
    let there = shown.iter().flatten().count();
    assert_eq!(
        (shown.len(), there),
        (judged.messages, judged.messages - judged.lost)
    );
    judged
}

/// Of a run in which nothing fails.
fn clean() -> Judged {
    Judged {
        messages: 16,
        restored: 16,
        ..Judged::default()
    }
}

#[test]
fn nothing_is_counted_of_messages_that_arrive() {
    let dispersed = dispersed();
    let (messages, shares) = sent(&dispersed);
    assert_eq!(judged(&dispersed, (&messages, &shares), &[3; 16]), clean());
}

#[test]
fn a_message_that_loses_what_it_may_survives() {
    let dispersed = dispersed();
    let (messages, mut arrived) = sent(&dispersed);
    lose(&dispersed, &mut arrived, 3, &[0]);
    lose(&dispersed, &mut arrived, 15, &[2]);
    let survived = Judged {
        damaged_shares: 2,
        survived: 2,
        most_damaged: 1,
        ..clean()
    };
    assert_eq!(
        judged(&dispersed, (&messages, &arrived), &[0; 16]),
        survived
    );
}

#[test]
fn a_message_that_loses_more_is_lost_which_breaks_a_promise_if_wires_do_not_explain_it() {
    let dispersed = dispersed();
    let (messages, mut arrived) = sent(&dispersed);
    lose(&dispersed, &mut arrived, 5, &[0, 2]);
    lose(&dispersed, &mut arrived, 9, &[0, 1, 2]);
    let [from, to] = dispersed.job.embedding.edge(5);
    let [from, to] = [from, to].map(|vertex| dispersed.job.embedding.place(vertex));
    let lost = Judged {
        restored: 14,
        lost: 2,
        damaged_shares: 5,
        most_damaged: 3,
        first_loss: Some(format!(
            "message 5, from node {from} to node {to}: 1 of 3 shares are sound, 2 are needed"
        )),
        ..clean()
    };
    let mut hit = [0; 16];
    for (of_5, of_9, broken_promises) in [(2, 3, 0), (2, 2, 0), (1, 2, 1), (2, 1, 1), (0, 1, 2)] {
        (hit[5], hit[9]) = (of_5, of_9);
        let expected = Judged {
            broken_promises,
            ..lost.clone()
        };
        assert_eq!(judged(&dispersed, (&messages, &arrived), &hit), expected);
    }
}

/// Shares of another message, each of which matches its checksum.
#[test]
fn a_message_that_is_another_is_wrong() {
    let dispersed = dispersed();
    let (mut messages, arrived) = sent(&dispersed);
    let is_one = messages.bit(7, BITS - 1).unwrap();
    messages.set_bit(7, BITS - 1, !is_one);
    let wrong = |broken_promises| Judged {
        restored: 15,
        wrong: 1,
        broken_promises,
        ..clean()
    };
    let mut hit = [0; 16];
    assert_eq!(judged(&dispersed, (&messages, &arrived), &hit), wrong(1));
    hit[7] = 2;
    assert_eq!(judged(&dispersed, (&messages, &arrived), &hit), wrong(0));
}

/// Shares of two edges in each other's place match no checksum, even if the words are alike.
#[test]
fn messages_that_change_places_are_lost() {
    let dispersed = dispersed();
    let messages = Words::zeros(16, 1, BITS);
    let mut arrived = dispersed.shares_of(&messages).unwrap();
    for share in 0..3 {
        let [one, other] = [3, 12 + share].map(|number| arrived.word(number).to_vec());
        arrived.word_mut(12 + share).copy_from_slice(&one);
        if share == 0 {
            arrived.word_mut(3).copy_from_slice(&other);
        }
    }
    let judged = judged(&dispersed, (&messages, &arrived), &[0; 16]);
    assert_eq!(
        (judged.lost, judged.survived, judged.damaged_shares),
        (1, 1, 4)
    );
    assert!(judged.first_loss.unwrap().starts_with("message 4, "));
}
