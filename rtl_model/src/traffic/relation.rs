//! Relations: messages of which a node may send several, and receive several.
//!
//! Where no node sends more than `H` messages, and none receives more, a relation is a subset of an `H`-permutation
//! (Kuszmaul 1990, abstract; Section IV routes several batches of messages). A router of one message a node takes it in
//! parts, and there are two ways to divide it (here with `H = 2`):
//!
//! ```text
//!   relation            by source (slots)               matchings
//!   0 -> 2, 0 -> 3      0 -> 2, 1 -> 2 | 0 -> 3         0 -> 2, 1 -> 3 | 0 -> 3, 1 -> 2
//!   1 -> 2, 1 -> 3                     | 1 -> 3
//!                       each node sees its own          somebody sees all messages beforehand,
//!                       messages only                   and no two of a part are for one node
//! ```

mod colouring;
mod divided;

use bitvec::slice::BitSlice;

pub(crate) use colouring::colours;

use crate::error::refusal::Refusal;
use crate::error::{Error, node_out_of_range};
use crate::traffic::drawing::random_payloads;
use crate::traffic::pattern::Pattern;
use crate::traffic::senders::{check_load, drawn_senders, senders};
use crate::traffic::{Message, Nodes, Payloads, Purpose, numbered_generator};

/// Messages with payloads, any number from a node and to one: in ascending order of source, those of one source in the
/// order in which they were given.
#[derive(Clone, Debug)]
pub struct Relation {
    nodes: Nodes,
    messages: Vec<Message>,
    /// By the index of their messages.
    payloads: Payloads,
    /// Payloads are as they were drawn, wide enough to be drawn distinct.
    labelled: bool,
}

impl Relation {
    /// What random ones are called as traffic ([`Relation::drawn`]).
    pub const NAME: &'static str = "h-relation";

    /// The relation of the given messages, in any order, with random payloads from `seed`: no two of them are alike
    /// wherever `payload_bits` allows as many values as there are messages.
    ///
    /// # Errors
    /// A node that there is not, more nodes than a list has room for.
    pub fn new(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        mut messages: Vec<Message>,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        nodes.check_listed()?;
        let count = nodes.count();
        let mut ends = messages
            .iter()
            .flat_map(|one| [one.source, one.destination]);
        if let Some(node) = ends.find(|node| *node >= count) {
            return Err(node_out_of_range(node, count));
        }
        // The sort is stable, which keeps the order within a source.
        messages.sort_by_key(|message| message.source);
        let count = messages.len();
        let k = count.next_power_of_two().ilog2() as usize;
        Ok(Relation {
            nodes,
            payloads: random_payloads(payload_bits, k, count, 0..count, seed),
            messages,
            labelled: payload_bits >= k,
        })
    }

    /// `h` random partial permutations together, each with senders and destinations of its own, from `load` of the
    /// nodes: every node sends and receives at most `h` messages, and at load 1 exactly `h`. The first of the
    /// permutations is that of [`Pattern::Randperm`] with this seed, and a larger `h` adds others to the same ones.
    ///
    /// # Errors
    /// A load outside 0..=1.
    pub fn drawn(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        h: usize,
        load: f64,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        check_load(load)?;
        nodes.check_listed()?;
        let mut messages = Vec::new();
        for part in 0..h {
            let of = |purpose| numbered_generator(seed, purpose, part);
            let senders = drawn_senders(nodes, load, &mut of(Purpose::Senders));
            let permutation = Pattern::Randperm.drawn(nodes, of(Purpose::Pattern))?;
            let drawn = senders.iter().enumerate().map(|(rank, source)| Message {
                source,
                destination: permutation.destination(rank, source),
            });
            messages.extend(drawn);
        }
        Self::new(nodes, payload_bits, messages, seed)
    }

    /// A pattern, `h` times over: each sender, as [`senders`] draws them, has `h` messages for the one destination that
    /// the pattern gives it. Of [`Pattern::Uniform`], several senders may have the same one.
    ///
    /// # Errors
    /// A load outside 0..=1; what [`Pattern::messages`] refuses.
    pub fn repeated(
        nodes: impl Into<Nodes>,
        payload_bits: usize,
        pattern: Pattern,
        h: usize,
        load: f64,
        seed: u64,
    ) -> Result<Self, Error> {
        let nodes = nodes.into();
        let senders = senders(nodes, load, seed)?;
        let once = pattern.messages(nodes, &senders, seed)?;
        let messages = once.iter().flat_map(|one| std::iter::repeat_n(*one, h));
        Self::new(nodes, payload_bits, messages.collect(), seed)
    }

    /// The nodes of the machine that it is for.
    pub fn nodes(&self) -> Nodes {
        self.nodes
    }

    /// The messages, in ascending order of source.
    pub fn messages(&self) -> &[Message] {
        &self.messages
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

    /// The most messages that a node sends, or receives: the smallest `H` of which it is an `H`-permutation's subset.
    /// 0 if there are none.
    pub fn degree(&self) -> usize {
        let (_, sent) = self.most(true);
        let (_, received) = self.most(false);
        sent.max(received)
    }

    /// Checks that no node sends more than `h` messages, and that none receives more.
    ///
    /// # Errors
    /// That there are more, naming the node that has the most messages: with so many for `h` all would be well. Of
    /// several such nodes it is the lowest, one that sends before one that receives.
    pub fn check(&self, h: usize) -> Result<(), Error> {
        let (_, sent) = self.most(true);
        let (_, received) = self.most(false);
        self.check_end(sent >= received, h)
    }

    /// The same of what nodes send, or of what they receive.
    fn check_end(&self, sends: bool, h: usize) -> Result<(), Error> {
        match self.most(sends) {
            (_, count) if count <= h => Ok(()),
            (node, count) => {
                let does = if sends { "sends" } else { "receives" };
                Err(Refusal::of(format!(
                    "node {node} {does} {count} messages, and with H = {h} a node {does} at most {h}"
                ))
                .instead(format!("give --h {count}"))
                .into())
            }
        }
    }

    /// The node that sends the most messages, or receives the most, the lowest of these, and how many.
    fn most(&self, sends: bool) -> (usize, usize) {
        let mut counts = vec![0; self.nodes.count()];
        for message in &self.messages {
            let node = match sends {
                true => message.source,
                false => message.destination,
            };
            counts[node] += 1;
        }
        let counts = counts.into_iter().enumerate();
        counts.fold((0, 0), |most, (node, count)| match count > most.1 {
            true => (node, count),
            false => most,
        })
    }
}

#[cfg(test)]
mod tests;
