//! What whole frames refuse, and what they object to.

use rtl_model::machine::topology::hypercube::Dimensions;
use rtl_model::traffic::{Message, Traffic};

use super::*;

fn cube(k: usize) -> Dimensions {
    Dimensions::new(k).unwrap()
}

fn traffic(k: usize, payload_bits: usize, pairs: &[(usize, usize)]) -> Traffic {
    let message = |&(source, destination)| Message {
        source,
        destination,
    };
    let messages = pairs.iter().map(message).collect();
    Traffic::many_to_one(cube(k), payload_bits, messages, 1).unwrap()
}

#[test]
fn frames_up_to_a_word_are_routed_and_longer_ones_refused() {
    for k in 1..=8 {
        let header = if k == 1 { 1 } else { 2 * (k - 1) };
        let longest = MOST_BITS - header;
        let pairs: Vec<_> = (0..1 << k).map(|x| (x, (1 << k) - 1 - x)).collect();
        let sent = traffic(k, longest, &pairs);
        let outcome = route(cube(k), &sent, &mut ()).unwrap();
        for (index, message) in sent.messages().iter().enumerate() {
            let payload = Frame::new(sent.payload(index).load_le(), longest);
            assert_eq!(outcome.delivered[message.destination], payload);
        }
        let sent = traffic(k, longest + 1, &pairs);
        let refused = route(cube(k), &sent, &mut ()).unwrap_err();
        let (bits, most) = (MOST_BITS + 1, MOST_BITS);
        assert_eq!(refused, Violation::FrameTooLong { bits, most });
    }
    let refused = pack(cube(3), &traffic(3, 61, &[])).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "a frame of 64 bits, 63 at most go into a word: take fewer dimensions or payload bits"
    );
}

#[test]
fn messages_that_a_packing_cannot_part_meet() {
    // No semi-contraction: after both have crossed dimension 0 they are at node 0.
    let met = pack(cube(2), &traffic(2, 3, &[(0, 2), (1, 0)])).unwrap_err();
    assert_eq!(
        met,
        Violation::TwoStored {
            iteration: 0,
            packing: "packing",
            stage: 1,
            node: 0
        }
    );
}

#[test]
fn messages_for_one_node_find_no_empty_one_to_wait_at() {
    let all_to_one = traffic(2, 3, &[(0, 0), (1, 0), (2, 0), (3, 0)]);
    assert_eq!(
        route(cube(2), &all_to_one, &mut ()),
        Err(Violation::NoRendezvous {
            iteration: 0,
            node: 0
        })
    );
}

#[test]
fn a_frame_of_another_length_is_noticed() {
    let mut frames = [Frame::NONE, Frame::new(0, 4)];
    let step = Step {
        iteration: 2,
        number: 3,
    };
    let packed = packing::pack(&mut frames, 5, 0..1, (step, &mut Tally::new(1), &mut ()));
    assert_eq!(
        packed.unwrap_err().to_string(),
        "iteration 2, step 3: the frame at node 1 has 4 bits left, not 5"
    );
}
