use super::*;
use crate::language::strobes::Strobes;

const FRONT: usize = 3;
const BACK: usize = 2;

/// The bits of message `number`, first of all the next one.
fn bits_of(number: usize, length: usize) -> Vec<bool> {
    (0..length)
        .map(|bit| (number * 0x35 + 0x2b) >> (bit % 7) & 1 == 1)
        .collect()
}

fn contents(list: &MessageList<bool>) -> Vec<Option<Vec<bool>>> {
    let bits = |slot: &Slot<bool>| {
        let front = (0..slot.front.width()).map(|bit| slot.front.bit(bit));
        let back = (0..slot.back.width()).map(|bit| slot.back.bit(bit));
        slot.valid.then(|| front.chain(back).collect())
    };
    list.slots.iter().map(bits).collect()
}

/// Lets messages of `FRONT + back` bits come on the tracks on which there are any; slot 0 is read
/// from the bit time on in which the last bits begin to come, but for the first of them.
fn fill(
    list: &mut MessageList<bool>,
    messages: [Option<usize>; 2],
    back: usize,
    reads_first: bool,
) -> Vec<bool> {
    let bits = messages.map(|number| number.map(|number| bits_of(number, FRONT + back)));
    let bit = |track: usize, at: usize| bits[track].as_ref().is_some_and(|bits| bits[at]);
    let arrived = PerTrack {
        track_0: bits[0].is_some(),
        track_1: bits[1].is_some(),
    };
    let mut strobes = ListStrobes::idle();
    strobes.arrive = true;
    // What is on `arrived` before is of an earlier pass.
    list.clock(&strobes, arrived, PerTrack::NONE);
    let mut read = Vec::new();
    for at in 0..FRONT + back {
        let mut strobes = ListStrobes::idle();
        let in_back = at.checked_sub(FRONT);
        strobes.rotate = in_back.is_none();
        let reads = reads_first && in_back.is_some_and(|position| position > 0);
        strobes.read.drive(reads, 0..1, |_| true);
        if let Some(position) = in_back {
            let of_first = if reads { 0 } else { position };
            strobes
                .back_of_first
                .drive(true, 0..BACK, |at| at == of_first);
            strobes
                .back_of_others
                .drive(true, 0..BACK, |at| at == position);
        }
        read.extend(reads.then(|| list.sent(&strobes).1));
        let coming = PerTrack {
            track_0: bit(0, at),
            track_1: bit(1, at),
        };
        list.clock(&strobes, coming, arrived);
    }
    read
}

/// Whatever comes, pass by pass, stands in the next free slots, and what stood there stays.
#[test]
fn messages_enter_the_next_free_slots_and_the_others_stay_as_they_are() {
    for slots in 1..=5 {
        for passes in 0..4usize.pow(4) {
            let mut list = MessageList::<bool>::new(slots, FRONT, BACK);
            let mut expected: Vec<Option<Vec<bool>>> = Vec::new();
            for pass in 0..4 {
                let number = |track: usize| {
                    let comes = passes >> (2 * pass + track) & 1 == 1;
                    comes.then_some(2 * pass + track)
                };
                let messages = [number(0), number(1)];
                let coming = messages.iter().flatten();
                expected.extend(coming.map(|&number| Some(bits_of(number, FRONT + BACK))));
                if expected.len() > slots {
                    break;
                }
                fill(&mut list, messages, BACK, false);
                let mut all = expected.clone();
                all.resize(slots, None);
                assert_eq!(contents(&list), all);
            }
        }
    }
}

#[test]
fn a_message_is_sent_while_its_end_still_comes() {
    for first in [[Some(3), None], [None, Some(3)], [Some(3), Some(6)]] {
        let mut list = MessageList::<bool>::new(2, FRONT, BACK);
        let mut sent = fill(&mut list, first, BACK, true);
        let mut strobes = ListStrobes::idle();
        strobes.read.drive(true, 0..2, |slot| slot == 0);
        while sent.len() < FRONT + BACK {
            let (valid, bit) = list.sent(&strobes);
            assert!(valid);
            sent.push(bit);
            list.clock(&strobes, PerTrack::NONE, PerTrack::NONE);
        }
        assert_eq!(sent, bits_of(3, FRONT + BACK));
        let second = first[1].filter(|_| first[0].is_some());
        let second = second.map(|number| bits_of(number, FRONT + BACK));
        assert_eq!(contents(&list)[1], second);
    }
}

#[test]
fn what_is_read_is_the_slot_that_is_named_and_clearing_empties_all() {
    let mut list = MessageList::<bool>::new(3, FRONT, BACK);
    fill(&mut list, [Some(1), Some(2)], BACK, false);
    for (slot, number) in [(0, 1), (1, 2)] {
        let mut strobes = ListStrobes::idle();
        strobes.read.drive(true, 0..3, |line| line == slot);
        for expected in bits_of(number, FRONT + BACK) {
            assert_eq!(list.sent(&strobes), (true, expected));
            list.clock(&strobes, PerTrack::NONE, PerTrack::NONE);
        }
    }
    let mut strobes = ListStrobes::idle();
    strobes.read.drive(true, 0..3, |line| line == 2);
    assert!(!list.sent(&strobes).0);
    strobes.clear = true;
    list.clock(&strobes, PerTrack::NONE, PerTrack::NONE);
    assert!((0..3).all(|slot| !list.valid(slot)));
}

#[test]
fn the_host_finds_every_bit_of_every_slot() {
    let mut list = MessageList::<bool>::new(3, 4, 2);
    let mut written = Vec::new();
    list.host_writes((2, 4), &mut |field, bit, register| {
        *register = field == Field::PAYLOAD && bit == 4 + 3 || field == Field::VALID && bit == 1;
        written.push((field, bit));
    });
    let fields = [
        (Field::VALID, 3),
        (Field::DESTINATION, 6),
        (Field::PAYLOAD, 12),
    ];
    let all = fields.map(|(field, bits)| (0..bits).map(move |bit| (field, bit)));
    assert_eq!(written, all.into_iter().flatten().collect::<Vec<_>>());
    // Address bits are the first, and payload bit 3 the last of six.
    let expected = vec![false, false, false, false, false, true];
    assert_eq!(contents(&list), [None, Some(expected), None]);
    let mut read = Vec::new();
    list.host_reads(&mut |field, bit, register| read.push((field, bit, register)));
    assert_eq!(read.len(), 3 + 12);
    assert!(
        read.iter()
            .all(|&(field, bit, value)| value == (field == Field::VALID && bit == 1))
    );
}
