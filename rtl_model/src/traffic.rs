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
mod purpose;
pub(crate) mod relation;
mod senders;
pub mod structured;

use bitvec::slice::BitSlice;

use crate::error::refusal::Refusal;
use crate::error::{Error, ONLY_NEARER, SEVERAL_A_NODE, node_out_of_range};
use crate::machine::topology::hypercube::Dimensions;
use crate::traffic::drawing::random_payloads;
use crate::traffic::pattern::Pattern;
use crate::traffic::purpose::{Purpose, generator, numbered_generator};

pub use by_destination::ByDestination;
pub use by_node::ByNode;
pub use computed::{Computed, LOG2_MOST_LISTED};
pub use messages::{Message, Messages};
pub use node_set::NodeSet;
pub use nodes::{MAX_NODES, MOST_LISTED_NODES, Nodes};
pub use part::Part;
pub use payloads::Payloads;
pub(crate) use purpose::intermediate;
pub use relation::Relation;
pub use senders::{sender_set, senders};

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
        Messages {
            sources: &self.sources,
            destinations: &self.destinations,
        }
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

#[cfg(test)]
mod tests;
