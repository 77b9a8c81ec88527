//! The sorts, followed by the bits on the wires alone.

use std::collections::BTreeMap;

use rtl_model::traffic::Traffic;

use super::{Follower, Message};

impl Follower<'_> {
    /// A bitonic sort: every record goes over the wire before each comparison, valid bit first, so what a node
    /// holds is what it sends. Messages are their destinations from the most significant bit, then payloads.
    pub(super) fn bitonic_sort(&self, traffic: &Traffic) -> BTreeMap<usize, Message> {
        let (k, length) = (self.k, self.k + self.payload_bits);
        let mut held = self.loaded_msb_first(traffic);
        for phase in 1..=k {
            for dimension in (0..phase).rev() {
                let begins = (phase - 1) * length + (phase - 1 - dimension);
                for node in 0..1usize << k {
                    if self.wires.tx[node][dimension][begins] {
                        let sent = self.wires.sent(node, dimension, begins + 1, length);
                        let message = held.get(&node);
                        assert!(message.is_some(), "node {node} sends without a message");
                        assert_eq!(message, Some(&sent), "node {node} sends another message");
                    } else {
                        assert!(!held.contains_key(&node), "node {node} hides its message");
                    }
                }
                for low in (0..1usize << k).filter(|node| node >> dimension & 1 == 0) {
                    let high = low | 1 << dimension;
                    let mut pair: Vec<Message> = [low, high]
                        .into_iter()
                        .filter_map(|node| held.remove(&node))
                        .collect();
                    pair.sort_unstable();
                    let descends = phase < k && low >> phase & 1 == 1;
                    let nodes = if descends { [high, low] } else { [low, high] };
                    held.extend(nodes.into_iter().zip(pair));
                }
            }
        }
        held
    }

    /// What the sorts begin with.
    fn loaded_msb_first(&self, traffic: &Traffic) -> BTreeMap<usize, Message> {
        let messages = traffic.messages().iter().enumerate();
        messages
            .map(|(index, message)| {
                let address = (0..self.k)
                    .rev()
                    .map(|bit| message.destination >> bit & 1 == 1);
                let payload = traffic.payload(index).iter().by_vals();
                (message.source, address.chain(payload).collect())
            })
            .collect()
    }

    /// A radix sort: packings of whole messages; and the bit time after its last.
    pub(super) fn radix_sort(
        &self,
        traffic: &Traffic,
        passes: usize,
    ) -> (BTreeMap<usize, Message>, usize) {
        let (k, length) = (self.k, self.k + self.payload_bits);
        let mut held = self.loaded_msb_first(traffic);
        let begins = |pass: usize| pass * (2 * k + length).max((4 * k).saturating_sub(2));
        for start in (0..passes).map(begins) {
            for dimension in 0..k {
                let body = start + 2 * k + dimension;
                held = self.pass(
                    held,
                    dimension,
                    start + k + 2 * dimension,
                    |node, message| {
                        let sent = self.wires.sent(node, dimension, body, length);
                        assert_eq!(sent, message, "node {node} sends another message");
                        sent
                    },
                );
            }
        }
        (held, begins(passes - 1) + 3 * k - 1 + length)
    }

    /// The packing run backwards behind a sort: which node sends is told by its wire.
    pub(super) fn unpack(
        &self,
        mut held: BTreeMap<usize, Message>,
        start: usize,
    ) -> BTreeMap<usize, Message> {
        for (stage, dimension) in (0..self.k).rev().enumerate() {
            let decides = start + 2 * stage;
            for message in held.values_mut() {
                message.remove(0);
            }
            held = self.pass(held, dimension, decides, |node, message| {
                let sent = self.wires.sent(node, dimension, decides + 1, message.len());
                assert_eq!(sent, message, "node {node} sends another message");
                sent
            });
        }
        held
    }
}
