//! The scoreboard: what arrived where, rebuilt from register bits, against what was sent.

use std::collections::HashMap;
use std::convert::Infallible;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rtl_model::fabric::Fabric;
use rtl_model::host::{self, Field, NODES_AT_ONCE};
use rtl_model::lanes::Lanes;
use rtl_model::router::MessageRouter;
use rtl_model::topology::Topology;
use rtl_model::traffic::{ByDestination, Nodes, Payloads, Traffic};

/// What the nodes of one cube hold at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrivals {
    holds: BitVec<u64>,
    payloads: Payloads,
}

impl Arrivals {
    /// Reads the nodes of cube number `cube`.
    pub fn read<R: MessageRouter, B: Lanes>(fabric: &Fabric<R, B>, cube: usize) -> Self {
        match fabric.machines() {
            1 => Self::read_all(fabric, |_| Ok::<(), Infallible>(()))
                .unwrap_or_else(|never| match never {}),
            _ => Self::read_node_by_node(fabric, cube),
        }
    }

    fn none(router: &impl MessageRouter) -> Self {
        let nodes = router.dimensions().nodes();
        Arrivals {
            holds: BitVec::repeat(false, nodes),
            payloads: Payloads::zeros(router.payload_bits(), nodes),
        }
    }

    fn read_node_by_node<R: MessageRouter, B: Lanes>(fabric: &Fabric<R, B>, cube: usize) -> Self {
        let router = fabric.router();
        let mut arrivals = Self::none(router);
        let nodes = router.dimensions().nodes();
        for node in 0..nodes {
            let (group, place) = fabric.node(cube * nodes + node);
            let holds = router.unload(group, place, arrivals.payloads.at_mut(node));
            arrivals.holds.set(node, holds);
        }
        arrivals
    }

    /// Reads the nodes of the only cube, group by group; `passed` is told how many groups have been read.
    ///
    /// # Errors
    /// Whatever `passed` returns.
    pub(crate) fn read_all<R: MessageRouter, B: Lanes, E>(
        fabric: &Fabric<R, B>,
        mut passed: impl FnMut(usize) -> Result<(), E>,
    ) -> Result<Self, E> {
        let router = fabric.router();
        let mut arrivals = Self::none(router);
        let nodes = router.dimensions().nodes();
        fabric.read_groups(|group, lanes| {
            passed(group)?;
            for word in 0..B::WORDS {
                let seated = seated::<_, B>(fabric.topology(), group, word);
                let here = || seated.iter().enumerate().filter(|(_, node)| **node < nodes);
                host::read_nodes(router, lanes, word, |field, from, values| match field {
                    Field::Payload => {
                        here().for_each(|(place, &node)| {
                            arrivals.payloads.set_chunk(node, from, values[place]);
                        });
                    }
                    _ => here().for_each(|(place, &node)| {
                        arrivals.holds.set(node, values[place] == 1);
                    }),
                });
            }
            Ok(())
        })?;
        Ok(arrivals)
    }

    /// The payload that `node` holds, if it holds a message.
    pub fn at(&self, node: usize) -> Option<&BitSlice<u64>> {
        self.holds[node].then(|| self.payloads.at(node))
    }

    /// The nodes that hold a message, in ascending order.
    pub fn nodes(&self) -> impl Iterator<Item = usize> + '_ {
        self.holds.iter_ones()
    }

    /// Whether `node` holds the message at `index` of `traffic`, whole.
    fn is_there(&self, node: usize, traffic: &Traffic, index: usize) -> bool {
        self.holds[node] && self.payloads.is_like(node, traffic.payloads(), index)
    }

    /// Bytes that this takes of so many nodes.
    pub(crate) fn bytes(nodes: impl Into<Nodes>, payload_bits: usize) -> u64 {
        let nodes = nodes.into().count();
        8 * nodes.div_ceil(64) as u64 + Payloads::bytes(payload_bits, nodes)
    }
}

/// The nodes at the places `64 * word ..` of a group; beyond those of all machines where there is none.
pub(crate) fn seated<T: Topology, B: Lanes>(
    topology: &T,
    group: usize,
    word: usize,
) -> [usize; NODES_AT_ONCE] {
    std::array::from_fn(|place| match place < B::NODES {
        true => topology.node_at::<B>(group, NODES_AT_ONCE * word + place),
        false => usize::MAX,
    })
}

/// Puts the messages of `traffic` into the nodes of cube number `cube`.
pub fn load<R: MessageRouter + Copy, B: Lanes>(
    fabric: &mut Fabric<R, B>,
    cube: usize,
    traffic: &Traffic,
) {
    if fabric.machines() == 1 {
        return load_all(fabric, traffic, |_| Ok::<(), Infallible>(()))
            .unwrap_or_else(|never| match never {});
    }
    let router = *fabric.router();
    let first = cube * router.dimensions().nodes();
    for (index, message) in traffic.messages().iter().enumerate() {
        let (group, place) = fabric.node_mut(first + message.source);
        router.load(group, place, message.destination, traffic.payload(index));
    }
}

/// Puts the messages into the nodes of the only cube, group by group; `passed` is told how many groups have theirs.
///
/// # Errors
/// Whatever `passed` returns.
pub(crate) fn load_all<R: MessageRouter + Copy, B: Lanes, E>(
    fabric: &mut Fabric<R, B>,
    traffic: &Traffic,
    mut passed: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let router = *fabric.router();
    let cube = router.dimensions();
    fabric.load_groups(|group, lanes| {
        passed(group)?;
        for word in 0..B::WORDS {
            let indices = seated::<_, B>(&cube, group, word).map(|node| traffic.index_from(node));
            let places = indices.iter().enumerate();
            let places = places.fold(0, |places, (place, index)| {
                places | u64::from(index.is_some()) << place
            });
            host::write_nodes(&router, lanes, (word, places), |field, from, place| {
                let index = indices[place].unwrap_or_default();
                match field {
                    Field::Destination => traffic.destination(index) as u64 >> from,
                    Field::Payload => traffic.payloads().chunk(index, from),
                    _ => 1,
                }
            });
        }
        Ok(())
    })
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
        Self::of(traffic, arrivals, |_| Ok::<(), Infallible>(()))
            .unwrap_or_else(|never| match never {})
    }

    /// The same; `passed` is told how many messages have been looked for.
    ///
    /// # Errors
    /// Whatever `passed` returns.
    pub(crate) fn of<E>(
        traffic: &Traffic,
        arrivals: &Arrivals,
        mut passed: impl FnMut(usize) -> Result<(), E>,
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
        let held = arrivals.holds.count_ones();
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
            let fault = match (missing, arrivals.holds[node]) {
                (None, false) => continue,
                (None, true) if arrived.is_some() => continue,
                (Some(index), true) if arrived.is_none() => {
                    score.wrong += 1;
                    let source = source(index);
                    format!("node {node} holds a message that is not the one from node {source}")
                }
                (Some(index), _) => {
                    let source = source(index);
                    format!("the message from node {source} is not at node {node}")
                }
                (None, true) => {
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
    by_destination: ByDestination,
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

    /// The source of the message that is at `node` with this payload: one that was for this node
    /// if the payload is its, otherwise whichever was sent with this payload.
    pub fn source(&mut self, node: usize, payload: &BitSlice<u64>) -> Option<usize> {
        let traffic = self.traffic;
        let source = |index: usize| traffic.sources().at(index).unwrap_or_default();
        let for_node = self.by_destination.at(node).iter();
        let mut for_node = for_node.map(|&index| index as usize);
        if let Some(index) = for_node.find(|&index| traffic.payload(index) == payload) {
            return Some(source(index));
        }
        let by_payload = self.by_payload.get_or_insert_with(|| {
            let sources = traffic.sources().iter().enumerate();
            sources
                .map(|(index, source)| (traffic.payload(index).to_bitvec(), source))
                .collect()
        });
        by_payload.get(payload).copied()
    }
}

#[cfg(test)]
mod tests {
    use rtl_model::kuszmaul::plain::PlainRouter;
    use rtl_model::lanes::Words;
    use rtl_model::router::Machine;
    use rtl_model::topology::hypercube::Dimensions;
    use rtl_model::traffic::Message;
    use rtl_model::traffic::pattern::Pattern;

    use super::*;

    fn traffic() -> Traffic {
        let messages = [(0, 3), (1, 0), (2, 2)].map(|(source, destination)| Message {
            source,
            destination,
        });
        Traffic::new(Dimensions::new(2).unwrap(), 4, messages.to_vec(), 1).unwrap()
    }

    fn arrivals(at: [Option<&BitSlice<u64>>; 4]) -> Arrivals {
        let mut payloads = Payloads::zeros(4, 4);
        for (node, payload) in at.iter().enumerate() {
            if let Some(payload) = payload {
                payloads.at_mut(node).copy_from_bitslice(payload);
            }
        }
        Arrivals {
            holds: at.iter().map(Option::is_some).collect(),
            payloads,
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

    /// Group by group and node by node come to the same, in lanes of every width.
    fn what_is_loaded_is_read<B: Lanes>(k: usize, payload_bits: usize) {
        let cube = Dimensions::new(k).unwrap();
        let router = PlainRouter::new(cube, payload_bits).unwrap();
        let sent = Traffic::drawn(cube, payload_bits, Pattern::Randperm, 0.6, 4).unwrap();
        let mut by_group = Fabric::<_, B>::new(router, 1).unwrap();
        load(&mut by_group, 0, &sent);
        // Side by side with another, whose nodes come first.
        let mut by_node = Fabric::<_, B>::new(router, 2).unwrap();
        load(&mut by_node, 1, &sent);
        for fabric in [&by_group, &by_node] {
            let cube = fabric.machines() - 1;
            for node in 0..1 << k {
                let (group, place) = fabric.node(cube << k | node);
                let mut read = Vec::new();
                let mut group = group.clone();
                fabric
                    .router()
                    .host_writes(&mut group, &mut |field, bit, register| {
                        read.push((field, bit, register.get(place)));
                    });
                let index = sent.index_from(node);
                for (field, bit, value) in read {
                    let expected = index.is_some_and(|index| match field {
                        Field::Destination => sent.destination(index) >> bit & 1 == 1,
                        Field::Payload => sent.payload(index)[bit],
                        _ => true,
                    });
                    assert_eq!(value, expected, "{field:?} {bit} of node {node}");
                }
            }
        }
        for fabric in [&mut by_group, &mut by_node] {
            while !fabric.is_done() {
                fabric.tick().unwrap();
            }
        }
        let arrivals = Arrivals::read(&by_group, 0);
        assert_eq!(arrivals, Arrivals::read_node_by_node(&by_group, 0));
        assert_eq!(arrivals, Arrivals::read(&by_node, 1));
        assert_eq!(Score::new(&sent, &arrivals).first_fault, None);
        assert_eq!(
            Score::new(&sent, &Arrivals::read(&by_node, 0)).wrong,
            0,
            "nothing was loaded there"
        );
    }

    #[test]
    fn groups_are_loaded_and_read_as_nodes_are() {
        for payload_bits in [1, 8, 64, 70] {
            for k in [1, 3, 6, 8, 10] {
                what_is_loaded_is_read::<bool>(k, payload_bits);
                what_is_loaded_is_read::<u64>(k, payload_bits);
                what_is_loaded_is_read::<Words<2>>(k, payload_bits);
                what_is_loaded_is_read::<Words<8>>(k, payload_bits);
            }
        }
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
            let mut identification = Identification::new(&sent);
            assert_eq!(identification.source(3, sent.payload(there)), Some(there));
        }
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
