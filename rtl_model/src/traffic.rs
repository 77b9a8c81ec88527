//! Traffic: who sends what to whom.
//!
//! Patterns carry BookSim's names. BookSim defines `tornado` and `neighbor` digit by digit on a
//! torus, which on the two-node rings of a hypercube would make them `identity` and `bitcomp`; here
//! a machine's nodes count as one ring, whatever its network.

mod alike;
mod by_destination;
mod by_node;
mod computed;
mod drawing;
pub mod file;
pub mod hot_spots;
pub mod injection;
pub mod latency;
mod messages;
mod node_set;
mod nodes;
mod part;
pub mod pattern;
mod payloads;
mod relation;
pub mod structured;

use bitvec::slice::BitSlice;
use rand::seq::index;
use rand::{RngCore, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::error::refusal::Refusal;
use crate::error::{Error, ONLY_NEARER, SEVERAL_A_NODE, node_out_of_range};
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::drawing::Drawing;
use crate::traffic::pattern::Pattern;

pub use by_destination::ByDestination;
pub use by_node::ByNode;
pub use computed::{Computed, LOG2_MOST_LISTED};
pub use messages::{Message, Messages};
pub use node_set::NodeSet;
pub use nodes::{MAX_NODES, MOST_LISTED_NODES, Nodes};
pub use part::Part;
pub use payloads::Payloads;
pub use relation::Relation;

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

/// Messages with payloads, in ascending order of source: at most one from each node.
/// [`Traffic::new`] is for routers of partial permutations and accepts at most one to each node;
/// [`Traffic::many_to_one`] accepts any number.
#[derive(Clone, Debug)]
pub struct Traffic {
    nodes: Nodes,
    sources: NodeSet,
    /// In ascending order of source.
    destinations: Vec<u32>,
    payloads: Payloads,
    /// No two messages are known to be for one node.
    one_to_each: bool,
    /// Payloads are as they were drawn, wide enough to be drawn distinct.
    labelled: bool,
}

impl Traffic {
    /// Traffic of the given messages, in any order, with random payloads from `seed`: distinct
    /// wherever `payload_bits` allows as many values as the machine has nodes.
    ///
    /// # Errors
    /// A node that there is not, two messages from one node, two messages to one node if it is not
    /// a partial permutation of the machine's nodes.
    pub fn new(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        messages: Vec<Message>,
        seed: u64,
    ) -> Result<Self, Error> {
        let mut traffic = Self::many_to_one(nodes, payload_bits, messages, seed)?;
        traffic.check_one_to_each()?;
        traffic.one_to_each = true;
        Ok(traffic)
    }

    /// As [`Traffic::new`], but with any number of messages to one node.
    ///
    /// # Errors
    /// A node that there is not, two messages from one node, more nodes than a list has room for.
    pub fn many_to_one(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        mut messages: Vec<Message>,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        nodes.check_listed()?;
        messages.sort_by_key(|message| message.source);
        check_one_from_each(nodes, &messages)?;
        let sources = NodeSet::new(nodes, messages.iter().map(|message| message.source));
        let destinations = messages.iter().map(|message| message.destination as u32);
        Ok(Self::to(
            nodes,
            payload_bits,
            sources,
            destinations.collect(),
            seed,
        ))
    }

    /// Traffic of a pattern: from `load` of the nodes, as [`senders`] draws them, a message each,
    /// with payloads as [`Traffic::new`] has them. Of [`Pattern::Uniform`], several may be for one
    /// node.
    ///
    /// # Errors
    /// A load outside 0..=1, more nodes than a list has room for; what [`Pattern::messages`] refuses.
    pub fn drawn(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        pattern: Pattern,
        load: f64,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        nodes.check_listed()?;
        if let Some(dimensions) = nodes.dimensions()
            && Computed::serves(nodes)
            && Computed::knows(pattern)
        {
            return Ok(Self::listed(&Computed::new(
                dimensions,
                payload_bits,
                pattern,
                load,
                seed,
            )?));
        }
        let sources = sender_set(nodes, load, seed)?;
        let drawn = pattern.drawn(nodes, generator(seed, Purpose::Pattern))?;
        let mut destinations = Vec::with_capacity(sources.len());
        let of_senders = sources.iter().enumerate();
        destinations
            .extend(of_senders.map(|(rank, source)| drawn.destination(rank, source) as u32));
        drop(drawn);
        let mut traffic = Self::to(nodes, payload_bits, sources, destinations, seed);
        traffic.one_to_each = pattern.is_permutation();
        Ok(traffic)
    }

    /// What is computed, as a list, for which there is [room](Nodes::check_listed).
    pub fn listed(computed: &Computed) -> Self {
        let nodes = Nodes::from(computed.dimensions());
        let senders = (0..nodes.count()).filter(|&node| computed.sends(node));
        let sources = NodeSet::new(nodes, senders);
        let payload_bits = computed.payload_bits();
        let mut payloads = Payloads::zeros(payload_bits, sources.len());
        let mut destinations = Vec::with_capacity(sources.len());
        for (index, source) in sources.iter().enumerate() {
            destinations.push(computed.destination(source) as u32);
            for from in (0..payload_bits).step_by(64) {
                payloads.set_chunk(index, from, computed.payload_chunk(source, from));
            }
        }
        Traffic {
            nodes,
            sources,
            destinations,
            payloads,
            one_to_each: true,
            labelled: computed.payloads_are_distinct(),
        }
    }

    /// Of each node where it sends and 1, or 0; no two to one node.
    fn from_each(nodes: Nodes, payload_bits: usize, ends: Vec<u32>, seed: u64) -> Self {
        let senders = ends.iter().enumerate().filter(|(_, end)| **end != 0);
        let sources = NodeSet::new(nodes, senders.map(|(source, _)| source));
        let mut destinations = Vec::with_capacity(sources.len());
        destinations.extend(ends.iter().filter_map(|end| end.checked_sub(1)));
        drop(ends);
        let mut traffic = Self::to(nodes, payload_bits, sources, destinations, seed);
        traffic.one_to_each = true;
        traffic
    }

    fn to(
        nodes: Nodes,
        payload_bits: usize,
        sources: NodeSet,
        destinations: Vec<u32>,
        seed: u64,
    ) -> Self {
        let k = nodes.number_bits();
        let payloads = random_payloads(payload_bits, k, sources.len(), sources.iter(), seed);
        Traffic {
            nodes,
            sources,
            destinations,
            payloads,
            one_to_each: false,
            labelled: payload_bits >= k,
        }
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
    pub fn messages(&self) -> Messages<'_> {
        Messages(self)
    }

    /// The nodes that send: the message at `index` is from the one that `index` others are before.
    pub fn sources(&self) -> &NodeSet {
        &self.sources
    }

    /// Where the message at `index` goes.
    #[inline]
    pub fn destination(&self, index: usize) -> usize {
        self.destinations[index] as usize
    }

    /// Bits of each payload.
    pub fn payload_bits(&self) -> usize {
        self.payloads.bits()
    }

    /// The payloads, by the index of their messages.
    pub fn payloads(&self) -> &Payloads {
        &self.payloads
    }

    /// The payload of the message at `index`, bit 0 the first to be sent.
    pub fn payload(&self, index: usize) -> &BitSlice<u64> {
        self.payloads.at(index)
    }

    /// The payload of the message at `index`, for replacing it.
    pub fn payload_mut(&mut self, index: usize) -> &mut BitSlice<u64> {
        self.labelled = false;
        self.payloads.at_mut(index)
    }

    /// Whether no two payloads are alike: then a message can be told from every other.
    pub fn payloads_are_distinct(&self) -> bool {
        self.labelled || self.payloads.are_distinct()
    }

    /// Index of the message that `source` sends.
    pub fn index_from(&self, source: usize) -> Option<usize> {
        let sends = self.sources.contains(source);
        sends.then(|| self.sources.rank(source))
    }

    /// Whether no two messages are for one node, by how they were given or drawn.
    pub fn is_one_to_each(&self) -> bool {
        self.one_to_each
    }

    /// For each node, the indices of the messages that are for it.
    pub fn by_destination(&self) -> ByDestination {
        ByDestination::new(self.nodes, &self.destinations)
    }

    /// Checks that this is a semi-contraction: no two messages end farther apart, as integers, than
    /// they began (Kuszmaul 1990, Definition 3).
    ///
    /// # Errors
    /// That it is none, naming two messages.
    pub fn check_semi_contraction(&self) -> Result<(), Error> {
        // Distances add up along the line, so neighbours in order of source decide.
        let messages = self.messages();
        for (one, two) in messages.iter().zip(messages.iter().skip(1)) {
            let destinations = one.destination.abs_diff(two.destination);
            if destinations > two.source - one.source {
                let sources = two.source - one.source;
                return Err(Refusal::of("not a semi-contraction")
                    .because(format!(
                        "messages {} -> {} and {} -> {} begin {sources} apart and end {destinations} apart; {ONLY_NEARER}",
                        one.source, one.destination, two.source, two.destination
                    ))
                    .only_together("no semi-contraction")
                    .into());
            }
        }
        Ok(())
    }

    fn check_one_to_each(&self) -> Result<(), Error> {
        /// Nobody yet.
        const NOBODY: u32 = u32::MAX;
        let mut index_to = vec![NOBODY; self.nodes.count()];
        for (index, message) in self.messages().iter().enumerate() {
            let first = &mut index_to[message.destination];
            if *first != NOBODY {
                let first = self.sources.at(*first as usize).unwrap_or_default();
                return Err(Refusal::of(format!(
                    "sources {first} and {} both send to destination {}",
                    message.source, message.destination
                ))
                .because(format!(
                    "a node receives at most one message; {SEVERAL_A_NODE}"
                ))
                .into());
            }
            *first = index as u32;
        }
        Ok(())
    }

    /// Bytes that traffic takes in which each of so many nodes sends: who, whom, payload.
    pub fn bytes(nodes: impl Into<Nodes>, payload_bits: usize) -> u64 {
        let nodes = nodes.into().count();
        let destinations = size_of::<u32>() * nodes;
        NodeSet::bytes(nodes) + destinations as u64 + Payloads::bytes(payload_bits, nodes)
    }

    /// Bytes that [`Traffic::drawn`] takes while it draws.
    pub fn drawing_bytes(nodes: impl Into<Nodes>, payload_bits: usize) -> u64 {
        let nodes = nodes.into();
        // Where every node would send, and then the payloads in its place.
        let drawn = (size_of::<u32>() * nodes.count()) as u64;
        let payloads = Payloads::bytes(payload_bits, nodes.count());
        Self::bytes(nodes, payload_bits) - payloads + drawn.max(payloads)
    }
}

/// Messages are in ascending order of source.
fn check_one_from_each(nodes: Nodes, messages: &[Message]) -> Result<(), Error> {
    let nodes = nodes.count();
    let mut last = None;
    for message in messages {
        for node in [message.source, message.destination] {
            if node >= nodes {
                return Err(node_out_of_range(node, nodes));
            }
        }
        if last == Some(message.source) {
            return Err(
                Refusal::of(format!("node {} sends two messages", message.source))
                    .because(format!("a node sends at most one; {SEVERAL_A_NODE}"))
                    .into(),
            );
        }
        last = Some(message.source);
    }
    Ok(())
}

/// Random bits for `count` messages, which have these [numbers](Drawing).
fn random_payloads(
    payload_bits: usize,
    k: usize,
    count: usize,
    numbers: impl Iterator<Item = usize>,
    seed: u64,
) -> Payloads {
    let mut drawing = Drawing::new(payload_bits, k, seed);
    let mut payloads = Payloads::zeros(payload_bits, count);
    for (index, number) in numbers.enumerate() {
        drawing.draw(number, &mut payloads, index);
    }
    payloads
}

/// What random numbers are drawn for: each purpose has its own stream, so that asking for another
/// load does not change the permutation.
#[derive(Clone, Copy, Debug)]
enum Purpose {
    /// A stream for each part of a relation: with the part's number above the lowest 8 bits.
    Pattern = 1,
    /// As those of [`Purpose::Pattern`].
    Senders = 2,
    Payloads = 3,
    /// A stream for each node: with the node's number above the lowest 8 bits.
    Injection = 4,
    /// Structured routings.
    Structure = 5,
    /// A stream for each message: with its number above the lowest 8 bits.
    Intermediate = 16,
    /// A stream for each node that asks, as those of [`Purpose::Injection`].
    Replies = 6,
}

/// The node, one of `nodes`, that message `number` draws from `seed` to go via.
pub(crate) fn intermediate(nodes: usize, number: usize, seed: u64) -> usize {
    let drawn = numbered_generator(seed, Purpose::Intermediate, number).next_u64();
    // Nodes differ in probability by less than 2^-64.
    ((u128::from(drawn) * nodes as u128) >> 64) as usize
}

fn generator(seed: u64, purpose: Purpose) -> ChaCha8Rng {
    numbered_generator(seed, purpose, 0)
}

/// The stream of that number for a purpose of which several are drawn; number 0 is that of [`generator`].
fn numbered_generator(seed: u64, purpose: Purpose, number: usize) -> ChaCha8Rng {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream((number as u64) << 8 | purpose as u64);
    generator
}

/// The nodes that send at this load: that share of all nodes, rounded to whole ones, drawn from
/// `seed`, in ascending order.
///
/// # Errors
/// A load outside 0..=1; more nodes than a list has room for.
pub fn senders(nodes: impl Into<Nodes>, load: f64, seed: u64) -> Result<Vec<usize>, Error> {
    Ok(sender_set(nodes, load, seed)?.iter().collect())
}

/// As [`senders`], as a set.
///
/// # Errors
/// As [`senders`].
pub fn sender_set(nodes: impl Into<Nodes>, load: f64, seed: u64) -> Result<NodeSet, Error> {
    check_load(load)?;
    let nodes = nodes.into();
    nodes.check_listed()?;
    let random = &mut generator(seed, Purpose::Senders);
    Ok(drawn_senders(nodes, load, random))
}

fn check_load(load: f64) -> Result<(), Error> {
    match (0.0..=1.0).contains(&load) {
        true => Ok(()),
        false => Err(Refusal::of(format!("a load of {load} is out of range"))
            .because("it is the share of nodes that send, 0 to 1")
            .into()),
    }
}

/// At a load that is checked.
fn drawn_senders(nodes: Nodes, load: f64, random: &mut ChaCha8Rng) -> NodeSet {
    let amount = (load * nodes.count() as f64).round() as usize;
    let drawn = index::sample(random, nodes.count(), amount);
    NodeSet::new(nodes, drawn.iter())
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
        assert_eq!(accepted.messages().get(0).unwrap().source, 1);
        assert_eq!(accepted.messages().get(2), None);
        assert_eq!(accepted.index_from(5), Some(1));
        assert_eq!(accepted.index_from(0), None);
        assert_eq!(accepted.by_destination().at(2), [0]);

        assert_eq!(
            traffic(&[(5, 0), (1, 0)]).unwrap_err().to_string(),
            "sources 1 and 5 both send to destination 0: a node receives at most one message; several messages a node \
             need `--h H` (testbench kuszmaul)"
        );
        assert_eq!(
            traffic(&[(5, 0), (5, 1)]).unwrap_err().to_string(),
            "node 5 sends two messages: a node sends at most one; several messages a node need `--h H` (testbench kuszmaul)"
        );
        assert_eq!(traffic(&[(5, 8)]).unwrap_err(), node_out_of_range(8, 8));
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
        assert!(by_destination.at(5).is_empty());
        assert!(accepted.payloads_are_distinct());
        assert_eq!(
            many_to_one(&[(5, 0), (5, 1)]).unwrap_err().to_string(),
            "node 5 sends two messages: a node sends at most one; several messages a node need `--h H` (testbench kuszmaul)"
        );
        assert_eq!(many_to_one(&[(5, 6)]).unwrap_err(), node_out_of_range(6, 6));
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

    #[test]
    fn drawn_traffic_is_that_of_the_messages_of_its_pattern() {
        for (_, pattern, _) in Pattern::entries() {
            for (count, load) in [(1, 1.0), (6, 0.5), (64, 0.75), (64, 0.0), (160, 1.0)] {
                let nodes = Nodes::new(count).unwrap();
                let senders = senders(nodes, load, 5).unwrap();
                let drawn = Traffic::drawn(nodes, 9, pattern, load, 5);
                let messages = match pattern.messages(nodes, &senders, 5) {
                    Ok(messages) => messages,
                    Err(error) => {
                        assert_eq!(drawn.err(), Some(error));
                        continue;
                    }
                };
                let given = match pattern.is_permutation() {
                    true => Traffic::new(nodes, 9, messages.clone(), 5).unwrap(),
                    false => Traffic::many_to_one(nodes, 9, messages.clone(), 5).unwrap(),
                };
                let drawn = drawn.unwrap();
                assert_eq!(drawn.messages().to_vec(), messages);
                assert_eq!(drawn.messages(), given.messages());
                assert_eq!(drawn.payloads(), given.payloads());
            }
        }
        assert!(Traffic::drawn(Nodes::new(4).unwrap(), 9, Pattern::Identity, 1.1, 5).is_err());
    }

    /// As they were drawn before they were packed: bit by bit.
    #[test]
    fn a_payload_is_its_label_and_then_random_words() {
        let nodes = Nodes::new(20).unwrap();
        for payload_bits in [1, 4, 5, 6, 63, 64, 69, 70, 133] {
            let traffic = Traffic::drawn(nodes, payload_bits, Pattern::Identity, 0.8, 3).unwrap();
            let mut random = generator(3, Purpose::Payloads);
            let (factor, offset) = (random.next_u64() | 1, random.next_u64());
            for (index, message) in traffic.messages().iter().enumerate() {
                let mut bits = Vec::new();
                if payload_bits >= 5 {
                    let label = (message.source as u64)
                        .wrapping_mul(factor)
                        .wrapping_add(offset);
                    bits.extend((0..5).map(|bit| label >> bit & 1 == 1));
                }
                while bits.len() < payload_bits {
                    let word = random.next_u64();
                    bits.extend((0..64).map(|bit| word >> bit & 1 == 1));
                    bits.truncate(payload_bits);
                }
                assert!(traffic.payload(index).iter().by_vals().eq(bits));
            }
        }
    }
}
