//! Traffic: who sends what to whom.
//!
//! Patterns carry BookSim's names. BookSim defines `tornado` and `neighbor` digit by digit on a torus,
//! which on the two-node rings of a hypercube would make them `identity` and `bitcomp`; here a machine's
//! nodes count as one ring, whatever its network.

mod by_destination;
pub mod file;
pub mod injection;
pub mod latency;
mod nodes;
pub mod pattern;
mod row;

use std::collections::HashSet;

use bitvec::slice::BitSlice;
use bitvec::vec::BitVec;
use rand::seq::index;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::Error;
use crate::topology::hypercube::Dimensions;

pub use by_destination::ByDestination;
pub use nodes::{MAX_NODES, Nodes};

/// The longest payload that is accepted, in bits.
pub const MAX_PAYLOAD_BITS: usize = 1 << 16;

/// Checks a number of payload bits.
///
/// # Errors
/// [`Error::PayloadBits`] outside 1..=[`MAX_PAYLOAD_BITS`].
pub fn check_payload_bits(bits: usize) -> Result<usize, Error> {
    if (1..=MAX_PAYLOAD_BITS).contains(&bits) {
        Ok(bits)
    } else {
        Err(Error::PayloadBits {
            bits,
            limit: MAX_PAYLOAD_BITS,
        })
    }
}

/// One message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// The node that sends it.
    pub source: usize,
    /// The node that it is for.
    pub destination: usize,
}

/// Messages with payloads, in ascending order of source: at most one from each node. [`Traffic::new`] is for
/// routers of partial permutations and accepts at most one to each node; [`Traffic::many_to_one`] accepts any
/// number.
#[derive(Clone, Debug)]
pub struct Traffic {
    nodes: Nodes,
    messages: Vec<Message>,
    payload_bits: usize,
    payloads: BitVec<u64>,
    /// Payloads are as they were drawn, wide enough to be drawn distinct.
    labelled: bool,
}

impl Traffic {
    /// Traffic of the given messages, in any order, with random payloads from `seed`: distinct
    /// wherever `payload_bits` allows as many values as the machine has nodes.
    ///
    /// # Errors
    /// [`Error::NodeOutOfRange`], [`Error::TwoMessagesFrom`], [`Error::TwoMessagesTo`] if it is not a
    /// partial permutation of the machine's nodes.
    pub fn new(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        messages: Vec<Message>,
        seed: u64,
    ) -> Result<Self, Error> {
        let traffic = Self::many_to_one(nodes, payload_bits, messages, seed)?;
        check_one_to_each(traffic.nodes, &traffic.messages)?;
        Ok(traffic)
    }

    /// As [`Traffic::new`], but with any number of messages to one node.
    ///
    /// # Errors
    /// [`Error::NodeOutOfRange`], [`Error::TwoMessagesFrom`].
    pub fn many_to_one(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        mut messages: Vec<Message>,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        messages.sort_by_key(|message| message.source);
        check_one_from_each(nodes, &messages)?;
        let payloads = random_payloads(nodes, payload_bits, &messages, seed);
        Ok(Traffic {
            nodes,
            messages,
            payload_bits,
            payloads,
            labelled: payload_bits >= nodes.number_bits(),
        })
    }

    /// The nodes of the machine that it is for.
    pub fn nodes(&self) -> Nodes {
        self.nodes
    }

    /// The hypercube of as many nodes, if there is one.
    pub fn dimensions(&self) -> Option<Dimensions> {
        self.nodes.dimensions()
    }

    /// The messages, in ascending order of source.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Bits of each payload.
    pub fn payload_bits(&self) -> usize {
        self.payload_bits
    }

    /// The payload of the message at `index`, bit 0 the first to be sent.
    pub fn payload(&self, index: usize) -> &BitSlice<u64> {
        &self.payloads[index * self.payload_bits..][..self.payload_bits]
    }

    /// The payload of the message at `index`, for replacing it.
    pub fn payload_mut(&mut self, index: usize) -> &mut BitSlice<u64> {
        self.labelled = false;
        &mut self.payloads[index * self.payload_bits..][..self.payload_bits]
    }

    /// Whether no two payloads are alike: then a message can be told from every other.
    pub fn payloads_are_distinct(&self) -> bool {
        if self.labelled {
            return true;
        }
        if self.payload_bits < 32 && self.messages.len() > 1 << self.payload_bits {
            return false;
        }
        let mut seen = HashSet::with_capacity(self.messages.len());
        (0..self.messages.len()).all(|index| seen.insert(self.payload(index)))
    }

    /// Index of the message that `source` sends.
    pub fn index_from(&self, source: usize) -> Option<usize> {
        self.messages
            .binary_search_by_key(&source, |message| message.source)
            .ok()
    }

    /// For each node, the indices of the messages that are for it.
    pub fn by_destination(&self) -> ByDestination {
        ByDestination::new(self.nodes, &self.messages)
    }

    /// Checks that this is a semi-contraction: no two messages end farther apart, as integers, than
    /// they began (Kuszmaul 1990, Definition 3).
    ///
    /// # Errors
    /// [`Error::NotASemiContraction`], naming two messages.
    pub fn check_semi_contraction(&self) -> Result<(), Error> {
        // Distances add up along the line, so neighbours in order of source decide.
        for pair in self.messages.windows(2) {
            let [one, two] = pair else { continue };
            let destinations = one.destination.abs_diff(two.destination);
            if destinations > two.source - one.source {
                return Err(Error::NotASemiContraction {
                    one: (one.source, one.destination),
                    two: (two.source, two.destination),
                });
            }
        }
        Ok(())
    }

    /// Bytes that traffic of this size takes, per message: who, whom, payload.
    pub fn bytes_per_message(payload_bits: usize) -> u64 {
        (size_of::<Message>() + payload_bits.div_ceil(8)) as u64
    }
}

/// Messages are in ascending order of source.
fn check_one_from_each(nodes: Nodes, messages: &[Message]) -> Result<(), Error> {
    let nodes = nodes.count();
    let mut last = None;
    for message in messages {
        for node in [message.source, message.destination] {
            if node >= nodes {
                return Err(Error::NodeOutOfRange { node, nodes });
            }
        }
        if last == Some(message.source) {
            return Err(Error::TwoMessagesFrom {
                source_node: message.source,
            });
        }
        last = Some(message.source);
    }
    Ok(())
}

fn check_one_to_each(nodes: Nodes, messages: &[Message]) -> Result<(), Error> {
    let mut sender_to: Vec<Option<usize>> = vec![None; nodes.count()];
    for message in messages {
        if let Some(first) = sender_to[message.destination].replace(message.source) {
            return Err(Error::TwoMessagesTo {
                destination: message.destination,
                first,
                second: message.source,
            });
        }
    }
    Ok(())
}

/// Random bits; if there are enough of them, the low `k`, as many as a node number has, tell the sources
/// apart (multiplied by an odd number, and shifted, modulo 2^k), so that no two payloads are alike.
fn random_payloads(
    nodes: Nodes,
    payload_bits: usize,
    messages: &[Message],
    seed: u64,
) -> BitVec<u64> {
    let mut random = generator(seed, Purpose::Payloads);
    let k = nodes.number_bits();
    let (factor, offset) = (random.next_u64() | 1, random.next_u64());
    let mut payloads = BitVec::with_capacity(messages.len() * payload_bits);
    for message in messages {
        let start = payloads.len();
        if payload_bits >= k {
            let label = (message.source as u64)
                .wrapping_mul(factor)
                .wrapping_add(offset);
            payloads.extend((0..k).map(|bit| label >> bit & 1 == 1));
        }
        while payloads.len() - start < payload_bits {
            let word = random.next_u64();
            let left = payload_bits - (payloads.len() - start);
            payloads.extend((0..left.min(64)).map(|bit| word >> bit & 1 == 1));
        }
    }
    payloads
}

/// What random numbers are drawn for: each purpose has its own stream, so that asking for another
/// load does not change the permutation.
#[derive(Clone, Copy, Debug)]
enum Purpose {
    Pattern = 1,
    Senders = 2,
    Payloads = 3,
    /// A stream for each node: with the node's number above the lowest 8 bits.
    Injection = 4,
}

fn generator(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(purpose as u64);
    generator
}

/// The nodes that send at this load: that share of all nodes, rounded to whole ones, drawn from `seed`,
/// in ascending order.
///
/// # Errors
/// [`Error::Load`] outside 0..=1.
pub fn senders(nodes: impl Into<Nodes>, load: f64, seed: u64) -> Result<Vec<usize>, Error> {
    if !(0.0..=1.0).contains(&load) {
        return Err(Error::Load {
            load: load.to_string(),
        });
    }
    let nodes = nodes.into().count();
    let amount = (load * nodes as f64).round() as usize;
    let mut senders =
        index::sample(&mut generator(seed, Purpose::Senders), nodes, amount).into_vec();
    senders.sort_unstable();
    Ok(senders)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::pattern::Pattern;

    fn traffic(pairs: &[(usize, usize)]) -> Result<Traffic, Error> {
        let messages = pairs
            .iter()
            .map(|&(source, destination)| Message {
                source,
                destination,
            })
            .collect();
        Traffic::new(Dimensions::new(3).unwrap(), 4, messages, 1)
    }

    #[test]
    fn a_partial_permutation_is_accepted_and_nothing_else() {
        let accepted = traffic(&[(5, 0), (1, 2)]).unwrap();
        assert_eq!(accepted.messages()[0].source, 1);
        assert_eq!(accepted.index_from(5), Some(1));
        assert_eq!(accepted.index_from(0), None);
        assert_eq!(accepted.by_destination().at(2), [0]);

        assert_eq!(
            traffic(&[(5, 0), (1, 0)]).unwrap_err(),
            Error::TwoMessagesTo {
                destination: 0,
                first: 1,
                second: 5
            }
        );
        assert_eq!(
            traffic(&[(5, 0), (5, 1)]).unwrap_err(),
            Error::TwoMessagesFrom { source_node: 5 }
        );
        assert_eq!(
            traffic(&[(5, 8)]).unwrap_err(),
            Error::NodeOutOfRange { node: 8, nodes: 8 }
        );
    }

    #[test]
    fn many_to_one_accepts_more_to_a_node_but_not_more_from_it() {
        let many_to_one = |pairs: &[(usize, usize)]| {
            let message = |&(source, destination)| Message {
                source,
                destination,
            };
            let messages = pairs.iter().map(message).collect();
            Traffic::many_to_one(Nodes::new(6).unwrap(), 4, messages, 1)
        };
        let accepted = many_to_one(&[(5, 0), (1, 2), (4, 0), (0, 0)]).unwrap();
        let by_destination = accepted.by_destination();
        assert_eq!(by_destination.at(0), [0, 2, 3]);
        assert_eq!(by_destination.at(2), [1]);
        assert_eq!(by_destination.at(5), []);
        assert!(accepted.payloads_are_distinct());
        assert_eq!(
            many_to_one(&[(5, 0), (5, 1)]).unwrap_err(),
            Error::TwoMessagesFrom { source_node: 5 }
        );
        assert_eq!(
            many_to_one(&[(5, 6)]).unwrap_err(),
            Error::NodeOutOfRange { node: 6, nodes: 6 }
        );
    }

    #[test]
    fn a_semi_contraction_is_told_from_other_routings() {
        for accepted in [
            &[(0, 0), (3, 1), (4, 2)][..],
            &[(0, 7), (1, 6), (5, 2)],
            &[(2, 5)],
        ] {
            traffic(accepted).unwrap().check_semi_contraction().unwrap();
        }
        for refused in [&[(0, 0), (1, 2)][..], &[(0, 7), (1, 5)], &[(0, 0), (3, 4)]] {
            assert!(traffic(refused).unwrap().check_semi_contraction().is_err());
        }
        let error = traffic(&[(0, 0), (3, 1), (4, 4)])
            .unwrap()
            .check_semi_contraction()
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "not a semi-contraction: messages 3 -> 1 and 4 -> 4 begin 1 apart and end 3 apart; \
             packing routes only what draws no two messages apart (see `kuszmaul` for the rest)"
        );
    }

    #[test]
    fn payloads_are_distinct_where_that_is_possible_and_repeat_with_the_seed() {
        let cube = Dimensions::new(8).unwrap();
        let all: Vec<Message> = (0..256)
            .map(|node| Message {
                source: node,
                destination: 255 - node,
            })
            .collect();
        for payload_bits in [8, 9, 70] {
            let traffic = Traffic::new(cube, payload_bits, all.clone(), 7).unwrap();
            let second = traffic.payload(1).to_bitvec();
            let mut traffic = traffic;
            assert!(traffic.payloads_are_distinct());
            let first = traffic.payload(0).to_bitvec();
            traffic.payload_mut(0).copy_from_bitslice(&first);
            assert!(traffic.payloads_are_distinct(), "drawn distinct");
            traffic.payload_mut(1).copy_from_bitslice(&first);
            assert!(!traffic.payloads_are_distinct());
            traffic.payload_mut(1).copy_from_bitslice(&second);
            let again = Traffic::new(cube, payload_bits, all.clone(), 7).unwrap();
            assert_eq!(again.payloads, traffic.payloads);
            let other = Traffic::new(cube, payload_bits, all.clone(), 8).unwrap();
            assert_ne!(other.payloads, traffic.payloads);
        }
        let narrow = Traffic::new(cube, 7, all, 7).unwrap();
        assert!(!narrow.payloads_are_distinct());
    }

    #[test]
    fn payloads_are_distinct_on_any_number_of_nodes() {
        for count in 1..=130 {
            let nodes = Nodes::new(count).unwrap();
            let senders: Vec<usize> = (0..count).collect();
            let messages = Pattern::Neighbor.messages(nodes, &senders, 1).unwrap();
            let payload_bits = nodes.number_bits().max(1);
            let mut traffic = Traffic::new(nodes, payload_bits, messages, 9).unwrap();
            assert!(traffic.labelled);
            traffic.labelled = false;
            assert!(traffic.payloads_are_distinct(), "compared");
        }
    }

    #[test]
    fn the_load_is_a_share_of_the_nodes() {
        let cube = Dimensions::new(6).unwrap();
        for (load, amount) in [(0.0, 0), (0.25, 16), (0.5, 32), (1.0, 64)] {
            let senders = senders(cube, load, 3).unwrap();
            assert_eq!(senders.len(), amount);
            assert!(senders.is_sorted());
        }
        let all = Nodes::new(160).unwrap();
        for (load, amount) in [(0.0, 0), (0.5, 80), (0.016, 3), (1.0, 160)] {
            let senders = senders(all, load, 3).unwrap();
            assert_eq!(senders.len(), amount);
            assert!(senders.is_sorted() && senders.iter().all(|&node| node < 160));
        }
        for load in [-0.1, 1.1, f64::NAN] {
            assert!(senders(cube, load, 3).is_err());
        }
    }
}
