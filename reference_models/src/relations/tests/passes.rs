//! What a single pass objects to, of messages that no relation has.

use super::super::pass::Pass;
use super::{Variant, Violation};

/// A pass of iteration 1 in a cube of eight nodes: messages by node and destination, none of which cross.
fn numbered(messages: &[(usize, usize)], fixed: usize) -> Pass {
    let named = messages.iter().enumerate();
    let named = named.map(|(message, &(node, destination))| (node, message, destination));
    let mut pass = Pass::cross((1, 2), 3, named);
    pass.number(fixed, Variant::CORRECT, &mut vec![0; 1 << fixed])
        .unwrap();
    pass
}

#[test]
fn a_node_has_two_tracks() {
    assert_eq!(numbered(&[(4, 0), (4, 0)], 1).pack(&[1, 2]), Ok(2));
    assert_eq!(
        numbered(&[(4, 0), (4, 0), (4, 0)], 1).pack(&[1, 2]),
        Err(Violation::TooManyStored {
            iteration: 1,
            pass: 2,
            stage: 0,
            node: 4,
            messages: 3,
        })
    );
}

/// Numbers 0 and 1 at node 2 are for members 0 and 2, so that neither crosses dimension 2 at first.
#[test]
fn numbers_have_to_be_consumed_from_the_lowest_bit_on() {
    assert_eq!(numbered(&[(2, 2), (2, 2)], 1).pack(&[1, 2]), Ok(2));
    assert_eq!(
        numbered(&[(2, 2), (2, 2)], 1).pack(&[2, 1]),
        Err(Violation::NumbersApart {
            iteration: 1,
            pass: 2,
            stage: 1,
            node: 2,
            numbers: [0, 1],
        })
    );
    assert_eq!(
        numbered(&[(4, 0), (4, 0)], 1).pack(&[2, 1]),
        Err(Violation::TwoCross {
            iteration: 1,
            pass: 2,
            stage: 1,
            node: 4,
        })
    );
}

#[test]
fn a_dimension_that_is_left_out_is_missed() {
    assert_eq!(numbered(&[(4, 0)], 1).pack(&[2]), Ok(1));
    assert_eq!(
        numbered(&[(4, 0)], 1).pack(&[1]),
        Err(Violation::NotAtTarget {
            iteration: 1,
            pass: 2,
            target: 0,
            node: 4,
        })
    );
}

/// What stayed in the last stage is first, whatever its number is.
#[test]
fn what_crossed_last_is_delivered_last() {
    // Messages 0, 1 and 2, 3 at nodes 0 and 4, numbers in this order: 1 and 2 cross.
    let mut pass = numbered(&[(0, 0), (0, 0), (4, 0), (4, 0)], 2);
    assert_eq!(pass.pack(&[2]), Ok(2));
    let mut delivered: Vec<_> = pass.delivered().collect();
    delivered.sort_by_key(|(node, _)| *node);
    assert_eq!(delivered, [(0, 0), (0, 2), (4, 3), (4, 1)]);
}
