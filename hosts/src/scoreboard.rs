//! The scoreboard: what arrived where, rebuilt from register bits, against what was sent.

use std::collections::HashMap;
use std::convert::Infallible;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rtl_model::error::Error;
use rtl_model::machine::arrivals::Arrivals;
use rtl_model::traffic::{ByDestination, Traffic};

/// The comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// Messages sent.
    pub messages: usize,
    /// Messages that are at their destination, whole.
    pub delivered: usize,
    /// Nodes that hold a message that is not for them, or not as it was sent.
    pub wrong: usize,
    /// The first thing that is not as it should be.
    pub first_fault: Option<String>,
}

impl Score {
    /// Compares what arrived with what was sent.
    pub fn new(traffic: &Traffic, arrivals: &Arrivals) -> Self {
        let mut passed = |_| Ok::<(), Infallible>(());
        Self::counted(traffic, arrivals, &mut passed).unwrap_or_else(|never| match never {})
    }

    /// The same; `passed` is told how many messages have been looked for.
    ///
    /// # Errors
    /// Whatever `passed` returns.
    pub fn of(
        traffic: &Traffic,
        arrivals: &Arrivals,
        passed: &mut dyn FnMut(usize) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        Self::counted(traffic, arrivals, passed)
    }

    fn counted<E>(
        traffic: &Traffic,
        arrivals: &Arrivals,
        passed: &mut dyn FnMut(usize) -> Result<(), E>,
    ) -> Result<Self, E> {
        let messages = traffic.messages().len();
        let mut whole = 0;
        for index in 0..messages {
            if index % 4096 == 0 {
                passed(index)?;
            }
            whole += usize::from(arrivals.is_there(traffic.destination(index), traffic, index));
        }
        // If messages are for different nodes and no more nodes hold any, no node holds another one. Otherwise nodes are
        // looked at one by one.
        let held = arrivals.count();
        if traffic.is_one_to_each() && whole == messages && held == messages {
            return Ok(Score {
                messages,
                delivered: messages,
                wrong: 0,
                first_fault: None,
            });
        }
        Ok(Self::node_by_node(traffic, arrivals))
    }

    fn node_by_node(traffic: &Traffic, arrivals: &Arrivals) -> Self {
        let messages = traffic.messages();
        let mut score = Score {
            messages: messages.len(),
            delivered: 0,
            wrong: 0,
            first_fault: None,
        };
        let by_destination = traffic.by_destination();
        let source = |index| traffic.sources().at(index).unwrap_or_default();
        for node in 0..traffic.nodes().count() {
            let mut expected = by_destination.at(node).iter().map(|&index| index as usize);
            // A node of these routers holds one message: of several that were for it, the others are lost.
            let is_held = |index: &usize| arrivals.is_there(node, traffic, *index);
            let arrived = expected.clone().find(is_held);
            score.delivered += usize::from(arrived.is_some());
            let missing = expected.find(|index| arrived != Some(*index));
            // Of several that were for it, the one that is there is none that is wrong.
            let holds_another = arrivals.holds(node) && arrived.is_none();
            if missing.is_none() && !holds_another {
                continue;
            }
            score.wrong += usize::from(holds_another);
            let fault = || fault_at((node, holds_another, missing.map(source)));
            score.first_fault.get_or_insert_with(fault);
        }
        score
    }
}

/// What is wrong at a node: whether it holds a message that it should not hold, and whose message is for it and not there.
pub fn fault_at((node, holds_another, missing): (usize, bool, Option<usize>)) -> String {
    match missing {
        Some(source) if holds_another => {
            format!("node {node} holds a message that is not the one from node {source}")
        }
        Some(source) => format!("the message from node {source} is not at node {node}"),
        None => format!("node {node} holds a message and none is for it"),
    }
}

/// Tells from a payload whose message it is. Messages for one node may be alike: each of them is named once before any is named
/// again.
pub struct Identification<'a> {
    sent: &'a [Traffic],
    by_destination: Vec<ByDestination>,
    /// The node that was asked for last, and which of its messages were named.
    named: (usize, Vec<(usize, usize)>),
    /// Built when the first message is not where it should be.
    by_payload: Option<HashMap<BitVec<u64>, usize>>,
}

impl<'a> Identification<'a> {
    /// Of the messages of `sent`, which may be in several parts. All that is at a node is asked for before another node.
    pub fn new(sent: &'a [Traffic]) -> Self {
        Identification {
            sent,
            by_destination: sent.iter().map(Traffic::by_destination).collect(),
            named: (0, Vec::new()),
            by_payload: None,
        }
    }

    /// The source of the message that is at `node` with this payload: one that was for this node
    /// if the payload is its, otherwise whichever was sent with this payload.
    pub fn source(&mut self, node: usize, payload: &BitSlice<u64>) -> Option<usize> {
        let sent = self.sent;
        let (of_node, named) = &mut self.named;
        if *of_node != node {
            *of_node = node;
            named.clear();
        }
        let parts = self.by_destination.iter().enumerate();
        let for_node = parts.flat_map(|(part, by_destination)| {
            let indices = by_destination.at(node).iter();
            indices.map(move |&index| (part, index as usize))
        });
        let mut alike = for_node.filter(|&(part, index)| sent[part].payload(index) == payload);
        let first = alike.next();
        let next = first
            .into_iter()
            .chain(alike)
            .find(|one| !named.contains(one));
        named.extend(next);
        if let Some((part, index)) = next.or(first) {
            return sent[part].sources().at(index);
        }
        let by_payload = self.by_payload.get_or_insert_with(|| {
            let of = |traffic: &'a Traffic| {
                let sources = traffic.sources().iter().enumerate();
                sources.map(|(index, source)| (traffic.payload(index).to_bitvec(), source))
            };
            sent.iter().flat_map(of).collect()
        });
        by_payload.get(payload).copied()
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::machine::topology::hypercube::Dimensions;
    use rtl_model::traffic::Message;

    use super::*;

    fn traffic() -> Traffic {
        let messages = [(0, 3), (1, 0), (2, 2)].map(|(source, destination)| Message {
            source,
            destination,
        });
        Traffic::new(Dimensions::new(2).unwrap(), 4, messages.to_vec(), 1).unwrap()
    }

    fn arrivals(at: [Option<&BitSlice<u64>>; 4]) -> Arrivals {
        let mut arrivals = Arrivals::none(4, 4);
        for (node, payload) in at.iter().enumerate() {
            if let Some(payload) = payload {
                arrivals.set(node, payload);
            }
        }
        arrivals
    }

    #[test]
    fn what_is_right_is_counted_and_what_is_not_is_named() {
        let sent = traffic();
        let payload = |index| Some(sent.payload(index));
        let score = |at| Score::new(&sent, &arrivals(at));

        let right = score([payload(1), None, payload(2), payload(0)]);
        assert_eq!(
            (right.delivered, right.wrong, right.first_fault),
            (3, 0, None)
        );

        let fault = |at| score(at).first_fault.unwrap();
        assert_eq!(
            fault([payload(1), None, payload(2), None]),
            "the message from node 0 is not at node 3"
        );
        assert_eq!(
            fault([payload(0), None, payload(2), payload(1)]),
            "node 0 holds a message that is not the one from node 1"
        );
        assert_eq!(
            fault([payload(1), payload(1), payload(2), payload(0)]),
            "node 1 holds a message and none is for it"
        );
    }

    /// Two messages for one node, both as they were sent: another node that holds one makes up the number.
    #[test]
    fn as_many_messages_as_were_sent_need_not_be_those() {
        let messages = [(0, 3), (1, 3)].map(|(source, destination)| Message {
            source,
            destination,
        });
        let cube = Dimensions::new(2).unwrap();
        let mut sent = Traffic::many_to_one(cube, 4, messages.to_vec(), 1).unwrap();
        let payload = sent.payload(0).to_bitvec();
        sent.payload_mut(1).copy_from_bitslice(&payload);
        let there = arrivals([None, Some(&payload), None, Some(&payload)]);
        let score = Score::new(&sent, &there);
        assert_eq!((score.messages, score.delivered, score.wrong), (2, 1, 1));
    }

    #[test]
    fn of_several_messages_for_a_node_one_can_be_there() {
        let messages = [(0, 3), (1, 3)].map(|(source, destination)| Message {
            source,
            destination,
        });
        let cube = Dimensions::new(2).unwrap();
        let sent = Traffic::many_to_one(cube, 4, messages.to_vec(), 1).unwrap();
        for (there, lost) in [(0, 1), (1, 0)] {
            let arrivals = arrivals([None, None, None, Some(sent.payload(there))]);
            let score = Score::new(&sent, &arrivals);
            assert_eq!((score.messages, score.delivered, score.wrong), (2, 1, 0));
            assert_eq!(
                score.first_fault,
                Some(format!("the message from node {lost} is not at node 3"))
            );
            let mut identification = Identification::new(std::slice::from_ref(&sent));
            assert_eq!(identification.source(3, sent.payload(there)), Some(there));
        }
    }

    #[test]
    fn a_message_is_identified_wherever_it_is() {
        let sent = traffic();
        let mut identification = Identification::new(std::slice::from_ref(&sent));
        assert_eq!(identification.source(3, sent.payload(0)), Some(0));
        assert_eq!(identification.source(1, sent.payload(2)), Some(2));
        let unknown = (0..16u64)
            .map(|value| BitVec::<u64>::from_element(value)[..4].to_bitvec())
            .find(|payload| (0..3).all(|index| sent.payload(index) != payload))
            .unwrap();
        assert_eq!(identification.source(0, &unknown), None);
    }

    /// A node may receive the same from several: each of them is named once.
    #[test]
    fn messages_for_a_node_that_are_alike_are_each_named_once() {
        let messages = [(0, 3), (1, 3), (2, 3)].map(|(source, destination)| Message {
            source,
            destination,
        });
        let cube = Dimensions::new(2).unwrap();
        let mut sent = Traffic::many_to_one(cube, 4, messages.to_vec(), 1).unwrap();
        let payload = sent.payload(0).to_bitvec();
        sent.payload_mut(2).copy_from_bitslice(&payload);
        let other = sent.payload(1).to_bitvec();
        let sent = [sent.clone(), sent];
        let mut identification = Identification::new(&sent);
        let mut named = |node, payload: &BitSlice<u64>| identification.source(node, payload);
        // Six for node 3, in two parts; a seventh is there twice, and is that of the first.
        let of_alike = std::array::from_fn(|_| named(3, &payload));
        assert_eq!(of_alike, [0, 2, 0, 2, 0].map(Some));
        let of_other = std::array::from_fn(|_| named(3, &other));
        assert_eq!(of_other, [1, 1, 1].map(Some));
        // Elsewhere they are strangers, and a node that is asked for again begins anew.
        assert!(named(1, &other) == Some(1) && named(3, &payload) == Some(0));
    }
}
