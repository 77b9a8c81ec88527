//! Shares that are lost, corrupted or exchanged, and what becomes of messages.

use proptest::prelude::*;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::*;

const EDGE: usize = 1234;

fn random_bits(length: usize, random: &mut ChaCha8Rng) -> BitVec<u64> {
    (0..length).map(|_| random.next_u32() & 1 == 1).collect()
}

fn code(shares: usize, needed: usize, message_bits: usize) -> Code {
    Code::new(shares, needed, message_bits).unwrap()
}

/// What can become of a share on its way; of what is sent, `other` is another share of it.
fn corrupted(
    share: &BitVec<u64>,
    other: &BitVec<u64>,
    how: u32,
    random: &mut ChaCha8Rng,
) -> BitVec<u64> {
    let mut arrived = share.clone();
    let at = random.random_range(0..share.len());
    match how {
        0 => arrived.clear(),
        1 => arrived[at..].fill(false),
        2 => arrived[at..].fill(true),
        3 => arrived.fill(false),
        4 => arrived.fill(true),
        5 => {
            let flipped = !arrived[at];
            arrived.set(at, flipped);
        }
        6 => arrived = random_bits(share.len(), random),
        7 => arrived.truncate(at),
        8 => arrived.push(true),
        9 => arrived = !arrived,
        // Late or early by a bit time.
        10 => arrived.rotate_left(1),
        11 => arrived.rotate_right(1),
        _ => arrived = other.clone(),
    }
    arrived
}

/// Sends a random message, and has the first `failing` shares of a random order corrupted, somehow.
fn check(
    (shares, needed, message_bits): (usize, usize, usize),
    failing: usize,
    seed: u64,
) -> Result<(), TestCaseError> {
    let code = code(shares, needed, message_bits);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let message = random_bits(message_bits, &mut random);
    let sent = code.encode(EDGE, &message).unwrap();
    prop_assert_eq!(sent.len(), shares);
    prop_assert!(sent.iter().all(|share| share.len() == code.share_bits()));
    let mut arrived = sent.clone();
    for share in rand::seq::index::sample(&mut random, shares, failing) {
        let other = random.random_range(0..shares);
        let how = random.random_range(0..13);
        arrived[share] = corrupted(&sent[share], &sent[other], how, &mut random);
    }
    let restored = code.restore(EDGE, &arrived).unwrap();
    let is_as_sent = arrived.iter().zip(&sent).map(|(one, other)| one == other);
    let is_as_sent: Vec<bool> = is_as_sent.collect();
    let sound = is_as_sent.iter().filter(|as_sent| **as_sent).count();
    prop_assert!(sound >= shares - failing);
    prop_assert_eq!(restored.sound, is_as_sent);
    let outcome = match sound >= needed {
        true => Outcome::Whole(message),
        false => Outcome::Lost { sound, needed },
    };
    prop_assert_eq!(restored.message, outcome);
    Ok(())
}

fn codes() -> impl Strategy<Value = (usize, usize, usize)> {
    (1_usize..9, 1_usize..300)
        .prop_flat_map(|(shares, message_bits)| (Just(shares), 1..=shares, Just(message_bits)))
}

proptest! {
    #[test]
    fn a_message_is_restored_if_no_more_than_the_spare_shares_fail(of in codes(), seed: u64) {
        check(of, of.0 - of.1, seed)?;
    }

    #[test]
    fn with_one_more_it_is_known_to_be_lost(of in codes(), seed: u64) {
        check(of, of.0 - of.1 + 1, seed)?;
    }

    #[test]
    fn however_many_fail_no_message_is_wrong(of in codes(), seed: u64, share in 0.0..1.0) {
        check(of, (of.0 as f64 * share) as usize + 1, seed)?;
    }
}

/// Every set of shares, of every code of up to 6 of them: restored if and only if there are enough.
#[test]
fn any_shares_that_are_enough_restore_a_message() {
    for shares in 1..=6 {
        for needed in 1..=shares {
            let code = code(shares, needed, 45);
            let message = random_bits(45, &mut ChaCha8Rng::seed_from_u64(9));
            let sent = code.encode(3, &message).unwrap();
            for there in 0_u32..1 << shares {
                let arrived = sent.iter().enumerate().map(|(share, bits)| {
                    let is_there = there >> share & 1 == 1;
                    if is_there {
                        bits.clone()
                    } else {
                        BitVec::new()
                    }
                });
                let arrived: Vec<BitVec<u64>> = arrived.collect();
                let restored = code.restore(3, &arrived).unwrap();
                let sound = there.count_ones() as usize;
                let outcome = match sound >= needed {
                    true => Outcome::Whole(message.clone()),
                    false => Outcome::Lost { sound, needed },
                };
                assert_eq!(restored.message, outcome);
            }
        }
    }
}

#[test]
fn a_share_has_its_bytes_and_its_checksum_in_order() {
    let code = code(3, 2, 35);
    assert_eq!(code.share_bits(), 32 + CHECKSUM_BITS);
    assert_eq!(code.overhead(), 3.0 * 64.0 / 35.0);
    assert_eq!(
        (code.shares(), code.needed(), code.message_bits()),
        (3, 2, 35)
    );
    let message: BitVec<u64> = (0..35)
        .map(|bit| 0x5_1234_5678_u64 >> bit & 1 == 1)
        .collect();
    let sent = code.encode(7, &message).unwrap();
    for (share, piece) in [[0x78, 0x56, 0x34, 0x12], [0x05, 0, 0, 0]]
        .iter()
        .enumerate()
    {
        let place = (7 * 3 + share as u64).to_le_bytes();
        let covered: Vec<u8> = place.iter().chain(piece).copied().collect();
        assert_eq!(bytes(&sent[share][..32]), piece);
        let checksum = Crc::<u32>::new(&CRC_32_ISCSI).checksum(&covered);
        assert_eq!(sent[share][32..].load_le::<u32>(), checksum);
    }
}

/// A field element has 2 bytes; and a message that nobody codes is sent as it is.
#[test]
fn shares_are_as_short_as_the_code_lets_them_be() {
    let bits = |shares, needed, message| code(shares, needed, message).share_bits() - CHECKSUM_BITS;
    assert_eq!(bits(1, 1, 1), 16);
    assert_eq!(bits(4, 4, 64), 16);
    assert_eq!(bits(4, 4, 65), 32);
    assert_eq!(bits(8, 1, 65), 80);
    assert_eq!(bits(5, 3, 144), 48);
    assert_eq!(bits(5, 3, 145), 64);
}

/// On all edges of a cube of 4 dimensions, whatever a message is.
#[test]
fn a_wire_that_is_dead_from_the_beginning_never_brings_a_sound_share() {
    for (message, shares, needed) in [(false, 5, 3), (true, 5, 3), (true, 4, 4), (false, 2, 1)] {
        // 96 bits fill their pieces where there are 3, or 1.
        let code = code(shares, needed, 96);
        let message = BitVec::repeat(message, 96);
        for edge in 0..64 {
            for dead in [false, true] {
                let sent = code.encode(edge, &message).unwrap();
                let nothing = vec![BitVec::repeat(dead, code.share_bits()); shares];
                let lost = Outcome::Lost { sound: 0, needed };
                assert_eq!(code.restore(edge, &nothing).unwrap().message, lost);
                let whole = Outcome::Whole(message.clone());
                assert_eq!(code.restore(edge, &sent).unwrap().message, whole);
            }
        }
    }
}

/// A place whose checksum of zeros would be 0, and one whose checksum of ones would be ones: the CRC is linear in the bits of
/// the place, of which 32 are as many as it has.
fn place_with_checksum(wanted: u32, piece: &[u8]) -> u64 {
    let crc = |place: u64| {
        let mut digest = CRC.digest();
        digest.update(&place.to_le_bytes());
        digest.update(piece);
        digest.finalize()
    };
    let none = crc(0);
    // Sums of columns, with the places that they are of, by their highest bits.
    let mut basis = [(0_u32, 0_u64); 32];
    let reduce = |basis: &[(u32, u64); 32], mut sum: u32, mut place: u64| {
        while sum != 0 && basis[sum.ilog2() as usize].0 != 0 {
            let (by, of) = basis[sum.ilog2() as usize];
            (sum, place) = (sum ^ by, place ^ of);
        }
        (sum, place)
    };
    for bit in 0..32 {
        let place = 1 << bit;
        let (sum, place) = reduce(&basis, crc(place) ^ none, place);
        basis[sum.ilog2() as usize] = (sum, place);
    }
    let (left, place) = reduce(&basis, wanted ^ none, 0);
    assert_eq!((left, crc(place)), (0, wanted));
    place
}

#[test]
fn no_share_is_constant_even_where_its_checksum_would_be() {
    for (byte, constant) in [(0, 0), (u8::MAX, u32::MAX)] {
        let place = place_with_checksum(constant, &[byte; 6]) as usize;
        let code = code(1, 1, 48);
        let bit = byte == u8::MAX;
        let message = BitVec::repeat(bit, 48);
        let sent = code.encode(place, &message).unwrap();
        let dead = BitVec::repeat(bit, code.share_bits());
        assert_ne!(sent[0], dead);
        let restored = |share| code.restore(place, &[share]).unwrap().message;
        assert_eq!(
            restored(dead),
            Outcome::Lost {
                sound: 0,
                needed: 1
            }
        );
        assert_eq!(restored(sent[0].clone()), Outcome::Whole(message));
    }
}

#[test]
fn shares_that_are_exchanged_are_noticed() {
    // With one share needed all pieces are alike: only their places tell them apart.
    for needed in [1, 2, 4] {
        let code = code(4, needed, 64);
        let message = BitVec::repeat(true, 64);
        let mut sent = code.encode(2, &message).unwrap();
        sent.swap(0, 3);
        let restored = code.restore(2, &sent).unwrap();
        assert_eq!(restored.sound, [false, true, true, false]);
        sent.swap(0, 3);
        sent.rotate_left(1);
        assert_eq!(code.restore(2, &sent).unwrap().sound, [false; 4]);
    }
}

#[test]
fn shares_of_another_edge_are_noticed() {
    let code = code(4, 2, 40);
    let message = BitVec::repeat(false, 40);
    let sent = code.encode(2, &message).unwrap();
    for edge in [0, 1, 3, 10, 1 << 20] {
        let restored = code.restore(edge, &sent).unwrap();
        assert_eq!(
            restored.message,
            Outcome::Lost {
                sound: 0,
                needed: 2
            }
        );
    }
}

#[test]
fn shares_that_are_missing_at_the_end_are_lost_and_more_than_there_are_are_not_looked_at() {
    let code = code(3, 2, 20);
    let message = BitVec::repeat(true, 20);
    let mut sent = code.encode(0, &message).unwrap();
    sent.push(sent[0].clone());
    let restored = code.restore(0, &sent).unwrap();
    assert_eq!(restored.sound, [true; 3]);
    assert_eq!(
        code.restore(0, &sent[..2]).unwrap().sound,
        [true, true, false]
    );
    let lost = Outcome::Lost {
        sound: 1,
        needed: 2,
    };
    assert_eq!(code.restore(0, &sent[..1]).unwrap().message, lost);
}

#[test]
fn codes_that_cannot_be_are_refused() {
    let refused = |shares, needed, bits| Code::new(shares, needed, bits).unwrap_err().to_string();
    assert_eq!(
        refused(4, 0, 8),
        "a message in 4 shares cannot be restored from 0 of them: choose 1 to 4"
    );
    assert_eq!(
        refused(4, 5, 8),
        "a message in 4 shares cannot be restored from 5 of them: choose 1 to 4"
    );
    assert_eq!(
        refused(0, 0, 8),
        "a message cannot be sent in 0 shares: choose at least one"
    );
    assert_eq!(
        refused(2, 1, 0),
        "a message of 0 bits has nothing to be restored: choose at least one bit"
    );
    assert_eq!(
        refused(100_000, 50_000, 8),
        "a message in 100000 shares, any 50000 of which restore it, is more than the code can do: use fewer shares"
    );
    let short = code(2, 1, 9).encode(0, &BitVec::repeat(true, 8));
    assert_eq!(
        short.unwrap_err().to_string(),
        "a message has 9 bits, and this one has 8"
    );
}
