//! The comparison of what nodes hold in their slots with what was sent.

use std::collections::HashMap;

use bitvec::slice::BitSlice;
use hosts::scoreboard::Score;
use rtl_model::machine::slots::SlotArrivals;
use rtl_model::traffic::Traffic;

/// Nothing as yet, of so many messages.
fn none_of(sent: &[Traffic]) -> Score {
    Score {
        messages: sent.iter().map(|traffic| traffic.messages().len()).sum(),
        delivered: 0,
        wrong: 0,
        first_fault: None,
    }
}

/// Batch by batch: what arrived in a slot has to be what was sent in it.
pub fn by_slot(sent: &[Traffic], arrived: &SlotArrivals) -> Score {
    let mut all = none_of(sent);
    for (slot, traffic) in sent.iter().enumerate() {
        let score = Score::new(traffic, arrived.in_slot(slot));
        all.delivered += score.delivered;
        all.wrong += score.wrong;
        let fault = score.first_fault;
        let fault = fault.map(|fault| format!("batch {slot}: {fault}"));
        all.first_fault = all.first_fault.or(fault);
    }
    all
}

/// In whatever order: a node has to hold the payloads of the messages that are for it, each as often as it was sent, and no other.
pub fn in_any_order(sent: &[Traffic], arrived: &SlotArrivals) -> Score {
    let mut score = none_of(sent);
    let for_node: Vec<_> = sent.iter().map(Traffic::by_destination).collect();
    let nodes = sent.first().map_or(0, |traffic| traffic.nodes().count());
    for node in 0..nodes {
        let mut held: HashMap<&BitSlice<u64>, usize> = HashMap::new();
        for slot in 0..sent.len() {
            if let Some(payload) = arrived.at(node, slot) {
                *held.entry(payload).or_default() += 1;
            }
        }
        for (traffic, for_node) in sent.iter().zip(&for_node) {
            for &index in for_node.at(node) {
                let index = index as usize;
                match held.get_mut(traffic.payload(index)) {
                    Some(count @ 1..) => {
                        *count -= 1;
                        score.delivered += 1;
                    }
                    _ => {
                        let source = traffic.sources().at(index).unwrap_or_default();
                        score.first_fault.get_or_insert_with(|| {
                            format!("a message from node {source} is not at node {node}")
                        });
                    }
                }
            }
        }
        let strangers: usize = held.values().sum();
        if strangers > 0 {
            score.wrong += 1;
            score.first_fault.get_or_insert_with(|| {
                format!("node {node} holds a message that is not one of those for it")
            });
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::traffic::Message;

    fn traffic(pairs: &[(usize, usize)], seed: u64) -> Traffic {
        let messages = pairs.iter().map(|&(source, destination)| Message {
            source,
            destination,
        });
        let cube = Dimensions::new(2).unwrap();
        Traffic::many_to_one(cube, 8, messages.collect(), seed).unwrap()
    }

    /// Two slots; node 3 receives two messages.
    fn sent() -> Vec<Traffic> {
        vec![traffic(&[(0, 3), (1, 0)], 1), traffic(&[(0, 1), (2, 3)], 2)]
    }

    fn arrived(at: &[(usize, usize, &BitSlice<u64>)]) -> SlotArrivals {
        let mut arrived = SlotArrivals::none(4, 2, 8);
        for &(node, slot, payload) in at {
            arrived.set(node, slot, payload);
        }
        arrived
    }

    #[test]
    fn a_batch_has_to_arrive_in_its_slot() {
        let sent = sent();
        let (a, b) = (
            |index| sent[0].payload(index),
            |index| sent[1].payload(index),
        );
        let right = arrived(&[(3, 0, a(0)), (0, 0, a(1)), (1, 1, b(0)), (3, 1, b(1))]);
        let score = by_slot(&sent, &right);
        assert_eq!((score.messages, score.delivered, score.wrong), (4, 4, 0));
        assert_eq!(score.first_fault, None);
        // The two messages for node 3 the other way round.
        let turned = arrived(&[(3, 1, a(0)), (0, 0, a(1)), (1, 1, b(0)), (3, 0, b(1))]);
        let score = by_slot(&sent, &turned);
        assert_eq!((score.delivered, score.wrong), (2, 2));
        assert_eq!(
            score.first_fault.unwrap(),
            "batch 0: node 3 holds a message that is not the one from node 0"
        );
        let score = in_any_order(&sent, &turned);
        assert_eq!(
            (score.delivered, score.wrong, score.first_fault),
            (4, 0, None)
        );
    }

    #[test]
    fn what_is_lost_doubled_or_strange_is_found_in_any_order() {
        let sent = sent();
        let (a, b) = (
            |index| sent[0].payload(index),
            |index| sent[1].payload(index),
        );
        let score = |at: &[(usize, usize, &BitSlice<u64>)]| in_any_order(&sent, &arrived(at));
        let lost = score(&[(3, 0, a(0)), (0, 0, a(1)), (1, 1, b(0))]);
        assert_eq!((lost.delivered, lost.wrong), (3, 0));
        assert_eq!(
            lost.first_fault.unwrap(),
            "a message from node 2 is not at node 3"
        );
        let doubled = score(&[(3, 0, a(0)), (3, 1, a(0)), (0, 0, a(1)), (1, 1, b(0))]);
        assert_eq!((doubled.delivered, doubled.wrong), (3, 1));
        let strange = score(&[
            (3, 0, a(0)),
            (3, 1, b(1)),
            (0, 0, a(1)),
            (1, 1, b(0)),
            (2, 0, a(0)),
        ]);
        assert_eq!((strange.delivered, strange.wrong), (4, 1));
        assert_eq!(
            strange.first_fault.unwrap(),
            "node 2 holds a message that is not one of those for it"
        );
    }
}
