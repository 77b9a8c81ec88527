//! The scoreboard: what arrived where, rebuilt from register bits, against what was sent.

use std::collections::HashMap;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rtl_model::fabric::Fabric;
use rtl_model::lanes::Lanes;
use rtl_model::router::MessageRouter;
use rtl_model::traffic::Traffic;

/// What the nodes of one cube hold at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrivals {
    payload_bits: usize,
    holds: BitVec<u64>,
    payloads: BitVec<u64>,
}

impl Arrivals {
    /// Reads the nodes of cube number `cube`.
    pub fn read<R: MessageRouter, B: Lanes>(fabric: &Fabric<R, B>, cube: usize) -> Self {
        let router = fabric.router();
        let (nodes, payload_bits) = (router.dimensions().nodes(), router.payload_bits());
        let mut arrivals = Arrivals {
            payload_bits,
            holds: BitVec::repeat(false, nodes),
            payloads: BitVec::repeat(false, nodes * payload_bits),
        };
        for node in 0..nodes {
            let (group, place) = fabric.node(cube * nodes + node);
            let payload = &mut arrivals.payloads[node * payload_bits..][..payload_bits];
            let holds = router.unload(group, place, payload);
            arrivals.holds.set(node, holds);
        }
        arrivals
    }

    /// The payload that `node` holds, if it holds a message.
    pub fn at(&self, node: usize) -> Option<&BitSlice<u64>> {
        self.holds[node].then(|| &self.payloads[node * self.payload_bits..][..self.payload_bits])
    }

    /// The nodes that hold a message, in ascending order.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.holds.iter_ones()
    }
}

/// Puts the messages of `traffic` into the nodes of cube number `cube`.
pub fn load<R: MessageRouter + Copy, B: Lanes>(
    fabric: &mut Fabric<R, B>,
    cube: usize,
    traffic: &Traffic,
) {
    let router = *fabric.router();
    let first = cube * router.dimensions().nodes();
    for (index, message) in traffic.messages().iter().enumerate() {
        let (group, place) = fabric.node_mut(first + message.source);
        router.load(group, place, message.destination, traffic.payload(index));
    }
}

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
        let mut score = Score {
            messages: traffic.messages().len(),
            delivered: 0,
            wrong: 0,
            first_fault: None,
        };
        for (node, expected) in traffic.by_destination().into_iter().enumerate() {
            let expected = expected.map(|index| index as usize);
            let fault = match (expected, arrivals.at(node)) {
                (None, None) => continue,
                (Some(index), Some(payload)) if traffic.payload(index) == payload => {
                    score.delivered += 1;
                    continue;
                }
                (Some(index), Some(_)) => {
                    score.wrong += 1;
                    let source = traffic.messages()[index].source;
                    format!("node {node} holds a message that is not the one from node {source}")
                }
                (Some(index), None) => {
                    let source = traffic.messages()[index].source;
                    format!("the message from node {source} is not at node {node}")
                }
                (None, Some(_)) => {
                    score.wrong += 1;
                    format!("node {node} holds a message and none is for it")
                }
            };
            score.first_fault.get_or_insert(fault);
        }
        score
    }
}

/// Tells from a payload whose message it is.
pub struct Identification<'a> {
    traffic: &'a Traffic,
    by_destination: Vec<Option<u32>>,
    /// Built when the first message is not where it should be.
    by_payload: Option<HashMap<BitVec<u64>, usize>>,
}

impl<'a> Identification<'a> {
    /// Of the messages of `traffic`.
    pub fn new(traffic: &'a Traffic) -> Self {
        Identification {
            traffic,
            by_destination: traffic.by_destination(),
            by_payload: None,
        }
    }

    /// The source of the message that is at `node` with this payload: the one that was for this node
    /// if the payload is its, otherwise whichever was sent with this payload.
    pub fn source(&mut self, node: usize, payload: &BitSlice<u64>) -> Option<usize> {
        let traffic = self.traffic;
        let source = |index: usize| traffic.messages()[index].source;
        if let Some(index) = self.by_destination[node]
            && traffic.payload(index as usize) == payload
        {
            return Some(source(index as usize));
        }
        let by_payload = self.by_payload.get_or_insert_with(|| {
            (0..traffic.messages().len())
                .map(|index| (traffic.payload(index).to_bitvec(), source(index)))
                .collect()
        });
        by_payload.get(payload).copied()
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::topology::hypercube::Dimensions;
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
        Arrivals {
            payload_bits: 4,
            holds: at.iter().map(Option::is_some).collect(),
            payloads: at
                .iter()
                .flat_map(|payload| {
                    payload.map_or(BitVec::repeat(false, 4), |payload| payload.to_bitvec())
                })
                .collect(),
        }
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

    #[test]
    fn a_message_is_identified_wherever_it_is() {
        let sent = traffic();
        let mut identification = Identification::new(&sent);
        assert_eq!(identification.source(3, sent.payload(0)), Some(0));
        assert_eq!(identification.source(1, sent.payload(2)), Some(2));
        let unknown = (0..16u64)
            .map(|value| BitVec::<u64>::from_element(value)[..4].to_bitvec())
            .find(|payload| (0..3).all(|index| sent.payload(index) != payload))
            .unwrap();
        assert_eq!(identification.source(0, &unknown), None);
    }
}
